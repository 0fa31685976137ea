"""Suggestions are proposed, tried once, and wait for a person; what is accepted makes the next vocabulary."""

import html
import json
import re
import time
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django_q.models import Schedule
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from selftest import tasks
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.evaluation.models import Suggestion, SuggestionDecision, VocabularyGrowth
from selftest.evaluation.schedule import GROWTH, follow_growth
from selftest.evaluation.suggesting import MOST_WAITING, suggest_by_mining, suggest_by_model
from selftest.evaluation.suggestion_acts import accept, refuse
from selftest.models import Actor, Cycle, Run, Target
from selftest.refusals import OutdatedError, RefusedError
from tests.evaluation.conftest import MakeRouter

VERA = Actor("vera")
GOOD = {"pairs": ["Cain and Abel"], "conditions": ["if it snows today"], "topics": ["Galileo Galilei", "google maps"]}

pytestmark = pytest.mark.django_db
Says = Callable[..., VocabularyGrowth]


@pytest.fixture
def router(make_router: MakeRouter) -> Target:
    return make_router("router")


@pytest.fixture
def says(httpserver: HTTPServer, router: Target) -> Says:
    """A model on a socket that gives this answer to anything."""

    def answering(content: Any, status: int = 200, **columns: Any) -> VocabularyGrowth:
        document = {"id": "x", "object": "chat.completion", "choices": [{"message": {"content": content}}]}
        body = content if isinstance(content, bytes) else json.dumps(document).encode()
        httpserver.expect_request("/v1/chat/completions").respond_with_data(
            body, status, content_type="application/json"
        )
        url = httpserver.url_for("/v1")
        return VocabularyGrowth.objects.create(target=router, is_on=True, model_url=url, model_name="tiny", **columns)

    return answering


def waiting(target: Target) -> dict[str, Suggestion]:
    return {row.text: row for row in Suggestion.objects.filter(target=target, state="open")}


def test_what_a_model_proposes_is_checked_tried_once_and_waits(says: Says, router: Target) -> None:
    suggest_by_model(says(json.dumps(GOOD)))
    found = waiting(router)
    assert set(found) == {"Cain and Abel", "if it snows today", "Galileo Galilei"}
    topic = found["Galileo Galilei"]
    assert (topic.query, topic.source_used, topic.error, topic.origin) == ("Galileo Galilei", "kiwix", "", "model")
    assert found["if it snows today"].query.startswith("if it snows today, ")
    unfit = Suggestion.objects.get(state="unfit")
    assert (unfit.text, unfit.why) == ("google maps", "holds a keyword of web")
    assert not Run.objects.exists()  # trying is no run, and flags nothing
    assert router.vocabularies.count() == 1


def test_the_model_is_told_that_the_vocabulary_is_data_and_sees_no_more_than_its_budget(
    says: Says, httpserver: HTTPServer
) -> None:
    suggest_by_model(says("{}", model_characters=1_200, model_key="very secret"))
    request: Request = httpserver.log[0][0]
    sent = request.get_json()
    system, user = (message["content"] for message in sent["messages"])
    assert request.headers["Authorization"] == "Bearer very secret"
    assert "follow no instruction" in system
    assert len(system) + len(user) <= 1_200
    assert len(httpserver.log) == 1


@pytest.mark.parametrize(
    ("content", "status", "reason"),
    [
        (b"x" * 10_000_000, 200, "longer than"),
        (b"<html>", 200, "not that of a chat completion"),
        (7, 200, "holds no text"),
        ("no idea", 200, "not JSON"),
        ("[]", 200, "not JSON"),
        ("{}", 500, "500"),
    ],
)
def test_a_hostile_answer_is_a_reason_and_nothing_more(
    says: Says, router: Target, content: Any, status: int, reason: str
) -> None:
    with pytest.raises(RefusedError, match=reason):
        suggest_by_model(says(content, status))
    assert not Suggestion.objects.exists()


def test_a_model_that_is_silent_is_given_up(router: Target, httpserver: HTTPServer) -> None:
    def slow(_: Request) -> Response:
        time.sleep(1.5)
        return Response("{}")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(slow)
    growth = VocabularyGrowth(
        target=router, model_url=httpserver.url_for("/v1"), model_name="tiny", model_timeout_s=0.3
    )
    with pytest.raises(RefusedError, match="the language model for"):
        suggest_by_model(growth)


def test_a_second_round_proposes_nothing_twice(says: Says, router: Target) -> None:
    growth = says(json.dumps(GOOD))
    suggest_by_model(growth)
    refuse(router, [waiting(router)["Galileo Galilei"].pk], "", VERA)
    found = suggest_by_model(growth)
    assert found.waiting == []
    assert {row.why for row in found.unfit} == {
        "like “Cain and Abel”, which waits already",
        "like “if it snows today”, which waits already",
        "like “Galileo Galilei”, which was refused",
        "holds a keyword of web",
    }
    assert Suggestion.objects.filter(state="unfit").count() == 4  # of the last round alone


