"""Request and response bodies. Keys are in the order of contract/API.md; more may follow them."""

from typing import Any, Generic, Literal, TypeVar
from urllib.parse import urlsplit

from ninja import Field, Schema
from pydantic import ConfigDict

from review.api.pagination import MAX_LIMIT
from review.api.values import (
    CauseVerdict,
    CycleState,
    CycleTrigger,
    EventKind,
    ExplainedCause,
    JsonDate,
    JsonRowId,
    Link,
    Reason,
    ReductionState,
    RunState,
    ShortText,
    TargetKind,
    Text,
    UtcTime,
    Version,
)
from selftest.models import Cause, Combination, Cycle, Explanation, Flag, Reduction, ReviewEvent, Run, Target
from selftest.operating.health import TestingStatus
from selftest.reading.dismissals import former_verdict

Item = TypeVar("Item")

QUERY_FORM = (
    "`recipe`, and `parts` in order. Each part is a list: kind, text, source, and a fourth value, the plain spelling, "
    "where the text is spelled in another way."
)


class Page(Schema, Generic[Item]):
    """One page. `next`: the cursor of the next page; null on the last."""

    items: list[Item]
    next: str | None


class ErrorBody(Schema):
    """What went wrong. `field`: the invalid parameter or field, if there is one."""

    code: str
    message: str
    field: str | None
    key: str | None = Field(None, description="Of the message, whatever language it is in. Present only of searches.")


class ErrorOut(Schema):
    """The shape of every error."""

    error: ErrorBody


def errors(*statuses: int) -> dict[int, Any]:
    """The error responses of an operation, for the OpenAPI document."""
    return dict.fromkeys((401, 403, 422, *statuses), ErrorOut)


class ScoreOut(Schema):
    """What a grader said: advice."""

    score: float | None = Field(description="null: it cannot say, and `reason` tells why.")
    reason: str
    label: str
    threshold: float | None
    is_below: bool


# --- the endpoints of the specification ---


class TriggerOut(Schema):
    """The result of a cycle, or why none was run."""

    status: Literal["ran", "disabled", "target_unavailable"]
    queries_run: int
    flagged: int
    note: str | None = Field(None, description="Why the target counts as unavailable. Present only then.")


class QueuedOut(Schema):
    """A cycle queued for the worker. `cycle`: its id."""

    status: Literal["queued"]
    cycle: str


class FlaggedRow(Schema):
    """A combination with its counts and its last flag."""

    fingerprint: str = Field(description="Identifies the combination within its target. Send it back unchanged.")
    recipe_name: str
    first_seen_timestamp: UtcTime
    times_generated: int
    last_query_text: str
    last_source_used: str | None
    last_latency_ms: float | None
    last_flagged_reason: str | None
    last_run_timestamp: UtcTime | None
    ever_flagged: bool
    currently_flagged: bool
    first_flagged_reason: str | None
    first_flagged_timestamp: UtcTime | None
    review_status: Literal["dismissed"] | None
    last_flagged_result_excerpt: str | None = Field(description="Empty without a valid key or session.")
    id: int
    last_run_id: int | None = Field(description="Send it as `seen_run` to act only on what you saw.")
    last_flagged_run_id: int | None
    target: str

    @staticmethod
    def resolve_target(row: Combination) -> str:
        return row.target.name


class CauseName(Schema):
    """A cause, by its number and its sentence."""

    id: int
    sentence: str


class CombinationRow(FlaggedRow):
    """A combination with its counts, its last flag, the cause of that and its verdict."""

    cause: CauseName | None = Field(
        description="Of the first finding of its last flagged run. null: never flagged, or not assigned yet."
    )
    verdict: CauseVerdict | None = Field(description="Of a dismissed one. null: dismissed without a verdict.")
    dismissed_at: UtcTime | None = Field(description="When it was dismissed last.")


class FlaggedOut(Schema):
    """The review queue, most recent run first."""

    status: Literal["disabled"] | None = Field(
        None, description="Present only while testing is switched off, everywhere or for this target."
    )
    count: int
    flagged: list[FlaggedRow]


class DismissedOut(Schema):
    """The dismissed combination."""

    status: Literal["dismissed"]
    fingerprint: str


