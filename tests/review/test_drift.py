"""The page of drift and of one series: what is drawn, who may reset, and what a person decides."""

import subprocess
import sys

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from selftest.evaluation import drifting
from selftest.evaluation.core.drift import Metric
from selftest.evaluation.models import DriftAlert, DriftEvent, DriftProposal, DriftSeries, DriftWatch
from selftest.models import Target
from tests.review import factory
from tests.review.pages import text_of
from tests.roles import give

pytestmark = pytest.mark.django_db

RECIPE = "no_intent_fallthrough"
USUAL = [100.0 + place / 2 for place in range(200)]
WINDOW = USUAL[::5]
SLOWER = [4 * value for value in WINDOW]


@pytest.fixture
def ada(db: None) -> Client:
    """The browser of an admin."""
    client = Client()
    client.force_login(give(User.objects.create_user("ada"), "admin"))
    return client


def take(target: Target, *windows: list[float], cached: bool = False) -> DriftSeries:
    DriftWatch.objects.get_or_create(target=target)
    for values in windows:
        drifting.add_values(target, {(RECIPE, Metric.LATENCY, cached): values})
    return DriftSeries.objects.get(target=target, cached=cached)


def propose(target: Target) -> DriftProposal:
    return DriftProposal.objects.create(target=target, what="version 3.50 → 3.51", created_at=timezone.now())


def shown(client: Client, address: str = "/drift") -> str:
    response = client.get(address)
    assert response.status_code == 200
    return text_of(response)


def test_without_a_target_and_without_values_the_page_says_what_will_come(vera: Client) -> None:
    assert "Drift" in shown(vera)
    factory.make_target()
    assert "Nothing to compare yet" in shown(vera)


def test_each_series_has_its_state_and_how_far_it_is(vera: Client, target: Target) -> None:
    take(target, USUAL[:148])
    assert "learning 148 of 200 values" in shown(vera)
    take(target, USUAL[148:], WINDOW)
    page = shown(vera)
    assert "as before 149 ms" in page
    assert "1 as before" in page


def test_cached_answers_stand_on_a_page_of_their_own(vera: Client, target: Target) -> None:
    take(target, USUAL, cached=True)
    assert "Nothing to compare yet" in shown(vera)
    assert "no window yet 0 of 40 values" in shown(vera, "/drift?cached=yes")


def test_an_alert_says_what_has_moved_and_draws_both(vera: Client, target: Target) -> None:
    take(target, USUAL, SLOWER)
    response = vera.get("/drift")
    page = text_of(response)
    assert "Latency of no_intent_fallthrough , not cached" in page
    assert "150 ms → 595 ms" in page
    assert "100 % of the 200 values of the reference are 200 ms or less, and 0 % of the 40 of the window" in page
    assert b"drift-reference" in response.content
    assert b"drift-window" in response.content


def test_an_alert_that_has_ended_is_still_listed(vera: Client, target: Target) -> None:
    take(target, USUAL, SLOWER, WINDOW, WINDOW)
    page = shown(vera)
    assert "Drift now" not in page
    assert "as before again" in page


def test_a_series_lists_its_windows_and_what_happened(vera: Client, target: Target) -> None:
    row = take(target, USUAL, WINDOW, SLOWER)
    page = shown(vera, f"/drift/{row.pk}")
    assert "Reference 150 ms" in page
    assert "Drift began by engine" in page
    assert page.count("Middle half") == 3  # the head, and two windows


def test_the_feed_tells_when_drift_began_and_who_reset_it(vera: Client, ada: Client, target: Target) -> None:
    row = take(target, USUAL, SLOWER)
    ada.post(f"/drift/{row.pk}/reset", {"reason": "a new machine"})
    feed = shown(vera, "/activity")
    assert "engine Drift began Latency of no_intent_fallthrough, not cached" in feed
    assert "ada Reference reset Latency of no_intent_fallthrough, not cached a new machine" in feed
    assert "Drift began" not in shown(vera, "/activity?who=ada")


def test_an_admin_resets_with_a_reason(ada: Client, target: Target) -> None:
    row = take(target, USUAL, SLOWER)
    ada.post(f"/drift/{row.pk}/reset", {"reason": ""})
    assert DriftSeries.objects.get().reference
    response = ada.post(f"/drift/{row.pk}/reset", {"reason": "a new machine", "back": "/drift"}, follow=True)
    assert "The reference was reset" in text_of(response)
    assert not DriftSeries.objects.get().reference
    assert DriftAlert.objects.get().end == "reset"


def test_a_reviewer_sees_and_does_not_reset(vera: Client, ada: Client, target: Target) -> None:
    row = take(target, USUAL, SLOWER)
    proposal = propose(target)
    for address in (f"{row.pk}/reset", f"proposals/{proposal.pk}/accept", f"proposals/{proposal.pk}/refuse"):
        response = vera.post(f"/drift/{address}", {"reason": "why not"})
        assert response.status_code == 403
        assert "Only an admin" in text_of(response)
    for address in ("/drift", f"/drift/{row.pk}"):
        assert "Reset the reference" not in shown(vera, address)
        assert "Reset the reference" in shown(ada, address)
    assert "An admin decides" in shown(vera)


def test_another_version_is_accepted_or_refused(ada: Client, target: Target) -> None:
    take(target, USUAL)
    proposal = propose(target)
    assert "version 3.50 → 3.51" in shown(ada)
    response = ada.post(f"/drift/proposals/{proposal.pk}/refuse", {"reason": "the same router"}, follow=True)
    assert "The references stay" in text_of(response)
    response = ada.post(f"/drift/proposals/{proposal.pk}/accept", follow=True)
    assert "decided or overtaken already" in text_of(response)
    ada.post(f"/drift/proposals/{propose(target).pk}/accept")
    assert not DriftSeries.objects.get().reference
    assert [event.kind for event in DriftEvent.objects.all()] == ["accepted", "refused"]


def test_what_is_not_there_is_not_found(vera: Client, ada: Client) -> None:
    assert vera.get("/drift/7").status_code == 404
    assert vera.get("/drift?target=nothing").status_code == 404
    assert vera.get("/drift?cached=no").status_code == 400
    assert vera.get("/drift/7/reset").status_code == 405
    assert ada.post("/drift/7/reset", {"reason": "x"}).status_code == 404
    assert ada.post("/drift/proposals/7/accept").status_code == 404


@pytest.mark.process
def test_pages_do_not_load_what_only_the_check_needs() -> None:
    """It takes a second and 80 MB of each web worker."""
    code = "import django, sys; django.setup(); import review.urls, selftest.tasks; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
