"""Request and response bodies of the calls about causes. Keys are in the order of contract/API.md; more may follow."""

from ninja import Field, Schema
from pydantic import ConfigDict

from review.api.schemas import Page
from review.api.values import (
    CauseEventKind,
    CauseVerdict,
    JsonCount,
    JsonDate,
    JsonRowId,
    Link,
    Reason,
    Text,
    UtcTime,
    Version,
)
from selftest.models import CauseEvent
from selftest.reading.dismissals import former_verdict


class UntilOut(Schema):
    """What brings a cause back that was judged `later`: any of these that is not null."""

    date: str | None = Field(description="YYYY-MM-DD.")
    new_flags: int | None
    target_version: str | None


class QuietSpellOut(Schema):
    """Queries in a row that could have shown a cause and did not."""

    runs: int
    chance: float = Field(description="Of that, had nothing changed: 0.05 at most.")


class CauseRow(Schema):
    """A cause with its counts and its verdict."""

    id: int
    target: str
    sentence: str = Field(description="What the flagged queries have in common.")
    checks: list[str] = Field(description="The checks that it shows in, most flags first.")
    flags_now: int = Field(description="Combinations whose last run shows it.")
    flags_open: int = Field(description="Combinations that show it and are not dismissed.")
    flags_total: int = Field(description="All flags with this cause. Send it as `seen_flags` to act on what you saw.")
    runs_matching: int = Field(description="Recent runs whose query fits the sentence.")
    verdict: CauseVerdict | None = Field(description="null: not judged.")
    reason: str
    link: str = Field(description="Where it is tracked; may be empty.")
    assignee: str | None = Field(description="User name. null: assigned to no one.")
    smallest_query: str | None = Field(description="The smallest query that shows it. null: its example is gone.")
    example_fingerprint: str | None = Field(description="The combination of that query.")
    reproduced: tuple[int, int] = Field(
        description="Of the times that its queries were repeated: how many showed the flag again, and how many in all."
    )
    first_seen: UtcTime
    last_seen: UtcTime
    new_since_verdict: int = Field(description="Flags since the verdict.")
    judged_by: str
    judged_at: UtcTime | None
    until: UntilOut | None = Field(description="null: it comes back with the next flag.")
    in_inbox: bool = Field(description="Whether it waits for a person.")
    runs_flagged: int = Field(description="Those of `runs_matching` that were flagged for it.")
    other_runs: int = Field(description="Recent runs whose query does not fit the sentence.")
    other_runs_flagged: int = Field(description="Those of `other_runs` with such a mistake, whatever its cause.")
    quiet: QuietSpellOut | None = Field(description="The newest runs that could have shown it and did not.")
    back_after: QuietSpellOut | None = Field(description="The same of runs before those that show it again.")


class CauseEventOut(Schema):
    """An entry of a cause's story: an action by a person, or a finding of the engine."""

    id: int
    kind: CauseEventKind
    verdict: CauseVerdict | None = Field(description="The verdict that was given or taken back, if any.")
    verdict_before: CauseVerdict | None = Field(description="Of a changed verdict: the former one.")
    actor: str
    note: str
    other_cause_id: int | None = Field(alias="other_id", description="The other cause of a split, merge or move.")
    at: UtcTime

    @staticmethod
    def resolve_verdict(row: CauseEvent) -> str | None:
        return row.verdict or None

    @staticmethod
    def resolve_verdict_before(row: CauseEvent) -> str | None:
        return former_verdict(row)


class PromiseSourceOut(Schema):
    """A sentence of the target's own documentation."""

    text: str
    document: str = Field(description="Its path in the documentation.")
    anchor: str = Field(description="The section; may be empty.")
    url: str = Field(description="Where it is read in Gadfly.")


class CauseOut(CauseRow):
    """A cause with its story."""

    promise_source: PromiseSourceOut | None = Field(
        description="What the target's documentation says about the promise of the cause's first check. null: nothing."
    )
    story: Page[CauseEventOut] = Field(description="What happened to it, newest first.")


class CausesOut(Schema):
    """One page of causes. `next`: the cursor of the next page; null on the last."""

    causes: list[CauseRow]
    next: str | None


class UntilIn(Schema):
    """What brings a cause back: whichever comes first. Without any of these, its next flag does."""

    model_config = ConfigDict(extra="forbid")

    date: JsonDate | None = Field(None, description="The first day on which it is back in the inbox (UTC).")
    new_flags: JsonCount | None = Field(None, description="So many flags after the verdict.")
    target_version: Version | None = Field(
        None, description="When the target answers with this version, or, if it does now, with another one."
    )


class JudgeIn(Schema):
    """A verdict on a cause."""

    model_config = ConfigDict(extra="forbid")

    verdict: CauseVerdict
    reason: Reason = Field("", description="Shown in the story of the cause and of its combinations.")
    link: Link = Field("", description="Where it is tracked: an http or https URL.")
    until: UntilIn | None = Field(None, description="Only used by `later`.")
    seen_flags: JsonRowId | None = Field(
        None, description="The `flags_total` that you saw. Refused if there are more since."
    )
    seen_verdict: CauseVerdict | None = Field(
        None, description="The `verdict` that you saw, null for none. Refused if it has another one since."
    )


class ReopenIn(Schema):
    """Why a verdict is taken back."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason = Field("", description="Shown in the story of the cause.")
    former_verdict: bool = Field(False, description="Only undo the last change of the verdict; stay judged.")


class AssignIn(Schema):
    """Who looks into a cause."""

    model_config = ConfigDict(extra="forbid")

    assignee: Text | None = Field(description="Name of a user who may review. null: no one.")