class UndismissedOut(Schema):
    """The combination that is back in the queue."""

    status: Literal["undismissed"]
    fingerprint: str


class TestingOffOut(Schema):
    """Testing is switched off, everywhere or for this target. No other fields."""

    status: Literal[TestingStatus.DISABLED]


class TestingOut(Schema):
    """Status of testing. `minutes_since_last_run`: whole minutes, rounded down."""

    status: Literal[TestingStatus.OK, TestingStatus.STALE, TestingStatus.NEVER_RAN]
    last_run: UtcTime | None
    minutes_since_last_run: int | None
    total_combinations_tried: int | None = Field(description="null: the database is unavailable.")
    flagged_for_review: int | None = Field(description="null: the database is unavailable.")


class DatabaseOut(Schema):
    """Status of the database."""

    status: Literal["ok", "unavailable"]


class WorkerOut(Schema):
    """Status of the worker."""

    status: Literal["ok", "missing", "unknown"]
    clusters: int | None = Field(description="Worker clusters with a recent heartbeat. null: could not be read.")


class HealthOut(Schema):
    """`degraded`: testing is stale, the database or worker is unavailable, or something requested has not started."""

    status: Literal["ok", "degraded"]
    adversarial_testing: TestingOut | TestingOffOut
    database: DatabaseOut
    worker: WorkerOut
    waiting_too_long: int | None = Field(
        description="Cycles and searches for a smallest query that no worker has started within a minute."
    )
    last_outage: UtcTime | None = Field(description="When a cycle last found the target unavailable.")


# --- the wider API ---


class VocabularyOut(Schema):
    """A version of a vocabulary, without its content."""

    number: int
    sha256: str
    created_at: UtcTime


class TargetOut(Schema):
    """The configuration of a target, without its API key."""

    id: int
    name: str
    kind: TargetKind
    enabled: bool
    is_default: bool
    time_limit_s: float
    requests_at_once: int
    requests_per_second: float | None = Field(description="Null: no limit.")
    base_url: str = Field(description="Without the user name and password, if it has any.")
    path: str
    health_path: str
    query_field: str
    source_field: str
    result_field: str
    source_used_field: str
    success_field: str
    error_field: str
    cached_field: str
    dotted_path: str
    reference_faults: list[str]
    reference_empty_rate: float
    vocabulary: VocabularyOut | None = Field(description="The version in force.")

    @staticmethod
    def resolve_base_url(row: Target) -> str:
        try:
            url = urlsplit(row.base_url)
        except ValueError:
            return ""  # not a URL, so a password in it could not be found
        return url._replace(netloc=url.netloc.rpartition("@")[2]).geturl()

    @staticmethod
    def resolve_vocabulary(row: Target) -> Any:
        return next(iter(row.vocabularies.all()), None)  # only the one in force was fetched


class EventOut(Schema):
    """An action by a person, or a finding of the engine."""

    id: int
    kind: EventKind
    actor: str
    note: str
    verdict: CauseVerdict | None = Field(description="Of a dismissal with a verdict.")
    verdict_before: CauseVerdict | None = Field(description="Of a changed verdict: the former one.")
    link: str | None = Field(description="Where it is tracked.")
    run_id: int | None
    at: UtcTime

    @staticmethod
    def resolve_verdict_before(row: ReviewEvent) -> str | None:
        return former_verdict(row)


class CombinationOut(CombinationRow):
    """A combination with its query and activity."""

    query: dict[str, Any] = Field(description=QUERY_FORM)
    story: Page[EventOut] = Field(description="Activity, newest first.")


class ReductionOut(Schema):
    """A search for the smallest query that still shows a finding."""

    id: int
    combination_id: int
    run_id: int = Field(description="The run with the finding.")
    check: str = Field(alias="check_name")
    state: ReductionState
    note: str = Field(description="Why it ended, where that needs an explanation.")
    askings: int = Field(description="Requests sent so far.")
    askings_at_most: int = Field(description="Limit on the number of requests.")
    query_text: str = Field(description="The original query.")
    smallest: dict[str, Any] | None = Field(description=f"{QUERY_FORM} null: none found yet.")
    smallest_text: str
    kept: list[int] = Field(description="Indexes, from 0, of the parts of the original query that remain.")
    is_minimal: bool = Field(description="Whether no more parts can be left out.")
    source_used: str
    result: str = Field(description="The answer to the smallest query, at most 256 KiB.")
    created_at: UtcTime
    finished_at: UtcTime | None

    @staticmethod
    def resolve_query_text(row: Reduction) -> str:
        return row.run.text


