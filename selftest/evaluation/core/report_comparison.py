"""Two reports beside each other: which pairs broke, which hold again, which scores moved. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

MOVED = 0.05  # of a score; less is the noise of volatile sources


@dataclass(frozen=True)
class PairOutcome:
    """A pair in a report. outcome: as its row has it. broken: kinds of expectations. scores: by grader."""

    name: str
    outcome: str
    broken: tuple[str, ...]
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Difference:
    """What differs for one pair. before or after None: it was not in that report. moved: grader → both scores."""

    name: str
    before: str | None
    after: str | None
    newly_broken: tuple[str, ...]
    holds_again: tuple[str, ...]
    moved: Mapping[str, tuple[float, float]]


def differences(before: list[PairOutcome], after: list[PairOutcome]) -> tuple[Difference, ...]:
    """One for each pair that is not the same in both, by name."""
    earlier, later = ({pair.name: pair for pair in pairs} for pairs in (before, after))
    found = (_difference(name, earlier.get(name), later.get(name)) for name in sorted({*earlier, *later}))
    return tuple(one for one in found if one is not None)


def _difference(name: str, before: PairOutcome | None, after: PairOutcome | None) -> Difference | None:
    was, now = (set(pair.broken) if pair else set() for pair in (before, after))
    moved = {}
    if before and after:
        shared = sorted(set(before.scores) & set(after.scores))
        both = {grader: (before.scores[grader], after.scores[grader]) for grader in shared}
        moved = {grader: pair for grader, pair in both.items() if abs(pair[0] - pair[1]) >= MOVED}
    earlier, later = (pair.outcome if pair else None for pair in (before, after))
    if earlier == later and was == now and not moved:
        return None
    return Difference(name, earlier, later, tuple(sorted(now - was)), tuple(sorted(was - now)), moved)
