"""Drift as pages and the API read it. Nothing here changes a row or loads scipy."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Prefetch, Q, QuerySet

from selftest.evaluation.core.drift import Verdict
from selftest.evaluation.models import DriftAlert, DriftEvent, DriftProposal, DriftSeries, DriftWindow
from selftest.models import ENGINE, Target
from selftest.reading.activity import Position
from selftest.refusals import UnknownError
from selftest.storage.texts import storable

SHOWN_WINDOWS = 30  # of a series in a small chart
SHOWN_DAYS = 30
STATES = ("learning", "waiting", *Verdict)


def state_of(row: DriftSeries) -> str:
    """One of STATES: without a reference, without a window, or what the newest window says."""
    return "learning" if not row.reference else row.last_verdict or "waiting"


def series(target: Target | None, cached: bool | None = None) -> QuerySet[DriftSeries]:
    """Of a target and of cached answers or the others, where they are named."""
    rows = DriftSeries.objects.select_related("target")
    if target is not None:
        rows = rows.filter(target=target)
    return rows if cached is None else rows.filter(cached=cached)


def series_with_windows(target: Target, cached: bool, now: datetime) -> list[DriftSeries]:
    """Each with its newest windows of the last days as `shown`, the newest first."""
    lately = DriftWindow.objects.filter(at__gte=now - timedelta(days=SHOWN_DAYS)).order_by("-id")
    shown = Prefetch("windows", queryset=lately[:SHOWN_WINDOWS], to_attr="shown")
    return list(series(target, cached).order_by("recipe_name").prefetch_related(shown))


def series_numbered(pk: int) -> DriftSeries:
    """Raises UnknownError."""
    found = DriftSeries.objects.select_related("target").filter(pk=pk).first()
    if found is None:
        raise UnknownError(f"there is no series {pk}")
    return found


def windows_of(row: DriftSeries) -> QuerySet[DriftWindow]:
    """In no order."""
    return DriftWindow.objects.filter(series=row)


def alerts(target: Target | None, is_open: bool | None = None) -> QuerySet[DriftAlert]:
    """Of a target, where it is named; those that have not ended, or have."""
    rows = DriftAlert.objects.select_related("series", "target").order_by("-id")
    if target is not None:
        rows = rows.filter(target=target)
    return rows if is_open is None else rows.filter(ended_at__isnull=is_open)


def alerts_of(row: DriftSeries) -> QuerySet[DriftAlert]:
    """The newest first."""
    return alerts(None).filter(series=row)


def open_proposal(target: Target) -> DriftProposal | None:
    """At most one of a target awaits a decision."""
    return DriftProposal.objects.filter(target=target, state=DriftProposal.State.OPEN).first()


def proposal_numbered(pk: int) -> DriftProposal:
    """Raises UnknownError."""
    found = DriftProposal.objects.filter(pk=pk).first()
    if found is None:
        raise UnknownError(f"there is no proposal {pk} of new references")
    return found


def story_of(row: DriftSeries) -> QuerySet[DriftEvent]:
    """What happened to it, and to all series of its target, the newest first."""
    rows = DriftEvent.objects.filter(Q(series=row) | Q(target=row.target_id, series=None))
    return rows.order_by("-id").defer("before")


def feed(who: str, user: User | None, after: Position | None) -> QuerySet[DriftEvent]:
    """A reader of the activity: for all of it the engine's events too, as it alone says when drift begins."""
    rows = DriftEvent.objects.select_related("series", "target").defer("before", "series__pending", "series__reference")
    if user is not None:
        rows = rows.filter(user=user)
    elif who:
        rows = rows.filter(Q(actor=storable(who), user=None) & ~Q(actor=ENGINE))
    rows = rows.order_by("-id")
    return rows if after is None else rows.filter(pk__lt=after.pk)


def counts(rows: Sequence[DriftSeries]) -> dict[str, int]:
    """How many are in each of STATES."""
    states = [state_of(row) for row in rows]
    return {state: states.count(state) for state in STATES}
