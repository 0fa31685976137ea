"""Signing in and out, being kept out, and the cookies."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from review.login_throttling import client_address
from tests.review.pages import SCRIPT, text_of

RIGHT = {"username": "vera", "password": "a long enough password"}


def test_the_right_password_leads_to_the_queue(client: Client, reviewer: User) -> None:
    assert client.post("/sign-in", RIGHT)["Location"] == "/"
    assert client.get("/").status_code == 200


def test_and_back_to_the_page_that_was_asked_for(client: Client, reviewer: User) -> None:
    assert 'name="next" value="/cycles"' in client.get("/sign-in?next=/cycles").content.decode()
    assert client.post("/sign-in", {**RIGHT, "next": "/cycles"})["Location"] == "/cycles"


def test_but_never_to_another_site(client: Client, reviewer: User) -> None:
    assert client.post("/sign-in", {**RIGHT, "next": "https://elsewhere.example/"})["Location"] == "/"


def test_the_wrong_password_is_refused_in_words(client: Client, reviewer: User) -> None:
    response = client.post("/sign-in", {**RIGHT, "password": "wrong"})
    assert response.status_code == 200
    assert "Name and password do not match." in text_of(response)
    assert "shapes.svg#stopped" in response.content.decode()


def test_empty_fields_are_refused(client: Client, db: None) -> None:
    assert text_of(client.post("/sign-in", {})).count("This field is required.") == 2


def test_somebody_signed_in_goes_straight_to_the_queue(vera: Client) -> None:
    assert vera.get("/sign-in")["Location"] == "/"


def test_signing_out_leads_to_the_door(vera: Client) -> None:
    assert vera.post("/sign-out")["Location"] == "/sign-in"
    assert vera.get("/").status_code == 302


def test_reading_signs_nobody_out(vera: Client) -> None:
    assert vera.get("/sign-out").status_code == 405
    assert vera.get("/").status_code == 200


def test_somebody_who_may_not_come_in_any_more_is_out(vera: Client, reviewer: User) -> None:
    User.objects.update(is_active=False)
    assert vera.get("/").status_code == 302


# --- too many failures ---

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
LIMIT, LOCK = 5, timedelta(minutes=15)
WRONG = {"username": "vera", "password": "wrong"}
DOORS = ["/sign-in", "/admin/login/"]


def fail(client: Client, times: int, path: str = "/sign-in", **more: Any) -> HttpResponse:
    responses = [client.post(path, WRONG, **more) for _ in range(times)]
    return responses[-1]


@pytest.mark.parametrize("door", DOORS)
def test_the_fifth_failure_locks_and_says_until_when(client: Client, reviewer: User, door: str) -> None:
    with time_machine.travel(NOON, tick=False):
        assert fail(client, LIMIT - 1, door).status_code == 200
        response = fail(client, 1, door)
    assert response.status_code == 429
    assert response["Retry-After"] == "900"
    text = text_of(response)
    assert "Too many failed attempts" in text
    assert "for 15 minutes: try again at 12:15:00 UTC" in text
    assert f'href="{door}"' in response.content.decode()
    assert "shapes.svg#stopped" in response.content.decode()
    assert "script-src 'self'" in response["Content-Security-Policy"]


@pytest.mark.parametrize("door", DOORS)
def test_both_doors_are_locked_even_to_the_right_password(client: Client, reviewer: User, door: str) -> None:
    fail(client, LIMIT)
    assert client.post(door, RIGHT).status_code == 429
    assert client.get("/").status_code == 302


def test_after_fifteen_minutes_it_opens_whatever_was_tried_meanwhile(client: Client, reviewer: User) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        fail(client, LIMIT)
        clock.move_to(NOON + timedelta(minutes=10))
        response = client.post("/sign-in", RIGHT)
        assert response.status_code == 429
        assert "for 5 minutes: try again at 12:15:00 UTC" in text_of(response)
        clock.move_to(NOON + LOCK - timedelta(seconds=1))
        assert client.post("/sign-in", RIGHT)["Retry-After"] == "1"
        clock.move_to(NOON + LOCK + timedelta(seconds=1))
        assert client.post("/sign-in", RIGHT)["Location"] == "/"


def test_failures_by_several_browsers_count_together_and_lapse_one_by_one(client: Client, reviewer: User) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        fail(client, 2, headers={"User-Agent": "one"})
        clock.move_to(NOON + timedelta(minutes=5))
        response = fail(client, 3, headers={"User-Agent": "two"})
        assert response["Retry-After"] == "600"  # when the first two lapse
        clock.move_to(NOON + LOCK + timedelta(seconds=1))
        assert client.post("/sign-in", RIGHT)["Location"] == "/"


def test_success_forgives_what_failed_before(client: Client, reviewer: User) -> None:
    for _ in range(3):
        assert fail(client, LIMIT - 1).status_code == 200
        assert client.post("/sign-in", RIGHT)["Location"] == "/"
        client.post("/sign-out")


def test_another_name_and_another_address_are_not_locked(client: Client, reviewer: User) -> None:
    fail(client, LIMIT)
    assert client.post("/sign-in", {**WRONG, "username": "otto"}).status_code == 200
    assert client.post("/sign-in", RIGHT, REMOTE_ADDR="192.0.2.7")["Location"] == "/"


def test_a_name_that_does_not_exist_is_locked_like_any(client: Client, db: None) -> None:
    assert fail(client, LIMIT).status_code == 429


def test_a_name_cannot_smuggle_anything_onto_the_page(client: Client, db: None) -> None:
    for _ in range(LIMIT):
        response = client.post("/sign-in", {"username": SCRIPT, "password": "x", "extra": "\0"})
    assert response.status_code == 429
    assert SCRIPT not in response.content.decode()


def test_without_a_proxy_nobody_chooses_the_address_that_counts(client: Client, reviewer: User) -> None:
    for number in range(LIMIT):
        response = fail(client, 1, headers={"X-Forwarded-For": f"192.0.2.{number}"})
    assert response.status_code == 429


def test_behind_a_proxy_the_address_that_it_wrote_counts(rf: RequestFactory, settings: LazySettings) -> None:
    def address(forwarded: str) -> str | None:
        return client_address(rf.get("/", headers={"X-Forwarded-For": forwarded}, REMOTE_ADDR="10.0.0.1"))

    assert address("192.0.2.1, 192.0.2.9") == "10.0.0.1"
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert address("192.0.2.1, 192.0.2.9") == "192.0.2.9"
    assert address("forged, 2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::"
    assert address("forged, ::ffff:192.0.2.9") == "192.0.2.9"
    assert address("forged, fe80::1%eth0") == "fe80::"
    assert address("192.0.2.9:51044") == "192.0.2.9"
    assert address("[2001:db8::7]:443") == "2001:db8::"
    assert address("192.0.2.1, unknown") == "10.0.0.1"
    assert address("") == "10.0.0.1"
    assert client_address(rf.get("/", REMOTE_ADDR="")) is None


def test_an_unknown_address_is_counted_too(client: Client, reviewer: User) -> None:
    assert fail(client, LIMIT, REMOTE_ADDR="").status_code == 429


def test_no_password_is_kept(client: Client, reviewer: User) -> None:
    client.post("/sign-in", {**WRONG, "password": "nearly the right one"})
    kept = AccessAttempt.objects.get()
    assert "nearly" not in kept.post_data + kept.get_data


def test_no_password_of_a_change_that_failed_is_kept(vera: Client) -> None:
    new = {"new_password1": "the new one of it", "new_password2": "the new one of it"}
    vera.post("/profile/password", {"old_password": "nearly the right one", **new})
    kept = AccessAttempt.objects.get()
    assert "one" not in kept.post_data + kept.get_data


def test_a_clock_that_was_ahead_locks_nobody_out_once_it_is_set_right(client: Client, reviewer: User) -> None:
    assert fail(client, LIMIT).status_code == 429
    AccessAttempt.objects.update(attempt_time=timezone.now() + timedelta(days=10))
    assert client.post("/sign-in", RIGHT)["Location"] == "/"


def test_a_lock_is_opened_by_a_command(client: Client, reviewer: User) -> None:
    fail(client, LIMIT)
    call_command("axes_reset_username", "vera")
    assert client.post("/sign-in", RIGHT)["Location"] == "/"


# --- an address ---

ADDRESS_LIMIT = 20


def fail_as_many(client: Client, times: int, door: str = "/sign-in", **more: Any) -> HttpResponse:
    """Each with another name, so that no name is locked."""
    return [client.post(door, {"username": f"name {n}", "password": "wrong"}, **more) for n in range(times)][-1]


@pytest.mark.parametrize("door", DOORS)
def test_twenty_failures_of_any_names_lock_their_address_and_no_other(
    client: Client, reviewer: User, door: str
) -> None:
    with time_machine.travel(NOON, tick=False):
        assert fail_as_many(client, ADDRESS_LIMIT - 1, door).status_code == 200
        response = fail(client, 1, door)
        assert response.status_code == 429
        assert response["Retry-After"] == "900"
        assert "No name can sign in from this address for 15 minutes" in text_of(response)
        assert client.post(door, RIGHT).status_code == 429
        assert client.post("/sign-in", RIGHT, REMOTE_ADDR="192.0.2.7")["Location"] == "/"


def test_an_address_opens_again_when_enough_of_its_failures_lapsed(client: Client, reviewer: User) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        fail_as_many(client, 1)
        clock.move_to(NOON + timedelta(minutes=5))
        response = [client.post("/sign-in", {"username": f"other {n}", "password": "x"}) for n in range(19)][-1]
        assert response["Retry-After"] == "600"
        clock.move_to(NOON + LOCK + timedelta(seconds=1))
        assert client.post("/sign-in", RIGHT)["Location"] == "/"


def test_signing_in_rightly_forgives_the_address_nothing(client: Client, reviewer: User) -> None:
    fail_as_many(client, ADDRESS_LIMIT - 1)
    client.post("/sign-in", RIGHT)
    client.post("/sign-out")
    assert fail(client, 1).status_code == 429


def test_refused_attempts_write_nothing(client: Client, reviewer: User) -> None:
    fail_as_many(client, ADDRESS_LIMIT)
    with CaptureQueriesContext(connection) as asked:
        assert fail(client, 1).status_code == 429
    assert [query["sql"] for query in asked.captured_queries if not query["sql"].startswith("SELECT")] == []


def test_a_script_that_is_locked_out_is_told_in_the_shape_of_the_api(client: Client, reviewer: User) -> None:
    with time_machine.travel(NOON, tick=False):
        response = fail(client, LIMIT, headers={"Accept": "application/json"})
        assert response.status_code == 429
        assert response["Retry-After"] == "900"
        assert response.json()["error"] == {
            "code": "too_many_requests",
            "message": "too many failed attempts: this name cannot sign in from here before 12:15:00 UTC",
            "field": None,
        }
        message = fail_as_many(client, ADDRESS_LIMIT, headers={"Accept": "application/json"}).json()["error"]["message"]
        assert "no name can sign in from this address before 12:15:00 UTC" in message


def test_behind_a_proxy_a_client_escapes_the_limit_by_no_header_of_its_own(
    client: Client, reviewer: User, settings: LazySettings
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    for number in range(ADDRESS_LIMIT):
        forwarded = {"X-Forwarded-For": f"198.51.100.{number}, 192.0.2.9"}
        response = client.post("/sign-in", {"username": f"name {number}", "password": "x"}, headers=forwarded)
    assert response.status_code == 429
    other = {"X-Forwarded-For": "192.0.2.9, 192.0.2.10"}
    assert client.post("/sign-in", RIGHT, headers=other)["Location"] == "/"


def test_an_address_is_opened_by_a_command(client: Client, reviewer: User) -> None:
    fail_as_many(client, ADDRESS_LIMIT)
    call_command("axes_reset_ip", "127.0.0.1")
    assert client.post("/sign-in", RIGHT)["Location"] == "/"


# --- the current password of a person who is signed in ---


def test_the_current_password_is_guessed_at_five_times_and_no_more(vera: Client, reviewer: User) -> None:
    new = {"new_password1": "quite another password", "new_password2": "quite another password"}
    for _ in range(LIMIT - 1):
        assert vera.post("/profile/password", {"old_password": "wrong", **new}).status_code == 200
    assert vera.post("/profile/password", {"old_password": "wrong", **new}).status_code == 429
    response = vera.post("/profile/password", {"old_password": "a long enough password", **new})
    assert response.status_code == 429
    assert User.objects.get().check_password("a long enough password")
    assert vera.get("/").status_code == 200


def test_the_admins_own_page_for_it_leads_to_the_one_that_counts(client: Client, db: None) -> None:
    client.force_login(User.objects.create_superuser("root", password="a long enough password"))
    assert client.get("/admin/password_change/")["Location"] == "/profile/password"
    assert client.post("/admin/password_change/", {"old_password": "wrong"})["Location"] == "/profile/password"


# --- the cookies ---


def test_cookies_are_hidden_from_scripts_and_stay_on_this_site(client: Client, reviewer: User) -> None:
    seen = client.get("/sign-in").cookies
    seen.update(client.post("/sign-in", RIGHT).cookies)
    assert set(seen) == {"csrftoken", "sessionid"}
    for cookie in seen.values():
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        assert not cookie["secure"]


@pytest.mark.process
def test_over_https_they_are_sent_over_nothing_else(tmp_path: Path) -> None:
    ask = "from django.conf import settings as s; print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE)"
    environment = {
        **os.environ,
        "DATA_DIR": str(tmp_path),
        "HTTPS": "true",
        "DJANGO_SETTINGS_MODULE": "review.settings",
    }
    said = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["True", "True"]
