"""Reads: the queue, a combination, cycles, coverage. Nothing here changes a row."""
