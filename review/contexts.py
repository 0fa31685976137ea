"""What each template may use: one dataclass per page and partial, made from rows. Nothing here asks the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from selftest.core.checks import CheckName
from selftest.core.recipes import RECIPES
from selftest.guarantees import GUARANTEES, Guarantee
from selftest.health import TestingStatus
from selftest.models import Combination, Cycle, Flag, ReviewEvent, Run, Target
from selftest.selectors import AnswerPart, Progress

# The shapes of static/shapes.svg that stand for no check.
KEPT, WAITING, ASKING, STOPPED, AWAY = "kept", "waiting", "asking", "stopped", "away"

# What a finding calls its place, in a reader's words. "": the evidence itself says it already.
PLACES = {
    "source_used": "the source that the answer names",
    "headers": "the section headers",
    "source_used and headers": "the source that the answer names, and the section headers",
    "latency_ms": "",
    "error": "",
}
TITLE_CHARACTERS = 100  # of a reason, in the one line that a row has for it
SEEN_CHARACTERS = 240  # of what was seen, in a row; the combination's page has all of it
QUOTED_CHARACTERS = 40  # of a body, to find it again in the error that quotes it

GUARANTEE_OF: Mapping[str, Guarantee] = {str(check): guarantee for check, guarantee in GUARANTEES.items()}


@dataclass(frozen=True)
class Finding:
    """A promise that was not kept, in words. shape: the check's name, and its symbol's."""

    shape: str
    name: str
    sentence: str
    summary: str
    promised: str = ""
    seen: str = ""
    where: str = ""

    @classmethod
    def of_flag(cls, flag: Flag) -> "Finding":
        evidence = flag.evidence
        return cls.of_reason(flag.reason, evidence["promised"], evidence["seen"], evidence["where"])

    @classmethod
    def of_reason(cls, reason: str, promised: str = "", seen: str = "", where: str = "") -> "Finding":
        check, _, summary = reason.partition(": ")
        guarantee = GUARANTEE_OF[check]
        place = PLACES.get(where, where)
        return cls(check, guarantee.name, guarantee.sentence, summary, promised, seen, place)

    @property
    def title(self) -> str:
        """The summary on one line, not longer than a row has room for."""
        return _cut(" ".join(self.summary.split()), TITLE_CHARACTERS)

    @property
    def brief_seen(self) -> str:
        """What was seen, as much of it as a row shows: an error that quotes the body is not followed by the body."""
        error, _, body = self.seen.partition("\n")
        beginning = " ".join(body.split())[:QUOTED_CHARACTERS]
        is_quoted = self.shape == CheckName.CRASH and beginning and beginning in error
        return _cut(error if is_quoted else self.seen, SEEN_CHARACTERS)


def _cut(text: str, limit: int) -> str:
    """Not longer than `limit`, with one mark where something is left out: what was cut before keeps no second one."""
    whole = text.rstrip("…")
    return text if len(whole) <= limit else f"{whole[:limit].rstrip()}…"


def _findings(flags: Sequence[Flag], reason: str | None) -> tuple[Finding, ...]:
    """The flags of the run that tells most; where that run is gone, what the combination itself remembers."""
    if flags:
        return tuple(map(Finding.of_flag, flags))
    return (Finding.of_reason(reason),) if reason else ()


@dataclass(frozen=True)
class Row:
    """A combination in the queue. finding: of its last flagged run; others: what else that run did not keep.

    seen_run: what a dismissal acts on. back: where a form without JavaScript comes back to.
    """

    pk: int
    query: str
    recipe: str
    target: str
    is_flagged_now: bool
    is_dismissed: bool
    finding: Finding
    others: tuple[str, ...]
    source: str
    latency_ms: float | None
    times: int
    first_flagged: datetime | None
    last_run: datetime | None
    seen_run: int | None
    flagged_run: int | None
    excerpt: str
    back: str

    @classmethod
    def of(cls, combination: Combination, flags: Sequence[Flag], back: str) -> "Row":
        finding, *others = _findings(flags, combination.last_flagged_reason or combination.first_flagged_reason)
        return cls(
            pk=combination.pk,
            query=combination.last_query_text,
            recipe=combination.recipe_name,
            target=combination.target.name,
            is_flagged_now=combination.currently_flagged,
            is_dismissed=combination.review_status == Combination.ReviewStatus.DISMISSED,
            finding=finding,
            others=tuple(other.name for other in others),
            source=combination.last_source_used or "",
            latency_ms=combination.last_latency_ms,
            times=combination.times_generated,
            first_flagged=combination.first_flagged_timestamp,
            last_run=combination.last_run_timestamp,
            seen_run=combination.last_run_id,
            flagged_run=combination.last_flagged_run_id,
            excerpt=combination.last_flagged_result_excerpt or "",
            back=back,
        )


@dataclass(frozen=True)
class Outage:
    """A target that was not there when its newest cycle began."""

    target: str
    since: datetime | None
    note: str
    cycle: int


@dataclass(frozen=True)
class Standing:
    """How the testing itself is doing. open_cycle: planned or running. can_run: a cycle may be asked for."""

    has_target: bool
    has_run: bool
    is_disabled: bool
    is_stale: bool
    switched_off_target: str
    last_run: datetime | None
    next_run: datetime | None
    is_due: bool
    is_overdue: bool
    interval_minutes: int | None
    combinations_tried: int
    outages: tuple[Outage, ...]
    open_cycle: int | None

    @property
    def can_run(self) -> bool:
        return self.has_target and not self.is_disabled and not self.switched_off_target


DUE_SOON = timedelta(seconds=30)
WORKER_TAKES_AT_MOST = timedelta(minutes=1)  # it looks for what is due every few seconds
OPEN_STATES = (Cycle.State.PLANNED, Cycle.State.RUNNING)


def standing_of(
    status: TestingStatus,
    last_run: datetime | None,
    combinations_tried: int,
    target: Target | None,
    newest_cycles: Sequence[Cycle],
    due: tuple[datetime, int | None] | None,
    now: datetime,
) -> Standing:
    """due: when the next cycle is, and the minutes between two."""
    open_cycles = [cycle.pk for cycle in newest_cycles if cycle.state in OPEN_STATES]
    return Standing(
        has_target=target is not None,
        has_run=last_run is not None,
        is_disabled=status is TestingStatus.DISABLED,
        is_stale=status is TestingStatus.STALE,
        switched_off_target=target.name if target is not None and not target.enabled else "",
        last_run=last_run,
        next_run=due[0] if due else None,
        is_due=due is not None and due[0] < now + DUE_SOON,
        is_overdue=due is not None and due[0] < now - WORKER_TAKES_AT_MOST,
        interval_minutes=due[1] if due else None,
        combinations_tried=combinations_tried,
        outages=tuple(
            Outage(cycle.target.name, cycle.finished_at, cycle.note, cycle.pk)
            for cycle in newest_cycles
            if cycle.state == Cycle.State.TARGET_UNAVAILABLE
        ),
        open_cycle=open_cycles[0] if open_cycles else None,
    )


@dataclass(frozen=True)
class Dismissal:
    """One that may still be undone. by: who dismissed it, as they were called then."""

    pk: int
    query: str
    by: str
    at: datetime

    @classmethod
    def of(cls, event: ReviewEvent) -> "Dismissal":
        return cls(event.combination_id, event.combination.last_query_text, event.actor, event.at)


@dataclass(frozen=True)
class QueuePage:
    """`/`. older: the address of what comes after these rows. dismissed: the row that a form just took off.

    names_targets: there is more than one, so each row says whose it is. lately: the newest dismissals that stand.
    """

    count: int
    rows: tuple[Row, ...]
    older: str
    is_continuation: bool
    standing: Standing
    names_targets: bool
    was_ever_flagged: bool
    dismissed: Row | None = None
    lately: tuple[Dismissal, ...] = ()


@dataclass(frozen=True)
class RowAfter:
    """A row after somebody acted on it. count: of the queue now. trouble: why nothing was done, "" if it was."""

    row: Row
    count: int
    names_targets: bool
    trouble: str = ""


@dataclass(frozen=True)
class RunLine:
    """A run in a table. shape and words: what came of it; is_flagged: a promise was not kept."""

    pk: int
    place: int
    combination: int
    cycle: int
    query: str
    recipe: str
    source: str
    latency_ms: float | None
    is_cached: bool
    is_flagged: bool
    shape: str
    words: str
    at: datetime | None

    @classmethod
    def of(cls, run: Run) -> "RunLine":
        shape, words = _outcome(run)
        return cls(
            pk=run.pk,
            place=run.place + 1,
            combination=run.combination_id,
            cycle=run.cycle_id,
            query=run.query_text,
            recipe=run.recipe_name,
            source=run.source_used,
            latency_ms=run.latency_ms,
            is_cached=run.cached,
            is_flagged=run.reason is not None,
            shape=shape,
            words=words,
            at=run.finished_at or run.asked_at,
        )


def _outcome(run: Run) -> tuple[str, str]:
    if run.reason is not None:
        finding = Finding.of_reason(run.reason)
        return finding.shape, finding.name
    match run.state:
        case Run.State.DONE:
            return KEPT, "Clean"
        case Run.State.PLANNED:
            return WAITING, "Planned"
        case Run.State.ASKING:
            return ASKING, "Asking"
        case Run.State.SKIPPED:
            return STOPPED, "Skipped"
        case _:
            return STOPPED, "Gadfly failed" if run.own_error else "Interrupted"


@dataclass(frozen=True)
class AnswerView:
    """The raw answer of a run. parts: headers told apart. kept_bytes is less than length_bytes where it was cut."""

    run: int
    parts: tuple[AnswerPart, ...]
    error: str
    own_error: str
    kept_bytes: int
    length_bytes: int
    is_answered: bool

    @property
    def is_cut(self) -> bool:
        return self.kept_bytes < self.length_bytes

    @classmethod
    def of(cls, run: Run, parts: Sequence[AnswerPart]) -> "AnswerView":
        kept_bytes = len(run.result.encode())
        return cls(
            run=run.pk,
            parts=tuple(parts),
            error=run.error,
            own_error=run.own_error,
            kept_bytes=kept_bytes,
            length_bytes=run.result_length_bytes if run.result_length_bytes is not None else kept_bytes,
            is_answered=run.state == Run.State.DONE,
        )


@dataclass(frozen=True)
class RunPage:
    """`/runs/<id>`."""

    line: RunLine
    state: str
    target: str
    http_status: int | None
    asked_at: datetime | None
    sha256: str
    findings: tuple[Finding, ...]
    answer: AnswerView

    @classmethod
    def of(cls, run: Run, flags: Sequence[Flag], parts: Sequence[AnswerPart]) -> "RunPage":
        return cls(
            line=RunLine.of(run),
            state=run.get_state_display(),
            target=run.target.name,
            http_status=run.http_status,
            asked_at=run.asked_at,
            sha256=run.result_sha256,
            findings=_findings(flags, run.reason),
            answer=AnswerView.of(run, parts),
        )


@dataclass(frozen=True)
class Ingredient:
    """A part of the query as it was first said."""

    kind: str
    text: str
    source: str


@dataclass(frozen=True)
class StoryLine:
    """What happened to a combination: `what` by `actor`, who is "" for the engine."""

    what: str
    actor: str
    note: str
    run: int | None
    at: datetime

    @classmethod
    def of(cls, event: ReviewEvent) -> "StoryLine":
        actor = event.actor if event.kind in PEOPLE_DO else ""
        return cls(event.get_kind_display(), actor, event.note, event.run_id, event.at)


PEOPLE_DO = (ReviewEvent.Kind.DISMISSED, ReviewEvent.Kind.UNDISMISSED)


@dataclass(frozen=True)
class CombinationPage:
    """`/combinations/<id>`. row: None for one that was never flagged. guarantee: what its first finding rests on."""

    pk: int
    query: str
    recipe: str
    stresses: str
    target: str
    fingerprint: str
    times: int
    first_seen: datetime
    row: Row | None
    findings: tuple[Finding, ...]
    guarantee: Guarantee | None
    answer: AnswerView | None
    ingredients: tuple[Ingredient, ...]
    story: tuple[StoryLine, ...]
    runs: tuple[RunLine, ...]
    older_runs: str

    @classmethod
    def of(
        cls,
        combination: Combination,
        flags: Sequence[Flag],
        answer: AnswerView | None,
        story: Sequence[ReviewEvent],
        runs: Sequence[Run],
        older_runs: str,
        back: str,
    ) -> "CombinationPage":
        findings = _findings(flags, combination.last_flagged_reason or combination.first_flagged_reason)
        recipe = RECIPES.get(combination.recipe_name)
        return cls(
            pk=combination.pk,
            query=combination.last_query_text,
            recipe=combination.recipe_name,
            stresses=recipe.stresses if recipe else "",
            target=combination.target.name,
            fingerprint=combination.fingerprint,
            times=combination.times_generated,
            first_seen=combination.first_seen_timestamp,
            row=Row.of(combination, flags, back) if findings else None,
            findings=findings,
            guarantee=GUARANTEE_OF[findings[0].shape] if findings else None,
            answer=answer,
            ingredients=tuple(Ingredient(*part) for part in combination.query["parts"] if part[1].strip(" ,")),
            story=tuple(map(StoryLine.of, story)),
            runs=tuple(map(RunLine.of, runs)),
            older_runs=older_runs,
        )


CYCLE_SHAPES = {
    Cycle.State.PLANNED: WAITING,
    Cycle.State.RUNNING: ASKING,
    Cycle.State.FINISHED: KEPT,
    Cycle.State.TARGET_UNAVAILABLE: AWAY,
    Cycle.State.INTERRUPTED: STOPPED,
}


@dataclass(frozen=True)
class CycleLine:
    """A cycle in the list. took_s: from its start to its end, None before that."""

    pk: int
    target: str
    trigger: str
    state: str
    shape: str
    is_open: bool
    is_planned: bool
    wanted: int
    asked: int
    flagged: int
    novel: int
    created_at: datetime
    started_at: datetime | None
    took_s: float | None
    note: str

    @classmethod
    def of(cls, cycle: Cycle, progress: Progress | None) -> "CycleLine":
        """progress: of a cycle that is not over."""
        is_over = cycle.started_at is not None and cycle.finished_at is not None
        return cls(
            pk=cycle.pk,
            target=cycle.target.name,
            trigger=cycle.get_trigger_display(),
            state=cycle.get_state_display(),
            shape=CYCLE_SHAPES[Cycle.State(cycle.state)],
            is_open=cycle.state in OPEN_STATES,
            is_planned=cycle.state == Cycle.State.PLANNED,
            wanted=cycle.queries_wanted,
            asked=progress.asked if progress else cycle.queries_run,
            flagged=progress.flagged if progress else cycle.flagged,
            novel=progress.novel if progress else cycle.novel,
            created_at=cycle.created_at,
            started_at=cycle.started_at,
            took_s=(cycle.finished_at - cycle.started_at).total_seconds() if is_over else None,  # type: ignore[operator]
            note=cycle.note,
        )


@dataclass(frozen=True)
class CyclesPage:
    """`/cycles`. older: the address of what comes after these."""

    cycles: tuple[CycleLine, ...]
    older: str
    standing: Standing


@dataclass(frozen=True)
class CyclePage:
    """`/cycles/<id>`. more: the address of the runs that come after these. address: its own, for asking again."""

    cycle: CycleLine
    seed: int
    recipes: tuple[str, ...]
    target_version: str
    runs: tuple[RunLine, ...]
    more: str
    address: str
