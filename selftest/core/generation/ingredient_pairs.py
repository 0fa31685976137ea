"""Two ingredients as one name: a JSON array, where an ingredient's own name begins with its kind. Pure."""

import json
from collections.abc import Sequence

PAIR_BEGINS = "["


def pair_name(pair: Sequence[str]) -> str:
    """Of two ingredients, by their names."""
    return json.dumps(list(pair), ensure_ascii=False)


def members(name: str) -> tuple[str, ...]:
    """The ingredients of this name: two of a pair, else itself."""
    if not name.startswith(PAIR_BEGINS):
        return (name,)
    try:
        found = json.loads(name)
    except (ValueError, RecursionError):  # the latter for very many brackets
        return (name,)
    return tuple(map(str, found)) if isinstance(found, list) and len(found) == 2 else (name,)
