"""What is sent and answered, as types: the names and fields of the OpenAPI document, where each is explained.

States and verdicts are closed words; kinds of events, checks, recipes and explanations grow, and are read as any text.
What an answer has beyond these fields is left out, so that a server may be newer than its clients.
"""

from datetime import date as Day  # noqa: N812 - a field has that name
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Row = TypeVar("Row")

Verdict = Literal["confirmed", "false_alarm", "accepted", "later", "dismissed"]
RunState = Literal["planned", "asking", "done", "skipped", "interrupted"]
CycleState = Literal["planned", "running", "finished", "target_unavailable", "interrupted"]
CombinationState = Literal["queue", "flagged_now", "ever_flagged", "never_flagged", "dismissed"]
Expect = Literal["sources", "header", "no_header", "phrase", "no_phrase", "flagged", "not_flagged"]
CauseState = Literal["inbox", "judged", "all"]
DifferenceKind = Literal[
    "error", "empty", "finding_came", "finding_went", "source", "sections", "content", "unsteady", "cached", "latency"
]
SuggestionState = Literal["open", "accepted", "refused", "unfit"]
PairState = Literal["active", "rebaseline", "archived"]
PairKind = Literal["happy", "vague", "rival_term", "synthesis", "bait", "refusal"]
LatencyClass = Literal["quick", "ordinary", "slow"]
SearchDomain = Literal["knowledge", "findings", "causes", "guarantees", "platform"]
SearchKind = Literal["docs", "api", "doctor", "finding", "cause", "flag", "guarantee", "golden_pair", "target", "cycle"]
SearchType = Literal["docs", "api", "doctor"]
ProposalFilter = Literal["open", "accepted", "refused", "outdated", "all"]


class Record(BaseModel):
    """Part of an answer."""

    model_config = ConfigDict(frozen=True)


