"""The smallest query of a combination, for scripts: have it looked for, and read what was found."""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django_q.models import OrmQ

from selftest import tasks
from selftest.models import Reduction, Tuning
from tests.api.conftest import History, error_of

pytestmark = pytest.mark.django_db


def test_a_search_is_queued_and_then_read(
    caller: Client, history: History, django_capture_on_commit_callbacks: Any
) -> None:
    combination = history.flagged("comets")
    with django_capture_on_commit_callbacks(execute=True):
        response = caller.post(f"/api/v1/combinations/{combination.pk}/reduce")
    planned = Reduction.objects.get()
    assert response.status_code == 202
    assert response.json() == {"status": "queued", "reduction": planned.pk}
    assert OrmQ.objects.get().task["args"] == (planned.pk,)
    document = caller.get(f"/api/v1/combinations/{combination.pk}/reductions").json()
    assert document["next"] is None
    (item,) = document["items"]
    created_at = item.pop("created_at")
    assert created_at.endswith("Z")
    assert item == {
        "id": planned.pk,
        "combination_id": combination.pk,
        "run_id": combination.last_flagged_run_id,
        "check": combination.flagged_check,
        "state": "planned",
        "note": "",
        "askings": 0,
        "askings_at_most": 40,
        "query_text": combination.last_query_text,
        "smallest": None,
        "smallest_text": "",
        "kept": [],
        "is_minimal": False,
        "source_used": "",
        "result": "",
        "finished_at": None,
    }


def test_the_newest_comes_first_and_pages_go_on(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    path = f"/api/v1/combinations/{combination.pk}/reductions"
    for _ in range(3):
        caller.post(f"/api/v1/combinations/{combination.pk}/reduce")
        tasks.planned_reduction(Reduction.objects.order_by("-id")[0].pk)
    first = caller.get(path, query_params={"limit": 2}).json()
    second = caller.get(path, query_params={"limit": 2, "cursor": first["next"]}).json()
    found = [item["id"] for item in (*first["items"], *second["items"])]
    assert found == sorted(Reduction.objects.values_list("pk", flat=True), reverse=True)
    assert second["next"] is None


def test_one_that_is_open_already_is_a_conflict(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    caller.post(f"/api/v1/combinations/{combination.pk}/reduce")
    error = error_of(caller.post(f"/api/v1/combinations/{combination.pk}/reduce"), 409)
    assert error["message"].startswith("its smallest query is being looked for already")


def test_what_was_never_flagged_is_refused(caller: Client, history: History) -> None:
    combination = history.combination("comets")
    history.run(combination)
    error = error_of(caller.post(f"/api/v1/combinations/{combination.pk}/reduce"), 409)
    assert "nothing to minimise" in error["message"]


def test_off_is_off(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    Tuning.get_solo()
    Tuning.objects.update(enabled=False)
    response = caller.post(f"/api/v1/combinations/{combination.pk}/reduce")
    assert (response.status_code, response.json()) == (200, {"status": "disabled"})


def test_an_unknown_combination_is_not_found(caller: Client, db: None) -> None:
    error_of(caller.post("/api/v1/combinations/4711/reduce"), 404)
    error_of(caller.get("/api/v1/combinations/4711/reductions"), 404)


def test_a_broker_that_is_away_is_told(caller: Client, history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OSError("refused")

    monkeypatch.setattr("selftest.cycles.handing_over.async_task", away)
    monkeypatch.setattr(transaction, "on_commit", lambda act: act())
    combination = history.flagged("comets")
    error = error_of(caller.post(f"/api/v1/combinations/{combination.pk}/reduce"), 503)
    assert "the broker" in error["message"]
    assert Reduction.objects.get().state == "stopped"
