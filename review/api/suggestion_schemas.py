"""Request and response bodies of the calls about suggestions for a vocabulary."""

from typing import Annotated

from ninja import Field, Schema
from pydantic import ConfigDict

from review.api.values import JsonRowId, SuggestionState, Text, UtcTime
from selftest.evaluation.core.suggestions import MOST_CHARACTERS
from selftest.evaluation.suggestion_acts import NOTE_CHARACTERS

MOST_AT_ONCE = 200
Reason = Annotated[Text, Field(max_length=NOTE_CHARACTERS)]


class AcceptedText(Schema):
    """One that is accepted."""

    model_config = ConfigDict(extra="forbid")

    id: JsonRowId
    text: Annotated[Text, Field(max_length=MOST_CHARACTERS)] | None = Field(
        None, description="Edited. Without it as it is."
    )


class AcceptIn(Schema):
    """What becomes a part of the next version of the vocabulary: all or nothing."""

    model_config = ConfigDict(extra="forbid")

    suggestions: Annotated[list[AcceptedText], Field(min_length=1, max_length=MOST_AT_ONCE)]
    reason: Reason = ""


class RefuseIn(Schema):
    """What is never to be proposed again."""

    model_config = ConfigDict(extra="forbid")

    suggestions: Annotated[list[JsonRowId], Field(min_length=1, max_length=MOST_AT_ONCE)]
    reason: Reason = ""


class DecisionOut(Schema):
    """That some suggestions were accepted or refused at once."""

    act: str
    count: int
    version: int | None = Field(description="Of the vocabulary that accepting made.")
    reason: str
    actor: str
    at: UtcTime


class SuggestionOut(Schema):
    """A pair, condition or topic that a vocabulary may grow by."""

    id: int
    kind: str
    text: str
    proposed: str = Field(description="The text before a person edited it.")
    origin: str
    why: str = Field(description="Where it was seen; of an unfit one the reason.")
    state: SuggestionState
    query: str = Field(description='With which it was tried; "": it was not.')
    source_used: str
    latency_ms: float | None
    error: str
    created_at: UtcTime
    decision: DecisionOut | None


class SuggestionsOut(Schema):
    """A page of suggestions."""

    suggestions: list[SuggestionOut]
    next: str | None = Field(description="The cursor of the next page; null on the last one.")
