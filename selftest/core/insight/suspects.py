"""Which ingredients, and which pairs of them, are to blame for a check's flags. Pure; counts come in, no rows.

What is blamed is what goes most strongly with the flags by Ochiai's coefficient. Three things keep chance out of it:
words that stand in every other query are blamed only on evidence, a pair only where it tells clearly more than either
of its two alone, and among equals what is said of one thing goes before what is said of anything.
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from selftest.core.generation.queries import PartKind
from selftest.core.insight.pair_names import Pair

# Where as much speaks for each: what names one thing first, what could stand in any query last.
KINDS_BY_SUSPICION = (
    PartKind.TOPIC,
    PartKind.PAIR,
    PartKind.INTENT,
    PartKind.LOOKALIKE,
    PartKind.CONDITION,
    PartKind.REQUEST,
    PartKind.CONSEQUENCE,
    PartKind.NOSPLIT,
    PartKind.DISCOURSE,
    PartKind.CONJUNCTION,
)
SAID_EVERYWHERE = frozenset({PartKind.DISCOURSE, PartKind.CONJUNCTION})
EVIDENT_AT_MOST = 1e-3  # how likely chance may do the same for it still to be called evident
PAIR_AT_MOST = 1e-4  # stricter: of a hundred ingredients there are five thousand pairs to be mistaken in
PAIR_QUERIES = 3  # different ones: one query that is asked again and again says nothing of any two of its parts
PAIR_FLAGS = 4  # below these, a pair is mostly what happened to be said beside the cause


@dataclass(frozen=True)
class Together:
    """runs: how many had an ingredient, or both of a pair. flagged: how many of those one check flagged."""

    runs: int = 0
    flagged: int = 0

    @property
    def strength(self) -> float:
        """Orders the suspects of one check as Ochiai's coefficient does, whose other factor is the same for all."""
        return self.flagged / math.sqrt(self.runs) if self.runs else 0.0

    def ochiai(self, flagged_in_all: int) -> float:
        """In 0 … 1; 1: flagged in every run with it, and in none without it. 0 where nothing was flagged.

        flagged_in_all: runs that the check flagged, with any ingredients.
        Source: Ochiai (1957); for finding faults, Abreu, Zoeteweij & van Gemund (2007).
        """
        return self.strength / math.sqrt(flagged_in_all) if flagged_in_all else 0.0


NEVER = Together()


def chance(part: Together, whole: Together) -> float:
    """How likely as many flagged runs as `part` has, or more, are among `part.runs` drawn blindly out of `whole`.

    In 0 … 1. 1 also where the counts contradict each other, as they may while a cycle is being counted.
    Source: Fisher (1922), the exact test, one-sided.
    """
    clean, part_clean = whole.runs - whole.flagged, part.runs - part.flagged
    if not (0 < part.flagged <= whole.flagged and 0 <= part_clean <= clean):
        return 1.0
    if part.flagged * whole.runs <= part.runs * whole.flagged:
        return 1.0  # no more than its share; how likely exactly does not matter
    at_most = min(part.runs, whole.flagged)
    term = math.exp(
        _log_ways(whole.flagged, part.flagged) + _log_ways(clean, part_clean) - _log_ways(whole.runs, part.runs)
    )
    likely = 0.0
    for flagged in range(part.flagged, at_most + 1):
        likely += term
        if term <= likely * 1e-9:  # beyond the share each is smaller than the one before, so the rest adds nothing
            break
        missing = part.runs - flagged
        term *= (whole.flagged - flagged) * missing / ((flagged + 1) * (clean - missing + 1))
    return min(1.0, likely)


def _log_ways(of: int, take: int) -> float:
    """The logarithm of how many ways there are."""
    return math.lgamma(of + 1) - math.lgamma(take + 1) - math.lgamma(of - take + 1)


