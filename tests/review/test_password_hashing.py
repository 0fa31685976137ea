"""Few passwords are hashed at once, of all processes together, and a refusal is told at once."""

import errno
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from axes.models import AccessAttempt
from django.conf import LazySettings, settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.contrib.auth.models import User
from django.test import Client

from review.password_hashing import (
    SLOTS,
    HashingBusyError,
    LimitedPBKDF2PasswordHasher,
    hashing_slot,
    refusing_when_busy,
)
from tests.review.pages import text_of

DOORS = ["/sign-in", "/admin/login/"]
JSON = {"Accept": "application/json"}
HOLD_A_SLOT = """
import django
django.setup()
from review.password_hashing import hashing_slot
with hashing_slot():
    print("held", flush=True)
    input()
"""


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> None:
    """As in production, with a hash that takes no time."""
    monkeypatch.setattr(LimitedPBKDF2PasswordHasher, "iterations", 1)
    settings.PASSWORD_HASHERS = ["review.password_hashing.LimitedPBKDF2PasswordHasher"]


@pytest.fixture
def all_taken() -> Iterator[ExitStack]:
    """Every slot, until it is closed."""
    with ExitStack() as slots:
        for _ in range(SLOTS):
            slots.enter_context(hashing_slot())
        yield slots


def test_two_hashes_at_once_and_a_third_is_refused_within_a_request() -> None:
    assert SLOTS == 2
    with refusing_when_busy(), hashing_slot(), hashing_slot(), pytest.raises(HashingBusyError), hashing_slot():
        pass
    with refusing_when_busy(), hashing_slot():
        pass


def test_on_a_file_system_without_locks_a_process_still_hashes_two_at_once_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def flock(slot: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", flock)
    with refusing_when_busy(), hashing_slot(), hashing_slot(), pytest.raises(HashingBusyError), hashing_slot():
        pass
    with refusing_when_busy(), hashing_slot(), hashing_slot():
        pass


@pytest.mark.process
def test_processes_share_the_slots_and_a_killed_one_gives_its_own_back() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_A_SLOT],
        env={"DJANGO_SETTINGS_MODULE": "review.settings", "DATA_DIR": str(settings.ENVIRONMENT.data_dir)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with refusing_when_busy(), hashing_slot(), pytest.raises(HashingBusyError), hashing_slot():
            pass
        other.kill()
        other.wait()
    with refusing_when_busy(), hashing_slot(), hashing_slot():
        pass


def test_outside_a_request_a_hash_waits_for_its_turn(limited: None, all_taken: ExitStack) -> None:
    hashed: list[str] = []
    waiting = threading.Thread(target=lambda: hashed.append(make_password("a long enough password")))
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    all_taken.close()
    waiting.join(10)
    assert check_password("a long enough password", hashed[0])


def test_the_files_of_the_slots_are_for_their_owner_only() -> None:
    with hashing_slot():
        modes = {path.stat().st_mode & 0o777 for path in settings.ENVIRONMENT.data_dir.glob("password_hash_*.lock")}
    assert modes == {0o600}


def test_a_password_hashed_by_django_itself_is_still_right(limited: None) -> None:
    by_django = PBKDF2PasswordHasher().encode("right", "salt", 1000)
    assert by_django.startswith("pbkdf2_sha256$1000$salt$")
    assert check_password("right", by_django)
    assert not check_password("wrong", by_django)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", ["vera", "a name that does not exist"])
def test_who_finds_no_slot_is_refused_at_once_and_it_is_no_failure(
    client: Client, limited: None, reviewer: User, all_taken: ExitStack, door: str, name: str
) -> None:
    response = client.post(door, {"username": name, "password": "wrong"})
    assert response.status_code == 429
    assert response["Retry-After"] == "1"
    assert "no-store" in response["Cache-Control"]
    assert "Try again in a moment" in text_of(response)
    assert f'href="{door}"' in response.content.decode()
    assert not AccessAttempt.objects.exists()


@pytest.mark.parametrize("door", DOORS)
def test_a_script_is_refused_in_the_shape_of_the_api(
    client: Client, limited: None, reviewer: User, all_taken: ExitStack, door: str
) -> None:
    response = client.post(door, {"username": "vera", "password": "wrong"}, headers=JSON)
    assert response.status_code == 429
    assert response["Retry-After"] == "1"
    assert response.json() == {
        "error": {
            "code": "too_many_requests",
            "message": "other passwords are being checked: try again in a moment",
            "field": None,
        }
    }


def test_pages_and_sessions_need_no_slot(
    client: Client, limited: None, reviewer: User, vera: Client, all_taken: ExitStack
) -> None:
    assert vera.get("/flags").status_code == 200
    assert vera.get("/api/v1/tuning").status_code == 200
    assert client.get("/sign-in").status_code == 200
    assert client.get("/health").status_code == 200


def test_a_change_of_password_is_refused_too_and_changes_nothing(
    limited: None, vera: Client, reviewer: User, all_taken: ExitStack
) -> None:
    new = {"new_password1": "quite another password", "new_password2": "quite another password"}
    response = vera.post("/profile/password", {"old_password": "a long enough password", **new})
    assert response.status_code == 429
    all_taken.close()
    assert vera.post("/profile/password", {"old_password": "a long enough password", **new}).status_code == 302


def test_an_admin_who_sets_a_password_is_refused_too(
    limited: None, client: Client, reviewer: User, all_taken: ExitStack
) -> None:
    client.force_login(User.objects.create_superuser("root"))
    new = {"password1": "quite another password", "password2": "quite another password"}
    response = client.post(f"/admin/auth/user/{reviewer.pk}/password/", new)
    assert response.status_code == 429
    assert User.objects.get(pk=reviewer.pk).password == reviewer.password
