"""What is read most often is read from an index alone, and not from the wide rows: seen in the plans of SQLite."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.ingredients import ingredient_ids
from selftest.knowledge.live.causes import _smallest_queries
from selftest.models import Combination, QueueChange, Run, Target
from selftest.operating.health import combinations_tried
from selftest.reading import listings, targets
from selftest.reading.causes import without_cause
from selftest.reading.combination import alike
from selftest.reading.cursors import entries_after
from selftest.reading.flagged_rows import FlaggedRows
from selftest.reading.given_up import given_up
from selftest.reading.judging_terms import stability_of
from selftest.reading.listings import CombinationFilter, CombinationState, combinations, flags, runs
from selftest.reading.notices import flags_due
from selftest.reading.queue import (
    NO_CAUSE,
    Age,
    QueueFilter,
    QueueSnapshot,
    Sort,
    Tab,
    queue_revision,
    review_count,
)
from selftest.reading.smallest_queries import running_on
from selftest.storage import full_text
from tests.engine.conftest import MakeTarget

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite")]


@pytest.fixture
def target(make_target: MakeTarget) -> Target:
    return make_target()


@dataclass(frozen=True)
class Plan:
    """How the last statement is gone about. reads_rows: whether a column is taken from the table behind the index."""

    index: str
    reads_rows: bool


def last_plan(ask: Callable[[], object]) -> Plan:
    return plan_of(ask, -1)


def plan_of(ask: Callable[[], object], number: int) -> Plan:
    """That of one of the statements."""
    with CaptureQueriesContext(connection) as seen:
        ask()
    statement = seen.captured_queries[number]["sql"]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
        (index,) = re.findall(r"USING (?:COVERING )?INDEX (\w+)", cursor.fetchall()[0][-1])
        cursor.execute(f"EXPLAIN {statement}")
        steps = [row[1:5] for row in cursor.fetchall()]
    tables = {table for name, _, _, table in steps if name == "DeferredSeek"}
    return Plan(index, any(name == "Column" and place in tables for name, place, *_ in steps))


def steps_of(ask: Callable[[], object]) -> list[str]:
    """How all of its statements are gone about, step by step."""
    with CaptureQueriesContext(connection) as seen:
        ask()
    found: list[str] = []
    with connection.cursor() as cursor:
        for statement in (query["sql"] for query in seen.captured_queries):
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
            found += [row[-1] for row in cursor.fetchall()]
    return found


def test_the_combinations_that_were_tried_are_summed_from_an_index_alone(target: Target) -> None:
    assert last_plan(lambda: combinations_tried(target.pk)) == Plan("recipe_tally_novel", reads_rows=False)


@pytest.mark.parametrize(
    ("filters", "index"),
    [
        (QueueFilter(tab=Tab.EVER, source="web"), "combination_review"),
        (QueueFilter(recipe="multi_intent_chain"), "combination_review_of_recipe"),
        (QueueFilter(group=1), "combination_review_of_cause"),
        (QueueFilter(group=1, recipe="multi_intent_chain"), "combination_review_of_cause"),
        (QueueFilter(check=CheckName.CRASH), "combination_review"),
        (QueueFilter(age=Age.WEEK), "combination_review"),
        (QueueFilter(is_unassigned=True), "combination_review"),
        (QueueFilter(ingredient="joint: and "), "combination_of_ingredient"),
        (QueueFilter(ingredient='["joint: and ", "topic:knots"]'), "combination_of_ingredient"),
    ],
)
@pytest.mark.usefixtures("target")
def test_which_rows_a_filter_leaves_is_read_from_an_index_alone(filters: QueueFilter, index: str) -> None:
    ingredient_ids(["joint: and ", "topic:knots"])
    snapshot = QueueSnapshot(filters, queue_revision(), timezone.now())
    assert last_plan(lambda: snapshot.buckets) == Plan(index, reads_rows=False)


@pytest.mark.parametrize(
    ("filters", "index"),
    [
        (QueueFilter(), "combination_review"),
        (QueueFilter(target="one of them"), "combination_review"),
        (QueueFilter(source="web"), "combination_review"),
        (QueueFilter(group=NO_CAUSE), "combination_review"),
        (QueueFilter(text="knots"), "combination_review"),
        (QueueFilter(recipe="multi_intent_chain"), "combination_review_of_recipe"),
        (QueueFilter(group=1), "combination_review_of_cause"),
    ],
)
@pytest.mark.usefixtures("target")
def test_rows_are_sorted_from_an_index_alone_where_nothing_is_grouped(
    filters: QueueFilter, index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "FEW", -1)  # few are looked up by their keys
    now = timezone.now()
    for sort in (Sort.SEVERITY, Sort.AGE, Sort.FLAGGED):
        plan = last_plan(lambda by=sort: entries_after(replace(filters, sort=by), now, None, 20))
        assert plan == Plan(index, reads_rows=False)


@pytest.mark.parametrize(
    "filters",
    [
        QueueFilter(text="knots"),
        QueueFilter(text="knots", source="web"),
        QueueFilter(ingredient="joint: and "),
        QueueFilter(ingredient='["joint: and ", "topic:knots"]'),
        QueueFilter(ingredient="knots"),
    ],
)
@pytest.mark.usefixtures("target")
def test_what_was_found_by_its_words_or_ingredients_is_sorted_from_an_index_alone(filters: QueueFilter) -> None:
    ingredient_ids(["joint: and ", "topic:knots"])
    plan = last_plan(lambda: entries_after(replace(filters, sort=Sort.AGE), timezone.now(), None, 20))
    assert plan == Plan("combination_review_by_key", reads_rows=False)


@pytest.mark.parametrize("rest", [{"source": "web"}, {"is_unassigned": True}, {"age": Age.OLDER}, {"group": 1}])
def test_what_few_rows_are_filtered_by_beside_their_words_is_looked_up_of_these(
    rest: dict[str, Any], target: Target
) -> None:
    row = Combination.objects.create(target=target, query={}, first_seen_timestamp=timezone.now(), ever_flagged=True)
    row.last_query_text = "tell me about knots"
    full_text.note_flagged([row])
    snapshot = QueueSnapshot(QueueFilter(text="knots", **rest), queue_revision(), timezone.now())
    steps = steps_of(lambda: snapshot.buckets)
    assert "SEARCH selftest_combination USING INTEGER PRIMARY KEY (rowid=?)" in steps


def test_what_has_changed_is_looked_up_and_so_are_its_rows(target: Target) -> None:
    Combination.objects.create(target=target, query={}, first_seen_timestamp=timezone.now(), ever_flagged=True)
    QueueChange.objects.filter(combination=QueueChange.ALL).delete()
    known = FlaggedRows.read(0)
    steps = steps_of(lambda: known.brought_to(1))
    assert len(steps) > 1
    assert not [step for step in steps if step.startswith("SCAN")]


def test_the_newest_of_the_same_cause_are_found_among_those_of_the_cause(target: Target) -> None:
    one = Combination(pk=1, target=target, cause_id=1)
    assert plan_of(lambda: alike(one, limit=5), 0) == Plan("combination_review_of_cause", reads_rows=False)


def test_what_is_asked_no_more_is_looked_for_among_what_was_never_answered() -> None:
    assert last_plan(lambda: list(given_up()[:5])).index == "combination_never_asked"


@pytest.mark.parametrize(
    ("tab", "index"),
    [(Tab.REVIEW, "combination_queue"), (Tab.NOW, "combination_flagged_now"), (Tab.EVER, "combination_ever_flagged")],
)
def test_all_flags_are_listed_in_the_order_of_an_index(tab: Tab, index: str) -> None:
    steps = steps_of(lambda: entries_after(QueueFilter(tab=tab), timezone.now(), None, 20))
    assert steps[-1] == f"SCAN selftest_combination USING INDEX {index}"


def test_what_waits_is_counted_in_short_indexes(target: Target) -> None:
    revision = queue_revision()
    assert last_plan(lambda: without_cause.__wrapped__(revision)).index == "combination_without_cause"
    assert last_plan(lambda: review_count.__wrapped__(target.pk, revision)).index == "combination_queue_of_target"
    assert last_plan(lambda: review_count.__wrapped__(None, revision)).index == "combination_queue_of_target"


ALL_OF_A_TARGET = re.compile(r"(selftest_combination|selftest_run) .*INDEX (?!combination_review ).*\(target_id=\?\)")


@pytest.mark.parametrize("few", [-1, 2_000])
@pytest.mark.parametrize(
    "ask",
    [
        lambda target: stability_of(target.pk),
        lambda target: list(running_on(target)),
        lambda target: flags_due(timezone.now()),
        lambda target: list(flags(target).order_by("-pk")[:20]),
    ],
    ids=["known causes", "searches", "flags that came back", "listed flags"],
)
def test_what_is_newest_of_a_target_is_found_without_going_through_all_of_it(
    ask: Callable[[Target], object], few: int, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a million combinations that took up to three seconds."""
    monkeypatch.setattr(targets, "FEW_COMBINATIONS", few)
    assert [step for step in steps_of(lambda: ask(target)) if ALL_OF_A_TARGET.search(step)] == []


