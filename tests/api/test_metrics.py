"""GET /metrics: what Prometheus scrapes, and the dashboard and rules that are made for it."""

import json
import re
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Combination, Cycle, Run, Target
from selftest.operating import monitoring
from selftest.reading import metrics
from tests.review import factory

pytestmark = pytest.mark.django_db

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]
EXAMPLES = Path(monitoring.__file__).parent


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has counted nothing yet, and a worker."""
    monkeypatch.setattr(metrics, "_HISTORY", metrics._History())
    monkeypatch.setattr("selftest.reading.worker.heartbeats", lambda: 1)


def samples() -> Samples:
    families = text_string_to_metric_families(metrics.metrics_text().decode())
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def value(found: Samples, name: str, **labels: str) -> float:
    return found[name, frozenset(labels.items())]


def test_it_tells_of_flags_causes_and_the_worker() -> None:
    for _ in range(3):
        factory.flagged("", factory.finding(CheckName.SECTION_BLANK))
    assign_causes(factory.a_target(), timezone.now())
    found = samples()
    assert value(found, "gadfly_open_flags", target="bundled") == 3
    assert value(found, "gadfly_causes", target="bundled", check="section_blank", verdict="open") == 1
    assert value(found, "gadfly_workers") == 1
    assert value(found, "gadfly_testing_enabled") == 1
    assert value(found, "gadfly_database_bytes") > 10_000


def test_latencies_are_a_histogram_of_what_was_not_cached() -> None:
    for latency_ms, is_cached in ((5, False), (40, False), (2_000, False), (1, True)):
        run = factory.ask(factory.make_combination())
        Run.objects.filter(pk=run.pk).update(latency_ms=latency_ms, cached=is_cached)
    found = samples()
    name = "gadfly_answer_latency_seconds"
    at_most = {
        le: value(found, f"{name}_bucket", target="bundled", le=le) for le in ("0.01", "0.05", "1.0", "2.5", "+Inf")
    }
    assert at_most == {"0.01": 1, "0.05": 2, "1.0": 2, "2.5": 3, "+Inf": 3}
    assert value(found, f"{name}_count", target="bundled") == 3
    assert value(found, f"{name}_sum", target="bundled") == pytest.approx(2.045)


def test_a_run_that_is_still_asked_is_counted_once_it_has_ended() -> None:
    name = "gadfly_answer_latency_seconds_count"
    factory.ask(factory.make_combination())
    waiting = factory.plan_run(factory.make_combination())
    cycle = waiting.cycle
    type(cycle).objects.filter(pk=cycle.pk).update(state="running")
    factory.ask(factory.make_combination())
    assert value(samples(), name, target="bundled") == 1
    Run.objects.filter(pk=waiting.pk).update(state=Run.State.DONE, latency_ms=3)
    assert value(samples(), name, target="bundled") == 3
    assert value(samples(), name, target="bundled") == 3


def test_a_target_that_was_deleted_is_told_of_no_more() -> None:
    factory.ask(factory.make_combination())
    assert "bundled" in metrics.metrics_text().decode()
    Cycle.objects.all().delete()
    Combination.objects.all().delete()
    Target.objects.all().delete()
    assert "bundled" not in metrics.metrics_text().decode()


def test_a_scrape_asks_no_more_after_many_runs() -> None:
    factory.ask(factory.make_combination())
    samples()
    with CaptureQueriesContext(connection) as few:
        samples()
    for _ in range(20):
        factory.ask(factory.make_combination())
    samples()
    with CaptureQueriesContext(connection) as many:
        samples()
    assert len(many) == len(few)


def test_a_key_is_taken_as_prometheus_sends_it_and_off_is_off(
    anyone: Client, caller: Client, key: str, settings: Settings
) -> None:
    assert anyone.get("/metrics").status_code == 401
    assert anyone.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 401
    answer = anyone.get("/metrics", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")
    settings.METRICS = False
    assert caller.get("/metrics").status_code == 404


def test_the_dashboard_and_the_rules_name_only_what_there_is() -> None:
    factory.flagged("", factory.finding(CheckName.SECTION_BLANK))
    assign_causes(factory.a_target(), timezone.now())
    text = metrics.metrics_text().decode()
    there = {re.sub("_(bucket|sum|count)$", "", name) for name in re.findall(r"^# TYPE (\S+)", text, re.M)}
    dashboard = (EXAMPLES / "grafana.json").read_text()
    json.loads(dashboard)
    for example in (dashboard, (EXAMPLES / "alerts.yml").read_text()):
        named = {re.sub("_(bucket|sum|count)$", "", name) for name in re.findall(r"\bgadfly_[a-z_]+", example)}
        assert named
        assert named <= there | {"gadfly_next_cycle_timestamp_seconds"}
