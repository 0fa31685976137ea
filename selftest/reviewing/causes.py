"""What people decide about a cause: a verdict, whose it is, and which flags are its own."""

from collections.abc import Collection, Mapping
from types import EllipsisType
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone

from selftest.models import Actor, BulkAct, BulkItem, Cause, CauseEvent, Combination, Flag, Installation, Target
from selftest.reading.causes import closed_by_verdict, combinations_of
from selftest.reading.dismissals import newest_changes
from selftest.reading.target_versions import version_of
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing import bulk_acts
from selftest.reviewing.bulk_acts import SeenRow
from selftest.reviewing.judgement import Judgement, checked_reason, columns_of, kept_columns
from selftest.reviewing.waiting import count_waiting, judged_causes
from selftest.storage.chunks import chunks
from selftest.storage.leading_causes import follow_flags, lock_combinations_of
from selftest.storage.locks import locked

Verdict, Kind = Cause.Verdict, CauseEvent.Kind
NOT_JUDGED: dict[str, Any] = {
    "verdict": None,
    "judged_by": "",
    "judged_at": None,
    "judged_version": "",
    "new_flags": 0,
    "reason": "",
    "link": "",
    "until_date": None,
    "until_new_flags": None,
    "until_version": "",
    "act": None,
}
FORMER = (*(name for name in NOT_JUDGED if name not in ("act", "new_flags")), "judged_through")  # of a former verdict
TURNS = (Kind.JUDGED, Kind.REOPENED, Kind.CHANGED_BACK, Kind.MERGED)  # after which an earlier verdict is not undone


def judge(
    cause: Cause,
    judgement: Judgement,
    actor: Actor,
    seen_flags: int | None = None,
    seen: Cause.Verdict | EllipsisType | None = ...,
) -> CauseEvent:
    """Records the verdict, and dismisses the cause's combinations unless another cause of theirs waits.

    An earlier verdict's dismissals become this one's, with its reason. The event that is returned can be undone.

    seen_flags: how many flags the caller saw; seen: the verdict that the caller saw, None for none. Raises
    OutdatedError where more came since, or another verdict; RefusedError for a reason or a link that cannot be kept.
    """
    judgement = judgement.checked()
    with transaction.atomic():
        row = _locked(cause)
        if seen_flags is not None and row.flags > seen_flags:
            more = row.flags - seen_flags
            raise OutdatedError(f"{more} more flag{'s' * (more != 1)} came since you looked; look again first")
        if seen is not ... and row.verdict != seen:
            raise OutdatedError(f"{_verdict_now(row)} since you looked; look again first")
        version = version_of(row.target)
        values = NOT_JUDGED | {
            "verdict": judgement.verdict,
            "judged_by": actor.name,
            "judged_at": timezone.now(),
            "judged_version": version,
            "judged_through": _newest_flag(row),
            "reason": judgement.reason,
            "link": judgement.link,
            "until_date": judgement.until_date,
            "until_new_flags": judgement.until_new_flags,
            "until_version": judgement.version_awaited(version),
        }
        former = None if row.verdict is None else columns_of(row, FORMER)
        earlier = _take_acts(row)
        _write(row, values)  # first: combinations are closed by what no longer waits
        _write(row, {"act": _dismiss(row, actor, dismissed=_dismissed_by(earlier.values()))})
        if former is not None:
            former["acts"] = {str(pk): act.pk for pk, act in earlier.items()}
        _count_waiting(row)
        event = _tell(row, Kind.JUDGED, actor, judgement.reason, judgement.verdict, before=former)
        Installation.queue_changed()
    return event


def reopen(cause: Cause, actor: Actor, reason: str = "") -> Cause:
    """Takes the verdict back; what it dismissed is in the queue again. Raises RefusedError where it has no verdict."""
    reason = checked_reason(reason)
    with transaction.atomic():
        row = _locked(cause)
        if row.verdict is None:
            raise RefusedError("this cause is not judged; there is nothing to reopen")
        acts, verdict = _take_acts(row), Verdict(row.verdict)
        _write(row, NOT_JUDGED)
        _undo_all(acts.values(), actor)
        _open_what_others_closed(row, actor)
        _count_waiting(row)
        _tell(row, Kind.REOPENED, actor, reason, verdict)
        Installation.queue_changed()
    return row