class Body(BaseModel):
    """Part of a request. Only what was given is sent."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Page(Record, Generic[Row]):
    """One page of a listing. next: the cursor of the next page; None on the last."""

    items: list[Row]
    next: str | None


# --- errors ---


class ErrorBody(Record):
    """What went wrong. `field`: the invalid parameter or field, if there is one."""

    code: str
    message: str
    field: str | None
    key: str | None = None


class ErrorOut(Record):
    """The shape of every error."""

    error: ErrorBody


# --- targets, cycles and settings ---


class VocabularyOut(Record):
    """A version of a vocabulary, without its content."""

    number: int
    sha256: str
    created_at: datetime


class TargetOut(Record):
    """The configuration of a target, without its API key."""

    id: int
    name: str
    kind: Literal["reference", "http", "python"]
    enabled: bool
    is_default: bool
    time_limit_s: float
    requests_at_once: int
    requests_per_second: float | None
    base_url: str
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
    vocabulary: VocabularyOut | None


class RecipeCoverageOut(Record):
    """Combinations of a recipe: how many are possible, and how many were tried."""

    recipe_name: str
    stresses: str
    possible: int
    tried: int


class CoverageOut(Record):
    """Coverage of each recipe, for the vocabulary in force."""

    target: str
    recipes: list[RecipeCoverageOut]


class TuningOut(Record):
    """The settings in force."""

    enabled: bool
    enabled_by_environment: bool
    interval_minutes: int
    batch_size: int
    latency_outlier_multiplier: float
    latency_outlier_floor_ms: int
    latency_outlier_min_samples: int
    keep_answers_days: int
    open_reads: bool
    stale_grace_multiplier: float


# --- combinations, runs and what was found ---


class CauseName(Record):
    """A cause, by its number and its sentence."""

    id: int
    sentence: str


class CombinationRow(Record):
    """A combination with its counts, its last flag, the cause of that and its verdict."""

    fingerprint: str
    recipe_name: str
    first_seen_timestamp: datetime
    times_generated: int
    last_query_text: str
    last_source_used: str | None
    last_latency_ms: float | None
    last_flagged_reason: str | None
    last_run_timestamp: datetime | None
    ever_flagged: bool
    currently_flagged: bool
    first_flagged_reason: str | None
    first_flagged_timestamp: datetime | None
    review_status: Literal["dismissed"] | None
    last_flagged_result_excerpt: str | None
    id: int
    last_run_id: int | None
    last_flagged_run_id: int | None
    target: str
    cause: CauseName | None
    verdict: Verdict | None
    dismissed_at: datetime | None


class EventOut(Record):
    """An action by a person, or a finding of the engine."""

    id: int
    kind: str
    actor: str
    note: str
    verdict: Verdict | None
    verdict_before: Verdict | None
    link: str | None
    run_id: int | None
    at: datetime


class CombinationOut(CombinationRow):
    """A combination with its query and activity."""

    query: dict[str, Any]
    story: Page[EventOut]


class RunFindingOut(Record):
    """A promise broken by one run, with its evidence."""

    check: str
    place: int
    reason: str
    evidence: dict[str, Any]
    asked_again: int
    seen_again: int
    cause: CauseName | None


class FlagRow(RunFindingOut):
    """A finding with its run and combination."""

    id: int
    run_id: int
    combination_id: int
    fingerprint: str
    target: str
    verdict: Verdict | None
    created_at: datetime


class ExplainedOut(Record):
    """A finding with a harmless explanation. Not a flag."""

    id: int
    run_id: int
    combination_id: int
    target: str
    query_text: str
    check: str
    reason: str
    evidence: dict[str, Any]
    cause: str
    source: str
    created_at: datetime


class RunRow(Record):
    """A run, without its answer."""

    id: int
    cycle_id: int
    combination_id: int
    target: str
    recipe_name: str
    place: int
    query_text: str
    state: RunState
    asked_at: datetime | None
    finished_at: datetime | None
    source_used: str
    latency_ms: float | None
    http_status: int | None
    cached: bool
    error: str
    own_error: str
    result_length_bytes: int | None
    result_sha256: str
    reason: str | None
    novel: bool
    unchecked: bool | None


class ScoreOut(Record):
    """What a grader said: advice."""

    score: float | None
    reason: str
    label: str
    threshold: float | None
    is_below: bool


class RunOut(RunRow):
    """A run with its answer and findings."""

    query: dict[str, Any]
    result: str
    answer_deleted_at: datetime | None
    findings: list[RunFindingOut]
    flagged_by_graders: bool
    scores: dict[str, ScoreOut]


class CycleRow(Record):
    """A cycle with its counts."""

    id: int
    target: str
    trigger: Literal["schedule", "page", "api", "command"]
    state: CycleState
    seed: int
    recipes: list[str]
    queries_wanted: int
    queries_run: int
    flagged: int
    novel: int
    vocabulary: int | None
    target_version: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    note: str
    unchecked: int | None
    probes_at_most: int | None


class CycleOut(CycleRow):
    """A cycle with its runs."""

    runs: Page[RunRow]


class ReductionQueuedOut(Record):
    """Whether the search was queued for the worker."""

    status: Literal["queued", "disabled"]
    reduction: int | None = None


class ReductionOut(Record):
    """A search for the smallest query that still shows a finding."""

    id: int
    combination_id: int
    run_id: int
    check: str
    state: Literal["planned", "running", "finished", "not_seen_again", "stopped"]
    note: str
    askings: int
    askings_at_most: int
    query_text: str
    smallest: dict[str, Any] | None
    smallest_text: str
    kept: list[int]
    is_minimal: bool
    source_used: str
    result: str
    created_at: datetime
    finished_at: datetime | None


class ReviewItem(Body):
    """One combination to act on."""

    fingerprint: str
    seen_run: int | None = None
    seen_verdict: Verdict | None = None


class ReviewIn(Body):
    """The combinations of one target to act on, and the reason."""

    items: list[ReviewItem]
    target: str | None = None
    note: str | None = None


class UntilDueIn(Body):
    """What brings a combination back, whichever comes first. A new flag does in any case."""

    date: Day | None = None
    target_version: str | None = None


class DismissIn(ReviewIn):
    """The combinations of one target to dismiss, with or without a verdict."""

    verdict: Verdict = "dismissed"
    reason: str = ""
    link: str = ""
    until: UntilDueIn | None = None


class UndismissIn(ReviewIn):
    """The combinations of one target to restore."""

    former_verdict: bool = False


class ReviewResult(Record):
    """The result for one item. `error`: null unless it failed."""

    fingerprint: str
    status: Literal["dismissed", "undismissed", "failed"]
    error: ErrorBody | None


class ReviewOut(Record):
    """One result per item, in order. A failed item does not stop the others."""

    done: int
    failed: int
    results: list[ReviewResult]


# --- causes ---


class UntilOut(Record):
    """What brings a cause back that was judged `later`: any of these that is not null."""

    date: str | None
    new_flags: int | None
    target_version: str | None


class QuietSpellOut(Record):
    """Queries in a row that could have shown a cause and did not."""

    runs: int
    chance: float


class CauseRow(Record):
    """A cause with its counts and its verdict."""

    id: int
    target: str
    sentence: str
    checks: list[str]
    flags_now: int
    flags_open: int
    flags_total: int
    runs_matching: int
    verdict: Verdict | None
    reason: str
    link: str
    assignee: str | None
    smallest_query: str | None
    example_fingerprint: str | None
    reproduced: tuple[int, int]
    first_seen: datetime
    last_seen: datetime
    new_since_verdict: int
    judged_by: str
    judged_at: datetime | None
    until: UntilOut | None
    in_inbox: bool
    runs_flagged: int
    other_runs: int
    other_runs_flagged: int
    quiet: QuietSpellOut | None
    back_after: QuietSpellOut | None


class CauseEventOut(Record):
    """An entry of a cause's story: an action by a person, or a finding of the engine."""

    id: int
    kind: str
    verdict: Verdict | None
    verdict_before: Verdict | None
    actor: str
    note: str
    other_cause_id: int | None
    at: datetime


