"""GET /metrics: what Prometheus scrapes, and the dashboard and rules that are made for it."""

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import time_machine
import yaml
from django.db import OperationalError, connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.cycles.putting_off import bring_back_due
from selftest.models import Actor, Cause, Combination, Cycle, Run, Target, Tuning
from selftest.operating import monitoring
from selftest.reading import metrics
from selftest.reviewing.dismissal import dismiss, judge_combination, undismiss
from selftest.reviewing.judgement import Judgement
from tests.engine.conftest import NOW
from tests.review import factory

pytestmark = pytest.mark.django_db
DAY, HOUR = timedelta(days=1), timedelta(hours=1)

Execute = Callable[..., Any]
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


def test_what_a_cycle_that_was_interrupted_says_of_its_target_is_nothing() -> None:
    target = factory.a_target()
    factory.make_cycle(Cycle.State.INTERRUPTED)
    assert ("gadfly_target_up", frozenset({("target", "bundled")})) not in samples()
    for state, up in (
        (Cycle.State.FINISHED, 1),
        (Cycle.State.TARGET_UNAVAILABLE, 0),
        (Cycle.State.INTERRUPTED, 0),
        (Cycle.State.FINISHED, 1),
    ):
        factory.make_cycle(state)
        assert value(samples(), "gadfly_target_up", target="bundled") == up, state
    assert value(samples(), "gadfly_target_enabled", target="bundled") == 1
    Target.objects.filter(pk=target.pk).update(enabled=False)
    assert value(samples(), "gadfly_target_enabled", target="bundled") == 0


def test_a_broker_that_is_away_has_a_series_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert value(samples(), "gadfly_broker_up") == 1
    monkeypatch.setattr(metrics, "waiting_tasks", lambda: None)
    monkeypatch.setattr(metrics, "worker_clusters", lambda: None)
    found = samples()
    assert value(found, "gadfly_broker_up") == 0
    assert ("gadfly_workers", frozenset()) not in found, "how many there are is not known"


def waits() -> float:
    return value(samples(), "gadfly_oldest_open_flag_seconds", target="bundled")


@pytest.fixture
def a_year_later() -> Iterator[Combination]:
    """A combination that was flagged at NOW, a year before the clock, which stands; dismissed a day after it."""
    with time_machine.travel(NOW, tick=False) as clock:
        row = factory.flagged()
        clock.shift(DAY)
        dismiss(row, Actor("vera"))
        clock.move_to(NOW + 365 * DAY)
        yield row


def test_a_flag_waits_since_it_was_first_flagged() -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        row = factory.flagged()
        clock.shift(HOUR)
        factory.flagged()
        clock.shift(HOUR)
        factory.ask(row)
        factory.ask(row, [factory.finding()])
        assert waits() == 7200


def test_flagged_again_after_its_dismissal_it_waits_since_then(a_year_later: Combination) -> None:
    factory.ask(a_year_later, [factory.finding()])
    assert waits() == 0
    with time_machine.travel(NOW + 365 * DAY + HOUR, tick=False):
        factory.ask(a_year_later)
        factory.ask(a_year_later, [factory.finding()])
        assert waits() == 3600
        factory.flagged(now=NOW + 364 * DAY)
        assert waits() == 90_000, "another one waits for longer"


def test_restored_it_waits_since_then(a_year_later: Combination) -> None:
    undismiss(a_year_later, Actor("vera"))
    with time_machine.travel(NOW + 365 * DAY + HOUR, tick=False):
        assert waits() == 3600


def test_put_off_until_a_day_it_waits_since_then() -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        row = factory.flagged()
        judge_combination(row, Judgement(Cause.Verdict.LATER, until_date=date(2026, 7, 30)), Actor("vera"))
        clock.move_to(NOW + 30 * DAY)
        assert bring_back_due(NOW + 30 * DAY) == 1
        clock.shift(HOUR)
        assert waits() == 3600


def test_one_that_came_back_before_its_events_were_kept_waits_since_it_was_first_flagged() -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        row = factory.flagged()
        Combination.objects.filter(pk=row.pk).update(dismissed_at=NOW)
        clock.shift(HOUR)
        assert waits() == 3600


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
    assert value(samples(), name, target="bundled") == 2
    Run.objects.filter(pk=waiting.pk).update(state=Run.State.DONE, latency_ms=3)
    assert value(samples(), name, target="bundled") == 3
    assert value(samples(), name, target="bundled") == 3


