"""A query that broke a promise as a pytest file: what is run, what it asks again, and what must hold of the answers."""
