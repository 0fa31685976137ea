"""Claims with examples: asked once a day and with each version; what holds instead is proposed, and never done."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from selftest import tasks
from selftest.cycles import ownership
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.findings.checking import KEPT_CHECKS
from selftest.findings.core.expectations import Expect, Expectation
from selftest.findings.examples import ExampleDraft
from selftest.findings.models import Act, CheckingRound, Example, ExampleCheck, Finding, FindingSettings, Proposal
from selftest.findings.reading import findings, open_proposals
from selftest.findings.saving import About, Draft, accept, drop_example, put_example, refuse, save_finding, undo
from selftest.findings.schedule import follow_settings, put_in_force
from selftest.models import Cause, Cycle, Flag, Target, Tuning
from selftest.operating.vocabularies import import_vocabulary
from selftest.refusals import OutdatedError, RefusedError
from selftest.storage.serialization import query_of
from selftest.storage.target_clients import bundled_vocabulary
from tests.engine.conftest import NOW
from tests.engine.routers import MERGED, RouterBrokeError, Served, content, honest, merged, serving
from tests.findings.conftest import VERA
from tests.vocabularies import example_document

pytestmark = pytest.mark.django_db

SUBJECT = "claim/capability/router/compare"
QUERY = "wind speed plus rss"  # of the forecast and the news, by the vocabulary
SPLITS = Expectation(Expect.SOURCES, ("forecast", "news"))
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def router() -> Iterator[Served]:
    """A router on a socket, on version 3.50; what it does is the test's."""
    with serving(Served(version="3.50")) as served:
        yield served


@pytest.fixture
def target(router: Served) -> Target:
    row = Target.objects.create(name="router", kind=Target.Kind.HTTP, base_url=router.url, requests_at_once=1)
    import_vocabulary(row, example_document(), NOW)
    return row


def claim(
    target: Target,
    expected: Expectation = SPLITS,
    query: str = QUERY,
    content: str = "splits compare queries",
) -> Finding:
    example = ExampleDraft(expected, query=query)
    return save_finding(Draft(SUBJECT, content, about=About(target=target), example=example), VERA).finding


def check(target: Target) -> str:
    return tasks.check_examples(target.pk)


def last_of(finding: Finding) -> tuple[str, int, int]:
    row = ExampleCheck.objects.filter(example__finding=finding).latest("id")
    return row.outcome, row.held, row.tries


def never_splits(query: str, source: str) -> tuple[str, str]:
    return content("forecast"), "forecast"


# --- what holds, and what does not ---


def test_a_claim_that_holds_costs_one_request_and_says_when_and_on_which_version(
    router: Served, target: Target
) -> None:
    finding = claim(target)
    assert check(target) == "checked 1, proposed 0, 1 requests"
    assert router.asked == [QUERY]
    example = Example.objects.get(finding=finding)
    assert (example.outcome, example.times_checked, example.checked_version) == ("holds", 1, "3.50")
    assert example.checked_at == NOW


def test_a_version_that_behaves_otherwise_gets_a_successor_proposed_and_supersedes_nothing(
    router: Served, target: Target
) -> None:
    finding = claim(target)
    check(target)
    router.version, router.route = "3.51", never_splits
    assert check(target) == "checked 1, proposed 1, 5 requests"
    proposal = open_proposals().get()
    assert proposal.content == f"The answer to “{QUERY}” comes from forecast since 3.51; 5 of 5"
    assert (proposal.loser, proposal.winner, proposal.origin, proposal.version) == (finding, None, "example", "3.51")
    assert list(findings()) == [finding]
    assert last_of(finding) == ("broken", 0, 5)


def test_the_same_router_on_the_same_version_is_asked_again_only_after_a_day(
    router: Served, target: Target, clock: time_machine.Traveller
) -> None:
    claim(target)
    check(target)
    clock.shift(HOUR)
    assert check(target) == "checked 0, proposed 0, 0 requests"
    clock.shift(DAY)
    assert check(target) == "checked 1, proposed 0, 1 requests"


