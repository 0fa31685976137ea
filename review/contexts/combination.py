"""`/combinations/<id>`, and the parts of it that come by themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from review.charts.latency import LatencyChart, Sample, latency_chart
from review.charts.strip import RunOutcome, Strip, strip
from review.contexts.cause_names import CauseLink
from review.contexts.comparison import Comparison
from review.contexts.findings import GUARANTEE_OF, FindingView, found_by
from review.contexts.parts import Chip
from review.contexts.people import username
from review.contexts.runs import AnswerView, RunLine
from review.contexts.scores import RunScores
from review.contexts.shapes import CYCLE_SHAPES, KEPT, UNCHECKED, WAITING
from review.contexts.smallest_queries import SmallestQueries
from review.contexts.verdicts import VerdictLine, changed_back_in_words, changed_in_words
from selftest.guarantees import Guarantee
from selftest.knowledge.promises import PromiseSource, promise_sources
from selftest.models import Cause, Combination, Cycle, Flag, ReviewEvent, Run
from selftest.reading.combination import LatencyHistory
from selftest.reading.dismissals import DISMISSALS

PEOPLE_DO = (
    ReviewEvent.Kind.DISMISSED,
    ReviewEvent.Kind.UNDISMISSED,
    ReviewEvent.Kind.REJUDGED,
    ReviewEvent.Kind.CHANGED_BACK,
    ReviewEvent.Kind.REASONED,
    ReviewEvent.Kind.ASSIGNED,
    ReviewEvent.Kind.UNASSIGNED,
    ReviewEvent.Kind.NOTED,
)
KIND_WORDS = {  # where a page says it in other words than the database
    ReviewEvent.Kind.RESURFACED: "Flagged again after dismissal",
    ReviewEvent.Kind.UNDISMISSED: "Restored",
    ReviewEvent.Kind.UNASSIGNED: "Unassigned",
    ReviewEvent.Kind.NOTED: "Note added",
}
AFTER_DISMISSAL = "Only dismissing does; a new flag then brings it back."


@dataclass(frozen=True)
class Standpoint:
    """Where a combination stands. fate: what will bring it back, or keep it, in a sentence.

    verdict: as forms send it; "" where it is not dismissed.
    """

    shape: str
    words: str
    fate: str
    is_now: bool = False
    can_dismiss: bool = False
    can_restore: bool = False
    verdict: str = ""

    @classmethod
    def of(cls, combination: Combination, is_unchecked: bool) -> "Standpoint":
        """By its flags and its review. is_unchecked: its last run was clean, and its parts not checked."""
        if verdict := VerdictLine.of_dismissal(combination, None):
            also = f"It is put off {verdict.until}. " if verdict.until else ""
            fate = f"{also}A new flag brings it back; clean runs do not."
            return cls(KEPT, verdict.words, fate, can_restore=True, verdict=verdict.value)
        if combination.currently_flagged:
            fate = f"A clean run does not remove it from the queue. {AFTER_DISMISSAL}"
            return cls("flagged", "Flagged now", fate, is_now=True, can_dismiss=True)
        if combination.ever_flagged:
            unchecked = ", parts not checked" if is_unchecked else ""
            fate = f"Its last run was clean{unchecked}, which does not remove it from the queue. {AFTER_DISMISSAL}"
            return cls("was_flagged", "Was flagged", fate, can_dismiss=True)
        if combination.times_generated:
            fate = "Its first flag puts it in the queue."
            if is_unchecked:
                return cls(UNCHECKED, "Never flagged", f"Its last run was clean, parts not checked. {fate}")
            return cls(KEPT, "Never flagged", fate)
        fate = "It was planned in a cycle but never asked; the next cycle starts with it. A flag puts it in the queue."
        return cls(WAITING, "Not asked yet", fate)


@dataclass(frozen=True)
class ListPlace:
    """The list that the reader came from. query: its filter as an address has it. here: this page in that list.

    before, after: addresses that lead to what stands beside it by the time they are followed.
    """

    query: str
    here: str
    back: str
    before: str
    after: str


@dataclass(frozen=True)
class BrokenGuarantee:
    """A promise that was not kept. href: the place in the answer that its evidence points at, "" for none.

    cause: what the flag is put down to, where the page does not say that already. promise: what the target's own
    documentation says about it.
    """

    finding: FindingView
    guarantee: Guarantee | None
    href: str
    cause: CauseLink | None = None
    promise: PromiseSource | None = None

    @classmethod
    def all_of(
        cls, flags: Sequence[Flag], reason: str | None, answer: AnswerView | None
    ) -> "tuple[BrokenGuarantee, ...]":
        """Of the run that `answer` is of; where that run is gone, what the combination itself remembers."""
        places = [f"#{answer.place_of(flag)}" for flag in flags] if answer else []
        found = found_by(flags, reason)
        hrefs = [*places, *[""] * (len(found) - len(places))]
        return tuple(
            cls(finding, GUARANTEE_OF.get(finding.shape), href) for finding, href in zip(found, hrefs, strict=True)
        )


def with_promises(broken: Sequence[BrokenGuarantee], target_id: int) -> tuple[BrokenGuarantee, ...]:
    """Each with the sentence of the target's own documentation about it, where there is one."""
    promises = promise_sources(target_id, {one.finding.shape for one in broken})
    return tuple(replace(one, promise=promises.get(one.finding.shape)) for one in broken)


