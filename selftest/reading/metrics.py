"""The figures that Prometheus scrapes. All are read from the database, so every process answers with the same.

Runs, probes and cycles of the past are counted once in each process; after that only what came since is. So a process's
first scrape costs more the longer the history is; to the others it adds little, as results are summed by day.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from operator import attrgetter
from threading import Lock
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Case, Count, F, Min, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Cast, Coalesce, Round
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
Figure = tuple[int, str]  # target, and what of it is counted
ANSWERS, SUM_US, PROBES = "answers", "sum_us", "probes"
WITHIN_S = {f"within_{place}": bucket_s for place, bucket_s in enumerate(BUCKETS_S)}
SAVED_WITHIN = timedelta(minutes=10)  # of `created_at`; the transaction that saves a cycle takes a moment
LAST_KEY = 2**63 - 1  # that a database gives
RETURNS = (ReviewEvent.Kind.RESURFACED, ReviewEvent.Kind.DUE, ReviewEvent.Kind.UNDISMISSED)  # to the queue
_RETURNED = ReviewEvent.objects.filter(combination=OuterRef("pk"), kind__in=RETURNS).order_by("-id").values("at")[:1]
# Of one in the queue. Only few were ever dismissed: for the others no event is looked up.
_WAITS_SINCE = Coalesce(Case(When(dismissed_at__isnull=False, then=Subquery(_RETURNED))), "first_flagged_timestamp")


def metrics_text(now: datetime | None = None) -> bytes:
    """All of them, in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Figures(now or timezone.now()))
    return generate_latest(registry)


class _Count:
    """Rows by target and name, exact at each reading. Those that are settled are counted once and remembered.

    count: of the rows with numbers above the first and up to the second. settled: up to which number no row will change
    or appear any more, as far as can be told at that time; None: it cannot be told.
    """

    def __init__(self, count: Callable[[int, int], Counter[Figure]], settled: Callable[[datetime], int | None]) -> None:
        self._count = count
        self._settled = settled
        self._lock = Lock()
        self._through = 0
        self._known: Counter[Figure] = Counter()

    def read(self, now: datetime) -> Counter[Figure]:
        """All of them, also those that came since the last call."""
        with self._lock:
            through = self._settled(now)
            if through is None:
                through = self._through
            elif through < self._through:  # the database was emptied, or an older one restored
                self._through, self._known = 0, Counter()
            known = self._known + self._count(self._through, through)
            self._through, self._known = through, known
        return known + self._count(through, LAST_KEY)


class _History:
    """What grows for ever."""

    def __init__(self) -> None:
        self.runs = _Count(_count_runs, _settled_runs)
        self.cycles = _Count(_count_cycles, _settled_cycles)


def _count_runs(after: int, through: int) -> Counter[Figure]:
    """By numbers of runs: timed answers, those within each bucket, their sum in µs, and probes.

    Whole µs, as a sum of fractions would depend on the portions in which each process has added them.
    """
    found: Counter[Figure] = Counter()
    added = Run.objects.filter(pk__gt=after, pk__lte=through).order_by()
    timed = added.filter(state=Run.State.DONE, cached=False, error="", latency_ms__isnull=False)
    us = Cast(Round(F("latency_ms") * 1000), BigIntegerField())
    sums = {name: Count("pk", filter=Q(latency_ms__lte=bucket_s * 1000)) for name, bucket_s in WITHIN_S.items()}
    rows: QuerySet[Any, Any] = timed.values("target").annotate(**{ANSWERS: Count("pk"), SUM_US: Sum(us)}, **sums)
    for row in rows:
        target = row.pop("target")
        found.update({(target, name): number for name, number in row.items()})
    sent = Probe.objects.filter(run__gt=after, run__lte=through).order_by().values_list("run__target")
    found.update({(target, PROBES): number for target, number in sent.annotate(number=Count("pk"))})
    return found


