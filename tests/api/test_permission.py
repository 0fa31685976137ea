"""Why a call is refused: its key, its session, the token of that, or a setting.

Who may call what stands as a whole in tests/review/permission_table.py.
"""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from selftest.models import ApiKey, Combination, Tuning
from selftest.operating.keys import make_api_key, revoke_api_key
from tests.api.conftest import History, error_of
from tests.roles import give

pytestmark = pytest.mark.django_db

OPEN = ["/health", "/adversarial/flagged"]
READ = "/api/v1/targets"
CHANGES = [
    "/adversarial/trigger",
    "/adversarial/dismiss?fingerprint=x",
    "/adversarial/undismiss?fingerprint=x",
    "/api/v1/combinations/1/reduce",
    "/api/v1/review/dismiss",
    "/api/v1/review/undismiss",
]
BODY = {"items": [{"fingerprint": "x"}]}
WRONG = {"X-API-Key": "a key that was never made"}


def post(client: Client, path: str, **more: Any) -> Any:
    return client.post(path, BODY, content_type="application/json", **more)


def close_reading() -> None:
    Tuning.objects.update_or_create(pk=1, defaults={"open_reads": False})


def test_nobody_changes_anything_unknown(anyone: Client, history: History) -> None:
    response = post(anyone, CHANGES[0])
    assert error_of(response, 401) == {
        "code": "unauthorized",
        "message": "send a key as X-API-Key, or sign in",
        "field": None,
    }
    assert response["WWW-Authenticate"] == "X-API-Key"


@pytest.mark.parametrize("path", CHANGES)
def test_a_key_needs_no_token(path: str, caller: Client) -> None:
    assert post(caller, path).status_code == 404  # recognised: there is only no target


@pytest.mark.parametrize("path", CHANGES)
def test_a_session_without_its_token_changes_nothing(path: str, signed_in: Client, history: History) -> None:
    error = error_of(post(signed_in, path), 403)
    assert error["code"] == "csrf_failed"
    assert "X-CSRFToken" in error["message"]


@pytest.mark.parametrize("path", CHANGES)
def test_a_session_with_its_token_may_change(path: str, signed_in: Client, csrf_token: dict[str, str]) -> None:
    assert post(signed_in, path, headers=csrf_token).status_code == 404  # recognised: there is only no target


def test_the_token_may_stand_in_a_form(signed_in: Client, csrf_token: dict[str, str], history: History) -> None:
    combination = history.flagged("comets")
    form = {"fingerprint": combination.fingerprint, "csrfmiddlewaretoken": csrf_token["X-CSRFToken"]}
    assert signed_in.post("/adversarial/dismiss", form).status_code == 200


def test_a_wrong_token_is_none(signed_in: Client, csrf_token: dict[str, str], history: History) -> None:
    error_of(post(signed_in, CHANGES[0], headers={"X-CSRFToken": "b" * 32}), 403)


def test_a_foreign_page_changes_nothing(signed_in: Client, csrf_token: dict[str, str], history: History) -> None:
    error_of(post(signed_in, CHANGES[0], headers={**csrf_token, "Origin": "https://elsewhere.example"}), 403)


@pytest.mark.parametrize("path", CHANGES)
def test_a_wrong_key_is_refused_whatever_session_there_is(
    path: str, signed_in: Client, csrf_token: dict[str, str], history: History
) -> None:
    error = error_of(post(signed_in, path, headers={**csrf_token, **WRONG}), 401)
    assert "X-API-Key" in error["message"]


@pytest.mark.parametrize("key", ["", " ", "ключ".encode().decode("latin-1"), "x" * 10_000])
def test_a_key_of_any_shape_is_just_wrong(key: str, anyone: Client, history: History) -> None:
    error_of(post(anyone, CHANGES[0], headers={"X-API-Key": key}), 401)


def test_a_revoked_key_opens_nothing_any_more(anyone: Client) -> None:
    key = make_api_key("gone")
    assert anyone.get("/api/v1/tuning", headers={"X-API-Key": key}).status_code == 200
    revoke_api_key(ApiKey.objects.get())
    error_of(anyone.get("/api/v1/tuning", headers={"X-API-Key": key}), 401)


