"""What can be wrong with an installation: each thing looked for by a check of its own, with what to do about it."""
