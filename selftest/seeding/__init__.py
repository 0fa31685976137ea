"""A large history for trying the pages at scale, made without asking any target."""
