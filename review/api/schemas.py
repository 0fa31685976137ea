"""The documents that leave. Keys stand in the order of contract/API.md, and more may follow them."""

from typing import Any, Generic, Literal, TypeVar
from urllib.parse import urlsplit

from ninja import Field, Schema
from pydantic import ConfigDict

from review.api.pagination import MAX_LIMIT
from review.api.values import (
    CycleState,
    CycleTrigger,
    EventKind,
    ExplainedCause,
    JsonRowId,
    ReductionState,
    RunState,
    ShortText,
    TargetKind,
    Text,
    UtcTime,
)
from selftest.models import Combination, Cycle, Explanation, Flag, Reduction, Run, Target
from selftest.operating.health import TestingStatus

Item = TypeVar("Item")


class Page(Schema, Generic[Item]):
    """One page. next: the cursor of the following one, or null where this is the last."""

    items: list[Item]
    next: str | None


class ErrorBody(Schema):
    """What went wrong. field: which of the values that were sent is at fault, if one is."""

    code: str
    message: str
    field: str | None


class ErrorOut(Schema):
    """The one shape of every error."""

    error: ErrorBody


def errors(*statuses: int) -> dict[int, Any]:
    """What a call may answer with instead, for its description."""
    return dict.fromkeys((401, 403, 422, *statuses), ErrorOut)


# --- the endpoints of the specification ---


class TriggerOut(Schema):
    """A cycle that is over, or why there was none."""

    status: Literal["ran", "disabled", "target_unavailable"]
    queries_run: int
    flagged: int
    note: str | None = Field(None, description="Why the target counts as away; there only then.")


class QueuedOut(Schema):
    """A cycle that the worker runs next. cycle: its id."""

    status: Literal["queued"]
    cycle: str


class FlaggedRow(Schema):
    """A combination with its figures and its last flag."""

    fingerprint: str = Field(description="The exact string to give back.")
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
    last_flagged_result_excerpt: str | None = Field(description="Empty without a valid key or a session.")
    id: int
    last_run_id: int | None = Field(description="What to give as seen_run.")
    last_flagged_run_id: int | None
    target: str

    @staticmethod
    def resolve_target(row: Combination) -> str:
        return row.target.name


class FlaggedOut(Schema):
    """The queue, the newest run first."""

    status: Literal["disabled"] | None = Field(
        None, description="There only while testing is switched off, in all or for this target."
    )
    count: int
    flagged: list[FlaggedRow]


class DismissedOut(Schema):
    """What was dismissed."""

    status: Literal["dismissed"]
    fingerprint: str


class UndismissedOut(Schema):
    """What is in the queue again."""

    status: Literal["undismissed"]
    fingerprint: str


class TestingOffOut(Schema):
    """Switched off, in all or for this target: nothing else is said."""

    status: Literal[TestingStatus.DISABLED]


class TestingOut(Schema):
    """How the testing is doing. minutes_since_last_run: whole ones, rounded down."""

    status: Literal[TestingStatus.OK, TestingStatus.STALE, TestingStatus.NEVER_RAN]
    last_run: UtcTime | None
    minutes_since_last_run: int | None
    total_combinations_tried: int | None = Field(description="null: the database is away.")
    flagged_for_review: int | None = Field(description="null: the database is away.")


class DatabaseOut(Schema):
    """Whether the database answers."""

    status: Literal["ok", "unavailable"]


class WorkerOut(Schema):
    """Whether a worker runs."""

    status: Literal["ok", "missing", "unknown"]
    clusters: int | None = Field(description="Clusters whose heartbeat is fresh; null: it could not be read.")


class HealthOut(Schema):
    """Degraded: testing is stale, the database or the worker is away, or something requested is not started."""

    status: Literal["ok", "degraded"]
    adversarial_testing: TestingOut | TestingOffOut
    database: DatabaseOut
    worker: WorkerOut
    waiting_too_long: int | None = Field(
        description="Cycles and searches for a smallest query that no worker has started within a minute."
    )
    last_outage: UtcTime | None = Field(description="When a cycle last found the target away.")


# --- the wider API ---


class VocabularyOut(Schema):
    """One version of a vocabulary, without its content."""

    number: int
    sha256: str
    created_at: UtcTime


class TargetOut(Schema):
    """A target as it is set up, without its API key."""

    id: int
    name: str
    kind: TargetKind
    enabled: bool
    is_default: bool
    time_limit_s: float
    requests_at_once: int
    base_url: str = Field(description="Without a name and password, where it holds them.")
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
    vocabulary: VocabularyOut | None = Field(description="The one in force.")

    @staticmethod
    def resolve_base_url(row: Target) -> str:
        try:
            url = urlsplit(row.base_url)
        except ValueError:
            return ""  # not a URL, so there is no telling where its password is
        return url._replace(netloc=url.netloc.rpartition("@")[2]).geturl()

    @staticmethod
    def resolve_vocabulary(row: Target) -> Any:
        return next(iter(row.vocabularies.all()), None)  # only the one in force was fetched


class EventOut(Schema):
    """What a person did to a combination, or what the engine found."""

    id: int
    kind: EventKind
    actor: str
    note: str
    run_id: int | None
    at: UtcTime


class CombinationOut(FlaggedRow):
    """A combination with its query and its story."""

    query: dict[str, Any] = Field(description="The parts, in order: kind, text, source.")
    story: Page[EventOut] = Field(description="What happened to it, the newest first.")


