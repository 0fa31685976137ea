"""Migrations that carry data: an installation from before the review queue gets what the engine would have counted."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import F
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.models import (
    Actor,
    Combination,
    Cycle,
    Ingredient,
    RecipeTally,
    Run,
    Target,
    ingredient_keys_of,
)
from selftest.reviewing.dismissal import dismiss
from selftest.storage import full_text
from tests import database
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.vocabularies import small_document

pytestmark = [
    pytest.mark.slow("migrates databases step by step"),
    pytest.mark.database("sqlite", "postgresql"),  # of its own
]

NEWEST = ""  # migration: the one that the models are of
SOME_FAULTS = ["exception_on_phrase", "source_swapped", "failure_phrase_as_content"]
OTHER_FAULTS = ["empty_answer", "collapses_to_first_intent", "keywords_ignore_discourse", "remainder_swallowed"]
TEXTS = ("moon", "FERRY next", "tide, high", "barnacles", "and", "nothing of this")
MigrateTo = Callable[[str], Any]


@contextmanager
def another_database(folder: Path) -> Iterator[str]:
    """One beside the tests' own, in which nothing has happened yet; its name."""
    if connection.vendor == "sqlite":
        yield str(shutil.copyfile(database.empty_sqlite(), folder / "other.sqlite3"))
        return
    name = f"before_the_queue_{os.getpid()}"  # workers share the server
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {database.TEMPLATE}")
    yield name
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name}")


@pytest.fixture
def migrate_to(django_db_blocker: Any, tmp_path: Path) -> Iterator[MigrateTo]:
    """Brings a database of its own, in use meanwhile, to a migration of selftest; the models as they were then."""

    def migrate(name: str) -> Any:
        name = name or MigrationExecutor(connection).loader.graph.leaf_nodes("selftest")[0][1]
        call_command("migrate", "selftest", name, verbosity=0)
        return MigrationExecutor(connection).loader.project_state(("selftest", name)).apps

    with django_db_blocker.unblock(), another_database(tmp_path) as name:
        connection.close()
        usual, connection.settings_dict["NAME"] = connection.settings_dict["NAME"], name
        try:
            yield migrate
        finally:
            connection.close()
            connection.settings_dict["NAME"] = usual


def counted() -> dict[str, Any]:
    """All that came with the review queue, by what it says and not by its keys."""
    flagged = Combination.objects.filter(ever_flagged=True)
    rows = flagged.order_by("pk").prefetch_related("ingredients")
    recipes = RecipeTally.objects.values_list("target", "day", "recipe_name", "check_name", "runs", "flagged", "novel")
    return {
        "flagged": [
            (
                row.pk,
                row.flagged_check,
                row.times_flagged,
                sorted(ingredient.text for ingredient in row.ingredients.all()),
                row.ingredient_keys == ingredient_keys_of(ingredient.pk for ingredient in row.ingredients.all()),
            )
            for row in rows
        ],
        "never flagged": list(
            Combination.objects.filter(ever_flagged=False)
            .order_by("pk")
            .values_list("pk", "flagged_check", "times_flagged", "ingredients", "ingredient_keys")
        ),
        "recipes": sorted(recipes),
        "found": [full_text.newest_holding(text, None, 500).keys for text in TEXTS],
        "found flagged": [sorted(row.pk for row in full_text.among_flagged(flagged, text)) for text in TEXTS],
        "found by ingredients": [sorted(row.pk for row in full_text.among_those_of(flagged, text)) for text in TEXTS],
    }


