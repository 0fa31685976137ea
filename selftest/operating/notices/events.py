"""What has happened, looked for in rows: each event becomes one notice, with a delivery to each channel that wants it.

Several processes may look at once: the key of an event is unique, and its notice is written together with its
deliveries. No one has to remember how far the last look came.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.timesince import timesince

from selftest.models import Cause, CauseEvent, Channel, Delivery, Notice, Target
from selftest.operating.health import TargetNow, TestingStatus, first_requested, grace_minutes, is_late, testing_now
from selftest.operating.notices.channels import CLOCK_AHEAD, wanting
from selftest.reading.notices import (
    TOLD_WITHIN,
    FlagsDue,
    Outage,
    Recovery,
    Week,
    causes_due,
    flags_due,
    last_of,
    outages,
    recent_cause_events,
    recoveries,
    told_already,
    week_before,
)
from selftest.reading.schedule import failed_cycles, scheduled_since
from selftest.reading.tuning import is_enabled, settings_in_force
from selftest.reading.worker import worker_clusters
from selftest.storage.texts import storable

Kind = Notice.Kind
STATES = (  # told by turns
    (Kind.TARGET_AWAY, Kind.TARGET_BACK),
    (Kind.WORKER_MISSING, Kind.WORKER_BACK),
    (Kind.SCHEDULE_STALE, Kind.SCHEDULE_RESUMED),
)
KEPT = timedelta(days=90)
DELETED_AT_ONCE = 200  # in one look, so that no lock is held for long
MAX_WORDS = 300  # characters of a title, as its column has them
NEXT_DIGEST_AFTER = timedelta(days=6)  # less than a week, as one may be told a day late; another hour is no new one
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Event:
    """A notice that is not written yet. channel: the only one that gets it; None: all that want it."""

    kind: Notice.Kind
    key: str
    words: str
    link: str
    at: datetime
    detail: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    target: Target | None = None
    channel: Channel | None = None


def look(now: datetime, has_worker: bool | None = None, running_since: datetime | None = None) -> int:
    """Writes a notice for each event that has none; how many. Does nothing while testing is switched off.

    has_worker: whether one gives signs of life; None where that is not known. running_since: when the process that
    looks was started.
    """
    if not is_enabled(None):
        return 0
    events = list(_events(now, has_worker, running_since))
    told = told_already([event.key for event in events])
    return sum(tell(event, now) for event in events if event.key not in told)


def tell(event: Event, now: datetime) -> bool:
    """Writes the notice and its deliveries; False where another process was first."""
    try:
        with transaction.atomic():
            notice = Notice.objects.create(
                kind=event.kind,
                key=event.key,
                words=storable(event.words)[:MAX_WORDS],
                detail=storable(event.detail),
                link=event.link,
                facts=event.facts,
                target=event.target,
                created_at=event.at,
            )
            channels = wanting(event.kind, event.at, now) if event.channel is None else [event.channel]
            Delivery.objects.bulk_create(
                Delivery(notice=notice, channel=channel, next_at=now, created_at=now) for channel in channels
            )
    except IntegrityError:
        return False
    return True


def forget_old(now: datetime) -> None:
    """Deletes some of the deliveries and notices that are older than KEPT.

    Two kinds of notices stay, without deliveries: that a cause is due, until it is judged; and the last one of a state,
    as the next one is told by it.
    """
    old = Notice.objects.filter(created_at__lt=now - KEPT)
    deliveries = Delivery.objects.filter(notice__in=old).values_list("pk", flat=True)[:DELETED_AT_ONCE]
    Delivery.objects.filter(pk__in=list(deliveries)).delete()
    needless = old.exclude(pk__in=[*_still_due(old), *_last_of_states()])
    Notice.objects.filter(pk__in=list(needless.values_list("pk", flat=True)[:DELETED_AT_ONCE])).delete()


def _still_due(notices: QuerySet[Notice]) -> list[int]:
    """Those of them that tell of a cause that is put off to this day: it would be told again."""
    later = Cause.objects.filter(verdict=Cause.Verdict.LATER).values_list("pk", "judged_at")
    keys = {_later_key(pk, judged_at) for pk, judged_at in later}
    return [pk for pk, key in notices.filter(kind=Kind.CAUSE_LATER_DUE).values_list("pk", "key") if key in keys]


def _last_of_states() -> Iterator[int]:
    """The last notice of each target, of the worker and of the schedule."""
    for kinds in STATES:
        # Those of no target are one group.
        by_target = Notice.objects.filter(kind__in=kinds).order_by().values("target")
        yield from by_target.annotate(last=Max("pk")).values_list("last", flat=True)


def _events(now: datetime, has_worker: bool | None, running_since: datetime | None) -> Iterator[Event]:
    yield from map(_of_cause_event, recent_cause_events(now))
    yield from (_later_due(cause, now) for cause in causes_due(now))
    yield from map(_flags_due, flags_due(now))
    yield from map(_back, recoveries())  # of outages that were told: before the next one
    yield from (_away(outage) for outage in outages() if _finished(outage) >= now - TOLD_WITHIN)
    yield from _of_worker(now, has_worker)
    yield from _of_schedule(now, running_since)
    yield from _digests(now)


def _finished(outage: Outage) -> datetime:
    return outage.first.finished_at or outage.first.created_at


# --- causes ---


def _of_cause_event(event: CauseEvent) -> Event:
    cause = event.cause
    words, detail, kind = f"New cause on {cause.target}: {_checks(cause)}", cause.sentence, Kind.CAUSE_NEW
    if event.kind == CauseEvent.Kind.SPLIT:
        detail = f"{cause.sentence}\nSplit {event.note}"
    elif event.kind == CauseEvent.Kind.CAME_BACK:
        words = f"A cause came back on {cause.target}: {_checks(cause)}"
        detail, kind = f"{cause.sentence}\nNew flags: {event.note}", Kind.CAUSE_CAME_BACK
    return _about(cause, kind, f"cause event {event.pk}", words, detail, event.at)


def _later_due(cause: Cause, now: datetime) -> Event:
    words = f"Due now on {cause.target}: {_checks(cause)}"
    put_off = f"Put off by {cause.judged_by}" + (f" on {cause.judged_at:%d %B %Y}" if cause.judged_at else "")
    key = _later_key(cause.pk, cause.judged_at)
    return _about(cause, Kind.CAUSE_LATER_DUE, key, words, f"{cause.sentence}\n{put_off}", now)


def _later_key(pk: int, judged_at: datetime | None) -> str:
    return f"later {pk} {judged_at.timestamp() if judged_at else 0:.6f}"


def _about(cause: Cause, kind: Notice.Kind, key: str, words: str, detail: str, at: datetime) -> Event:
    facts = {"target": cause.target.name, "cause": cause.pk, "checks": cause.checks}
    return Event(kind, key, words, reverse("cause", args=[cause.pk]), at, detail, facts, cause.target)


def _checks(cause: Cause) -> str:
    return ", ".join(check.replace("_", " ") for check in cause.checks)


def _flags_due(due: FlagsDue) -> Event:
    target, count = due.target, due.count
    words = f"Due now on {target}: {_number(count, 'flag')}"
    link = (
        reverse("combination", args=[due.first])
        if count == 1
        else f"{reverse('queue')}?{urlencode({'target': target.name})}"
    )
    facts = {"target": target.name, "flags": count}
    key = f"flags due {target.pk} {due.at.timestamp():.6f}"
    return Event(Kind.FLAGS_LATER_DUE, key, words, link, due.at, due.why, facts, target)


# --- targets ---


def _away(outage: Outage) -> Event:
    target, cycle = outage.target, outage.first
    facts = {"target": target.name, "cycle": cycle.pk}
    link = reverse("target", args=[target.pk])
    words = f"Target {target} is away"
    return Event(Kind.TARGET_AWAY, f"away {cycle.pk}", words, link, _finished(outage), cycle.note, facts, target)


def _back(recovery: Recovery) -> Event:
    target, cycle = recovery.target, recovery.first
    at = cycle.finished_at or cycle.created_at
    detail = f"It was away for {_span(recovery.away.created_at, at)}: {_number(recovery.cycles, 'cycle')} found it so."
    facts = {"target": target.name, "cycle": cycle.pk}
    link = reverse("target", args=[target.pk])
    words = f"Target {target} is back"
    return Event(Kind.TARGET_BACK, f"back {recovery.away.pk}", words, link, at, detail, facts, target)


def _span(start: datetime, end: datetime) -> str:
    return timesince(start, end).replace("\xa0", " ")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


# --- the worker and the schedule ---


def _of_worker(now: datetime, has_worker: bool | None) -> Iterator[Event]:
    """Missing, and there again, by turns: each is named by the one before, which is the same for all who look."""
    last = last_of(Kind.WORKER_MISSING, Kind.WORKER_BACK)
    is_told_missing = last is not None and last.kind == Kind.WORKER_MISSING
    key, link = f"worker {last.pk if last else 0}", reverse("health-page")
    if has_worker and last is not None and is_told_missing:
        detail = (
            f"That there was none was told {_span(last.created_at, now)} ago. What was requested meanwhile is run now."
        )
        yield Event(Kind.WORKER_BACK, key, "A worker is running again", link, now, detail)
    elif has_worker is False and not is_told_missing:
        words = "No worker is running"
        detail = "So no cycle is run. Start Gadfly again, or a worker by manage.py qcluster; the log says why it ended."
        if worker_clusters() is None:
            words = "The broker cannot be reached, and so no worker"
            detail = "So no cycle is run. Start Redis again, or correct REDIS_URL; manage.py doctor says what is wrong."
        yield Event(Kind.WORKER_MISSING, key, words, link, now, detail)


def _of_schedule(now: datetime, running_since: datetime | None) -> Iterator[Event]:
    """The same for cycles that do not finish although they could, and finish again.

    Where none finishes, that is one event; while some do, it is one of each target whose own do not.
    """
    testing = testing_now(now)
    status, last_run, minutes = testing.status, testing.last_run, testing.minutes
    told = _told_of_schedules()
    last = told.get(None)
    is_told_stale = last is not None and last.kind == Kind.SCHEDULE_STALE
    key, link = f"schedule {last.pk if last else 0}", reverse("health-page")
    begin = first_requested(testing.targets)
    if status is TestingStatus.NEVER_RAN and not is_told_stale and begin:
        if _could_have_finished(now, running_since, begin, _one_is_on_since(testing.targets)):
            words = f"No cycle has finished since the first was requested {_span(begin, now)} ago"
            yield Event(Kind.SCHEDULE_STALE, key, words, link, now, "The health page says what to do.")
    elif is_late(testing) and not is_told_stale and last_run is not None:
        words = f"No cycle has finished for {_span(last_run, now)}"
        is_ahead = minutes is not None and minutes < 0
        if is_ahead:
            words = "The last cycle seems to have finished in the future: check the clock"
        if is_ahead or _could_have_finished(now, running_since, last_run, _one_is_on_since(testing.targets)):
            yield Event(Kind.SCHEDULE_STALE, key, words, link, now, "The health page says what to do.")
    elif status is TestingStatus.OK and last is not None and is_told_stale:
        detail = f"That none did was told {_span(last.created_at, now)} ago."
        yield Event(Kind.SCHEDULE_RESUMED, key, "Cycles finish again", link, now, detail)
    elif status is TestingStatus.OK:
        for target in testing.targets:
            yield from _of_one_schedule(target, told, now, running_since)


def _told_of_schedules() -> Mapping[int | None, Notice]:
    """The last notice of each target's own cycles, by its key; None: of those of all targets together."""
    notices = Notice.objects.filter(kind__in=(Kind.SCHEDULE_STALE, Kind.SCHEDULE_RESUMED))
    newest = notices.order_by().values("target").annotate(newest=Max("pk")).values("newest")
    return {notice.target_id: notice for notice in Notice.objects.filter(pk__in=newest)}


