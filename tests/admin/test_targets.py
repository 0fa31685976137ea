"""Targets: settings by kind that are checked together, a key that goes in but never out, and what is not deleted."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from selftest.models import Cycle, Target
from selftest.storage.target_clients import bundled_faults
from tests.admin.conftest import Submit, page_of, text_of

ADD = "/admin/selftest/target/add/"
KEY = "sesame-opens-4711"

pytestmark = pytest.mark.django_db


def _errors(response: Any) -> dict[str, list[str]]:
    return {field: list(said) for field, said in response.context["adminform"].form.errors.items()}


# --- what belongs together ---


def test_an_http_target_is_made(submit: Submit, admin_user: User) -> None:
    submit(ADD, name="search", kind="http", base_url="http://127.0.0.1:8080", new_api_key=KEY)
    made = Target.objects.get(name="search")
    assert (made.base_url, made.api_key) == ("http://127.0.0.1:8080", KEY)
    assert made.history.get().history_user == admin_user


@pytest.mark.parametrize(
    ("base_url", "said"),
    [
        ("", "must look like http://host:port or https://host"),
        ("search.example", "must look like http://host:port or https://host"),
        ("ftp://search.example", "must look like http://host:port or https://host"),
        ("http://", "must look like http://host:port or https://host"),
        ("http://me:secret@host", "must hold no user name or password"),
    ],
)
def test_an_http_target_needs_a_url_that_can_be_asked(submit: Submit, base_url: str, said: str) -> None:
    response = submit(ADD, name="search", kind="http", base_url=base_url)
    assert said in _errors(response)["base_url"][0]
    assert not Target.objects.exists()


@pytest.mark.parametrize(
    ("dotted_path", "said"),
    [
        ("", "must look like package.module.function"),
        ("tests.nowhere.at.all", "there is no module 'tests.nowhere'"),
        ("cProfile.run", "PYTHON_TARGETS in Gadfly's environment names what may be called: only tests now"),
        ("tests.admin.routers.missing", "has no 'missing'"),
        ("tests.admin.routers.not_a_function", "is of type str, not a function"),
    ],
)
def test_a_python_target_needs_a_function_that_can_be_imported(submit: Submit, dotted_path: str, said: str) -> None:
    response = submit(ADD, name="in process", kind="python", dotted_path=dotted_path)
    assert said in _errors(response)["dotted_path"][0]
    assert not Target.objects.exists()


def test_a_python_target_is_made(submit: Submit) -> None:
    submit(ADD, name="in process", kind="python", dotted_path="tests.admin.routers.answers")
    assert Target.objects.get().dotted_path == "tests.admin.routers.answers"


def test_every_fault_of_the_bundled_router_can_be_ticked_and_says_what_is_then_seen(admin_client: Client) -> None:
    form = admin_client.get(ADD).context["adminform"].form
    labels = [str(label) for _, label in form.fields["reference_faults"].choices]
    assert len(labels) >= 20
    assert [label.partition(":")[0] for label in labels] == list(bundled_faults())
    assert not any("`" in label for label in labels)


def test_faults_are_kept_as_they_are_ticked(submit: Submit, target: Target) -> None:
    submit(page_of(target), reference_faults=["section_twice", "empty_answer"])
    target.refresh_from_db()
    assert sorted(target.reference_faults) == ["empty_answer", "section_twice"]


def test_an_unknown_fault_is_named(submit: Submit, target: Target) -> None:
    response = submit(page_of(target), reference_faults=["gremlins"])
    assert "no fault named “gremlins”" in _errors(response)["reference_faults"][0]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("time_limit_s", "0", "greater than or equal to 0.1"),
        ("time_limit_s", "601", "less than or equal to 600"),
        ("requests_at_once", "33", "less than or equal to 32"),
        ("reference_empty_rate", "1.5", "less than or equal to 1"),
        ("path", "search", "a path beginning with /"),
        ("result_field", "a..b", "names joined by dots"),
        ("name", "", "required"),
    ],
)
def test_a_value_out_of_bounds_is_refused(submit: Submit, target: Target, field: str, value: str, said: str) -> None:
    response = submit(page_of(target), **{field: value})
    assert said in _errors(response)[field][0]


def test_a_second_default_target_is_refused(submit: Submit, target: Target, http_target: Target) -> None:
    submit(page_of(target), is_default="on")
    response = submit(page_of(http_target), is_default="on")
    assert "Another target is the default already" in text_of(response)
    http_target.refresh_from_db()
    assert not http_target.is_default


def test_the_list_says_which_one_is_the_default(admin_client: Client, target: Target) -> None:
    page = text_of(admin_client.get(reverse("admin:selftest_target_changelist")))
    assert ">Default</a>" in page
    assert "Is default" not in page


# --- the API key ---


def test_the_key_stands_on_no_page(admin_client: Client, submit: Submit, http_target: Target) -> None:
    pages = [
        admin_client.get(page_of(http_target)),
        submit(page_of(http_target), name="", new_api_key="another-key-0815"),  # refused, shown again
        submit(page_of(http_target), new_api_key="another-key-0815", name="renamed"),
        admin_client.get(reverse("admin:selftest_target_history", args=[http_target.pk])),
        admin_client.get(reverse("admin:selftest_target_changelist")),
        admin_client.get(reverse("admin:index")),
        admin_client.post(reverse("admin:selftest_target_connection", args=[http_target.pk])),
    ]
    http_target.refresh_from_db()
    assert http_target.api_key == "another-key-0815"
    for page in pages:
        assert page.status_code == 200
        assert KEY not in text_of(page)
        assert "another-key-0815" not in text_of(page)
        assert "another-key-0815" not in str(page.headers)


def test_the_key_is_in_no_history_but_its_change_is(submit: Submit, admin_client: Client, http_target: Target) -> None:
    submit(page_of(http_target), new_api_key="another-key-0815")
    newest = http_target.history.latest()
    assert newest.history_change_reason == "API key set"
    assert "another-key-0815" not in str(list(http_target.history.values())) + str(list(LogEntry.objects.values()))
    page = text_of(admin_client.get(reverse("admin:selftest_target_history", args=[http_target.pk])))
    assert "API key set" in page


def test_an_empty_field_keeps_the_key(submit: Submit, http_target: Target) -> None:
    response = submit(page_of(http_target), time_limit_s="5")
    http_target.refresh_from_db()
    assert (http_target.time_limit_s, http_target.api_key) == (5.0, KEY)
    assert response.redirect_chain


def test_the_key_is_deleted_on_request(submit: Submit, admin_client: Client, http_target: Target) -> None:
    before = text_of(admin_client.get(page_of(http_target)))
    assert "A key is set." in before
    assert "Delete the key" in before
    submit(page_of(http_target), clear_api_key="on")
    http_target.refresh_from_db()
    assert http_target.api_key == ""
    after = text_of(admin_client.get(page_of(http_target)))
    assert "No key is set." in after
    assert "Delete the key" not in after


def test_a_new_key_and_forgetting_it_do_not_go_together(submit: Submit, http_target: Target) -> None:
    response = submit(page_of(http_target), clear_api_key="on", new_api_key="another-key-0815")
    assert "not both" in _errors(response)["clear_api_key"][0]
    http_target.refresh_from_db()
    assert http_target.api_key == KEY


HEADERS = "Authorization: Bearer tok_0123456789"


def test_secret_headers_are_kept_and_stand_on_no_page_and_in_no_history(
    admin_client: Client, submit: Submit, http_target: Target
) -> None:
    pages = [
        submit(page_of(http_target), name="", new_secret_headers=HEADERS),  # refused, shown again
        submit(page_of(http_target), new_secret_headers=HEADERS, headers="X-Team: search"),
        submit(page_of(http_target), time_limit_s="5"),
        admin_client.get(page_of(http_target)),
        admin_client.get(reverse("admin:selftest_target_history", args=[http_target.pk])),
        admin_client.post(reverse("admin:selftest_target_connection", args=[http_target.pk])),
    ]
    http_target.refresh_from_db()
    assert (http_target.secret_headers, http_target.headers, http_target.api_key) == (HEADERS, "X-Team: search", KEY)
    for page in pages:
        assert page.status_code == 200
        assert "tok_0123456789" not in text_of(page)
    assert "X-Team: search" in text_of(pages[3])
    assert "Secret headers are set." in text_of(pages[3])
    assert "tok_0123456789" not in str(list(http_target.history.values()))
    assert "Secret headers set" in http_target.history.values_list("history_change_reason", flat=True)


def test_secret_headers_are_deleted_on_request(submit: Submit, http_target: Target) -> None:
    submit(page_of(http_target), new_secret_headers=HEADERS)
    response = submit(page_of(http_target), new_secret_headers=HEADERS, clear_secret_headers="on")
    assert "not both" in _errors(response)["clear_secret_headers"][0]
    submit(page_of(http_target), clear_secret_headers="on")
    http_target.refresh_from_db()
    assert http_target.secret_headers == ""


def test_a_secret_header_that_cannot_be_sent_is_refused_at_its_field(submit: Submit, http_target: Target) -> None:
    response = submit(page_of(http_target), new_secret_headers="tok_0123456789")
    assert "must look like Name: value" in _errors(response)["new_secret_headers"][0]
    assert "tok_0123456789" not in text_of(response)


def test_a_key_that_cannot_be_decrypted_is_told_and_can_be_replaced(
    submit: Submit, admin_client: Client, http_target: Target, settings: Any
) -> None:
    settings.SECRET_KEY_FALLBACKS = []
    settings.SECRET_KEY = "another one that is long enough, surely"
    admin_client.force_login(User.objects.get(username="admin"))
    response = submit(page_of(http_target), time_limit_s="5")
    assert "cannot be decrypted" in _errors(response)["new_api_key"][0]
    assert submit(page_of(http_target), new_api_key="another-key-0815").redirect_chain
    http_target.refresh_from_db()
    assert http_target.api_key == "another-key-0815"


@pytest.mark.parametrize("host", ["169.254.169.254", "2852039166", "[::ffff:169.254.169.254]", "0.0.0.0"])
def test_a_url_of_an_address_that_no_target_may_have_is_refused(submit: Submit, host: str) -> None:
    response = submit(ADD, name="search", kind="http", base_url=f"http://{host}/")
    assert "nothing may be sent there" in _errors(response)["base_url"][0]
    assert not Target.objects.exists()


def test_private_addresses_are_refused_where_the_environment_says_so(submit: Submit, settings: Any) -> None:
    settings.TARGET_PRIVATE = False
    response = submit(ADD, name="search", kind="http", base_url="http://10.0.0.1")
    assert "TARGET_PRIVATE=false allows public addresses only" in _errors(response)["base_url"][0]


def test_a_key_that_fits_in_no_header_is_refused(submit: Submit, http_target: Target) -> None:
    response = submit(page_of(http_target), new_api_key="schlüssel")
    assert "printable ASCII" in _errors(response)["new_api_key"][0]
    assert "schlüssel" not in text_of(response)


# --- history ---


def test_the_history_of_a_target_says_who_changed_what(
    submit: Submit, admin_client: Client, http_target: Target
) -> None:
    submit(page_of(http_target), time_limit_s="5", path="/find")
    page = " ".join(text_of(admin_client.get(reverse("admin:selftest_target_history", args=[http_target.pk]))).split())
    assert "<strong>Path</strong>: /search → /find" in page
    assert "<strong>Time limit (s)</strong>: 60.0 → 5.0" in page
    assert "<td>admin</td>" in page
    assert "<td>Gadfly</td>" in page  # no person created it


# --- deleting ---


def test_a_target_with_a_history_is_not_deleted_and_its_page_says_why(
    admin_client: Client, target: Target, history: Cycle
) -> None:
    page = text_of(admin_client.get(page_of(target)))
    assert "It has a history, so it cannot be deleted. Switch it off to stop asking it." in page
    url = reverse("admin:selftest_target_delete", args=[target.pk])
    assert url not in page
    assert admin_client.post(url, {"post": "yes"}).status_code == 403
    assert Target.objects.filter(pk=target.pk).exists()


def test_a_target_that_was_asked_while_its_page_was_open_is_kept(
    admin_client: Client, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The page still finds it removable; by the time of deleting it has a history.
    monkeypatch.setattr("selftest.operating.targets.is_removable", lambda target: False)
    response = admin_client.post(
        reverse("admin:selftest_target_delete", args=[target.pk]), {"post": "yes"}, follow=True
    )
    assert "has a history, which is kept; switch it off instead" in text_of(response)
    assert Target.objects.filter(pk=target.pk).exists()


def test_a_target_that_was_never_asked_is_deleted_with_its_vocabularies(
    admin_client: Client, admin_user: User, target: Target
) -> None:
    url = reverse("admin:selftest_target_delete", args=[target.pk])
    assert url in text_of(admin_client.get(page_of(target)))
    assert admin_client.post(url, {"post": "yes"}).status_code == 302
    assert not Target.objects.exists()
    assert Target.history.latest().history_user == admin_user


def test_targets_are_not_deleted_by_the_dozen(admin_client: Client, target: Target) -> None:
    listing = reverse("admin:selftest_target_changelist")
    admin_client.post(listing, {"action": "delete_selected", "_selected_action": [target.pk], "post": "yes"})
    assert Target.objects.filter(pk=target.pk).exists()
