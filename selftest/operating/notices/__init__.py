"""Notices outside the pages: what is told, on which channels, and how each gets there once."""
