"""Targets: how each was when last asked, its vocabulary and what changed in it, and asking it on a button."""

from datetime import UTC, datetime

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from selftest.models import Cycle, Run, Target, Tuning
from selftest.operating.vocabularies import import_vocabulary
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of
from tests.vocabularies import small_document

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def harbour(db: None) -> Target:
    """Routes by the small vocabulary; the bundled router answers for it."""
    target = Target.objects.create(name="harbour", kind=Target.Kind.REFERENCE, is_default=True)
    import_vocabulary(target, small_document())
    return target


# --- the list ---


def test_each_target_says_how_it_was_when_last_asked(vera: Client) -> None:
    reached = factory.make_cycle()
    away = factory.make_target("away", is_default=False)
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "connection refused", target=away)
    fresh = factory.make_target("fresh", is_default=False)
    text = text_of(vera.get("/targets"))
    kind = "bundled default Bundled reference router, in process"
    assert f"{kind} Reached just now , cycle {reached.pk} Version 1 just now" in text
    assert "connection refused" in text
    assert "Not asked yet" in text
    Target.objects.filter(pk=fresh.pk).update(enabled=False)
    assert "fresh Switched off" in text_of(vera.get("/targets"))


def test_no_page_asks_a_target_by_itself(vera: Client, target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it was asked")

    monkeypatch.setattr("selftest.operating.connection_test.try_connections", refuse)
    monkeypatch.setattr("selftest.operating.connection_test.open_target", refuse)
    assert vera.get("/targets").status_code == 200
    assert vera.get(f"/targets/{target.pk}").status_code == 200


def test_without_a_target_it_says_how_one_comes_about(vera: Client) -> None:
    assert "No target yet" in text_of(vera.get("/targets"))


def test_no_key_and_no_password_is_shown(admin_client: Client, vera: Client) -> None:
    target = Target.objects.create(
        name="secretive", kind="http", base_url="http://joe:hunter2@127.0.0.1:9/api", api_key="very-secret"
    )
    for client in (vera, admin_client):
        for address in ("/targets", f"/targets/{target.pk}"):
            markup = client.get(address).content.decode()
            assert "http://127.0.0.1:9/api/search" in markup
            assert "very-secret" not in markup
            assert "hunter2" not in markup


# --- one target: its vocabulary ---


def test_the_vocabulary_in_force_is_counted(vera: Client, harbour: Target) -> None:
    text = text_of(vera.get(f"/targets/{harbour.pk}"))
    assert "Vocabulary, version 1 in force" in text
    assert "by a command or the first start" in text
    assert "ferry 1 harbour 2 tides 2" in text
    assert "Proper-noun pairs 3 Conditions 3" in text
    assert "This is the first version." in text


def test_what_a_new_version_added_and_removed_comes_first_by_kind(
    vera: Client, reviewer: User, harbour: Target
) -> None:
    document = small_document()
    document["sources"]["tides"] = ["high tide", "spring tide"]
    document["seeds"]["open_topics"].append("gannets")
    import_vocabulary(harbour, document, user=reviewer)
    response = vera.get(f"/targets/{harbour.pk}")
    text = text_of(response)
    assert "Vocabulary, version 2 in force" in text
    assert "by vera" in text
    changes = {change.kind: (change.added, change.removed) for change in response.context["page"].vocabulary.changes}
    assert changes == {
        "Phrases by source": (("tides:spring tide",), ("tides:low tide",)),
        "Topics": (("gannets",), ()),
    }
    assert text.index("+ added tides:spring tide") < text.index("Lines of the document that differ")
    assert '+ "spring tide"' in text


def test_an_earlier_version_can_be_looked_at(vera: Client, harbour: Target) -> None:
    import_vocabulary(harbour, {**small_document(), "name": "harbour office, renamed"})
    text = text_of(vera.get(f"/targets/{harbour.pk}?version=1"))
    assert "Vocabulary, version 1 no longer in force" in text
    assert "Version 2 just now by a command or the first start In force Version 1" in text
    assert "No phrase that recipes use has changed." in text_of(vera.get(f"/targets/{harbour.pk}"))


def test_without_a_vocabulary_it_says_what_that_means(vera: Client) -> None:
    bare = Target.objects.create(name="bare", kind=Target.Kind.REFERENCE)
    text = text_of(vera.get(f"/targets/{bare.pk}"))
    assert "No vocabulary yet Nothing can be asked without one" in text
    assert "Not asked yet" in text


def test_its_last_cycles_are_listed(vera: Client, target: Target) -> None:
    cycle = factory.make_cycle()
    factory.ask(factory.make_combination(), [factory.finding()], cycle=cycle)
    assert f"Cycle {cycle.pk} Finished 1 asked, 1 flagged, just now" in text_of(vera.get(f"/targets/{target.pk}"))


# --- asking it ---


def test_a_check_asks_one_query_and_shows_what_came(vera: Client, harbour: Target) -> None:
    response = vera.post(f"/targets/{harbour.pk}/check")
    text = text_of(response)
    assert is_whole(response)
    assert "Reachable and answering just now" in text
    assert "Query next ferry" in text  # of its first source by name
    assert not Run.objects.exists()
    assert not Cycle.objects.exists()


def test_htmx_gets_what_came_alone(htmx: Client, harbour: Target) -> None:
    response = htmx.post(f"/targets/{harbour.pk}/check")
    assert not is_whole(response)
    assert "Reachable and answering" in text_of(response)
    assert "Vocabulary" not in text_of(response)


def test_a_target_that_cannot_be_reached_says_so(vera: Client) -> None:
    gone = Target.objects.create(name="gone", kind="http", base_url="http://127.0.0.1:9")
    assert "Not reachable" in text_of(vera.post(f"/targets/{gone.pk}/check"))


@pytest.mark.parametrize("switch", ["environment", "settings", "target"])
def test_switched_off_nothing_is_asked(
    switch: str, vera: Client, harbour: Target, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it was asked")

    monkeypatch.setattr("selftest.operating.connection_test.try_connections", refuse)
    if switch == "environment":
        settings.ADVERSARIAL_TEST_ENABLED = False
    elif switch == "settings":
        Tuning.objects.update_or_create(pk=Tuning.get_solo().pk, defaults={"enabled": False})
    else:
        Target.objects.update(enabled=False)
    text = text_of(vera.get(f"/targets/{harbour.pk}"))
    assert "Switched off" in text
    assert "Check now" not in text
    assert "Nothing was asked: harbour is switched off" in text_of(vera.post(f"/targets/{harbour.pk}/check"))


def test_who_may_only_look_has_no_button_and_asks_nothing(onlooker: Client, harbour: Target) -> None:
    assert "Check now" not in text_of(onlooker.get(f"/targets/{harbour.pk}"))
    assert onlooker.post(f"/targets/{harbour.pk}/check").status_code == 403


def test_reading_the_address_of_the_check_asks_nothing(vera: Client, harbour: Target) -> None:
    response = vera.get(f"/targets/{harbour.pk}/check")
    assert (response.status_code, response["Location"]) == (302, f"/targets/{harbour.pk}")
    assert vera.put(f"/targets/{harbour.pk}/check").status_code == 405


def test_the_form_s_token_is_needed(reviewer: User, harbour: Target) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(reviewer)
    assert strict.post(f"/targets/{harbour.pk}/check").status_code == 403


def test_script_is_shown_as_text(vera: Client, harbour: Target) -> None:
    document = small_document()
    document["seeds"]["open_topics"].append(SCRIPT)
    import_vocabulary(harbour, document)
    Target.objects.update(name=SCRIPT)
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, SCRIPT, target=harbour)
    assert_escaped(vera.get("/targets"))
    assert_escaped(vera.get(f"/targets/{harbour.pk}"))
    assert_escaped(vera.post(f"/targets/{harbour.pk}/check"))


def test_the_admin_has_a_link_to_its_settings(admin_client: Client, vera: Client, harbour: Target) -> None:
    link = f"/admin/selftest/target/{harbour.pk}/change/"
    assert link in admin_client.get(f"/targets/{harbour.pk}").content.decode()
    assert link not in vera.get(f"/targets/{harbour.pk}").content.decode()


# --- refusals and cost ---


@pytest.mark.parametrize("address", ["/targets/4711", "/targets/{pk}?version=9"])
def test_an_unknown_one_is_not_found(address: str, vera: Client, harbour: Target) -> None:
    assert vera.get(address.format(pk=harbour.pk)).status_code == 404
    assert vera.post("/targets/4711/check").status_code == 404


@pytest.mark.parametrize("address", ["/targets", "/targets/{pk}"])
def test_anybody_with_a_role_may_read_it(
    address: str, vera: Client, onlooker: Client, client: Client, harbour: Target
) -> None:
    address = address.format(pk=harbour.pk)
    assert vera.post(address).status_code == 405
    assert onlooker.get(address).status_code == 200
    assert client.get(address)["Location"].startswith("/sign-in?next=")
    client.force_login(User.objects.create_user("nobody"))
    assert client.get(address).status_code == 403


def test_the_number_of_queries_does_not_grow_with_the_rows(
    vera: Client, harbour: Target, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Tuning.get_solo()
    for number in range(12):
        import_vocabulary(harbour, {**small_document(), "name": f"harbour {number}"})
        cycle = factory.make_cycle(Cycle.State.INTERRUPTED, target=harbour)
        factory.ask(factory.make_combination("", harbour), [factory.finding()], cycle=cycle)
        factory.make_target(f"target {number}", is_default=False)
        if number in (0, 11):
            with django_assert_max_num_queries(7):
                vera.get("/targets")
            with django_assert_max_num_queries(14):
                vera.get(f"/targets/{harbour.pk}")
