"""How a pair of ingredients that are suspected together is named in one text. Pure; imports nothing of ours."""

import json

PAIR_BEGINS = "["  # the name of a pair is a JSON array; an ingredient's own begins with its kind


def members(name: str) -> tuple[str, ...]:
    """The ingredients that this name means: the two of a pair, else the name itself."""
    if not name.startswith(PAIR_BEGINS):
        return (name,)
    try:
        found = json.loads(name)
    except ValueError:
        return (name,)
    return tuple(map(str, found)) if isinstance(found, list) and len(found) == 2 else (name,)
