"""POST /v1/search/query and its company: what is found, what is refused, who may ask, in which language."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.index import writing
from selftest.knowledge.models import Feedback
from selftest.models import Target
from tests.api.conftest import MakeTarget
from tests.api.search_calls import LEGACY, QUERY, found, ids, refused, send
from tests.knowledge.pieces import BREW, EVERY, GRINDER, KEYS, PUMP, piece
from tests.roles import give

pytestmark = pytest.mark.django_db

HOSTILE = piece("Notes", "The <script>alert(1)</script> of the frother & its <mark> foam.")


@pytest.fixture(autouse=True)
def _pieces() -> None:
    writing.put([*EVERY, HOSTILE])


def test_an_answer_has_what_the_contract_names(caller: Client) -> None:
    document = found(caller, "grinder")
    assert list(document)[:3] == ["results", "didYouMean", "suggestions"]
    [first, *_] = document["results"]
    assert list(first)[:9] == [
        "id", "kind", "domain", "title", "snippet", "score", "matched_by", "action", "snippet_text",
    ]  # fmt: skip
    assert (first["id"], first["kind"], first["domain"], first["title"]) == (
        GRINDER.id,
        "docs",
        "knowledge",
        "Grinder jams",
    )
    assert "full_text" in first["matched_by"]
    assert first["action"]["kind"] == "more"
    assert first["debug"] is None
    assert document["didYouMean"] is None
    assert document["diagnostics"]["mode"] == "unified"


def test_a_snippet_is_escaped_html_with_marks_and_its_text_has_their_spans(caller: Client) -> None:
    [first, *_] = found(caller, "frother foam")["results"]
    assert first["snippet"] == (
        "The &lt;script&gt;alert(1)&lt;/script&gt; of the "
        "<mark>frother</mark> &amp; its &lt;mark&gt; <mark>foam</mark>."
    )
    assert first["snippet_text"] == HOSTILE.body
    assert [HOSTILE.body[start:end] for start, end in first["spans"]] == ["frother", "foam"]


def test_ranks_and_boosts_are_told_where_asked_for(caller: Client) -> None:
    [first, *_] = found(caller, "startBrew", includeDebug=True)["results"]
    assert (first["id"], first["debug"]["ranks"]["exact"]) == (BREW.id, 1)
    assert "whole" in first["debug"]["boosts"]


def test_a_misspelt_word_is_mended(caller: Client) -> None:
    document = found(caller, "grindr")
    assert (document["didYouMean"], ids(document)[0]) == ("grinder", GRINDER.id)


def test_five_results_are_the_beginning_of_fifty(caller: Client) -> None:
    fifty = found(caller, "the tank of the brewer", k=50)
    assert ids(found(caller, "the tank of the brewer", k=2)) == ids(fifty)[:2]


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ({"entityTypes": ["api"]}, {"api"}),
        ({"entityTypes": "doctor"}, {"doctor"}),
        ({"type": ["api", "doctor"]}, {"api", "doctor"}),
        ({"type": "api", "entityTypes": ["api", "docs"]}, {"api"}),
        ({"domains": ["knowledge"], "type": "doctor"}, {"doctor"}),
        ({"service": "brewer"}, {"api"}),
    ],
)
def test_filters_narrow(caller: Client, filters: dict[str, Any], kept: set[str]) -> None:
    assert {result["kind"] for result in found(caller, "brew the tank", filters=filters)["results"]} == kept


@pytest.mark.parametrize(
    "filters",
    [
        {"type": "api", "entityTypes": "doctor"},
        {"domains": ["findings"]},
        {"tags": ["care", "part_lost"]},
        {"tags": ["care", "brushes"]},
    ],
)
def test_what_no_result_can_be_finds_nothing(caller: Client, filters: dict[str, Any]) -> None:
    writing.put([piece("Brushes", "Not for descaling.", tags=("brushes",))])
    assert ids(found(caller, "descaling", filters=filters)) == []


def test_a_target_is_bound_and_what_belongs_to_none_is_found_too(
    caller: Client, target: Target, make_target: MakeTarget
) -> None:
    other = make_target("other")
    mine, theirs = (piece(f"Steam of {one.name}", "Steam.", target_id=one.pk) for one in (target, other))
    common = piece("Steam for all", "Steam.")
    writing.put([mine, theirs, common])
    assert {mine.id, theirs.id, common.id} <= set(ids(found(caller, "steam")))
    document = found(caller, "steam", filters={"target": "other"})
    targets = {result["id"]: result["target"] for result in document["results"]}
    assert (targets[theirs.id], targets[common.id], mine.id in targets) == ("other", None, False)
    assert set(ids(found(caller, "steam", filters={"target": ["other", target.name]}))) >= {mine.id, theirs.id}


def test_512_characters_may_be_searched_for_and_any_of_them_are_text(caller: Client) -> None:
    found(caller, "é" * 512)
    for q in ('"grinder', "-grinder", "grinder*", "grinder OR", "NEAR(grinder", "title:grinder", "\ud800 grinder"):
        assert GRINDER.id in ids(found(caller, q))


def test_labels_of_actions_and_pieces_in_several_languages_follow_it_too(caller: Client) -> None:
    english, german = (
        send(caller, QUERY, {"q": "CM007"}, **{"X-Locale": locale}).json()["results"][0]
        for locale in ("en-US", "de-DE")
    )
    assert (english["title"], english["action"]["label"]) == ("Pump", "More like this")
    assert (german["title"], german["action"]["label"]) == ("Pumpe", "Ähnliches")


def test_a_viewer_may_search_and_rate_with_the_token_and_not_without(anyone: Client) -> None:
    anyone.force_login(give(User.objects.create_user("vic"), "viewer"))
    refused(send(anyone, QUERY, {"q": "tank"}), 403)
    anyone.cookies["csrftoken"] = token = "a" * 32
    assert send(anyone, QUERY, {"q": "tank"}, **{"X-CSRFToken": token}).status_code == 200
    rating = {"q": "tank", "id": PUMP.id, "rating": "up"}
    assert send(anyone, "/v1/search/feedback", rating, **{"X-CSRFToken": token}).status_code == 200


def test_no_one_searches_without_a_key_or_a_session(anyone: Client) -> None:
    refused(send(anyone, QUERY, {"q": "tank"}), 401)
    refused(send(anyone, QUERY, {"q": "tank"}, **{"X-API-Key": "never made"}), 401)


def test_what_is_for_admins_is_found_by_admins_alone(caller: Client, db: None) -> None:
    def of(role: str) -> Client:
        client = Client()
        client.force_login(give(User.objects.create_user(role), role))
        client.cookies["csrftoken"] = "a" * 32
        return client

    token = {"X-CSRFToken": "a" * 32}
    seen = {role: ids(send(of(role), QUERY, {"q": "service keys"}, **token).json()) for role in ("reviewer", "admin")}
    assert KEYS.id in seen["admin"]
    assert KEYS.id not in seen["reviewer"]
    assert KEYS.id not in ids(found(caller, "service keys"))
    refused(send(caller, "/v1/search/feedback", {"q": "keys", "id": KEYS.id, "rating": "up"}), 404)


def test_the_legacy_call_knows_three_types_and_says_that_it_goes_away(caller: Client) -> None:
    response = send(caller, LEGACY, {"q": "tank", "filters": {"type": "doctor"}})
    document = response.json()
    assert [(result["id"], result["type"]) for result in document["results"]] == [(PUMP.id, "doctor")]
    assert document["diagnostics"]["mode"] == "legacy"
    assert response["Deprecation"] == "@1793491200"  # 2026-11-01
    assert response["Sunset"] == "Fri, 31 Dec 2027 00:00:00 GMT"
    assert response["Link"] == '</v1/search/query>; rel="successor-version"'


def test_a_refusal_of_the_legacy_call_says_so_too(caller: Client, anyone: Client) -> None:
    for filters in ({"type": "finding"}, {"domains": ["knowledge"]}, {"entityTypes": ["docs"]}):
        response = send(caller, LEGACY, {"q": "tank", "filters": filters})
        refused(response)
        assert response["Deprecation"]
    assert send(anyone, LEGACY, {"q": "tank"})["Sunset"]


def test_the_legacy_call_finds_nothing_but_these_types(caller: Client) -> None:
    writing.put([piece("Tank cause", "The tank is empty.", Kind.CAUSE)])
    assert "cause" in {result["kind"] for result in found(caller, "tank")["results"]}
    assert {result["type"] for result in found(caller, "tank", LEGACY)["results"]} <= {"docs", "api", "doctor"}


def test_a_later_word_of_the_same_reader_takes_the_place_of_the_first(caller: Client) -> None:
    said = {"q": "The  tank", "id": PUMP.id, "rating": "up", "comment": "yes"}
    assert send(caller, "/v1/search/feedback", said).json() == {"status": "recorded", "id": PUMP.id, "rating": "up"}
    send(caller, "/v1/search/feedback", {"q": "the tank", "id": PUMP.id, "rating": "down"})
    row = Feedback.objects.get()
    assert (row.rating, row.comment, row.actor, row.chunk_kind) == ("down", "", "key script", "doctor")


@pytest.mark.parametrize(
    ("change", "status", "field"),
    [
        ({"id": "docs:none"}, 404, None),
        ({"id": "a\x00b"}, 400, "id"),
        ({"rating": "sideways"}, 400, "rating"),
        ({"q": " "}, 400, "q"),
        ({"comment": "x" * 501}, 400, "comment"),
        ({"stars": 5}, 400, "stars"),
    ],
)
def test_faulty_feedback_is_refused(caller: Client, change: dict[str, Any], status: int, field: str | None) -> None:
    body = {"q": "tank", "id": PUMP.id, "rating": "up", **change}
    assert refused(send(caller, "/v1/search/feedback", body), status)["field"] == field
    assert not Feedback.objects.exists()


@pytest.mark.parametrize("path", ["/v1/search/index/rebuild", "/v1/advisory-ai/index/rebuild"])
def test_a_rebuild_reads_what_comes_with_gadfly_and_drops_what_is_gone(caller: Client, path: str) -> None:
    response = caller.post(path)
    summary = response.json()
    assert (response.status_code, summary["refused"]) == (200, [])
    assert summary["added"] == sum(summary["kinds"].values())
    assert {"docs", "api", "doctor", "guarantee"} <= summary["kinds"].keys()
    assert ("Deprecation" in response) == ("advisory" in path)
    if "advisory" in path:
        assert response["Link"] == '</v1/search/index/rebuild>; rel="successor-version"'
    assert GRINDER.id not in ids(found(caller, "grinder jams"))
    assert found(caller, "restore a backup")["results"]
    again = caller.post(path).json()
    assert (again["added"], again["changed"], again["removed"], again["kinds"]) == (0, 0, 0, summary["kinds"])


def test_a_reviewer_rebuilds_nothing(signed_in: Client, csrf_token: dict[str, str]) -> None:
    for path in ("/v1/search/index/rebuild", "/v1/advisory-ai/index/rebuild"):
        refused(send(signed_in, path, {}, **csrf_token), 403)
