"""What the worker does for search by itself: watches its quality, keeps the index current, forgets old searches."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django_q.models import Schedule
from django_q.tasks import async_task

from selftest.knowledge import quality
from selftest.knowledge.models import QualityAlert, Search, SearchSettings
from selftest.models import Actor
from selftest.storage.broker_faults import BROKER_AWAY

MONITOR = "quality of searches"
MONITOR_TASK = "selftest.tasks.watch_searches"
CURRENT = "pieces of search that changed"
CURRENT_TASK = "selftest.tasks.bring_knowledge_current"
REBUILD = "rebuild of what search finds"
REBUILD_TASK = "selftest.tasks.rebuild_knowledge"

WATCHED_DAYS = 7
LEAST_SEARCHES = 20  # in these days; of fewer, a share or a p95 says little
LEAST_FRUITLESS = 5  # times that one query finds nothing before it is an alert of its own
MOST_ALERTS = 20  # of a kind that is about one thing each: more say no more
# With the pause of 200 ms before a search begins, a reader sees results within half a second.
SLOW_P95_MS = 200.0
DELETED_AT_ONCE = 5_000  # rows in a transaction, whose locks last that long

Kind = QualityAlert.Kind


@dataclass(frozen=True)
class Watched:
    """What one look at searches came to. open: alerts there are now."""

    opened: int
    closed: int
    open: int


def follow_settings() -> None:
    """Makes the schedule agree with the settings. A row that is there keeps its time."""
    rows = Schedule.objects.filter(name=MONITOR)
    if not SearchSettings.get_solo().monitor:
        rows.delete()
        return
    columns = {"func": MONITOR_TASK, "schedule_type": Schedule.DAILY, "repeats": -1}
    if not rows.update(**columns):
        Schedule.objects.create(name=MONITOR, next_run=timezone.now(), **columns)


def schedule_index() -> None:
    """Has changes taken into the index once an hour, so that a search finds few; and all of it made sure of daily."""
    columns = {"func": CURRENT_TASK, "schedule_type": Schedule.HOURLY, "repeats": -1}
    if not Schedule.objects.filter(name=CURRENT).update(**columns):
        Schedule.objects.create(name=CURRENT, next_run=timezone.now(), **columns)
    columns = {"func": REBUILD_TASK, "schedule_type": Schedule.DAILY, "repeats": -1}
    if not Schedule.objects.filter(name=REBUILD).update(**columns):
        Schedule.objects.create(name=REBUILD, next_run=timezone.now() + timedelta(days=1), **columns)


def put_in_force(settings: SearchSettings, actor: Actor) -> None:
    """Saves these settings and updates the schedule; the history names `actor`."""
    before = SearchSettings.get_solo()
    settings._history_user = actor.user  # read by the history
    settings.save()
    follow_settings()
    if (before.encoder, before.onnx_folder) != (settings.encoder, settings.onnx_folder):
        rebuild_soon()


def rebuild_soon() -> None:
    """Has the worker read every source once more: after a start, which may be of another version, or a new encoder."""
    with suppress(*BROKER_AWAY):  # the daily one does it then
        async_task(REBUILD_TASK, task_name=REBUILD)


# --- the monitor ---


def watch_if_on(now: datetime) -> Watched | None:
    """One look at searches; None where it is switched off."""
    settings = SearchSettings.get_solo()
    return watch(settings, now) if settings.monitor else None


def watch(settings: SearchSettings, now: datetime) -> Watched:
    """Opens an alert for what is wrong, and closes those of what no longer is. To look twice changes nothing."""
    found = _wrong(settings, now)
    still_open = {(row.kind, row.about): row for row in QualityAlert.objects.filter(closed_at=None)}
    made = QualityAlert.objects.bulk_create(
        [
            QualityAlert(kind=kind, about=about, opened_at=now, figures=figures)
            for (kind, about), figures in found.items()
            if (kind, about) not in still_open
        ],
        ignore_conflicts=True,  # another worker looked at the same time
    )
    closed = 0
    for key, row in still_open.items():
        rows = QualityAlert.objects.filter(pk=row.pk, closed_at=None)
        if key in found:
            rows.update(figures=found[key])
        else:
            closed += rows.update(closed_at=now)
    return Watched(len(made), closed, len(found))


def _wrong(settings: SearchSettings, now: datetime) -> dict[tuple[str, str], dict[str, Any]]:
    since = now - timedelta(days=WATCHED_DAYS)
    found: dict[tuple[str, str], dict[str, Any]] = {}
    share = quality.share_without_results(since)
    if share.searches >= LEAST_SEARCHES and share.fraction >= settings.monitor_zero_share:
        found[Kind.ZERO_RESULTS, ""] = {"searches": share.searches, "fruitless": share.fruitless}
    for query in quality.fruitless_queries(since, names_texts=False, limit=MOST_ALERTS, least=LEAST_FRUITLESS):
        found[Kind.ZERO_RESULTS, query.query_sha256] = {"searches": query.searches, "fruitless": query.fruitless}
    rated_since = now - timedelta(days=quality.KEPT_DAYS)
    for result in quality.low_rated(for_admin=True, since=rated_since, limit=MOST_ALERTS):
        found[Kind.LOW_RATED, result.key] = {"up": result.up, "down": result.down}
    speed = quality.latency(since)
    if speed.searches >= LEAST_SEARCHES and speed.p95_ms is not None and speed.p95_ms > SLOW_P95_MS:
        found[Kind.SLOW, ""] = {"searches": speed.searches, "p95_ms": round(speed.p95_ms, 1)}
    return found


# --- housekeeping ---


def forget_old_searches(now: datetime) -> int:
    """Deletes what is known of searches from before quality.KEPT_DAYS; returns how many there were."""
    old = Search.objects.filter(at__lt=now - timedelta(days=quality.KEPT_DAYS)).order_by("pk")
    deleted = 0
    while keys := list(old.values_list("pk", flat=True)[:DELETED_AT_ONCE]):
        deleted += Search.objects.filter(pk__in=keys).delete()[0]
    return deleted