def test_an_answer_that_comes_and_goes_proposes_nothing(router: Served, target: Target) -> None:
    finding = claim(target)
    turns = iter([False, True, False, True, True])  # by hand: 3 of 5
    router.route = lambda query, source: honest(query, source) if next(turns) else never_splits(query, source)
    assert check(target) == "checked 1, proposed 0, 5 requests"
    assert last_of(finding) == ("unsteady", 3, 5)
    assert not Proposal.objects.exists()


def test_a_target_that_is_away_proposes_nothing_and_counts_as_no_check(router: Served, target: Target) -> None:
    finding = claim(target)
    router.away_after = 0
    assert "the target is away" in check(target)
    router.away_after = 3  # in the middle of the five
    router.route = never_splits
    assert "the target is away" in check(target)
    assert (len(router.asked), Proposal.objects.count(), ExampleCheck.objects.count()) == (3, 0, 0)
    assert Example.objects.get(finding=finding).checked_at is None


def test_an_answer_that_is_an_error_is_no_evidence(router: Served, target: Target) -> None:
    def broken(query: str, source: str) -> tuple[str, str]:
        raise RouterBrokeError("no worker left in the pool")

    finding = claim(target)
    router.route = broken
    assert check(target) == "checked 1, proposed 0, 1 requests"
    assert last_of(finding) == ("unanswered", 0, 0)
    assert "no worker left" in ExampleCheck.objects.get().note


@pytest.mark.parametrize(
    ("kind", "named", "now"),
    [
        (Expect.HEADER, "news", "has no header of news"),
        (Expect.PHRASE, "What NEWS has to say", "does not hold “What NEWS has to say”"),
        (Expect.NO_PHRASE, "nothing today", "holds “nothing today”"),
        (Expect.NO_HEADER, "changes", "has the header of changes"),
    ],
)
def test_each_thing_that_can_be_seen_is_checked_and_worded_as_it_is_now(
    router: Served, target: Target, kind: Expect, named: str, now: str
) -> None:
    def other(query: str, source: str) -> tuple[str, str]:
        text, _ = merged(["forecast", "changes"])
        return f"{text}\nnothing  today", MERGED

    claim(target, Expectation(kind, (named,)))
    assert check(target) == "checked 1, proposed 0, 1 requests"
    router.version, router.route = "3.51", other
    check(target)
    assert open_proposals().get().content == f"The answer to “{QUERY}” {now} since 3.51; 5 of 5"


def test_sources_that_differ_each_time_are_only_said_to_be_others(router: Served, target: Target) -> None:
    claim(target)
    sources = iter(["news", "forecast", "changes", "news", "forecast"])
    router.route = lambda query, source: (content("news"), next(sources))
    check(target)
    proposal = open_proposals().get()
    assert (
        proposal.content == f"The answer to “{QUERY}” comes from other sources than forecast and news in 3.50; 5 of 5"
    )
    assert proposal.example is None


@pytest.mark.parametrize("whose", ["cause", "combination"])
def test_a_check_is_asked_of_the_query_of_a_cause_or_a_combination_with_all_that_it_needs(whose: str) -> None:
    target = Target.objects.create(
        name="bundled", kind=Target.Kind.REFERENCE, reference_faults=["section_twice"], requests_at_once=1
    )
    import_vocabulary(target, bundled_vocabulary(), NOW)
    run_cycle(CycleRequest(target, Cycle.Trigger.COMMAND, 8, 1))
    flag = Flag.objects.filter(check_name="section_repeated").order_by("id")[0]
    of = {"cause": Cause.objects.get(pk=flag.cause_id)} if whose == "cause" else {"combination": flag.combination}
    example = ExampleDraft(Expectation(Expect.FLAGGED, ("section_repeated",)), **of)  # type: ignore[arg-type]
    draft = Draft("claim/capability/bundled/sections", "repeats sections", about=About(target), example=example)
    finding = save_finding(draft, VERA).finding
    row = Example.objects.get(finding=finding)
    assert row.query is not None
    assert query_of(row.query).text == row.query_text
    check(target)
    assert last_of(finding) == ("holds", 1, 1)
    Target.objects.update(reference_faults=[])
    Example.objects.update(checked_at=None)
    check(target)
    assert last_of(finding) == ("broken", 0, 5)
    proposal = open_proposals().get()
    assert "is not flagged by section_repeated" in proposal.content
    assert proposal.example == {"expect": "not_flagged", "named": ["section_repeated"]}


