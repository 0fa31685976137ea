"""Telling people of what happened, outside the pages: what is told, to whom, and how it gets there once."""