class PromiseSourceOut(Record):
    """A sentence of the target's own documentation."""

    text: str
    document: str
    anchor: str
    url: str


class CauseOut(CauseRow):
    """A cause with its story."""

    promise_source: PromiseSourceOut | None
    story: Page[CauseEventOut]


class CausesOut(Page[CauseRow]):
    """One page of causes."""

    items: list[CauseRow] = Field(alias="causes")


class UntilIn(Body):
    """What brings a cause back: whichever comes first. Without any of these, its next flag does."""

    date: Day | None = None
    new_flags: int | None = None
    target_version: str | None = None


class JudgeIn(Body):
    """A verdict on a cause."""

    verdict: Verdict
    reason: str = ""
    link: str = ""
    until: UntilIn | None = None
    seen_flags: int | None = None
    seen_verdict: Verdict | None = None


class ReopenIn(Body):
    """Why a verdict is taken back."""

    reason: str = ""
    former_verdict: bool = False


class AssignIn(Body):
    """Who looks into a cause."""

    assignee: str | None


# --- what was learnt ---


class AboutOut(Record):
    """What a finding is about."""

    target: str | None
    source: str | None
    check: str | None
    cause: int | None
    fingerprint: str | None


class ExampleOut(Record):
    """What is asked to see whether a claim holds."""

    query: str
    cause: int | None
    fingerprint: str | None
    expect: Expect
    named: list[str]
    outcome: Literal["holds", "broken", "unsteady", "unanswered"] | None
    times_checked: int
    checked_at: datetime | None
    checked_version: str | None


class FindingOut(Record):
    """What was learnt, to the letter as it was saved."""

    id: int
    category: str
    content: str
    tags: list[str]
    is_correction: bool
    saved_by: str
    created_at: datetime
    superseded_by: int | None
    example: ExampleOut | None
    about: AboutOut


class WhyOut(Record):
    """Why one finding contradicts another one."""

    rule: str
    sentence: str = ""
    shared: list[str] = []
    older: list[str] = []
    newer: list[str] = []
    overlap: float | None = None


class ActOut(Record):
    """An entry of a finding's story."""

    act: int
    kind: str
    finding: int
    by: int | None
    actor: str
    at: datetime
    profile: str | None
    why: WhyOut | None


