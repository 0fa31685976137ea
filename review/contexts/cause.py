"""The page of a cause."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.combination import BrokenGuarantee
from review.contexts.inbox import CauseRow, VerdictAct
from review.contexts.runs import AnswerView
from selftest.models import Cause, CauseEvent, Flag
from selftest.reading.causes import Tally

Kind = CauseEvent.Kind
ENGINE = "engine"


@dataclass(frozen=True)
class Course:
    """How often and since when, in sentences. quiet: that it was not seen lately, "" where it was."""

    often: str
    since: str
    quiet: str

    @classmethod
    def of(cls, row: Cause, tallies: Sequence[Tally], first: Flag | None) -> "Course":
        """tallies: of the newest cycles, the oldest first. first: its oldest flag, with run and cycle."""
        which = "in which this is" if row.is_evident else "of this target"
        often = f"{row.struck:,} of {row.runs:,} recent queries {which} were flagged for it"
        since = ""
        if first is not None:
            cycle = first.run.cycle
            version = f", version {cycle.target_version}" if cycle.target_version else ""
            since = f"Since cycle {cycle.pk}{version}"
        return cls(often, since, _quiet(row, tallies))


def _quiet(row: Cause, tallies: Sequence[Tally]) -> str:
    """With the odds that so many would all be clean if it was as frequent as before."""
    since = 0
    for tally in reversed(tallies):
        if tally.flagged:
            break
        since += tally.runs
    if not since or not row.runs:
        return ""
    chance = (1 - min(1.0, row.struck / row.runs)) ** since
    odds = "hardly ever" if chance < 0.0005 else f"{100 * chance:.2g} % of the time"
    return f"Not seen in the last {since:,} that could have shown it; by chance that happens {odds}"


@dataclass(frozen=True)
class CauseFlagLine:
    """One of its flags. page: its combination's."""

    pk: int
    query: str
    check: str
    summary: str
    at: datetime
    page: str
    is_open: bool
    is_now: bool


@dataclass(frozen=True)
class CauseStoryLine:
    """What happened. actor: "" for the engine. other: the page of the cause that it came from or went to."""

    what: str
    actor: str
    note: str
    at: datetime
    other: str

    @classmethod
    def of(cls, event: CauseEvent, other: str) -> "CauseStoryLine":
        """other: the page of the other cause, or ""."""
        what = event.get_kind_display()
        if event.verdict:
            verdict = Cause.Verdict(event.verdict).label
            what = verdict if event.kind == Kind.JUDGED else f"{what}: {verdict}"
        return cls(what, "" if event.actor == ENGINE else event.actor, event.note, event.at, other)


@dataclass(frozen=True)
class OtherCause:
    """What it can be merged into."""

    pk: int
    title: str


@dataclass(frozen=True)
class CausePage:
    """`/causes/<id>`. broken: what its example promised and showed. seen_flags: what a verdict acts on.

    version: that the target answered with last, "" where it has told none. list_query: of the list that the reader was
    in; back: where that is.
    """

    row: CauseRow
    title: str
    broken: BrokenGuarantee | None
    answer: AnswerView | None
    example_page: str
    is_minimised: bool
    course: Course
    flags: tuple[CauseFlagLine, ...]
    older_flags: str
    story: tuple[CauseStoryLine, ...]
    verdicts: tuple[VerdictAct, ...]
    people: tuple[str, ...]
    others: tuple[OtherCause, ...]
    version: str
    list_query: str
    back: str
    here: str
    before: str
    after: str
    may_review: bool
