"""Notices: what is told, to whom, and that it gets there once."""
