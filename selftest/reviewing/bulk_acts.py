"""One act on many combinations: the list is frozen, acted on once, and can be undone to what each row was before.

Rows that have changed between two steps are left alone and listed, never overwritten.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from selftest.models import Actor, BulkAct, BulkItem, Cause, Combination, Installation, ReviewEvent, Target
from selftest.models.combination import IN_QUEUE
from selftest.reading.dismissals import Dismissal, newest_changes, newest_dismissals
from selftest.reading.queue import QueueFilter, Tab, in_tab
from selftest.reading.target_versions import version_of
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.assignment import name_of_other
from selftest.reviewing.judgement import (
    COLUMNS,
    Judgement,
    Verdict,
    columns_of,
    kept_columns,
    stored,
    verdict_of,
)
from selftest.reviewing.waiting import count_waiting, judged_causes, lock_targets
from selftest.storage.chunks import CHUNK_ROWS, chunks
from selftest.storage.locks import locked

DISMISSED = Combination.ReviewStatus.DISMISSED
Kind, Outcome = BulkAct.Kind, BulkItem.Outcome

# What a row must be for an act to change it. A verdict changes what is as it was listed: open, or with its own verdict.
ACTS_ON = {
    Kind.DISMISS: Q(ever_flagged=True),
    Kind.UNDISMISS: Q(review_status=DISMISSED),
    Kind.ASSIGN: Q(ever_flagged=True, held_by__isnull=True),
    Kind.UNASSIGN: Q(held_by__isnull=False),
}
EVENT_OF = {
    Kind.UNDISMISS: ReviewEvent.Kind.UNDISMISSED,
    Kind.ASSIGN: ReviewEvent.Kind.ASSIGNED,
    Kind.UNASSIGN: ReviewEvent.Kind.UNASSIGNED,
}
EVENT_OF_UNDO = {
    Kind.DISMISS: ReviewEvent.Kind.UNDISMISSED,
    Kind.UNDISMISS: ReviewEvent.Kind.DISMISSED,
    Kind.ASSIGN: ReviewEvent.Kind.UNASSIGNED,
    Kind.UNASSIGN: ReviewEvent.Kind.ASSIGNED,
}
BEFORE = ("status_before", "verdict_before", "held_by_before", "held_at_before")
PLAIN = Judgement()
NO_VERDICTS: Mapping[int, Cause.Verdict] = MappingProxyType({})


@dataclass(frozen=True)
class SeenRow:
    """A combination as the caller saw it. run: its last one. verdict: that it is dismissed with; None: it waits."""

    combination: int
    run: int | None
    verdict: Cause.Verdict | None = None

    @classmethod
    def of(cls, row: Combination, run: int | None) -> "SeenRow":
        """As it stands now."""
        return cls(row.pk, run, verdict_of(row) if row.review_status == DISMISSED else None)


@dataclass(frozen=True)
class CountedRows:
    """The rows that a button promised: how many, the sum of their keys, and the newest flagged run among them."""

    count: int
    key_sum: int
    seen_run: int


def freeze_rows(
    kind: BulkAct.Kind,
    seen: Mapping[int, int | None],
    actor: Actor,
    judgement: Judgement = PLAIN,
    verdicts: Mapping[int, Cause.Verdict] = NO_VERDICTS,
    assignee: User | None = None,
) -> BulkAct:
    """Freezes these combinations. seen: key → the last run that the caller saw. Raises RefusedError for none.

    verdicts: key → the verdict that the caller saw, of what is dismissed. assignee: None for `actor`.
    """
    known = Combination.objects.filter(pk__in=list(seen), ever_flagged=True).order_by("id")
    rows = [SeenRow(pk, seen[pk], verdicts.get(pk)) for pk in known.values_list("pk", flat=True)]
    return freeze_listed(kind, rows, actor, judgement, "selected by hand", assignee)


def freeze_counted(
    kind: BulkAct.Kind, filters: QueueFilter, counted: CountedRows, actor: Actor, judgement: Judgement = PLAIN
) -> BulkAct:
    """Freezes exactly the rows that a button counted. Raises OutdatedError where the list has changed since."""
    rows = list(_listed(kind, filters, timezone.now(), counted.seen_run))
    if (len(rows), sum(row.combination for row in rows)) != (counted.count, counted.key_sum):
        raise OutdatedError(f"the list has changed since its {counted.count} rows were counted; look again first")
    return freeze_listed(kind, rows, actor, judgement, "a group")


def freeze_all(kind: BulkAct.Kind, filters: QueueFilter, actor: Actor, judgement: Judgement = PLAIN) -> BulkAct:
    """Freezes all rows of this list as it is now. Raises RefusedError for none."""
    return freeze_listed(kind, _listed(kind, filters, timezone.now(), None), actor, judgement, "all of a list")


def _listed(kind: BulkAct.Kind, filters: QueueFilter, now: datetime, seen_run: int | None) -> Iterable[SeenRow]:
    """Verdicts are given to what waits, and on the list of what is dismissed they are changed."""
    is_open = kind is Kind.DISMISS and filters.tab is not Tab.DISMISSED
    rows = in_tab(filters, now).filter(IN_QUEUE if is_open else ACTS_ON[kind])
    if seen_run is not None:
        rows = rows.filter(last_flagged_run__lte=seen_run)
    found = rows.order_by("id").only("last_flagged_run", "review_status", "verdict").iterator(CHUNK_ROWS)
    return (SeenRow.of(row, row.last_flagged_run_id) for row in found)


def freeze_listed(
    kind: BulkAct.Kind,
    rows: Iterable[SeenRow],
    actor: Actor,
    judgement: Judgement,
    selection: str,
    assignee: User | None = None,
) -> BulkAct:
    """Freezes these combinations, each as the caller saw it. Raises RefusedError for none.

    judgement: of a dismissal; of any other act its reason alone. selection: how they were selected, in words.
    """
    told = _told(judgement)
    with transaction.atomic():
        act = BulkAct.objects.create(
            kind=kind,
            user=actor.user,
            actor=actor.name,
            assignee=assignee,
            selection=selection,
            created_at=timezone.now(),
            **told,
        )
        items = (_item(act, row) for row in rows)
        is_empty = True
        for chunk in chunks(items):
            BulkItem.objects.bulk_create(chunk)
            is_empty = False
        if is_empty:
            raise RefusedError("nothing is selected, or nothing of it can be changed this way; select rows first")
    return act


def _item(act: BulkAct, seen: SeenRow) -> BulkItem:
    verdict = seen.verdict and stored(seen.verdict)
    status = DISMISSED if seen.verdict else None
    return BulkItem(
        act=act, combination_id=seen.combination, seen_run=seen.run, status_before=status, verdict_before=verdict
    )


def _told(judgement: Judgement) -> dict[str, Any]:
    """The columns of an act. Raises RefusedError for a reason or a link that cannot be kept."""
    kept = judgement.checked()
    return {
        "note": kept.reason,
        "verdict": kept.stored_verdict or "",
        "link": kept.link,
        "until_date": kept.until_date,
        "until_version": kept.until_version,
        "until_other_version": kept.until_other_version,
    }


def _judgement_of(act: BulkAct) -> Judgement:
    return Judgement(
        Verdict(act.verdict) if act.verdict else Verdict.DISMISSED,
        act.note,
        act.link,
        until_date=act.until_date,
        until_version=act.until_version,
        until_other_version=act.until_other_version,
    )


def give_judgement(act: BulkAct, judgement: Judgement) -> None:
    """Puts verdict and reason to an act that is not done yet.

    Raises RefusedError where they cannot be kept, OutdatedError where it is too late.
    """
    if not BulkAct.objects.filter(pk=act.pk, state=BulkAct.State.FROZEN).update(**_told(judgement)):
        raise OutdatedError("it was done already, so what you said was not kept; this is the result")


def apply(act: BulkAct, actor: Actor) -> bool:
    """Acts on every waiting row; whether there was anything left to do.

    Rows that were flagged again, or have changed otherwise since they were listed, are skipped. Where the act has begun
    already, it continues with the rest. Raises OutdatedError where it was undone.
    """
    BulkAct.objects.filter(pk=act.pk, state=BulkAct.State.FROZEN).update(
        state=BulkAct.State.DONE, done_at=timezone.now(), user=actor.user, actor=actor.name
    )
    act.refresh_from_db()
    if act.state == BulkAct.State.UNDONE:
        raise OutdatedError("it was undone already; select the rows again")
    return _change_in_chunks(act, BulkAct.State.DONE, Outcome.WAITING, lambda items: _do(act, items, actor))


def undo(act: BulkAct, actor: Actor) -> bool:
    """Restores every row to what it was before the act, except those that have changed since.

    Whether there was anything left to undo. Raises RefusedError where the act was not done yet.
    """
    BulkAct.objects.filter(pk=act.pk, state=BulkAct.State.DONE).update(
        state=BulkAct.State.UNDONE, undone_at=timezone.now()
    )
    act.refresh_from_db()
    if act.state == BulkAct.State.FROZEN:
        raise RefusedError("it was not done yet; there is nothing to undo")
    return _change_in_chunks(act, BulkAct.State.UNDONE, Outcome.DONE, lambda items: _undo(act, items, actor))


def _change_in_chunks(
    act: BulkAct, state: BulkAct.State, outcome: BulkItem.Outcome, change: Callable[[Sequence[BulkItem]], None]
) -> bool:
    """Changes the items with this outcome, a chunk and a transaction at a time; whether there were any.

    `change` gives every item another outcome. Stops where the act has left `state`: undone while it was being done.
    """
    causes = _judged_causes(act)
    found = False
    while _change_chunk(act, state, outcome, change, causes):
        found = True
    if found:
        count_waiting(causes)
    return found


def _change_chunk(
    act: BulkAct,
    state: BulkAct.State,
    outcome: BulkItem.Outcome,
    change: Callable[[Sequence[BulkItem]], None],
    causes: Collection[int],
) -> bool:
    with transaction.atomic():
        lock_targets(causes)
        # Locked, so that two callers never work on the same chunk.
        if locked(BulkAct.objects).get(pk=act.pk).state != state:
            return False
        items = list(BulkItem.objects.filter(act=act, outcome=outcome).order_by("id")[:CHUNK_ROWS])
        if items:
            change(items)
            Installation.queue_changed()
        return bool(items)


def _judged_causes(act: BulkAct) -> Collection[int]:
    """Those of which other flags wait once it is done or undone."""
    if act.kind not in (Kind.DISMISS, Kind.UNDISMISS):
        return ()
    return judged_causes(BulkItem.objects.filter(act=act).values("combination"))


def _locked(items: Sequence[BulkItem]) -> dict[int, Combination]:
    rows = locked(Combination.objects).filter(pk__in=[item.combination_id for item in items]).order_by("id")
    columns = ("target", "review_status", *COLUMNS, "held_by", "held_at", "last_run", "last_flagged_run")
    return {row.pk: row for row in rows.only(*columns)}


def _do(act: BulkAct, items: Sequence[BulkItem], actor: Actor) -> None:
    rows = _locked(items)
    kind = Kind(act.kind)
    fit = set(Combination.objects.filter(ACTS_ON[kind], pk__in=rows).values_list("pk", flat=True))
    now = timezone.now()
    changed: list[Combination] = []
    for item in items:
        row = rows[item.combination_id]
        is_newer = (row.last_flagged_run_id or 0) > (item.seen_run or 0)
        is_permitted = kind is not Kind.UNASSIGN or row.held_by_id == (actor.user.pk if actor.user else None)
        is_as_seen = (row.review_status, row.verdict) == (item.status_before, item.verdict_before)
        if row.pk not in fit or is_newer or not is_permitted or (kind is Kind.DISMISS and not is_as_seen):
            item.outcome = Outcome.SKIPPED
            continue
        item.outcome = Outcome.DONE
        item.status_before, item.held_by_before_id, item.held_at_before = row.review_status, row.held_by_id, row.held_at
        item.verdict_before = row.verdict
        changed.append(row)
    if kind is Kind.DISMISS:
        _judge(act, changed, actor, now)
    else:
        person = act.assignee or actor.user
        told = {"assignee": name_of_other(person, actor) or None} if kind is Kind.ASSIGN else {}
        Combination.objects.filter(pk__in=[row.pk for row in changed]).update(**_columns(kind, person, now))
        _record(_event(act, EVENT_OF[kind], row, actor, now, act.note, **told) for row in changed)
    BulkItem.objects.bulk_update(items, ["outcome", *BEFORE])


def _judge(act: BulkAct, rows: Sequence[Combination], actor: Actor, now: datetime) -> None:
    """Dismisses those that wait, and changes the verdict of the others."""
    judgement = _judgement_of(act)
    told = {"verdict": judgement.stored_verdict, "link": judgement.link or None}
    changes = [row for row in rows if row.review_status == DISMISSED]
    events = [
        _event(act, ReviewEvent.Kind.DISMISSED, row, actor, now, act.note, **told)
        for row in rows
        if row.review_status is None
    ]
    events += [
        _event(act, ReviewEvent.Kind.REJUDGED, row, actor, now, act.note, before=columns_of(row, COLUMNS), **told)
        for row in changes
    ]
    _dismiss(rows, judgement, now)
    _record(events)


def _dismiss(rows: Iterable[Combination], judgement: Judgement, now: datetime) -> None:
    """Of each target those at once that await the same version."""
    by_target: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        by_target[row.target_id].append(row.pk)
    awaits_version = judgement.until_other_version or bool(judgement.until_version)
    for target in Target.objects.filter(pk__in=by_target):
        version = version_of(target) if awaits_version else ""
        Combination.objects.filter(pk__in=by_target[target.pk]).update(**judgement.columns(version, now))


def _columns(kind: BulkAct.Kind, person: User | None, now: datetime) -> dict[str, Any]:
    match kind:
        case Kind.UNDISMISS:
            return {"review_status": None, "verdict": None}
        case Kind.ASSIGN:
            return {"held_by": person, "held_at": now}
        case _:
            return {"held_by": None, "held_at": None}


def _undo(act: BulkAct, items: Sequence[BulkItem], actor: Actor) -> None:
    rows = _locked(items)
    newest = newest_changes(rows)
    former = {pk: event.before for pk, event in newest.items() if event.before is not None}
    told = newest_dismissals(rows) if act.kind == Kind.UNDISMISS else {}
    now = timezone.now()
    changed: list[Combination] = []
    events: list[ReviewEvent] = []
    for item in items:
        row = rows[item.combination_id]
        last = newest.get(row.pk)
        if last is None or last.act_id != act.pk:
            item.outcome = Outcome.KEPT
            continue
        item.outcome = Outcome.UNDONE
        row.review_status, row.held_by_id, row.held_at = item.status_before, item.held_by_before_id, item.held_at_before
        row.verdict = item.verdict_before
        for name, value in kept_columns(Combination, former.get(row.pk), COLUMNS).items():
            setattr(row, name, value)
        changed.append(row)
        events.append(_event_of_undo(act, row, actor, now, row.pk in former, told.get(row.pk)))
    Combination.objects.bulk_update(changed, ["review_status", *COLUMNS, "held_by", "held_at"])
    _record(events)
    BulkItem.objects.bulk_update(items, ["outcome"])


def _event_of_undo(
    act: BulkAct, row: Combination, actor: Actor, now: datetime, had_verdict: bool, dismissal: Dismissal | None
) -> ReviewEvent:
    """dismissal: that stands again, of an act that restored it; it keeps its reason and its link."""
    if had_verdict:
        return _event(act, ReviewEvent.Kind.CHANGED_BACK, row, actor, now, verdict=row.verdict)
    kind = EVENT_OF_UNDO[Kind(act.kind)]
    if dismissal is None:
        return _event(act, kind, row, actor, now)
    return _event(act, kind, row, actor, now, dismissal.reason, verdict=row.verdict, link=dismissal.event.link)


def _event(
    act: BulkAct, kind: ReviewEvent.Kind, row: Combination, actor: Actor, now: datetime, note: str = "", **told: Any
) -> ReviewEvent:
    return ReviewEvent(
        combination=row,
        kind=kind,
        user=actor.user,
        actor=actor.name,
        note=note,
        run_id=row.last_run_id,
        act=act,
        at=now,
        **told,
    )


def _record(events: Iterable[ReviewEvent]) -> None:
    ReviewEvent.objects.bulk_create(events)
