"""A target behind an HTTP API: its settings, its transport, and how an answer is read out of what came."""