# --- what a person does with a proposal ---


@pytest.fixture
def proposal(router: Served, target: Target) -> Proposal:
    claim(target)
    check(target)
    router.version, router.route = "3.51", never_splits
    check(target)
    return open_proposals().get()


def test_accepted_it_is_saved_in_the_name_of_the_person_with_an_example_of_its_own(
    proposal: Proposal, router: Served, target: Target
) -> None:
    act = accept(proposal, VERA)
    winner = Finding.objects.get(superseded_by=None)
    assert (winner.content, winner.actor, winner.category) == (proposal.content, "vera", SUBJECT)
    assert (act.number, act.other_number, act.actor) == (proposal.loser_id, winner.pk, "vera")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.winner) == ("accepted", winner)
    example = Example.objects.get(finding=winner)
    assert (example.query_text, example.expect, example.named) == (QUERY, "sources", ["forecast"])
    assert check(target) == "checked 1, proposed 0, 1 requests"
    with pytest.raises(OutdatedError):
        accept(proposal, VERA)


def test_accepted_it_supersedes_nothing_but_its_claim(router: Served, target: Target) -> None:
    FindingSettings.get_solo()
    FindingSettings.objects.update(profile="v1")  # by whose rules any two opposite claims on a subject contradict
    claim(target, Expectation(Expect.HEADER, ("news",)))
    other = save_finding(Draft(SUBJECT, "answers within a second"), VERA).finding
    router.route = never_splits
    check(target)
    accept(open_proposals().get(), VERA)
    other.refresh_from_db()
    assert other.superseded_by is None


def test_an_accepted_one_can_be_undone_and_is_not_proposed_again_for_that_version(
    proposal: Proposal, target: Target, clock: time_machine.Traveller
) -> None:
    undo(accept(proposal, VERA), VERA)
    assert findings().count() == 2
    clock.shift(DAY)
    assert "proposed 0" in check(target)


def test_refused_it_comes_back_only_with_another_version(
    proposal: Proposal, router: Served, target: Target, clock: time_machine.Traveller
) -> None:
    refuse(proposal, VERA)
    assert Act.objects.get().kind == "refused"
    clock.shift(DAY)
    assert "proposed 0" in check(target)
    router.version = "3.52"
    assert "proposed 1" in check(target)


def test_an_open_one_is_not_proposed_twice_and_is_outdated_once_the_claim_holds_again(
    proposal: Proposal, router: Served, target: Target, clock: time_machine.Traveller
) -> None:
    clock.shift(DAY)
    assert "proposed 0" in check(target)
    router.version, router.route = "3.52", honest
    check(target)
    proposal.refresh_from_db()
    assert (proposal.state, open_proposals().count()) == ("outdated", 0)
    with pytest.raises(OutdatedError):
        accept(proposal, VERA)


def test_a_correction_is_checked_too_and_its_successor_is_one(router: Served, target: Target) -> None:
    example = ExampleDraft(SPLITS, query=QUERY)
    save_finding(Draft(SUBJECT, "splits", ("correction",), About(target=target), example), VERA)
    router.route = never_splits
    check(target)
    accept(open_proposals().get(), VERA)
    assert findings().get().is_correction


def test_of_a_superseded_claim_nothing_is_asked_and_nothing_accepted(
    proposal: Proposal, router: Served, target: Target, clock: time_machine.Traveller
) -> None:
    newer = save_finding(Draft(SUBJECT, "does not split compare queries"), VERA)
    assert newer.superseded == [proposal.loser_id]
    clock.shift(DAY)
    assert check(target) == "checked 0, proposed 0, 0 requests"
    assert not open_proposals().exists()
    with pytest.raises(OutdatedError):
        accept(proposal, VERA)