ANSWERS = "gadfly_answer_latency_seconds_count"


def a_new_process(monkeypatch: pytest.MonkeyPatch) -> metrics._History:
    """The next scrapes are answered by it."""
    history = metrics._History()
    monkeypatch.setattr(metrics, "_HISTORY", history)
    return history


def test_every_process_tells_the_same_sum_however_often_it_was_scraped(monkeypatch: pytest.MonkeyPatch) -> None:
    latencies_ms = random.Random(1)
    for _ in range(24):
        run = factory.ask(factory.make_combination())
        Run.objects.filter(pk=run.pk).update(latency_ms=latencies_ms.uniform(5, 400))
        if run.pk % 8 == 0:
            samples()
    after_many = value(samples(), "gadfly_answer_latency_seconds_sum", target="bundled")
    a_new_process(monkeypatch)
    assert value(samples(), "gadfly_answer_latency_seconds_sum", target="bundled") == after_many


def test_after_a_scrape_that_failed_nothing_is_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    run = factory.ask(factory.make_combination())
    factory.probe(run, "uptime", "uptime")

    def fails(execute: Execute, sql: str, *rest: Any) -> Any:
        if "selftest_probe" in sql:
            raise OperationalError("server closed the connection")
        return execute(sql, *rest)

    with connection.execute_wrapper(fails), pytest.raises(OperationalError):
        samples()
    found = samples()
    assert value(found, ANSWERS, target="bundled") == 1
    assert value(found, "gadfly_probes_total", target="bundled") == 1