class ReductionQueuedOut(Schema):
    """Whether the search was queued for the worker."""

    status: Literal["queued", "disabled"]
    reduction: int | None = Field(None, description="Id of the search. Present only when it was queued.")


class RunFindingOut(Schema):
    """A promise broken by one run, with its evidence."""

    check: str = Field(alias="check_name")
    place: int = Field(description="Position in order of priority, from 0. The first is the `reason` of its run.")
    reason: str
    evidence: dict[str, Any] = Field(
        description="What was promised, what was seen, and where. `asked`: the probes that it relies on, if any."
        " `also`: what the same check found in other parts or sections of the answer, if anything."
    )
    asked_again: int = Field(description="How many times the query was repeated right away.")
    seen_again: int = Field(description="How many of these repeats showed the finding again.")
    cause: CauseName | None = Field(description="What the finding is put down to. null: not assigned yet.")


class RunRow(Schema):
    """A run, without its answer."""

    id: int
    cycle_id: int
    combination_id: int
    target: str
    recipe_name: str
    place: int
    query_text: str = Field(alias="text")
    state: RunState
    asked_at: UtcTime | None
    finished_at: UtcTime | None
    source_used: str
    latency_ms: float | None
    http_status: int | None
    cached: bool
    error: str
    own_error: str
    result_length_bytes: int | None
    result_sha256: str
    reason: str | None
    novel: bool = Field(description="Planned as the first run of its combination.")
    unchecked: bool | None = Field(
        description="Clean, but no probe was left to check its parts. null: not answered, or of an earlier version."
    )

    @staticmethod
    def resolve_target(row: Run) -> str:
        return row.target.name


class RunOut(RunRow):
    """A run with its answer and findings."""

    query: dict[str, Any] = Field(description=QUERY_FORM)
    result: str = Field(description="The raw answer, at most 256 KiB. Length and SHA-256 are of the full answer.")
    answer_deleted_at: UtcTime | None = Field(
        description="When `result` was emptied: clean answers are kept for some days, a setting. null: it is kept."
    )
    findings: list[RunFindingOut]
    flagged_by_graders: bool = Field(description="A score is below its threshold: advice, and never a flag.")
    scores: dict[str, ScoreOut] = Field(alias="graded", description="By grader what it said. Empty: it was not graded.")


class FlagRow(RunFindingOut):
    """A finding with its run and combination."""

    id: int
    run_id: int
    combination_id: int
    fingerprint: str
    target: str
    verdict: CauseVerdict | None = Field(description="That its combination is dismissed with. null: none.")
    created_at: UtcTime

    @staticmethod
    def resolve_verdict(row: Flag) -> str | None:
        return row.combination.verdict

    @staticmethod
    def resolve_fingerprint(row: Flag) -> str:
        return row.combination.fingerprint

    @staticmethod
    def resolve_target(row: Flag) -> str:
        return row.combination.target.name


class ExplainedOut(Schema):
    """A finding with a harmless explanation. Not a flag."""

    id: int
    run_id: int
    combination_id: int
    target: str
    query_text: str
    check: str = Field(alias="check_name")
    reason: str
    evidence: dict[str, Any] = Field(description="As for a flag. `asked`: the probes and their answers.")
    cause: ExplainedCause
    source: str = Field(description="The missing source, or the first of several.")
    created_at: UtcTime

    @staticmethod
    def resolve_target(row: Explanation) -> str:
        return row.target.name

    @staticmethod
    def resolve_query_text(row: Explanation) -> str:
        return row.run.text


