"""What a change would do, beside the button that saves it: what was entered is kept, and nothing is saved."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from selftest.models import Flag, Run, Target, Tuning
from selftest.storage.target_clients import bundled_vocabulary
from tests.admin.conftest import Submit, text_of
from tests.review import factory

pytestmark = pytest.mark.django_db
PAGE = "/admin/selftest/tuning/"
ASKED = {"_whatif": "What would change?"}


@pytest.fixture
def target(db: None) -> Target:
    return factory.make_target()


@pytest.fixture
def history(target: Target) -> None:
    """Three runs that a source answered which nothing pointed at, and one that is clean."""
    for subject in ("whales", "knots", "tides"):
        factory.flagged(f"tell me about {subject}", source="home")
    factory.ask(factory.make_combination("tell me about lamps"))


def _import_page(target: Target) -> str:
    return reverse("admin:selftest_target_vocabulary", args=[target.pk])


def _home_stands_in() -> str:
    """A vocabulary by which the three runs are no mismatch."""
    document: Any = bundled_vocabulary()
    return json.dumps({**document, "fallbacks": {**document["fallbacks"], document["encyclopedia"]: ["web", "home"]}})


def _words(response: Any) -> str:
    return " ".join(text_of(response).split())


# --- settings ---


def test_switching_a_check_off_shows_which_flags_would_go_and_saves_nothing(submit: Submit, history: None) -> None:
    flags = list(Flag.objects.order_by("pk").values())
    went = [flag for flag in flags if flag["check_name"] == "source_mismatch"]
    assert went
    page = submit(PAGE, **ASKED, specified_checks=["crash"])
    words = _words(page)
    assert "Nothing is saved yet." in words
    assert f"{len(went)} removed." in words
    assert f'<th scope="row">Unasked source</th><td>+0</td><td>−{len(went)}</td>' in words
    for flag in went:
        assert f'<a href="/runs/{flag["run_id"]}">{flag["run_id"]}</a>' in words
    assert f"the latest {Run.objects.count()} runs" in words
    assert Tuning.get_solo().checks_off == []
    assert Tuning.history.count() == 1
    assert list(Flag.objects.order_by("pk").values()) == flags


def test_what_was_entered_is_still_there_to_be_saved(submit: Submit, history: None) -> None:
    page = text_of(submit(PAGE, **ASKED, latency_outlier_floor_ms="4321", specified_checks=["crash"]))
    assert 'name="latency_outlier_floor_ms" value="4321"' in page
    assert page.count("checked") == 1 + 16 + 4  # crash, the other sixteen, and four switches
    assert 'name="_save"' in page


def test_a_value_out_of_bounds_is_refused_as_by_saving(submit: Submit, history: None) -> None:
    page = text_of(submit(PAGE, **ASKED, batch_size="0"))
    assert "greater than or equal to 1" in page
    assert "Nothing is saved yet." not in page


def test_without_a_change_it_says_that_no_flag_is_concerned(submit: Submit, history: None) -> None:
    page = _words(submit(PAGE, **ASKED, batch_size="12"))
    assert "Nothing you changed affects flags" in page
    assert Tuning.get_solo().batch_size == 8


def test_without_any_run_it_says_so(submit: Submit) -> None:
    assert "There are no stored answers to try it on yet" in _words(submit(PAGE, **ASKED, specified_checks=["crash"]))


def test_where_no_flag_differs_it_says_so(submit: Submit, history: None) -> None:
    page = _words(submit(PAGE, **ASKED, latency_outlier_floor_ms="600000"))
    assert "No flag would be added or removed." in page


def test_more_probes_cannot_be_told_from_stored_answers(submit: Submit, history: None) -> None:
    page = _words(submit(PAGE, **ASKED, probes_per_query="2"))
    assert "that cannot be told from stored answers" in page


def test_an_answer_s_words_are_shown_and_never_run(submit: Submit, history: None) -> None:
    Run.objects.update(query_text="<script>alert(1)</script>", source_used="<b>nobody</b>")
    page = text_of(submit(PAGE, **ASKED, specified_checks=["crash"]))
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<b>nobody" not in page


def test_who_may_only_look_at_settings_may_not_try_them(client: Client, history: None) -> None:
    viewer = User.objects.create_user("looks", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_tuning"))
    client.force_login(viewer)
    page = client.get(PAGE)
    assert page.status_code == 200
    assert "What would change?" not in text_of(page)
    assert client.post(PAGE, ASKED).status_code == 403


# --- vocabularies ---


def test_a_vocabulary_is_tried_and_not_imported(admin_client: Client, target: Target, history: None) -> None:
    page = admin_client.post(_import_page(target), {"document": _home_stands_in(), **ASKED})
    words = _words(page)
    assert page.status_code == 200
    assert "Nothing is saved yet." in words
    assert "0 flags would be added, 3 removed." in words
    assert "Flags that would go: 3" in words
    assert "Flags that would come" not in words
    assert target.vocabularies.count() == 1


def test_a_file_is_kept_as_text_since_a_browser_does_not_send_it_twice(
    admin_client: Client, target: Target, history: None
) -> None:
    file = SimpleUploadedFile("vocabulary.json", _home_stands_in().encode())
    page = text_of(admin_client.post(_import_page(target), {"file": file, "document": "", **ASKED}))
    assert "3 removed." in " ".join(page.split())
    assert "home" in page.split("<textarea", 1)[1].split("</textarea>", 1)[0]
    assert target.vocabularies.count() == 1


def test_a_vocabulary_that_does_not_hold_is_refused_as_by_importing(admin_client: Client, target: Target) -> None:
    page = text_of(admin_client.post(_import_page(target), {"document": '{"name": "x"}', **ASKED}))
    assert "<code>sources</code></th><td>missing" in page
    assert "Nothing is saved yet." not in page


def test_the_vocabulary_in_force_changes_nothing(admin_client: Client, target: Target, history: None) -> None:
    page = _words(admin_client.post(_import_page(target), {"document": json.dumps(bundled_vocabulary()), **ASKED}))
    assert "Nothing you changed affects flags" in page


def test_an_earlier_version_can_be_tried_before_it_is_put_in_force_again(
    admin_client: Client, target: Target, history: None
) -> None:
    first = target.vocabularies.get()
    admin_client.post(_import_page(target), {"document": _home_stands_in()})
    again = reverse("admin:selftest_vocabularyversion_again", args=[first.pk])
    assert "What would change?" in text_of(admin_client.get(again))
    page = _words(admin_client.post(again, ASKED))
    assert "Flags that would come: 3" in page
    assert target.vocabularies.count() == 2


def test_who_may_not_import_may_not_try_either(client: Client, target: Target) -> None:
    viewer = User.objects.create_user("looks", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_target"))
    client.force_login(viewer)
    assert client.post(_import_page(target), {"document": _home_stands_in(), **ASKED}).status_code == 403
