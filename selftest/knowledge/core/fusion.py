"""Several orders of the same pieces as one: reciprocal rank fusion with weights, and boosts. Pure: no clock.

Source: Cormack, Clarke & Buettcher (2009), with their k = 60.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

K = 60
WEIGHTS: Mapping[str, float] = {
    "exact": 2.0,
    "full_text": 1.0,
    "flagged": 0.8,
    "fuzzy": 0.8,
    "synonyms": 0.7,
    "vectors": 0.3,
}
BOOST_WHOLE = 0.05  # the query is nothing but an identifier of the piece
BOOST_NAMED = 0.01  # an identifier stands in the query
BOOST_ALIGNED = 0.002  # a word of the query is a tag or the service of the piece


@dataclass(frozen=True, slots=True)
class Fused:
    """A piece in the end. ranks: in each lane that found it, from 1. boosts: by name."""

    key: str
    score: float
    ranks: Mapping[str, int]
    boosts: Mapping[str, float]


def fuse(
    lanes: Mapping[str, Sequence[str]], kinds: Mapping[str, str], boosts: Mapping[str, Mapping[str, float]]
) -> list[Fused]:
    """The best first; equal ones by kind, then by key.

    lanes: for each lane the keys that it found, the best first. kinds: of every key. boosts: of some keys, by name.
    """
    ranks: dict[str, dict[str, int]] = {}
    for lane, keys in lanes.items():
        for rank, key in enumerate(keys, start=1):
            ranks.setdefault(key, {})[lane] = rank
    fused = [
        Fused(
            key,
            round(
                sum(WEIGHTS[lane] / (K + rank) for lane, rank in sorted(found.items()))
                + sum(value for _, value in sorted(boosts.get(key, {}).items())),
                9,
            ),
            found,
            boosts.get(key, {}),
        )
        for key, found in ranks.items()
    ]
    return sorted(fused, key=lambda each: (-each.score, kinds[each.key], each.key))
