"""What /health says at a given moment: never ran, ok, stale, or switched off on purpose."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine

from selftest.models import Target, Tuning
from selftest.operating import health
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.review import factory

pytestmark = pytest.mark.django_db


@pytest.fixture
def ran_at_noon(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    with time_machine.travel(NOW, tick=False):
        cycle_on(make_target("naming_a_wrong_source"), 5, recipes=["no_intent_fallthrough"])


def status_after(minutes: float) -> str:
    return health.testing_health(NOW + timedelta(minutes=minutes)).status


def test_before_the_first_cycle_it_never_ran() -> None:
    said = health.testing_health(NOW)
    assert said.status == "never_ran"
    assert (said.last_run, said.minutes_since_last_run) == (None, None)
    assert (said.total_combinations_tried, said.flagged_for_review) == (0, 0)


@pytest.mark.usefixtures("ran_at_noon")
def test_after_a_cycle_it_is_ok_and_tells_the_figures() -> None:
    said = health.testing_health(NOW + timedelta(minutes=12, seconds=59))
    assert (said.status, said.last_run, said.minutes_since_last_run) == ("ok", NOW, 12)
    assert (said.total_combinations_tried, said.flagged_for_review) == (5, 5)


@pytest.mark.usefixtures("ran_at_noon")
@pytest.mark.parametrize(("minutes", "status"), [(180, "ok"), (180.9, "ok"), (181, "stale"), (10_000, "stale")])
def test_it_is_stale_after_three_intervals_of_sixty_minutes(minutes: float, status: str) -> None:
    assert status_after(minutes) == status


@pytest.mark.usefixtures("ran_at_noon")
@pytest.mark.parametrize(("minutes", "status"), [(0, "ok"), (-1, "ok"), (-2, "stale"), (-14_400, "stale")])
def test_a_last_run_in_the_future_is_stale(minutes: float, status: str) -> None:
    """As a clock leaves it that was ahead; a minute may be another machine's."""
    assert status_after(minutes) == status


@pytest.mark.usefixtures("ran_at_noon")
def test_a_clock_that_is_set_right_is_forgotten_with_the_next_run(cycle_on: RunCycle) -> None:
    days_ago = NOW - timedelta(days=10)
    assert health.testing_health(days_ago).status == "stale"
    with time_machine.travel(days_ago, tick=False):
        cycle_on(Target.objects.get(), 1)
    said = health.testing_health(days_ago + timedelta(minutes=2))
    assert (said.status, said.last_run) == ("ok", days_ago)


@pytest.mark.usefixtures("ran_at_noon")
def test_the_grace_follows_the_interval_and_its_multiplier(settings: Any) -> None:
    Tuning.objects.update(interval_minutes=5)
    settings.SNAPSHOT_STALE_GRACE_MULTIPLIER = 2.0
    assert (status_after(10), status_after(11)) == ("ok", "stale")


@pytest.mark.usefixtures("ran_at_noon")
def test_switched_off_it_is_disabled_and_never_stale(settings: Any) -> None:
    Tuning.objects.update(enabled=False)
    assert status_after(1) == status_after(10_000) == "disabled"
    Tuning.objects.update(enabled=True)
    settings.ADVERSARIAL_TEST_ENABLED = False
    assert status_after(1) == "disabled"


def test_switched_off_before_the_first_cycle_it_is_disabled() -> None:
    Tuning.get_solo()
    Tuning.objects.update(enabled=False)
    assert health.testing_health(NOW).status == "disabled"


@pytest.mark.usefixtures("ran_at_noon")
def test_a_cycle_that_found_the_target_away_is_an_outage_and_no_run(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    later: datetime = NOW + timedelta(minutes=200)
    with time_machine.travel(later, tick=False):
        cycle_on(make_target("no_such_function"), 5)
    said = health.testing_health(later)
    assert (said.last_run, said.last_outage, said.status) == (NOW, later, "stale")


def test_a_repeat_is_no_further_combination(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target()
    for _ in range(2):
        cycle_on(target, 8, recipes=["no_intent_fallthrough"])
    assert health.testing_health(NOW).total_combinations_tried == 5


def test_each_target_that_is_on_is_judged_by_itself_beside_all_together() -> None:
    bundled, other = factory.make_target(), factory.make_target("other", is_default=False)
    off = factory.make_target("off", is_default=False)
    factory.make_target("new", is_default=False)
    for target, minutes in ((bundled, 200), (other, 0), (off, 0)):
        factory.make_cycle(now=NOW + timedelta(minutes=minutes), target=target)
    Target.objects.filter(pk=off.pk).update(enabled=False)
    now = NOW + timedelta(minutes=210)
    assert health.testing_health(now).status == health.testing_now(now).status == "ok"
    judged = [("bundled", "ok", 10), ("new", "never_ran", None), ("other", "stale", 210)]
    for said in (health.testing_health(now), health.testing_now(now)):
        assert [(target.name, target.status, target.minutes) for target in said.targets] == judged
