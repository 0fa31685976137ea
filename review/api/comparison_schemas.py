"""Request and response bodies of the calls about comparisons of two targets."""

from typing import Annotated

from ninja import Field, Schema
from pydantic import ConfigDict

from review.api.values import ComparisonQueries, ComparisonState, JsonQueries, Text, UtcTime
from selftest.evaluation.core.answer_differences import DifferenceKind
from selftest.evaluation.models import Comparison
from selftest.evaluation.models.comparison import DEFAULT_QUERIES
from selftest.reviewing.judgement import VERSION_CHARACTERS


class ComparisonIn(Schema):
    """What is to be compared."""

    model_config = ConfigDict(extra="forbid")

    target: Text | None = Field(None, description="What is new. Without it the default target.")
    against: Text | None = Field(None, description="Another target. Without it the target's own earlier answers.")
    before_version: Annotated[Text, Field(max_length=VERSION_CHARACTERS)] = Field(
        "", description="Of the target itself, whose kept answers are meant."
    )
    queries: ComparisonQueries = Comparison.Queries.LAST
    set: Text | None = Field(None, description="The golden set, where `queries` is `set`.")
    at_most: JsonQueries = DEFAULT_QUERIES


class DifferenceOut(Schema):
    """In what two answers differ."""

    kind: DifferenceKind
    says: str
    subject: str
    before: str
    now: str
    sources: list[str]


class GroupOut(DifferenceOut):
    """Queries with one kind of difference."""

    has: str = Field(description="What they have in common.")
    queries: int = Field(description="That have it.")
    differing: int = Field(description="Of them, or beside them, those that differ.")
    smallest: str = Field(description='The smallest query that differs so; "" where it was not looked for.')
    members: list[int] = Field(description="Places in `differences`, from 0, the shortest query first.")


class DifferingQueryOut(Schema):
    """A query and its differences, the weightiest first."""

    query: str
    recipe: str
    differences: list[DifferenceOut]


class LatencyChangeOut(Schema):
    """How much slower the target is at the median, with its interval at 95 %."""

    says: str
    before_ms: float
    median_ms: float
    low_ms: float
    high_ms: float
    pairs: int
    is_clear: bool


class ComparisonOut(Schema):
    """A comparison, without its single queries."""

    id: int
    target: str
    against: str | None
    before_version: str
    queries: ComparisonQueries
    set: str | None
    state: ComparisonState
    note: str
    planned: int
    compared: int
    differing: int
    requests: int
    is_worse: bool = Field(description="New findings or errors came: what `manage.py compare --gate` exits with 1 for.")
    requested_by: str
    created_at: UtcTime
    finished_at: UtcTime | None
    groups: list[GroupOut]
    latency: LatencyChangeOut | None


class ComparisonWithQueries(ComparisonOut):
    """A comparison with the queries that differ."""

    differences: list[DifferingQueryOut]


class ComparisonsOut(Schema):
    """A page of comparisons."""

    comparisons: list[ComparisonOut]
    next: str | None = Field(description="The cursor of the next page; null on the last one.")
