"""Request and response bodies of search. Keys that contract/API.md names come first.

Whatever is wrong with a request is a 400 that names it, in the reader's language; nothing unknown widens a search.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from ninja import Field, Schema
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ModelWrapValidatorHandler,
    StrictBool,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import ErrorDetails

from review.api.errors import CODES, ApiError
from review.api.values import JsonResults, Text, UtcTime
from review.localisation import message_of
from selftest.knowledge.core.answers import DEFAULT_RESULTS, LONGEST_QUERY
from selftest.knowledge.core.chunks import Domain, Kind
from selftest.knowledge.core.queries import normalized
from selftest.knowledge.search_records import COMMENT_CHARACTERS

MOST_VALUES = 50  # of one filter
NAME_CHARACTERS = 100  # of a product, a version, a service, a tag; a column's width
TARGET_CHARACTERS = 200
ID_CHARACTERS = 100
SHOWN_CHARACTERS = 100  # of an unknown value in a message
TYPES = (Kind.DOCS, Kind.API, Kind.DOCTOR)  # the kinds that the legacy call knows
KEY = "knowledge.validation."


def _said(q: str) -> str:
    if not normalized(q):
        raise ValueError("must hold something to search for")
    return q


def _several(value: Any) -> Any:
    """One value is a list of one."""
    return [value] if isinstance(value, str) else value


def _told(one: dict[str, Any]) -> WithJsonSchema:
    """How a filter is told of: one such value, or a list of them."""
    return WithJsonSchema({"anyOf": [{"type": "array", "items": one, "maxItems": MOST_VALUES}, one]})


def _word(words: Sequence[str]) -> WithJsonSchema:
    return _told({"type": "string", "enum": list(words)})


def _text(longest: int) -> WithJsonSchema:
    return _told({"type": "string", "minLength": 1, "maxLength": longest, "pattern": r"^[^\u0000]*$"})


Query = Annotated[
    str,
    AfterValidator(_said),
    # Something that is neither space nor a control character.
    Field(max_length=LONGEST_QUERY, json_schema_extra={"pattern": r"[^\s\u0000-\u001f\u007f-\u009f]"}),
]
Name = Annotated[Text, Field(min_length=1, max_length=NAME_CHARACTERS)]
TargetName = Annotated[Text, Field(min_length=1, max_length=TARGET_CHARACTERS)]
SEVERAL = BeforeValidator(_several)
NOT_TOO_MANY = Field(max_length=MOST_VALUES)
DomainNames = Annotated[list[Domain], NOT_TOO_MANY, SEVERAL, _word(list(Domain))]
KindNames = Annotated[list[Kind], NOT_TOO_MANY, SEVERAL, _word(list(Kind))]
TypeNames = Annotated[list[Literal["docs", "api", "doctor"]], NOT_TOO_MANY, SEVERAL, _word(TYPES)]
Tags = Annotated[list[Name], NOT_TOO_MANY, SEVERAL, _text(NAME_CHARACTERS)]
TargetNames = Annotated[list[TargetName], Field(min_length=1), NOT_TOO_MANY, SEVERAL, _text(TARGET_CHARACTERS)]


class _Asked(BaseModel):
    """A body whose faults are 400."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _refuse(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, dict):
            raise refusal(KEY + "no_object", None)
        try:
            return validate(data)
        except ValidationError as fault:
            raise _refusal_of(fault.errors(include_url=False)[0], cls) from None


class LegacyFilters(BaseModel):
    """What results must be. Several values of one filter: any of them, but all tags; several filters: all."""

    model_config = ConfigDict(extra="forbid")

    type: TypeNames | None = None
    product: Name | None = None
    version: Name | None = None
    service: Name | None = None
    tags: Tags | None = None
    target: TargetNames | None = Field(default=None, description="Names. What belongs to no target is found too.")


class SearchFilters(LegacyFilters):
    """The same, with domains and kinds."""

    domains: DomainNames | None = None
    entityTypes: KindNames | None = None  # noqa: N815 - the contract's name


class LegacySearchIn(_Asked):
    """A search of documents, operations and checks of the doctor."""

    q: Query
    k: JsonResults = DEFAULT_RESULTS
    filters: LegacyFilters | None = None
    includeDebug: StrictBool = Field(False, description="Tell ranks and boosts of each result.")  # noqa: N815


class SearchIn(LegacySearchIn):
    """A search of all there is."""

    filters: SearchFilters | None = None


class FeedbackIn(_Asked):
    """What a reader thinks of one result; it takes the place of what they said before."""

    q: Query
    id: Annotated[Text, Field(min_length=1, max_length=ID_CHARACTERS)] = Field(description="Of the result.")
    rating: Literal["up", "down"]
    comment: Annotated[Text, Field(max_length=COMMENT_CHARACTERS)] = ""


def refusal(key: str, field: str | None, **values: object) -> ApiError:
    """400 with the message of this key."""
    return ApiError(400, CODES[400], message_of(key, field=field, **values), field, key)


