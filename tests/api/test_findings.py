"""/api/v1/findings: what is saved, listed, found by its number, undone and deleted, and what each answer tells."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from review.client import operations as call
from review.client.models import FindingIn, UndoIn
from selftest.findings.models import Act, Example, Finding
from selftest.models import Cause, Target
from selftest.operating.keys import make_api_key
from tests.api.conftest import NOON, answer_to, at_once, error_of
from tests.review import factory
from tests.roles import give

pytestmark = pytest.mark.django_db

FINDINGS = "/api/v1/findings"
AGENT, USER = "feedback/from-agent/reports", "feedback/from-user/reports"
CLAIM = "claim/capability/calendar/wrapper"
ALWAYS, NEVER = "Always include a TL;DR in reports.", "Never include a TL;DR in reports."
USE, AVOID = "Use a TL;DR in reports.", "Avoid a TL;DR in reports."
NOTHING = {"target": None, "source": None, "check": None, "cause": None, "fingerprint": None}


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


def post(client: Client, path: str, body: Any = None, **more: Any) -> Any:
    return client.post(path, {} if body is None else body, content_type="application/json", **more)


def save(client: Client, content: str, category: str = AGENT, **more: Any) -> dict[str, Any]:
    asked = FindingIn(category=category, content=content, **more)
    document: dict[str, Any] = answer_to(client, call.save_finding(asked))
    return document


def number_of(client: Client, content: str, category: str = AGENT, **more: Any) -> int:
    number: int = save(client, content, category, **more)["finding"]["id"]
    return number


def read(client: Client, number: int | None = None, **query: Any) -> dict[str, Any]:
    asked = call.findings(**query) if number is None else call.finding(number, **query)
    document: dict[str, Any] = answer_to(client, asked)
    return document


def listed(client: Client, **query: Any) -> list[int]:
    return [row["id"] for row in read(client, **query)["findings"]]


def undo(client: Client, number: int, **body: Any) -> dict[str, Any]:
    document: dict[str, Any] = answer_to(client, call.undo_finding(number, UndoIn(**body)))
    return document


# --- saving ---


def test_a_finding_is_answered_as_it_was_saved_and_superseded_nothing(caller: Client) -> None:
    answer = save(caller, " It is slow. ", "notes/speed", tags=["speed", ""])
    assert list(answer) == ["finding", "superseded", "superseded_by", "why"]
    assert answer == {
        "finding": {
            "id": Finding.objects.get().pk,
            "category": "notes/speed",
            "content": " It is slow. ",
            "tags": ["speed", ""],
            "is_correction": False,
            "saved_by": "key script",
            "created_at": "2026-06-30T12:00:00Z",
            "superseded_by": None,
            "example": None,
            "about": NOTHING,
        },
        "superseded": [],
        "superseded_by": None,
        "why": [],
    }


def test_what_it_contradicts_is_superseded_and_the_answer_tells_why(caller: Client) -> None:
    first, second = number_of(caller, ALWAYS), number_of(caller, USE)
    answer = save(caller, NEVER)
    assert answer["superseded"] == [second, first]
    assert answer["superseded_by"] is None
    assert [entry["finding"] for entry in answer["why"]] == [second, first]
    assert answer["why"][1] == {
        "act": Act.objects.get(number=first).pk,
        "kind": "superseded",
        "finding": first,
        "by": answer["finding"]["id"],
        "actor": "key script",
        "at": "2026-06-30T12:00:00Z",
        "profile": "v2",
        "why": {
            "rule": "opposite_directive",
            "sentence": "opposite directives about the same thing",
            "shared": ["reports", "tldr"],
            "older": ["always"],
            "newer": ["never"],
            "overlap": 1.0,
        },
    }


@pytest.mark.parametrize(("category", "tags"), [(USER, []), (AGENT, ["correction"])])
def test_against_a_correction_the_newcomer_is_saved_superseded(category: str, tags: list[str], caller: Client) -> None:
    correction = save(caller, NEVER, category, tags=tags)["finding"]
    assert correction["is_correction"]
    answer = save(caller, ALWAYS)
    assert answer["superseded_by"] == answer["finding"]["superseded_by"] == correction["id"]
    assert answer["superseded"] == []
    [entry] = answer["why"]
    assert (entry["finding"], entry["by"]) == (answer["finding"]["id"], correction["id"])
    assert listed(caller) == [correction["id"]]


def test_what_it_is_about_is_kept_under_the_same_names(caller: Client) -> None:
    combination = factory.flagged("comets")
    cause = factory.make_cause()
    about = {
        "target": "bundled",
        "source": "kiwix",
        "check": "crash",
        "cause": cause.pk,
        "fingerprint": combination.fingerprint,
    }
    assert save(caller, "It is slow.", "notes", about=about)["finding"]["about"] == about


def test_what_is_not_said_of_its_target_is_told_by_its_cause_or_its_combination(caller: Client) -> None:
    factory.a_target()
    other = factory.make_target("other", is_default=False)
    cause = factory.make_cause(target=other)
    combination = factory.make_combination("comets", other)
    by_cause = save(caller, "Slow.", "notes", about={"cause": cause.pk})["finding"]["about"]
    assert by_cause == NOTHING | {"target": "other", "cause": cause.pk}
    about = {"cause": cause.pk, "fingerprint": combination.fingerprint}
    assert save(caller, "Slow.", "notes", about=about)["finding"]["about"] == NOTHING | about | {"target": "other"}
    fingerprint = factory.make_combination("looms").fingerprint
    by_fingerprint = save(caller, "Slow.", "notes", about={"fingerprint": fingerprint})["finding"]["about"]
    assert by_fingerprint == NOTHING | {"target": "bundled", "fingerprint": fingerprint}


def test_about_a_cause_that_was_merged_is_about_what_it_became(caller: Client) -> None:
    heir = factory.make_cause()
    gone = factory.make_cause(merged_into=heir)
    assert save(caller, "Slow.", "notes", about={"cause": gone.pk})["finding"]["about"]["cause"] == heir.pk


@pytest.mark.parametrize("about", [None, {}, NOTHING])
def test_it_may_be_about_nothing_in_particular(about: Any, caller: Client) -> None:
    assert save(caller, "Slow.", "notes", about=about)["finding"]["about"] == NOTHING


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"target": "elsewhere"}, "unknown target 'elsewhere'; known are: bundled"),
        ({"cause": 4711}, "there is no cause 4711"),
        ({"fingerprint": "x"}, "unknown fingerprint 'x'; give the exact string of a flagged row"),
    ],
)
def test_what_is_about_something_unknown_is_not_found(about: Any, message: str, caller: Client) -> None:
    factory.a_target()
    body = {"category": "notes", "content": "Slow.", "about": about}
    assert error_of(post(caller, FINDINGS, body), 404)["message"] == message
    assert not Finding.objects.exists()


def test_a_cause_of_another_target_than_the_one_that_is_named_is_refused(caller: Client) -> None:
    cause = factory.make_cause()
    factory.make_target("other", is_default=False)
    about = {"target": "other", "cause": cause.pk}
    error = error_of(post(caller, FINDINGS, {"category": "notes", "content": "Slow.", "about": about}), 422)
    assert error["field"] == "about.cause"
    assert error["message"] == f"about.cause: cause {cause.pk} is of target 'bundled', not 'other'"


GOOD = {"category": AGENT, "content": ALWAYS}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "category"),
        ({"category": AGENT}, "content"),
        ({"content": ALWAYS}, "category"),
        (GOOD | {"content": ""}, "content"),
        (GOOD | {"content": " \n"}, "content"),
        (GOOD | {"content": None}, "content"),
        (GOOD | {"content": 7}, "content"),
        (GOOD | {"content": 4001 * "a"}, "content"),
        (GOOD | {"content": "a\x00b"}, "content"),
        (GOOD | {"content": "\ud800"}, "content"),
        (GOOD | {"category": " "}, "category"),
        (GOOD | {"category": 301 * "a"}, "category"),
        (GOOD | {"category": ["a"]}, "category"),
        (GOOD | {"tags": None}, "tags"),
        (GOOD | {"tags": "correction"}, "tags"),
        (GOOD | {"tags": ["a", 7]}, "tags.1"),
        (GOOD | {"tags": [101 * "a"]}, "tags.0"),
        (GOOD | {"tags": ["\x00"]}, "tags.0"),
        (GOOD | {"tags": 21 * ["a"]}, "tags"),
        (GOOD | {"tag": []}, "tag"),
        (GOOD | {"about": "household"}, "about"),
        (GOOD | {"about": {"targets": "household"}}, "about.targets"),
        (GOOD | {"about": {"target": 7}}, "about.target"),
        (GOOD | {"about": {"source": 201 * "a"}}, "about.source"),
        (GOOD | {"about": {"check": "crashes"}}, "about.check"),
        (GOOD | {"about": {"cause": "3"}}, "about.cause"),
        (GOOD | {"about": {"cause": True}}, "about.cause"),
        (GOOD | {"about": {"cause": 2**63}}, "about.cause"),
        (GOOD | {"about": {"fingerprint": ["a"]}}, "about.fingerprint"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_its_field_named(body: Any, field: str, caller: Client) -> None:
    error = error_of(post(caller, FINDINGS, body), 422)
    assert (error["code"], error["field"]) == ("invalid", field)
    assert error["message"].startswith(f"{field}: ")
    assert not Finding.objects.exists()


@pytest.mark.parametrize("body", ["", "{", "[]", '"text"'])
def test_what_is_no_json_object_is_refused(body: str, caller: Client) -> None:
    response = caller.post(FINDINGS, body, content_type="application/json")
    assert response.status_code in (400, 422)
    error_of(response, response.status_code)


@pytest.mark.parametrize(
    "body", [{"content": 4000 * "a"}, {"category": 300 * "a"}, {"tags": 20 * [100 * "a"]}, {"content": "😀 ''\u2028"}]
)
def test_what_just_fits_is_kept_to_the_letter(body: Any, caller: Client) -> None:
    found = save(caller, **{"content": ALWAYS, "category": "notes", **body})["finding"]
    assert {name: found[name] for name in body} == body
    assert read(caller, found["id"])["finding"] == found


# --- the list ---


def test_the_newest_come_first_and_superseded_ones_where_they_are_asked_for(caller: Client) -> None:
    older, newer = number_of(caller, ALWAYS), number_of(caller, NEVER)
    assert listed(caller) == listed(caller, include_superseded="false") == [newer]
    document = read(caller, include_superseded="true")
    assert list(document) == ["findings", "next"]
    assert document["next"] is None
    assert [(row["id"], row["superseded_by"]) for row in document["findings"]] == [(newer, None), (older, newer)]
    assert document["findings"][0] == read(caller, newer)["finding"]


def test_where_there_is_nothing_the_list_is_empty(caller: Client) -> None:
    assert read(caller) == {"findings": [], "next": None}


def test_it_is_searched_by_words_in_any_order_and_case(caller: Client) -> None:
    one, two = number_of(caller, "The Wrapper is slow.", "notes"), number_of(caller, "A wrapper is red.", "notes")
    assert listed(caller, q="WRAPPER") == [two, one]
    assert listed(caller, q="slow wrap") == [one]
    assert listed(caller, q="slow red") == []
    assert listed(caller, q="100%") == listed(caller, q="_") == []


def test_a_category_is_itself_and_all_below_it(caller: Client) -> None:
    claim, note = number_of(caller, "It is slow.", CLAIM), number_of(caller, "It is slow.", "notes/wrapper")
    for category in (CLAIM, "claim", "claim/capability", "claim/capability/", "Claim/Capability", CLAIM.upper()):
        assert listed(caller, category=category) == [claim], category
    assert listed(caller, category="notes/wrapper") == [note]
    assert listed(caller, category="notes/wrap") == listed(caller, category="wrapper") == []
    assert listed(caller, category="%") == listed(caller, category="notes_wrapper") == []


@pytest.fixture
def about_two(caller: Client) -> tuple[int, int, dict[str, Any]]:
    """A finding with all that it may be about, one of another target, and what the first is about."""
    combination = factory.flagged("comets")
    first = {
        "target": "bundled",
        "source": "kiwix",
        "check": "crash",
        "cause": factory.make_cause().pk,
        "fingerprint": combination.fingerprint,
    }
    other = factory.make_target("other", is_default=False)
    second = {
        "source": "web",
        "check": "section_blank",
        "cause": factory.make_cause(target=other).pk,
        "fingerprint": factory.make_combination("looms", other).fingerprint,
    }
    numbers = [number_of(caller, "Slow.", "notes", about=about) for about in (first, second)]
    return numbers[0], numbers[1], first | {"combination": combination.pk}


@pytest.mark.parametrize("name", ["target", "source", "check", "cause", "fingerprint", "combination"])
def test_the_list_is_filtered_by_what_findings_are_about(
    name: str, caller: Client, about_two: tuple[int, int, dict[str, Any]]
) -> None:
    first, second, about = about_two
    number_of(caller, "About nothing in particular.", "notes")
    assert listed(caller, **{name: about[name]}) == [first]
    assert listed(caller, target="other") == [second]


def test_all_filters_have_to_hold(caller: Client, about_two: tuple[int, int, dict[str, Any]]) -> None:
    first, _, about = about_two
    assert listed(caller, q="slow", category="notes", **about) == [first]
    assert listed(caller, **about | {"target": "other"}) == []
    assert listed(caller, q="fast", **about) == []


def test_of_a_cause_are_also_those_of_what_was_merged_into_it_by_either_number(caller: Client) -> None:
    heir, middle, gone = (factory.make_cause() for _ in range(3))
    numbers = [number_of(caller, "Slow.", "notes", about={"cause": cause.pk}) for cause in (gone, middle, heir)]
    Cause.objects.filter(pk=gone.pk).update(merged_into=middle)
    Cause.objects.filter(pk=middle.pk).update(merged_into=heir)
    for cause in (heir, middle, gone):
        assert listed(caller, cause=cause.pk) == numbers[::-1]


def test_a_filter_by_something_unknown_is_not_found_or_finds_nothing(caller: Client) -> None:
    number_of(caller, "Slow.", "notes")
    assert error_of(caller.get(FINDINGS, {"target": "elsewhere"}), 404)["code"] == "not_found"
    assert error_of(caller.get(FINDINGS, {"cause": 4711}), 404)["message"] == "there is no cause 4711"
    assert listed(caller, combination=4711) == listed(caller, fingerprint="x") == listed(caller, source="x") == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"q": ""}, "q"),
        ({"q": 1001 * "a"}, "q"),
        ({"q": "\x00"}, "q"),
        ({"category": ""}, "category"),
        ({"check": "crashes"}, "check"),
        ({"cause": "x"}, "cause"),
        ({"combination": -1}, "combination"),
        ({"include_superseded": "perhaps"}, "include_superseded"),
        ({"limit": 0}, "limit"),
        ({"limit": 501}, "limit"),
        ({"cursor": "x"}, "cursor"),
    ],
)
def test_a_filter_that_cannot_be_meant_is_refused_and_named(query: dict[str, Any], field: str, caller: Client) -> None:
    assert error_of(caller.get(FINDINGS, query), 422)["field"] == field


def test_the_pages_together_are_the_whole_list_and_no_new_one_shifts_them(caller: Client) -> None:
    numbers = [number_of(caller, f"Note {number}.", "notes") for number in range(5)]
    first = read(caller, limit=2)
    number_of(caller, "Saved meanwhile.", "notes")
    second = read(caller, limit=2, cursor=first["next"])
    third = read(caller, limit=2, cursor=second["next"])
    pages = [first["findings"], second["findings"], third["findings"]]
    assert [row["id"] for page in pages for row in page] == numbers[::-1]
    assert third["next"] is None


def test_a_longer_page_takes_no_more_queries(caller: Client, about_two: tuple[int, int, dict[str, Any]]) -> None:
    def queries_of(limit: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert len(listed(caller, limit=limit)) == limit
        assert not any("OFFSET" in query["sql"] for query in queries.captured_queries)
        return len(queries)

    assert queries_of(1) == queries_of(2)


# --- one finding ---


def test_by_its_number_a_superseded_one_says_by_what_and_why(caller: Client) -> None:
    older, newer = number_of(caller, ALWAYS), save(caller, NEVER)
    found = read(caller, older)
    assert list(found) == ["finding", "superseded", "superseded_by", "why", "story"]
    assert (found["superseded"], found["superseded_by"]) == ([], newer["finding"]["id"])
    assert found["why"] == newer["why"] == found["story"]["items"]
    assert read(caller, newer["finding"]["id"])["why"] == newer["why"]
    assert found["finding"]["content"] == ALWAYS


def test_a_winner_says_what_it_superseded_whatever_number_of_queries_that_takes(caller: Client) -> None:
    number_of(caller, ALWAYS)
    one = number_of(caller, NEVER)
    with CaptureQueriesContext(connection) as few:
        assert len(read(caller, one)["superseded"]) == 1
    for words in (USE, ALWAYS, "Prefer a TL;DR in reports."):
        number_of(caller, words)
    two = number_of(caller, NEVER)
    with CaptureQueriesContext(connection) as many:
        assert len(read(caller, two)["superseded"]) == 3
    assert len(few) == len(many)


def test_its_story_is_told_newest_first_with_pages_also_of_what_is_undone(caller: Client) -> None:
    older, newer = number_of(caller, ALWAYS), number_of(caller, NEVER)
    undo(caller, older)
    first = read(caller, older, limit=1)["story"]
    second = read(caller, older, limit=1, cursor=first["next"])["story"]
    assert [page["items"][0]["kind"] for page in (first, second)] == ["undone", "superseded"]
    assert second["next"] is None
    assert read(caller, newer)["story"]["items"] == first["items"] + second["items"]
    error = error_of(caller.get(f"{FINDINGS}/{newer}", {"cursor": first["next"]}), 422)
    assert error["field"] == "cursor", "a cursor is of one story"


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.get(f"{FINDINGS}/4711"),
        lambda client: client.delete(f"{FINDINGS}/4711"),
        lambda client: post(client, f"{FINDINGS}/4711/undo"),
    ],
)
def test_an_unknown_finding_is_not_found(ask: Callable[[Client], Any], caller: Client) -> None:
    assert error_of(ask(caller), 404) == {"code": "not_found", "message": "there is no finding 4711", "field": None}


def test_what_it_was_about_may_be_deleted(caller: Client) -> None:
    target = Target.objects.create(name="away", kind="http", base_url="http://127.0.0.1:9")
    number = number_of(caller, "Slow.", "notes", about={"target": "away"})
    target.delete()
    assert read(caller, number)["finding"]["about"] == NOTHING


# --- undo ---


def test_undo_frees_what_is_superseded(caller: Client) -> None:
    older, newer = number_of(caller, ALWAYS), number_of(caller, NEVER)
    answer = undo(caller, older)
    assert list(answer) == ["finding", "superseded", "superseded_by", "why"]
    assert (answer["finding"]["id"], answer["superseded_by"], answer["why"]) == (older, None, [])
    assert listed(caller) == [newer, older]


def test_undo_of_a_winner_frees_all_that_it_superseded(caller: Client) -> None:
    one, two, winner = number_of(caller, ALWAYS), number_of(caller, USE), number_of(caller, NEVER)
    assert undo(caller, winner)["superseded"] == []
    assert listed(caller) == [winner, two, one]


def test_undo_needs_no_body(caller: Client) -> None:
    older, _ = number_of(caller, ALWAYS), number_of(caller, NEVER)
    assert caller.generic("POST", f"{FINDINGS}/{older}/undo").status_code == 200


def test_one_act_is_undone_by_its_number_and_no_other_also_after_later_ones(caller: Client) -> None:
    first, by_second = number_of(caller, ALWAYS), save(caller, NEVER)
    second, third = by_second["finding"]["id"], number_of(caller, ALWAYS)
    answer = undo(caller, second, acts=[by_second["why"][0]["act"]])
    assert (answer["superseded"], answer["superseded_by"]) == ([], third), "it stays superseded by the third"
    assert listed(caller) == [third, first]


def test_what_is_undone_is_not_undone_again(caller: Client) -> None:
    older, newer = number_of(caller, ALWAYS), save(caller, NEVER)
    acts = [entry["act"] for entry in newer["why"]]
    undo(caller, older, acts=acts)
    error = error_of(post(caller, f"{FINDINGS}/{older}/undo", {"acts": acts}), 409)
    assert (error["code"], error["message"]) == (
        "outdated",
        "this is not in force any more; there is nothing to undo",
    )
    error = error_of(post(caller, f"{FINDINGS}/{older}/undo"), 409)
    assert error["code"] == "refused"
    assert Act.objects.filter(kind=Act.Kind.UNDONE).count() == 1


def test_of_several_acts_all_or_none_are_undone(caller: Client) -> None:
    one, two, winner = number_of(caller, ALWAYS), number_of(caller, USE), number_of(caller, NEVER)
    acts = [entry["act"] for entry in read(caller, winner)["why"]]
    undo(caller, one)
    error_of(post(caller, f"{FINDINGS}/{winner}/undo", {"acts": acts}), 409)
    assert read(caller, two)["superseded_by"] == winner


def test_an_act_of_other_findings_is_not_found(caller: Client) -> None:
    number_of(caller, ALWAYS)
    [entry] = save(caller, NEVER)["why"]
    other = number_of(caller, "Slow.", "notes")
    error = error_of(post(caller, f"{FINDINGS}/{other}/undo", {"acts": [entry["act"]]}), 404)
    assert error["message"] == f"finding {other} has no act {entry['act']}"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"acts": []}, "acts"),
        ({"acts": "7"}, "acts"),
        ({"acts": ["7"]}, "acts.0"),
        ({"acts": [True]}, "acts.0"),
        ({"acts": 501 * [1]}, "acts"),
        ({"act": 7}, "act"),
    ],
)
def test_acts_that_cannot_be_meant_are_refused_and_named(body: Any, field: str, caller: Client) -> None:
    older, newer = number_of(caller, ALWAYS), number_of(caller, NEVER)
    assert error_of(post(caller, f"{FINDINGS}/{older}/undo", body), 422)["field"] == field
    assert read(caller, older)["superseded_by"] == newer


# --- delete ---


def test_deleted_it_is_gone_and_what_it_superseded_is_free(caller: Client) -> None:
    one, two, winner = number_of(caller, ALWAYS), number_of(caller, USE), number_of(caller, NEVER)
    response = caller.delete(f"{FINDINGS}/{winner}")
    assert (response.status_code, response.json()) == (200, {"deleted": winner, "freed": [one, two]})
    assert listed(caller, include_superseded="true") == [two, one]
    assert [entry["kind"] for entry in read(caller, one)["story"]["items"]] == ["freed", "superseded"]
    error_of(caller.get(f"{FINDINGS}/{winner}"), 404)
    error_of(caller.delete(f"{FINDINGS}/{winner}"), 404)


def test_what_another_one_contradicts_is_not_told_as_free(caller: Client) -> None:
    loser, winner, other = number_of(caller, ALWAYS), number_of(caller, NEVER), number_of(caller, AVOID)
    assert caller.delete(f"{FINDINGS}/{winner}").json()["freed"] == []
    assert read(caller, loser)["superseded_by"] == other


# --- at once ---


@pytest.fixture
def pair(transactional_db: None) -> tuple[int, int, int]:
    """A loser, its winner, and the act between them."""
    client = Client(headers={"X-API-Key": make_api_key("first")})
    older, newer = number_of(client, ALWAYS), save(client, NEVER)
    return older, newer["finding"]["id"], newer["why"][0]["act"]


@pytest.mark.django_db(transaction=True)
def test_of_concurrent_undos_of_one_act_one_is_done_and_the_others_are_outdated(pair: tuple[int, int, int]) -> None:
    older, newer, act = pair
    undos = [
        lambda client, number=number: post(client, f"{FINDINGS}/{number}/undo", {"acts": [act]})
        for number in (older, newer)
    ]
    assert at_once(*undos, *undos) == [200, 409, 409, 409]
    assert Act.objects.filter(kind=Act.Kind.UNDONE).count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_concurrent_deletions_one_is_done_and_told_once(pair: tuple[int, int, int]) -> None:
    older, newer, _ = pair
    assert at_once(*[lambda client: client.delete(f"{FINDINGS}/{newer}")] * 4) == [200, 404, 404, 404]
    assert Act.objects.filter(kind=Act.Kind.DELETED).count() == 1
    assert Act.objects.filter(kind=Act.Kind.FREED, number=older).count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_concurrent_saves_of_opposite_rules_one_rule_survives(transactional_db: None) -> None:
    saves = [
        lambda client, words=words: post(client, FINDINGS, {"category": AGENT, "content": words})
        for words in (ALWAYS, NEVER) * 3
    ]
    assert at_once(*saves) == [201] * 6
    assert len({row.content for row in Finding.objects.filter(superseded_by=None)}) == 1


# --- who may ---


def calls_on(number: int) -> dict[str, Callable[..., Any]]:
    return {
        "save": lambda client, **more: post(client, FINDINGS, GOOD, **more),
        "undo": lambda client, **more: post(client, f"{FINDINGS}/{number}/undo", **more),
        "delete": lambda client, **more: client.delete(f"{FINDINGS}/{number}", **more),
    }


@pytest.mark.parametrize("act", ["save", "undo", "delete"])
def test_a_session_changes_something_with_its_token_and_as_a_reviewer_alone(
    act: str, caller: Client, signed_in: Client, csrf_token: dict[str, str], person: User, anyone: Client
) -> None:
    number_of(caller, ALWAYS)
    newer = number_of(caller, NEVER)
    call = calls_on(newer)[act]
    error_of(call(anyone), 401)
    error_of(call(anyone, headers={"X-API-Key": "never made"}), 401)
    assert error_of(call(signed_in), 403)["code"] == "csrf_failed"
    assert Finding.objects.count() == 2
    assert Act.objects.count() == 1
    assert call(signed_in, headers=csrf_token).status_code in (200, 201)
    assert Act.objects.latest("id").actor == "ada"
    person.groups.clear()
    give(person, "viewer")
    assert error_of(call(signed_in, headers=csrf_token), 403)["code"] == "forbidden"


def test_what_a_session_saves_is_that_persons(signed_in: Client, csrf_token: dict[str, str], person: User) -> None:
    assert post(signed_in, FINDINGS, GOOD, headers=csrf_token).status_code == 201
    row = Finding.objects.get()
    assert (row.actor, row.user) == ("ada", person)


def test_a_viewer_reads_and_without_a_key_or_a_session_nothing_is_read(
    caller: Client, signed_in: Client, person: User, anyone: Client
) -> None:
    number = number_of(caller, ALWAYS)
    for path in (FINDINGS, f"{FINDINGS}/{number}"):
        error_of(anyone.get(path), 401)
        person.groups.clear()
        error_of(signed_in.get(path), 403)
        give(person, "viewer")
        assert signed_in.get(path).status_code == 200


def test_a_text_that_is_too_long_is_told_its_characters(caller: Client) -> None:
    answer = post(caller, FINDINGS, {"category": "notes", "content": "x" * 4001})
    assert error_of(answer, 422)["message"] == "content: should have at most 4000 characters, not 4001"
    answer = post(caller, FINDINGS, {"category": "notes", "content": "x", "tags": ["y"] * 21})
    assert error_of(answer, 422)["message"] == "tags: List should have at most 20 items after validation, not 21"


# --- examples ---


@pytest.fixture
def router(db: None) -> Target:
    row = factory.a_target()
    Target.objects.filter(pk=row.pk).update(name="router")
    return Target.objects.get(pk=row.pk)


def example(**fields: Any) -> dict[str, Any]:
    return {"query": "tell me about comets", "expect": "phrase", "named": ["comet"], **fields}


def test_a_claim_is_saved_with_what_shows_that_it_holds(caller: Client, router: Target) -> None:
    answer = save(caller, "knows comets", "claim/capability/router/comets", example=example())
    assert answer["finding"]["example"] == {
        "query": "tell me about comets",
        "cause": None,
        "fingerprint": None,
        "expect": "phrase",
        "named": ["comet"],
        "outcome": None,
        "times_checked": 0,
        "checked_at": None,
        "checked_version": None,
    }
    number = answer["finding"]["id"]
    assert read(caller, number)["finding"]["example"] == answer["finding"]["example"]
    assert read(caller)["findings"][0]["example"] == answer["finding"]["example"]


def test_an_example_can_be_that_of_a_combination_or_of_a_cause(caller: Client, router: Target) -> None:
    combination = factory.flagged("tell me about comets")
    of_it = {"query": None, "fingerprint": combination.fingerprint, "expect": "not_flagged", "named": ["crash"]}
    answer = save(caller, "knows comets", "claim/capability/router/comets", example=example(**of_it))
    shown = answer["finding"]["example"]
    assert (shown["query"], shown["fingerprint"]) == ("tell me about comets", combination.fingerprint)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"example": example(named=[])}, 422),
        ({"example": example(expect="right")}, 422),
        ({"example": example(extra=1)}, 422),
        ({"example": example(query=None)}, 409),
        ({"example": example(fingerprint="[]")}, 404),
        ({"example": example(query=None, cause=10**6)}, 404),
        ({"example": example(expect="header", named=["forcast"])}, 409),
        ({"example": example(), "category": "notes"}, 409),
    ],
)
def test_an_example_that_cannot_be_asked_is_refused_with_its_claim(
    caller: Client, router: Target, sent: dict[str, Any], status: int
) -> None:
    body = {"category": "claim/capability/router/comets", "content": "knows comets", **sent}
    error_of(post(caller, FINDINGS, body), status)
    assert not Finding.objects.exists()


def test_a_claim_that_is_there_is_given_an_example_another_one_and_none(caller: Client, router: Target) -> None:
    number = save(caller, "knows comets", "claim/capability/router/comets")["finding"]["id"]
    at = f"{FINDINGS}/{number}/example"
    given = post(caller, at, example()).json()
    assert given["finding"]["example"]["named"] == ["comet"]
    assert post(caller, at, example(named=["tail"])).json()["finding"]["example"]["named"] == ["tail"]
    assert Example.objects.get().finding_id == number
    for _ in range(2):  # without one, nothing changes
        assert caller.delete(at).json()["finding"]["example"] is None
    assert not Example.objects.exists()
    assert Act.objects.filter(number=number, kind=Act.Kind.EXAMPLE).count() == 3


def test_an_example_of_what_is_there_is_refused_as_one_of_a_new_claim_is(caller: Client, router: Target) -> None:
    number = save(caller, "knows comets", "claim/capability/router/comets")["finding"]["id"]
    note = save(caller, "a note", "notes")["finding"]["id"]
    error_of(post(caller, f"{FINDINGS}/{number}/example", example(extra=1)), 422)
    error_of(post(caller, f"{FINDINGS}/{number}/example", example(expect="header", named=["forcast"])), 409)
    error_of(post(caller, f"{FINDINGS}/{note}/example", example()), 409)
    error_of(post(caller, f"{FINDINGS}/4711/example", example()), 404)
    error_of(caller.delete(f"{FINDINGS}/4711/example"), 404)
    assert not Example.objects.exists()


def test_a_list_with_examples_asks_no_question_for_each(caller: Client, router: Target) -> None:
    def questions() -> int:
        with CaptureQueriesContext(connection) as asked:
            read(caller)
        return len(asked)

    save(caller, "knows comets", "claim/capability/router/comets", example=example())
    before = questions()
    for subject in ("looms", "tides"):
        save(caller, f"knows {subject}", f"claim/capability/router/{subject}", example=example())
    assert questions() == before