def _of_one_schedule(
    target: TargetNow, told: Mapping[int | None, Notice], now: datetime, running_since: datetime | None
) -> Iterator[Event]:
    """Of one target, while cycles of others finish. One that seems to be from the future says nothing of now."""
    last = told.get(target.pk)
    is_told_stale = last is not None and last.kind == Kind.SCHEDULE_STALE
    key, link = f"schedule of {target.pk} {last.pk if last else 0}", reverse("health-page")
    facts = {"target": target.name}
    since = target.last_run or target.first_requested
    if target.status is not TestingStatus.OK and not is_told_stale and since and since <= now:
        all_resumed = told[None].created_at if None in told else None
        if _could_have_finished(now, running_since, since, all_resumed, _on_since(target.pk)):
            words = f"No cycle on {target.name} has finished for {_span(since, now)}"
            detail = "Those on other targets do. The health page says what to do."
            row = Target.objects.get(pk=target.pk)
            yield Event(Kind.SCHEDULE_STALE, key, words, link, now, detail, facts, row)
    elif target.status is TestingStatus.OK and last is not None and is_told_stale:
        detail = f"That none did was told {_span(last.created_at, now)} ago."
        words = f"Cycles on {target.name} finish again"
        yield Event(Kind.SCHEDULE_RESUMED, key, words, link, now, detail, facts, last.target)


