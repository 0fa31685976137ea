"""POST /adversarial/trigger: one cycle, now or later."""

import pytest
from django.db import OperationalError
from django.test import Client
from django_q.models import OrmQ
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from selftest.cycles import lifecycle
from selftest.cycles.lifecycle import CycleRequest, start
from selftest.cycles.runner import CycleOutcome, Status
from selftest.models import Combination, Cycle, Run, Target, Tuning
from tests.api.conftest import MakeTarget, error_of

pytestmark = pytest.mark.django_db

TRIGGER = "/adversarial/trigger"
DISABLED = {"status": "disabled", "queries_run": 0, "flagged": 0}


def test_a_cycle_is_over_when_the_answer_comes(caller: Client, target: Target) -> None:
    response = caller.post(TRIGGER)
    assert (response.status_code, response.json()) == (200, {"status": "ran", "queries_run": 8, "flagged": 0})
    cycle = Cycle.objects.get()
    assert (cycle.state, cycle.trigger, cycle.target) == ("finished", "api", target)
    assert Run.objects.filter(state=Run.State.DONE).count() == 8


def test_what_breaks_is_counted_and_waits_for_a_person(caller: Client, make_target: MakeTarget) -> None:
    make_target(route="breaking", is_default=True)
    assert caller.post(TRIGGER).json() == {"status": "ran", "queries_run": 8, "flagged": 8}
    rows = caller.get("/adversarial/flagged").json()["flagged"]
    assert len(rows) == 8
    assert all(row["last_flagged_reason"].startswith("crash:") for row in rows)
    assert all("no worker left in the pool" in row["last_flagged_result_excerpt"] for row in rows)


def test_the_batch_size_in_force_is_asked(caller: Client, target: Target) -> None:
    Tuning.objects.update_or_create(pk=1, defaults={"batch_size": 3})
    assert caller.post(TRIGGER).json()["queries_run"] == 3


@pytest.mark.parametrize("switch", ["environment", "settings", "target"])
@pytest.mark.parametrize("wait", ["true", "false"])
def test_switched_off_nothing_is_asked_of_the_target(
    switch: str, wait: str, caller: Client, target: Target, settings: Settings
) -> None:
    if switch == "environment":
        settings.ADVERSARIAL_TEST_ENABLED = False
    elif switch == "settings":
        Tuning.objects.update_or_create(pk=1, defaults={"enabled": False})
    else:
        Target.objects.update(enabled=False)
    response = caller.post(f"{TRIGGER}?wait={wait}")
    assert (response.status_code, response.json()) == (200, DISABLED)
    assert not Cycle.objects.exists()
    assert not Combination.objects.exists()


def test_switched_off_without_a_target_is_switched_off_all_the_same(caller: Client, settings: Settings) -> None:
    settings.ADVERSARIAL_TEST_ENABLED = False
    assert caller.post(TRIGGER).json() == DISABLED


def test_without_a_target_there_is_nothing_to_ask(caller: Client) -> None:
    error = error_of(caller.post(TRIGGER), 404)
    assert error["code"] == "not_found"
    assert "manage.py start" in error["message"]


def test_a_target_that_is_away_is_said_to_be(caller: Client, make_target: MakeTarget) -> None:
    make_target(is_default=True, dotted_path="tests.api.routers.nowhere")
    response = caller.post(TRIGGER)
    assert response.status_code == 200
    document = response.json()
    assert list(document) == ["status", "queries_run", "flagged", "note"]
    assert (document["status"], document["queries_run"], document["flagged"]) == ("target_unavailable", 0, 0)
    assert "nowhere" in document["note"]
    assert not Combination.objects.exists()


def test_while_another_cycle_runs_on_the_target_it_is_busy(caller: Client, target: Target) -> None:
    _running_here(target)
    error = error_of(caller.post(TRIGGER), 409)
    assert error["code"] == "busy"
    assert "household" in error["message"]
    assert Cycle.objects.count() == 1


def test_a_cycle_on_one_target_keeps_no_other_busy(caller: Client, target: Target, make_target: MakeTarget) -> None:
    _running_here(target)
    make_target("other")
    assert caller.post(f"{TRIGGER}?target=other").json()["status"] == "ran"


def _running_here(target: Target) -> None:
    cycle = lifecycle.prepare(CycleRequest(target, Cycle.Trigger.COMMAND))
    cycle.save()
    assert start(cycle)


def test_a_failing_database_is_no_result(caller: Client, target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    note = "the database failed: disk full"
    monkeypatch.setattr("review.api.adversarial.run_cycle", lambda wish: CycleOutcome(Status.INTERRUPTED, None, note))
    error = error_of(caller.post(TRIGGER), 503)
    assert error == {"code": "interrupted", "message": note, "field": None}


def test_a_target_without_a_vocabulary_cannot_be_asked(caller: Client, target: Target) -> None:
    target.vocabularies.all().delete()
    error = error_of(caller.post(TRIGGER), 503)
    assert error["code"] == "interrupted"
    assert "vocabulary" in error["message"]


def test_a_cycle_for_later_is_handed_to_the_worker(
    caller: Client, target: Target, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        response = caller.post(f"{TRIGGER}?wait=false")
    cycle = Cycle.objects.get()
    assert (response.status_code, response.json()) == (202, {"status": "queued", "cycle": str(cycle.pk)})
    assert (cycle.state, cycle.trigger) == ("planned", "api")
    assert OrmQ.objects.get().task["args"] == (cycle.pk,)
    assert not Run.objects.exists()


def test_a_cycle_for_later_is_taken_also_while_another_one_runs(caller: Client, target: Target) -> None:
    _running_here(target)
    assert caller.post(f"{TRIGGER}?wait=false").status_code == 202


def test_the_target_that_is_named_is_asked(caller: Client, target: Target, make_target: MakeTarget) -> None:
    other = make_target("other", "breaking")
    assert caller.post(f"{TRIGGER}?target=other").json()["flagged"] == 8
    assert set(Run.objects.values_list("target", flat=True)) == {other.pk}


def test_an_unknown_target_is_not_found(caller: Client, target: Target) -> None:
    assert error_of(caller.post(f"{TRIGGER}?target=nobody"), 404)["code"] == "not_found"
    assert not Cycle.objects.exists()


def test_wait_is_true_or_false(caller: Client, target: Target) -> None:
    assert error_of(caller.post(f"{TRIGGER}?wait=awhile"), 422)["field"] == "wait"
    assert not Cycle.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_where_the_database_as_the_broker_fails_the_cycle_is_queued_all_the_same(
    caller: Client, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object, **__: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr("selftest.cycles.handing_over.async_task", locked)
    response = caller.post(f"{TRIGGER}?wait=false")
    cycle = Cycle.objects.get()
    assert (response.status_code, response.json()["status"]) == (202, "queued")
    assert (cycle.state, cycle.owner) == ("planned", ""), "the next sweep hands it over"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("failure", [ConnectionRefusedError("Connection refused"), ConnectionResetError("reset")])
def test_a_broker_that_is_away_leaves_no_planned_cycle_behind(
    failure: Exception, caller: Client, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr("selftest.cycles.handing_over.async_task", away)
    error = error_of(caller.post(f"{TRIGGER}?wait=false"), 503)
    assert error["code"] == "broker_away"
    assert "no cycle was queued" in error["message"]
    cycle = Cycle.objects.get()
    assert (cycle.state, cycle.note) == ("interrupted", f"it could not be handed to the worker: {failure}")