def _settled_runs(now: datetime) -> int | None:
    """The newest run, or the last one before those of open cycles.

    On PostgreSQL a run is seen once its planning is committed, which may be after runs with higher numbers. A cycle is
    seen to run before it plans all its runs in one transaction. So where no running cycle is without runs, every run
    that was being planned when the newest one was read, in the statement before, is seen by now or never will be.
    """
    newest = Run.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    open_cycles = _open_cycles()
    if any(cycle.state == Cycle.State.RUNNING and cycle.first_run is None for cycle in open_cycles):
        return None
    return min([newest, *(cycle.first_run - 1 for cycle in open_cycles if cycle.first_run is not None)])


def _count_cycles(after: int, through: int) -> Counter[Figure]:
    """Those that have ended, by how."""
    ended = Cycle.objects.filter(pk__gt=after, pk__lte=through).exclude(state__in=Cycle.OPEN_STATES).order_by()
    rows = ended.values_list("target", "state").annotate(number=Count("pk"))
    return Counter({(target, state): number for target, state, number in rows})


def _settled_cycles(now: datetime) -> int:
    """The newest one before those that are open; old enough that all with lower numbers have been committed."""
    old = Cycle.objects.filter(created_at__lt=now - SAVED_WITHIN)
    if open_cycles := _open_cycles():
        old = old.filter(pk__lt=min(cycle.pk for cycle in open_cycles))
    return old.order_by("-pk").values_list("pk", flat=True).first() or 0


class _OpenCycle(NamedTuple):
    pk: int
    state: str
    first_run: int | None


def _open_cycles() -> list[_OpenCycle]:
    """In one statement, as they change from one state to another; by state, as the table has an index of each."""
    of_states = [
        Cycle.objects.filter(state=state).order_by().annotate(first=Min("runs")).values_list("pk", "state", "first")
        for state in Cycle.OPEN_STATES
    ]
    return [_OpenCycle(*row) for row in of_states[0].union(*of_states[1:], all=True)]


_HISTORY = _History()


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
        ended = _HISTORY.cycles.read(self._now)
        for target, name in self._names.items():
            for state in Cycle.State:
                if number := ended[target, state]:
                    cycles.add_metric([name, state], number)
        yield cycles
        last = GaugeMetricFamily("gadfly_last_cycle_timestamp_seconds", "When it finished.", labels=["target"])
        up = GaugeMetricFamily("gadfly_target_up", "1: reached when last asked; 0: away.", labels=["target"])
        enabled = GaugeMetricFamily("gadfly_target_enabled", "1: switched on; 0: off.", labels=["target"])
        for row in Target.objects.order_by("name"):
            enabled.add_metric([row.name], float(row.enabled))
            if not row.enabled:
                continue
            of_target = Cycle.objects.filter(target=row).order_by("-id")
            finished = of_target.filter(state=Cycle.State.FINISHED).first()
            if finished is not None and finished.finished_at is not None:
                last.add_metric([row.name], finished.finished_at.timestamp())
            # A cycle that ended in any other way tells nothing of the target.
            outage = of_target.filter(state=Cycle.State.TARGET_UNAVAILABLE).first()
            if newest := max(filter(None, (finished, outage)), key=attrgetter("pk"), default=None):
                up.add_metric([row.name], float(newest == finished))
        yield from (enabled, last, up)

    def _latencies(self) -> Iterator[Metric]:
        metric, words = "gadfly_answer_latency_seconds", "What a target took for an answer that was not cached."
        histogram = HistogramMetricFamily(metric, words, labels=["target"])
        sent = CounterMetricFamily("gadfly_probes", "Requests beside those of the queries.", labels=["target"])
        known = _HISTORY.runs.read(self._now)
        for target, name in self._names.items():
            if answers := known[target, ANSWERS]:
                buckets = [(str(bucket_s), float(known[target, within])) for within, bucket_s in WITHIN_S.items()]
                of_all = [*buckets, ("+Inf", float(answers))]
                histogram.add_metric([name], of_all, sum_value=known[target, SUM_US] / 1_000_000)
            if probes := known[target, PROBES]:
                sent.add_metric([name], probes)
        yield from (histogram, sent)

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
        yield _gauge("gadfly_broker_up", "1: tasks can be handed over and taken.", float(waiting is not None))
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