class CycleRow(Schema):
    """A cycle with its counts."""

    id: int
    target: str
    trigger: CycleTrigger
    state: CycleState
    seed: int
    recipes: list[str]
    queries_wanted: int
    queries_run: int
    flagged: int
    novel: int
    vocabulary: int | None = Field(description="Number of the vocabulary version used.")
    target_version: str
    created_at: UtcTime
    started_at: UtcTime | None
    finished_at: UtcTime | None
    note: str
    unchecked: int | None = Field(
        description="Clean runs whose parts no probe was left to check. null: of an earlier version."
    )
    probes_at_most: int | None = Field(
        description="Limit on the number of probes. null: it sends none, or of an earlier version."
    )

    @staticmethod
    def resolve_target(row: Cycle) -> str:
        return row.target.name

    @staticmethod
    def resolve_vocabulary(row: Cycle) -> int | None:
        return None if row.vocabulary is None else row.vocabulary.number


class CycleOut(CycleRow):
    """A cycle with its runs."""

    runs: Page[RunRow] = Field(description="In the order they were planned.")

    @staticmethod
    def resolve_runs(row: Any) -> Any:
        return row.page


class RecipeCoverageOut(Schema):
    """Combinations of a recipe: how many are possible, and how many were tried."""

    recipe_name: str
    stresses: str
    possible: int
    tried: int


class CoverageOut(Schema):
    """Coverage of each recipe, for the vocabulary in force."""

    target: str
    recipes: list[RecipeCoverageOut]


class TuningOut(Schema):
    """The settings in force."""

    enabled: bool
    enabled_by_environment: bool = Field(
        description="Set by the environment. If false, testing is off whatever `enabled` says."
    )
    interval_minutes: int
    batch_size: int
    latency_outlier_multiplier: float
    latency_outlier_floor_ms: int
    latency_outlier_min_samples: int
    keep_answers_days: int = Field(description="For how long answers of clean runs are kept. 0: for ever.")
    open_reads: bool
    stale_grace_multiplier: float


class ReviewItem(Schema):
    """One combination to act on."""

    model_config = ConfigDict(extra="forbid")

    fingerprint: Text = Field(description="The `fingerprint` of a flagged row, unchanged.")
    seen_run: JsonRowId | None = Field(None, description="The `last_run_id` of the row you saw. Only used by dismiss.")
    seen_verdict: CauseVerdict | None = Field(
        None, description="The verdict that you saw, to change it. Refused if it has another one since."
    )


class ReviewIn(Schema):
    """The combinations of one target to act on, and the reason."""

    model_config = ConfigDict(extra="forbid")

    items: list[ReviewItem] = Field(min_length=1, max_length=MAX_LIMIT)
    target: Text | None = Field(None, description="Target name. Default: the default target.")
    note: ShortText | None = Field(None, description="Reason. Shown in the activity of each combination.")


class UndismissIn(ReviewIn):
    """The combinations of one target to restore."""

    former_verdict: bool = Field(False, description="Only undo the last change of the verdict; stay dismissed.")


class UntilDueIn(Schema):
    """What brings a combination back, whichever comes first. A new flag does in any case."""

    model_config = ConfigDict(extra="forbid")

    date: JsonDate | None = Field(None, description="The first day on which it is back in the queue (UTC).")
    target_version: Version | None = Field(
        None, description="When the target answers with this version, or, if it does now, with another one."
    )


class DismissIn(ReviewIn):
    """The combinations of one target to dismiss, with or without a verdict."""

    note: ShortText | None = Field(None, description="Earlier name of `reason`. Used if that is empty.")
    verdict: CauseVerdict = Field(Cause.Verdict.DISMISSED, description="`dismissed`: without a verdict.")
    reason: Reason = Field("", description="Shown in the activity of each combination.")
    link: Link = Field("", description="Where it is tracked: an http or https URL.")
    until: UntilDueIn | None = Field(None, description="Only used by `later`.")


class ReviewResult(Schema):
    """The result for one item. `error`: null unless it failed."""

    fingerprint: str
    status: Literal["dismissed", "undismissed", "failed"]
    error: ErrorBody | None


class ReviewOut(Schema):
    """One result per item, in order. A failed item does not stop the others."""

    done: int
    failed: int
    results: list[ReviewResult]