class FindingAnswer(Record):
    """A finding, what it superseded, what superseded it, and why: the acts that are in force."""

    finding: FindingOut
    superseded: list[int]
    superseded_by: int | None
    why: list[ActOut]


class FindingWithStory(FindingAnswer):
    """The same, with all that ever happened to it."""

    story: Page[ActOut]


class FindingsOut(Page[FindingOut]):
    """One page of findings."""

    items: list[FindingOut] = Field(alias="findings")


class DeletedOut(Record):
    """What deleting did."""

    deleted: int
    freed: list[int]


class ProposalOut(Record):
    """That one finding should supersede another one."""

    id: int
    loser: FindingOut
    winner: FindingOut | None
    content: str | None
    version: str | None
    origin: Literal["rules", "model", "example"]
    why: WhyOut | None
    state: Literal["open", "accepted", "refused", "outdated"]
    created_at: datetime
    decided_by: str | None
    decided_at: datetime | None


class ProposalsOut(Page[ProposalOut]):
    """One page of proposals."""

    items: list[ProposalOut] = Field(alias="proposals")


class ProposalAnswer(FindingAnswer):
    """The winner of a proposal, as a finding is answered, and the proposal."""

    proposal: ProposalOut


class AboutIn(Body):
    """What a finding is about; any of it may be left out."""

    target: str | None = None
    source: str | None = None
    check: str | None = None
    cause: int | None = None
    fingerprint: str | None = None


class ExampleIn(Body):
    """What is asked to see whether a claim holds: one query, and what should be seen."""

    query: str | None = None
    cause: int | None = None
    fingerprint: str | None = None
    expect: Expect
    named: list[str]


class FindingIn(Body):
    """What was learnt. Category, text and tags are kept to the letter."""

    category: str
    content: str
    tags: list[str] = []
    about: AboutIn | None = None
    example: ExampleIn | None = None


class UndoIn(Body):
    """What is undone."""

    acts: list[int] | None = None


# --- comparisons of targets ---


class DifferenceOut(Record):
    """In what two answers differ."""

    kind: DifferenceKind
    says: str
    subject: str
    before: str
    now: str
    sources: list[str]


class GroupOut(DifferenceOut):
    """Queries with one kind of difference."""

    has: str
    queries: int
    differing: int
    smallest: str
    members: list[int]


class DifferingQueryOut(Record):
    """A query and its differences, the weightiest first."""

    query: str
    recipe: str
    differences: list[DifferenceOut]


class LatencyChangeOut(Record):
    """How much slower the target is at the median, with its interval at 95 %."""

    says: str
    before_ms: float
    median_ms: float
    low_ms: float
    high_ms: float
    pairs: int
    is_clear: bool


class ComparisonOut(Record):
    """A comparison, without its single queries."""

    id: int
    target: str
    against: str | None
    before_version: str
    queries: Literal["last", "flagged", "set"]
    set: str | None
    state: Literal["planned", "running", "finished", "stopped"]
    note: str
    planned: int
    compared: int
    differing: int
    requests: int
    is_worse: bool
    requested_by: str
    created_at: datetime
    finished_at: datetime | None
    groups: list[GroupOut]
    latency: LatencyChangeOut | None


class ComparisonWithQueries(ComparisonOut):
    """A comparison with the queries that differ."""

    differences: list[DifferingQueryOut]


class ComparisonsOut(Page[ComparisonOut]):
    """One page of comparisons."""

    items: list[ComparisonOut] = Field(alias="comparisons")


class ComparisonIn(Body):
    """What is to be compared."""

    target: str | None = None
    against: str | None = None
    before_version: str = ""
    queries: Literal["last", "flagged", "set"] = "last"
    set: str | None = None
    at_most: int = 500


# --- the golden set and its reports ---


class PartAsked(Body):
    """A part of the query. text: what it is asked as alone. source: that answers it."""

    text: str
    source: str


class Expectations(Body):
    """What must hold of the answer. Empty: not looked at."""

    sources: list[str] = []
    headers: list[str] = []
    headers_ordered: bool = False
    parts: list[PartAsked] = []
    absent: list[str] = []
    latency: LatencyClass | None = None
    refuses: bool = False


