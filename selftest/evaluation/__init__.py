"""How good answers are, as far as machines can say: advice beside the checks. The engine does not know of it."""
