"""A target whose answers have other fields than its settings say is not accused: the cycle ends as "cannot be read"."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from selftest.cycles import run_and_probe_queue
from selftest.cycles.runner import CycleOutcome, Status
from selftest.models import Combination, Flag, Target
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.routers import Served, honest, serving

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_probes")]

OTHER_FIELDS = {"answer": "sun", "meta": {"origin": "forecast", "took": 3}, "ok": True}
Serve = Callable[..., Target]


@pytest.fixture
def served_by(make_target: MakeTarget) -> Iterator[Serve]:
    """A target behind a router whose bodies come from `body_of`."""
    with serving(Served()) as served:

        def make(body_of: Callable[[str], bytes | None], **columns: Any) -> Target:
            served.body_of = body_of
            columns = {"kind": Target.Kind.HTTP, "base_url": served.url, "dotted_path": "", **columns}
            return make_target(**columns)

        yield make


def _states(outcome: CycleOutcome) -> list[str]:
    assert outcome.cycle is not None
    return sorted(outcome.cycle.runs.values_list("state", flat=True))


def _bodies(*documents: object) -> Callable[[str], bytes | None]:
    """One after the other; an honest answer for None, and after the last."""
    number = count()

    def body_of(query: str) -> bytes | None:
        at = next(number)
        document = documents[at] if at < len(documents) else None
        return None if document is None else json.dumps(document).encode()

    return body_of


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_mapping_that_fails_for_every_answer_ends_the_cycle_without_a_flag(
    at_once: int, served_by: Serve, cycle_on: RunCycle
) -> None:
    target = served_by(lambda query: json.dumps(OTHER_FIELDS).encode(), requests_at_once=at_once)
    outcome = cycle_on(target, 8)
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.TARGET_UNAVAILABLE, 0, 0)
    assert outcome.note == (
        "cannot be read: field 'result' is missing in all 3 answers. "
        "They have: answer, meta, meta.origin, meta.took, ok. The target is set to result='result' and "
        "source_used='source_used'; set its field names in the admin"
    )
    assert _states(outcome) == ["skipped"] * 8
    assert not Flag.objects.exists()
    assert not Combination.objects.filter(times_generated__gt=0).exists()


def test_with_the_right_names_the_same_queries_are_asked_by_the_next_cycle(
    served_by: Serve, cycle_on: RunCycle
) -> None:
    def renamed(query: str) -> bytes:
        result, source_used = honest(query, "auto")
        return json.dumps({"answer": result, "meta": {"origin": source_used}}).encode()

    target = served_by(renamed)
    first = cycle_on(target, 8)
    Target.objects.update(result_field="answer", source_used_field="meta.origin")
    target.refresh_from_db()
    second = cycle_on(target, 8)
    assert (second.status, second.queries_run, second.flagged) == (Status.RAN, 8, 0)
    assert first.cycle is not None
    assert second.cycle is not None
    asked = [set(cycle.runs.values_list("combination", flat=True)) for cycle in (first.cycle, second.cycle)]
    assert asked[0] == asked[1]


def test_a_mapping_that_ends_at_an_object_cannot_be_read_either(served_by: Serve, cycle_on: RunCycle) -> None:
    target = served_by(lambda query: json.dumps(OTHER_FIELDS).encode(), result_field="meta")
    outcome = cycle_on(target, 8)
    assert outcome.status is Status.TARGET_UNAVAILABLE
    assert "field 'meta' is an object, not text" in outcome.note


def test_a_single_answer_without_the_field_is_a_crash_where_others_have_it(
    served_by: Serve, cycle_on: RunCycle
) -> None:
    outcome = cycle_on(served_by(_bodies(OTHER_FIELDS, OTHER_FIELDS, None, OTHER_FIELDS)), 8)
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.RAN, 8, 3)
    reasons = set(Flag.objects.values_list("reason", flat=True))
    assert reasons == {"crash: field 'result' is missing"}


def test_three_answers_without_the_field_after_a_good_one_are_crashes(served_by: Serve, cycle_on: RunCycle) -> None:
    outcome = cycle_on(served_by(_bodies(None, *[OTHER_FIELDS] * 5)), 6)
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.RAN, 6, 5)


def test_a_cycle_of_fewer_than_three_answers_says_nothing_of_the_mapping(served_by: Serve, cycle_on: RunCycle) -> None:
    outcome = cycle_on(served_by(lambda query: json.dumps(OTHER_FIELDS).encode()), 2)
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.RAN, 2, 2)
    assert _states(outcome) == ["done"] * 2


def test_a_field_of_the_wrong_kind_is_a_crash_as_ever(served_by: Serve, cycle_on: RunCycle) -> None:
    outcome = cycle_on(served_by(lambda query: json.dumps({"result": None, "source_used": "x"}).encode()), 4)
    assert (outcome.status, outcome.flagged) == (Status.RAN, 4)


def test_answers_held_back_are_recorded_where_the_budget_ends_first(
    served_by: Serve, cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(run_and_probe_queue.time, "monotonic", lambda: clock[0])

    def body_of(query: str) -> bytes:
        clock[0] += 500.0  # the second answer comes when the budget of 900 s is used up
        return json.dumps(OTHER_FIELDS).encode()

    outcome = cycle_on(served_by(body_of), 4)
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.RAN, 2, 2)
    assert _states(outcome) == ["done", "done", "skipped", "skipped"]
