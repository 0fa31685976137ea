"""What came of each run of a combination, as a strip of marks. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from review.charts.scale import counted

Kind = Literal["clean", "unchecked", "flagged", "unanswered"]
_NAMES: dict[Kind, str] = {
    "clean": "clean",
    "unchecked": "clean, parts not checked",
    "flagged": "flagged",
    "unanswered": "not answered",
}


@dataclass(frozen=True)
class RunOutcome:
    """words: what came of the run, as a table of runs has it. at: None where it was never asked."""

    run: int
    kind: Kind
    words: str
    at: datetime | None


@dataclass(frozen=True)
class Mark:
    """A run in the strip."""

    run: int
    kind: Kind
    words: str


@dataclass(frozen=True)
class Strip:
    """marks: oldest first. sums: of each kind that there is, and so the key to the marks."""

    marks: tuple[Mark, ...]
    words: str
    sums: tuple[tuple[Kind, str], ...] = ()


def strip(outcomes: Sequence[RunOutcome]) -> Strip:
    """outcomes: oldest first."""
    if not outcomes:
        return Strip((), "No run yet")
    kinds = [outcome.kind for outcome in outcomes]
    order = ", oldest first" if len(outcomes) > 1 else ""
    return Strip(
        marks=tuple(map(_mark, outcomes)),
        words=f"{counted(len(outcomes), 'run')}{order}",
        sums=tuple((kind, f"{kinds.count(kind):,} {name}") for kind, name in _NAMES.items() if kind in kinds),
    )


def _mark(outcome: RunOutcome) -> Mark:
    when = "" if outcome.at is None else f", {outcome.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    return Mark(outcome.run, outcome.kind, f"Run {outcome.run}: {outcome.words}{when}")
