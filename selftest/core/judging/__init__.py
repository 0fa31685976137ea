"""From an answer to findings: what was promised, and whether it was kept. Pure."""
