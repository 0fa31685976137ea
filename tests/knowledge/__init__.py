"""Tests of knowledge search."""
