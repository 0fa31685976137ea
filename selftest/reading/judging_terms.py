"""What the answers of a target are judged by: limits, rules, stability, earlier latencies."""

from collections import deque

from selftest.core.generation.queries import Query
from selftest.core.judging.boilerplate import Boilerplate
from selftest.core.judging.findings import CheckName
from selftest.core.judging.latency import WINDOW_RUNS, LatencyLimits
from selftest.core.judging.stability import LATELY_ACCUSED, Stability
from selftest.core.judging.verdicts import Rules
from selftest.models import Cycle, Probe, Run, SourceStability, Target, Tuning
from selftest.models.run import AS_ASKED
from selftest.reading.targets import flags_on
from selftest.storage.serialization import query_of


def latency_history_ms(
    target: Target, recipe_name: str, runs: int = WINDOW_RUNS, before: int | None = None
) -> list[float]:
    """The last uncached, error-free latencies of a recipe on `target`, or those before one run; oldest first."""
    samples = Run.objects.filter(
        target=target, recipe_name=recipe_name, state=Run.State.DONE, cached=False, error="", latency_ms__isnull=False
    )
    if before is not None:
        samples = samples.filter(pk__lt=before)
    newest_first = samples.order_by("-id").values_list("latency_ms", flat=True)[:runs]
    return [latency_ms for latency_ms in reversed(list(newest_first)) if latency_ms is not None]


def latency_limits(tuning: Tuning) -> LatencyLimits:
    """The limits of the latency check under these settings."""
    return LatencyLimits(
        multiplier=tuning.latency_outlier_multiplier,
        floor_ms=tuning.latency_outlier_floor_ms,
        min_samples=tuning.latency_outlier_min_samples,
    )


def stability_of(target_id: int) -> Stability:
    """What was measured so far on this target."""
    rows = list(SourceStability.objects.filter(target=target_id))
    flags = flags_on(target_id, lately=True).order_by("-id")
    fields = ("check_name", "evidence__kind", "evidence__sources", "evidence__also")
    accusations = [
        (check, one.get("kind") or "", *(one.get("sources") or ()))
        for check, kind, sources, also in reversed(flags.values_list(*fields)[:LATELY_ACCUSED])
        for one in ({"kind": kind, "sources": sources}, *(also or ()))
    ]
    return Stability(
        {row.source: (row.agreed, row.compared) for row in rows if row.compared},
        {row.source: row.longest for row in rows if row.longest},
        Boilerplate({row.source: [(asked, lines) for asked, lines in row.answers] for row in rows if row.answers}),
        deque(accusations, maxlen=LATELY_ACCUSED),
        {(row.source, kind): (confirmed, of) for row in rows for kind, (confirmed, of) in row.confirmed.items()},
    )


def unchecked_of_last_cycle(target: Target) -> list[Query]:
    """The queries whose parts were not checked when the target was last asked new ones, in their order."""
    last = _last_cycle(target)
    if last is None or not last.unchecked:
        return []
    unchecked = last.runs.filter(unchecked=True).order_by("place")
    return [query_of(document) for document in unchecked.values_list(AS_ASKED, flat=True)]


def unspent_of_last_cycle(target: Target) -> int:
    """How many of the probes that its queries earned were not sent when the target was last asked new ones.

    A query that an interrupted cycle did not ask has earned nothing.
    """
    last = _last_cycle(target)
    if last is None:
        return 0
    earned = (last.probes_at_most or 0) * last.queries_run // last.queries_wanted
    return max(0, earned - Probe.objects.filter(run__cycle=last).count())


def _last_cycle(target: Target) -> Cycle | None:
    over = Cycle.objects.filter(target=target, combination=None, replay_of=None, queries_run__gt=0)
    return over.exclude(state__in=Cycle.OPEN_STATES).order_by("-id").first()


def rules_of(tuning: Tuning, stability: Stability, overdue: frozenset[str] = frozenset()) -> Rules:
    """Names that are no check's, of an earlier version, are passed over. overdue: parts, as written."""
    off = frozenset(check for check in CheckName if check in tuning.checks_off)
    return Rules(
        tuning.explains,
        off,
        stability.volatile(),
        stability.steady(),
        dict(stability.longest),
        stability.repetitions(),
        stability.is_reproducible(),
        stability.boilerplate.lines(),
        stability.known_causes(),
        overdue,
        tuning.explains_conditions,
        stability.seldom_confirmed(),
    )
