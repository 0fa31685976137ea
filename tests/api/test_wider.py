"""GET /api/v1/…: what was tried, asked and found, for scripts."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Actor, Cause, Cycle, Explanation, RecipeTally, ReviewEvent, Run, Target, Tuning
from selftest.reading import listings, targets
from selftest.reading.judging_terms import stability_of
from selftest.reviewing.dismissal import dismiss
from tests import memory
from tests.api.conftest import NOON, History, MakeTarget, answer_to, error_of, finding, minutes, reading

pytestmark = pytest.mark.django_db

LISTS = ["targets", "combinations", "runs", "flags", "cycles"]
EMPTY = {"items": [], "next": None}


def read(client: Client, path: str, **query: Any) -> Any:
    return answer_to(client, reading(path, **query))


def column(document: dict[str, Any], name: str) -> list[Any]:
    return [item[name] for item in document["items"]]


@pytest.mark.parametrize("listing", LISTS)
def test_an_empty_listing_is_an_empty_page(listing: str, caller: Client) -> None:
    assert read(caller, listing) == EMPTY


# --- targets ---


def test_a_target_is_shown_without_its_secrets(caller: Client, make_target: MakeTarget) -> None:
    target = make_target(
        "shelf",
        kind=Target.Kind.HTTP,
        dotted_path="",
        base_url="http://ada:hunter2@127.0.0.1:9/api",
        api_key="the target's own key",
        is_default=True,
    )
    response = caller.get("/api/v1/targets")
    assert b"hunter2" not in response.content
    assert b"the target's own key" not in response.content
    assert response.json() == {
        "items": [
            {
                "id": target.pk,
                "name": "shelf",
                "kind": "http",
                "enabled": True,
                "is_default": True,
                "time_limit_s": 60.0,
                "requests_at_once": 4,
                "requests_per_second": None,
                "base_url": "http://127.0.0.1:9/api",
                "path": "/search",
                "health_path": "/health",
                "query_field": "query",
                "source_field": "source",
                "result_field": "result",
                "source_used_field": "source_used",
                "success_field": "success",
                "error_field": "error",
                "cached_field": "cached",
                "dotted_path": "",
                "reference_faults": [],
                "reference_empty_rate": 0.0,
                "vocabulary": {
                    "number": 1,
                    "sha256": target.vocabularies.get().sha256,
                    "created_at": "2026-06-30T12:00:00Z",
                },
            }
        ],
        "next": None,
    }


@pytest.mark.parametrize("base_url", ["", "http://[", "not a url"])
def test_a_target_is_shown_whatever_its_url_is(base_url: str, caller: Client, make_target: MakeTarget) -> None:
    make_target(base_url=base_url)
    assert column(read(caller, "targets"), "name") == ["household"]


def test_a_target_without_a_vocabulary_has_none(caller: Client, target: Target) -> None:
    target.vocabularies.all().delete()
    assert column(read(caller, "targets"), "vocabulary") == [None]


# --- combinations ---


@pytest.fixture
def mixed(history: History) -> History:
    """One of each standing, in this order."""
    history.run(history.combination("clean Comets"))
    history.flagged("open")
    history.run(history.flagged("flagged once"), NOON + minutes(1))
    dismiss(history.flagged("closed comets"), Actor("ada"))
    chain = history.combination("chain", recipe="multi_intent_chain")
    history.run(chain, NOON, [finding(CheckName.PART_COUNT_MISMATCH), finding(CheckName.LATENCY_OUTLIER)])
    return history


@pytest.fixture(params=["small", "large"])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of a target are found in two ways, by how many it has."""
    if request.param == "large":
        monkeypatch.setattr(targets, "FEW_COMBINATIONS", -1)
        monkeypatch.setattr(listings, "LARGE_TARGET", -1)


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"target": "household"}, ["chain", "closed comets", "flagged once", "open", "clean Comets"]),
        ({"target": "household", "state": "never_flagged"}, ["clean Comets"]),
        ({"target": "household", "state": "dismissed"}, ["closed comets"]),
        ({"target": "household", "text": "comets"}, ["closed comets", "clean Comets"]),
        ({"target": "household", "fingerprint": '["topic:open"]'}, ["open"]),
        ({"target": "other"}, ["another open"]),
        ({"target": "other", "state": "queue"}, ["another open"]),
    ],
)
def test_combinations_of_a_target_are_its_own_however_many_it_has(
    query: dict[str, str], expected: list[str], caller: Client, mixed: History, make_target: MakeTarget
) -> None:
    History(make_target("other")).flagged("another open")
    assert column(read(caller, "combinations", **query), "last_query_text") == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["chain", "closed comets", "flagged once", "open", "clean Comets"]),
        ({"state": "queue"}, ["chain", "flagged once", "open"]),
        ({"state": "flagged_now"}, ["chain", "closed comets", "open"]),
        ({"state": "ever_flagged"}, ["chain", "closed comets", "flagged once", "open"]),
        ({"state": "never_flagged"}, ["clean Comets"]),
        ({"state": "dismissed"}, ["closed comets"]),
        ({"recipe": "multi_intent_chain"}, ["chain"]),
        ({"recipe": "nested_proper_noun_pairs"}, []),
        ({"check": "crash"}, ["closed comets", "flagged once", "open"]),
        ({"check": "latency_outlier"}, ["chain"]),
        ({"text": "comets"}, ["closed comets", "clean Comets"]),
        ({"text": "%"}, []),
        ({"text": "comets", "state": "queue"}, []),
        ({"fingerprint": '["topic:open"]'}, ["open"]),
        ({"fingerprint": "x" * 10_240}, []),
        ({"target": "household", "check": "part_count_mismatch"}, ["chain"]),
        ({"target": "other"}, []),
    ],
)
def test_combinations_are_those_asked_for_the_newest_first(
    query: dict[str, str], expected: list[str], caller: Client, mixed: History, make_target: MakeTarget
) -> None:
    make_target("other")
    assert column(read(caller, "combinations", **query), "last_query_text") == expected


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"state": "new"}, "state"),
        ({"recipe": "soup"}, "recipe"),
        ({"check": "taste"}, "check"),
        ({"text": ""}, "text"),
        ({"text": "a\x00b"}, "text"),
        ({"text": "x" * 1001}, "text"),
        ({"fingerprint": "\x00"}, "fingerprint"),
        ({"target": "\x00"}, "target"),
        ({"limit": "501"}, "limit"),
    ],
)
def test_a_filter_that_can_mean_nothing_is_refused(
    query: dict[str, str], field: str, caller: Client, target: Target
) -> None:
    assert error_of(caller.get("/api/v1/combinations", query), 422)["field"] == field


