"""Rows of the index."""
