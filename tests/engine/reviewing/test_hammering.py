"""Two reviewers and a worker act on one combination as fast as they can: nothing is lost, done twice or undone."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.utils import timezone

from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName, Finding
from selftest.cycles import lifecycle, recording
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.planning import plan
from selftest.models import Actor, Combination, Cycle, ReviewEvent, Run, Target
from selftest.reading.queue import flagged
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.dismissal import dismiss, undismiss
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("without_probes"),
    pytest.mark.slow("hundreds of transactions"),
]

MOST_PAUSE_S = 0.002  # between two acts, or two reviewers in step leave the worker no moment in between
Kind = ReviewEvent.Kind
FINDING = Finding(CheckName.CRASH, summary="it broke", promised="an answer", seen="none", where="error")


class Reviewer:
    """Dismisses and undoes, by what it has just seen. done: how often each changed something. dismissed: by both."""

    def __init__(self, name: str, combination: int, is_over: threading.Event, dismissed: threading.Semaphore) -> None:
        self.done: Counter[str] = Counter()
        self._actor = Actor(name)
        self._combination = combination
        self._is_over = is_over
        self._dismissed = dismissed
        self._rng = random.Random(name)

    def hammer(self) -> None:
        while not self._is_over.is_set():
            seen = Combination.objects.get(pk=self._combination)
            try:
                if self._rng.random() < 0.6:
                    if dismiss(seen, self._actor, seen_run=seen.last_flagged_run_id):
                        self.done[Kind.DISMISSED] += 1
                        self._dismissed.release()
                else:
                    undismiss(seen, self._actor)
                    self.done[Kind.UNDISMISSED] += 1
            except OutdatedError:
                self.done["outdated"] += 1
            except RefusedError:
                self.done["refused"] += 1
            self._is_over.wait(self._rng.random() * MOST_PAUSE_S)


def running(target: Target, combination: Combination, times: int) -> list[Run]:
    cycle = lifecycle.prepare(CycleRequest(target, Cycle.Trigger.PAGE, times, combination=combination))
    cycle.save()
    assert lifecycle.start(cycle)
    return plan(cycle, target.vocabularies.get(), timezone.now())


def work(runs: list[Run], is_over: threading.Event, dismissed: threading.Semaphore) -> None:
    """Records one after each dismissal, flagged or clean; every third one is delivered a second time."""
    rng = random.Random(7)
    try:
        for number, run in enumerate(runs):
            assert dismissed.acquire(timeout=60)
            assert recording.claim(run, timezone.now())
            found = [FINDING] if rng.random() < 0.5 else []
            answer = Answer("Something to read.", "kiwix", 5.0)
            assert recording.record(run, answer, found, timezone.now())
            if number % 3 == 0:
                assert not recording.claim(run, timezone.now())
                assert not recording.record(run, answer, [FINDING], timezone.now())
    finally:
        is_over.set()


def together(*calls: Callable[[], None]) -> None:
    def call(one: Callable[[], None]) -> None:
        try:
            one()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        for future in [pool.submit(call, one) for one in calls]:
            future.result()


def test_two_reviewers_and_a_worker_on_one_row_lose_nothing_and_undo_nothing(
    make_target: MakeTarget, cycle_on: RunCycle, is_full: bool
) -> None:
    target = make_target("naming_a_wrong_source")
    cycle_on(target, 1, recipes=["no_intent_fallthrough"])
    combination = Combination.objects.get()
    assert combination.ever_flagged
    before = ReviewEvent.objects.latest("id").pk
    runs = running(target, combination, 1_000 if is_full else 100)
    is_over, dismissed = threading.Event(), threading.Semaphore(0)
    ada, bob = (Reviewer(name, combination.pk, is_over, dismissed) for name in ("ada", "bob"))
    together(ada.hammer, bob.hammer, lambda: work(runs, is_over, dismissed))

    combination.refresh_from_db()
    flagged_runs = Run.objects.filter(state="done", reason__isnull=False)
    assert Run.objects.filter(state="done").count() == combination.times_generated == len(runs) + 1
    assert combination.times_flagged == flagged_runs.count()
    assert combination.last_flagged_run_id == flagged_runs.latest("id").pk
    assert combination.currently_flagged == (runs[-1].pk == combination.last_flagged_run_id)

    events = list(ReviewEvent.objects.filter(pk__gt=before).order_by("id"))
    kinds = Counter(event.kind for event in events)
    done = ada.done + bob.done
    assert min(done[Kind.DISMISSED], done[Kind.UNDISMISSED], kinds[Kind.RESURFACED]) > 3, f"they did not meet: {done}"
    assert (kinds[Kind.DISMISSED], kinds[Kind.UNDISMISSED]) == (done[Kind.DISMISSED], done[Kind.UNDISMISSED])
    is_dismissed = False
    for event in events:  # each is possible after the one before it
        if event.kind in (Kind.DISMISSED, Kind.UNDISMISSED, Kind.RESURFACED):
            assert is_dismissed == (event.kind != Kind.DISMISSED), f"{event.kind} out of turn"
            is_dismissed = event.kind == Kind.DISMISSED
    assert (combination.review_status == "dismissed") == is_dismissed
    assert flagged(False, target).exists() != is_dismissed
    resurfacing = {event.run_id for event in events if event.kind == Kind.RESURFACED}
    assert resurfacing <= set(flagged_runs.values_list("pk", flat=True))