def live_through_some_cycles(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    """Two targets: faults on, then others, then none; some dismissed; a cycle that is not over yet."""
    columns = {"kind": Target.Kind.REFERENCE, "dotted_path": "", "document": small_document()}
    broken = make_target(reference_faults=SOME_FAULTS, **columns)
    other = make_target(reference_faults=OTHER_FAULTS, **columns)
    cycle_on(broken, 133)
    often = Combination.objects.filter(flagged_check=CheckName.UNEXPECTED_EMPTY).latest("id")  # seen without a probe
    run_cycle(CycleRequest(broken, Cycle.Trigger.COMMAND, 1, 1, combination=often))
    cycle_on(other, 60)
    Cycle.objects.update(finished_at=F("finished_at") - timedelta(days=2))
    RecipeTally.objects.update(day=F("day") - timedelta(days=2))
    for row in Combination.objects.filter(ever_flagged=True).order_by("pk")[::4]:
        dismiss(row, Actor("morgan"))
    for faults in (OTHER_FAULTS, []):
        Target.objects.filter(pk=broken.pk).update(reference_faults=faults)
        broken.refresh_from_db()
        cycle_on(broken, 100)
    run = Run.objects.filter(target=broken, reason__isnull=True, state=Run.State.DONE).latest("id")
    run.pk, run.cycle = (
        None,
        Cycle.objects.create(
            target=broken,
            trigger=Cycle.Trigger.SCHEDULE,
            state=Cycle.State.RUNNING,
            seed=1,
            queries_wanted=1,
            created_at=timezone.now(),
        ),
    )
    run.save()
    Combination.objects.filter(pk=run.combination_id).update(times_generated=F("times_generated") + 1)


def test_what_was_stored_before_the_review_queue_is_counted_as_the_engine_counts(
    migrate_to: MigrateTo, make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    live_through_some_cycles(make_target, cycle_on)
    before = counted()
    checks = {check for _, check, *_ in before["flagged"]}
    assert len(checks) > 2
    assert {times for _, _, times, *_ in before["flagged"]} >= {1, 2}
    assert len({day for _, day, *_ in before["recipes"]}) == 2
    assert all(before.values())
    migrate_to("0001_initial")
    migrate_to(NEWEST)
    assert counted() == before
    migrate_to("0003_search_words")
    migrate_to(NEWEST)
    assert counted() == before, "counted a second time, nothing is counted twice"


def test_a_flag_whose_run_is_gone_is_known_by_its_reason(migrate_to: MigrateTo) -> None:
    assert not RecipeTally.objects.exists(), "the migration found nothing in an empty database"
    apps = migrate_to("0001_initial")
    target = apps.get_model("selftest", "Target").objects.create(name="old", kind="reference")
    apps.get_model("selftest", "Combination").objects.create(
        target=target,
        fingerprint='["topic:knots", "intent:tides:high tide"]',
        fingerprint_sha256="1" * 64,
        recipe_name="no_intent_fallthrough",
        query={"recipe": "no_intent_fallthrough", "parts": []},
        first_seen_timestamp=timezone.now(),
        last_query_text="high_tide knots",
        times_generated=4,
        ever_flagged=True,
        first_flagged_reason="unexpected_empty: said 'nothing: to report'",
    )
    migrate_to(NEWEST)
    row = Combination.objects.get()
    assert (row.flagged_check, row.times_flagged) == ("unexpected_empty", 1)
    assert {ingredient.text for ingredient in row.ingredients.all()} == {"topic:knots", "intent:tides:high tide"}
    assert full_text.newest_holding("KNOTS tide", None, 10).keys == [row.pk]
    assert list(full_text.among_flagged(Combination.objects.all(), "knots high")) == [row]


def test_words_of_recipes_that_came_later_are_older_than_all_versions(migrate_to: MigrateTo) -> None:
    """Else they would pass for words that the vocabulary has lost, and nothing made of them would be asked again."""
    apps = migrate_to("0013_recipe_turns")
    target = apps.get_model("selftest", "Target").objects.create(name="harbour", kind="reference")
    versions = apps.get_model("selftest", "VocabularyVersion").objects
    known = {"intent:ferry:next ferry": 3}
    for number, content, in_force in ((1, {"name": "not read any more"}, False), (2, small_document(), True)):
        versions.create(
            target=target,
            number=number,
            content=content,
            sha256=f"{number:064}",
            births=known,
            in_force=in_force,
            created_at=timezone.now(),
        )
    earlier, in_force = migrate_to(NEWEST).get_model("selftest", "VocabularyVersion").objects.order_by("number")
    assert earlier.births == known
    assert in_force.births["intent:ferry:next ferry"] == 3
    assert in_force.births["intent:ferry:NEXT FERRY"] == 0
    assert in_force.births["lookalike:ｎｅｘｔ ｆｅｒｒｙ"] == 0


def test_a_combination_gets_the_cause_of_its_first_flag_and_unused_ingredients_go(migrate_to: MigrateTo) -> None:
    """Whose first flag has no cause, as its check is gone, gets that of the next one."""
    apps = migrate_to("0029_smallest_queries")
    models = {name: apps.get_model("selftest", name) for name in ("Target", "Cycle", "Run", "Flag", "Cause")}
    now = timezone.now()
    target = models["Target"].objects.create(name="harbour", kind="reference")
    cycle = models["Cycle"].objects.create(target=target, trigger="command", seed=1, queries_wanted=1, created_at=now)
    query = {"recipe": "no_intent_fallthrough", "parts": []}
    ingredients = [
        apps.get_model("selftest", "Ingredient").objects.create(text=text, sha256=f"{number:064}")
        for number, text in enumerate(("topic:knots", "topic:sails", '["topic:knots", "topic:sails"]'))
    ]

    def cause(sentence: str) -> Any:
        columns = {"symptom": "", "predicate": {"family": "any", "values": []}, "is_evident": False}
        return models["Cause"].objects.create(
            target=target, sentence=sentence, first_seen=now, last_seen=now, **columns
        )

    def flagged(number: int, *causes: Any) -> int:
        combination = apps.get_model("selftest", "Combination").objects.create(
            target=target,
            fingerprint="[]",
            fingerprint_sha256=f"{number:064}",
            recipe_name=query["recipe"],
            query=query,
            first_seen_timestamp=now,
            last_query_text="knots",
            ever_flagged=True,
        )
        run = models["Run"].objects.create(
            cycle=cycle, target=target, combination=combination, recipe_name=query["recipe"], place=number, query=query,
            query_text="knots", state="done",
        )  # fmt: skip
        for place, of in enumerate(causes):
            models["Flag"].objects.create(
                run=run, combination=combination, check_name=str(place), place=place, reason="", evidence={},
                created_at=now, cause=of,
            )  # fmt: skip
        combination.last_flagged_run = run
        combination.suspect = ingredients[2]
        combination.save()
        combination.ingredients.add(ingredients[0])
        return int(combination.pk)

    one, other = cause("one"), cause("other")
    keys = [flagged(number, *causes) for number, causes in enumerate(((one, other), (None, other), (None,)))]
    migrate_to(NEWEST)
    rows = Combination.objects.in_bulk(keys)
    assert [rows[key].cause_id for key in keys] == [one.pk, other.pk, None]
    assert list(Ingredient.objects.values_list("text", flat=True)) == ["topic:knots"]


def test_of_stored_flags_those_of_a_last_flagged_run_are_the_latest(migrate_to: MigrateTo) -> None:
    apps = migrate_to("0029_smallest_queries")
    target = apps.get_model("selftest", "Target").objects.create(name="old", kind="reference")
    shared = {"target": target, "query": {"recipe": "no_intent_fallthrough", "parts": []}}
    cycle = apps.get_model("selftest", "Cycle").objects.create(
        target=target, trigger="command", seed=1, queries_wanted=3, created_at=timezone.now()
    )
    combination = apps.get_model("selftest", "Combination").objects.create(
        fingerprint="[]", first_seen_timestamp=timezone.now(), last_query_text="knots", ever_flagged=True, **shared
    )
    runs = [
        apps.get_model("selftest", "Run").objects.create(
            cycle=cycle, combination=combination, query_text="knots", place=place, **shared
        )
        for place in range(3)
    ]
    for run in runs[:2]:
        apps.get_model("selftest", "Flag").objects.create(
            run=run, combination=combination, check_name="crash", place=0, evidence={}, created_at=timezone.now()
        )
    combination.last_flagged_run, combination.last_run = runs[1:]
    combination.save()
    flags = migrate_to(NEWEST).get_model("selftest", "Flag").objects
    assert dict(flags.values_list("run", "is_latest")) == {runs[0].pk: False, runs[1].pk: True}
