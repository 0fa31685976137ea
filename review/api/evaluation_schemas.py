"""Request and response bodies of the calls about the golden set and its reports."""

from typing import Annotated

from ninja import Field, Schema
from pydantic import ConfigDict

from review.api.schemas import ScoreOut
from review.api.values import JsonCount, JsonRowId, Text, UtcTime, words_of
from selftest.evaluation.core.pairs import (
    NAME_CHARACTERS,
    Baseline,
    PairContent,
)
from selftest.evaluation.models import PairResult, PairVersion, Report
from selftest.evaluation.saving import WHY_CHARACTERS

VersionAct = Annotated[PairVersion.Act, words_of(PairVersion.Act)]
ReportState = Annotated[Report.State, words_of(Report.State)]
PairOutcome = Annotated[PairResult.Outcome, words_of(PairResult.Outcome)]
Why = Annotated[Text, Field(max_length=WHY_CHARACTERS)]


class PairVersionOut(PairContent):
    """What a pair says from then on."""

    model_config = ConfigDict(extra="forbid")

    version: int
    act: VersionAct
    is_archived: bool
    target: str | None = Field(description="That it was made on. null: it is gone.")
    made_on: Baseline = Field(description="`bears`: what of the vocabulary the pair depends on.")
    combination: int | None = Field(description="That it was promoted from.")
    cause: int | None = Field(description="That it was promoted from.")
    why: str
    actor: str
    at: UtcTime


class PairOut(PairVersionOut):
    """A pair: a query and the structure that its answer must have."""

    id: int
    name: str
    set: str
    rebaseline: list[str] = Field(description="What has changed under it, a sentence each. Such a pair never passes.")


class PairsOut(Schema):
    """One page of pairs, newest first. `next`: the cursor of the next page; null on the last."""

    pairs: list[PairOut]
    next: str | None


class PairWithVersions(PairOut):
    """A pair with all its versions."""

    versions: list[PairVersionOut] = Field(description="Newest first.")


class PairIn(Schema):
    """A pair that is to be made."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[Text, Field(min_length=1, max_length=NAME_CHARACTERS)]
    set: Text | None = Field(None, description="Its name. Default: `golden`.")
    target: Text | None = Field(None, description="That it is made on. Default: the default target.")
    combination: JsonRowId | None = Field(None, description="That it is promoted from, instead of `target`.")
    cause: JsonRowId | None = Field(None, description="That it is promoted from, instead of `target`.")
    content: PairContent | None = Field(
        None, description="Default: read off the last good answer of the combination or the cause."
    )
    why: Why = ""


class SeenIn(Schema):
    """An act on a pair."""

    model_config = ConfigDict(extra="forbid")

    seen: JsonCount = Field(description="The `version` that you saw: 409 where there is another one by now.")
    why: Why = ""


class EditIn(SeenIn):
    """What a pair says from now on."""

    content: PairContent


class ReportOut(Schema):
    """A golden set asked of a target."""

    id: int
    set: str
    target: str
    target_version: str
    vocabulary: str | None = Field(description="Its SHA-256.")
    state: ReportState
    note: str
    passes: bool = Field(description="Each pair was asked and held. Graders have no part in it.")
    pairs: int
    broken: int
    rebaseline: int
    actor: str
    started_at: UtcTime
    finished_at: UtcTime | None


class ReportsOut(Schema):
    """One page of reports, newest first. `next`: the cursor of the next page; null on the last."""

    reports: list[ReportOut]
    next: str | None


class JudgedOut(Schema):
    """One expectation of a pair."""

    kind: str
    expected: str
    seen: str
    holds: bool


class ResultOut(Schema):
    """A pair in a report."""

    name: str
    kind: str
    query: str
    outcome: PairOutcome
    expectations: list[JudgedOut]
    rebaseline: list[str]
    structure: list[str]
    latency_ms: float
    scores: dict[str, ScoreOut] = Field(description="By grader.")


class ReportWithResults(ReportOut):
    """A report with all its pairs."""

    results: list[ResultOut] = Field(description="By name.")
