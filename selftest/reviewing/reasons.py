"""Why something was decided, said after it was. What was said before stays in its story."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from selftest.models import Actor, BulkAct, BulkItem, Cause, CauseEvent, Combination, Installation, ReviewEvent
from selftest.refusals import RefusedError
from selftest.reviewing.events import record_event
from selftest.reviewing.judgement import checked_reason
from selftest.storage.chunks import chunks
from selftest.storage.locks import locked

DISMISSED = Combination.ReviewStatus.DISMISSED


def explain_dismissal(combination: Combination, actor: Actor, reason: str) -> None:
    """Says why it was dismissed. Raises RefusedError where it is not, or for a reason that cannot be kept."""
    reason = _checked(reason)
    with transaction.atomic():
        if not locked(Combination.objects).filter(pk=combination.pk, review_status=DISMISSED).exists():
            raise RefusedError("this combination is not dismissed any more; there is nothing to give a reason for")
        record_event(combination, ReviewEvent.Kind.REASONED, actor, reason)
        Installation.queue_changed()


def explain_act(act: BulkAct, actor: Actor, reason: str) -> None:
    """Says why many were dismissed, of each that still is. Raises RefusedError where the act does not stand."""
    reason = _checked(reason)
    with transaction.atomic():
        if locked(BulkAct.objects).get(pk=act.pk).state != BulkAct.State.DONE:
            raise RefusedError("this was undone; there is nothing to give a reason for")
        _explain(act, actor, reason)
        Installation.queue_changed()


def explain_verdicts(causes: Iterable[Cause], actor: Actor, reason: str) -> None:
    """Says why these were judged. Raises RefusedError where one has no verdict."""
    reason = _checked(reason)
    with transaction.atomic():
        rows = list(locked(Cause.objects).filter(pk__in=[cause.pk for cause in causes]).order_by("id"))
        for row in rows:
            if row.verdict is None:
                raise RefusedError(f"“{row.sentence}” is not judged any more; there is nothing to give a reason for")
            Cause.objects.filter(pk=row.pk).update(reason=reason)
            CauseEvent.objects.create(
                cause=row,
                kind=CauseEvent.Kind.REASONED,
                user=actor.user,
                actor=actor.name,
                note=reason,
                at=timezone.now(),
            )
            if row.act is not None:
                _explain(row.act, actor, reason)
        Installation.queue_changed()


def _explain(act: BulkAct, actor: Actor, reason: str) -> None:
    BulkAct.objects.filter(pk=act.pk).update(note=reason)
    done = BulkItem.objects.filter(
        act=act, outcome=BulkItem.Outcome.DONE, combination__review_status=DISMISSED
    ).values_list("combination", "combination__last_run")
    now = timezone.now()
    for chunk in chunks(done.order_by("id").iterator()):
        ReviewEvent.objects.bulk_create(
            ReviewEvent(
                combination_id=combination,
                kind=ReviewEvent.Kind.REASONED,
                user=actor.user,
                actor=actor.name,
                note=reason,
                run_id=run,
                act=act,
                at=now,
            )
            for combination, run in chunk
        )


def _checked(reason: str) -> str:
    reason = checked_reason(reason)
    if not reason:
        raise RefusedError("the reason is empty; write something first")
    return reason
