"""Request and response bodies of the calls about findings and proposals. Keys that contract/API.md names come first."""

from typing import Annotated

from ninja import Field, Schema
from pydantic import AfterValidator, ConfigDict

from review.api.schemas import Page
from review.api.values import (
    ActKind,
    ExampleOutcome,
    ExpectKind,
    JsonRowId,
    ProposalOrigin,
    ProposalState,
    Text,
    UtcTime,
)
from selftest.core.judging.findings import CheckName
from selftest.findings.examples import MOST_SOURCES, PHRASE_CHARACTERS, QUERY_CHARACTERS
from selftest.findings.models.finding import CATEGORY_CHARACTERS, SOURCE_CHARACTERS
from selftest.findings.saving import CONTENT_CHARACTERS, MOST_TAGS, TAG_CHARACTERS

MOST_UNDONE = 500  # acts of one call
NOT_BLANK = {"pattern": r"^[^\u0000]*[^\s\u0000][^\u0000]*$"}


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must hold something")
    return text


Content = Annotated[Text, AfterValidator(_not_blank), Field(max_length=CONTENT_CHARACTERS, json_schema_extra=NOT_BLANK)]
Category = Annotated[
    Text, AfterValidator(_not_blank), Field(max_length=CATEGORY_CHARACTERS, json_schema_extra=NOT_BLANK)
]
Tag = Annotated[Text, Field(max_length=TAG_CHARACTERS)]
Source = Annotated[Text, Field(max_length=SOURCE_CHARACTERS)]


class AboutOut(Schema):
    """What a finding is about."""

    target: str | None
    source: str | None
    check: str | None
    cause: int | None
    fingerprint: str | None


class ExampleOut(Schema):
    """What is asked to see whether a claim holds."""

    query: str
    cause: int | None = Field(description="Whose query it is.")
    fingerprint: str | None
    expect: ExpectKind
    named: list[str] = Field(description="The sources, the phrase or the check.")
    outcome: ExampleOutcome | None = Field(description="Of the last check; null: not checked yet.")
    times_checked: int
    checked_at: UtcTime | None
    checked_version: str | None


class FindingOut(Schema):
    """What was learnt, to the letter as it was saved."""

    id: int
    category: str
    content: str
    tags: list[str]
    is_correction: bool = Field(description="A person's correction: it loses to nothing but a correction.")
    saved_by: str
    created_at: UtcTime
    superseded_by: int | None = Field(description="null: active.")
    example: ExampleOut | None
    about: AboutOut


class WhyOut(Schema):
    """Why one finding contradicts another one."""

    rule: str
    sentence: str = Field("", description="The rule in words; of a language model its own reason.")
    shared: list[str] = Field([], description="Words that both have.")
    older: list[str] = Field([], description="What decided in the older one.")
    newer: list[str] = Field([], description="What decided in the newer one.")
    overlap: float | None = Field(None, description="Of the words that matter, 0 to 1.")


class ActOut(Schema):
    """An entry of a finding's story."""

    act: int = Field(description="Its number. Send it as one of `acts` to undo exactly this.")
    kind: ActKind
    finding: int = Field(description="What it happened to.")
    by: int | None = Field(description="The other finding: what superseded it, or did until then.")
    actor: str
    at: UtcTime
    profile: str | None = Field(description="The rules that decided. null: a person did.")
    why: WhyOut | None


class FindingAnswer(Schema):
    """A finding, what it superseded, what superseded it, and why: the acts that are in force."""

    finding: FindingOut
    superseded: list[int]
    superseded_by: int | None
    why: list[ActOut]


class FindingWithStory(FindingAnswer):
    """The same, with all that ever happened to it."""

    story: Page[ActOut] = Field(description="What happened to it or through it, newest first.")


class FindingsOut(Schema):
    """One page of findings, newest first. `next`: the cursor of the next page; null on the last."""

    findings: list[FindingOut]
    next: str | None


class DeletedOut(Schema):
    """What deleting did."""

    deleted: int
    freed: list[int] = Field(description="What it had superseded and is active again.")


class ProposalOut(Schema):
    """That one finding should supersede another one."""

    id: int
    loser: FindingOut
    winner: FindingOut | None = Field(description="null: `content` is saved when it is accepted.")
    content: str | None = Field(description="What is true now, as the claim's example shows.")
    version: str | None = Field(description="Of the target, when the example was asked.")
    origin: ProposalOrigin
    why: WhyOut | None
    state: ProposalState
    created_at: UtcTime
    decided_by: str | None
    decided_at: UtcTime | None


class ProposalsOut(Schema):
    """One page of proposals, newest first. `next`: the cursor of the next page; null on the last."""

    proposals: list[ProposalOut]
    next: str | None


class ProposalAnswer(FindingAnswer):
    """The winner of a proposal, as a finding is answered, or else the loser; and the proposal."""

    proposal: ProposalOut


class AboutIn(Schema):
    """What a finding is about; any of it may be left out."""

    model_config = ConfigDict(extra="forbid")

    target: Text | None = Field(None, description="Its name. Default: that of the cause or the combination.")
    source: Source | None = None
    check: CheckName | None = None
    cause: JsonRowId | None = Field(None, description="Of one that was merged, what it became is kept.")
    fingerprint: Text | None = Field(None, description="Of a combination of that target, or of the default one.")


class ExampleIn(Schema):
    """What is asked to see whether a claim holds: the query of one of the first three, and what should be seen."""

    model_config = ConfigDict(extra="forbid")

    query: Annotated[Text, Field(max_length=QUERY_CHARACTERS)] | None = None
    cause: JsonRowId | None = Field(None, description="Its smallest query.")
    fingerprint: Text | None = Field(None, description="Of a combination of the target.")
    expect: ExpectKind
    named: list[Annotated[Text, Field(max_length=PHRASE_CHARACTERS)]] = Field(
        min_length=1,
        max_length=MOST_SOURCES,
        description="`sources`: all that the answer comes from; `header`, `no_header`: one source; `phrase`, "
        "`no_phrase`: a phrase; `flagged`, `not_flagged`: a check, of a cause or a combination.",
    )


class FindingIn(Schema):
    """What was learnt. Category, text and tags are kept to the letter."""

    model_config = ConfigDict(extra="forbid")

    category: Category = Field(
        description="A path: `claim/capability/TARGET/SUBJECT`, `feedback/from-user/SUBJECT`, "
        "`feedback/from-agent/SUBJECT`, or any other, which is compared with nothing."
    )
    content: Content
    tags: list[Tag] = Field([], max_length=MOST_TAGS, description="`correction`: it wins over what others say.")
    about: AboutIn | None = None
    example: ExampleIn | None = Field(None, description="Of a claim: asked once a day, and of each new version.")


class UndoIn(Schema):
    """What is undone."""

    model_config = ConfigDict(extra="forbid")

    acts: list[JsonRowId] | None = Field(
        None,
        min_length=1,
        max_length=MOST_UNDONE,
        description="The `act` numbers of what you saw: these are undone, all or none; refused where one of them is "
        "not in force any more. Default: the act that superseded it, or else all by which it superseded others.",
    )