def undo_verdict(cause: Cause, actor: Actor, judged: int) -> Cause:
    """Takes back what this event says: the former verdict is back with all that belonged to it, or none.

    Raises OutdatedError where it was judged or reopened since, or another cause was merged into it.
    """
    with transaction.atomic():
        row = _locked(cause)
        newest = _newest_turn(row)
        if newest is None or newest.pk != judged:
            by = newest.actor if newest else "someone"
            raise OutdatedError(f"{by} has decided otherwise since; look again first")
        if newest.before is None:
            return reopen(row, actor)
        if row.act is not None:
            bulk_acts.undo(row.act, actor)
        _write(row, kept_columns(Cause, newest.before, FORMER) | {"act": None})
        for pk, act in newest.before["acts"].items():
            Cause.objects.filter(pk=pk).update(act=act)
        _count_waiting(row)
        row.refresh_from_db()
        _tell(row, Kind.CHANGED_BACK, actor, verdict=row.verdict or "")
        Installation.queue_changed()
    return row


def restore_former_verdict(cause: Cause, actor: Actor) -> Cause:
    """Undoes the last change of its verdict. Raises RefusedError where it was not changed."""
    newest = _newest_turn(cause)
    if newest is None or newest.before is None:
        raise RefusedError("its verdict was not changed; there is no former one")
    return undo_verdict(cause, actor, newest.pk)


def assign_cause(cause: Cause, actor: Actor, assignee: User | None) -> bool:
    """Assigns it to a person or to no one; whether that changed anything."""
    with transaction.atomic():
        row = _locked(cause)
        if row.held_by == assignee:
            return False
        _write(row, {"held_by": assignee})
        kind = Kind.UNASSIGNED if assignee is None else Kind.ASSIGNED
        _tell(row, kind, actor, "" if assignee is None else f"to {assignee.get_username()}")
        Installation.queue_changed()
    cause.held_by = assignee
    return True


def note_cause(cause: Cause, actor: Actor, text: str) -> None:
    """Adds a note to its story. Raises RefusedError for an empty one or one that is too long."""
    text = checked_reason(text)
    if not text:
        raise RefusedError("the note is empty; write something first")
    _tell(cause, Kind.NOTED, actor, text)


def move_flags(flags: Collection[int], into: Cause | None, actor: Actor) -> Cause:
    """Puts these flags down to `into`, or to a new cause of their own; the engine then leaves them there.

    Raises RefusedError for no flags, or for those of another target.
    """
    with transaction.atomic():
        placed = Flag.objects.filter(pk__in=flags, cause__isnull=False)
        targets = set(placed.values_list("run__target", flat=True))
        if len(targets) != 1 or (into is not None and {into.target_id} != targets):
            raise RefusedError("select flags of this cause's target that are put down to a cause")
        _lock_target(*targets)
        lock_combinations_of(flags)
        rows = list(placed.select_related("cause", "run"))
        if into is None:
            into = _new_cause(rows)
            _tell(into, Kind.FOUND, actor, f"of {len(rows)} flags that were selected")
        from_causes = {row.cause_id: row.cause for row in rows}
        Flag.objects.filter(pk__in=[row.pk for row in rows]).update(cause=into, is_placed_by_hand=True)
        follow_flags(row.pk for row in rows)
        for row in rows:
            _add(row.cause_id, row, -1)
            _add(into.pk, row, 1)
        count_waiting(judged_causes([row.combination_id for row in rows]) | {into.pk, *filter(None, from_causes)})
        for left in from_causes.values():
            if left is not None and left != into:
                _show_another_example(left)
                _show_checks(left)
                _tell(left, Kind.MOVED, actor, f"to “{into.sentence}”", other=into)
        _show_checks(into)
        Installation.queue_changed()
    into.refresh_from_db()
    return into


