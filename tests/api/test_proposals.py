"""/api/v1/proposals: what awaits a person's decision, and what accepting and refusing do."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from review.client import operations as call
from selftest.findings.models import Act, Finding, Proposal
from selftest.findings.saving import delete_finding
from selftest.findings.sweeping import sweep
from selftest.operating.keys import make_api_key
from tests.api.conftest import NOON, answer_to, at_once, error_of
from tests.findings.conftest import ALWAYS, NEVER, USER, VERA, save
from tests.roles import give

pytestmark = pytest.mark.django_db

PROPOSALS = "/api/v1/proposals"
MAILS = "feedback/from-agent/mails"
ACTS = ["accept", "refuse"]


def propose(loser: Finding, winner: Finding, why: dict[str, Any] | None = None) -> Proposal:
    return Proposal.objects.create(loser=loser, winner=winner, origin=Proposal.Origin.MODEL, why=why, created_at=NOON)


def make_proposal(number: int = 0) -> Proposal:
    """Of two findings that no rule compares."""
    return propose(
        save(f"Note {number}.", f"notes/{number}").finding, save(f"Word {number}.", f"words/{number}").finding
    )


@pytest.fixture
def proposal(db: None) -> Proposal:
    return make_proposal()


def post(client: Client, proposal: Proposal, act: str, **more: Any) -> Any:
    return client.post(f"{PROPOSALS}/{proposal.pk}/{act}", **more)


def read(client: Client, **query: Any) -> dict[str, Any]:
    document: dict[str, Any] = answer_to(client, call.proposals(**query))
    return document


def listed(client: Client, **query: Any) -> list[int]:
    return [row["id"] for row in read(client, **query)["proposals"]]


# --- the list ---


def test_a_row_names_both_findings_its_origin_and_its_why(caller: Client) -> None:
    why = {"rule": "language_model", "sentence": "They cannot both hold."}
    loser, winner = save(ALWAYS, MAILS).finding, save(NEVER).finding
    made = propose(loser, winner, why)
    document = read(caller)
    assert list(document) == ["proposals", "next"]
    [row] = document["proposals"]
    assert (row.pop("loser")["content"], row.pop("winner")["content"]) == (ALWAYS, NEVER)
    assert row == {
        "id": made.pk,
        "content": None,
        "version": None,
        "origin": "model",
        "why": {**why, "shared": [], "older": [], "newer": [], "overlap": None},
        "state": "open",
        "created_at": "2026-06-30T12:00:00Z",
        "decided_by": None,
        "decided_at": None,
    }


def test_what_the_sweep_proposes_is_listed(caller: Client) -> None:
    older, newer = save(ALWAYS, MAILS).finding, save(NEVER).finding
    assert sweep().proposed == 1
    [row] = read(caller)["proposals"]
    assert (row["loser"]["id"], row["winner"]["id"], row["origin"]) == (older.pk, newer.pk, "rules")
    assert row["why"]["rule"]


def test_open_ones_are_listed_unless_another_state_is_asked_for(caller: Client) -> None:
    accepted, refused, waits = (make_proposal(number) for number in range(3))
    post(caller, accepted, "accept")
    post(caller, refused, "refuse")
    assert listed(caller) == listed(caller, state="open") == [waits.pk]
    assert listed(caller, state="accepted") == [accepted.pk]
    assert listed(caller, state="refused") == [refused.pk]
    assert listed(caller, state="all") == [waits.pk, refused.pk, accepted.pk]


def test_one_whose_finding_is_superseded_waits_for_no_decision_until_that_is_undone(caller: Client) -> None:
    older = save(ALWAYS).finding
    made = propose(older, save("Note.", "notes").finding)
    save(NEVER)
    assert listed(caller) == []
    assert listed(caller, state="all") == [made.pk]
    assert caller.post(f"/api/v1/findings/{older.pk}/undo", {}, content_type="application/json").status_code == 200
    assert listed(caller) == [made.pk]


def test_the_list_has_pages_of_one_state(caller: Client) -> None:
    made = [make_proposal(number).pk for number in range(3)]
    first = read(caller, limit=2)
    second = read(caller, limit=2, cursor=first["next"])
    assert [row["id"] for page in (first, second) for row in page["proposals"]] == made[::-1]
    assert second["next"] is None
    assert error_of(caller.get(PROPOSALS, {"cursor": first["next"], "state": "all"}), 422)["field"] == "cursor"


@pytest.mark.parametrize(("query", "field"), [({"state": "decided"}, "state"), ({"limit": 0}, "limit")])
def test_what_is_no_state_and_no_limit_is_refused(query: dict[str, Any], field: str, caller: Client) -> None:
    assert error_of(caller.get(PROPOSALS, query), 422)["field"] == field


# --- deciding ---


def test_accepted_the_loser_is_superseded_by_who_decided(caller: Client, proposal: Proposal) -> None:
    answer = post(caller, proposal, "accept").json()
    assert list(answer) == ["finding", "superseded", "superseded_by", "why", "proposal"]
    assert answer["finding"]["id"] == proposal.winner_id
    assert (answer["superseded"], answer["superseded_by"]) == ([proposal.loser_id], None)
    [entry] = answer["why"]
    assert (entry["kind"], entry["finding"], entry["by"]) == ("superseded", proposal.loser_id, proposal.winner_id)
    assert (entry["actor"], entry["profile"]) == ("key script", None)
    decided = answer["proposal"]
    assert (decided["state"], decided["decided_by"]) == ("accepted", "key script")
    assert decided["decided_at"] is not None
    assert decided["loser"]["superseded_by"] == proposal.winner_id


def test_refused_both_stay_and_are_not_proposed_again(caller: Client) -> None:
    save(ALWAYS, MAILS), save(NEVER)
    sweep()
    proposal = Proposal.objects.get()
    answer = post(caller, proposal, "refuse").json()
    assert (answer["superseded"], answer["why"], answer["proposal"]["state"]) == ([], [], "refused")
    assert Act.objects.get().kind == "refused"
    assert sweep().proposed == 0
    assert Finding.objects.filter(superseded_by=None).count() == 2


@pytest.mark.parametrize("second", ACTS)
@pytest.mark.parametrize("first", ACTS)
def test_what_is_decided_is_not_decided_again(first: str, second: str, caller: Client, proposal: Proposal) -> None:
    assert post(caller, proposal, first).status_code == 200
    error = error_of(post(caller, proposal, second), 409)
    assert error["code"] == "outdated"
    assert "decided" in error["message"]


def test_where_a_finding_was_superseded_meanwhile_nothing_is_accepted(caller: Client) -> None:
    proposal = propose(save(ALWAYS).finding, save("Note.", "notes").finding)
    newer = save(NEVER).finding
    assert error_of(post(caller, proposal, "accept"), 409)["code"] == "outdated"
    proposal.refresh_from_db()
    assert (proposal.state, proposal.loser.superseded_by) == ("open", newer)


def test_a_correction_is_not_superseded_by_what_is_none(caller: Client) -> None:
    proposal = propose(save(NEVER, USER).finding, save("Note.", "notes").finding)
    error = error_of(post(caller, proposal, "accept"), 409)
    assert error["code"] == "refused"
    assert error["message"] == "a person's correction is not superseded by anything but a correction"
    assert post(caller, proposal, "refuse").status_code == 200


@pytest.mark.parametrize("act", ACTS)
def test_an_unknown_one_and_one_whose_finding_is_deleted_are_not_found(
    act: str, caller: Client, proposal: Proposal
) -> None:
    delete_finding(proposal.winner, VERA)
    error = error_of(post(caller, proposal, act), 404)
    assert error["message"] == f"there is no proposal {proposal.pk}"


@pytest.mark.django_db(transaction=True)
def test_of_concurrent_decisions_one_is_done(transactional_db: None) -> None:
    proposal = make_proposal()
    decisions: list[Callable[[Client], Any]] = [lambda client, act=act: post(client, proposal, act) for act in ACTS * 2]
    assert at_once(*decisions) == [200, 409, 409, 409]
    assert Act.objects.count() == 1


# --- who may ---


@pytest.mark.parametrize("act", ACTS)
def test_a_session_decides_with_its_token_and_as_a_reviewer_alone(
    act: str, signed_in: Client, csrf_token: dict[str, str], person: User, anyone: Client, proposal: Proposal
) -> None:
    error_of(post(anyone, proposal, act), 401)
    assert error_of(post(signed_in, proposal, act), 403)["code"] == "csrf_failed"
    person.groups.clear()
    give(person, "viewer")
    assert error_of(post(signed_in, proposal, act, headers=csrf_token), 403)["code"] == "forbidden"
    assert listed(signed_in) == [proposal.pk], "a viewer reads"
    give(person, "reviewer")
    assert post(signed_in, proposal, act, headers=csrf_token).status_code == 200
    decided = Proposal.objects.get()
    assert (decided.actor, decided.user) == ("ada", person)


def test_without_a_key_or_a_session_nothing_is_read(anyone: Client, proposal: Proposal) -> None:
    error_of(anyone.get(PROPOSALS), 401)
    error_of(anyone.get(PROPOSALS, headers={"X-API-Key": "never made"}), 401)
    assert Client(headers={"X-API-Key": make_api_key("script")}).get(PROPOSALS).status_code == 200
