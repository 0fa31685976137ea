"""Dismissing and restoring a flagged combination, and another verdict on one that is dismissed.

All of it acts on what the caller saw, never on what came since.
"""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from selftest.models import Actor, Cause, Combination, Installation, ReviewEvent
from selftest.reading.dismissals import newest_dismissal
from selftest.reading.target_versions import version_of
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.events import record_event
from selftest.reviewing.judgement import COLUMNS, Judgement, columns_of, kept_columns, stored, verdict_of
from selftest.reviewing.waiting import counting_waiting
from selftest.storage.locks import locked

DISMISSED = Combination.ReviewStatus.DISMISSED


def dismiss(combination: Combination, actor: Actor, note: str = "", seen_run: int | None = None) -> bool:
    """Closes the review of a flagged combination without a verdict; as `judge_combination` does."""
    return judge_combination(combination, Judgement(reason=note), actor, seen_run)


def judge_combination(
    combination: Combination, judgement: Judgement, actor: Actor, seen_run: int | None = None
) -> bool:
    """Closes the review of a flagged combination with a verdict; whether that changed anything.

    seen_run: the last run that the caller saw; where a newer one was flagged, nothing is dismissed.
    Raises RefusedError where it was never flagged, or for a reason or a link that cannot be kept, and OutdatedError
    where it was flagged again since.
    """
    judgement = judgement.checked()
    version = _version_then(combination, judgement)
    seen = Q() if seen_run is None else Q(last_flagged_run__lte=seen_run)
    with transaction.atomic(), counting_waiting(combination.pk):
        in_review = Combination.objects.filter(seen, pk=combination.pk, ever_flagged=True, review_status__isnull=True)
        if in_review.update(**judgement.columns(version, timezone.now())):
            verdict, link = judgement.stored_verdict, judgement.link
            record_event(combination, ReviewEvent.Kind.DISMISSED, actor, judgement.reason, verdict, link)
            Installation.queue_changed()
            return True
    combination.refresh_from_db()
    if not combination.ever_flagged:
        raise RefusedError("this combination was never flagged; there is nothing to dismiss")
    if combination.review_status is None:
        newest = combination.last_flagged_run_id
        raise OutdatedError(f"flagged again since you looked, by run {newest}; look again first")
    return False


def change_verdict(combination: Combination, judgement: Judgement, actor: Actor, seen: Cause.Verdict) -> None:
    """Gives a dismissed combination another verdict, without restoring it first. seen: the verdict that it has.

    Raises OutdatedError where it is not dismissed with that one any more, and RefusedError for a reason or a link
    that cannot be kept.
    """
    judgement = judgement.checked()
    version = _version_then(combination, judgement)
    with transaction.atomic():
        dismissed = locked(Combination.objects).filter(review_status=DISMISSED, verdict=stored(seen))
        row = dismissed.filter(pk=combination.pk).first()
        if row is None:
            raise OutdatedError(f"{_standing_now(combination)}; look again first")
        before = columns_of(row, COLUMNS)
        Combination.objects.filter(pk=row.pk).update(**judgement.columns(version, timezone.now()))
        verdict, link = judgement.stored_verdict, judgement.link
        record_event(combination, ReviewEvent.Kind.REJUDGED, actor, judgement.reason, verdict, link, before)
        Installation.queue_changed()


def undismiss(combination: Combination, actor: Actor, note: str = "", dismissal: int | None = None) -> None:
    """Returns it to the queue. dismissal: the event to undo; of a change of its verdict, the former one is back.

    Raises RefusedError where the combination is not dismissed, OutdatedError where a later event dismissed it.
    """
    with transaction.atomic(), counting_waiting(combination.pk):
        dismissed = locked(Combination.objects).filter(pk=combination.pk, review_status=DISMISSED)
        if not dismissed.exists():
            raise RefusedError("this combination is not dismissed; there is nothing to restore")
        newest = newest_dismissal(combination.pk)
        if dismissal is not None and newest is not None:
            if newest.event.pk != dismissal:
                raise OutdatedError(f"{newest.event.actor} has dismissed it again since; look again first")
            if newest.event.before is not None:
                _change_back(combination, newest.event, actor)
                return
        dismissed.update(review_status=None, verdict=None)
        record_event(combination, ReviewEvent.Kind.UNDISMISSED, actor, note)
        Installation.queue_changed()


def restore_former_verdict(combination: Combination, actor: Actor) -> None:
    """Undoes the last change of its verdict. Raises RefusedError where it was not changed."""
    with transaction.atomic():
        newest = newest_dismissal(combination.pk)
        if newest is None or newest.event.before is None:
            raise RefusedError("its verdict was not changed; there is no former one")
        undismiss(combination, actor, dismissal=newest.event.pk)


def _change_back(combination: Combination, change: ReviewEvent, actor: Actor) -> None:
    before = kept_columns(Combination, change.before or {}, COLUMNS)
    Combination.objects.filter(pk=combination.pk).update(**before)
    record_event(combination, ReviewEvent.Kind.CHANGED_BACK, actor, verdict=before["verdict"])
    Installation.queue_changed()


def _version_then(combination: Combination, judgement: Judgement) -> str:
    return version_of(combination.target) if judgement.until_other_version or judgement.until_version else ""


def _standing_now(combination: Combination) -> str:
    combination.refresh_from_db()
    if combination.review_status is None:
        return "it is back in the queue"
    return f"its verdict was changed to “{verdict_of(combination).label}” since you looked"
