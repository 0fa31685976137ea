"""`run_cycle` against an honest router and against one for each broken promise: nothing, and the right check.

The seven checks of the specification by themselves, and all of them together.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command

from selftest.models import Combination, Explanation, Flag, Probe, Run, Target, Tuning
from tests.engine import routers
from tests.engine.conftest import MakeTarget
from tests.engine.routers import Served, serving

pytestmark = [pytest.mark.django_db, pytest.mark.slow("runs whole cycles of every recipe")]

BROKEN = {
    "crashing": "crash",
    "showing_a_traceback": "crash",
    "naming_a_wrong_source": "source_mismatch",
    "collapsing": "part_count_mismatch",
    "dropping_the_encyclopedia": "discourse_framing_dropped_kiwix",
    "forgetting_headers_of_conditions": "conditional_remainder_missing_sections",
    "failing_in_words": "unexpected_empty",
    "failing_in_one_section": "unexpected_empty",
    "slowing_down": "latency_outlier",
}


ALL_FIND = {  # what comes first in the reasons, where the relations look too
    "crashing": {"crash"},
    "showing_a_traceback": {"crash"},
    "naming_a_wrong_source": {"source_mismatch"},
    "collapsing": {"part_count_mismatch", "part_lost"},
    "dropping_the_encyclopedia": {"discourse_framing_dropped_kiwix", "part_lost"},
    "forgetting_headers_of_conditions": {
        "conditional_remainder_missing_sections",
        "source_contradicts_sections",  # where a condition comes in another recipe
    },
    "failing_in_one_section": {"unexpected_empty"},
    "slowing_down": {"latency_outlier"},
}


@pytest.fixture
def run_command(capsys: pytest.CaptureFixture[str]) -> Any:
    """`manage.py run_cycle --json`, read."""

    def run(target: Target, count: int, seed: int) -> dict[str, Any]:
        call_command("run_cycle", "--json", "--count", str(count), "--seed", str(seed), "--target", target.name)
        return json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def low_floor() -> Iterator[None]:
    """Latencies of a fifth of a second count, so that a slow router need not take whole seconds."""
    tuning = Tuning.get_solo()
    tuning.latency_outlier_floor_ms = int(routers.SLOW_S * 1000 * 2 / 3)
    tuning.save()
    routers.rest()
    yield
    routers.rest()


@pytest.mark.seeds(few=4, full=20)
def test_forty_queries_to_an_honest_router_flag_nothing(seed: int, make_target: MakeTarget, run_command: Any) -> None:
    said = run_command(make_target("honest"), 40, seed)
    assert (said["status"], said["queries_run"], said["flagged"]) == ("ran", 40, 0)
    assert [run["reason"] for run in said["runs"]] == [None] * 40
    assert len({run["fingerprint"] for run in said["runs"]}) == 40
    assert not Flag.objects.exists()


def provoke(route: str, make_target: MakeTarget, run_command: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that the reasons begin with; each flagged run is one of another combination."""
    if route == "slowing_down":  # every recipe needs its ten samples first, and 36 slow ones would take long
        monkeypatch.setattr(routers, "slow_after", 145 if Tuning.get_solo().explains else 77)
        said = run_command(make_target(route), 84, 1)
    else:
        said = run_command(make_target(route), 40, 1)
    reasons = [run["reason"] for run in said["runs"] if run["reason"]]
    assert said["status"] == "ran"
    assert said["flagged"] == len(reasons)
    assert Combination.objects.filter(ever_flagged=True).count() == len(reasons)
    return [reason.partition(":")[0] for reason in reasons]


@pytest.mark.usefixtures("low_floor", "seven_checks")
@pytest.mark.parametrize(("route", "check"), BROKEN.items())
def test_forty_queries_to_a_misbehaving_router_name_the_right_check(
    route: str, check: str, make_target: MakeTarget, run_command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(provoke(route, make_target, run_command, monkeypatch)) == {check}


@pytest.mark.usefixtures("low_floor")
@pytest.mark.parametrize(("route", "checks"), ALL_FIND.items())
def test_where_the_relations_look_too_the_right_check_is_named_still(
    route: str, checks: set[str], make_target: MakeTarget, run_command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(provoke(route, make_target, run_command, monkeypatch)) == checks
    assert BROKEN[route] in set(Flag.objects.values_list("check_name", flat=True))


def test_a_source_that_says_alone_too_that_it_has_nothing_is_explained_and_not_flagged(
    make_target: MakeTarget, run_command: Any
) -> None:
    said = run_command(make_target("failing_in_words"), 40, 1)
    assert (said["status"], said["flagged"]) == ("ran", 0)
    explained = Explanation.objects.filter(check_name="unexpected_empty")
    assert explained.exists()
    assert set(explained.values_list("cause", "source")) == {("empty_alone", "kiwix")}


def test_an_honest_router_over_http_is_flagged_for_nothing(make_target: MakeTarget, run_command: Any) -> None:
    with serving(Served()) as served:
        target = make_target(kind=Target.Kind.HTTP, base_url=served.url)
        said = run_command(target, 40, 2)
    assert (said["status"], said["queries_run"], said["flagged"]) == ("ran", 40, 0)
    queries, besides = [run["query"] for run in said["runs"]], list(Probe.objects.values_list("text", flat=True))
    assert sorted(served.asked) == sorted([*queries, *besides])
    assert [text for text in served.asked if text not in besides] == [text for text in queries if text not in besides]
    assert target.cycles.get().target_version == "7.1"
    assert set(Run.objects.values_list("http_status", flat=True)) == {200}


def test_a_crash_over_http_is_named_with_the_router_s_own_words(make_target: MakeTarget, run_command: Any) -> None:
    with serving(Served(routers.crashing)) as served:
        said = run_command(make_target(kind=Target.Kind.HTTP, base_url=served.url), 40, 2)
    reasons = {run["reason"] for run in said["runs"] if run["reason"]}
    assert reasons == {"crash: no worker left in the pool"}