@dataclass(frozen=True)
class IngredientLink:
    """A part of the query as it was written. queue: the flagged ones that it is a part of, "" for a mark."""

    chip: Chip
    queue: str


def words_of(event: ReviewEvent) -> str:
    """What was done; of a dismissal with a verdict, that; of a changed one, from which to which."""
    if event.kind == ReviewEvent.Kind.CHANGED_BACK:
        return changed_back_in_words(event.verdict)
    if event.before is not None:
        return changed_in_words(event.before["verdict"], event.verdict)
    if event.verdict:
        return Cause.Verdict(event.verdict).label
    return KIND_WORDS.get(ReviewEvent.Kind(event.kind), event.get_kind_display())


@dataclass(frozen=True)
class StoryLine:
    """What happened to a combination: `what` by `actor`, who is "" for the engine. act: the bulk act it was part of."""

    what: str
    actor: str
    note: str
    link: str
    run: int | None
    at: datetime
    act: int | None = None
    can_restore: bool = False

    @classmethod
    def of(cls, event: ReviewEvent, can_restore: bool = False) -> "StoryLine":
        """The engine is not named as an actor."""
        actor = event.actor if event.kind in PEOPLE_DO else ""
        words = words_of(event)
        if event.kind == ReviewEvent.Kind.ASSIGNED:
            words, actor = f"Assigned to {event.assignee or event.actor}", event.actor if event.assignee else ""
        return cls(words, actor, event.note, event.link or "", event.run_id, event.at, event.act_id, can_restore)

    @classmethod
    def all_of(cls, events: Sequence[ReviewEvent], is_dismissed: bool) -> "tuple[StoryLine, ...]":
        """events: newest first. The dismissal in force can be restored from the line that told of it last."""
        kinds = (*DISMISSALS, ReviewEvent.Kind.CHANGED_BACK)
        dismissals = [event.pk for event in events if event.kind in kinds]
        in_force = dismissals[0] if is_dismissed and dismissals else None
        return tuple(cls.of(event, can_restore=event.pk == in_force) for event in events)


@dataclass(frozen=True)
class History:
    """Its last runs as a strip, and some as a table. older: the address of those that come after these."""

    strip: Strip
    runs: tuple[RunLine, ...]
    older: str

    @classmethod
    def of(cls, newest: Sequence[Run], shown: Sequence[Run], older: str, scores: Mapping[int, RunScores]) -> "History":
        """Both newest first. scores: by run, of those that were graded."""
        lines = tuple(RunLine.of(run, scores.get(run.pk, RunScores()).words) for run in shown)
        return cls(strip([_outcome(RunLine.of(run)) for run in reversed(newest)]), lines, older)


