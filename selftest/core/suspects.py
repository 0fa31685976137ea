"""Which ingredient goes most strongly with a check's flags. Pure; counts come in, no rows."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Together:
    """In how many runs an ingredient was said at all, and in how many of those one check flagged."""

    said: int = 0
    flagged: int = 0

    @property
    def strength(self) -> float:
        """Orders the ingredients of one check as Ochiai's coefficient does.

        Its other factor, one over the root of all runs that the check flagged, is the same for all of them.
        Source: Ochiai (1957); for finding faults, Abreu, Zoeteweij & van Gemund (2007).
        """
        return self.flagged / math.sqrt(self.said) if self.said else 0.0


def most_suspect(ingredients: Iterable[str], seen: Mapping[str, Together]) -> str:
    """Of `ingredients`, the one that goes most strongly with the flags; of equals the first in the alphabet.

    Raises ValueError for none.
    """
    named = sorted(set(ingredients))
    if not named:
        raise ValueError("of no ingredients none can be suspected")
    return max(named, key=lambda name: seen.get(name, Together()).strength)  # the first of equals
