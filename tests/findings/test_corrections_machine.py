"""Any order of saves, undoings and deletions, against a model of ten lines: no correction is ever lost."""

import hypothesis.strategies as st
import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from selftest.findings.models import Finding
from selftest.findings.reading import act_in_force, finding_numbered
from selftest.findings.saving import delete_finding, undo
from tests.findings.conftest import AGENT, ALWAYS, NEVER, USER, VERA, save

pytestmark = pytest.mark.django_db

Model = dict[int, tuple[bool, bool]]  # number → affirmed, correction


def settle(number: int, all_of_them: Model, by: dict[int, int | None], apart: set[frozenset[int]]) -> None:
    """The specification in ten lines: newer wins, but a correction loses to corrections alone."""
    opposite = [
        other
        for other in sorted(all_of_them, key=lambda one: (all_of_them[one][1], one), reverse=True)
        if by[other] is None and all_of_them[other][0] != all_of_them[number][0] and {other, number} not in apart
    ]
    for other in opposite:
        older, newer = sorted((other, number))
        if number == (newer if all_of_them[older][1] and not all_of_them[newer][1] else older):
            by[number] = other
            return
    by.update(dict.fromkeys(opposite, number))


class Memory(RuleBasedStateMachine):
    """One subject on which people and agents disagree."""

    def __init__(self) -> None:
        super().__init__()
        self._rolled_back = transaction.atomic()
        self._rolled_back.__enter__()
        self.model: Model = {}
        self.by: dict[int, int | None] = {}
        self.apart: set[frozenset[int]] = set()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self._rolled_back.__exit__(None, None, None)

    @rule(affirmed=st.booleans(), correction=st.booleans())
    def save(self, affirmed: bool, correction: bool) -> None:
        number = save(ALWAYS if affirmed else NEVER, USER if correction else AGENT).finding.pk
        self.model[number], self.by[number] = (affirmed, correction), None
        settle(number, self.model, self.by, self.apart)

    @precondition(lambda self: any(self.by.values()))
    @rule(place=st.integers(0, 20))
    def undo(self, place: int) -> None:
        superseded = [number for number, winner in self.by.items() if winner]
        loser = superseded[place % len(superseded)]
        act = act_in_force(finding_numbered(loser))
        assert act is not None
        undo(act, VERA)
        self.apart.add(frozenset((loser, self.by[loser] or 0)))
        self.by[loser] = None

    @precondition(lambda self: self.model)
    @rule(place=st.integers(0, 20))
    def delete(self, place: int) -> None:
        number = list(self.model)[place % len(self.model)]
        delete_finding(finding_numbered(number), VERA)
        del self.model[number], self.by[number]
        free = [loser for loser, winner in self.by.items() if winner == number]
        self.by.update(dict.fromkeys(free))
        for loser in sorted(free, key=lambda one: (self.model[one][1], one), reverse=True):
            if self.by[loser] is None:
                settle(loser, self.model, self.by, self.apart)

    @invariant()
    def all_is_as_the_model_has_it(self) -> None:
        assert dict(Finding.objects.values_list("pk", "superseded_by")) == self.by

    @invariant()
    def no_correction_lost_to_anything_else(self) -> None:
        assert not Finding.objects.filter(is_correction=True, superseded_by__is_correction=False).exists()

    @invariant()
    def no_two_opposite_ones_are_active_but_what_a_person_told_apart(self) -> None:
        active = [number for number, winner in self.by.items() if winner is None]
        if not self.apart:
            assert len({self.model[number][0] for number in active}) <= 1


def test_corrections_win_in_any_order(is_full: bool) -> None:
    run_state_machine_as_test(
        Memory,
        settings=settings(max_examples=200 if is_full else 30, stateful_step_count=15, deadline=None, derandomize=True),
    )