def test_a_key_of_the_environment_is_one(anyone: Client, settings: Settings) -> None:
    settings.API_KEYS = ("a-key-from-the-environment",)
    assert anyone.get("/api/v1/tuning", headers={"X-API-Key": settings.API_KEYS[0]}).status_code == 200


def test_a_person_whose_account_was_closed_is_nobody(signed_in: Client, person: User) -> None:
    assert signed_in.get("/api/v1/tuning").status_code == 200
    User.objects.update(is_active=False)
    error_of(signed_in.get("/api/v1/tuning"), 401)


def test_without_key_or_session_no_word_of_an_answer_is_read(
    anyone: Client, caller: Client, signed_in: Client, token: dict[str, str], history: History
) -> None:
    history.flagged("comets", result="What the router told of comets.")

    def excerpt(client: Client, **more: Any) -> str:
        (row,) = client.get("/adversarial/flagged", **more).json()["flagged"]
        read: str = row["last_flagged_result_excerpt"]
        return read

    assert excerpt(anyone) == ""
    assert excerpt(anyone, headers=WRONG) == ""
    assert excerpt(session_of("nell", token)) == ""
    assert excerpt(caller) == excerpt(signed_in) == "What the router told of comets."


@pytest.mark.parametrize("path", OPEN)
def test_which_targets_there_are_is_told_to_a_key_or_a_session_alone(
    path: str, anyone: Client, caller: Client, signed_in: Client, token: dict[str, str], history: History
) -> None:
    asked = f"{path}?target=elsewhere"
    unknown = "unknown target 'elsewhere'"
    for client in (anyone, session_of("nell", token)):
        assert error_of(client.get(asked), 404)["message"] == unknown
    assert error_of(anyone.get(asked, headers=WRONG), 404)["message"] == unknown
    for client in (caller, signed_in):
        assert error_of(client.get(asked), 404)["message"] == f"{unknown}; known are: household"


@pytest.mark.parametrize("path", OPEN)
def test_closed_reading_takes_a_key_or_a_session(path: str, anyone: Client, caller: Client, signed_in: Client) -> None:
    close_reading()
    error_of(anyone.get(path), 401)
    error_of(anyone.get(path, headers=WRONG), 401)
    assert caller.get(path).status_code == 200
    assert signed_in.get(path).status_code == 200


# --- roles ---


@pytest.fixture
def token() -> dict[str, str]:
    return {"X-CSRFToken": "a" * 32}


def session_of(name: str, token: dict[str, str], *roles: str) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(give(User.objects.create_user(name), *roles))
    client.cookies["csrftoken"] = token["X-CSRFToken"]
    return client


def test_a_session_without_a_role_reads_nothing(token: dict[str, str]) -> None:
    assert error_of(session_of("nell", token).get(READ), 403) == {
        "code": "forbidden",
        "message": "this account has no role: an admin gives one",
        "field": None,
    }


def test_a_viewer_changes_nothing_even_with_the_token(token: dict[str, str], history: History) -> None:
    error = error_of(post(session_of("otto", token, "viewer"), CHANGES[0], headers=token), 403)
    assert error["code"] == "forbidden"
    assert "an admin can make it a reviewer" in error["message"]


@pytest.mark.parametrize("path", CHANGES)
def test_without_the_token_that_is_said_first(path: str, token: dict[str, str], history: History) -> None:
    assert error_of(post(session_of("otto", token, "viewer"), path), 403)["code"] == "csrf_failed"


@pytest.mark.parametrize("path", OPEN)
def test_a_session_without_a_role_reads_what_is_open_and_no_more(path: str, token: dict[str, str]) -> None:
    nell = session_of("nell", token)
    assert nell.get(path).status_code == 200
    close_reading()
    assert error_of(nell.get(path), 403)["code"] == "forbidden"


def test_a_key_counts_whatever_role_the_session_has(key: str, token: dict[str, str]) -> None:
    nell = session_of("nell", token)
    assert nell.get("/api/v1/tuning", headers={"X-API-Key": key}).status_code == 200


def test_what_is_refused_changes_nothing(anyone: Client, signed_in: Client, history: History) -> None:
    combination = history.flagged("comets")
    for client in (anyone, signed_in):
        client.post("/adversarial/dismiss", query_params={"fingerprint": combination.fingerprint})
        client.post("/adversarial/trigger")
    assert Combination.objects.get().review_status is None
    assert Combination.objects.get().times_generated == 1
