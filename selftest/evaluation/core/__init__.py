"""Graders and statistics. Pure: values in, values out, no clock, no database, no network."""