def merge(cause: Cause, into: Cause, actor: Actor) -> Cause:
    """Puts all flags of `cause` down to `into`, now and later. Raises RefusedError for itself or another target.

    What the verdict of `cause` dismissed, and what of it waits, follows `into`: it is dismissed with that one's
    verdict, or waits with it where it has none.
    """
    if cause.pk == into.pk or cause.target_id != into.target_id:
        raise RefusedError("a cause is merged into another one of the same target")
    with transaction.atomic():
        row, heir = _locked(cause), _locked(into)
        newest = _newest_flag(row)
        waits = set(closed_by_verdict(row).values_list("pk", flat=True))
        lock_combinations_of(Flag.objects.filter(cause=row).values_list("pk", flat=True))
        Flag.objects.filter(cause=row).update(cause=into, is_placed_by_hand=True)
        Combination.objects.filter(target=row.target, ever_flagged=True, cause=row).update(cause=into)
        Cause.objects.filter(pk=into.pk).update(
            flags=F("flags") + row.flags,
            asked_again=F("asked_again") + row.asked_again,
            seen_again=F("seen_again") + row.seen_again,
        )
        _write(row, {"merged_into": into, "is_merged_by_hand": True, "flags": 0, "asked_again": 0, "seen_again": 0})
        acts = _take_acts(heir).values()
        dismissed = {seen.combination for seen in _dismissed_by(acts)}
        _undo_all(acts, actor)
        if heir.verdict is not None:
            seen = {} if heir.new_flags else {"judged_through": max(heir.judged_through, newest)}
            _write(heir, {"act": _dismiss(heir, actor, waits | dismissed), **seen})
        _count_waiting(heir)
        _show_checks(heir)
        _tell(into, Kind.MERGED, actor, f"with “{row.sentence}”", other=row)
        Installation.queue_changed()
    into.refresh_from_db()
    return into


def _take_acts(row: Cause) -> dict[int, BulkAct]:
    """By cause: the dismissals of its verdict and of what was merged into it; of the rows they are taken away."""
    rows, acts, seen = [row], dict[int, BulkAct](), {row.pk}
    while rows:
        acts |= {one.pk: one.act for one in rows if one.act is not None}
        rows = list(Cause.objects.filter(merged_into__in=rows).exclude(pk__in=seen).select_related("act"))
        seen.update(one.pk for one in rows)
    Cause.objects.filter(pk__in=seen).update(act=None)
    row.act = None
    return acts


def _dismissed_by(acts: Collection[BulkAct]) -> list[SeenRow]:
    """The combinations that they dismissed and that are as they left them."""
    done = BulkItem.objects.filter(act__in=acts, outcome=BulkItem.Outcome.DONE).order_by()
    still = done.filter(combination__review_status=Combination.ReviewStatus.DISMISSED)
    numbers = {act.pk for act in acts}
    found = []
    for keys in chunks(still.values_list("combination", flat=True).distinct()):
        left = [pk for pk, event in newest_changes(keys).items() if event.act_id in numbers]
        rows = Combination.objects.filter(pk__in=left).only("last_flagged_run", "review_status", "verdict")
        found += [SeenRow.of(row, row.last_flagged_run_id) for row in rows]
    return found


def _undo_all(acts: Collection[BulkAct], actor: Actor) -> None:
    """Undoes these dismissals and, where they changed a verdict that was given before, that one too."""
    while acts:
        for act in acts:
            bulk_acts.undo(act, actor)
        changed = BulkItem.objects.filter(act__in=acts, outcome=BulkItem.Outcome.UNDONE, status_before__isnull=False)
        keys = list(changed.order_by().values_list("combination", flat=True))
        former = {event.act_id for some in chunks(keys) for event in newest_changes(some).values()}
        acts = list(BulkAct.objects.filter(pk__in=filter(None, former)))


def _open_what_others_closed(row: Cause, actor: Actor) -> None:
    """It waits again, and with it the combinations that another cause's verdict closed once none of theirs waited."""
    closed = combinations_of(row).filter(review_status=Combination.ReviewStatus.DISMISSED)
    rows = list[SeenRow]()
    for some in chunks(closed.order_by("id").values_list("pk", "last_flagged_run")):
        newest = newest_changes(pk for pk, _ in some)
        acts = {event.act_id for event in newest.values() if event.act_id is not None}
        of_causes = set(BulkAct.objects.filter(pk__in=acts, cause__isnull=False).values_list("pk", flat=True))
        rows += [SeenRow(pk, run) for pk, run in some if pk in newest and newest[pk].act_id in of_causes]
    if rows:
        act = bulk_acts.freeze_listed(BulkAct.Kind.UNDISMISS, rows, actor, Judgement(), "of a cause that waits again")
        bulk_acts.apply(act, actor)


