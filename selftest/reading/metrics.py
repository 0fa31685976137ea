"""The figures that Prometheus scrapes. All are read from the database, so every process answers with the same.

What grows with the history is counted once in each process; after that only what came since is. A scrape therefore
costs the same on the first day and after a year, but for a process's first one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any

from django.db.models import Case, Count, Min, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector, CollectorRegistry

from selftest.models import ANY_CHECK, Cause, Combination, Cycle, Probe, RecipeTally, ReviewEvent, Run, Target
from selftest.models.combination import IN_QUEUE
from selftest.reading.schedule import schedule
from selftest.reading.targets import targets_by_name
from selftest.reading.tuning import is_enabled
from selftest.reading.waiting_work import overdue
from selftest.reading.worker import waiting_tasks, worker_clusters
from selftest.storage.database_size import database_bytes

BUCKETS_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
OPEN_STATES = (Run.State.PLANNED, Run.State.ASKING)
RETURNS = (ReviewEvent.Kind.RESURFACED, ReviewEvent.Kind.DUE, ReviewEvent.Kind.UNDISMISSED)  # to the queue
_RETURNED = ReviewEvent.objects.filter(combination=OuterRef("pk"), kind__in=RETURNS).order_by("-id").values("at")[:1]
# Of one in the queue. Only few were ever dismissed: for the others no event is looked up.
_WAITS_SINCE = Coalesce(Case(When(dismissed_at__isnull=False, then=Subquery(_RETURNED))), "first_flagged_timestamp")


def metrics_text(now: datetime | None = None) -> bytes:
    """All of them, in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Figures(now or timezone.now()))
    return generate_latest(registry)


@dataclass
class _Latencies:
    """Of one target. at_most: by bucket, how many answers took that long or less."""

    at_most: Counter[float] = field(default_factory=Counter)
    answers: int = 0
    sum_s: float = 0.0