def test_a_cycle_that_begins_during_a_scrape_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before whichever of its statements that is."""
    factory.ask(factory.make_combination())
    samples()
    with CaptureQueriesContext(connection) as statements:
        samples()
    for place in range(len(statements)):
        a_new_process(monkeypatch)
        left = count(place, -1)

        def plan(execute: Execute, sql: str, *rest: Any, left: Iterator[int] = left) -> Any:
            if next(left) == 0:
                factory.plan_run(factory.make_combination(), factory.make_cycle(Cycle.State.RUNNING))
            return execute(sql, *rest)

        with connection.execute_wrapper(plan):
            samples()
        Run.objects.filter(state=Run.State.PLANNED).update(state=Run.State.DONE, latency_ms=3)
        Cycle.objects.update(state=Cycle.State.FINISHED)
        assert value(samples(), ANSWERS, target="bundled") == Run.objects.count() == place + 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.database("postgresql")  # SQLite has one writer at a time
def test_runs_are_counted_though_they_were_seen_only_after_later_ones() -> None:
    slow = factory.make_cycle(Cycle.State.RUNNING)
    combination = factory.make_combination()

    def plan() -> Run:
        transaction.set_autocommit(False)
        return factory.plan_run(combination, slow)

    with ThreadPoolExecutor(1) as planner:
        try:
            earlier = planner.submit(plan).result()
            later = factory.ask(combination)
            assert earlier.pk < later.pk
            assert value(samples(), ANSWERS, target="bundled") == 1
            planner.submit(transaction.commit).result()
        finally:
            planner.submit(connections.close_all).result()
    Run.objects.filter(pk=earlier.pk).update(state=Run.State.DONE, latency_ms=3)
    Cycle.objects.update(state=Cycle.State.FINISHED)
    assert value(samples(), ANSWERS, target="bundled") == 2


def finished_cycles() -> float:
    return value(samples(), "gadfly_cycles_total", target="bundled", state="finished")


def test_a_cycle_is_counted_once_it_has_ended_whatever_its_age(monkeypatch: pytest.MonkeyPatch) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        factory.make_cycle()
        running = factory.make_cycle(Cycle.State.RUNNING)
        factory.make_cycle()
        assert finished_cycles() == 2
        clock.shift(DAY)
        assert finished_cycles() == 2
        Cycle.objects.filter(pk=running.pk).update(state=Cycle.State.FINISHED)
        factory.make_cycle()
        assert finished_cycles() == 4
        a_new_process(monkeypatch)
        assert finished_cycles() == 4


def test_cycles_of_the_past_are_read_by_the_first_scrape_alone() -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        past = factory.make_cycle()
        clock.shift(DAY)
        assert finished_cycles() == 1
        Cycle.objects.filter(pk=past.pk).update(state=Cycle.State.INTERRUPTED)  # which a cycle that ended never becomes
        factory.make_cycle()
        assert finished_cycles() == 2


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


def panel(title: str) -> str:
    """The expression of a panel of the dashboard."""
    panels = json.loads((EXAMPLES / "grafana.json").read_text())["panels"]
    [[target]] = [one["targets"] for one in panels if one["title"] == title]
    return str(target["expr"])


def rule(alert: str) -> str:
    """The expression of an alert."""
    [group] = yaml.safe_load((EXAMPLES / "alerts.yml").read_text())["groups"]
    [expr] = [one["expr"] for one in group["rules"] if one["alert"] == alert]
    return str(expr)


def holds(condition: str, labels: str, scrapes: Sequence[Samples]) -> bool:
    """Whether it does of the bundled target, where it is by target; not where its metric is absent."""
    [(over_time, name)] = re.findall(r"(min_over_time\()?\b(gadfly_\w+)", condition)
    of_series = name, frozenset([("target", "bundled")] if "target" in labels else [])
    values = [scrape[of_series] for scrape in (scrapes if over_time else scrapes[-1:]) if of_series in scrape]
    if not values:
        return False
    figures = re.sub(r"(min_over_time\()?gadfly_\w+(\[\w+\]\))?", str(min(values)), condition)
    return bool(eval(figures.replace("time()", str(timezone.now().timestamp()))))


def fires(alert: str, *scrapes: Samples) -> bool:
    """What the rule says of the bundled target. scrapes: the newest last, all within the time that it looks back."""
    condition, *excuses = re.split(r" unless on\(([a-z, ]+)\) ", rule(alert))
    is_excused = any(holds(*excuse, scrapes) for excuse in zip(excuses[1::2], excuses[::2], strict=True))
    return holds(condition, "target", scrapes) and not is_excused


def without(scrape: Samples, name: str) -> Samples:
    return {series: number for series, number in scrape.items() if series[0] != name}


@pytest.mark.parametrize("switch", [Target, Tuning])
def test_what_was_off_for_hours_has_as_long_for_its_next_cycle(switch: type[Target | Tuning]) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        Tuning.get_solo()
        factory.make_cycle()
        switch.objects.update(enabled=False)
        clock.shift(5 * HOUR)
        off = samples()
        switch.objects.update(enabled=True)
        on = samples()
        assert not fires("GadflyCyclesStale", off)
        assert not fires("GadflyCyclesStale", off, on)
        assert fires("GadflyCyclesStale", on, on)
        assert fires("GadflyCyclesStale", without(on, "gadfly_target_enabled")), "as an earlier version tells it"


def test_a_flag_of_a_target_that_is_off_is_not_late() -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        factory.flagged()
        clock.shift(7 * DAY)
        assert not fires("GadflyReviewLate", samples())
        clock.shift(HOUR)
        on = samples()
        assert fires("GadflyReviewLate", on)
        assert fires("GadflyReviewLate", without(on, "gadfly_target_enabled")), "as an earlier version tells it"
        Target.objects.update(enabled=False)
        assert not fires("GadflyReviewLate", samples())
    excuse = rule("GadflyReviewLate").partition(" unless ")[2]
    assert panel("Oldest open flag") == (f'max(gadfly_oldest_open_flag_seconds{{target=~"$target"}} unless {excuse})')


def test_a_cause_without_a_verdict_is_counted_though_nothing_of_it_waits() -> None:
    row = factory.flagged("", factory.finding(CheckName.SECTION_BLANK))
    assign_causes(factory.a_target(), timezone.now())
    dismiss(row, Actor("vera"))
    found = samples()
    assert ("gadfly_open_flags", frozenset({("target", "bundled")})) not in found
    assert value(found, "gadfly_causes", target="bundled", check="section_blank", verdict="open") == 1
    assert 'verdict="open"' in panel("Causes without a verdict, by check")
