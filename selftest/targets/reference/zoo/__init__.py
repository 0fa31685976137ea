"""A zoo of search routers: healthy ones with many habits, and the same ones with one mistake or several."""