class Baseline(Record):
    """What a pair was made on. bears: what of the vocabulary it depends on; structure: the sections, in order."""

    target: str = ""
    target_version: str = ""
    vocabulary: str = ""
    bears: dict[str, str] = {}
    structure: list[str] | None = None


class PairContent(Body):
    """A pair without its name. keyphrases and reference are for graders alone."""

    query: str
    kind: PairKind = "happy"
    expectations: Expectations = Expectations()
    keyphrases: list[str] = []
    reference: str = ""


class PairVersionOut(Record):
    """What a pair says from then on."""

    query: str
    kind: PairKind = "happy"
    expectations: Expectations = Expectations()
    keyphrases: list[str] = []
    reference: str = ""
    version: int
    act: Literal["promoted", "imported", "edited", "rebaselined", "archived", "restored"]
    is_archived: bool
    target: str | None
    made_on: Baseline
    combination: int | None
    cause: int | None
    why: str
    actor: str
    at: datetime


class PairOut(PairVersionOut):
    """A pair: a query and the structure that its answer must have."""

    id: int
    name: str
    set: str
    rebaseline: list[str]


class PairWithVersions(PairOut):
    """A pair with all its versions."""

    versions: list[PairVersionOut]


class PairsOut(Page[PairOut]):
    """One page of pairs."""

    items: list[PairOut] = Field(alias="pairs")


class PairIn(Body):
    """A pair that is to be made."""

    name: str
    set: str | None = None
    target: str | None = None
    combination: int | None = None
    cause: int | None = None
    content: PairContent | None = None
    why: str = ""


class EditIn(Body):
    """What a pair says from now on."""

    seen: int
    why: str = ""
    content: PairContent


class SeenIn(Body):
    """An act on a pair."""

    seen: int
    why: str = ""


class JudgedOut(Record):
    """One expectation of a pair."""

    kind: str
    expected: str
    seen: str
    holds: bool


class ResultOut(Record):
    """A pair in a report."""

    name: str
    kind: str
    query: str
    outcome: Literal["held", "broken", "rebaseline"]
    expectations: list[JudgedOut]
    rebaseline: list[str]
    structure: list[str]
    latency_ms: float
    scores: dict[str, ScoreOut]


class ReportOut(Record):
    """A golden set asked of a target."""

    id: int
    set: str
    target: str
    target_version: str
    vocabulary: str | None
    state: Literal["running", "finished", "target_unavailable", "interrupted"]
    note: str
    passes: bool
    pairs: int
    broken: int
    rebaseline: int
    actor: str
    started_at: datetime
    finished_at: datetime | None


class ReportWithResults(ReportOut):
    """A report with all its pairs."""

    results: list[ResultOut]


class ReportsOut(Page[ReportOut]):
    """One page of reports."""

    items: list[ReportOut] = Field(alias="reports")


# --- drift ---


class DriftSeriesRow(Record):
    """What is watched: one metric of one recipe, of cached answers or of the others."""

    id: int
    target: str
    recipe: str
    metric: Literal["latency", "sections", "empty", "explained", "faithfulness", "coverage"]
    cached: bool
    state: Literal["learning", "waiting", "calm", "suspect", "drift"]
    reference_values: int
    reference_at: datetime | None
    last_window_at: datetime | None


class DriftWindowOut(Record):
    """A window and what it says. low, high: its quartiles. distance: from the reference, 0 to 1."""

    id: int
    at: datetime
    size: int
    low: float
    median: float
    high: float
    mean: float
    distance: float
    is_up: bool
    p_value: float
    verdict: Literal["calm", "suspect", "drift"]


class DriftSeriesOut(DriftSeriesRow):
    """The same with its windows."""

    windows: Page[DriftWindowOut]


class DriftAlertOut(Record):
    """A time of drift. `ended_at`: null while it lasts."""

    id: int
    series: DriftSeriesRow
    began_at: datetime
    ended_at: datetime | None
    end: Literal["calm", "reset"] | None
    distance: float
    is_up: bool
    p_value: float
    reference: list[float]
    window: list[float]


