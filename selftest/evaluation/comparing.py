"""Compares two targets: asks both the same queries, in turns, and keeps in what their answers differ.

It gives way to cycles, keeps to the limits of both targets, and holds no transaction open while it asks.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import Any

from django.conf import settings
from django.utils import timezone

from selftest.core.generation.queries import Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.delta_debugging import minimise
from selftest.core.judging.driving import drive
from selftest.core.judging.findings import CheckName
from selftest.evaluation.comparison_requests import Chosen, chosen, end, vocabulary_in_force
from selftest.evaluation.core.answer_differences import Difference, Seen, seen, volatile_sources
from selftest.evaluation.core.comparison import (
    ROUNDS,
    VOLATILE_ROUNDS,
    Compared,
    Group,
    groups,
    kept_differences,
    latency_change,
    rounds_of,
)
from selftest.evaluation.models import Comparison
from selftest.models import Cycle, Target
from selftest.reading.tuning import is_enabled
from selftest.refusals import RefusedError
from selftest.storage import request_pace
from selftest.storage.database_patience import keep_trying
from selftest.storage.target_clients import open_target
from selftest.storage.texts import storable
from selftest.targets.base import TargetAway, TargetClient

MOST_AT_ONCE = 8  # requests to each target
TURN_POLL_S = 1.0
MOST_SMALLEST = 6  # groups whose smallest query is looked for
SMALLEST_TRIES = 16  # queries, each asked ROUNDS times at both
TEXT_CHARACTERS = 400  # of what a difference shows
State = Comparison.State
Progress = Callable[[int, int], None]


class _StoppedError(Exception):
    """No more can be asked; the message says why."""


def run_planned(comparison: Comparison, progress: Progress | None = None) -> str:
    """Runs a planned comparison, once, however often its task is delivered; returns the state that it ended in."""
    now = timezone.now()
    planned = Comparison.objects.filter(pk=comparison.pk, state=State.PLANNED)
    if planned.update(state=State.RUNNING, last_sign_at=now):
        comparison.refresh_from_db()
        try:
            _Comparing(comparison, progress).run()
        except BaseException as failure:  # a stop of the worker, a fault of ours: marked, then passed on
            end(comparison, State.STOPPED, f"stopped: {type(failure).__name__}")
            raise
    comparison.refresh_from_db()
    return str(comparison.state)


class _Comparing:
    """One comparison under way."""

    def __init__(self, row: Comparison, progress: Progress | None) -> None:
        self._row = row
        self._progress = progress
        self._requests = 0
        self._batches = 0
        self._volatile: frozenset[str] = frozenset()
        self._deadline = time.monotonic() + settings.CYCLE_BUDGET_S
        vocabulary = vocabulary_in_force(row.target)
        if vocabulary is None:
            raise RefusedError(f"{row.target} has no vocabulary")
        self._vocabulary = vocabulary

    def run(self) -> None:
        row = self._row
        compared: list[Compared] = []
        note, state = "", State.FINISHED
        with ExitStack() as opened:
            try:
                now = opened.enter_context(closing(open_target(row.target, self._vocabulary)))
                before = None
                if row.against is not None:
                    before = opened.enter_context(closing(open_target(row.against, vocabulary_in_force(row.against))))
                pool = opened.enter_context(ThreadPoolExecutor(2 * self._at_once()))
                for done in self._compared(pool, before, now):
                    compared += done
                    self._show_it_lives(compared)
            except (_StoppedError, ValueError) as stopped:
                note, state = str(stopped), State.STOPPED
            found = kept_differences(compared)
            grouped = groups(compared, found, self._vocabulary)
            smallest: list[str] = []
            if state is State.FINISHED and row.against is not None:
                smallest = self._smallest(pool, before, now, compared, found, grouped)
        self._keep(compared, found, grouped, smallest, state, note)

    def _at_once(self) -> int:
        limits = [self._row.target.requests_at_once]
        if self._row.against is not None:
            limits.append(self._row.against.requests_at_once)
        return min(MOST_AT_ONCE, *limits)

    def _compared(
        self, pool: ThreadPoolExecutor, before: TargetClient | None, now: TargetClient
    ) -> Iterator[list[Compared]]:
        """Some queries at a time: both targets in each round, so that what changes with the hour changes for both."""
        asked = keep_trying(lambda: chosen(self._row))
        for start in range(0, len(asked), self._at_once()):
            batch = asked[start : start + self._at_once()]
            self._batches += 1
            yield self._in_rounds(pool, [one.query for one in batch], list(map(self._kept, batch)), before, now)

    def _kept(self, one: Chosen) -> tuple[Seen, ...]:
        """What the target itself answered before."""
        return () if one.kept is None else (seen(one.query, one.kept, self._vocabulary),)

    def _in_rounds(
        self,
        pool: ThreadPoolExecutor,
        queries: Sequence[Query],
        kept: Sequence[tuple[Seen, ...]],
        before: TargetClient | None,
        now: TargetClient,
    ) -> list[Compared]:
        so_far = [Compared(query, its, ()) for query, its in zip(queries, kept, strict=True)]
        for number in range(VOLATILE_ROUNDS):
            asked = [n for n, one in enumerate(so_far) if number < ROUNDS or number < rounds_of(one, self._volatile)]
            if not asked:
                break
            texts = [queries[n].text for n in asked]
            sides = [(now, self._row.target)]
            if before is not None and self._row.against is not None:
                sides.insert(0, (before, self._row.against))
            # Whichever is asked first pays for what is cold: each is first as often.
            in_turn = sides if (self._batches + number) % 2 else sides[::-1]
            by_target = {target.pk: self._ask(pool, client, target, texts) for client, target in in_turn}
            answers = [by_target[target.pk] for _, target in sides]
            for place, n in enumerate(asked):
                each = [seen(queries[n], side[place], self._vocabulary) for side in answers]
                one = so_far[n]
                were = (*one.before, each[0]) if before is not None else one.before
                so_far[n] = Compared(one.query, were, (*one.now, each[-1]))
                self._volatile |= volatile_sources(so_far[n].before) | volatile_sources(so_far[n].now)
        return so_far

    def _ask(
        self, pool: ThreadPoolExecutor, client: TargetClient, target: Target, texts: Sequence[str]
    ) -> list[Answer]:
        """At the same time, within the target's limits. Raises _StoppedError."""
        keep_trying(self._wait_for_turn)
        waiting = []
        for text in texts:
            if wait_s := keep_trying(lambda: request_pace.reserve(target)):
                time.sleep(wait_s)
            waiting.append(pool.submit(client.ask, text))
        self._requests += len(waiting)
        try:
            return [one.result() for one in waiting]
        except TargetAway as away:
            raise _StoppedError(f"{target} is away: {away}") from away

    def _wait_for_turn(self) -> None:
        """Until no cycle runs on either target. Raises _StoppedError where it was stopped, or testing is off."""
        both = [self._row.target, *filter(None, [self._row.against])]
        while True:
            if not Comparison.objects.filter(pk=self._row.pk, state=State.RUNNING).exists():
                raise _StoppedError("stopped by a person")
            if time.monotonic() > self._deadline:
                raise _StoppedError(f"stopped after {settings.CYCLE_BUDGET_S:g} s; compare fewer queries")
            for each in both:
                if not is_enabled(each):
                    raise _StoppedError(f"testing of {each} was switched off")
            if not Cycle.objects.filter(target__in=both, state=Cycle.State.RUNNING).exists():
                return
            Comparison.objects.filter(pk=self._row.pk).update(last_sign_at=timezone.now())
            time.sleep(TURN_POLL_S)

    def _show_it_lives(self, compared: Sequence[Compared]) -> None:
        Comparison.objects.filter(pk=self._row.pk).update(
            compared=len(compared), requests=self._requests, last_sign_at=timezone.now()
        )
        if self._progress is not None:
            self._progress(len(compared), self._row.planned)

    def _smallest(
        self,
        pool: ThreadPoolExecutor,
        before: TargetClient | None,
        now: TargetClient,
        compared: Sequence[Compared],
        found: Sequence[tuple[Difference, ...]],
        grouped: Sequence[Group],
    ) -> list[str]:
        """Of the largest groups, the smallest query with the same difference; "" where it could not be asked."""
        smallest = []
        for group in grouped[:MOST_SMALLEST]:
            place = group.members[0]
            symptom = found[place][0].symptom

            def shows(query: Query, symptom: str = symptom) -> bool | None:
                try:
                    (one,) = self._in_rounds(pool, [query], [()], before, now)
                except _StoppedError:
                    return None
                return any(each.symptom == symptom for each in one.differences)

            search = minimise(compared[place].query, CheckName.PART_LOST, SMALLEST_TRIES)
            tries = _Tries(shows, SMALLEST_TRIES)
            smallest.append(drive(search, tries.shows).query.text)
            keep_trying(lambda: self._show_it_lives(compared))
        return smallest

    def _keep(
        self,
        compared: Sequence[Compared],
        found: Sequence[tuple[Difference, ...]],
        grouped: Sequence[Group],
        smallest: Sequence[str],
        state: Comparison.State,
        note: str,
    ) -> None:
        latency = latency_change(compared) if self._row.against is not None else None
        places = [place for place, every in enumerate(found) if every]
        numbers = {place: number for number, place in enumerate(places)}
        columns: dict[str, object] = {
            "compared": len(compared),
            "differing": len(places),
            "requests": self._requests,
            "latency": None if latency is None else vars(latency),
            "differences": [_document(compared[place].query, found[place]) for place in places],
            "groups": [
                {
                    "has": group.predicate.sentence,
                    "of": group.queries,
                    "members": [numbers[place] for place in group.members],
                    "is_worse": any(each.is_worse for place in group.members for each in found[place]),
                    "smallest": storable(smallest[n]) if n < len(smallest) else "",
                    **_told(group.leading),
                }
                for n, group in enumerate(grouped)
            ],
        }
        if keep_trying(lambda: end(self._row, state, note, **columns)):
            return
        # A person has stopped it meanwhile: what was compared is kept all the same.
        Comparison.objects.filter(pk=self._row.pk, state=State.STOPPED).update(**columns)


class _Tries:
    """As many as are allowed: then no more can be told."""

    def __init__(self, shows: Callable[[Query], bool | None], at_most: int) -> None:
        self._shows = shows
        self._left = at_most

    def shows(self, query: Query) -> bool | None:
        """None once there are no more."""
        self._left -= 1
        return self._shows(query) if self._left >= 0 else None


def _document(query: Query, every: Sequence[Difference]) -> dict[str, Any]:
    return {"query": storable(query.text), "recipe": query.recipe, "differences": [_told(each) for each in every]}


def _told(difference: Difference) -> dict[str, Any]:
    return {
        "kind": difference.kind.value,
        "subject": difference.subject,
        "before": storable(difference.before[:TEXT_CHARACTERS]),
        "now": storable(difference.now[:TEXT_CHARACTERS]),
        "sources": list(difference.sources),
    }