def _count_waiting(row: Cause) -> None:
    """Of this one, and of the judged ones that have flags in the same combinations."""
    count_waiting(judged_causes(combinations_of(row)) | {row.pk})


def _newest_turn(row: Cause) -> CauseEvent | None:
    """What decided last on its verdict."""
    return CauseEvent.objects.filter(cause=row, kind__in=TURNS).order_by("-id").first()


def _verdict_now(row: Cause) -> str:
    if row.verdict is None:
        return "its verdict was taken back"
    return f"{row.judged_by} has judged it “{row.get_verdict_display()}”"


def _newest_flag(row: Cause) -> int:
    return Flag.objects.filter(cause=row).order_by("-id").values_list("pk", flat=True).first() or 0


def _new_cause(rows: Collection[Flag]) -> Cause:
    first = min(rows, key=lambda row: row.pk)
    assert first.cause is not None  # noqa: S101 - only such were selected
    return Cause.objects.create(
        target_id=first.run.target_id,
        symptom=first.cause.symptom,
        predicate={"family": "any", "values": []},
        sentence="selected by hand",
        is_evident=False,
        checks=list(dict.fromkeys(row.check_name for row in rows)),
        first_seen=min(row.created_at for row in rows),
        last_seen=max(row.created_at for row in rows),
        example=first,
    )


def _show_another_example(cause: Cause) -> None:
    """Where its example went elsewhere: any flag that is left, until the next cycle chooses."""
    left = Flag.objects.filter(cause=cause).order_by("id")
    if not left.filter(pk=cause.example_id or 0).exists():
        Cause.objects.filter(pk=cause.pk).update(example=left.first())


def _show_checks(cause: Cause) -> None:
    """Those of its flags, most of them first."""
    counted = Flag.objects.filter(cause=cause).order_by().values_list("check_name").annotate(count=Count("pk"))
    checks = [check for check, _ in sorted(counted, key=lambda one: (-one[1], one[0]))]
    Cause.objects.filter(pk=cause.pk).update(checks=checks)


def _add(cause: int | None, flag: Flag, sign: int) -> None:
    Cause.objects.filter(pk=cause or 0).update(
        flags=F("flags") + sign,
        asked_again=F("asked_again") + sign * flag.asked_again,
        seen_again=F("seen_again") + sign * flag.seen_again,
    )


def _dismiss(
    cause: Cause, actor: Actor, only: Collection[int] | None = None, dismissed: Collection[SeenRow] = ()
) -> BulkAct | None:
    """With the verdict of the cause, whose conditions are its own.

    only: of its open combinations those with these keys. dismissed: by an earlier verdict, which becomes this one.
    """
    waiting = closed_by_verdict(cause).order_by("id").values_list("pk", "last_flagged_run")
    rows = [SeenRow(pk, run) for pk, run in waiting if only is None or pk in only]
    rows += dismissed
    if not rows or cause.verdict is None:
        return None
    judgement = Judgement(Verdict(cause.verdict), cause.reason, cause.link)
    act = bulk_acts.freeze_listed(BulkAct.Kind.DISMISS, rows, actor, judgement, "all flags of a cause")
    BulkAct.objects.filter(pk=act.pk).update(cause=cause)
    bulk_acts.apply(act, actor)
    return act


def _locked(cause: Cause) -> Cause:
    _lock_target(cause.target_id)
    rows = locked(Cause.objects, of=("self",)).select_related("target")
    row = rows.filter(pk=cause.pk, merged_into=None).first()
    if row is None:
        raise OutdatedError("this cause was merged into another one; look again first")
    return row


def _lock_target(target: int) -> None:
    """Before its causes and their combinations, as the engine does when it puts flags down to causes."""
    locked(Target.objects).get(pk=target)


def _write(row: Cause, values: dict[str, Any]) -> None:
    Cause.objects.filter(pk=row.pk).update(**values)
    for name, value in values.items():
        setattr(row, name, value)


def _tell(
    cause: Cause,
    kind: CauseEvent.Kind,
    actor: Actor,
    note: str = "",
    verdict: str = "",
    other: Cause | None = None,
    before: Mapping[str, Any] | None = None,
) -> CauseEvent:
    return CauseEvent.objects.create(
        cause=cause,
        kind=kind,
        verdict=verdict,
        user=actor.user,
        actor=actor.name,
        note=note,
        other=other,
        before=before,
        at=timezone.now(),
    )
