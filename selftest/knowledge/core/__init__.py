"""Chunks, ranking and words of a query. Pure: values in, values out, no clock, no database."""
