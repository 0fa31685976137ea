"""Notices: what is told, on which channels, and that each gets there once."""
