"""What came of each run of a combination, as a strip of marks. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from review.charts.scale import counted

Kind = Literal["clean", "flagged", "unanswered"]


@dataclass(frozen=True)
class Outcome:
    """words: what came of the run, as a table of runs has it. at: None where it was never asked."""

    run: int
    kind: Kind
    words: str
    at: datetime | None


@dataclass(frozen=True)
class Mark:
    run: int
    kind: Kind
    words: str


@dataclass(frozen=True)
class Strip:
    """marks: oldest first."""

    marks: tuple[Mark, ...]
    words: str


def strip(outcomes: Sequence[Outcome]) -> Strip:
    """outcomes: oldest first."""
    if not outcomes:
        return Strip((), "No run yet")
    kinds = [outcome.kind for outcome in outcomes]
    named = (("clean", "clean"), ("flagged", "flagged"), ("unanswered", "not answered"))
    sums = ", ".join(f"{kinds.count(kind):,} {name}" for kind, name in named if kind in kinds)
    order = ", oldest first" if len(outcomes) > 1 else ""
    return Strip(tuple(map(_mark, outcomes)), f"{counted(len(outcomes), 'run')}{order}: {sums}")


def _mark(outcome: Outcome) -> Mark:
    when = "" if outcome.at is None else f", {outcome.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    return Mark(outcome.run, outcome.kind, f"Run {outcome.run}: {outcome.words}{when}")
