"""A zoo router as a target in process. Decides what one request is; must not know how a query is routed."""

import threading
import traceback
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from selftest.core.judging.answers import Answer
from selftest.targets.base import AUTO, Reachability
from selftest.targets.reference.zoo.faults.registry import faults_named
from selftest.targets.reference.zoo.habits import document_of, manner_of, vocabulary_of
from selftest.targets.reference.zoo.router import ZooRouter
from selftest.targets.reference.zoo.types import Outcome

CRASH_MS = 12.0
SLOWER_MS = 1000.0  # less follows from how many sources are asked


class ZooTarget:
    """A router with some habits and faults, and its twin to compare with. Called from several threads at once.

    habits, faults: names of HABITS and FAULTS. seed: decides the content, what is empty, and where faults strike.
    empty_rate: the share, 0 to 1, of (source, words) pairs that bring nothing. standing: those of the faults that the
    twin has too; without any it is healthy. Raises ValueError for an unknown name, two habits that exclude each other,
    or a rate out of range.
    """

    def __init__(
        self,
        habits: Collection[str] = (),
        faults: Collection[str] = (),
        seed: int = 0,
        empty_rate: float = 0.0,
        standing: Collection[str] = (),
    ) -> None:
        if not 0 <= empty_rate <= 1:
            raise ValueError(f"empty_rate is a share from 0 to 1, not {empty_rate}")
        manner = manner_of(habits)
        self.habits, self.faults, self.seed = tuple(habits), tuple(faults), seed
        self.vocabulary = vocabulary_of(manner)
        self.document: dict[str, Any] = document_of(manner)
        plants, of_both = ([fault.plant for fault in faults_named(names)] for names in (faults, standing))
        self._router = ZooRouter(self.vocabulary, manner, plants, seed, empty_rate)
        self._twin = ZooRouter(self.vocabulary, manner, of_both, seed, empty_rate) if plants else None
        self._lock = threading.Lock()
        self._times_asked = Counter[tuple[str, str]]()
        self._changed: dict[tuple[str, str], bool] = {}

    def check_source(self, source: str) -> None:
        """Raises ValueError, naming the known ones, for a source that does not exist."""
        known = self.vocabulary.headers
        if source != AUTO and source not in known:
            raise ValueError(f"unknown source {source!r}; known: {', '.join([AUTO, *sorted(known)])}")

    def ask(self, query: str, source: str = AUTO) -> Answer:
        """The answer; a crash of the router is an answer with `error` and its traceback. Raises ValueError."""
        self.check_source(source)
        outcome = self._asked(query, "" if source == AUTO else source)
        return Answer(
            outcome.result, outcome.source_used, outcome.latency_ms, cached=outcome.cached, error=outcome.error
        )

    def is_changed(self, query: str, source: str = AUTO) -> bool:
        """Whether a fault that does not stand has changed any answer given to `query` so far; it is asked now where it
        never was.
        """
        self.check_source(source)
        alone = "" if source == AUTO else source
        if (query, alone) not in self._changed:
            self._asked(query, alone)
        return self._changed[query, alone]

    def _asked(self, query: str, source: str) -> Outcome:
        with self._lock:
            tick = self._times_asked[query, source]
            self._times_asked[query, source] += 1
        outcome = _answer(self._router, query, source, tick)
        changed = self._twin is not None and _differ(outcome, _answer(self._twin, query, source, tick))
        with self._lock:
            self._changed[query, source] = changed or self._changed.get((query, source), False)
        return outcome

    def reach(self) -> Reachability:
        """Always there."""
        return Reachability(True, "in process", "zoo-1")

    def close(self) -> None:
        """Nothing to give back."""


def _differ(one: Outcome, other: Outcome) -> bool:
    """Whether anything but a little time tells two answers apart."""
    slower = abs(one.latency_ms - other.latency_ms) > SLOWER_MS
    return slower or replace(one, latency_ms=0.0) != replace(other, latency_ms=0.0)


def _answer(router: ZooRouter, query: str, source: str, tick: int) -> Outcome:
    try:
        return router.answer(query, source, tick)
    except Exception as crash:  # noqa: BLE001 - anything that a fault raises is the answer's evidence
        return Outcome(traceback.format_exc(), "", CRASH_MS, error=f"{type(crash).__name__}: {crash}")


def zoo_target(
    habits: Collection[str] = (),
    faults: Collection[str] = (),
    seed: int = 0,
    empty_rate: float = 0.0,
    standing: Collection[str] = (),
) -> ZooTarget:
    """A target of the zoo; its `vocabulary` is what it promises. Raises as ZooTarget does."""
    return ZooTarget(habits, faults, seed, empty_rate, standing)