# --- limits ---


def test_no_more_than_the_days_requests_are_sent_and_all_claims_have_their_turn(
    router: Served, target: Target, clock: time_machine.Traveller
) -> None:
    FindingSettings.get_solo()
    FindingSettings.objects.update(example_requests=10)
    router.route = never_splits
    for number, word in enumerate(("apples", "pears", "plums")):
        claim(target, query=f"wind speed plus rss {number}", content=f"splits {word} off")
    assert check(target) == "checked 2, proposed 2, 10 requests; all 10 requests are used up"
    assert check(target) == "another worker checks it, or today's requests are used up"
    clock.shift(DAY)
    assert "checked 2" in check(target)
    assert router.asked[10:15] == ["wind speed plus rss 2"] * 5


def test_0_switches_it_off_and_so_does_all_that_switches_testing_off(router: Served, target: Target) -> None:
    claim(target)
    FindingSettings.get_solo()
    FindingSettings.objects.update(example_requests=0)
    assert check(target) == "switched off"
    assert tasks.scheduled_example_checks() == "queued 0"
    FindingSettings.objects.update(example_requests=100)
    Tuning.get_solo()
    Tuning.objects.update(enabled=False)
    assert check(target) == "switched off"
    Tuning.objects.update(enabled=True)
    Target.objects.update(enabled=False)
    assert check(target) == "switched off"
    assert router.asked == []


