"""What the end of a cycle adds to the counts: by hand, once, and only what was answered."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
import time_machine

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.findings import CheckName, Finding
from selftest.cycles import lifecycle, statistics
from selftest.models import (
    CheckTally,
    Combination,
    Cycle,
    Flag,
    Ingredient,
    IngredientTally,
    PairTally,
    RecipeTally,
    Run,
    Target,
)
from selftest.storage.serialization import query_document
from selftest.storage.texts import sha256_hex
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle

pytestmark = pytest.mark.django_db

LATE = datetime(2026, 6, 30, 23, 30, tzinfo=UTC)
EARLY = datetime(2026, 7, 1, 0, 30, tzinfo=UTC)
CRASH, EMPTY = CheckName.CRASH, CheckName.UNEXPECTED_EMPTY
TOPIC, CHAIN = "no_intent_fallthrough", "multi_intent_chain"


@pytest.fixture
def target(make_target: MakeTarget) -> Target:
    return make_target(document=None)


def running(target: Target) -> Cycle:
    return Cycle.objects.create(
        target=target,
        trigger=Cycle.Trigger.COMMAND,
        state=Cycle.State.RUNNING,
        seed=1,
        queries_wanted=8,
        created_at=LATE,
        started_at=LATE,
    )


def asked(
    cycle: Cycle, topics: str, *checks: CheckName, state: str = "done", recipe: str = TOPIC, novel: bool = False
) -> Run:
    """A run of this cycle whose query is made of these topics, with a finding of each check."""
    query = Query(recipe, tuple(Part(PartKind.TOPIC, topic) for topic in topics.split()))
    combination, _ = Combination.objects.get_or_create(
        target=cycle.target,
        fingerprint_sha256=sha256_hex(fingerprint_of(query)),
        defaults={
            "fingerprint": fingerprint_of(query),
            "recipe_name": recipe,
            "query": query_document(query),
            "first_seen_timestamp": LATE,
            "last_query_text": topics,
        },
    )
    run = Run.objects.create(
        cycle=cycle,
        target=cycle.target,
        combination=combination,
        recipe_name=recipe,
        place=cycle.runs.count(),
        query=query_document(query),
        query_text=topics,
        novel=novel,
        state=state,
        reason=Finding(checks[0], "", "", "", "").reason if checks else None,
    )
    for place, check in enumerate(checks):
        Flag.objects.create(
            run=run, combination=combination, check_name=check, place=place, reason="", evidence={}, created_at=LATE
        )
    return run


def of_recipes(target: Target) -> set[tuple[date, str, str, int, int, int]]:
    rows = RecipeTally.objects.filter(target=target)
    return set(rows.values_list("day", "recipe_name", "check_name", "runs", "flagged", "novel"))


def of_ingredients(target: Target) -> dict[tuple[str, str], int]:
    rows = IngredientTally.objects.filter(target=target).values_list("ingredient__text", "check_name", "runs")
    return {(text.removeprefix("topic:"), check): runs for text, check, runs in rows}


def of_pairs(target: Target) -> dict[tuple[str, str, str], int]:
    names = {pk: text.removeprefix("topic:") for pk, text in Ingredient.objects.values_list("pk", "text")}
    found = {}
    for lower, check, others in PairTally.objects.filter(target=target).values_list("ingredient", "check_name", "runs"):
        for other, runs in others.items():
            assert lower < int(other), "counted at the lower of the two"
            one, two = sorted((names[lower], names[int(other)]))
            found[one, two, check] = runs
    return found


def of_checks(target: Target) -> dict[str, int]:
    return dict(CheckTally.objects.filter(target=target).values_list("check_name", "runs"))


@pytest.fixture
def end() -> Callable[[Cycle, datetime], None]:
    def end_at(cycle: Cycle, now: datetime) -> None:
        with time_machine.travel(now, tick=False):
            lifecycle.end(cycle, Cycle.State.FINISHED)

    return end_at


End = Callable[[Cycle, datetime], None]


def test_runs_are_counted_by_recipe_check_and_ingredient(target: Target, end: End) -> None:
    cycle = running(target)
    asked(cycle, "knots", novel=True)
    asked(cycle, "knots sails", CRASH, EMPTY, novel=True)
    asked(cycle, "knots sails", EMPTY)
    asked(cycle, "tides", CRASH, recipe=CHAIN)
    end(cycle, LATE)
    day = date(2026, 6, 30)
    assert of_recipes(target) == {
        (day, TOPIC, "", 3, 2, 2),
        (day, TOPIC, "crash", 1, 0, 0),
        (day, TOPIC, "unexpected_empty", 2, 0, 0),
        (day, CHAIN, "", 1, 1, 0),
        (day, CHAIN, "crash", 1, 0, 0),
    }
    assert of_ingredients(target) == {
        ("knots", ""): 3,
        ("knots", "crash"): 1,
        ("knots", "unexpected_empty"): 2,
        ("sails", ""): 2,
        ("sails", "crash"): 1,
        ("sails", "unexpected_empty"): 2,
        ("tides", ""): 1,
        ("tides", "crash"): 1,
    }


def test_an_ingredient_said_twice_in_a_query_counts_once(target: Target, end: End) -> None:
    cycle = running(target)
    asked(cycle, "knots knots knots", CRASH)
    end(cycle, LATE)
    assert of_ingredients(target) == {("knots", ""): 1, ("knots", "crash"): 1}


def test_every_two_of_a_query_are_counted_as_a_pair_and_all_runs_of_a_check(target: Target, end: End) -> None:
    for topics, checks in (("tides knots sails", [CRASH]), ("knots sails", [CRASH, EMPTY]), ("tides", [])):
        cycle = running(target)
        asked(cycle, topics, *checks)
        asked(cycle, "sails sails knots")
        end(cycle, LATE)
    assert of_pairs(target) == {
        ("knots", "sails", ""): 5,
        ("knots", "tides", ""): 1,
        ("sails", "tides", ""): 1,
        ("knots", "sails", "crash"): 2,
        ("knots", "tides", "crash"): 1,
        ("sails", "tides", "crash"): 1,
        ("knots", "sails", "unexpected_empty"): 1,
    }
    assert of_checks(target) == {"": 6, "crash": 2, "unexpected_empty": 1}


def test_a_second_cycle_of_the_day_adds_and_one_of_the_next_day_stands_beside(target: Target, end: End) -> None:
    for now, topics in ((LATE, "knots"), (LATE, "knots sails"), (EARLY, "sails")):
        cycle = running(target)
        asked(cycle, topics, CRASH, novel=True)
        end(cycle, now)
    assert of_recipes(target) == {
        (date(2026, 6, 30), TOPIC, "", 2, 2, 2),
        (date(2026, 6, 30), TOPIC, "crash", 2, 0, 0),
        (date(2026, 7, 1), TOPIC, "", 1, 1, 1),
        (date(2026, 7, 1), TOPIC, "crash", 1, 0, 0),
    }
    assert of_ingredients(target) == {
        ("knots", ""): 2,
        ("knots", "crash"): 2,
        ("sails", ""): 2,
        ("sails", "crash"): 2,
    }


def test_only_what_was_answered_counts(target: Target, end: End) -> None:
    cycle = running(target)
    asked(cycle, "knots")
    for state in ("planned", "asking", "skipped", "interrupted"):
        asked(cycle, "tides", state=state, novel=True)
    end(cycle, LATE)
    assert of_recipes(target) == {(date(2026, 6, 30), TOPIC, "", 1, 0, 0)}
    assert of_ingredients(target) == {("knots", ""): 1}


def test_a_cycle_that_ends_twice_is_counted_once(target: Target, end: End) -> None:
    cycle = running(target)
    asked(cycle, "knots")
    end(cycle, LATE)
    end(cycle, EARLY)
    assert of_recipes(target) == {(date(2026, 6, 30), TOPIC, "", 1, 0, 0)}
    assert of_ingredients(target) == {("knots", ""): 1}


def test_an_interrupted_cycle_counts_what_it_recorded(target: Target) -> None:
    cycle = running(target)
    asked(cycle, "knots", CRASH)
    lifecycle.end(cycle, Cycle.State.INTERRUPTED, "its worker died")
    assert of_ingredients(target) == {("knots", ""): 1, ("knots", "crash"): 1}


def test_a_cycle_without_an_answer_leaves_no_row(target: Target, end: End) -> None:
    cycle = running(target)
    asked(cycle, "knots", state="planned")
    end(cycle, LATE)
    assert not RecipeTally.objects.exists()
    assert not Ingredient.objects.exists()
    assert not CheckTally.objects.exists()
    assert not PairTally.objects.exists()


def test_targets_are_counted_apart_and_share_the_names_of_ingredients(make_target: MakeTarget, end: End) -> None:
    first, second = make_target(document=None), make_target(document=None)
    for target in (first, second):
        cycle = running(target)
        asked(cycle, "knots")
        end(cycle, LATE)
    assert of_ingredients(first) == of_ingredients(second) == {("knots", ""): 1}
    assert Ingredient.objects.count() == 1
    for target in (first, second):
        cycle = running(target)
        asked(cycle, "knots sails", CRASH)
        end(cycle, LATE)
    assert of_pairs(first) == of_pairs(second) == {("knots", "sails", ""): 1, ("knots", "sails", "crash"): 1}
    assert of_checks(first) == of_checks(second) == {"": 2, "crash": 1}


def test_more_ingredients_than_a_statement_takes_are_counted_all(target: Target, end: End) -> None:
    many = [f"topic{number}" for number in range(statistics.CHUNK_ROWS + 20)]
    for _ in range(2):
        cycle = running(target)
        asked(cycle, " ".join(many), CRASH)
        end(cycle, LATE)
    assert of_ingredients(target) == {(topic, check): 2 for topic in many for check in ("", "crash")}
    pairs = of_pairs(target)
    assert len(pairs) == 2 * len(many) * (len(many) - 1) / 2
    assert set(pairs.values()) == {2}


def test_a_real_cycle_counts_as_many_runs_as_it_asked(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target("crashing")
    outcome = cycle_on(target, 12)
    assert outcome.cycle is not None
    rows = RecipeTally.objects.filter(target=target, check_name="")
    assert sum(row.runs for row in rows) == 12
    assert sum(row.flagged for row in rows) == outcome.cycle.flagged
    assert sum(row.novel for row in rows) == outcome.cycle.novel
