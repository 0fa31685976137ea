"""Answers that the real checks find clean, or find fault with, each measured against the latencies before it."""

import random
from collections import deque
from collections.abc import Iterator, Sequence

from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.judging.answers import Answer
from selftest.core.judging.check_table import broken_invariants, specified_findings
from selftest.core.judging.context import CheckInput
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.latency import WINDOW_RUNS, LatencyLimits, latency_verdict
from selftest.models import Target, Tuning, VocabularyVersion
from selftest.reading.judging_terms import latency_history_ms, latency_limits
from selftest.seeding.answers import CACHED_MS, WEIGHTS, Answers, Piece, latency_ms, median_ms
from selftest.seeding.queries import Queries
from selftest.storage.serialization import vocabulary_of

CACHED_SHARE = 0.06
SLOWEST_MS = 12_000.0  # the slowest answer that the specification tells of; without a bound outliers feed on outliers
SAME_CHECK_SHARE = 0.8  # of flags after a combination's first: mostly the same defect again


class Checker:
    """Answers, clean or flagged by the real checks, each against the latencies before it."""

    def __init__(self, target: Target, version: VocabularyVersion, rng: random.Random) -> None:
        self._vocabulary = vocabulary_of(version)
        self._answers = Answers(self._vocabulary, over_http=target.kind == Target.Kind.HTTP)
        self._limits: LatencyLimits = latency_limits(Tuning.get_solo())
        self._windows_ms = {
            recipe: deque(latency_history_ms(target, recipe, WINDOW_RUNS), maxlen=WINDOW_RUNS) for recipe in RECIPES
        }
        self._own_samples = dict.fromkeys(RECIPES, 0)
        self._pieces_by_number: list[Piece | None] = []
        self._rng = rng

    def clean(self, queries: Queries, index: int) -> Answer:
        recipe = queries.recipe(index)
        said = self._answers.honest(recipe, self._pieces(queries, index), self._rng)
        status = self._answers.http_status
        if self._rng.random() < CACHED_SHARE:
            return Answer(said.result, said.source_used, self._rng.uniform(*CACHED_MS), status, cached=True)
        return Answer(said.result, said.source_used, self._calm_ms(recipe), status)

    def _pieces(self, queries: Queries, index: int) -> list[Piece]:
        known = self._pieces_by_number
        for part in queries.parts_from(len(known)):
            known.append(self._answers.piece(part))
        return [piece for number in queries.numbers(index) if (piece := known[number]) is not None]

    def _calm_ms(self, recipe: str) -> float:
        """A latency that is no outlier, and from now on one of those that the next ones are measured against."""
        window = self._windows_ms[recipe]
        ms = round(latency_ms(recipe, self._rng), 3)
        while ms > self._surely_calm_ms(recipe) and latency_verdict(ms, tuple(window), self._limits) is not None:
            ms *= 0.8
        window.append(ms)
        self._own_samples[recipe] += 1
        return ms

    def _surely_calm_ms(self, recipe: str) -> float:
        """What needs no look at the window: of 50 samples of our own, three are above their median but once in 10¹²."""
        if self._own_samples[recipe] < WINDOW_RUNS:
            return self._limits.floor_ms
        return max(self._limits.floor_ms, self._limits.multiplier * median_ms(recipe))

    def flagged(self, query: Query, wanted: CheckName | None) -> tuple[Answer, Sequence[Finding]]:
        """An answer that some check finds fault with, and all that they find; mostly the `wanted` one again."""
        window = self._windows_ms[query.recipe]
        for check in self._tries(wanted):
            answer = self._broken(check, query)
            if answer is None:
                continue
            asking = CheckInput(query, answer, self._vocabulary, tuple(window), self._limits)
            found = (*specified_findings(asking), *broken_invariants(asking))
            if found:
                if answer.error is None:
                    window.append(answer.latency_ms)
                return answer, found
        raise AssertionError(f"no check finds fault with {query.text!r}")  # a crash always is one

    def _tries(self, wanted: CheckName | None) -> Iterator[CheckName]:
        if wanted is not None and self._rng.random() < SAME_CHECK_SHARE:
            yield wanted
        yield from sorted(WEIGHTS, key=lambda check: self._rng.random() ** (1 / WEIGHTS[check]), reverse=True)

    def _broken(self, check: CheckName, query: Query) -> Answer | None:
        window = tuple(self._windows_ms[query.recipe])
        if check is not CheckName.LATENCY_OUTLIER:
            return self._answers.broken(check, query, round(latency_ms(query.recipe, self._rng), 3), self._rng)
        verdict = latency_verdict(float("inf"), window, self._limits)
        if verdict is None or verdict.threshold_ms > SLOWEST_MS:
            return None
        said = self._answers.honest(query.recipe, self._answers.pieces(query.parts), self._rng)
        slow_ms = round(min(verdict.threshold_ms * self._rng.uniform(1.05, 2.5), SLOWEST_MS + 1), 3)
        return Answer(said.result, said.source_used, slow_ms, self._answers.http_status)
