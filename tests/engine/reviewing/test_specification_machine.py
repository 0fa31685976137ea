"""Any sequence of cycles, crashes, dismissals and changes of the vocabulary, against the specification in ten lines."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import hypothesis.strategies as st
import pytest
from django.db import transaction
from hypothesis import Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from selftest.cycles import runner
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import Status, run_cycle
from selftest.models import Actor, Combination, Cycle, ReviewEvent, Run, Target, Tuning
from selftest.operating.vocabularies import import_vocabulary
from selftest.reading.queue import flagged
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.dismissal import dismiss, undismiss
from tests.engine import routers
from tests.engine.conftest import NOW
from tests.vocabularies import example_document

ANNA = Actor("anna")
TOPICS = ["no_intent_fallthrough"]
COMBINATIONS = st.integers(0, 4)
VERDICTS = st.lists(st.booleans(), min_size=1, max_size=3)  # true: the router breaks its promise


@dataclass
class Specified:
    """A combination, by the specification alone."""

    ever: bool = False
    now: bool = False
    dismissed: bool = False

    def run(self, is_flagged: bool) -> None:
        self.now = is_flagged
        if is_flagged:
            self.ever, self.dismissed = True, False

    @property
    def in_queue(self) -> bool:
        return self.ever and not self.dismissed


class Killed(BaseException):
    """Nothing of the process is left that could catch it."""


class Review(RuleBasedStateMachine):
    """One target, whose router breaks its promise when the rule says so."""

    def __init__(self) -> None:
        super().__init__()
        self._rolled_back = transaction.atomic()
        self._rolled_back.__enter__()
        self.model: dict[int, Specified] = {}
        self.first_reasons: dict[int, str] = {}
        self.history = (0, 0, 0)
        self.verdicts: list[bool] = []
        self.numbers = 0
        self.wrong_sources = cycle(["changes", "uptime", "home"])
        self.document = example_document()
        self.target = Target.objects.create(
            requests_at_once=1,  # what is answered goes by the order
            name="scripted",
            kind=Target.Kind.PYTHON,
            dotted_path="tests.engine.routers.scripted",
        )
        import_vocabulary(self.target, self.document, NOW)
        Tuning.get_solo()
        Tuning.objects.update(probes_per_query=0, enabled=True)
        self._patch = pytest.MonkeyPatch()
        self._patch.setattr(routers, "scripted", self._function())
        try:
            self._cycle([True, False])
        except BaseException:  # no teardown follows
            self.teardown()
            raise

    def teardown(self) -> None:
        self._patch.undo()
        transaction.set_rollback(True)
        self._rolled_back.__exit__(None, None, None)

    def _function(self) -> Callable[[str, str], tuple[str, str]]:
        """A plain one of the module that the target names: no other is called."""

        def route(query: str, source: str) -> tuple[str, str]:
            return self._route(query, source)

        route.__module__ = routers.__name__
        return route

    def _route(self, query: str, source: str) -> tuple[str, str]:
        result, used = routers.honest(query, source)
        if not self.verdicts[self.numbers - 1]:
            return result, used
        return result, next(self.wrong_sources)  # in turn, so that no two reasons are the same

    def _cycle(self, verdicts: list[bool], killed_after: int | None = None, **wish: Any) -> None:
        """Asks as many queries as there are verdicts; what is recorded is told to the model."""
        self.verdicts, self.numbers = verdicts, 1

        def answered(over: int, planned: int) -> None:
            self.numbers = over + 1
            if over == killed_after:
                raise Killed

        before = Run.objects.count()
        request = CycleRequest(self.target, Cycle.Trigger.COMMAND, len(verdicts), 1, TOPICS, **wish)
        if killed_after is None:
            assert run_cycle(request, progress=answered).status is Status.RAN
        else:
            with self._no_time_to_tidy_up(), pytest.raises(Killed):
                run_cycle(request, progress=answered)
            Cycle.objects.filter(state="running").update(owner="elsewhere:1:1.00", created_at=NOW, started_at=NOW)
            Run.objects.filter(cycle__state="running").update(asked_at=NOW, finished_at=NOW)
        recorded = Run.objects.filter(state="done").order_by("-id")[: Run.objects.count() - before]
        done = sorted((run for run in recorded if run.cycle_id == Cycle.objects.latest("id").pk), key=lambda r: r.place)
        assert len(done) == (len(verdicts) if killed_after is None else killed_after)
        for run in done:
            self.model.setdefault(run.combination_id, Specified()).run(verdicts[run.place])

    @contextmanager
    def _no_time_to_tidy_up(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(runner, "_try_to_interrupt", lambda cycle, note: None)
            patch.setattr(runner.lifecycle, "withdraw", lambda cycle, note: None)
            yield

    def _those(self, which: str = "") -> list[int]:
        return sorted(pk for pk, specified in self.model.items() if not which or getattr(specified, which))

    def _combination(self, number: int, which: str = "") -> Combination:
        known = self._those(which)
        return Combination.objects.get(pk=known[number % len(known)])

    @rule(verdicts=VERDICTS)
    def a_cycle_chooses_for_itself(self, verdicts: list[bool]) -> None:
        self._cycle(verdicts)

    @rule(number=COMBINATIONS, verdicts=VERDICTS)
    def one_is_asked_again(self, number: int, verdicts: list[bool]) -> None:
        self._cycle(verdicts, combination=self._combination(number))

    @rule(number=COMBINATIONS, verdicts=VERDICTS, data=st.data())
    def the_worker_is_killed(self, number: int, verdicts: list[bool], data: st.DataObject) -> None:
        after = data.draw(st.integers(1, len(verdicts)))
        self._cycle(verdicts, killed_after=after, combination=self._combination(number))

    @precondition(lambda self: self._those("in_queue"))
    @rule(number=COMBINATIONS)
    def a_person_dismisses(self, number: int) -> None:
        combination = self._combination(number, "in_queue")
        assert dismiss(combination, ANNA)
        assert not dismiss(combination, ANNA), "it is dismissed already"
        self.model[combination.pk].dismissed = True

    @precondition(lambda self: self._those("in_queue"))
    @rule(number=COMBINATIONS)
    def a_person_dismisses_what_was_flagged_again_since(self, number: int) -> None:
        combination = self._combination(number, "in_queue")
        seen = combination.last_flagged_run_id
        self._cycle([True], combination=combination)
        with pytest.raises(OutdatedError):
            dismiss(combination, ANNA, seen_run=seen)

    @rule(number=COMBINATIONS)
    def a_person_acts_on_another_than_it_seems(self, number: int) -> None:
        combination = self._combination(number)
        if not self.model[combination.pk].ever:
            with pytest.raises(RefusedError, match="never flagged"):
                dismiss(combination, ANNA)
        if not self.model[combination.pk].dismissed:
            with pytest.raises(RefusedError, match="not dismissed"):
                undismiss(combination, ANNA)

    @precondition(lambda self: self._those("dismissed"))
    @rule(number=COMBINATIONS)
    def a_person_undoes(self, number: int) -> None:
        combination = self._combination(number, "dismissed")
        undismiss(combination, ANNA)
        self.model[combination.pk].dismissed = False

    @precondition(lambda self: self._those("dismissed"))
    @rule(number=COMBINATIONS, verdict=st.booleans())
    def what_was_dismissed_is_asked_again(self, number: int, verdict: bool) -> None:
        self._cycle([verdict], combination=self._combination(number, "dismissed"))

    @rule(count=st.integers(1, 5), is_kept=st.booleans())
    def the_vocabulary_changes(self, count: int, is_kept: bool) -> None:
        document = deepcopy(self.document)
        topics = document["seeds"]["open_topics"]
        document["seeds"]["open_topics"] = [*(topics if is_kept else topics[count:]), f"subject {count}"]
        import_vocabulary(self.target, document, NOW)

    @rule()
    def switched_off_nothing_is_asked(self) -> None:
        Tuning.objects.update(enabled=False)
        assert run_cycle(CycleRequest(self.target, Cycle.Trigger.API, 1)).status is Status.DISABLED
        Tuning.objects.update(enabled=True)

    @invariant()
    def the_queue_is_what_is_specified(self) -> None:
        assert {row.pk for row in flagged(False, self.target)} == {pk for pk, it in self.model.items() if it.in_queue}
        assert {row.pk for row in flagged(True, self.target)} == {pk for pk, it in self.model.items() if it.ever}
        current = Combination.objects.filter(currently_flagged=True).values_list("pk", flat=True)
        assert set(current) == {pk for pk, it in self.model.items() if it.now}

    @invariant()
    def the_first_reason_stays(self) -> None:
        for pk, reason in Combination.objects.filter(ever_flagged=True).values_list("pk", "first_flagged_reason"):
            assert self.first_reasons.setdefault(pk, reason) == reason

    @invariant()
    def no_history_is_deleted(self) -> None:
        history = Run.objects.count(), ReviewEvent.objects.count(), Combination.objects.count()
        assert all(now >= before for now, before in zip(history, self.history, strict=True))
        self.history = history


@pytest.mark.django_db
@pytest.mark.slow("hundreds of cycles")
def test_whatever_happens_in_whatever_order_the_queue_is_what_the_specification_says(is_full: bool) -> None:
    few = settings(max_examples=8, stateful_step_count=25, phases=[Phase.explicit, Phase.generate])
    full = settings(max_examples=100, stateful_step_count=40)  # and what fails is shrunk, which takes minutes
    run_state_machine_as_test(Review, settings=settings(full if is_full else few, derandomize=True, deadline=None))