def test_switched_off_in_the_middle_it_stops_before_the_next_request(
    router: Served, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim(target)
    router.route = never_splits
    left = iter([True, True, False])
    monkeypatch.setattr("selftest.cycles.requests_in_turn.is_enabled", lambda row: next(left))
    assert "testing was switched off" in check(target)
    assert (len(router.asked), ExampleCheck.objects.count()) == (2, 0)


def test_it_keeps_to_the_targets_requests_a_second(
    router: Served, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    reserved: list[int] = []
    monkeypatch.setattr("selftest.storage.request_pace.reserve", lambda row: reserved.append(row.pk) or 0.0)
    router.route = never_splits
    claim(target)
    check(target)
    assert reserved == [target.pk] * 5


def test_it_waits_while_a_cycle_runs_on_the_target(
    router: Served, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    cycle = Cycle.objects.create(
        target=target, trigger="page", state="running", seed=1, queries_wanted=1, created_at=NOW, started_at=NOW,
        owner=ownership.this_process(),
    )  # fmt: skip
    ownership.register(cycle)

    def over(_: float) -> None:
        assert router.asked == []
        Cycle.objects.update(state="finished")

    monkeypatch.setattr("selftest.cycles.requests_in_turn.time.sleep", over)
    claim(target)
    try:
        assert "checked 1" in check(target)
    finally:
        ownership.unregister(cycle)


def test_one_process_at_a_time_checks_a_target_and_a_dead_one_is_taken_over(router: Served, target: Target) -> None:
    claim(target)
    CheckingRound.objects.create(target=target, owner="elsewhere:1:2", last_sign_at=timezone.now())
    assert check(target) == "another worker checks it, or today's requests are used up"
    CheckingRound.objects.update(last_sign_at=timezone.now() - HOUR)
    assert "checked 1" in check(target)
    assert CheckingRound.objects.get().owner == ""


def test_the_newest_checks_are_kept_and_all_are_counted(
    router: Served, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("selftest.findings.checking.KEPT_CHECKS", 2)
    assert KEPT_CHECKS == 100
    claim(target)
    for version in ("1", "2", "3"):
        router.version = version
        check(target)
    assert list(ExampleCheck.objects.values_list("version", flat=True)) == ["3", "2"]
    assert Example.objects.get().times_checked == 3


# --- when ---


def test_a_round_is_queued_each_hour_for_each_target_with_examples(target: Target) -> None:
    follow_settings()
    row = Schedule.objects.get(name="checks of examples")
    assert (row.func, row.schedule_type) == ("selftest.tasks.scheduled_example_checks", "H")
    assert tasks.scheduled_example_checks() == "queued 0"
    claim(target)
    assert tasks.scheduled_example_checks() == "queued 1"
    assert OrmQ.objects.get().name() == f"examples of target {target.pk}"
    settings = FindingSettings.get_solo()
    settings.example_requests = 0
    put_in_force(settings, VERA)
    assert not Schedule.objects.filter(name="checks of examples").exists()


def test_a_cycle_that_finds_another_version_has_the_examples_asked_at_once(router: Served, target: Target) -> None:
    claim(target)
    check(target)
    router.version = "3.51"
    outcome = run_cycle(CycleRequest(target, Cycle.Trigger.PAGE, 1, 1))
    assert outcome.cycle is not None
    OrmQ.objects.all().delete()
    tasks._followed_up(outcome)
    assert f"examples of target {target.pk}" in [queued.name() for queued in OrmQ.objects.all()]
    check(target)
    OrmQ.objects.all().delete()
    tasks._followed_up(outcome)
    assert f"examples of target {target.pk}" not in [queued.name() for queued in OrmQ.objects.all()]


# --- giving one ---


@pytest.mark.parametrize(
    ("expected", "query", "says"),
    [
        (SPLITS, "  ", "one query"),
        (Expectation(Expect.SOURCES, ()), QUERY, "does not say what should be seen"),
        (Expectation(Expect.SOURCES, ("forcast",)), QUERY, "no source of router; known are"),
        (Expectation(Expect.HEADER, ("forecast", "news")), QUERY, "just one"),
        (Expectation(Expect.PHRASE, (" ",)), QUERY, "does not say what should be seen"),
        (Expectation(Expect.PHRASE, ("x" * 501,)), QUERY, "the limit is 500"),
        (Expectation(Expect.PHRASE, ("a\x00b",)), QUERY, "NUL"),
        (Expectation(Expect.FLAGGED, ("crash",)), QUERY, "name a cause or a combination"),
        (Expectation(Expect.FLAGGED, ("crush",)), QUERY, "no check 'crush'"),
        (SPLITS, "x" * 4_001, "the limit is 4000"),
    ],
)
def test_what_could_not_be_asked_or_would_say_nothing_is_refused_with_its_claim(
    target: Target, expected: Expectation, query: str, says: str
) -> None:
    with pytest.raises(RefusedError, match=says):
        claim(target, expected, query)
    assert not Finding.objects.exists()


@pytest.mark.parametrize("category", ["notes", "feedback/from-user/compare", "claim/capability/"])
def test_only_a_claim_can_have_one(target: Target, category: str) -> None:
    with pytest.raises(RefusedError, match="only a claim"):
        save_finding(Draft(category, "splits", about=About(target=target), example=ExampleDraft(SPLITS, QUERY)), VERA)
    assert not Finding.objects.exists()


def test_without_a_target_it_is_that_of_the_category_or_refused(target: Target) -> None:
    named = save_finding(Draft(SUBJECT, "splits", example=ExampleDraft(SPLITS, QUERY)), VERA).finding
    assert Example.objects.get(finding=named).target == target
    with pytest.raises(RefusedError, match="needs a target"):
        save_finding(Draft("claim/capability/else/compare", "splits", example=ExampleDraft(SPLITS, QUERY)), VERA)


def test_another_one_replaces_it_and_begins_its_count_again(proposal: Proposal) -> None:
    finding = proposal.loser
    put_example(finding, ExampleDraft(Expectation(Expect.PHRASE, ("What",)), QUERY), VERA)
    assert (Example.objects.get().times_checked, ExampleCheck.objects.count()) == (0, 0)
    proposal.refresh_from_db()
    assert proposal.state == "outdated"
    assert drop_example(finding, VERA)
    assert not drop_example(finding, VERA)
    assert list(Act.objects.values_list("kind", flat=True)) == ["example", "example"]
