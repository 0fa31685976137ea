"""Dismissing and restoring a flagged combination. Both act on what the caller saw, never on what came since."""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from selftest.models import Actor, Combination, Installation, ReviewEvent
from selftest.reading.target_versions import version_of
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.events import record_event
from selftest.reviewing.judgement import Judgement

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
    version = version_of(combination.target) if judgement.until_other_version or judgement.until_version else ""
    seen = Q() if seen_run is None else Q(last_flagged_run__lte=seen_run)
    with transaction.atomic():
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


def undismiss(combination: Combination, actor: Actor, note: str = "", dismissal: int | None = None) -> None:
    """Returns it to the queue. dismissal: the event to undo; a later dismissal by someone else stays.

    Raises RefusedError where the combination is not dismissed, OutdatedError where a later event dismissed it.
    """
    with transaction.atomic():
        dismissed = Combination.objects.filter(pk=combination.pk, review_status=DISMISSED)
        if not dismissed.update(review_status=None, verdict=None):
            raise RefusedError("this combination is not dismissed; there is nothing to restore")
        latest = combination.events.filter(kind=ReviewEvent.Kind.DISMISSED).order_by("-id").first()
        if dismissal is not None and latest is not None and latest.pk != dismissal:
            raise OutdatedError(f"{latest.actor} has dismissed it again since; look again first")
        record_event(combination, ReviewEvent.Kind.UNDISMISSED, actor, note)
        Installation.queue_changed()
