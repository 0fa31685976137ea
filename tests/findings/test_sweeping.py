"""The sweep: what is certain is done, all else proposed; nothing that a person decided is brought up again."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django_q.models import Schedule
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from selftest import tasks
from selftest.findings.models import Act, Finding, FindingSettings, Proposal
from selftest.findings.reading import findings, open_proposals
from selftest.findings.saving import accept, delete_finding, refuse, undo
from selftest.findings.schedule import SWEEP, follow_settings, put_in_force
from selftest.findings.sweeping import sweep
from selftest.refusals import OutdatedError, RefusedError
from tests.findings.conftest import AGENT, ALWAYS, CLAIM, NEVER, VERA, save, use_profile

pytestmark = pytest.mark.django_db

PASSES, LOSES = "The wrapper hands arguments on.", "Arguments get lost in the wrapper."
Answer = Any


def active() -> list[int]:
    return sorted(finding.pk for finding in findings())


def saved_unseen(*contents: str, category: str = AGENT) -> list[Finding]:
    """As rows of an import, which no save has compared."""
    saved = [
        save(f"Mention {word} {word}.", category).finding for word in ("apples", "pears", "plums")[: len(contents)]
    ]
    for finding, content in zip(saved, contents, strict=True):
        Finding.objects.filter(pk=finding.pk).update(content=content)
    return list(Finding.objects.filter(pk__in=[finding.pk for finding in saved]).order_by("id"))


# --- rules ---


def test_what_the_rules_are_certain_of_is_done_by_the_engine() -> None:
    older, newer = saved_unseen(ALWAYS, NEVER)
    assert sweep().superseded == 1
    assert active() == [newer.pk]
    act = Act.objects.get()
    assert (act.actor, act.number, act.other_number) == ("engine", older.pk, newer.pk)


def test_what_a_person_told_apart_stays_so() -> None:
    save(ALWAYS)
    undo(save(NEVER).acts[0], VERA)
    swept = sweep()
    assert (swept.superseded, swept.proposed, len(active())) == (0, 0, 2)


def test_the_same_rule_under_another_subject_is_proposed_once() -> None:
    older = save(ALWAYS, "feedback/from-agent/reports").finding
    newer = save(NEVER, "feedback/from-agent/mails").finding
    assert [sweep().proposed, sweep().proposed] == [1, 0]
    proposal = open_proposals().get()
    assert (proposal.loser, proposal.winner, proposal.origin) == (older, newer, "rules")
    assert active() == [older.pk, newer.pk]


def test_a_correction_is_proposed_as_the_winner_however_old_it_is() -> None:
    correction = save(NEVER, "feedback/from-user/mails").finding
    other = save(ALWAYS, AGENT).finding
    sweep()
    proposal = open_proposals().get()
    assert (proposal.loser, proposal.winner) == (other, correction)


def test_opposites_with_words_of_their_own_are_proposed() -> None:
    save("Always add a costs table above the summary of reports.")
    save("Never add a costs chart above the summary of reports.")
    assert sweep().proposed == 1
    assert open_proposals().get().why["rule"] == "different_things"


def test_claims_of_two_targets_are_no_pair() -> None:
    save("Search finds umlauts in titles.", "claim/capability/mail/search")
    save("Search does not find umlauts in titles.", "claim/capability/calendar/find")
    assert sweep().proposed == 0


def test_what_is_outside_the_scope_is_not_swept() -> None:
    save(ALWAYS, "notes"), save(NEVER, "notes")
    assert sweep().findings == 0


# --- proposals ---


@pytest.fixture
def proposal() -> Proposal:
    save(ALWAYS, "feedback/from-agent/reports"), save(NEVER, "feedback/from-agent/mails")
    sweep()
    return open_proposals().get()


def test_an_accepted_proposal_supersedes_and_can_be_undone(proposal: Proposal) -> None:
    act = accept(proposal, VERA)
    assert active() == [proposal.winner_id]
    assert (act.actor, Proposal.objects.get().state) == ("vera", "accepted")
    undo(act, VERA)
    assert len(active()) == 2
    assert sweep().proposed == 0


def test_a_refused_proposal_changes_nothing_and_does_not_come_back(proposal: Proposal) -> None:
    refuse(proposal, VERA)
    assert (sweep().proposed, len(active())) == (0, 2)
    with pytest.raises(OutdatedError):
        accept(proposal, VERA)
    with pytest.raises(OutdatedError):
        refuse(proposal, VERA)


def test_a_proposal_of_which_one_is_superseded_meanwhile_cannot_be_accepted(proposal: Proposal) -> None:
    save(NEVER, "feedback/from-user/reports")
    with pytest.raises(OutdatedError):
        accept(proposal, VERA)
    assert Proposal.objects.get().state == "open"


def test_no_correction_loses_by_a_proposal_wherever_that_came_from(proposal: Proposal) -> None:
    Finding.objects.filter(pk=proposal.loser_id).update(is_correction=True)
    with pytest.raises(RefusedError, match="correction"):
        accept(Proposal.objects.get(), VERA)


def test_with_a_finding_its_proposals_are_gone(proposal: Proposal) -> None:
    delete_finding(proposal.winner, VERA)
    assert not Proposal.objects.exists()


# --- the schedule ---


def test_the_sweep_is_scheduled_daily_and_gone_while_it_is_off() -> None:
    follow_settings(), follow_settings()
    row = Schedule.objects.get(name=SWEEP)
    assert (row.func, row.schedule_type, row.repeats) == ("selftest.tasks.sweep_findings", "D", -1)
    settings = FindingSettings.get_solo()
    settings.sweeps = False
    put_in_force(settings, VERA)
    assert not Schedule.objects.filter(name=SWEEP).exists()
    settings.sweeps = True
    put_in_force(settings, VERA)
    assert Schedule.objects.filter(name=SWEEP).count() == 1


def test_the_task_sweeps_unless_it_is_switched_off() -> None:
    saved_unseen(ALWAYS, NEVER)
    FindingSettings.get_solo()
    FindingSettings.objects.update(sweeps=False)
    assert tasks.sweep_findings() == "switched off"
    FindingSettings.objects.update(sweeps=True)
    assert tasks.sweep_findings() == "superseded 1, proposed 0"


# --- a language model ---


@pytest.fixture
def pair() -> tuple[Finding, Finding]:
    return save(PASSES, CLAIM).finding, save(LOSES, CLAIM).finding


@pytest.fixture
def model(httpserver: HTTPServer) -> Iterator[HTTPServer]:
    FindingSettings.get_solo()
    settings = FindingSettings.get_solo()
    settings.model_url, settings.model_name, settings.model_key = httpserver.url_for("/v1"), "tiny", "secret"
    settings.model_timeout_s = 5.0
    settings.save()
    yield httpserver
    httpserver.check_assertions()


def says(model: HTTPServer, content: Answer, **completion: Any) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    body = {"choices": [{"message": {"role": "assistant", "content": text}}], **completion}
    model.expect_request("/v1/chat/completions", method="POST").respond_with_json(body)


def contradiction(loser: Any, winner: Any) -> dict[str, Any]:
    return {"contradictions": [{"loser": loser, "winner": winner, "reason": "One passes what the other loses."}]}


def test_what_a_model_says_is_only_proposed(model: HTTPServer, pair: tuple[Finding, Finding]) -> None:
    older, newer = pair
    says(model, contradiction(older.pk, newer.pk))
    swept = sweep()
    assert (swept.proposed, swept.superseded, swept.model) == (1, 0, "answered")
    assert len(active()) == 2
    proposal = open_proposals().get()
    assert (proposal.loser, proposal.winner, proposal.origin) == (older, newer, "model")
    request, _ = model.log[0]
    assert request.headers["Authorization"] == "Bearer secret"
    sent = json.loads(request.data)
    assert sent["model"] == "tiny"
    assert [json.loads(line)["content"] for line in sent["messages"][1]["content"].splitlines()] == [LOSES, PASSES]


def test_without_a_model_nothing_is_asked(httpserver: HTTPServer, pair: tuple[Finding, Finding]) -> None:
    assert sweep().model == "not asked"
    assert httpserver.log == []


def test_a_correction_never_loses_to_anything_else_whatever_the_model_says(model: HTTPServer) -> None:
    correction, other = save(PASSES, CLAIM, "correction").finding, save(LOSES, CLAIM).finding
    says(model, contradiction(correction.pk, other.pk))
    swept = sweep()
    assert (swept.proposed, dict(swept.ignored)) == (0, {"a correction that would lose": 1})


def test_a_reason_of_a_model_is_kept_as_any_database_can_hold_it(
    model: HTTPServer, pair: tuple[Finding, Finding]
) -> None:
    older, newer = pair
    says(model, [{"loser": older.pk, "winner": newer.pk, "reason": "both\x00or \ud800"}])
    assert sweep().proposed == 1
    assert open_proposals().get().why == {"rule": "language_model", "sentence": "both␀or �"}


def test_no_more_than_the_budget_is_sent(model: HTTPServer) -> None:
    for word in ("apples", "pears", "plums", "figs"):
        save(f"Explain {word} " + word * 150)
    FindingSettings.objects.update(model_characters=2_000)
    says(model, {"contradictions": []})
    sweep()
    sent = json.loads(model.log[0][0].data)["messages"]
    assert sum(len(message["content"]) for message in sent) <= 2_000
    assert len(sent[1]["content"].splitlines()) == 2


@pytest.mark.parametrize(
    ("answer", "ignored"),
    [
        ("no JSON at all", {"not JSON": 1}),
        ("[" * 100_000, {"not JSON": 1}),
        ("x" * 300_000, {"too long": 1}),
        ("7", {"not a list of pairs": 1}),
        ({"contradictions": "all"}, {"not a list of pairs": 1}),
        ([1, "two", None, []], {"not a pair": 4}),
        ([{"loser": "A", "winner": "B"}, {"loser": True, "winner": 1}, {"loser": 1.5, "winner": 2}],
         {"not a number": 3}),
        ([{"loser": "A"}, {"winner": "B"}, {}], {"a missing number": 3}),
        ([{"loser": 10**30, "winner": "$B"}, {"loser": "$A", "winner": -1}], {"an unknown number": 2}),
        ([{"loser": "$A", "winner": "$A"}], {"twice the same number": 1}),
        ([{"loser": "$A", "winner": "$B"}, {"loser": "$B", "winner": "$A"}], {"in a cycle": 2}),
        ([{"loser": "$A", "winner": "$outside"}], {"an unknown number": 1}),
        ([{"loser": "$A", "winner": "$hidden"}], {"an unknown number": 1}),
    ],
)  # fmt: skip
def test_hostile_answers_change_nothing_and_are_counted(
    model: HTTPServer, pair: tuple[Finding, Finding], answer: Answer, ignored: dict[str, int]
) -> None:
    outside = save("It is red.", "notes").finding
    hidden, _ = save(ALWAYS).finding, save(NEVER).finding
    numbers = {"$A": pair[0].pk, "$B": pair[1].pk, "$outside": outside.pk, "$hidden": hidden.pk}
    text = answer if isinstance(answer, str) else json.dumps(answer)
    for name, number in numbers.items():
        text = text.replace(f'"{name}"', str(number))
    says(model, text)
    before = list(Finding.objects.order_by("id").values())
    swept = sweep()
    assert (dict(swept.ignored), swept.proposed) == (ignored, 0)
    assert list(Finding.objects.order_by("id").values()) == before
    assert not Proposal.objects.exists()


def test_a_longer_cycle_is_ignored_and_a_pair_beside_it_is_not(model: HTTPServer) -> None:
    numbers = [save(f"Explain {word}.").finding.pk for word in ("apples", "pears", "plums", "figs")]
    one, two, three, four = numbers
    loop = [(one, two), (two, three), (three, one), (four, one)]
    says(model, [{"loser": loser, "winner": winner} for loser, winner in loop])
    swept = sweep()
    assert (dict(swept.ignored), swept.proposed) == ({"in a cycle": 3}, 1)


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (500, b"broken", "Error code: 500"),
        (200, b"<html>", "not that of a chat completion"),
        (200, b'{"choices": []}', "not that of a chat completion"),
        (200, b'{"choices": [{"message": {"content": 7}}]}', "holds no text"),
        (200, b"x" * 10_000_000, "longer than"),
    ],
)
def test_an_endpoint_that_answers_otherwise_costs_the_sweep_nothing_else(
    model: HTTPServer, status: int, body: bytes, reason: str
) -> None:
    saved_unseen(ALWAYS, NEVER)
    save("Explain apples.")
    model.expect_request("/v1/chat/completions").respond_with_data(body, status)
    swept = sweep()
    assert reason in swept.model
    assert (swept.superseded, swept.proposed) == (1, 0)


def test_an_endpoint_that_trickles_is_left_after_the_time_limit(
    model: HTTPServer, pair: tuple[Finding, Finding]
) -> None:
    def trickle(_: Request) -> Response:
        def bytes_of_it() -> Iterator[bytes]:
            for _ in range(200):
                yield b" "
                time.sleep(0.05)

        return Response(bytes_of_it(), 200)

    FindingSettings.objects.update(model_timeout_s=0.5)
    model.expect_request("/v1/chat/completions").respond_with_handler(trickle)
    started = time.monotonic()
    assert "no answer within 0.5 s" in sweep().model
    assert time.monotonic() - started < 8


def test_an_answer_that_breaks_off_costs_the_sweep_nothing_else(model: HTTPServer) -> None:
    saved_unseen(ALWAYS, NEVER)
    save("Explain apples.")
    headers = {"Content-Length": "1000"}
    model.expect_request("/v1/chat/completions").respond_with_data(b"{", 200, headers)
    swept = sweep()
    assert swept.model.startswith("no answer: ")
    assert (swept.superseded, swept.proposed) == (1, 0)


def test_nothing_listens_there(pair: tuple[Finding, Finding]) -> None:
    use_profile("v2")
    FindingSettings.objects.update(model_url="http://127.0.0.1:9/v1", model_name="tiny")
    assert sweep().model == "no answer: Connection error."