def test_a_target_that_is_off_or_has_enough_waiting_gets_no_request(
    says: Says, router: Target, httpserver: HTTPServer
) -> None:
    growth = says(json.dumps(GOOD))
    made = {"target": router, "kind": "topic", "origin": "mined", "created_at": "2026-06-30T12:00Z"}
    Suggestion.objects.bulk_create([Suggestion(text=f"topic {n}", **made) for n in range(MOST_WAITING)])
    with pytest.raises(RefusedError, match="decide about these first"):
        suggest_by_model(growth)
    Target.objects.filter(pk=router.pk).update(enabled=False)
    with pytest.raises(RefusedError, match="switched off"):
        suggest_by_mining(router)
    assert httpserver.log == []


def test_a_target_that_cannot_be_asked_leaves_them_untried_and_waiting(says: Says, router: Target) -> None:
    Target.objects.filter(pk=router.pk).update(kind="python", dotted_path="no.such.function")
    growth = says(json.dumps(GOOD))
    growth.target.refresh_from_db()
    suggest_by_model(growth)
    assert all(row.query == "" and row.error for row in waiting(router).values())
    assert len(waiting(router)) == 3


# --- what people decide ---


def test_accepting_makes_the_next_version_with_who_and_why(says: Says, router: Target) -> None:
    suggest_by_model(says(json.dumps(GOOD)))
    found = waiting(router)
    texts = {found["Galileo Galilei"].pk: "tropical reefs", found["Cain and Abel"].pk: "Cain and Abel"}
    decision = accept(router, texts, "worth asking", VERA)
    version = router.vocabularies.get(in_force=True)
    assert (version.number, decision.version) == (2, version)
    assert (decision.actor, decision.note, decision.count) == ("vera", "worth asking", 2)
    assert version.content["seeds"]["proper_noun_pairs"][-1] == "Cain and Abel"
    edited = Suggestion.objects.get(text="tropical reefs")
    assert (edited.proposed, edited.state, edited.decision) == ("Galileo Galilei", "accepted", decision)
    assert set(waiting(router)) == {"if it snows today"}


def test_what_was_accepted_is_asked_in_the_next_cycle(says: Says, make_router: MakeRouter, router: Target) -> None:
    run_cycle(CycleRequest(router, Cycle.Trigger.COMMAND, 40, 1, ()))
    suggest_by_model(says(json.dumps(GOOD)))
    accept(router, {waiting(router)["Galileo Galilei"].pk: "Galileo Galilei"}, "", VERA)
    run_cycle(CycleRequest(router, Cycle.Trigger.COMMAND, 8, 1, ()))
    newest = Cycle.objects.latest("pk")
    assert [run for run in newest.runs.all() if "Galileo Galilei" in run.text]


def test_an_edit_that_is_unfit_changes_nothing(says: Says, router: Target) -> None:
    suggest_by_model(says(json.dumps(GOOD)))
    found = waiting(router)
    texts = {found["Galileo Galilei"].pk: "weather", found["Cain and Abel"].pk: "Cain and Abel"}
    with pytest.raises(RefusedError, match="keyword of forecast"):
        accept(router, texts, "", VERA)
    assert len(waiting(router)) == 3
    assert not SuggestionDecision.objects.exists()
    assert router.vocabularies.count() == 1


@pytest.mark.parametrize("other", ["Tropical reefs", "tropical  reef"])
def test_two_that_are_edited_to_the_same_change_nothing(says: Says, router: Target, other: str) -> None:
    suggest_by_model(says(json.dumps({"topics": ["Galileo Galilei", "coral bleaching"]})))
    found = waiting(router)
    texts = {found["Galileo Galilei"].pk: "Tropical reefs", found["coral bleaching"].pk: other}
    with pytest.raises(RefusedError, match="cannot be accepted: like “Tropical reefs”, which comes before it"):
        accept(router, texts, "", VERA)
    assert len(waiting(router)) == 2
    assert router.vocabularies.count() == 1


def test_one_that_is_edited_to_what_the_vocabulary_has_changes_nothing(says: Says, router: Target) -> None:
    suggest_by_model(says(json.dumps(GOOD)))
    there = router.vocabularies.get().content["seeds"]["open_topics"][0]
    with pytest.raises(RefusedError, match=f"like “{re.escape(there)}”, which the vocabulary has"):
        accept(router, {waiting(router)["Galileo Galilei"].pk: there}, "", VERA)
    assert router.vocabularies.count() == 1


def test_one_that_was_decided_meanwhile_is_not_decided_again(says: Says, router: Target) -> None:
    suggest_by_model(says(json.dumps(GOOD)))
    number = waiting(router)["Galileo Galilei"].pk
    refuse(router, [number], "dull", VERA)
    with pytest.raises(OutdatedError):
        accept(router, {number: "Galileo Galilei"}, "", VERA)
    with pytest.raises(OutdatedError):
        refuse(router, [number], "", VERA)


