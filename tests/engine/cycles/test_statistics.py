"""What the end of a cycle adds to the counts: by hand, once, and only what was answered."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
import time_machine

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.findings import CheckName, Finding
from selftest.cycles import lifecycle
from selftest.models import (
    Combination,
    Cycle,
    Flag,
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


@pytest.fixture
def end() -> Callable[[Cycle, datetime], None]:
    def end_at(cycle: Cycle, now: datetime) -> None:
        with time_machine.travel(now, tick=False):
            lifecycle.end(cycle, Cycle.State.FINISHED)

    return end_at


End = Callable[[Cycle, datetime], None]


def test_runs_are_counted_by_recipe_and_check(target: Target, end: End) -> None:
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


def test_only_what_was_answered_counts(target: Target, end: End) -> None:
    cycle = running(target)
    asked(cycle, "knots")
    for state in ("planned", "asking", "skipped", "interrupted"):
        asked(cycle, "tides", state=state, novel=True)
    end(cycle, LATE)
    assert of_recipes(target) == {(date(2026, 6, 30), TOPIC, "", 1, 0, 0)}


def test_a_cycle_that_ends_twice_is_counted_once(target: Target, end: End) -> None:
    cycle = running(target)
    asked(cycle, "knots")
    end(cycle, LATE)
    end(cycle, EARLY)
    assert of_recipes(target) == {(date(2026, 6, 30), TOPIC, "", 1, 0, 0)}


def test_an_interrupted_cycle_counts_what_it_recorded(target: Target) -> None:
    cycle = running(target)
    asked(cycle, "knots", CRASH)
    lifecycle.end(cycle, Cycle.State.INTERRUPTED, "its worker died")
    assert {(check, runs) for _, _, check, runs, _, _ in of_recipes(target)} == {("", 1), ("crash", 1)}


def test_a_cycle_without_an_answer_leaves_no_row(target: Target, end: End) -> None:
    cycle = running(target)
    asked(cycle, "knots", state="planned")
    end(cycle, LATE)
    assert not RecipeTally.objects.exists()


def test_targets_are_counted_apart(make_target: MakeTarget, end: End) -> None:
    first, second = make_target(document=None), make_target(document=None)
    for target, checks in ((first, []), (second, [CRASH])):
        cycle = running(target)
        asked(cycle, "knots", *checks)
        end(cycle, LATE)
    assert of_recipes(first) == {(date(2026, 6, 30), TOPIC, "", 1, 0, 0)}
    assert of_recipes(second) == {(date(2026, 6, 30), TOPIC, "", 1, 1, 0), (date(2026, 6, 30), TOPIC, "crash", 1, 0, 0)}


def test_a_real_cycle_counts_as_many_runs_as_it_asked(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target("crashing")
    outcome = cycle_on(target, 12)
    assert outcome.cycle is not None
    rows = RecipeTally.objects.filter(target=target, check_name="")
    assert sum(row.runs for row in rows) == 12
    assert sum(row.flagged for row in rows) == outcome.cycle.flagged
    assert sum(row.novel for row in rows) == outcome.cycle.novel