@pytest.mark.parametrize("listing", ["combinations", "runs", "flags", "cycles", "coverage"])
def test_a_target_that_is_unknown_is_not_found(listing: str, caller: Client, target: Target) -> None:
    error_of(caller.get(f"/api/v1/{listing}?target=nobody"), 404)


def test_a_combination_has_its_columns_and_its_story(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    dismiss(combination, Actor("ada"), "known outage")
    back = history.run(combination, NOON + minutes(2), [finding()])
    document = read(caller, f"combinations/{combination.pk}")
    assert document["fingerprint"] == '["topic:comets"]'
    assert document["query"] == {"recipe": "no_intent_fallthrough", "parts": [["topic", "comets", ""]]}
    story = document["story"]
    assert column(story, "kind") == ["resurfaced", "dismissed", "flagged"]
    assert column(story, "actor") == ["engine", "ada", "engine"]
    assert story["items"][0] | {"id": 0} == {
        "id": 0,
        "kind": "resurfaced",
        "actor": "engine",
        "note": "crash: it broke",
        "verdict": None,
        "link": None,
        "run_id": back.pk,
        "at": "2026-06-30T12:02:00Z",
        "verdict_before": None,
    }
    assert story["next"] is None


def test_a_long_story_has_pages(caller: Client, history: History) -> None:
    combination = history.combination("comets")
    for number in range(5):
        ReviewEvent.objects.create(combination=combination, kind="flagged", actor="engine", note=number, at=NOON)
    path = f"combinations/{combination.pk}"
    first = read(caller, path, limit=3)["story"]
    second = read(caller, path, limit=3, cursor=first["next"])["story"]
    assert column(first, "note") + column(second, "note") == ["4", "3", "2", "1", "0"]
    assert second["next"] is None


# --- runs and flags ---


def test_a_run_has_its_whole_answer_and_all_its_findings(caller: Client, history: History) -> None:
    combination = history.combination("comets")
    run = history.run(
        combination,
        NOON,
        [finding(CheckName.CRASH, "it broke"), finding(CheckName.LATENCY_OUTLIER, "slow")],
        "y" * 9000,
    )
    document = read(caller, f"runs/{run.pk}")
    assert document["result"] == "y" * 9000
    assert document["findings"] == [
        {
            "check": "crash",
            "place": 0,
            "reason": "crash: it broke",
            "evidence": {"promised": "an answer", "seen": "none", "where": "the whole answer"},
            "asked_again": 0,
            "seen_again": 0,
            "cause": None,
        },
        {
            "check": "latency_outlier",
            "place": 1,
            "reason": "latency_outlier: slow",
            "evidence": {"promised": "an answer", "seen": "none", "where": "the whole answer"},
            "asked_again": 0,
            "seen_again": 0,
            "cause": None,
        },
    ]
    listed = read(caller, "runs")["items"][0]
    assert "result" not in listed
    assert listed == {
        "id": run.pk,
        "cycle_id": history.cycle.pk,
        "combination_id": combination.pk,
        "target": "household",
        "recipe_name": "no_intent_fallthrough",
        "place": 0,
        "query_text": "comets",
        "state": "done",
        "asked_at": "2026-06-30T12:00:00Z",
        "finished_at": "2026-06-30T12:00:00Z",
        "source_used": "kiwix",
        "latency_ms": 12.5,
        "http_status": None,
        "cached": False,
        "error": "",
        "own_error": "",
        "result_length_bytes": 9000,
        "result_sha256": run_sha256(run),
        "reason": "crash: it broke",
        "novel": False,
        "unchecked": False,
    }
    assert document["answer_deleted_at"] is None
    assert (document["flagged_by_graders"], document["scores"]) == (False, {})
    more = ("query", "result", "answer_deleted_at", "findings", "flagged_by_graders", "scores")
    assert document == {**listed, **{name: document[name] for name in more}}


def test_a_run_says_when_its_answer_was_deleted(caller: Client, history: History) -> None:
    run = history.run(history.combination("comets"), NOON, [], "y" * 9000)
    Run.objects.filter(pk=run.pk).update(result="", answer_deleted_at=NOON + timedelta(days=30))
    document = read(caller, f"runs/{run.pk}")
    assert (document["result"], document["answer_deleted_at"]) == ("", "2026-07-30T12:00:00Z")
    assert document["result_length_bytes"] == 9000


def run_sha256(run: Run) -> str:
    run.refresh_from_db()
    return run.result_sha256


def test_runs_can_be_narrowed(caller: Client, mixed: History, make_target: MakeTarget) -> None:
    other = History(make_target("other"))
    lone = other.run(other.combination("elsewhere"))
    chain = mixed.cycle.runs.get(query_text="chain")
    assert column(read(caller, "runs", target="other"), "id") == [lone.pk]
    assert column(read(caller, "runs", cycle=other.cycle.pk), "id") == [lone.pk]
    assert column(read(caller, "runs", combination=chain.combination_id), "id") == [chain.pk]
    assert column(read(caller, "runs", flagged="true", target="household"), "query_text") == [
        "chain",
        "closed comets",
        "flagged once",
        "open",
    ]
    assert len(read(caller, "runs", flagged="false")["items"]) == 3
    assert read(caller, "runs", state="asking") == EMPTY
    assert read(caller, "runs", cycle=2**63 - 1) == EMPTY


@pytest.mark.parametrize("of", [{}, {"target": "household"}])
@pytest.mark.parametrize("state", list(Run.State))
def test_runs_in_one_state_are_found_in_every_cycle(
    state: Run.State, of: dict[str, str], caller: Client, history: History, make_target: MakeTarget
) -> None:
    """history: of a cycle without a run that is counted yet; a second one has ended, with one of eight answered."""
    ended = History(history.target)
    ended.run(ended.combination("comets"))
    Cycle.objects.filter(pk=ended.cycle.pk).update(queries_run=1)
    made = [left.run(left.combination(f"lenses {n}")) for n, left in enumerate([history, ended, history])]
    elsewhere = History(make_target("other"))
    lone = elsewhere.run(elsewhere.combination("lenses"))
    Run.objects.filter(pk__in=[run.pk for run in (*made, lone)]).update(state=state)
    wanted = made if of else [*made, lone]
    found = column(read(caller, "runs", state=state, **of), "id")
    assert found[: len(wanted)] == [run.pk for run in reversed(wanted)]
    assert len(found) == len(wanted) + (state is Run.State.DONE)


def test_a_flag_leads_to_its_run_and_its_combination(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    flag = combination.flags.get()
    assert read(caller, "flags")["items"] == [
        {
            "check": "crash",
            "place": 0,
            "reason": "crash: it broke",
            "evidence": {"promised": "an answer", "seen": "none", "where": "the whole answer"},
            "asked_again": 0,
            "seen_again": 0,
            "cause": None,
            "id": flag.pk,
            "run_id": combination.last_run_id,
            "combination_id": combination.pk,
            "fingerprint": '["topic:comets"]',
            "target": "household",
            "verdict": None,
            "created_at": "2026-06-30T12:00:00Z",
        }
    ]


def test_flags_and_combinations_name_their_cause(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    assert read(caller, f"combinations/{combination.pk}")["cause"] is None
    assign_causes(history.target, NOON)
    cause = Cause.objects.get()
    told = {"id": cause.pk, "sentence": cause.sentence}
    assert read(caller, f"combinations/{combination.pk}")["cause"] == told
    assert read(caller, "combinations")["items"][0]["cause"] == told
    assert read(caller, "flags")["items"][0]["cause"] == told
    assert read(caller, f"runs/{combination.last_run_id}")["findings"][0]["cause"] == told
    assert read(caller, f"causes/{cause.pk}")["id"] == told["id"]


def test_flags_can_be_narrowed(caller: Client, mixed: History, make_target: MakeTarget) -> None:
    make_target("other")
    outlier = read(caller, "flags", check="latency_outlier")["items"]
    assert [flag["place"] for flag in outlier] == [1]
    assert len(read(caller, "flags", run=outlier[0]["run_id"])["items"]) == 2
    assert len(read(caller, "flags", combination=outlier[0]["combination_id"])["items"]) == 2
    assert read(caller, "flags", target="other") == EMPTY


@pytest.mark.usefixtures("size")
def test_flags_of_a_target_are_its_own_however_many_it_has(
    caller: Client, mixed: History, make_target: MakeTarget
) -> None:
    other = History(make_target("other"))
    another = other.flagged("another open")
    assert column(read(caller, "flags", target="other"), "combination_id") == [another.pk]
    assert another.pk not in column(read(caller, "flags", target="household"), "combination_id")
    assert len(read(caller, "flags", target="household")["items"]) == 5


@pytest.mark.usefixtures("size")
def test_accusations_are_of_the_target_s_own_newest_flags(history: History, make_target: MakeTarget) -> None:
    history.flagged("open")
    other = History(make_target("other"))
    assert [check for check, *_ in stability_of(history.target.pk).accusations] == ["crash"]
    assert not stability_of(other.target.pk).accusations


def test_of_a_target_with_many_flags_old_ones_accuse_no_more_and_are_listed_still(
    caller: Client, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    for topic in ("the oldest", "older", "newest"):
        history.flagged(topic)
    monkeypatch.setattr(targets, "FEW_COMBINATIONS", -1)
    monkeypatch.setattr(targets, "LATELY_FLAGS", 2)
    assert len(stability_of(history.target.pk).accusations) == 2
    assert len(read(caller, "flags", target="household")["items"]) == 3


# --- explained findings ---

EVIDENCE = {"promised": "its source", "seen": "none", "where": "headers", "asked": []}


def explain(history: History, topic: str, source: str, check: CheckName = CheckName.PART_LOST) -> Explanation:
    run = history.run(history.combination(topic), NOON)
    return Explanation.objects.create(
        run=run,
        target=run.target,
        combination=run.combination,
        check_name=check,
        reason=f"{check}: nothing alone either",
        evidence=EVIDENCE,
        cause=Explanation.Cause.EMPTY_ALONE,
        source=source,
        created_at=NOON,
    )


def test_an_explained_finding_tells_its_cause_and_leads_to_its_run(caller: Client, history: History) -> None:
    row = explain(history, "comets", "kiwix")
    assert read(caller, "explained")["items"] == [
        {
            "id": row.pk,
            "run_id": row.run_id,
            "combination_id": row.combination_id,
            "target": "household",
            "query_text": "comets",
            "check": "part_lost",
            "reason": "part_lost: nothing alone either",
            "evidence": EVIDENCE,
            "cause": "empty_alone",
            "source": "kiwix",
            "created_at": "2026-06-30T12:00:00Z",
        }
    ]
    assert read(caller, "flags") == EMPTY


def test_explained_findings_can_be_narrowed(caller: Client, history: History, make_target: MakeTarget) -> None:
    make_target("other")
    first = explain(history, "comets", "kiwix")
    second = explain(history, "tin", "news", CheckName.UNEXPECTED_EMPTY)
    for wanted, rows in (
        ({}, [second, first]),
        ({"source": "kiwix"}, [first]),
        ({"check": "unexpected_empty"}, [second]),
        ({"target": "household"}, [second, first]),
        ({"target": "other"}, []),
    ):
        found = [item["id"] for item in read(caller, "explained", **wanted)["items"]]
        assert found == [row.pk for row in rows], wanted


# --- cycles ---


def test_a_cycle_has_its_runs_in_the_order_in_which_they_were_planned(caller: Client, mixed: History) -> None:
    document = read(caller, f"cycles/{mixed.cycle.pk}")
    runs = document.pop("runs")
    assert document == {
        "id": mixed.cycle.pk,
        "target": "household",
        "trigger": "schedule",
        "state": "finished",
        "seed": 7,
        "recipes": [],
        "queries_wanted": 8,
        "queries_run": 0,
        "flagged": 0,
        "novel": 0,
        "vocabulary": 1,
        "target_version": "1.2",
        "created_at": "2026-06-30T12:00:00Z",
        "started_at": "2026-06-30T12:00:00Z",
        "finished_at": "2026-06-30T12:00:00Z",
        "note": "",
        "unchecked": None,
        "probes_at_most": None,
    }
    assert column(runs, "place") == [0, 1, 2, 3, 4, 5]
    assert read(caller, "cycles")["items"] == [document]


def test_the_runs_of_a_cycle_have_pages(caller: Client, mixed: History) -> None:
    path = f"cycles/{mixed.cycle.pk}"
    first = read(caller, path, limit=4)["runs"]
    second = read(caller, path, limit=4, cursor=first["next"])["runs"]
    assert column(first, "place") + column(second, "place") == [0, 1, 2, 3, 4, 5]
    assert second["next"] is None


def test_cycles_can_be_narrowed(caller: Client, history: History, make_target: MakeTarget) -> None:
    other = History(make_target("other"))
    Cycle.objects.filter(pk=other.cycle.pk).update(state=Cycle.State.INTERRUPTED)
    assert column(read(caller, "cycles"), "id") == [other.cycle.pk, history.cycle.pk]
    assert column(read(caller, "cycles", target="other"), "id") == [other.cycle.pk]
    assert column(read(caller, "cycles", state="finished"), "id") == [history.cycle.pk]


@pytest.mark.parametrize("path", ["combinations/0", "runs/0", "cycles/0", f"runs/{2**63 - 1}"])
def test_what_does_not_exist_is_not_found(path: str, caller: Client) -> None:
    assert error_of(caller.get(f"/api/v1/{path}"), 404)["code"] == "not_found"


def test_a_number_that_no_database_holds_is_invalid(caller: Client) -> None:
    assert error_of(caller.get(f"/api/v1/runs/{2**63}"), 422)["field"] == "run_id"


# --- coverage and tuning ---


def test_coverage_says_what_was_tried_of_what_is_possible(caller: Client, mixed: History) -> None:
    for day, recipe, novel in (
        (NOON - timedelta(days=1), "no_intent_fallthrough", 3),
        (NOON, "no_intent_fallthrough", 1),
        (NOON, "multi_intent_chain", 1),
    ):
        RecipeTally.objects.create(target=mixed.target, recipe_name=recipe, day=day.date(), runs=novel + 1, novel=novel)
    document = read(caller, "coverage")
    assert document["target"] == "household"
    assert {row["recipe_name"]: row["tried"] for row in document["recipes"]} == {
        "proper_noun_plus_pronoun_intent": 0,
        "multi_intent_chain": 1,
        "conditional_with_remainder": 0,
        "nosplit_adjacent_to_real_conjunction": 0,
        "discourse_framing_plus_real_keyword": 0,
        "nested_proper_noun_pairs": 0,
        "no_intent_fallthrough": 4,
        "discourse_framing_around_keyword": 0,
        "condition_in_later_place": 0,
        "long_intent_chain": 0,
        "repeated_intent": 0,
        "pair_between_pronoun_intents": 0,
        "very_long_input": 0,
        "keywords_in_other_case": 0,
        "keywords_with_signs": 0,
        "lookalike_keyword": 0,
        "megaquery": 0,
    }
    assert all(row["possible"] > 0 for row in document["recipes"])
    assert list(document["recipes"][0]) == ["recipe_name", "stresses", "possible", "tried"]


def test_without_a_vocabulary_nothing_is_possible(caller: Client, target: Target) -> None:
    target.vocabularies.all().delete()
    assert read(caller, "coverage") == {"target": "household", "recipes": []}


def test_without_a_target_there_is_no_coverage(caller: Client) -> None:
    error_of(caller.get("/api/v1/coverage"), 404)


def test_the_settings_in_force_can_be_read(caller: Client, settings: Settings) -> None:
    settings.ADVERSARIAL_TEST_ENABLED = False
    Tuning.objects.update_or_create(pk=1, defaults={"batch_size": 5})
    assert read(caller, "tuning") == {
        "enabled": True,
        "enabled_by_environment": False,
        "interval_minutes": 60,
        "batch_size": 5,
        "latency_outlier_multiplier": 1.5,
        "latency_outlier_floor_ms": 1000,
        "latency_outlier_min_samples": 10,
        "keep_answers_days": 30,
        "open_reads": True,
        "stale_grace_multiplier": 3.0,
    }


# --- how much is read ---


READS = [
    ("targets", 3),  # key · targets · their vocabularies
    ("combinations", 2),  # key · rows
    ("combinations?target=household&check=crash&text=topic", 3),  # and the target
    ("combinations/{combination}", 3),  # key · row · story
    ("runs", 2),
    ("runs/{run}", 4),  # key · row · findings · scores
    ("flags", 2),
    ("cycles", 2),
    ("cycles/{cycle}", 3),  # key · row · runs
]


def test_the_number_of_queries_does_not_grow_with_the_rows(
    caller: Client,
    history: History,
    make_target: MakeTarget,
    subtests: pytest.Subtests,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for count in (1, 10):
        for number in range(count):
            History(make_target(f"target {count} {number}")).flagged(f"topic {count} {number}")
            combination = history.flagged(f"topic {count} {number}")
        numbers = {"combination": combination.pk, "run": combination.last_run_id, "cycle": history.cycle.pk}
        for path, queries in READS:
            memory.forget()
            with subtests.test(path=path, count=count), django_assert_num_queries(queries):
                assert caller.get(f"/api/v1/{path.format(**numbers)}").status_code == 200
