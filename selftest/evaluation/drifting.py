"""The hourly check for drift: takes the values of cycles that are over, closes windows, begins and ends alerts.

Each cycle is read once, from where the last check ended; what is not enough for a window yet waits in its series. What
is read costs time and is read first; the changes are one transaction, which begins with the row of the target's watch.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from statistics import fmean, quantiles

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from selftest.core.generation.vocabulary import Vocabulary, VocabularyError
from selftest.core.judging.answers import split_sections
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.evaluation.core.drift import (
    CALM_TO_END,
    MOST_WINDOW_VALUES,
    REFERENCE_VALUES,
    WINDOW_VALUES,
    Comparison,
    Metric,
    Verdict,
)
from selftest.evaluation.core.samples import REFUSAL
from selftest.evaluation.drift_acts import lock
from selftest.evaluation.models import (
    DriftAlert,
    DriftEvent,
    DriftProposal,
    DriftSeries,
    DriftWatch,
    DriftWindow,
    GraderScore,
)
from selftest.models import ENGINE, Cycle, Explanation, Notice, Run, Target, VocabularyVersion
from selftest.operating.notices.events import Event, tell
from selftest.storage.chunks import chunks
from selftest.storage.serialization import query_of, vocabulary_of

log = logging.getLogger(__name__)

FIRST_CYCLES = 200  # of a long history, that the first check looks back on
CYCLES_AT_ONCE = 50  # in one transaction
RUNS_AT_ONCE = 200  # answers in memory
KEPT = timedelta(days=90)  # of windows
DECIMALS = 6  # of a value, as it is stored

METRIC_OF_GRADER = {"faithfulness": Metric.FAITHFULNESS, "keyphrase_coverage": Metric.COVERAGE}
Key = tuple[str, Metric, bool]  # recipe, metric, whether from the target's cache
Values = Mapping[Key, Sequence[float]]


@dataclass(frozen=True)
class Checked:
    """What a check did. cycles: read; windows: closed; began, ended: alerts."""

    cycles: int = 0
    windows: int = 0
    began: int = 0
    ended: int = 0

    def __add__(self, other: "Checked") -> "Checked":
        return Checked(*(mine + theirs for mine, theirs in zip(_counts(self), _counts(other), strict=True)))


def check_all() -> Checked:
    """Every target that is switched on."""
    done = Checked()
    for target in Target.objects.filter(enabled=True):
        done += check(target)
    DriftWindow.objects.filter(at__lt=timezone.now() - KEPT).delete()
    log.info("Drift: %s", done)
    return done


def check(target: Target) -> Checked:
    """All that has come since the last check of `target`."""
    done = Checked()
    while (step := _check_next(target)).cycles:
        done += step
    return done


def _check_next(target: Target) -> Checked:
    watch = _watch(target)
    cycles = _unread(watch)
    if not cycles:
        return Checked()
    values = _values_of(cycles)
    with transaction.atomic():
        lock(target.pk)
        # Zero rows: another check has taken these cycles.
        mine = DriftWatch.objects.filter(pk=watch.pk, last_cycle=watch.last_cycle)
        if not mine.update(last_cycle=cycles[-1].pk):
            return Checked()
        _follow_version(DriftWatch.objects.get(pk=watch.pk), cycles[-1])
        return replace(add_values(target, values), cycles=len(cycles))


def _watch(target: Target) -> DriftWatch:
    watch = DriftWatch.objects.filter(target=target).first()
    if watch is not None:
        return watch
    earlier = Cycle.objects.filter(target=target).order_by("-id").values_list("pk", flat=True)
    last = next(iter(earlier[FIRST_CYCLES : FIRST_CYCLES + 1]), 0)
    return DriftWatch.objects.get_or_create(target=target, defaults={"last_cycle": last})[0]


def _unread(watch: DriftWatch) -> list[Cycle]:
    """Up to the first that is not over: what comes after it is read when it is, and in this order."""
    rows = Cycle.objects.filter(target=watch.target_id, pk__gt=watch.last_cycle).order_by("pk")
    return list(takewhile(lambda cycle: cycle.state not in Cycle.OPEN_STATES, rows[:CYCLES_AT_ONCE]))


# --- values ---


def grader_scores(runs: Collection[int]) -> Mapping[int, Mapping[Metric, float]]:
    """What graders said of these runs, by run; of one that they could say nothing of, or that refused, nothing."""
    scores: dict[int, dict[Metric, float]] = defaultdict(dict)
    for some in chunks(list(runs)):
        rows = GraderScore.objects.filter(run__in=some, grader__in=METRIC_OF_GRADER).exclude(label=REFUSAL)
        for run, grader, value in rows.values_list("run", "grader", "value"):
            if value is not None:
                scores[run][METRIC_OF_GRADER[grader]] = value
    return scores


def _values_of(cycles: Sequence[Cycle]) -> Values:
    """By series, in the order in which they were asked. Cycles that repeat chosen queries say nothing of the usual."""
    asking = [cycle for cycle in cycles if not cycle.repeats]
    vocabularies = _vocabularies({cycle.vocabulary_id for cycle in asking if cycle.vocabulary_id})
    of_cycle = {cycle.pk: vocabularies.get(cycle.vocabulary_id or 0) for cycle in asking}
    rows = Run.objects.filter(cycle__in=of_cycle, state=Run.State.DONE, error="", own_error="").order_by(
        "cycle", "place"
    )
    columns = ("cycle", "recipe_name", "query", "latency_ms", "cached", "result", "answer_deleted_at")
    rows = rows.select_related("combination").only(*columns, "combination__query")
    pks = list(rows.values_list("pk", flat=True))
    explained = set(Explanation.objects.filter(run__in=pks).values_list("run", flat=True)) if pks else set()
    scores = grader_scores(pks)
    values: dict[Key, list[float]] = defaultdict(list)
    for run in rows.iterator(chunk_size=RUNS_AT_ONCE):
        measured = dict(scores.get(run.pk, {}))
        measured[Metric.EXPLAINED] = float(run.pk in explained)
        if run.latency_ms is not None:
            measured[Metric.LATENCY] = run.latency_ms
        vocabulary = of_cycle[run.cycle_id]
        if vocabulary is not None and run.answer_deleted_at is None:
            measured |= measures_of(run, vocabulary)
        for metric, value in measured.items():
            values[run.recipe_name, metric, run.cached].append(round(value, DECIMALS))
    return values


def measures_of(run: Run, vocabulary: Vocabulary) -> dict[Metric, float]:
    """Sections for each part of the query, and the share of them that hold nothing. Without a header it is one."""
    sections = split_sections(run.result, vocabulary.headers)
    texts = [section.text for section in sections] or [""]
    headed = sum(section.source is not None for section in sections) or int(bool(sections))
    empty = sum(not text or failure_phrase(text, vocabulary.empty_phrases) is not None for text in texts)
    parts = max(len(query_of(run.document).clauses), 1)
    return {Metric.SECTIONS: headed / parts, Metric.EMPTY: empty / len(texts)}


def _vocabularies(pks: Collection[int]) -> dict[int, Vocabulary]:
    """Those that can still be read."""
    found = {}
    for version in VocabularyVersion.objects.filter(pk__in=pks):
        try:
            found[version.pk] = vocabulary_of(version)
        except VocabularyError as fault:
            log.warning("Drift: %s can no longer be read: %s", version, fault)
    return found


# --- windows and alerts ---


def add_values(target: Target, values: Values) -> Checked:
    """Adds the values to their series, and closes the windows that are full. The transaction began with `lock`."""
    now = timezone.now()
    rows = {(row.recipe_name, Metric(row.metric), row.cached): row for row in DriftSeries.objects.filter(target=target)}
    new = [
        DriftSeries(target=target, recipe_name=recipe, metric=metric, cached=cached)
        for recipe, metric, cached in values
        if (recipe, metric, cached) not in rows
    ]
    for row in DriftSeries.objects.bulk_create(new):
        rows[row.recipe_name, Metric(row.metric), row.cached] = row
    for key, more in values.items():
        rows[key].pending = [*rows[key].pending, *more]
        _freeze(rows[key], now)
    full = [row for row in rows.values() if row.reference and len(row.pending) >= WINDOW_VALUES]
    others_p = [row.last_p for row in rows.values() if row.last_p is not None and row not in full]
    began, ended = _close(full, others_p, now) if full else (0, 0)
    DriftSeries.objects.bulk_update((rows[key] for key in values), _CHANGING, batch_size=RUNS_AT_ONCE)
    return Checked(windows=len(full), began=began, ended=ended)


_CHANGING = (
    "pending",
    "reference",
    "reference_at",
    "last_at",
    "last_values",
    "last_p",
    "last_verdict",
    "calm_windows",
)


def _freeze(row: DriftSeries, now: datetime) -> None:
    """The first values make the reference, once there are enough."""
    if not row.reference and len(row.pending) >= REFERENCE_VALUES:
        row.reference, row.pending = sorted(row.pending[:REFERENCE_VALUES]), row.pending[REFERENCE_VALUES:]
        row.reference_at = now


def _close(full: Sequence[DriftSeries], others_p: Sequence[float], now: datetime) -> tuple[int, int]:
    """How many alerts begin and end by the windows of these series."""
    # It loads scipy, which takes 80 MB: only a worker that closes a window pays for that.
    from selftest.evaluation.core.drift_statistics import compare, decisions, needs_both

    windows = [row.pending[-MOST_WINDOW_VALUES:] for row in full]
    found = [compare(row.reference, window) for row, window in zip(full, windows, strict=True)]
    was_suspect = [row.last_verdict == Verdict.SUSPECT for row in full]
    together = [[*row.last_values, *window] for row, window in zip(full, windows, strict=True)]
    both = [
        compare(row.reference, values) if row.last_values and needs_both(one, before) else None
        for row, values, one, before in zip(full, together, found, was_suspect, strict=True)
    ]
    said = decisions(found, both, was_suspect, others_p)
    lines = list(zip(full, windows, found, said, strict=True))
    DriftWindow.objects.bulk_create(_window(row, window, one, made.verdict, now) for row, window, one, made in lines)
    open_alerts = {alert.series_id: alert for alert in DriftAlert.objects.filter(series__in=full, ended_at=None)}
    began = 0
    for (row, window, one, made), values in zip(lines, together, strict=True):
        if made.verdict is Verdict.DRIFT and row.pk not in open_alerts:
            _begin(row, window if made.rests_on is one else values, made.rests_on, now)
            began += 1
        row.pending, row.last_values = [], window
        row.last_at, row.last_p, row.last_verdict = now, one.p_value, made.verdict
        row.calm_windows = row.calm_windows + 1 if made.verdict is Verdict.CALM else 0
    ended = [row for row in full if row.calm_windows >= CALM_TO_END and row.pk in open_alerts]
    for row in ended:
        _end(row, open_alerts[row.pk], now)
    return began, len(ended)


def _window(row: DriftSeries, values: Sequence[float], one: Comparison, verdict: Verdict, now: datetime) -> DriftWindow:
    low, _, high = quantiles(values, n=4, method="inclusive")
    return DriftWindow(
        series=row,
        at=now,
        size=len(values),
        low=low,
        median=one.window_median,
        high=high,
        mean=fmean(values),
        distance=one.distance,
        is_up=one.is_up,
        p_value=one.p_value,
        verdict=verdict,
    )


def _begin(row: DriftSeries, window: Sequence[float], one: Comparison, now: datetime) -> None:
    alert = DriftAlert.objects.create(
        series=row,
        target_id=row.target_id,
        began_at=now,
        reference=row.reference,
        window=sorted(window),
        distance=one.distance,
        is_up=one.is_up,
        p_value=one.p_value,
    )
    moved = f"median {one.reference_median:.4g} → {one.window_median:.4g}, distance {one.distance:.2f}"
    _record(DriftEvent.Kind.BEGAN, row, moved, now)
    words = f"Drift on {row.target}: {row}"
    facts = {"target": row.target.name, "series": row.pk, "recipe": row.recipe_name, "metric": row.metric}
    link = reverse("drift-series", args=[row.pk])
    event = Event(Notice.Kind.DRIFT, f"drift {alert.pk}", words, link, now, moved, facts, row.target)
    tell(event, now)


def _end(row: DriftSeries, alert: DriftAlert, now: datetime) -> None:
    DriftAlert.objects.filter(pk=alert.pk).update(ended_at=now, end=DriftAlert.End.CALM)
    _record(DriftEvent.Kind.ENDED, row, f"{CALM_TO_END} windows in a row are like the reference", now)


def _record(kind: DriftEvent.Kind, row: DriftSeries, note: str, now: datetime) -> None:
    DriftEvent.objects.create(kind=kind, target_id=row.target_id, series=row, note=note, actor=ENGINE, at=now)


# --- another version ---


def _follow_version(watch: DriftWatch, newest: Cycle) -> None:
    """Proposes new references where the target or its vocabulary is another; without one, starts again."""
    version = newest.target_version or watch.version
    vocabulary = newest.vocabulary_id or watch.vocabulary_id
    of_target = DriftSeries.objects.filter(target=watch.target_id)
    proposals = DriftProposal.objects.filter(target=watch.target_id)
    if (version, vocabulary) == (watch.version, watch.vocabulary_id):
        proposals.filter(state=DriftProposal.State.OPEN).update(state=DriftProposal.State.OVERTAKEN)
    elif not of_target.filter(reference_at__isnull=False).exists():
        of_target.update(pending=[])
        DriftWatch.objects.filter(pk=watch.pk).update(version=version, vocabulary=vocabulary)
    elif not proposals.filter(version=version, vocabulary=vocabulary).exists():
        _propose(watch, version, vocabulary)


def _propose(watch: DriftWatch, version: str, vocabulary: int | None) -> None:
    now = timezone.now()
    what = "; ".join(_changes(watch, version, vocabulary))
    earlier = DriftProposal.objects.filter(target=watch.target_id, state=DriftProposal.State.OPEN)
    earlier.update(state=DriftProposal.State.OVERTAKEN)
    DriftProposal.objects.create(
        target_id=watch.target_id, version=version, vocabulary_id=vocabulary, what=what, created_at=now
    )
    DriftEvent.objects.create(kind=DriftEvent.Kind.PROPOSED, target_id=watch.target_id, note=what, actor=ENGINE, at=now)


def _changes(watch: DriftWatch, version: str, vocabulary: int | None) -> Iterator[str]:
    if version != watch.version:
        yield f"version {watch.version or 'unknown'} → {version}"
    if vocabulary != watch.vocabulary_id:
        numbers = dict(VocabularyVersion.objects.filter(target=watch.target_id).values_list("pk", "number"))
        before, now = (numbers.get(pk or 0, "unknown") for pk in (watch.vocabulary_id, vocabulary))
        yield f"vocabulary {before} → {now}"


def _counts(checked: Checked) -> Iterable[int]:
    return (checked.cycles, checked.windows, checked.began, checked.ended)
