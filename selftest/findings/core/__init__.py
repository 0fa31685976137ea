"""Beliefs and when two of them contradict each other. Pure: words alone, no clock, no database."""