def unknown_value(field: str, value: object, known: Sequence[str]) -> ApiError:
    """400 for a value that is on no allow-list."""
    shown = value[:SHOWN_CHARACTERS] if isinstance(value, str) else str(value)[:SHOWN_CHARACTERS]
    return refusal(KEY + "unknown_value", field, value=repr(shown), known=", ".join(known) or "-")


def _refusal_of(fault: ErrorDetails, asked: type[BaseModel]) -> ApiError:
    place, kind = fault["loc"], fault["type"]
    field = ".".join(str(name) for name in place if isinstance(name, str))
    if kind == "extra_forbidden":
        name = field[:SHOWN_CHARACTERS]
        if place[0] != "filters":
            return refusal(KEY + "unknown_field", name)
        return refusal(KEY + "unknown_filter", name, known=", ".join(_filters_of(asked)))
    if place == ("q",):
        if kind in ("string_too_long", "too_long"):
            return refusal(KEY + "q_max_512", field)
        if kind in ("missing", "value_error") or fault["input"] is None:
            return refusal(KEY + "q_required", field)
    if place == ("k",):
        return refusal(KEY + "k_range", field)
    if place[:2] == ("filters", "target") and kind in ("string_too_short", "too_short"):
        return refusal(KEY + "tenant_required", field)
    if kind in ("enum", "literal_error"):
        known = fault["ctx"]["expected"].replace("'", "").replace(" or ", ", ")
        return unknown_value(field, fault["input"], known.split(", "))
    return refusal(KEY + "malformed", field, problem=fault["msg"].removeprefix("Value error, "))


def _filters_of(asked: type[BaseModel]) -> list[str]:
    filters = SearchFilters if asked is SearchIn else LegacyFilters
    return sorted(filters.model_fields)


class ActionOut(Schema):
    """What can be done with a result. command: what is copied, or what *More like this* searches for."""

    kind: str = Field(description="`open`, `curl`, `run`, `remedy` or `more`.")
    label: str
    url: str
    command: str
    requiresConfirmation: bool  # noqa: N815 - the specification's name
    isDestructive: bool  # noqa: N815


class FoundOut(Schema):
    """One result."""

    id: str
    kind: str
    domain: str
    title: str
    snippet: str = Field(description="HTML: escaped text, with `<mark>` around what matched and no other tag.")
    score: float = Field(description="Higher is better; compared within one answer only.")
    matched_by: list[str] = Field(description="`exact`, `full_text`, `fuzzy`, `synonyms`, `vectors`.")
    action: ActionOut | None = Field(description="The first of `actions`.")
    snippet_text: str = Field(description="The snippet as plain text.")
    spans: list[tuple[int, int]] = Field(description="What matched in `snippet_text`: start and end.")
    actions: list[ActionOut]
    path: str
    anchor: str
    section_path: list[str]
    tags: list[str]
    target: str | None
    language: str
    preview: str = Field(description="More of it, as plain text.")
    details: dict[str, Any] = Field(description="What its kind adds, such as `method` and `path` of an operation.")
    debug: dict[str, Any] | None = Field(description="`ranks` by lane, and `boosts`. null: not asked for.")


class RefinementOut(Schema):
    """A filter that would narrow the results. count: how many would be left of those looked at."""

    filter: str
    value: str
    count: int


class CitationOut(Schema):
    """What a sentence of a composed answer rests on."""

    number: int
    id: str
    title: str
    url: str


class SynthesisOut(Schema):
    """An answer composed of results. by: `template`, or the language model's name."""

    text: str
    citations: list[CitationOut]
    by: str


class DiagnosticsOut(Schema):
    """How it was answered. mode: `unified` or `legacy`."""

    mode: str
    latency_ms: float


class SearchOut(Schema):
    """What a search found, best first."""

    results: list[FoundOut]
    didYouMean: str | None = Field(description="The query with misspelt words mended.")  # noqa: N815
    suggestions: list[str] = Field(description="Other queries worth trying.")
    refinements: list[RefinementOut]
    synthesis: SynthesisOut | None
    intent: str
    language: str = Field(description="Of the query.")
    diagnostics: DiagnosticsOut


class LegacyFoundOut(FoundOut):
    """One result, as the legacy call has it."""

    type: str = Field(description="`docs`, `api` or `doctor`.")


class LegacySearchOut(SearchOut):
    """What a search found, as the legacy call has it."""

    results: list[LegacyFoundOut]  # type: ignore[assignment]  # nothing is ever added to it


class FeedbackOut(Schema):
    """What was recorded."""

    status: Literal["recorded"]
    id: str
    rating: str


class RebuildOut(Schema):
    """What a rebuild came to. kinds: how many pieces of each there are. refused: what could not be read, and why."""

    kinds: dict[str, int]
    documents: int
    added: int
    changed: int
    removed: int
    seconds: float
    refused: list[str]


class HistoryEntryOut(Schema):
    """A query of one's own."""

    q: str
    results: int
    at: UtcTime


class HistoryOut(Schema):
    """One's own searches, the newest first. kept: whether one chose to have them kept."""

    kept: bool
    entries: list[HistoryEntryOut]


class ForgottenOut(Schema):
    """How many queries were deleted."""

    deleted: int