@pytest.mark.parametrize("state", [None, CombinationState.NEVER_FLAGGED])
def test_combinations_of_a_large_target_are_listed_from_the_newest_back(
    state: CombinationState | None, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listings, "LARGE_TARGET", -1)
    steps = steps_of(lambda: list(combinations(CombinationFilter(target, state=state)).order_by("-pk")[:20]))
    assert "SCAN selftest_combination" in steps
    assert not [step for step in steps if "ORDER BY" in step]


@pytest.mark.parametrize(
    "filters",
    [
        *({"state": state} for state in CombinationState if state is not CombinationState.NEVER_FLAGGED),
        {"check": CheckName.CRASH},
    ],
)
def test_combinations_of_a_target_that_were_flagged_are_listed_from_an_index_of_those(
    filters: dict[str, Any], target: Target
) -> None:
    steps = steps_of(lambda: list(combinations(CombinationFilter(target, **filters)).order_by("-pk")[:20]))
    of_flagged = r"SEARCH selftest_combination USING INDEX combination_(review|queue_of_target) \(target_id=\?\)"
    assert any(re.fullmatch(of_flagged, step) for step in steps)


@pytest.mark.parametrize("of_target", [False, True])
@pytest.mark.parametrize("state", [state for state in Run.State if state is not Run.State.DONE])
def test_runs_without_an_answer_are_looked_for_in_the_cycles_that_have_such(
    state: Run.State, of_target: bool, target: Target
) -> None:
    steps = steps_of(lambda: list(runs(target if of_target else None, state).order_by("-pk")[:20]))
    assert any(re.fullmatch(r"SEARCH selftest_run USING INDEX \w+ \(cycle_id=\?\)", step) for step in steps)


