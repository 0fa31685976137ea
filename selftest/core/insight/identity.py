"""Which of the causes found now is which of those known before: by the flags that they share. Pure."""

from collections.abc import Mapping, Sequence


def identities(known: Mapping[int, frozenset[int]], found: Sequence[frozenset[int]]) -> list[int | None]:
    """Of each cause found now, the number of the known one that it continues; None for a new one.

    known: number → keys of flags; found: the keys of each. A known cause lives on in what has most of its flags; where
    several become one, the one that brings most lives on, and among equals the older one.
    """
    shared = [
        (len(keys & flags), -number, place)
        for place, keys in enumerate(found)
        for number, flags in known.items()
        if keys & flags
    ]
    continued: dict[int, int] = {}
    taken: set[int] = set()
    for _, negative, place in sorted(shared, key=lambda one: (-one[0], -one[1], one[2])):
        number = -negative
        if place not in continued and number not in taken:
            continued[place] = number
            taken.add(number)
    return [continued.get(place) for place in range(len(found))]
