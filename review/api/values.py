"""The types of parameters and fields: which values are accepted, and how times are written."""

import json
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Any

from django.db.models import TextChoices
from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.errors import HttpError
from ninja.params.models import Query as QueryParam
from ninja.params.models import QueryModel
from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, WithJsonSchema

from review.row_files import utc_text
from selftest.core.generation.recipes import RECIPES
from selftest.evaluation.models import Comparison, Suggestion
from selftest.evaluation.models.comparison import MOST_QUERIES
from selftest.findings.core.expectations import Expect
from selftest.findings.models import Act, Proposal
from selftest.findings.models.example import Outcome
from selftest.knowledge.core.answers import MOST_RESULTS
from selftest.models import Cause, CauseEvent, Cycle, Explanation, Reduction, ReviewEvent, Run, Target
from selftest.refusals import RefusedError
from selftest.reviewing.events import NOTE_CHARACTERS
from selftest.reviewing.judgement import LINK_CHARACTERS, VERSION_CHARACTERS, checked_link
from selftest.storage.texts import HALF_SURROGATE

JSON_TYPE = "application/json"
MAX_ROW_ID = 2**63 - 1  # what every database holds as a number
MAX_COUNT = 2**31 - 1  # what every database holds in a column of counts
MAX_TEXT_CHARACTERS = 1000  # in a search or a note


def whole_number(least: int, most: int) -> Callable[[Any], int]:
    """Text must be digits only: neither 5.0 nor 5_0."""

    def parse(value: Any) -> int:
        is_number = type(value) is int or (isinstance(value, str) and value.isascii() and value.isdigit())
        if not is_number or len(str(value)) > len(str(most)) or not least <= int(value) <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(value)

    return parse


def _written_out(value: Any) -> Any:
    """Neither a number of seconds nor a moment is a date."""
    if not isinstance(value, str) or not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise ValueError("must be a date, YYYY-MM-DD")
    return value


def _no_text(value: Any) -> Any:
    """In JSON a number is a number, and 7.0 is 7; neither "7" nor true is."""
    if isinstance(value, str | bool):
        raise ValueError("must be a number")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _storable(text: str) -> str:
    """Text that every database can store; no stored row could contain anything else."""
    if "\x00" in text or HALF_SURROGATE.search(text):
        raise ValueError("must hold neither the character NUL nor half of a surrogate pair")
    return text


def _link(text: str) -> str:
    """One that browsers may open; "" for none."""
    try:
        return checked_link(text)
    except RefusedError as fault:
        raise ValueError(str(fault)) from fault


def _known_recipe(name: str) -> str:
    if name not in RECIPES:
        raise ValueError(f"must be one of {', '.join(RECIPES)}")
    return name


def words_of(words: type[TextChoices]) -> WithJsonSchema:
    """The values of a column, inlined."""
    return WithJsonSchema({"type": "string", "enum": list(words.values)})


RowId = Annotated[int, Field(ge=0, le=MAX_ROW_ID), BeforeValidator(whole_number(0, MAX_ROW_ID))]
JsonRowId = Annotated[RowId, BeforeValidator(_no_text)]
JsonQueries = Annotated[int, Field(ge=1, le=MOST_QUERIES), BeforeValidator(_no_text)]
JsonCount = Annotated[
    int, Field(ge=1, le=MAX_COUNT), BeforeValidator(whole_number(1, MAX_COUNT)), BeforeValidator(_no_text)
]
JsonResults = Annotated[
    int,
    Field(ge=1, le=MOST_RESULTS),
    BeforeValidator(whole_number(1, MOST_RESULTS)),
    BeforeValidator(_no_text),
]
JsonDate = Annotated[date, BeforeValidator(_written_out)]
Text = Annotated[str, AfterValidator(_storable), Field(json_schema_extra={"pattern": r"^[^\u0000]*$"})]
ShortText = Annotated[Text, Field(min_length=1, max_length=MAX_TEXT_CHARACTERS)]
Reason = Annotated[Text, Field(max_length=NOTE_CHARACTERS)]
Link = Annotated[Text, Field(max_length=LINK_CHARACTERS), AfterValidator(_link)]
Version = Annotated[Text, Field(max_length=VERSION_CHARACTERS)]
RecipeName = Annotated[
    str, AfterValidator(_known_recipe), WithJsonSchema({"type": "string", "enum": list(RECIPES), "title": "Recipe"})
]
# Inlined: several of these classes have the same name, and names must be unique in an OpenAPI document.
TargetKind = Annotated[Target.Kind, words_of(Target.Kind)]
CycleTrigger = Annotated[Cycle.Trigger, words_of(Cycle.Trigger)]
CycleState = Annotated[Cycle.State, words_of(Cycle.State)]
RunState = Annotated[Run.State, words_of(Run.State)]
ReductionState = Annotated[Reduction.State, words_of(Reduction.State)]
ExplainedCause = Annotated[Explanation.Cause, words_of(Explanation.Cause)]
EventKind = Annotated[ReviewEvent.Kind, words_of(ReviewEvent.Kind)]
CauseVerdict = Annotated[Cause.Verdict, words_of(Cause.Verdict)]
CauseEventKind = Annotated[CauseEvent.Kind, words_of(CauseEvent.Kind)]
ExampleOutcome = Annotated[Outcome, words_of(Outcome)]
ExpectKind = Annotated[Expect, WithJsonSchema({"type": "string", "enum": list(Expect)})]
ActKind = Annotated[Act.Kind, words_of(Act.Kind)]
ProposalOrigin = Annotated[Proposal.Origin, words_of(Proposal.Origin)]
ProposalState = Annotated[Proposal.State, words_of(Proposal.State)]
SuggestionState = Annotated[Suggestion.State, words_of(Suggestion.State)]
ComparisonState = Annotated[Comparison.State, words_of(Comparison.State)]
ComparisonQueries = Annotated[Comparison.Queries, words_of(Comparison.Queries)]
UtcTime = Annotated[
    datetime,
    PlainSerializer(utc_text, return_type=str),
    WithJsonSchema(
        {"type": "string", "format": "date-time", "examples": ["2026-06-30T12:00:00Z"]}, mode="serialization"
    ),
]


DefaultTarget = Annotated[Text | None, QueryParam(None, description="Target name. Default: the default target.")]


class _QueryOrBodyModel(QueryModel):
    @classmethod
    def get_request_data(
        cls, request: HttpRequest, api: NinjaAPI, path_params: dict[str, Any]
    ) -> dict[str, Any] | None:
        return {**_body_fields(request), **(super().get_request_data(request, api, path_params) or {})}


class QueryOrBody(QueryParam):  # type: ignore[misc]  # ninja derives it from a final class
    """A query parameter that may also be sent as a form field or in a JSON object; the query string wins."""

    _model = _QueryOrBodyModel

    @classmethod
    def _param_source(cls) -> str:
        return "query"


def _body_fields(request: HttpRequest) -> dict[str, Any]:
    if request.content_type != JSON_TYPE:
        return dict(request.POST.items())
    if not request.body:
        return {}
    try:
        document = json.loads(request.body)
    except (ValueError, RecursionError) as fault:
        raise HttpError(400, f"the body is not JSON: {fault}") from fault
    if not isinstance(document, dict):
        raise HttpError(400, "the body is not a JSON object")
    return document