def _outcome(line: RunLine) -> RunOutcome:
    if line.is_flagged:
        return RunOutcome(line.pk, "flagged", line.words, line.at)
    if line.shape in (KEPT, UNCHECKED):
        return RunOutcome(line.pk, "clean" if line.shape == KEPT else "unchecked", line.words, line.at)
    return RunOutcome(line.pk, "unanswered", line.words, line.at)


@dataclass(frozen=True)
class Again:
    """A cycle that asks this combination alone. asked, flagged: so far. address: where to look again while it runs.

    is_news: it found a flag that the page above does not tell of.
    """

    cycle: int
    state: str
    shape: str
    is_open: bool
    is_waiting: bool
    asked: int
    flagged: int
    wanted: int
    note: str
    runs: tuple[RunLine, ...]
    address: str
    seen: str
    is_news: bool

    @classmethod
    def of(cls, cycle: Cycle, runs: Sequence[Run], address: str, seen_run: int) -> "Again":
        """runs: its own, in order. seen_run: the newest run of the combination when the page was made."""
        lines = tuple(RunLine.of(run) for run in runs if run.state != Run.State.PLANNED)
        asked = sum(run.state == Run.State.DONE for run in runs)
        flagged = [run.pk for run in runs if run.reason is not None]
        return cls(
            cycle=cycle.pk,
            state=cycle.get_state_display(),
            shape=CYCLE_SHAPES[Cycle.State(cycle.state)],
            is_open=cycle.state in Cycle.OPEN_STATES,
            is_waiting=cycle.state == Cycle.State.PLANNED,
            asked=asked,
            flagged=len(flagged),
            wanted=cycle.queries_wanted,
            note=cycle.note,
            runs=lines,
            address=address,
            seen="-".join([cycle.state, str(len(lines)), str(asked)]),
            is_news=any(run > seen_run for run in flagged),
        )


@dataclass(frozen=True)
class Facts:
    """What the head of the page says of a combination. assignee: "" for no one."""

    stand: Standpoint
    assignee: str
    assigned_at: datetime | None
    recipe: str
    target: str
    times: int
    times_flagged: int
    first_seen: datetime
    first_flagged: datetime | None
    last_run: datetime | None

    @classmethod
    def of(cls, combination: Combination, is_unchecked: bool) -> "Facts":
        """As the row has them. is_unchecked: its last run was clean, and its parts not checked."""
        return cls(
            stand=Standpoint.of(combination, is_unchecked),
            assignee=username(combination.held_by),
            assigned_at=combination.held_at,
            recipe=combination.recipe_name,
            target=combination.target.name,
            times=combination.times_generated,
            times_flagged=combination.times_flagged,
            first_seen=combination.first_seen_timestamp,
            first_flagged=combination.first_flagged_timestamp,
            last_run=combination.last_run_timestamp,
        )


@dataclass(frozen=True)
class AfterAgain:
    """The progress of an asking, and once it is over what it changed on the page."""

    pk: int
    again: Again
    place: ListPlace
    facts: Facts | None = None
    history: History | None = None
    story: tuple[StoryLine, ...] = ()


@dataclass(frozen=True)
class AfterMinimising:
    """The search for the smallest query as it is now; once it is over also the activity, which tells of it."""

    pk: int
    smallest_queries: SmallestQueries
    place: ListPlace
    story: tuple[StoryLine, ...] = ()


@dataclass(frozen=True)
class Alike:
    """Another open one with the same cause."""

    query: str
    address: str
    last_run: datetime | None
    is_flagged_now: bool


def latency_of(history: LatencyHistory, combination: int) -> LatencyChart:
    """The recipe's latencies, with the runs of this combination marked."""
    samples = [
        Sample(run.pk, run.latency_ms, run.at, run.combination, run.query, run.is_flagged) for run in history.runs
    ]
    return latency_chart(samples, combination, history.p95_ms, history.threshold_ms, history.min_samples)


@dataclass(frozen=True)
class ComparisonPage:
    """`/combinations/<id>/diff`. comparison: None where one of the two runs is missing; trouble says which."""

    pk: int
    query: str
    place: ListPlace
    comparison: Comparison | None
    clean_run: int | None = None
    clean_at: datetime | None = None
    flagged_run: int | None = None
    flagged_at: datetime | None = None
    trouble: str = ""
