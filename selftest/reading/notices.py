"""What has to be told, as rows have it, and how the telling goes. Nothing here changes a row."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, F, Min, OuterRef, Subquery

from selftest.models import Cause, CauseEvent, Channel, Cycle, Delivery, Notice, ReviewEvent, Target
from selftest.reading.causes import CauseFilter, has_condition, is_back, listed_causes
from selftest.reading.queue import listed_targets, queue_revision

TOLD_WITHIN = timedelta(days=1)  # what is older is no news
LOOKED_BACK_EVENTS = 5_000  # of causes; the numbers of two that end together may come in another order
LOOKED_BACK_FLAGS = 50_000  # of what happened to flags: more than a day has
COME_TOGETHER = timedelta(minutes=1)
WEEK = timedelta(days=7)


@dataclass(frozen=True)
class FlagsDue:
    """Flags that were put off and came back together. first: of their combinations. why: of that one."""

    target: Target
    at: datetime
    count: int
    first: int
    why: str


@dataclass(frozen=True)
class Outage:
    """A target that is away. first: the cycle that found it so."""

    target: Target
    first: Cycle


@dataclass(frozen=True)
class Recovery:
    """A target that was told to be away and has answered since. cycles: how many found it away."""

    target: Target
    away: Notice
    first: Cycle
    cycles: int


@dataclass(frozen=True)
class Week:
    """The seven days before `until`. outages: how many cycles found which target away, by its name."""

    until: datetime
    found: int
    came_back: int
    judged: int
    open: int
    cycles: int
    queries: int
    flagged: int
    outages: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class FailingChannel:
    """A channel whose last delivery failed. error: why, without secrets. waiting: how many it has not got yet."""

    pk: int
    name: str
    error: str
    tried_at: datetime
    waiting: int


NEW = (CauseEvent.Kind.FOUND, CauseEvent.Kind.SPLIT)  # ways in which a cause comes to be


def recent_cause_events(now: datetime) -> list[CauseEvent]:
    """New causes, and judged ones with new flags, of the last day, oldest first; of targets that are listed.

    One that was put off until something happens is not back before that, and a decision since answers what came.
    """
    newest = CauseEvent.objects.order_by("-id").values_list("pk", flat=True).first() or 0
    events = CauseEvent.objects.filter(
        pk__gt=newest - LOOKED_BACK_EVENTS,
        kind__in=(*NEW, CauseEvent.Kind.CAME_BACK),
        at__gte=now - TOLD_WITHIN,
        cause__target__in=listed_targets(),
        cause__merged_into=None,
    )
    return [event for event in events.select_related("cause__target").order_by("pk") if not _is_no_return(event)]


def _is_no_return(event: CauseEvent) -> bool:
    return event.kind == CauseEvent.Kind.CAME_BACK and (_is_put_off(event.cause) or _is_decided_since(event))


def _is_put_off(cause: Cause) -> bool:
    return cause.verdict == Cause.Verdict.LATER and has_condition(cause)


def _is_decided_since(event: CauseEvent) -> bool:
    """Whether a person has judged the cause since, or taken back the verdict that it came back from."""
    cause = event.cause
    return cause.verdict is None or (cause.judged_at is not None and event.at < cause.judged_at)


def causes_due(now: datetime) -> list[Cause]:
    """Those that were put off until something that has happened."""
    later = Cause.objects.filter(verdict=Cause.Verdict.LATER, merged_into=None, target__in=listed_targets())
    return [row for row in later.select_related("target") if has_condition(row) and is_back(row, now)]


def flags_due(now: datetime) -> list[FlagsDue]:
    """What came back by itself within a day, but for the last minute: by then all that come together are there."""
    newest = ReviewEvent.objects.order_by("-id").values_list("pk", flat=True).first() or 0
    events = ReviewEvent.objects.filter(
        pk__gt=newest - LOOKED_BACK_FLAGS,
        kind=ReviewEvent.Kind.DUE,
        at__range=(now - TOLD_WITHIN, now - COME_TOGETHER),
    )
    # Each is looked at for its target: SQLite would begin with all combinations of those that are listed.
    events = events.annotate(target=F("combination__target"))
    events = events.filter(Exists(listed_targets().filter(pk=OuterRef("target"))))
    together = events.values("target", "at").annotate(count=Count("pk"), first=Min("pk")).order_by("first")
    firsts = events.select_related("combination__target").in_bulk([row["first"] for row in together])
    return [
        FlagsDue(first.combination.target, row["at"], row["count"], first.combination_id, first.note)
        for row in together
        if (first := firsts.get(row["first"]))
    ]


def outages() -> list[Outage]:
    """The targets that are switched on and away, by the last cycle of each that ended."""
    found = []
    for target in Target.objects.filter(enabled=True):
        finished = Cycle.objects.filter(target=target, state=Cycle.State.FINISHED)
        last = finished.order_by("-id").values_list("pk", flat=True).first() or 0
        away = Cycle.objects.filter(target=target, state=Cycle.State.TARGET_UNAVAILABLE, pk__gt=last)
        if first := away.order_by("id").first():
            found.append(Outage(target, first))
    return found


def recoveries() -> list[Recovery]:
    """The targets of which it was told last that they are away, and that have answered a cycle since."""
    of_target = Notice.objects.filter(
        target=OuterRef("pk"), kind__in=(Notice.Kind.TARGET_AWAY, Notice.Kind.TARGET_BACK)
    )
    told = Subquery(of_target.order_by("-id").values("pk")[:1])
    last = Target.objects.filter(enabled=True).annotate(told=told).values_list("told")
    found = []
    for notice in Notice.objects.filter(pk__in=last, kind=Notice.Kind.TARGET_AWAY).select_related("target"):
        target = notice.target
        if target is None:
            continue
        of_outage = Cycle.objects.filter(target=target, pk__gte=notice.facts["cycle"])
        back = of_outage.filter(state=Cycle.State.FINISHED).order_by("id").first()
        if back is not None:
            away = of_outage.filter(state=Cycle.State.TARGET_UNAVAILABLE, pk__lt=back.pk).count()
            found.append(Recovery(target, notice, back, away))
    return found


def last_of(*kinds: Notice.Kind) -> Notice | None:
    """The newest notice of these kinds."""
    return Notice.objects.filter(kind__in=kinds).order_by("-id").first()


def told_already(keys: Sequence[str]) -> set[str]:
    """Which of these events have a notice."""
    return set(Notice.objects.filter(key__in=keys).values_list("key", flat=True))


def week_before(until: datetime) -> Week:
    """What a weekly digest tells."""
    within = (until - WEEK, until)
    events = CauseEvent.objects.filter(at__range=within)
    came_back = events.filter(kind=CauseEvent.Kind.CAME_BACK).select_related("cause")
    ended = Cycle.objects.filter(finished_at__range=within)
    finished = list(ended.filter(state=Cycle.State.FINISHED).values_list("queries_run", "flagged"))
    away: dict[str, int] = {}
    for name in ended.filter(state=Cycle.State.TARGET_UNAVAILABLE).values_list("target__name", flat=True):
        away[name] = away.get(name, 0) + 1
    return Week(
        until=until,
        found=events.filter(kind__in=NEW).count(),
        came_back=sum(not _is_put_off(event.cause) for event in came_back),
        judged=events.filter(kind=CauseEvent.Kind.JUDGED).values("cause").distinct().count(),
        open=len(listed_causes(CauseFilter(), queue_revision(), until)),
        cycles=len(finished),
        queries=sum(queries for queries, _ in finished),
        flagged=sum(flagged for _, flagged in finished),
        outages=tuple(sorted(away.items())),
    )


def failing_channels(now: datetime) -> list[FailingChannel]:
    """The channels that are switched on and whose last delivery failed, with no test sent since, by name."""
    tried = Delivery.objects.filter(channel=OuterRef("pk"), tried_at__lte=now)  # not by a clock that was ahead
    last = Subquery(tried.order_by("-tried_at").values("pk")[:1])
    last_tried = Channel.objects.filter(enabled=True).annotate(last=last).values_list("last", flat=True)
    failed = Delivery.objects.filter(pk__in=last_tried).exclude(error="").exclude(channel__tested_at__gte=F("tried_at"))
    return [
        FailingChannel(
            row.channel_id,
            row.channel.name,
            row.error,
            row.tried_at,
            Delivery.objects.filter(channel=row.channel_id, state__in=Delivery.OPEN_STATES).count(),
        )
        for row in failed.select_related("channel").order_by("channel__name")
        if row.tried_at is not None
    ]