class ReductionOut(Schema):
    """A search for the smallest query that still shows a finding."""

    id: int
    combination_id: int
    run_id: int = Field(description="Whose finding is looked for.")
    check: str = Field(alias="check_name")
    state: ReductionState
    note: str = Field(description="Why it ended as it did, where that needs saying.")
    askings: int
    askings_at_most: int
    query_text: str = Field(description="The whole query.")
    smallest: dict[str, Any] | None = Field(description="The parts that are left, in order; null: none was found yet.")
    smallest_text: str
    kept: list[int] = Field(description="Places, from 0, of the whole query's parts that are left.")
    is_minimal: bool = Field(description="Nothing more can be left out.")
    source_used: str
    result: str = Field(description="The answer to the smallest query, 256 KiB of it at most.")
    created_at: UtcTime
    finished_at: UtcTime | None

    @staticmethod
    def resolve_query_text(row: Reduction) -> str:
        return row.run.query_text


class ReductionQueuedOut(Schema):
    """Whether the worker searches next."""

    status: Literal["queued", "disabled"]
    reduction: int | None = Field(None, description="Its id; there only when it was queued.")


class FindingOut(Schema):
    """A promise that one run did not keep, with its evidence."""

    check: str = Field(alias="check_name")
    place: int = Field(description="0: the first in priority order, the reason of its run.")
    reason: str
    evidence: dict[str, Any] = Field(
        description="What was promised, what was seen, and where; asked, where it rests on extra askings: those."
    )
    asked_again: int = Field(description="How often the query was asked again at once.")
    seen_again: int = Field(description="In how many of those this was found again.")


class RunRow(Schema):
    """One run without its answer."""

    id: int
    cycle_id: int
    combination_id: int
    target: str
    recipe_name: str
    place: int
    query_text: str
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
    novel: bool = Field(description="Planned as the first asking of its combination.")

    @staticmethod
    def resolve_target(row: Run) -> str:
        return row.target.name


class RunOut(RunRow):
    """One run with its answer and its findings."""

    query: dict[str, Any] = Field(description="The parts, in order: kind, text, source.")
    result: str = Field(description="The answer as it came, 256 KiB of it at most; length and sha256 are of all of it.")
    findings: list[FindingOut]


class FlagRow(FindingOut):
    """A finding with the run and the combination that it belongs to."""

    id: int
    run_id: int
    combination_id: int
    fingerprint: str
    target: str
    created_at: UtcTime

    @staticmethod
    def resolve_fingerprint(row: Flag) -> str:
        return row.combination.fingerprint

    @staticmethod
    def resolve_target(row: Flag) -> str:
        return row.combination.target.name


class ExplainedOut(Schema):
    """A finding that had an innocent cause and is no flag."""

    id: int
    run_id: int
    combination_id: int
    target: str
    query_text: str
    check: str = Field(alias="check_name")
    reason: str
    evidence: dict[str, Any] = Field(description="As a flag's; asked: the probes, and what they brought.")
    cause: ExplainedCause
    source: str = Field(description="The source that was missing, or the first of several.")
    created_at: UtcTime

    @staticmethod
    def resolve_target(row: Explanation) -> str:
        return row.target.name

    @staticmethod
    def resolve_query_text(row: Explanation) -> str:
        return row.run.query_text


class CycleRow(Schema):
    """A cycle and its counts."""

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
    vocabulary: int | None = Field(description="The number of the version that it drew from.")
    target_version: str
    created_at: UtcTime
    started_at: UtcTime | None
    finished_at: UtcTime | None
    note: str

    @staticmethod
    def resolve_target(row: Cycle) -> str:
        return row.target.name

    @staticmethod
    def resolve_vocabulary(row: Cycle) -> int | None:
        return None if row.vocabulary is None else row.vocabulary.number


class CycleOut(CycleRow):
    """A cycle with its runs."""

    runs: Page[RunRow] = Field(description="In the order in which they were planned.")

    @staticmethod
    def resolve_runs(row: Any) -> Any:
        return row.page


class RecipeCoverageOut(Schema):
    """How many combinations of a recipe there are, and how many were asked."""

    recipe_name: str
    stresses: str
    possible: int
    tried: int


class CoverageOut(Schema):
    """Each recipe over the vocabulary that is in force."""

    target: str
    recipes: list[RecipeCoverageOut]


class TuningOut(Schema):
    """The settings in force."""

    enabled: bool
    enabled_by_environment: bool = Field(description="False always wins.")
    interval_minutes: int
    batch_size: int
    latency_outlier_multiplier: float
    latency_outlier_floor_ms: int
    latency_outlier_min_samples: int
    open_reads: bool
    stale_grace_multiplier: float


class ReviewItem(Schema):
    """One row to act on."""

    model_config = ConfigDict(extra="forbid")

    fingerprint: Text = Field(description="The exact string of a flagged row.")
    seen_run: JsonRowId | None = Field(None, description="The last_run_id of the row that was acted on.")


class ReviewIn(Schema):
    """The rows of one target to act on, and why."""

    model_config = ConfigDict(extra="forbid")

    items: list[ReviewItem] = Field(min_length=1, max_length=MAX_LIMIT)
    target: Text | None = Field(None, description="The default one where none is named.")
    note: ShortText | None = None


class ReviewResult(Schema):
    """What came of one item. error: null unless it failed."""

    fingerprint: str
    status: Literal["dismissed", "undismissed", "failed"]
    error: ErrorBody | None


class ReviewOut(Schema):
    """One result per item, in their order; one that failed holds up no other."""

    done: int
    failed: int
    results: list[ReviewResult]
