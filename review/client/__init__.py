"""A client for `/api/v1`, for scripts on any machine: it needs httpx, tenacity and pydantic, and no settings."""
