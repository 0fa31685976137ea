"""From findings to what they have in common, and what other settings would have found. Pure."""
