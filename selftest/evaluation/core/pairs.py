"""A golden pair: a query and the structure that its answer must have. Says what is valid, not whether it holds."""

import json
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints, ValidationError

QUERY_CHARACTERS = 2_000
NAME_CHARACTERS = 200
PHRASE_CHARACTERS = 300
REFERENCE_CHARACTERS = 20_000
MOST_BEARING = 2_000  # a query of as many letters cannot name more phrases
MOST_LISTED = 50  # sources, parts or phrases of one pair; a person reads them

BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # Unicode calls them letters or signs, and they are blank
NO_NUL = r"^[^\x00]*$"  # PostgreSQL cannot hold it
NOT_BLANK = r"^[^\x00]*[^\s\x00][^\x00]*$"
Query = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=QUERY_CHARACTERS, pattern=NOT_BLANK)
]


def is_seen(text: str) -> bool:
    """Whether any character of `text` can be seen by itself: a letter, a figure, a sign."""
    return any(unicodedata.category(one)[0] in "LNPS" and one not in BLANK_LETTERS for one in text)


def _seen(text: str) -> str:
    if not is_seen(text):
        raise ValueError("it has no character that can be seen")
    return text


Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_CHARACTERS, pattern=NOT_BLANK),
    AfterValidator(_seen),
]
Phrase = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=PHRASE_CHARACTERS, pattern=NOT_BLANK)
]
Text = Annotated[str, StringConstraints(max_length=REFERENCE_CHARACTERS, pattern=NO_NUL)]
Reference = Annotated[str, StringConstraints(max_length=REFERENCE_CHARACTERS, pattern=NO_NUL)]
Listed = Field(default=(), max_length=MOST_LISTED)


class PairKind(StrEnum):
    """What a pair tries out."""

    HAPPY = "happy"
    VAGUE = "vague"
    RIVAL_TERM = "rival_term"
    SYNTHESIS = "synthesis"
    BAIT = "bait"
    REFUSAL = "refusal"


KIND_NAMES = {
    PairKind.HAPPY: "Ordinary query",
    PairKind.VAGUE: "Vague query",
    PairKind.RIVAL_TERM: "Rival term injected",
    PairKind.SYNTHESIS: "Several sources in one answer",
    PairKind.BAIT: "Bait for inventions",
    PairKind.REFUSAL: "To be refused",
}


class LatencyClass(StrEnum):
    """How long an answer may take. Wide apart on purpose: time depends on what the machine does meanwhile."""

    QUICK = "quick"
    ORDINARY = "ordinary"
    SLOW = "slow"


LIMITS_S = {LatencyClass.QUICK: 2.0, LatencyClass.ORDINARY: 10.0, LatencyClass.SLOW: 60.0}


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PartAsked(_Document):
    """A part of the query. text: what it is asked as alone. source: that answers it."""

    text: Query
    source: Name


class Expectations(_Document):
    """What must hold of the answer. Empty: not looked at.

    sources: all that have content in it, and no others. headers: sources whose exact header stands in it, and no
    others; ordered: in this order. absent: phrases that must not stand in it. refuses: it says that it has nothing.
    """

    sources: tuple[Name, ...] = Listed
    headers: tuple[Name, ...] = Listed
    headers_ordered: StrictBool = False
    parts: tuple[PartAsked, ...] = Listed
    absent: tuple[Phrase, ...] = Listed
    latency: LatencyClass | None = None
    refuses: StrictBool = False

    @property
    def contradiction(self) -> str:
        """Why they can never hold together; "" where they can."""
        if self.refuses and (self.sources or self.headers or self.parts):
            return "an answer that refuses has no sources, headers or parts"
        if len(set(self.headers)) < len(self.headers):
            return "headers: a source is named twice"
        return ""

    @property
    def named_sources(self) -> tuple[str, ...]:
        """Each source that is named anywhere, once."""
        return tuple(dict.fromkeys((*self.sources, *self.headers, *(part.source for part in self.parts))))


class PairContent(_Document):
    """A pair without its name. keyphrases and reference are for graders alone."""

    query: Query
    kind: PairKind = PairKind.HAPPY
    expectations: Expectations = Expectations()
    keyphrases: tuple[Phrase, ...] = Listed
    reference: Reference = ""

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return self.model_dump(mode="json")


class Baseline(_Document):
    """What a pair was made on. bears: what of the vocabulary it depends on; structure: the sections it saw, in order.

    structure None: not seen yet.
    """

    target: Text = ""
    target_version: Text = ""
    vocabulary: Text = ""
    bears: dict[Text, Text] = Field(default={}, max_length=MOST_BEARING)
    structure: tuple[Text, ...] | None = Field(default=None, max_length=MOST_BEARING)


class PairLine(PairContent):
    """A pair as a line of a file. made_on None: it is made on what the target is now."""

    name: Name
    made_on: Baseline | None = None

    @property
    def content(self) -> PairContent:
        """Without name and baseline."""
        return PairContent(**{field: getattr(self, field) for field in PairContent.model_fields})


class PairError(ValueError):
    """What is not valid in a pair. faults: a sentence for each, that names the key."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(faults))


def content_of(document: object) -> PairContent:
    """Raises PairError."""
    try:
        return PairContent.model_validate(document)
    except ValidationError as invalid:
        raise _named(invalid) from invalid


def line_of(text: str) -> PairLine:
    """A line of a file. Raises PairError."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise PairError([f"not JSON: {fault}"]) from fault
    try:
        return PairLine.model_validate(document)
    except ValidationError as invalid:
        raise _named(invalid) from invalid


def _named(invalid: ValidationError) -> PairError:
    def where(location: tuple[int | str, ...]) -> str:
        return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in location).lstrip(".")

    faults = (f"{where(fault['loc'])}: {_words(fault['msg'])}" for fault in invalid.errors())
    return PairError([fault.removeprefix(": ") for fault in faults])


def _words(message: str) -> str:
    """As pydantic says it, without its capital."""
    said = message.removeprefix("Value error, ")
    return said[:1].lower() + said[1:]