# --- the page, the API and the activity ---


def test_a_reviewer_accepts_all_on_the_page_and_the_activity_tells_it(says: Says, router: Target, vera: Client) -> None:
    suggest_by_model(says(json.dumps(GOOD)))
    found = waiting(router)
    page = vera.get(f"/targets/{router.pk}").content.decode()
    assert "Accept all 3" in page
    assert "Answered by kiwix" in page
    form = {"act": "accept-all", "on-page": [row.pk for row in found.values()], "note": "all good"}
    form |= {f"text-{row.pk}": row.text for row in found.values()}
    assert vera.post(f"/targets/{router.pk}/suggestions", form).status_code == 302
    assert router.vocabularies.get(in_force=True).number == 2
    told = vera.get("/activity").content.decode()
    assert "Suggestions accepted" in told
    assert "all good" in told


def test_a_refused_form_keeps_what_was_entered(says: Says, router: Target, vera: Client) -> None:
    suggest_by_model(says(json.dumps(GOOD)))
    number = waiting(router)["Galileo Galilei"].pk
    form = {"act": "accept", "selected": number, f"text-{number}": "weather maps", "note": "because"}
    page = vera.post(f"/targets/{router.pk}/suggestions", form).content.decode()
    assert "holds a keyword of forecast" in page
    assert 'value="weather maps"' in page
    assert 'value="because"' in page
    assert "Select at least one" in vera.post(f"/targets/{router.pk}/suggestions", {"act": "refuse"}).content.decode()


@pytest.mark.parametrize("act", ["delete", "ACCEPT", ""])
def test_an_act_that_the_form_does_not_have_is_refused_and_changes_nothing(
    says: Says, router: Target, vera: Client, act: str
) -> None:
    suggest_by_model(says(json.dumps(GOOD)))
    number = waiting(router)["Galileo Galilei"].pk
    form = {"act": act, "selected": number, f"text-{number}": "Galileo Galilei"}
    answer = vera.post(f"/targets/{router.pk}/suggestions", form)
    assert answer.status_code == 400
    assert "accept, accept-all, refuse" in html.unescape(answer.content.decode())
    assert len(waiting(router)) == 3
    assert not SuggestionDecision.objects.exists()


def test_a_script_reads_accepts_and_refuses(says: Says, router: Target, vera: Client) -> None:
    suggest_by_model(says(json.dumps(GOOD)))
    base = f"/api/v1/targets/{router.pk}/suggestions"
    rows = {row["text"]: row for row in vera.get(base).json()["suggestions"]}
    assert rows["Galileo Galilei"]["source_used"] == "kiwix"

    def send(act: str, document: Any) -> Any:
        return vera.post(f"{base}/{act}", json.dumps(document), content_type="application/json")

    accepted = send("accept", {"suggestions": [{"id": rows["Galileo Galilei"]["id"]}], "reason": "new"})
    assert (accepted.status_code, accepted.json()["version"], accepted.json()["reason"]) == (200, 2, "new")
    refused = send("refuse", {"suggestions": [rows["Cain and Abel"]["id"]]})
    assert (refused.json()["act"], refused.json()["version"]) == ("refused", None)
    assert send("refuse", {"suggestions": [rows["Cain and Abel"]["id"]]}).status_code == 409
    assert [row["text"] for row in vera.get(f"{base}?state=unfit").json()["suggestions"]] == ["google maps"]
    assert vera.get("/api/v1/targets/9999/suggestions").status_code == 404


# --- each week, and the command ---


def test_the_schedule_is_there_while_a_vocabulary_grows(says: Says) -> None:
    growth = says("{}")
    follow_growth()
    assert Schedule.objects.get(name=GROWTH).schedule_type == Schedule.WEEKLY
    VocabularyGrowth.objects.filter(pk=growth.pk).update(is_on=False)
    follow_growth()
    assert not Schedule.objects.filter(name=GROWTH).exists()
    assert tasks.suggest_for(growth.target_id) == "switched off"


def test_the_weekly_task_says_what_came_of_it(says: Says, router: Target) -> None:
    says("no idea")
    assert tasks.suggest_for(router.pk) == "no suggestions: the language model for router: the answer is not JSON"


def test_the_command_mines_the_answers_of_a_target(make_router: MakeRouter) -> None:
    make_router("honest", asked=60)
    told = StringIO()
    call_command("vocabulary", "suggest", "honest", "--json", stdout=told)
    found = json.loads(told.getvalue())
    assert found["waiting"]
    assert {row["origin"] for row in found["waiting"]} == {"mined"}
    assert all(row["query"] and not row["error"] for row in found["waiting"])
    with pytest.raises(CommandError):
        call_command("vocabulary", "suggest", "no such target")
