"""The secrets of a target are encrypted in the database, survive a change of SECRET_KEY, and are missed by name."""

from typing import Any

import pytest
from django.db import connection

from selftest.cycles.runner import Status
from selftest.models import Target
from selftest.models.encrypted import UnreadableSecret, encrypted
from selftest.operating.connection_test import check_now
from selftest.operating.first_start import ensure_target
from selftest.operating.targets import InvalidTargetError, check_target, renew_encryption
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle

KEY = "sesame-opens-4711"
HEADERS = "Authorization: Bearer tok_0123456789"

pytestmark = pytest.mark.django_db


@pytest.fixture
def target(make_target: MakeTarget) -> Target:
    columns = {"kind": Target.Kind.HTTP, "dotted_path": "", "base_url": "http://127.0.0.1:9"}
    return make_target(api_key=KEY, secret_headers=HEADERS, is_default=True, **columns)


def _stored() -> tuple[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT api_key, secret_headers FROM selftest_target")
        row: tuple[str, str] = cursor.fetchone()
    return row


def _replace_key(settings: Any, *fallbacks: str) -> None:
    settings.SECRET_KEY_FALLBACKS = list(fallbacks)
    settings.SECRET_KEY = f"another one, of {len(fallbacks)} fallbacks, long enough"


def test_the_database_holds_neither_key_nor_headers_and_a_row_has_both(target: Target) -> None:
    stored = _stored()
    assert all(stored)
    assert not any(secret in column for column in stored for secret in (KEY, "tok_0123456789"))
    read = Target.objects.get()
    assert (read.api_key, read.secret_headers) == (KEY, HEADERS)


def test_the_same_key_is_never_stored_the_same_way(target: Target) -> None:
    assert encrypted(KEY) != encrypted(KEY)
    assert encrypted("") == ""


def test_after_a_rotation_secrets_are_read_by_the_fallback_and_the_next_start_encrypts_them_by_the_new_key(
    target: Target, settings: Any
) -> None:
    _replace_key(settings, settings.SECRET_KEY)
    assert Target.objects.get().api_key == KEY
    before = _stored()
    changes = ensure_target().changes
    assert "Encrypted by the present SECRET_KEY from now on: the secrets of 1 targets." in changes
    assert not set(before) & set(_stored())
    settings.SECRET_KEY_FALLBACKS = []
    read = Target.objects.get()
    assert (read.api_key, read.secret_headers) == (KEY, HEADERS)
    assert renew_encryption() == []


def test_a_secret_that_cannot_be_decrypted_ends_the_cycle_and_names_target_and_way_out(
    target: Target, cycle_on: RunCycle, settings: Any
) -> None:
    _replace_key(settings)
    target.refresh_from_db()
    outcome = cycle_on(target)
    assert outcome.status is Status.TARGET_UNAVAILABLE
    assert f"The secrets of target {target} cannot be decrypted, as SECRET_KEY was replaced" in outcome.note
    assert "enter it again in the admin" in outcome.note
    assert "SECRET_KEY_FALLBACKS" in outcome.note
    assert _stored()[0] not in outcome.note
    assert "cannot be decrypted" in check_now(target).detail
    with pytest.raises(InvalidTargetError, match="cannot be decrypted") as fault:
        check_target(target)
    assert fault.value.field == "api_key"


def test_a_start_tells_of_it_and_goes_on(target: Target, settings: Any) -> None:
    _replace_key(settings)
    settings.TARGET_URL = "http://127.0.0.1:9"
    changes = ensure_target().changes
    assert any(change.startswith(f"The secrets of target {target} cannot be decrypted") for change in changes)


def test_saving_another_field_keeps_what_cannot_be_decrypted(target: Target, settings: Any) -> None:
    before, usual = _stored(), settings.SECRET_KEY
    _replace_key(settings)
    read = Target.objects.get()
    assert isinstance(read.api_key, UnreadableSecret)
    read.time_limit_s = 7.0
    read.save()
    assert _stored() == before
    settings.SECRET_KEY = usual
    assert Target.objects.get().api_key == KEY


def test_a_new_key_replaces_one_that_cannot_be_decrypted(target: Target, settings: Any) -> None:
    _replace_key(settings)
    read = Target.objects.get()
    read.api_key, read.secret_headers = "entered-again-1", ""
    check_target(read)
    read.save()
    assert Target.objects.get().api_key == "entered-again-1"
