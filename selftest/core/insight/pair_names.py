"""The names of two ingredients that are suspected together. Pure."""

import json

Pair = tuple[str, str]  # in the order of the alphabet
PAIR_BEGINS = "["  # the name of two, a JSON array; an ingredient's own begins with its kind


def pair_of(one: str, other: str) -> Pair:
    """The two in the order of the alphabet."""
    return (one, other) if one <= other else (other, one)


def members(name: str) -> tuple[str, ...]:
    """The ingredients of this name: two of a pair, else itself."""
    if not name.startswith(PAIR_BEGINS):
        return (name,)
    try:
        found = json.loads(name)
    except ValueError:
        return (name,)
    return tuple(map(str, found)) if isinstance(found, list) and len(found) == 2 else (name,)
