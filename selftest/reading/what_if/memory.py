"""What was known when a run was examined: which runs there are, their recipes' latencies, and the probes."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet

from selftest.core.generation.vocabulary import Vocabulary, VocabularyError, parse_vocabulary
from selftest.core.insight.impact import Impact, Texts
from selftest.core.judging.answers import Answer
from selftest.core.judging.latency import WINDOW_RUNS
from selftest.core.judging.probes import Probe as WantedProbe
from selftest.core.judging.probes import Purpose
from selftest.models import Cycle, Probe, Run, VocabularyVersion

CHUNK_PROBES = 2_000  # read at once
UNREAD_OF_PROBES = ("source", "result_sha256", "empty_phrase")


class _Known(NamedTuple):
    """A probe that there is."""

    run: int
    pk: int
    asked_at: datetime


class Bearing(NamedTuple):
    """The probes whose answers a change affects: of which runs, and what was asked."""

    runs: frozenset[int]
    texts: Texts


NOTHING = Bearing(frozenset(), Texts(()))


class StoredRun(NamedTuple):
    """What of a run is needed before its answer is looked at. vocabulary: the version that it was asked by."""

    pk: int
    target: int
    vocabulary: int | None
    recipe: str
    latency_ms: float | None
    cached: bool
    is_crash: bool
    is_ours: bool
    asked_at: datetime | None

    @property
    def is_sample(self) -> bool:
        """Whether its latency counts for its recipe."""
        return not (self.cached or self.is_crash or self.is_ours or self.latency_ms is None)


def latest_rows(runs: QuerySet[Run], most: int) -> list[StoredRun]:
    """Oldest first. Among them those that failed for a reason of ours, which say nothing about the target."""
    came = runs.filter(Q(state=Run.State.DONE) | (Q(state=Run.State.INTERRUPTED) & ~Q(own_error="")))
    columns = came.annotate(is_crash=~Q(error=""), is_ours=~Q(own_error="")).values_list(
        "pk",
        "target_id",
        "cycle__vocabulary_id",
        "recipe_name",
        "latency_ms",
        "cached",
        "is_crash",
        "is_ours",
        "asked_at",
    )
    return [StoredRun(*row) for row in reversed(columns.order_by("-pk")[:most])]


class Vocabularies:
    """Versions, each parsed once. None for one that no longer holds, or that is not known."""

    def __init__(self) -> None:
        self._parsed: dict[int, Vocabulary | None] = {}

    def of(self, version: int | None) -> Vocabulary | None:
        """The version of this key, parsed."""
        if version is None:
            return None
        if version not in self._parsed:
            try:
                self._parsed[version] = parse_vocabulary(VocabularyVersion.objects.get(pk=version).content)
            except VocabularyError:
                self._parsed[version] = None
        return self._parsed[version]


class Histories:
    """The latencies that each run was judged against, rebuilt in one pass over the runs in order."""

    def __init__(self, rows: Sequence[StoredRun]) -> None:
        self._samples_ms: dict[tuple[int, str], list[float]] = {}
        self._known: dict[int, int] = {}  # run → how many of its recipe's samples were there before it
        for row in rows:
            samples_ms = self._of_recipe(row, rows[0].pk)
            self._known[row.pk] = len(samples_ms)
            if row.is_sample and row.latency_ms is not None:
                samples_ms.append(row.latency_ms)

    def of(self, row: StoredRun) -> Sequence[float]:
        """The latencies that this run was judged against, oldest first, in ms."""
        end = self._known[row.pk]
        return self._samples_ms[row.target, row.recipe][max(0, end - WINDOW_RUNS) : end]

    def _of_recipe(self, row: StoredRun, first: int) -> list[float]:
        key = row.target, row.recipe
        if key not in self._samples_ms:
            samples = Run.objects.filter(target_id=row.target, recipe_name=row.recipe, pk__lt=first)
            samples = samples.filter(state=Run.State.DONE, cached=False, error="", latency_ms__isnull=False)
            newest = samples.order_by("-pk").values_list("latency_ms", flat=True)[:WINDOW_RUNS]
            self._samples_ms[key] = [latency_ms for latency_ms in reversed(newest) if latency_ms is not None]
        return self._samples_ms[key]


class KeptProbes:
    """The probes that a run could be examined by: its own, and earlier ones for as long as they are believed.

    What there is, is known at once; the answers are read on the way, from the newest runs to the oldest.
    """

    def __init__(self, rows: Sequence[StoredRun], believed_hours: float) -> None:
        self._believed = timedelta(hours=believed_hours)
        self._targets = {row.target for row in rows}
        self._of_text: dict[tuple[int, str, str], list[_Known]] = {}  # in the order of their runs
        self._of_run: dict[tuple[int, str, str], list[_Known]] = {}
        self._answers: dict[int, tuple[int, Answer]] = {}  # probe → its run and its answer
        self._every = self._between(self._first_run(rows[0]), rows[-1].pk)
        columns = self._every.values_list("run_id", "pk", "asked_at", "target_id", "text", "only")
        for run, pk, asked_at, target, text, only in columns:
            known = _Known(run, pk, asked_at)
            self._of_text.setdefault((target, text, only), []).append(known)
            self._of_run.setdefault((run, text, only), []).append(known)

    def _between(self, first: int, last: int) -> QuerySet[Probe]:
        found = Probe.objects.filter(run__gte=first, run__lte=last, target__in=self._targets, answer_deleted_at=None)
        return found.order_by("run_id", "pk")

    def _first_run(self, first: StoredRun) -> int:
        """From it on probes may be believed for `first`; by its cycle, as neither has an index by time."""
        if first.asked_at is None:
            return first.pk
        over = Cycle.objects.filter(state=Cycle.State.FINISHED, finished_at__gte=first.asked_at - self._believed)
        cycle = over.order_by("finished_at", "pk").values_list("pk", flat=True).first()
        run = Run.objects.filter(cycle=cycle).order_by("place").values_list("pk", flat=True).first()
        return min(first.pk, run or first.pk)

    def read_ahead(self, rows: Sequence[StoredRun]) -> None:
        """Reads what was asked for `rows`, which are about to be examined, or those after them."""
        if rows:
            for probe in self._between(rows[0].pk, rows[-1].pk).defer(*UNREAD_OF_PROBES):
                self._answers[probe.pk] = probe.run_id, answer_of(probe)

    def forget_from(self, row: StoredRun) -> None:
        """What was asked for `row` and later ones: earlier ones know nothing of it."""
        self._answers = {pk: known for pk, known in self._answers.items() if known[0] < row.pk}

    def answer(self, row: StoredRun, wanted: WantedProbe) -> Answer | None:
        """As when the run was examined: what was kept before, else what was asked for it."""
        if wanted.fresh:
            known = self._own(row, wanted, wanted.fresh)
        else:
            known = self._earlier(row, wanted) or self._own(row, wanted, 1)
        if known is None:
            return None
        if known.pk not in self._answers:
            self._answers[known.pk] = known.run, answer_of(Probe.objects.defer(*UNREAD_OF_PROBES).get(pk=known.pk))
        return self._answers[known.pk][1]

    def bearing(self, impact: Impact) -> "Bearing":
        """The probes whose answers a change affects."""
        runs: set[int] = set()
        texts: set[str] = set()
        if impact.is_of_conjunctions:
            runs.update(self._every.filter(purpose=Purpose.CONJUNCTION).values_list("run_id", flat=True))
        if impact.is_of_texts:
            found = self._every.values_list("run_id", "text", "result")
            for run, text, result in found.iterator(CHUNK_PROBES):
                if impact.bears_on_text(result):
                    runs.add(run)
                    texts.add(text)
        return Bearing(frozenset(runs), Texts(texts))

    def _own(self, row: StoredRun, wanted: WantedProbe, number: int) -> _Known | None:
        own = self._of_run.get((row.pk, wanted.text, wanted.only), [])
        return own[number - 1] if number <= len(own) else None

    def _earlier(self, row: StoredRun, wanted: WantedProbe) -> _Known | None:
        every = self._of_text.get((row.target, wanted.text, wanted.only), [])
        place = bisect_left(every, row.pk, key=lambda known: known.run)
        if place == 0 or row.asked_at is None or row.asked_at - every[place - 1].asked_at > self._believed:
            return None
        return every[place - 1]


def answer_of(row: Run | Probe) -> Answer:
    """The stored answer of a run or a probe, as checks take it."""
    return Answer(row.result, row.source_used, row.latency_ms or 0.0, row.http_status, row.cached, row.error or None)
