"""Compares two targets: asks both the same queries, in turns, and keeps in what their answers differ.

It gives way to cycles, keeps to the limits of both targets, and holds no transaction open while it asks.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from typing import Any

from django.utils import timezone

from selftest.core.generation.queries import Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.delta_debugging import minimise
from selftest.core.judging.driving import drive
from selftest.core.judging.findings import CheckName
from selftest.cycles.requests_in_turn import NoMoreRequestsError, Reason, RequestsInTurn
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
from selftest.refusals import RefusedError
from selftest.storage.database_patience import keep_trying
from selftest.storage.target_clients import open_target
from selftest.storage.texts import storable

MOST_AT_ONCE = 8  # requests to each target
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
        self._batches = 0
        self._volatile: frozenset[str] = frozenset()
        vocabulary = vocabulary_in_force(row.target)
        if vocabulary is None:
            raise RefusedError(f"{row.target} has no vocabulary")
        self._vocabulary = vocabulary
        self._sides: list[RequestsInTurn] = []  # the one before first, where there is another one; the target last

    def run(self) -> None:
        row = self._row
        compared: list[Compared] = []
        note, state = "", State.FINISHED
        with ExitStack() as opened:
            try:
                both = [target for target in (row.against, row.target) if target is not None]
                for target in both:  # what slows one of them changes how the two compare
                    client = opened.enter_context(closing(open_target(target, vocabulary_in_force(target))))
                    requests = RequestsInTurn(target, client, beside=both, show_it_lives=self._is_still_wanted)
                    self._sides.append(requests)
                for done in self._compared():
                    compared += done
                    self._show_progress(compared)
            except (_StoppedError, ValueError) as stopped:
                note, state = str(stopped), State.STOPPED
            found = kept_differences(compared)
            grouped = groups(compared, found, self._vocabulary)
            smallest: list[str] = []
            if state is State.FINISHED and row.against is not None:
                smallest = self._smallest(compared, found, grouped)
        self._keep(compared, found, grouped, smallest, state, note)

    def _at_once(self) -> int:
        limits = [self._row.target.requests_at_once]
        if self._row.against is not None:
            limits.append(self._row.against.requests_at_once)
        return min(MOST_AT_ONCE, *limits)

    def _compared(self) -> Iterator[list[Compared]]:
        """Some queries at a time: both targets in each round, so that what changes with the hour changes for both."""
        asked = keep_trying(lambda: chosen(self._row))
        for start in range(0, len(asked), self._at_once()):
            batch = asked[start : start + self._at_once()]
            self._batches += 1
            yield self._in_rounds([one.query for one in batch], list(map(self._kept, batch)))

    def _kept(self, one: Chosen) -> tuple[Seen, ...]:
        """What the target itself answered before."""
        return () if one.kept is None else (seen(one.query, one.kept, self._vocabulary),)

    def _in_rounds(self, queries: Sequence[Query], kept: Sequence[tuple[Seen, ...]]) -> list[Compared]:
        so_far = [Compared(query, its, ()) for query, its in zip(queries, kept, strict=True)]
        for number in range(VOLATILE_ROUNDS):
            asked = [n for n, one in enumerate(so_far) if number < ROUNDS or number < rounds_of(one, self._volatile)]
            if not asked:
                break
            texts = [queries[n].text for n in asked]
            # Whichever is asked first pays for what is cold: each is first as often.
            in_turn = self._sides if (self._batches + number) % 2 else self._sides[::-1]
            by_target = {side.target.pk: self._ask(side, texts) for side in in_turn}
            answers = [by_target[side.target.pk] for side in self._sides]
            for place, n in enumerate(asked):
                each = [seen(queries[n], side[place], self._vocabulary) for side in answers]
                one = so_far[n]
                were = (*one.before, each[0]) if len(self._sides) > 1 else one.before
                so_far[n] = Compared(one.query, were, (*one.now, each[-1]))
                self._volatile |= volatile_sources(so_far[n].before) | volatile_sources(so_far[n].now)
        return so_far

    def _ask(self, side: RequestsInTurn, texts: Sequence[str]) -> list[Answer]:
        """At the same time, within the target's limits. Raises _StoppedError."""
        try:
            return side.ask_each(texts)
        except NoMoreRequestsError as stopped:
            advice = "; compare fewer queries" if stopped.reason is Reason.TIME else ""
            raise _StoppedError(f"{side.target}: {stopped}{advice}") from stopped

    def _is_still_wanted(self, sent: int) -> bool:
        running = Comparison.objects.filter(pk=self._row.pk, state=State.RUNNING)
        return running.update(last_sign_at=timezone.now()) == 1

    def _sent(self) -> int:
        return sum(side.sent for side in self._sides)

    def _show_progress(self, compared: Sequence[Compared]) -> None:
        Comparison.objects.filter(pk=self._row.pk).update(compared=len(compared), requests=self._sent())
        if self._progress is not None:
            self._progress(len(compared), self._row.planned)

    def _smallest(
        self, compared: Sequence[Compared], found: Sequence[tuple[Difference, ...]], grouped: Sequence[Group]
    ) -> list[str]:
        """Of the largest groups, the smallest query with the same difference; "" where it could not be asked."""
        smallest = []
        for group in grouped[:MOST_SMALLEST]:
            place = group.members[0]
            symptom = found[place][0].symptom

            def shows(query: Query, symptom: str = symptom) -> bool | None:
                try:
                    (one,) = self._in_rounds([query], [()])
                except _StoppedError:
                    return None
                return any(each.symptom == symptom for each in one.differences)

            search = minimise(compared[place].query, CheckName.PART_LOST, SMALLEST_TRIES)
            tries = _Tries(shows, SMALLEST_TRIES)
            smallest.append(drive(search, tries.shows).query.text)
            keep_trying(lambda: self._show_progress(compared))
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
            "requests": self._sent(),
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
