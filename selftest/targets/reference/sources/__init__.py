"""The sources of the bundled router, each a function from a question to what it found."""
