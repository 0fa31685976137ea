"""/api/v1/drift: series with their states, alerts with both distributions, windows page by page."""

from typing import Any

import pytest
from django.test import Client

from selftest.evaluation import drifting
from selftest.evaluation.core.drift import Metric
from selftest.evaluation.models import DriftSeries, DriftWatch
from selftest.models import Target
from tests.api.conftest import error_of
from tests.review import factory

pytestmark = pytest.mark.django_db

USUAL = [100.0 + place / 2 for place in range(200)]
WINDOW = USUAL[::5]
SLOWER = [4 * value for value in WINDOW]


@pytest.fixture
def watched() -> Target:
    target = factory.make_target()
    DriftWatch.objects.create(target=target)
    for values in (USUAL, WINDOW, SLOWER):
        drifting.add_values(target, {("megaquery", Metric.LATENCY, False): values})
    drifting.add_values(target, {("megaquery", Metric.LATENCY, True): [3.0]})
    return target


def get(client: Client, path: str = "", **query: Any) -> Any:
    response = client.get(f"/api/v1/drift{path}", query)
    assert response.status_code == 200, response.content
    return response.json()


def test_each_series_has_its_state(caller: Client, watched: Target) -> None:
    learnt, learning = get(caller)["items"]
    assert (learnt["recipe"], learnt["metric"], learnt["cached"]) == ("megaquery", "latency", False)
    assert (learnt["state"], learnt["reference_values"]) == ("drift", 200)
    assert (learning["cached"], learning["state"], learning["reference_at"]) == (True, "learning", None)
    assert [row["cached"] for row in get(caller, cached="true")["items"]] == [True]
    error_of(caller.get("/api/v1/drift?target=nothing"), 404)


def test_an_alert_has_both_distributions(caller: Client, watched: Target) -> None:
    (alert,) = get(caller, "/alerts", is_open="true")["items"]
    assert (alert["reference"], alert["window"], alert["distance"], alert["is_up"]) == (USUAL, SLOWER, 1.0, True)
    assert (alert["ended_at"], alert["end"], alert["series"]["state"]) == (None, None, "drift")
    assert get(caller, "/alerts", is_open="false")["items"] == []


def test_windows_are_read_page_by_page(caller: Client, watched: Target) -> None:
    series = DriftSeries.objects.get(cached=False).pk
    first = get(caller, f"/{series}", limit=1)["windows"]
    assert [window["verdict"] for window in first["items"]] == ["drift"]
    second = get(caller, f"/{series}", limit=1, cursor=first["next"])["windows"]
    assert [(window["verdict"], window["median"], window["size"]) for window in second["items"]] == [
        ("calm", 148.75, 40)
    ]
    error_of(caller.get(f"/api/v1/drift/{series + 9}"), 404)


def test_a_reference_is_not_reset_by_a_script(caller: Client, watched: Target) -> None:
    error_of(caller.post("/api/v1/drift"), 405)