def _on_since(target: int) -> datetime | None:
    """When the target of this key was made, or last switched on; None where that is not known."""
    rows = Target.history.filter(id=target)
    last_off = rows.filter(enabled=False).order_by("-history_id").values("history_id")[:1]
    first_on = rows.filter(history_id__gt=Coalesce(Subquery(last_off), 0)).order_by("history_id").first()
    return None if first_on is None else first_on.history_date


def _one_is_on_since(targets: Sequence[TargetNow]) -> datetime | None:
    """When the first of them was; None where that is not known of one."""
    moments = [_on_since(target.pk) for target in targets]
    known = [moment for moment in moments if moment is not None]
    return min(known) if len(known) == len(moments) else None


def _could_have_finished(now: datetime, running_since: datetime | None, *begins: datetime | None) -> bool:
    """Whether a cycle had the time that it is allowed: none has while testing is off or Gadfly is stopped.

    begins: from each of which on cycles could be run.
    """
    begin = _latest(now, *begins, scheduled_since())
    if (now - _latest(now, begin, running_since)) / MINUTE > grace_minutes(settings_in_force()):
        return True
    # A process that is started again and again never runs for so long, and the cycles that fail meanwhile tell.
    return failed_cycles(begin) >= settings.SNAPSHOT_STALE_GRACE_MULTIPLIER


