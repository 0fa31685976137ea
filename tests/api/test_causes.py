"""/api/v1/causes: what waits for a person, what one cause is made of, and what people decide about it."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Actor, Cause, CauseEvent, CauseTally, Combination, Reduction, Target
from selftest.reading.causes import combinations_by_cause
from selftest.reviewing.causes import judge, merge, note_cause
from selftest.reviewing.judgement import Judgement
from tests.api.conftest import NOON, error_of
from tests.review import factory
from tests.roles import give

pytestmark = pytest.mark.django_db

CAUSES = "/api/v1/causes"
ADA = Actor("ada")
TWICE, BLANK, CRASH = CheckName.SECTION_REPEATED, CheckName.SECTION_BLANK, CheckName.CRASH
KEYS = [
    *("id", "target", "sentence", "checks", "flags_now", "flags_open", "flags_total", "runs_matching", "verdict"),
    *("reason", "link", "assignee", "smallest_query", "example_fingerprint", "reproduced", "first_seen", "last_seen"),
    "new_since_verdict",
]
ACTS = [("judge", {"verdict": "accepted"}), ("reopen", {"reason": ""}), ("assign", {"assignee": None})]


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    combinations_by_cause.cache_clear()  # the revision is told by the clock, which here begins again with every test
    with time_machine.travel(NOON, tick=False):
        yield


def flag(*checks: CheckName, times: int = 3, target: Target | None = None) -> list[Combination]:
    """Combinations whose only run broke these checks, each check put down to a cause of its own."""
    made = [factory.make_combination(target=target) for _ in range(times)]
    for combination in made:
        cycle = factory.make_cycle(target=target) if target else None
        factory.ask(combination, [factory.finding(check) for check in checks], cycle=cycle)
    assign_causes(target or factory.a_target(), timezone.now())
    return made


def again(combination: Combination, *checks: CheckName) -> None:
    factory.ask(combination, [factory.finding(check) for check in checks])
    assign_causes(combination.target, timezone.now())


def cause_of(check: CheckName) -> Cause:
    return Cause.objects.get(checks=[check], merged_into=None)


def path_of(check: CheckName, act: str = "") -> str:
    return f"{CAUSES}/{cause_of(check).pk}{act and f'/{act}'}"


def read(client: Client, path: str = CAUSES, **query: Any) -> dict[str, Any]:
    response = client.get(path, query_params=query)
    assert response.status_code == 200, response.content
    document: dict[str, Any] = response.json()
    return document


def checks_in(client: Client, **query: Any) -> list[str]:
    return [row["checks"][0] for row in read(client, **query)["causes"]]


def post(client: Client, path: str, body: Any, **more: Any) -> Any:
    return client.post(path, body, content_type="application/json", **more)


def done(client: Client, path: str, body: Any) -> dict[str, Any]:
    response = post(client, path, body)
    assert response.status_code == 200, response.content
    document: dict[str, Any] = response.json()
    return document


def cursor_of(text: str) -> str:
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


# --- the list ---


def test_a_row_has_the_keys_of_the_contract_in_their_order_and_then_more(caller: Client) -> None:
    for text in ("a long one about many things", "a short one", "one of middling length"):
        factory.flagged(text, factory.finding(BLANK))
    assign_causes(factory.a_target(), timezone.now())
    row = cause_of(BLANK)
    Cause.objects.update(asked_again=6, seen_again=5)
    document = read(caller)
    assert list(document) == ["causes", "next"]
    assert document["next"] is None
    [found] = document["causes"]
    assert list(found)[: len(KEYS)] == KEYS
    assert found == {
        "id": row.pk,
        "target": "bundled",
        "sentence": row.sentence,
        "checks": [BLANK],
        "flags_now": 3,
        "flags_open": 3,
        "flags_total": 3,
        "runs_matching": row.runs,
        "verdict": None,
        "reason": "",
        "link": "",
        "assignee": None,
        "smallest_query": "a short one",
        "example_fingerprint": Combination.objects.get(last_query_text="a short one").fingerprint,
        "reproduced": [5, 6],
        "first_seen": "2026-06-30T12:00:00Z",
        "last_seen": "2026-06-30T12:00:00Z",
        "new_since_verdict": 0,
        "judged_by": "",
        "judged_at": None,
        "until": None,
        "in_inbox": True,
        "runs_flagged": 3,
        "other_runs": 0,
        "other_runs_flagged": 0,
        "quiet": None,
        "back_after": None,
    }


@pytest.mark.parametrize(
    ("counts", "quiet", "back_after"),
    [
        ([(8, 8), (1, 0), (2, 0)], 3, None),
        ([(8, 8), (1, 0), (2, 0), (9, 1)], None, 3),
        ([(8, 1), (8, 0)], None, None),
    ],
)
def test_a_cause_that_is_quiet_or_back_has_so_many_runs_and_their_odds(
    counts: list[tuple[int, int]], quiet: int | None, back_after: int | None, caller: Client
) -> None:
    flag(BLANK)
    CauseTally.objects.all().delete()
    for runs, flagged in counts:
        CauseTally.objects.create(cause=cause_of(BLANK), cycle=factory.make_cycle(), runs=runs, flagged=flagged)
    [found] = read(caller)["causes"]
    odds = pytest.approx(1 / 10 * 2 / 11 * 3 / 12)
    assert found["quiet"] == (None if quiet is None else {"runs": quiet, "chance": odds})
    assert found["back_after"] == (None if back_after is None else {"runs": back_after, "chance": odds})


def test_flagged_now_and_not_dismissed_are_counted_as_combinations_and_all_flags_as_flags(caller: Client) -> None:
    rows = flag(BLANK, times=4)
    again(rows[0], BLANK)  # one more flag of the same combination
    again(rows[1])  # came back clean
    done(caller, "/api/v1/review/dismiss", {"items": [{"fingerprint": rows[2].fingerprint}]})
    [found] = read(caller)["causes"]
    assert (found["flags_now"], found["flags_open"], found["flags_total"]) == (3, 3, 5)


def test_the_smallest_query_is_the_one_that_was_looked_for_where_there_is_one(caller: Client) -> None:
    flag(BLANK)
    example = cause_of(BLANK).example
    assert example is not None
    Reduction.objects.create(
        combination=example.combination,
        run=example.run,
        check_name=BLANK,
        state=Reduction.State.FINISHED,
        askings_at_most=40,
        smallest=example.run.query,
        smallest_text="comets",
        created_at=NOON,
    )
    assert read(caller)["causes"][0]["smallest_query"] == "comets"


def test_without_an_example_there_is_neither_a_query_nor_its_combination(caller: Client) -> None:
    flag(BLANK)
    Cause.objects.update(example=None)
    [found] = read(caller)["causes"]
    assert (found["smallest_query"], found["example_fingerprint"]) == (None, None)


def test_most_open_flags_come_first(caller: Client) -> None:
    flag(BLANK, times=2)
    flag(TWICE, times=5)
    flag(CRASH, times=3)
    assert checks_in(caller) == [TWICE, CRASH, BLANK]


def test_the_inbox_is_listed_unless_another_state_is_asked_for(caller: Client) -> None:
    flag(BLANK, times=2)
    rows = flag(TWICE, times=3)
    judge(cause_of(TWICE), Judgement(Cause.Verdict.ACCEPTED), ADA)
    assert checks_in(caller) == checks_in(caller, state="inbox") == [BLANK]
    assert checks_in(caller, state="judged") == [TWICE]
    assert checks_in(caller, state="all") == [BLANK, TWICE]
    again(rows[0], TWICE)
    assert checks_in(caller) == [BLANK, TWICE], "a new flag brings it back"
    assert read(caller, state="judged")["causes"][0]["new_since_verdict"] == 1


def test_a_merged_cause_is_in_no_list(caller: Client) -> None:
    flag(BLANK)
    flag(TWICE)
    heir = merge(cause_of(BLANK), cause_of(TWICE), ADA)
    assert [row["id"] for row in read(caller, state="all")["causes"]] == [heir.pk]


def test_a_target_that_is_named_is_meant_and_else_all_that_are_switched_on(caller: Client) -> None:
    flag(BLANK, times=2)
    other = factory.make_target("other", is_default=False)
    flag(TWICE, times=3, target=other)
    assert checks_in(caller) == [TWICE, BLANK]
    assert checks_in(caller, target="other") == [TWICE]
    assert checks_in(caller, target="bundled") == [BLANK]
    Target.objects.filter(pk=other.pk).update(enabled=False)
    assert checks_in(caller) == [BLANK]
    assert checks_in(caller, target="other") == [TWICE]
    assert error_of(caller.get(CAUSES, {"target": "elsewhere"}), 404)["code"] == "not_found"


def test_where_there_is_nothing_the_list_is_empty(caller: Client) -> None:
    assert read(caller) == {"causes": [], "next": None}


@pytest.mark.parametrize(("query", "field"), [({"state": "open"}, "state"), ({"limit": 0}, "limit")])
def test_what_is_no_state_and_no_limit_is_refused(query: dict[str, Any], field: str, caller: Client) -> None:
    assert error_of(caller.get(CAUSES, query), 422)["field"] == field


# --- pages ---


@pytest.fixture
def seven(caller: Client) -> list[int]:
    """Keys of causes as they are listed, of which some have equally many flags."""
    made = [factory.make_cause(verdict="accepted", new_flags=1, flags=flags) for flags in (3, 1, 3, 2, 1, 1, 9)]
    return [made[place].pk for place in (6, 0, 2, 3, 1, 4, 5)]


@pytest.mark.parametrize("limit", [1, 3, 6, 7, 8])
def test_the_pages_together_are_the_whole_list(limit: int, caller: Client, seven: list[int]) -> None:
    found: list[int] = []
    query: dict[str, Any] = {"limit": limit}
    while query.get("cursor", "first") is not None:
        page = read(caller, **query)
        assert 0 < len(page["causes"]) <= limit
        found += [row["id"] for row in page["causes"]]
        query["cursor"] = page["next"]
    assert found == seven


def test_open_flags_count_before_all_flags_in_a_cursor_too(caller: Client) -> None:
    flag(BLANK, times=2)
    flag(TWICE, times=4)
    Cause.objects.filter(pk=cause_of(BLANK).pk).update(flags=90)
    first = read(caller, limit=1)
    second = read(caller, limit=1, cursor=first["next"])
    assert [page["causes"][0]["checks"] for page in (first, second)] == [[TWICE], [BLANK]]
    assert second["next"] is None


def test_a_cause_that_arrives_meanwhile_moves_nothing(caller: Client, seven: list[int]) -> None:
    first = read(caller, limit=3)
    factory.make_cause(verdict="accepted", new_flags=1, flags=7)
    second = read(caller, limit=50, cursor=first["next"])
    assert [row["id"] for row in first["causes"] + second["causes"]] == seven


def test_a_cursor_is_of_its_own_listing_alone(caller: Client, seven: list[int]) -> None:
    cursor = read(caller, limit=3)["next"]
    assert read(caller, limit=3, cursor=cursor)["causes"]
    others: list[dict[str, Any]] = [{"state": "all"}, {"state": "judged"}, {"target": "bundled"}]
    for other in others:
        error = error_of(caller.get(CAUSES, {"limit": 3, "cursor": cursor, **other}), 422)
        assert (error["code"], error["field"]) == ("invalid", "cursor")
    for path in (f"{CAUSES}/{seven[0]}", f"{CAUSES}/{seven[0]}/flags", "/api/v1/combinations"):
        assert error_of(caller.get(path, {"cursor": cursor}), 422)["field"] == "cursor"


@pytest.mark.parametrize(
    "numbers",
    ["", "7", "0:-3", "0:-3:1:1", "0:-03:1", "-0:-3:1", "0:-3:x", "0:-3:", f"0:-3:{2**63}", f"0:{-(2**63)}:1"],
)
def test_a_cursor_that_no_page_gave_is_refused(numbers: str, caller: Client, seven: list[int]) -> None:
    listing = urlsafe_b64decode(read(caller, limit=1)["next"] + "==").decode().partition(":")[0]
    assert read(caller, cursor=cursor_of(f"{listing}:0:-9:0"))["causes"], "as a page gives it, it is taken"
    error = error_of(caller.get(CAUSES, {"cursor": cursor_of(f"{listing}:{numbers}")}), 422)
    assert error["field"] == "cursor"


def test_no_page_is_counted_off_from_the_start(caller: Client, seven: list[int]) -> None:
    cursor = read(caller, limit=3)["next"]
    with CaptureQueriesContext(connection) as queries:
        read(caller, limit=3, cursor=cursor)
    assert not any("OFFSET" in query["sql"] for query in queries.captured_queries)


def test_a_longer_page_takes_no_more_queries(caller: Client) -> None:
    for check in (BLANK, TWICE, CRASH):
        flag(check)
    read(caller)  # counts are kept for as long as nothing changes

    def queries_of(limit: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert len(read(caller, limit=limit)["causes"]) == limit
        return len(queries)

    assert queries_of(1) == queries_of(3)


# --- one cause ---


def test_a_cause_is_its_row_with_its_story_newest_first(caller: Client) -> None:
    flag(BLANK)
    judge(cause_of(BLANK), Judgement(Cause.Verdict.FALSE_ALARM, "the feed is empty on Sundays"), ADA)
    document = read(caller, path_of(BLANK))
    [row] = read(caller, state="judged")["causes"]
    story = document.pop("story")
    assert document.pop("promise_source") is None  # its target has no documentation
    assert document == row
    assert story["next"] is None
    judged, found = story["items"]
    assert judged == {
        "id": CauseEvent.objects.latest("pk").pk,
        "kind": "judged",
        "verdict": "false_alarm",
        "verdict_before": None,
        "actor": "ada",
        "note": "the feed is empty on Sundays",
        "other_cause_id": None,
        "at": "2026-06-30T12:00:00Z",
    }
    assert (found["kind"], found["verdict"], found["actor"]) == ("found", None, "engine")


def test_the_story_has_pages(caller: Client) -> None:
    flag(BLANK)
    for number in range(3):
        note_cause(cause_of(BLANK), ADA, f"note {number}")
    first = read(caller, path_of(BLANK), limit=3)["story"]
    second = read(caller, path_of(BLANK), limit=3, cursor=first["next"])["story"]
    assert [event["note"] for event in first["items"]] == ["note 2", "note 1", "note 0"]
    assert ([event["kind"] for event in second["items"]], second["next"]) == (["found"], None)
    assert error_of(caller.get(path_of(BLANK, "flags"), {"cursor": first["next"]}), 422)["field"] == "cursor"


def test_the_number_of_a_merged_cause_leads_to_what_it_became(caller: Client) -> None:
    flag(BLANK, times=2)
    flag(TWICE, times=3)
    gone, heir = cause_of(BLANK), cause_of(TWICE)
    merge(gone, heir, ADA)
    found = read(caller, f"{CAUSES}/{gone.pk}")
    assert (found["id"], found["flags_total"]) == (heir.pk, 5)
    assert found["story"]["items"][0]["other_cause_id"] == gone.pk
    assert len(read(caller, f"{CAUSES}/{gone.pk}/flags")["items"]) == 5


def test_its_combinations_are_rows_of_flagged_newest_first_with_pages(caller: Client) -> None:
    rows = flag(BLANK, times=3)
    flag(TWICE)
    first = read(caller, path_of(BLANK, "flags"), limit=2)
    second = read(caller, path_of(BLANK, "flags"), limit=2, cursor=first["next"])
    found = first["items"] + second["items"]
    assert [row["fingerprint"] for row in found] == [row.fingerprint for row in reversed(rows)]
    assert second["next"] is None
    flagged = {row["fingerprint"]: row for row in read(caller, "/adversarial/flagged")["flagged"]}
    cause = cause_of(BLANK)
    more = {"verdict": None, "dismissed_at": None, "cause": {"id": cause.pk, "sentence": cause.sentence}}
    assert found == [flagged[row["fingerprint"]] | more for row in found]
    assert found[0]["last_flagged_result_excerpt"] == "Some real content."


def test_a_combination_that_was_dismissed_is_still_among_them(caller: Client) -> None:
    flag(BLANK, times=2)
    judge(cause_of(BLANK), Judgement(Cause.Verdict.DISMISSED), ADA)
    rows = read(caller, path_of(BLANK, "flags"))["items"]
    assert [row["review_status"] for row in rows] == ["dismissed"] * 2


@pytest.mark.parametrize("path", ["", "/flags"])
def test_an_unknown_cause_is_not_found(path: str, caller: Client) -> None:
    assert error_of(caller.get(f"{CAUSES}/4711{path}"), 404)["message"] == "there is no cause 4711"


@pytest.mark.parametrize(("act", "body"), ACTS)
def test_nothing_is_done_to_an_unknown_cause(act: str, body: Any, caller: Client) -> None:
    assert error_of(post(caller, f"{CAUSES}/4711/{act}", body), 404)["message"] == "there is no cause 4711"


# --- verdicts ---


@pytest.mark.parametrize("verdict", list(Cause.Verdict))
def test_a_verdict_dismisses_its_combinations_and_the_cause_is_answered_as_it_then_is(
    verdict: str, caller: Client
) -> None:
    rows = flag(BLANK, times=3)
    found = done(caller, path_of(BLANK, "judge"), {"verdict": verdict})
    assert found == read(caller, path_of(BLANK))
    assert (found["verdict"], found["judged_by"], found["judged_at"]) == (verdict, "key script", "2026-06-30T12:00:00Z")
    assert (found["flags_now"], found["flags_open"], found["flags_total"], found["in_inbox"]) == (3, 0, 3, False)
    assert found["story"]["items"][0]["verdict"] == verdict
    assert {Combination.objects.get(pk=row.pk).review_status for row in rows} == {"dismissed"}
    assert checks_in(caller) == []


def test_everything_that_a_verdict_may_say_is_kept(caller: Client) -> None:
    flag(BLANK)
    body = {"verdict": "confirmed", "reason": "see there", "link": "https://tracker.example/7", "until": None}
    found = done(caller, path_of(BLANK, "judge"), {**body, "seen_flags": 3})
    assert (found["reason"], found["link"], found["until"]) == ("see there", "https://tracker.example/7", None)


def test_later_is_until_a_date_so_many_flags_or_a_version(caller: Client) -> None:
    flag(BLANK)
    until = {"date": "2026-07-03", "new_flags": 4, "target_version": "3.51"}
    body = {"verdict": "later", "reason": "", "link": "", "until": until, "seen_flags": 3}
    assert done(caller, path_of(BLANK, "judge"), body)["until"] == until
    assert checks_in(caller) == []
    with time_machine.travel("2026-07-03T00:00:00Z", tick=False):
        assert checks_in(caller) == [BLANK]
    until = {"date": None, "new_flags": 4, "target_version": None}
    assert done(caller, path_of(BLANK, "judge"), {"verdict": "later", "until": until})["until"] == until
    assert done(caller, path_of(BLANK, "judge"), {"verdict": "later", "until": {}})["until"] is None


def test_until_is_of_later_alone(caller: Client) -> None:
    flag(BLANK)
    body = {"verdict": "accepted", "until": {"date": "2026-07-03"}}
    assert done(caller, path_of(BLANK, "judge"), body)["until"] is None


def test_where_flags_came_since_the_caller_looked_nothing_is_judged(caller: Client) -> None:
    rows = flag(BLANK, times=2)
    seen = read(caller)["causes"][0]["flags_total"]
    again(rows[0], BLANK)
    error = error_of(post(caller, path_of(BLANK, "judge"), {"verdict": "accepted", "seen_flags": seen}), 409)
    assert error["code"] == "outdated"
    assert error["message"] == "1 more flag came since you looked; look again first"
    assert cause_of(BLANK).verdict is None
    assert {Combination.objects.get(pk=row.pk).review_status for row in rows} == {None}
    assert done(caller, path_of(BLANK, "judge"), {"verdict": "accepted", "seen_flags": seen + 1})["verdict"]


def test_where_another_verdict_came_since_the_caller_looked_nothing_is_judged(caller: Client) -> None:
    flag(BLANK)
    path = path_of(BLANK, "judge")
    assert done(caller, path, {"verdict": "accepted", "seen_verdict": None})["verdict"] == "accepted"
    for stale in (None, "later"):
        error = error_of(post(caller, path, {"verdict": "confirmed", "seen_verdict": stale}), 409)
        assert error["code"] == "outdated"
        assert cause_of(BLANK).verdict == "accepted"
    assert done(caller, path, {"verdict": "confirmed", "seen_verdict": "accepted"})["verdict"] == "confirmed"
    assert done(caller, path, {"verdict": "dismissed"})["verdict"] == "dismissed"  # what was seen is not said


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "verdict"),
        ({"verdict": None}, "verdict"),
        ({"verdict": "wrong"}, "verdict"),
        ({"verdict": "accepted", "reason": None}, "reason"),
        ({"verdict": "accepted", "reason": 7}, "reason"),
        ({"verdict": "accepted", "reason": "\x00"}, "reason"),
        ({"verdict": "accepted", "reason": 2001 * "a"}, "reason"),
        ({"verdict": "accepted", "link": "javascript:alert(1)"}, "link"),
        ({"verdict": "accepted", "link": "tracker"}, "link"),
        ({"verdict": "accepted", "link": "https://x.example/" + 500 * "a"}, "link"),
        ({"verdict": "accepted", "seen_flags": "3"}, "seen_flags"),
        ({"verdict": "accepted", "seen_flags": True}, "seen_flags"),
        ({"verdict": "accepted", "seen_flags": -1}, "seen_flags"),
        ({"verdict": "accepted", "seen_flag": 3}, "seen_flag"),
        ({"verdict": "accepted", "seen_verdict": "open"}, "seen_verdict"),
        ({"verdict": "later", "until": "2026-07-03"}, "until"),
        ({"verdict": "later", "until": {"day": "2026-07-03"}}, "until.day"),
        ({"verdict": "later", "until": {"date": "3 July"}}, "until.date"),
        ({"verdict": "later", "until": {"date": "2026-02-30"}}, "until.date"),
        ({"verdict": "later", "until": {"date": "2026-07-03T00:00:00"}}, "until.date"),
        ({"verdict": "later", "until": {"date": 1782000000}}, "until.date"),
        ({"verdict": "later", "until": {"new_flags": 0}}, "until.new_flags"),
        ({"verdict": "later", "until": {"new_flags": 2**31}}, "until.new_flags"),
        ({"verdict": "later", "until": {"new_flags": "4"}}, "until.new_flags"),
        ({"verdict": "later", "until": {"target_version": 3.5}}, "until.target_version"),
        ({"verdict": "later", "until": {"target_version": 201 * "3"}}, "until.target_version"),
    ],
)
def test_a_verdict_that_cannot_be_meant_is_refused_and_its_field_named(body: Any, field: str, caller: Client) -> None:
    flag(BLANK)
    error = error_of(post(caller, path_of(BLANK, "judge"), body), 422)
    assert (error["code"], error["field"]) == ("invalid", field)
    assert error["message"].startswith(f"{field}: ")
    assert cause_of(BLANK).verdict is None


@pytest.mark.parametrize(("act", "body"), ACTS)
def test_a_merged_cause_is_not_acted_upon_by_its_old_number(act: str, body: Any, caller: Client) -> None:
    flag(BLANK)
    flag(TWICE)
    gone, heir = cause_of(BLANK), cause_of(TWICE)
    merge(gone, heir, ADA)
    error = error_of(post(caller, f"{CAUSES}/{gone.pk}/{act}", body), 409)
    assert error["code"] == "outdated"
    assert f"was merged into cause {heir.pk}" in error["message"]
    heir.refresh_from_db()
    assert heir.verdict is None


# --- reopening and assigning ---


def test_reopened_it_is_back_with_its_combinations(caller: Client) -> None:
    rows = flag(BLANK, times=2)
    done(caller, path_of(BLANK, "judge"), {"verdict": "accepted", "reason": "known"})
    found = done(caller, path_of(BLANK, "reopen"), {"reason": "it is worse than that"})
    assert (found["verdict"], found["reason"], found["flags_open"], found["in_inbox"]) == (None, "", 2, True)
    told = found["story"]["items"][0]
    assert (told["kind"], told["verdict"], told["note"]) == ("reopened", "accepted", "it is worse than that")
    assert {Combination.objects.get(pk=row.pk).review_status for row in rows} == {None}


def test_what_is_not_judged_is_not_reopened(caller: Client) -> None:
    flag(BLANK)
    error = error_of(post(caller, path_of(BLANK, "reopen"), {}), 409)
    assert (error["code"], error["message"]) == ("refused", "this cause is not judged; there is nothing to reopen")


@pytest.mark.parametrize(
    ("body", "field"), [({"reason": 7}, "reason"), ({"reason": 2001 * "a"}, "reason"), ({"why": "x"}, "why")]
)
def test_a_reason_that_cannot_be_kept_is_refused(body: Any, field: str, caller: Client) -> None:
    flag(BLANK)
    judge(cause_of(BLANK), Judgement(Cause.Verdict.ACCEPTED), ADA)
    assert error_of(post(caller, path_of(BLANK, "reopen"), body), 422)["field"] == field
    assert cause_of(BLANK).verdict == "accepted"


def test_it_is_assigned_to_a_person_and_to_no_one(caller: Client, person: User) -> None:
    flag(BLANK)
    found = done(caller, path_of(BLANK, "assign"), {"assignee": "ada"})
    assert (found["assignee"], found["story"]["items"][0]["kind"]) == ("ada", "assigned")
    assert cause_of(BLANK).held_by == person
    assert done(caller, path_of(BLANK, "assign"), {"assignee": "ada"})["story"] == found["story"], "said once"
    found = done(caller, path_of(BLANK, "assign"), {"assignee": None})
    assert (found["assignee"], found["story"]["items"][0]["kind"]) == (None, "unassigned")


def test_an_unknown_user_is_not_found(caller: Client) -> None:
    flag(BLANK)
    assert error_of(post(caller, path_of(BLANK, "assign"), {"assignee": "eve"}), 404)["message"] == "unknown user 'eve'"


@pytest.mark.parametrize("roles", [(), ("viewer",)])
def test_it_is_assigned_to_no_one_who_may_not_review(roles: tuple[str, ...], caller: Client) -> None:
    flag(BLANK)
    give(User.objects.create_user("otto"), *roles)
    error = error_of(post(caller, path_of(BLANK, "assign"), {"assignee": "otto"}), 422)
    assert (error["code"], error["field"]) == ("invalid", "assignee")
    assert "an admin can make that account a reviewer" in error["message"]
    assert cause_of(BLANK).held_by is None


def test_nor_to_an_account_that_was_closed(caller: Client, person: User) -> None:
    flag(BLANK)
    User.objects.update(is_active=False)
    assert error_of(post(caller, path_of(BLANK, "assign"), {"assignee": "ada"}), 422)["field"] == "assignee"


@pytest.mark.parametrize(
    ("body", "field"), [({}, "assignee"), ({"assignee": 7}, "assignee"), ({"assignee": None, "to": "ada"}, "to")]
)
def test_whom_it_is_assigned_to_is_said_in_so_many_words(body: Any, field: str, caller: Client) -> None:
    flag(BLANK)
    assert error_of(post(caller, path_of(BLANK, "assign"), body), 422)["field"] == field


# --- who may ---


@pytest.mark.parametrize("path", ["", "/flags"])
def test_without_a_key_or_a_session_nothing_is_read(path: str, anyone: Client) -> None:
    flag(BLANK)
    error_of(anyone.get(CAUSES), 401)
    error_of(anyone.get(path_of(BLANK) + path), 401)


@pytest.mark.parametrize(("act", "body"), ACTS)
def test_a_session_changes_something_with_its_token_and_as_a_reviewer_alone(
    act: str, body: Any, signed_in: Client, csrf_token: dict[str, str], person: User, anyone: Client
) -> None:
    flag(BLANK)
    if act == "reopen":
        judge(cause_of(BLANK), Judgement(Cause.Verdict.ACCEPTED), Actor("cleo"))
    path = path_of(BLANK, act)
    error_of(post(anyone, path, body), 401)
    assert error_of(post(signed_in, path, body), 403)["code"] == "csrf_failed"
    assert post(signed_in, path, body, headers=csrf_token).status_code == 200
    person.groups.clear()
    give(person, "viewer")
    assert error_of(post(signed_in, path, body, headers=csrf_token), 403)["code"] == "forbidden"


def test_a_verdict_by_a_session_is_that_persons(signed_in: Client, csrf_token: dict[str, str], person: User) -> None:
    flag(BLANK)
    assert post(signed_in, path_of(BLANK, "judge"), {"verdict": "accepted"}, headers=csrf_token).status_code == 200
    told = CauseEvent.objects.latest("pk")
    assert (told.actor, told.user) == ("ada", person)
