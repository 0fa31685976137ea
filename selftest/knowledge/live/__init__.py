"""Pieces that are made of rows, kept up to date by each change of them. Answers are never among them."""
