"""Core values as rows and back, the index of words, and the database file."""