# --- suggestions for a vocabulary ---


class DecisionOut(Record):
    """That some suggestions were accepted or refused at once."""

    act: str
    count: int
    version: int | None
    reason: str
    actor: str
    at: datetime


class SuggestionOut(Record):
    """A pair, condition or topic that a vocabulary may grow by."""

    id: int
    kind: str
    text: str
    proposed: str
    origin: str
    why: str
    state: SuggestionState
    query: str
    source_used: str
    latency_ms: float | None
    error: str
    created_at: datetime
    decision: DecisionOut | None


class SuggestionsOut(Page[SuggestionOut]):
    """One page of suggestions."""

    items: list[SuggestionOut] = Field(alias="suggestions")


class AcceptedText(Body):
    """One that is accepted. text: edited."""

    id: int
    text: str | None = None


class AcceptIn(Body):
    """What becomes a part of the next version of the vocabulary: all or nothing."""

    suggestions: list[AcceptedText]
    reason: str = ""


class RefuseIn(Body):
    """What is never to be proposed again."""

    suggestions: list[int]
    reason: str = ""


# --- search ---


class SearchFilters(Body):
    """What results must be. One value, or several."""

    type: list[SearchType] | SearchType | None = None
    product: str | None = None
    version: str | None = None
    service: str | None = None
    tags: list[str] | str | None = None
    target: list[str] | str | None = None
    domains: list[SearchDomain] | SearchDomain | None = None
    entityTypes: list[SearchKind] | SearchKind | None = None  # noqa: N815 - the contract's name


class SearchIn(Body):
    """A search of all there is."""

    q: str
    k: int = 10
    filters: SearchFilters | None = None
    includeDebug: bool = False  # noqa: N815


class ActionOut(Record):
    """What can be done with a result."""

    kind: str
    label: str
    url: str
    command: str
    requiresConfirmation: bool  # noqa: N815
    isDestructive: bool  # noqa: N815


class FoundOut(Record):
    """One result. snippet: escaped HTML with marks."""

    id: str
    kind: str
    domain: str
    title: str
    snippet: str
    score: float
    matched_by: list[str]
    action: ActionOut | None
    snippet_text: str
    spans: list[tuple[int, int]]
    actions: list[ActionOut]
    path: str
    anchor: str
    section_path: list[str]
    tags: list[str]
    target: str | None
    language: str
    preview: str
    details: dict[str, Any]
    debug: dict[str, Any] | None


class RefinementOut(Record):
    """A filter that would narrow the results."""

    filter: str
    value: str
    count: int


class CitationOut(Record):
    """What a sentence of a composed answer rests on."""

    number: int
    id: str
    title: str
    url: str


class SynthesisOut(Record):
    """An answer composed of results."""

    text: str
    citations: list[CitationOut]
    by: str


class DiagnosticsOut(Record):
    """How it was answered."""

    mode: str
    latency_ms: float


class SearchOut(Record):
    """What a search found, best first."""

    results: list[FoundOut]
    didYouMean: str | None  # noqa: N815
    suggestions: list[str]
    refinements: list[RefinementOut]
    synthesis: SynthesisOut | None
    intent: str
    language: str
    diagnostics: DiagnosticsOut


class FeedbackIn(Body):
    """What a reader thinks of one result."""

    q: str
    id: str
    rating: Literal["up", "down"]
    comment: str = ""


class FeedbackOut(Record):
    """What was recorded."""

    status: Literal["recorded"]
    id: str
    rating: str


class RebuildOut(Record):
    """What a rebuild came to: pieces by kind, and what changed."""

    kinds: dict[str, int]
    documents: int
    added: int
    changed: int
    removed: int
    seconds: float
    refused: list[str]


class HistoryEntryOut(Record):
    """A query of one's own."""

    q: str
    results: int
    at: datetime


class HistoryOut(Record):
    """One's own searches, the newest first."""

    kept: bool
    entries: list[HistoryEntryOut]


class ForgottenOut(Record):
    """How many queries were deleted."""

    deleted: int
