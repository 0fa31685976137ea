"""The page of a cause."""

from dataclasses import dataclass
from datetime import datetime

from review.charts.latency import LatencyChart
from review.contexts.combination import BrokenGuarantee
from review.contexts.inbox import CauseRow, odds_of
from review.contexts.learnt import Known
from review.contexts.runs import AnswerView
from review.contexts.verdicts import JudgingForm, changed_back_in_words, changed_in_words
from selftest.models import Cause, CauseEvent, Flag
from selftest.reading.causes import CauseSpells

Kind = CauseEvent.Kind
ENGINE = "engine"


@dataclass(frozen=True)
class Course:
    """How often and since when, in sentences. lately: that it was not seen for long, or is back; "" for neither.

    is_unexplained: nothing tells its queries from others, and no person says that it is one cause.
    """

    often: str
    lately: str
    is_unexplained: bool

    @classmethod
    def of(cls, row: Cause, spells: CauseSpells, first: Flag | None) -> "Course":
        """first: its oldest flag, with run and cycle."""
        often, is_unexplained = _how_often(row), not row.is_evident and bool(row.runs)
        if first is None:
            return cls(often, _lately(spells), is_unexplained)
        cycle = first.run.cycle
        version = f", version {cycle.target_version}" if cycle.target_version else ""
        return cls(f"Since cycle {cycle.pk}{version}: {often}", _lately(spells), is_unexplained)


def _how_often(row: Cause) -> str:
    if not row.runs:  # the engine looked for none like it
        return "a person selected its flags"
    which = "in which this is" if row.is_evident or row.other_runs else "of this target"
    often = (
        f"{row.struck:,} of {row.runs:,} recent queries {which} {'was' if row.struck == 1 else 'were'} flagged for it"
    )
    if not row.is_evident or not row.other_runs:
        return often
    others = f"{row.other_struck:,}" if row.other_struck else "none"
    return f"{often}; of {row.other_runs:,} others, {others} in the same way"


def _lately(spells: CauseSpells) -> str:
    if spells.quiet:
        return f"Not seen in the last {spells.quiet.runs:,} that could have shown it; {odds_of(spells.quiet)}"
    if spells.ended:
        return f"Seen again after {spells.ended.runs:,} that could have shown it and did not; {odds_of(spells.ended)}"
    return ""


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
class FindingFilter:
    """What some of its flags say, and how many. address: of these alone, or of all where it is chosen."""

    words: str
    count: int
    address: str
    is_chosen: bool


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
        if event.kind == Kind.CHANGED_BACK:
            what = changed_back_in_words(event.verdict)
        elif event.before is not None:
            what = changed_in_words(event.before["verdict"], event.verdict)
        elif event.verdict:
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

    said: what its flags say, once that was asked for; ask: where it is asked for, "" then, or where they are few.

    now_list, open_list: the combinations that its row counts. list_query: of the list that the reader was in; back:
    where that is. latency: of its example's recipe, only where that flag is about time.
    """

    row: CauseRow
    title: str
    broken: BrokenGuarantee | None
    answer: AnswerView | None
    example_page: str
    is_minimised: bool
    course: Course
    now_list: str
    open_list: str
    flags: tuple[CauseFlagLine, ...]
    said: tuple[FindingFilter, ...]
    ask: str
    older_flags: str
    story: tuple[CauseStoryLine, ...]
    judging: JudgingForm
    people: tuple[str, ...]
    others: tuple[OtherCause, ...]
    latency: LatencyChart | None
    known: Known
    list_query: str
    back: str
    here: str
    before: str
    after: str
    may_review: bool
