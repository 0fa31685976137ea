"""Several orders of the same pieces as one: reciprocal rank fusion with weights, and boosts. Pure: no clock.

Source: Cormack, Clarke & Buettcher (2009), with their k = 60. Full text, mended words and synonyms are three readings
of the same words: of these the best counts, not their sum, or a piece with one of three words as typed would beat the
one that says all three in other words. A rank in them counts by how much of the query the piece has.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

K = 60
WEIGHTS: Mapping[str, float] = {
    "exact": 2.0,
    "full_text": 1.0,
    "synonyms": 1.0,
    "fuzzy": 0.9,
    "flagged": 0.8,
    "vectors": 0.3,
}
READINGS = ("full_text", "fuzzy", "synonyms")
SHARE_POWER = 0.5  # of the share of the query that a piece has
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
    lanes: Mapping[str, Sequence[str]],
    kinds: Mapping[str, str],
    boosts: Mapping[str, Mapping[str, float]],
    shares: Mapping[str, Mapping[str, float]],
) -> list[Fused]:
    """The best first; equal ones by kind, then by key.

    lanes: for each lane the keys that it found, the best first. kinds: of every key. boosts: of some keys, by name.
    shares: by lane and key, how much of the query a piece has, in (0, 1]; 1 where nothing is said.
    """
    ranks: dict[str, dict[str, int]] = {}
    for lane, keys in lanes.items():
        for rank, key in enumerate(keys, start=1):
            ranks.setdefault(key, {})[lane] = rank
    fused = []
    for key, found in ranks.items():
        boost = sum(value for _, value in sorted(boosts.get(key, {}).items()))
        fused.append(Fused(key, round(_of_ranks(key, found, shares) + boost, 9), found, boosts.get(key, {})))
    return sorted(fused, key=lambda each: (-each.score, kinds[each.key], each.key))


def _of_ranks(key: str, ranks: Mapping[str, int], shares: Mapping[str, Mapping[str, float]]) -> float:
    values: dict[str, float] = {
        lane: WEIGHTS[lane] * shares.get(lane, {}).get(key, 1.0) ** SHARE_POWER / (K + rank)
        for lane, rank in sorted(ranks.items())
    }
    readings = [values.pop(lane) for lane in READINGS if lane in values]
    return max(readings, default=0.0) + sum(values.values())