class _History:
    """What was counted of runs up to one of them, before which none is open."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._forget()

    def _forget(self) -> None:
        self._through = 0
        self._latencies: dict[int, _Latencies] = {}
        self._probes: Counter[int] = Counter()

    def read(self) -> tuple[dict[int, _Latencies], Counter[int]]:
        """By target: latencies and probes, with all that came since the last call."""
        with self._lock:
            through = _last_before_open()
            if through < self._through:  # the database was emptied, or an older one restored
                self._forget()
            self._count(through)
            self._through = through
            return dict(self._latencies), Counter(self._probes)

    def _count(self, through: int) -> None:
        added = Run.objects.filter(pk__gt=self._through, pk__lte=through).order_by()
        timed = added.filter(state=Run.State.DONE, cached=False, error="", latency_ms__isnull=False)
        buckets = {f"within_{place}": Count("pk", filter=_within(bucket)) for place, bucket in enumerate(BUCKETS_S)}
        figures: QuerySet[Any, Any] = timed.values_list("target")
        for target, answers, sum_ms, *within in figures.annotate(
            answers=Count("pk"), sum_ms=Sum("latency_ms"), **buckets
        ):
            known = self._latencies.setdefault(target, _Latencies())
            known.answers += answers
            known.sum_s += sum_ms / 1000
            known.at_most.update(dict(zip(BUCKETS_S, within, strict=True)))
        sent = Probe.objects.filter(run__gt=self._through, run__lte=through).order_by()
        self._probes.update(dict(sent.values_list("run__target").annotate(count=Count("pk"))))


_HISTORY = _History()


def _within(bucket_s: float) -> Q:
    return Q(latency_ms__lte=bucket_s * 1000)


def _last_before_open() -> int:
    open_cycles = list(Cycle.objects.filter(state__in=Cycle.OPEN_STATES).order_by().values_list("pk", flat=True))
    of_them = Run.objects.filter(cycle__in=open_cycles, state__in=OPEN_STATES)
    first_open: int | None = of_them.aggregate(first=Min("pk"))["first"]
    if first_open is not None:
        return first_open - 1
    return Run.objects.order_by("-id").values_list("pk", flat=True).first() or 0


class _Figures(Collector):
    """One scrape."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._names = targets_by_name()

    def collect(self) -> Iterable[Metric]:
        """Every family, in the order in which they are shown."""
        yield from self._runs()
        yield from self._cycles()
        yield from self._latencies()
        yield from self._review()
        yield from self._work()

    def _runs(self) -> Iterator[Metric]:
        runs = CounterMetricFamily("gadfly_runs", "Queries that were answered.", labels=["target"])
        flagged = CounterMetricFamily("gadfly_flagged_runs", "Of those, with a flag.", labels=["target"])
        flags = CounterMetricFamily("gadfly_flags", "Flagged runs by check.", labels=["target", "check"])
        sums = RecipeTally.objects.order_by().values_list("target", "check_name")
        for target, check, count, with_flag in sums.annotate(count=Sum("runs"), with_flag=Sum("flagged")):
            if check == ANY_CHECK:
                runs.add_metric([self._names[target]], count)
                flagged.add_metric([self._names[target]], with_flag)
            else:
                flags.add_metric([self._names[target], check], count)
        yield from (runs, flagged, flags)

    def _cycles(self) -> Iterator[Metric]:
        cycles = CounterMetricFamily("gadfly_cycles", "Cycles by how they ended.", labels=["target", "state"])
        ended = Cycle.objects.exclude(state__in=Cycle.OPEN_STATES).order_by().values_list("target", "state")
        for target, state, count in ended.annotate(count=Count("pk")):
            cycles.add_metric([self._names[target], state], count)
        yield cycles
        last = GaugeMetricFamily("gadfly_last_cycle_timestamp_seconds", "When it finished.", labels=["target"])
        up = GaugeMetricFamily("gadfly_target_up", "1: reached by its newest cycle; 0: away.", labels=["target"])
        for row in Target.objects.filter(enabled=True).order_by("name"):
            of_target = Cycle.objects.filter(target=row).order_by("-id")
            finished = of_target.filter(state=Cycle.State.FINISHED).first()
            if finished is not None and finished.finished_at is not None:
                last.add_metric([row.name], finished.finished_at.timestamp())
            newest = of_target.exclude(state__in=Cycle.OPEN_STATES).first()
            if newest is not None:
                up.add_metric([row.name], float(newest.state != Cycle.State.TARGET_UNAVAILABLE))
        yield from (last, up)

    def _latencies(self) -> Iterator[Metric]:
        name, words = "gadfly_answer_latency_seconds", "What a target took for an answer that was not cached."
        histogram = HistogramMetricFamily(name, words, labels=["target"])
        latencies, probes = _HISTORY.read()
        there = self._names.keys()  # what was counted may be of a target that was deleted since
        for target, known in latencies.items():
            if target not in there:
                continue
            buckets = [(str(bucket), float(known.at_most[bucket])) for bucket in BUCKETS_S]
            of_all = [*buckets, ("+Inf", float(known.answers))]
            histogram.add_metric([self._names[target]], of_all, sum_value=known.sum_s)
        yield histogram
        sent = CounterMetricFamily("gadfly_probes", "Requests beside those of the queries.", labels=["target"])
        for target in probes.keys() & there:
            sent.add_metric([self._names[target]], probes[target])
        yield sent

    def _review(self) -> Iterator[Metric]:
        open_flags = GaugeMetricFamily("gadfly_open_flags", "Combinations to review.", labels=["target"])
        waits = GaugeMetricFamily("gadfly_oldest_open_flag_seconds", "How long it has waited.", labels=["target"])
        queue = Combination.objects.filter(IN_QUEUE).order_by().values_list("target")
        for target, count, oldest in queue.annotate(count=Count("pk"), oldest=Min(_WAITS_SINCE)):
            open_flags.add_metric([self._names[target]], count)
            if oldest is not None:
                waits.add_metric([self._names[target]], (self._now - oldest).total_seconds())
        yield from (open_flags, waits)
        causes = GaugeMetricFamily(
            "gadfly_causes", "Causes by check and verdict; open: none yet.", labels=["target", "check", "verdict"]
        )
        found: Counter[tuple[str, str, str]] = Counter()
        rows = Cause.objects.filter(merged_into=None).order_by()
        for target, checks, verdict in rows.values_list("target", "checks", "verdict"):
            found.update((self._names[target], check, verdict or "open") for check in checks)
        for labels, count in sorted(found.items()):
            causes.add_metric(list(labels), count)
        yield causes

    def _work(self) -> Iterator[Metric]:
        is_on = is_enabled(None)
        yield _gauge("gadfly_testing_enabled", "1: switched on.", float(is_on))
        clusters, waiting = worker_clusters(), waiting_tasks()
        if clusters is not None:
            yield _gauge("gadfly_workers", "Clusters with a fresh heartbeat.", clusters)
        if waiting is not None:
            yield _gauge("gadfly_tasks_waiting", "Tasks that no worker has taken.", waiting)
        late = len(overdue(self._now)) if is_on else 0
        yield _gauge("gadfly_waiting_too_long", "What was requested and has not started within a minute.", late)
        row = schedule()
        if row is not None and row.next_run is not None:
            yield _gauge("gadfly_next_cycle_timestamp_seconds", "When it is due.", row.next_run.timestamp())
        yield _gauge("gadfly_database_bytes", "Size of the database.", database_bytes())


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(name, words, value=value)