@dataclass(frozen=True)
class Suspect:
    """An ingredient or a pair, and what was counted of it. is_evident: chance would hardly do the same."""

    ingredients: tuple[str, ...]
    together: Together
    is_evident: bool

    @property
    def name(self) -> str:
        """Of a pair one that no ingredient has: those begin with their kind."""
        return json.dumps(self.ingredients, ensure_ascii=False) if self.is_pair else self.ingredients[0]

    @property
    def is_pair(self) -> bool:
        """Whether it is two ingredients together."""
        return len(self.ingredients) == 2

    @property
    def is_blamable(self) -> bool:
        """Words that are said everywhere are there when anything fails, so they need evidence."""
        return self.is_evident or any(_kind(name) not in SAID_EVERYWHERE for name in self.ingredients)

    @property
    def _order(self) -> tuple[object, ...]:
        worst_kind = max(_kind_order(name) for name in self.ingredients)
        return (
            not self.is_blamable,
            not self.is_evident,
            -self.together.strength,
            len(self.ingredients),
            worst_kind,
            self.together.runs,
            self.ingredients,
        )


def ranked(whole: Together, seen: Mapping[str, Together], pairs: Mapping[Pair, Together]) -> list[Suspect]:
    """All ingredients, and the pairs that are to blame rather than either of their two; most suspect first.

    whole: all runs of the target, and those that the check flagged.
    """
    singles = [Suspect((name,), counted, chance(counted, whole) <= EVIDENT_AT_MOST) for name, counted in seen.items()]
    blamed = (
        Suspect(pair, counted, True)
        for pair, counted in pairs.items()
        if tells_more(counted, [seen.get(name, NEVER) for name in pair], whole)
    )
    return sorted([*singles, *blamed], key=lambda suspect: suspect._order)


def tells_more(pair: Together, alone: Iterable[Together], whole: Together) -> bool:
    """Whether a fault strikes only where the two stand together.

    Stronger than each of them; and among the runs of each, the other one makes a difference that is not by chance.
    """
    both = list(alone)
    if pair.flagged < PAIR_FLAGS or any(pair.strength <= one.strength for one in both):
        return False
    return all(chance(pair, among) <= PAIR_AT_MOST for among in (whole, *both))


def flags_to_beat(alone: Together) -> float:
    """A pair with this member is worth a look only where more than so many of its runs were flagged.

    For it is strongest if it was said in no others.
    """
    return max(PAIR_FLAGS - 1, alone.strength**2)


def widespread(suspects: Iterable[Suspect], queries: Iterable[Collection[str]]) -> list[Suspect]:
    """Without the pairs that too few of these flagged queries hold both of. queries: the ingredients of each."""
    every = list(suspects)
    others: dict[str, list[str]] = {}
    for one, other in (suspect.ingredients for suspect in every if suspect.is_pair):
        others.setdefault(one, []).append(other)
    held: Counter[tuple[str, ...]] = Counter()
    for ingredients in queries:
        held.update(
            (one, other) for one in ingredients if one in others for other in others[one] if other in ingredients
        )
    return [suspect for suspect in every if not suspect.is_pair or held[suspect.ingredients] >= PAIR_QUERIES]


class Accusation:
    """Who is to blame for a check's flags, asked for many sets of ingredients."""

    def __init__(self, suspects: Iterable[Suspect]) -> None:
        """suspects: most suspect first."""
        self._places: dict[str, int] = {}
        self._pairs: dict[str, list[tuple[int, str, str]]] = {}  # by the first of the two: place, the other, its name
        for place, suspect in enumerate(suspects):
            if suspect.is_pair:
                first, second = suspect.ingredients
                self._pairs.setdefault(first, []).append((place, second, suspect.name))
            else:
                self._places[suspect.name] = place

    def of(self, ingredients: Iterable[str]) -> str:
        """Names the one of `ingredients`, or the two, that are most suspect. Raises ValueError for none."""
        named = set(ingredients)
        if not named:
            raise ValueError("of no ingredients none can be suspected")
        known = [(self._places[name], name) for name in named if name in self._places]
        known += [
            (place, name) for first in named for place, second, name in self._pairs.get(first, ()) if second in named
        ]
        if known:
            return min(known)[1]
        return min(named, key=lambda name: (_kind_order(name), name))


def _kind(name: str) -> str:
    return name.partition(":")[0]


def _kind_order(name: str) -> int:
    kind = _kind(name)
    return next((place for place, known in enumerate(KINDS_BY_SUSPICION) if known == kind), len(KINDS_BY_SUSPICION))
