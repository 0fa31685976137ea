"""Rows of the golden set, of scores and of drift."""
