"""The bundled local data: read once a process, each file a JSON array of objects."""

import json
from functools import lru_cache
from importlib import resources
from typing import Any


@lru_cache(maxsize=16)
def rows(name: str) -> tuple[dict[str, Any], ...]:
    """The objects of `{name}.json` in this package."""
    return tuple(json.loads(resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")))
