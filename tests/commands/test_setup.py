"""What a start makes of the environment: the target, its vocabulary, and what an admin has since made of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django_q.brokers import get_broker
from django_q.signing import SignedPackage
from django_q.status import Stat

from selftest.models import Installation, Target
from selftest.operating.first_start import (
    ensure_first_login,
    ensure_target,
    prepare_database,
    require_common_key,
    require_this_version,
)
from selftest.operating.vocabularies import import_vocabulary
from selftest.refusals import SetupError
from tests.commands.process import Manage
from tests.vocabularies import example_document, small_document

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(tmp_path: Path, settings: Any) -> Path:
    path = tmp_path / "vocabulary.json"
    path.write_text(json.dumps(example_document()))
    settings.TARGET_VOCABULARY = path
    return path


def test_without_a_target_url_the_bundled_target_is_the_default_one() -> None:
    target = ensure_target().target
    assert (target.name, target.kind, target.is_default) == ("reference", "reference", True)
    assert ensure_target().target == target
    assert Target.objects.count() == 1


def test_a_trailing_slash_makes_no_other_target(settings: Any, document: Path) -> None:
    settings.TARGET_URL = "http://127.0.0.1:9703"
    first = ensure_target().target
    settings.TARGET_URL = "http://127.0.0.1:9703/"
    assert ensure_target().target == first
    assert first.name == "127.0.0.1:9703"


def test_two_paths_on_one_host_are_two_targets_of_two_names(settings: Any, document: Path) -> None:
    names = []
    for url in ("http://127.0.0.1:9703/a", "http://127.0.0.1:9703/b", "https://127.0.0.1:9703/a"):
        settings.TARGET_URL = url
        names.append(ensure_target().target.name)
    assert names == ["127.0.0.1:9703/a", "127.0.0.1:9703/b", "127.0.0.1:9703/a (2)"]


def test_the_target_of_the_environment_is_the_default_one_also_when_it_comes_back(
    settings: Any, document: Path
) -> None:
    asked = []
    for port in (9701, 9702, 9701):
        settings.TARGET_URL = f"http://127.0.0.1:{port}"
        ensure_target()
        asked.append(Target.objects.get(is_default=True).name)
    assert asked == ["127.0.0.1:9701", "127.0.0.1:9702", "127.0.0.1:9701"]


def test_a_first_router_of_one_s_own_switches_the_bundled_one_off_and_says_so(settings: Any, document: Path) -> None:
    settings.TARGET_VOCABULARY, own = None, settings.TARGET_VOCABULARY
    ensure_target()
    settings.TARGET_VOCABULARY, settings.TARGET_URL = own, "http://127.0.0.1:9701"
    changes = ensure_target().changes
    assert changes[:2] == (
        "127.0.0.1:9701 is now the default target.",
        "The bundled target, reference, is switched off; switch it on again in the admin.",
    )
    assert not Target.objects.get(name="reference").enabled
    assert ensure_target().changes == ()


@pytest.mark.parametrize(
    ("url", "key", "line"),
    [
        ("http://user:s3cret@127.0.0.1:9703", "", "TARGET_URL is not valid: "),
        ("http://127.0.0.1:9701?x=1", "", "TARGET_URL='http://127.0.0.1:9701?x=1' is not valid: "),
        ("http://127.0.0.1:9701", "schlüssel", "TARGET_API_KEY is not valid: "),
    ],
)
def test_a_target_that_cannot_be_is_refused_in_one_line_without_anything_secret(
    settings: Any, document: Path, url: str, key: str, line: str
) -> None:
    settings.TARGET_URL, settings.TARGET_API_KEY = url, key
    with pytest.raises(SetupError) as refused:
        ensure_target()
    assert str(refused.value).startswith(line)
    assert "s3cret" not in str(refused.value)
    assert "schlüssel" not in str(refused.value)
    assert not Target.objects.exists()


def test_a_target_without_a_vocabulary_is_refused_and_not_kept(settings: Any) -> None:
    settings.TARGET_URL = "http://127.0.0.1:9701"
    with pytest.raises(SetupError, match="TARGET_VOCABULARY"):
        ensure_target()
    assert not Target.objects.exists()


def in_force(target: Target) -> Any:
    return target.vocabularies.get(in_force=True).content


def test_a_file_that_goes_back_to_what_it_was_is_in_force_again(settings: Any, document: Path) -> None:
    target = ensure_target().target
    document.write_text(json.dumps(small_document()))
    ensure_target()
    assert in_force(target) == small_document()
    document.write_text(json.dumps(example_document()))
    assert ensure_target().changes == ("reference vocabulary 3 is in force.",)
    assert in_force(target) == example_document()


def test_what_an_admin_put_in_force_stays_while_the_file_is_the_same(settings: Any, document: Path) -> None:
    target = ensure_target().target
    import_vocabulary(target, small_document())
    assert ensure_target().changes == ()
    assert in_force(target) == small_document()


def test_a_document_that_does_not_hold_leaves_everything_as_it_was(settings: Any, document: Path) -> None:
    target = ensure_target().target
    document.write_text("{}")
    with pytest.raises(SetupError, match="name: missing"):
        ensure_target()
    assert in_force(target) == example_document()


def test_logins_are_made_once_and_their_passwords_open() -> None:
    made = ensure_first_login()
    assert made is not None
    assert set(made.passwords) == {"reviewer", "admin"}
    assert made.key is not None
    assert ensure_first_login() is None


def test_keys_of_the_environment_make_a_key_of_our_own_needless(settings: Any) -> None:
    settings.API_KEYS = ("a-key-of-sixteen-characters",)
    made = ensure_first_login()
    assert made is not None
    assert made.key is None


def test_a_database_of_a_newer_version_is_refused_until_this_machine_is_upgraded() -> None:
    require_this_version()
    MigrationRecorder(connection).record_applied("selftest", "9999_of_a_newer_version")
    for begin in (prepare_database, lambda: call_command("qcluster"), lambda: call_command("housekeeping")):
        with pytest.raises((SetupError, CommandError), match=r"selftest 9999_of_a_newer_version: upgrade this machine"):
            begin()


def test_another_secret_key_is_found_out(settings: Any) -> None:
    assert not Installation.get_solo().has_this_key(), "before the first start it is no one's"
    Installation.with_this_key()
    assert Installation.get_solo().has_this_key()
    earlier, settings.SECRET_KEY = settings.SECRET_KEY, "another" * 8
    assert not Installation.get_solo().has_this_key()
    settings.SECRET_KEY_FALLBACKS = [earlier]
    assert not Installation.get_solo().has_this_key(), "one that is rotated out reads, and signs nothing"
    Installation.with_this_key()
    settings.SECRET_KEY_FALLBACKS = []
    assert Installation.get_solo().has_this_key()


def test_a_machine_with_another_secret_key_begins_only_where_no_other_one_runs(settings: Any) -> None:
    require_common_key()  # at the first start of all
    Installation.with_this_key()
    broker = get_broker()
    broker.set_stat(Stat.get_key("theirs"), SignedPackage.dumps("its figures", True), 30)
    require_common_key()
    earlier, settings.SECRET_KEY = settings.SECRET_KEY, "another" * 8
    with pytest.raises(SetupError, match="SECRET_KEY differs from that of the machines that run already"):
        require_common_key()
    settings.SECRET_KEY_FALLBACKS = [earlier]
    require_common_key()  # it is being replaced
    settings.SECRET_KEY_FALLBACKS = []
    broker.cache.delete(Stat.get_key("theirs"))
    require_common_key()  # theirs is lost


@pytest.mark.process
def test_django_finds_nothing_amiss_behind_a_proxy(manage_process: Manage) -> None:
    checked = manage_process("check", "--deploy", "--fail-level", "DEBUG", HTTPS="true")
    assert checked.returncode == 0, checked.stderr
    assert "(2 silenced)" in checked.stdout  # what only the owner of the domain can decide, as the settings say