def test_one_fingerprint_of_a_large_target_is_looked_up(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listings, "LARGE_TARGET", -1)
    steps = steps_of(lambda: list(combinations(CombinationFilter(target, fingerprint="[]")).order_by("-pk")[:20]))
    assert any("(target_id=? AND fingerprint_sha256=?)" in step for step in steps)


def test_a_pair_is_looked_up_by_the_rarer_ingredient_without_reading_rows_for_the_other_one(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = ingredient_ids(["joint: and ", "topic:knots"])["joint: and "]
    row = Combination.objects.create(target=target, query={}, first_seen_timestamp=timezone.now(), ever_flagged=True)
    row.ingredients.add(common)
    monkeypatch.setattr(full_text, "FEW", 0)
    filters = QueueFilter(ingredient='["joint: and ", "topic:knots"]', sort=Sort.AGE)
    plan = last_plan(lambda: entries_after(filters, timezone.now(), None, 20))
    assert plan == Plan("combination_review_by_key", reads_rows=False)


def test_the_smallest_queries_of_causes_are_looked_for_among_the_searches(target: Target) -> None:
    steps = steps_of(lambda: _smallest_queries([1, 2]))
    assert steps[0] == "SCAN selftest_reduction"


@pytest.mark.usefixtures("target")
def test_a_plan_that_reads_the_rows_is_told_from_one_that_does_not() -> None:
    latency = Combination.objects.filter(ever_flagged=True, target=1).order_by().values_list("last_latency_ms")
    assert last_plan(lambda: list(latency)).reads_rows