def _latest(now: datetime, *moments: datetime | None) -> datetime:
    """Of those that are not later than now, as those of a clock that was ahead are; now where all are."""
    return max((one for one in moments if one is not None and one <= now), default=now)


# --- the digest ---


def _digests(now: datetime) -> Iterator[Event]:
    lately = Delivery.objects.filter(notice__kind=Kind.DIGEST, created_at__range=(now - NEXT_DIGEST_AFTER, now))
    wanting_one = Channel.objects.filter(enabled=True, weekly_digest=True).exclude(pk__in=lately.values("channel"))
    for channel in wanting_one:
        slot = _slot(channel, now)
        is_younger = slot < channel.created_at <= now + CLOCK_AHEAD
        if not is_younger and now - TOLD_WITHIN <= slot:
            yield _digest(channel, week_before(slot), now)


def _slot(channel: Channel, now: datetime) -> datetime:
    """The last time that a digest was due."""
    today = now.replace(hour=channel.digest_hour, minute=0, second=0, microsecond=0)
    slot = today - timedelta(days=(today.weekday() - channel.digest_weekday) % 7)
    return slot if slot <= now else slot - timedelta(days=7)


def _digest_key(channel: Channel, slot: datetime) -> str:
    return f"digest {channel.pk} {slot:%Y-%m-%dT%H}"


def _digest(channel: Channel, week: Week, now: datetime) -> Event:
    words = f"Week to {week.until:%d %B %Y}: {_number(week.found, 'new cause')}, {week.judged} judged, {week.open} open"
    facts = {
        "until": week.until.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "causes_found": week.found,
        "causes_came_back": week.came_back,
        "causes_judged": week.judged,
        "causes_open": week.open,
        "cycles": week.cycles,
        "queries": week.queries,
        "flagged": week.flagged,
        "outages": dict(week.outages),
    }
    detail = "\n".join(_digest_lines(week))
    return Event(
        Kind.DIGEST, _digest_key(channel, week.until), words, reverse("inbox"), now, detail, facts, None, channel
    )


def _digest_lines(week: Week) -> Iterable[str]:
    yield f"Causes: {week.found} found, {week.came_back} came back, {week.judged} judged, {week.open} open now."
    yield f"{_number(week.cycles, 'cycle')} with {week.queries} queries, {week.flagged} of them flagged."
    for name, count in week.outages:
        yield f"Target {name} was away in {_number(count, 'cycle')}."
    if not week.outages:
        yield "No target was away."
