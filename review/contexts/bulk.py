"""`/bulk/<id>`: one act upon many combinations, before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.findings import name_of_check
from review.contexts.verdicts import JudgingForm
from selftest.models import BulkAct, BulkItem, Cause

DONE = {
    BulkAct.Kind.DISMISS: "Dismissed",
    BulkAct.Kind.UNDISMISS: "Restored",
    BulkAct.Kind.ASSIGN: "Assigned",
    BulkAct.Kind.UNASSIGN: "Unassigned",
}
DO = {
    BulkAct.Kind.DISMISS: "Judge",
    BulkAct.Kind.UNDISMISS: "Restore",
    BulkAct.Kind.ASSIGN: "Assign to me",
    BulkAct.Kind.UNASSIGN: "Unassign",
}


OUTCOMES = {
    BulkItem.Outcome.WAITING: "Not done yet",
    BulkItem.Outcome.DONE: "Done",
    BulkItem.Outcome.SKIPPED: "Changed since it was listed; skipped",
    BulkItem.Outcome.UNDONE: "Undone",
    BulkItem.Outcome.KEPT: "Changed since; not undone",
}

CHANGED = (BulkItem.Outcome.DONE, BulkItem.Outcome.UNDONE, BulkItem.Outcome.KEPT)


NAMED_CHECKS = 2  # a toast has little room


def done_word(act: BulkAct) -> str:
    """What was done to each: of a dismissal the verdict; of what was assigned to another, to which person."""
    if act.assignee is not None:
        return f"Assigned to {act.assignee.get_username()}"
    return Cause.Verdict(act.verdict).label if act.verdict else DONE[BulkAct.Kind(act.kind)]


def toast_name(act: BulkAct) -> str:
    """Of the toast that tells of it."""
    return f"bulk-{act.pk}"


def done_words(act: BulkAct, count: int, checks: Sequence[str]) -> str:
    """`Dismissed: 12 flags (Unasked source)`, for a toast. checks: of these flags."""
    named = ", ".join(name_of_check(check) for check in checks)
    of_which = named if len(checks) <= NAMED_CHECKS else f"{len(checks)} checks"
    return f"{done_word(act)}: {count:,} flag{'s' * (count != 1)} ({of_which})"


@dataclass(frozen=True)
class ItemLine:
    """A combination of the list, and what came of it. check: of its flag; name: the same in words."""

    combination: int
    query: str
    check: str
    name: str
    words: str

    @classmethod
    def of(cls, item: BulkItem) -> "ItemLine":
        """As the row has it."""
        check = item.combination.flagged_check
        return cls(
            item.combination_id,
            item.combination.last_query_text,
            check,
            name_of_check(check),
            OUTCOMES[BulkItem.Outcome(item.outcome)],
        )


@dataclass(frozen=True)
class BulkPage:
    """judging: what a dismissal is decided with; None of another act. do: the verb on the button; done: the same, over.

    left_out: the rows that had changed, each by name.

    lines: the beginning of the list. changed: how many rows the act changed; waiting: how many it did not come to.
    """

    pk: int
    judging: JudgingForm | None
    do: str
    done: str
    is_frozen: bool
    is_done: bool
    is_undone: bool
    actor: str
    note: str
    link: str
    created_at: datetime
    done_at: datetime | None
    undone_at: datetime | None
    count: int
    changed: int
    waiting: int
    skipped: int
    kept: int
    lines: tuple[ItemLine, ...]
    left_out: tuple[ItemLine, ...]
    older: str
    back: str

    @classmethod
    def of(
        cls,
        act: BulkAct,
        judging: JudgingForm,
        outcomes: Mapping[BulkItem.Outcome, int],
        items: Sequence[BulkItem],
        left_out: Sequence[BulkItem],
        older: str,
        back: str,
    ) -> "BulkPage":
        """outcomes: how many rows came to what."""
        kind = BulkAct.Kind(act.kind)
        return cls(
            pk=act.pk,
            judging=judging if kind is BulkAct.Kind.DISMISS else None,
            do=DO[kind],
            done=done_word(act),
            is_frozen=act.state == BulkAct.State.FROZEN,
            is_done=act.state == BulkAct.State.DONE,
            is_undone=act.state == BulkAct.State.UNDONE,
            actor=act.actor,
            note=act.note,
            link=act.link,
            created_at=act.created_at,
            done_at=act.done_at,
            undone_at=act.undone_at,
            count=sum(outcomes.values()),
            changed=sum(outcomes[came_to] for came_to in CHANGED),
            waiting=outcomes[BulkItem.Outcome.WAITING],
            skipped=outcomes[BulkItem.Outcome.SKIPPED],
            kept=outcomes[BulkItem.Outcome.KEPT],
            lines=tuple(map(ItemLine.of, items)),
            left_out=tuple(map(ItemLine.of, left_out)),
            older=older,
            back=back,
        )
