"""`manage.py seed_history`: what it leaves is what real cycles would have left, and real cycles go on from it."""

import hashlib
from collections import Counter, defaultdict, deque
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db.models import F, Sum
from django.utils import timezone

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.recipes import RECIPES
from selftest.core.judging.answers import Answer
from selftest.core.judging.check_table import broken_invariants, specified_findings
from selftest.core.judging.context import CheckInput
from selftest.core.judging.findings import GROUPS
from selftest.core.judging.latency import LatencyLimits
from selftest.cycles.cause_assignment import TALLY_CYCLES
from selftest.findings.models import Finding
from selftest.models import (
    Cause,
    CauseTally,
    Combination,
    Coverage,
    Cycle,
    Flag,
    RecipeTally,
    ReviewEvent,
    Run,
    Target,
    Tuning,
    ingredient_keys_of,
)
from selftest.reading import queue
from selftest.reading.coverage import coverage
from selftest.seeding import history, request
from selftest.seeding.bulk import make_room
from selftest.seeding.history import seed_history
from selftest.seeding.request import Seeded, SeedRefused, SeedRequest
from selftest.storage import full_text
from selftest.storage.serialization import evidence_document, query_of, vocabulary_of
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.vocabularies import Document, small_document

pytestmark = [pytest.mark.django_db, pytest.mark.slow("makes histories of thousands of rows")]

SMALL_COMBINATIONS = 5 + 10 + 30  # by hand: topics, framed ones, framed keywords
OVER = {Cycle.State.FINISHED, Cycle.State.TARGET_UNAVAILABLE, Cycle.State.INTERRUPTED}


@pytest.fixture
def target(make_target: MakeTarget) -> Target:
    return make_target()


def conjunctionless_document() -> Document:
    """Few enough combinations to use them all up."""
    return small_document() | {"conjunctions": []}


def seed(target: Target, combinations: int = 400, runs: int = 1200, number: int = 3, share: float = 0.05) -> Seeded:
    return seed_history(SeedRequest(target, combinations, runs, number, share), NOW)


def done_runs(target: Target) -> dict[int, list[Run]]:
    """By combination, in the order in which they were asked."""
    by_combination: dict[int, list[Run]] = defaultdict(list)
    for run in Run.objects.filter(target=target, state=Run.State.DONE).order_by("id"):
        by_combination[run.combination_id].append(run)
    return by_combination


# --- how much ---


def test_it_adds_just_as_many_combinations_and_runs_as_requested(target: Target) -> None:
    seeded = seed(target, 400, 1200)
    assert (seeded.combinations, seeded.runs) == (400, 1200)
    assert Combination.objects.filter(target=target).count() == 400
    assert Run.objects.filter(target=target).count() == 1200
    assert Cycle.objects.filter(target=target).count() == seeded.cycles
    assert set(Combination.objects.values_list("recipe_name", flat=True)) == set(RECIPES)


def test_the_queue_holds_the_requested_share(target: Target) -> None:
    seeded = seed(target, 400, 1200, share=0.05)
    assert seeded.in_queue == 20
    assert queue.flagged().count() == 20
    assert seeded.dismissed == 5
    assert queue.flagged(include_dismissed=True).count() == 25


@pytest.mark.parametrize(("share", "in_queue", "dismissed"), [(0.0, 0, 0), (0.9, 90, 10), (1.0, 100, 0)])
def test_any_share_will_do(target: Target, share: float, in_queue: int, dismissed: int) -> None:
    seed(target, 100, 250, share=share)
    assert queue.flagged().count() == in_queue
    assert Combination.objects.filter(review_status="dismissed").count() == dismissed


def test_one_run_a_combination_is_enough(target: Target) -> None:
    seed(target, 100, 100)
    assert set(Combination.objects.values_list("times_generated", flat=True)) == {1}
    assert set(Run.objects.values_list("state", flat=True)) == {Run.State.DONE}


def test_few_combinations_are_asked_very_often(target: Target) -> None:
    seed(target, 2, 60)
    assert Run.objects.filter(state=Run.State.DONE).count() == sum(
        Combination.objects.values_list("times_generated", flat=True)
    )


def test_the_whole_vocabulary_can_be_used_up(make_target: MakeTarget) -> None:
    target = make_target(document=conjunctionless_document())
    seed(target, SMALL_COMBINATIONS, 300)
    assert all(row.tried == row.possible for row in coverage(target))


# --- cycles and runs ---


def test_every_cycle_is_over_and_counted_as_its_runs_are(target: Target) -> None:
    seed(target, 200, 1600)
    for cycle in Cycle.objects.filter(target=target).prefetch_related("runs"):
        runs = sorted(cycle.runs.all(), key=lambda run: run.place)
        done = [run for run in runs if run.state == Run.State.DONE]
        assert cycle.state in OVER
        assert [run.place for run in runs] == list(range(len(runs)))
        assert cycle.queries_run == len(done)
        assert cycle.flagged == sum(run.reason is not None for run in done)
        assert cycle.novel == sum(run.novel for run in done)
        if cycle.state == Cycle.State.FINISHED:
            assert len(done) == len(runs) == cycle.queries_wanted
        assert runs == [] or (cycle.vocabulary is not None and cycle.started_at is not None)


def test_some_cycles_found_nobody_there_and_a_few_were_interrupted(target: Target) -> None:
    seed(target, 300, 2400, number=14)
    states = list(Cycle.objects.values_list("state", flat=True))
    assert states[0] == Cycle.State.FINISHED, "the newest one"
    for state in (Cycle.State.TARGET_UNAVAILABLE, Cycle.State.INTERRUPTED):
        assert 0 < states.count(state) < len(states) / 10
        assert all(Cycle.objects.filter(state=state).values_list("note", flat=True))
    left = Run.objects.exclude(state=Run.State.DONE)
    assert {run.cycle.state for run in left.select_related("cycle")} <= OVER - {Cycle.State.FINISHED}
    assert set(left.values_list("state", flat=True)) == {Run.State.SKIPPED, Run.State.INTERRUPTED}
    assert set(left.values_list("result", "reason", "source_used")) == {("", None, "")}


def test_cycles_are_an_interval_apart_and_never_overlap(target: Target) -> None:
    seed(target, 100, 400)
    cycles = list(Cycle.objects.order_by("id"))
    assert abs(cycles[0].created_at - (NOW - len(cycles) * timedelta(hours=1))) < timedelta(seconds=10)
    for earlier, later in pairwise(cycles):
        assert earlier.finished_at is not None
        assert earlier.finished_at <= later.created_at
        assert abs(later.created_at - earlier.created_at - timedelta(hours=1)) < timedelta(seconds=10)
    assert cycles[-1].finished_at is not None
    assert cycles[-1].finished_at < NOW


def test_runs_are_asked_one_after_the_other_inside_their_cycle(target: Target) -> None:
    seed(target, 100, 400)
    before = datetime.min.replace(tzinfo=NOW.tzinfo)
    for run in Run.objects.filter(state=Run.State.DONE).select_related("cycle").order_by("id"):
        assert run.asked_at is not None
        assert run.finished_at is not None
        assert run.latency_ms is not None
        assert before <= run.asked_at
        assert run.asked_at + timedelta(milliseconds=run.latency_ms) <= run.finished_at + timedelta(milliseconds=1)
        assert run.cycle.started_at is not None
        assert run.cycle.finished_at is not None
        assert run.cycle.started_at < run.asked_at
        assert run.finished_at <= run.cycle.finished_at
        before = run.finished_at


def test_a_long_history_asks_more_a_cycle_and_reaches_back_a_year_at_most(target: Target) -> None:
    Tuning.objects.update_or_create(defaults={"interval_minutes": 24 * 60, "batch_size": 2})
    seeded = seed(target, 400, 1460)
    assert seeded.since >= NOW - timedelta(days=366 + 40), "a year, and the cycles that asked nothing"
    assert Run.objects.filter(cycle=Cycle.objects.earliest("id")).count() == 4


def test_answers_are_kept_whole_and_measured(target: Target) -> None:
    seed(target, 100, 300)
    for run in Run.objects.filter(state=Run.State.DONE):
        assert run.result_length_bytes == len(run.result.encode())
        assert run.result_sha256 == hashlib.sha256(run.result.encode()).hexdigest()
    assert 0 < Run.objects.filter(cached=True).count() < 40


def test_of_what_was_never_flagged_no_answer_is_older_than_clean_answers_are_kept(target: Target) -> None:
    Tuning.objects.update_or_create(defaults={"interval_minutes": 24 * 60, "keep_answers_days": 30})
    seed(target, 200, 1200, share=0.2)
    since = NOW - timedelta(days=30)
    done = Run.objects.filter(state=Run.State.DONE).exclude(result_length_bytes=0)
    old, young = done.filter(finished_at__lt=since), done.filter(finished_at__gte=since)
    needed = old.filter(combination__ever_flagged=True)
    assert young.filter(answer_deleted_at=None).exclude(result="").count() == young.count() > 0
    assert needed.filter(answer_deleted_at=None).exclude(result="").count() == needed.count() > 0
    gone = old.exclude(combination__ever_flagged=True)
    assert gone.filter(result="", answer_deleted_at=F("finished_at") + timedelta(days=30)).count() == gone.count() > 0


def test_where_answers_are_kept_for_ever_none_is_missing(target: Target) -> None:
    Tuning.objects.update_or_create(defaults={"interval_minutes": 24 * 60, "keep_answers_days": 0})
    seed(target, 200, 1200)
    assert not Run.objects.filter(state=Run.State.DONE, result="", error="").exists()
    assert not Run.objects.exclude(answer_deleted_at=None).exists()


# --- combinations ---


def test_a_combination_is_what_its_query_says(target: Target) -> None:
    seed(target, 200, 300)
    for row in Combination.objects.prefetch_related("runs"):
        query = query_of(row.query)
        assert row.fingerprint == fingerprint_of(query)
        assert row.fingerprint_sha256 == hashlib.sha256(fingerprint_of(query).encode()).hexdigest()
        assert row.last_query_text == query.text
        assert row.recipe_name == query.recipe
        assert {(run.text, run.query_text, run.recipe_name, str(run.document)) for run in row.runs.all()} == {
            (query.text, "", query.recipe, str(row.query))
        }


def test_the_first_asking_and_no_other_is_the_novel_one(target: Target) -> None:
    seed(target, 200, 600)
    for runs in done_runs(target).values():
        assert [run.novel for run in runs] == [True] + [False] * (len(runs) - 1)
    assert Cycle.objects.aggregate(total=Sum("novel"))["total"] == 200


def test_last_and_first_columns_follow_the_runs(target: Target) -> None:
    seed(target, 200, 800, share=0.3)
    runs_of = done_runs(target)
    for row in Combination.objects.all():
        runs = runs_of[row.pk]
        flagged = [run for run in runs if run.reason is not None]
        last = runs[-1]
        assert row.times_generated == len(runs)
        assert row.first_seen_timestamp <= min(run.asked_at for run in runs if run.asked_at)
        assert (row.last_run_id, row.last_run_timestamp) == (last.pk, last.finished_at)
        assert (row.last_source_used, row.last_latency_ms) == (last.source_used, last.latency_ms)
        assert row.last_flagged_reason == last.reason
        assert row.currently_flagged == (last.reason is not None)
        assert row.ever_flagged == bool(flagged)
        assert row.times_flagged == len(flagged)
        if not flagged:
            assert (row.flagged_check, row.cause, row.held_by, row.held_at) == ("", None, None, None)
            assert (row.first_flagged_reason, row.first_flagged_timestamp) == (None, None)
            assert (row.last_flagged_run, row.last_flagged_result_excerpt, row.review_status) == (None, None, None)
            continue
        assert (row.first_flagged_reason, row.first_flagged_timestamp) == (flagged[0].reason, flagged[0].finished_at)
        assert row.last_flagged_run_id == flagged[-1].pk
        assert row.last_flagged_result_excerpt == (flagged[-1].result or flagged[-1].error)[:500]
    assert (
        0
        < Combination.objects.filter(currently_flagged=True).count()
        < Combination.objects.filter(ever_flagged=True).count()
    )


def test_flags_are_just_what_the_real_checks_find(target: Target) -> None:
    seed(target, 300, 1200, share=0.5)
    version = target.vocabularies.get()
    vocabulary = vocabulary_of(version)
    histories_ms: dict[str, deque[float]] = {recipe: deque(maxlen=50) for recipe in RECIPES}
    kept: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for flag in Flag.objects.order_by("run", "place"):
        kept[flag.run_id].append((flag.place, flag.check_name, flag.reason, flag.evidence, flag.created_at))
    for run in Run.objects.filter(state=Run.State.DONE).order_by("id"):
        assert run.latency_ms is not None
        answer = Answer(run.result, run.source_used, run.latency_ms, run.http_status, run.cached, run.error or None)
        history_ms = histories_ms[run.recipe_name]
        asking = CheckInput(query_of(run.document), answer, vocabulary, tuple(history_ms), LatencyLimits())
        found = (*specified_findings(asking), *broken_invariants(asking))
        assert kept[run.pk] == [
            (place, f.check, f.reason, evidence_document(f), run.finished_at) for place, f in enumerate(found)
        ]
        assert run.reason == (found[0].reason if found else None)
        if not run.cached and not run.error:
            history_ms.append(run.latency_ms)
    of_one_answer = {*GROUPS["As specified"], *GROUPS["Of any answer"]}
    assert set(Flag.objects.values_list("check_name", flat=True)) == of_one_answer
    assert set(Flag.objects.values_list("asked_again", flat=True)) == {3}
    assert set(Flag.objects.values_list("seen_again", flat=True)) == {0, 1, 2, 3}
    assert not Flag.objects.exclude(run__target=target).exists()


def test_every_ever_flagged_combination_has_its_check_its_ingredients_and_the_cause_of_its_first_flag(
    target: Target,
) -> None:
    seed(target, 200, 800, share=0.3)
    for row in Combination.objects.prefetch_related("ingredients"):
        names = {ingredient.text for ingredient in row.ingredients.all()}
        if not row.ever_flagged:
            assert (names, row.ingredient_keys) == (set(), None)
            continue
        first = Flag.objects.get(run=row.last_flagged_run_id, place=0)
        assert (row.flagged_check, first.combination_id) == (first.check_name, row.pk)
        assert names == set(query_of(row.query).ingredients)
        assert row.ingredient_keys == ingredient_keys_of(ingredient.pk for ingredient in row.ingredients.all())
        assert row.cause_id == first.cause_id is not None


def test_the_counts_of_recipes_are_what_counting_the_runs_of_each_day_gives(target: Target) -> None:
    seed(target, 200, 800, share=0.3)
    seed(target, 100, 300, share=0.3, number=4)
    runs: Counter[tuple[date, str, str]] = Counter()
    flagged: Counter[tuple[date, str]] = Counter()
    novel: Counter[tuple[date, str]] = Counter()
    done = Run.objects.filter(target=target, state=Run.State.DONE)
    for run in done.select_related("cycle").prefetch_related("flags"):
        assert run.cycle.finished_at is not None
        day = run.cycle.finished_at.date()
        runs.update((day, run.recipe_name, check) for check in ("", *(flag.check_name for flag in run.flags.all())))
        flagged[day, run.recipe_name] += run.reason is not None
        novel[day, run.recipe_name] += run.novel
    kept = list(RecipeTally.objects.filter(target=target))
    assert {(row.day, row.recipe_name, row.check_name): row.runs for row in kept} == runs
    of_all = [row for row in kept if not row.check_name]
    assert {(row.day, row.recipe_name): row.flagged for row in of_all} == flagged
    assert {(row.day, row.recipe_name): row.novel for row in of_all} == novel
    assert {(row.flagged, row.novel) for row in kept if row.check_name} == {(0, 0)}


def test_what_was_added_is_found_by_its_words(target: Target) -> None:
    seed(target, 200, 800, share=0.3)
    for row in Combination.objects.order_by("id"):
        assert row.pk in full_text.newest_holding(row.last_query_text, None, 200).keys
        found = full_text.among_flagged(Combination.objects.filter(ever_flagged=True), row.last_query_text)
        assert (row in found) == row.ever_flagged
        for ingredient in row.ingredients.all():
            assert row in full_text.among_those_of(Combination.objects.filter(ever_flagged=True), ingredient.text)


def test_a_few_are_held_by_the_last_who_took_them(target: Target) -> None:
    User.objects.create_user("morgan")
    User.objects.create_user("alex")
    seeded = seed(target, 400, 1200, share=0.9)
    held = list(Combination.objects.filter(held_by__isnull=False))
    assert 0 < len(held) < seeded.in_queue / 10
    for row in held:
        last = row.events.filter(kind__in=["taken", "released"]).latest("id")
        assert (last.kind, last.user_id, last.at) == ("taken", row.held_by_id, row.held_at)
        assert (row.ever_flagged, row.review_status) == (True, None)
    released = ReviewEvent.objects.filter(kind="released").exclude(combination__in=held)
    assert released.exists()


def test_nobody_holds_anything_where_nobody_can_sign_in(target: Target) -> None:
    seed(target, 400, 1200, share=0.9)
    assert not ReviewEvent.objects.filter(kind__in=["taken", "released"]).exists()
    assert not Combination.objects.filter(held_by__isnull=False).exists()


def test_the_story_tells_each_turn_and_nothing_else(target: Target) -> None:
    User.objects.create_user("morgan")
    seed(target, 400, 1600, share=0.3)
    runs_of = done_runs(target)
    kinds = set()
    for row in Combination.objects.prefetch_related("events"):
        events = sorted(row.events.all(), key=lambda event: event.pk)
        assert [event.at for event in events] == sorted(event.at for event in events)
        turns: list[tuple[datetime, str, str]] = []
        reviews = [event for event in events if event.kind in ("dismissed", "undismissed")]
        is_flagged = is_dismissed = False
        for run in runs_of[row.pk]:
            assert run.finished_at is not None
            while reviews and reviews[0].at < run.finished_at:
                is_dismissed = reviews.pop(0).kind == ReviewEvent.Kind.DISMISSED
            if run.reason and is_dismissed:
                turns.append((run.finished_at, "resurfaced", run.reason))
            elif run.reason and not is_flagged:
                turns.append((run.finished_at, "flagged", run.reason))
            elif not run.reason and is_flagged:
                turns.append((run.finished_at, "came_back_clean", ""))
            is_flagged, is_dismissed = run.reason is not None, is_dismissed and not run.reason
        for review in reviews:
            is_dismissed = review.kind == ReviewEvent.Kind.DISMISSED
        assert [(event.at, event.kind, event.note) for event in events if event.actor == "engine"] == turns
        assert (row.review_status == "dismissed") == is_dismissed
        kinds.update(event.kind for event in events)
    assert kinds == set(ReviewEvent.Kind.values) - {"reduced", "due", "reasoned", "rejudged", "changed_back"}


def test_a_dismissal_names_the_last_run_before_it_and_who_it_was(target: Target) -> None:
    reviewer = User.objects.create_user("morgan")
    seed(target, 200, 800, share=0.3)
    runs_of = done_runs(target)
    reviews = ReviewEvent.objects.filter(kind__in=["dismissed", "undismissed"])
    assert reviews.exists()
    for event in reviews:
        before = [run for run in runs_of[event.combination_id] if run.finished_at and run.finished_at <= event.at]
        assert event.run_id == before[-1].pk
        assert any(run.reason for run in before)
        assert (event.user, event.actor) == (reviewer, "morgan")
        assert event.at <= NOW


def test_the_queue_is_the_union_of_the_specification(target: Target) -> None:
    seed(target, 200, 800, share=0.3)
    union = {
        row.pk
        for row in Combination.objects.all()
        if (row.currently_flagged or row.ever_flagged) and row.review_status != "dismissed"
    }
    assert {row.pk for row in queue.flagged()} == union
    assert len(union) == 60
    newest_first = [row.last_run_timestamp for row in queue.flagged()]
    assert newest_first == sorted(newest_first, reverse=True, key=lambda at: at or NOW)


# --- real cycles before and after ---


def test_the_next_real_cycle_asks_something_novel(target: Target, cycle_on: RunCycle) -> None:
    seed(target, 400, 1200)
    newest = max(Combination.objects.values_list("pk", flat=True))
    outcome = cycle_on(target, 40)
    assert outcome.cycle is not None
    assert (outcome.queries_run, outcome.cycle.novel) == (40, 40)
    assert outcome.cycle.pk > max(Cycle.objects.exclude(pk=outcome.cycle.pk).values_list("pk", flat=True))
    assert Combination.objects.filter(target=target, pk__gt=newest).count() == 40
    assert sum(Coverage.objects.values_list("queries", flat=True)) == 440, "what was drawn is remembered, each once"


def test_when_all_is_used_up_the_next_real_cycle_asks_what_was_asked_longest_ago(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target(document=conjunctionless_document())
    seed(target, SMALL_COMBINATIONS, 300)
    longest_ago = list(Combination.objects.order_by("last_run_timestamp").values_list("pk", flat=True)[:8])
    outcome = cycle_on(target, 8)
    assert outcome.cycle is not None
    assert outcome.cycle.novel == 0
    assert list(outcome.cycle.runs.order_by("place").values_list("combination_id", flat=True)) == longest_ago


def test_an_existing_history_stays_as_it_was(target: Target, make_target: MakeTarget, cycle_on: RunCycle) -> None:
    other = make_target(document=conjunctionless_document())
    cycle_on(other, 8)
    cycle_on(target, 60)
    models = (Cycle, Combination, Run, Flag, ReviewEvent)
    before = {model: list(model._default_manager.order_by("pk").values()) for model in models}
    seed(target, 200, 500)
    seed(target, 100, 300, number=4)
    for model, rows in before.items():
        assert list(model._default_manager.order_by("pk").values()[: len(rows)]) == rows
    assert Combination.objects.filter(target=target).count() == 360
    assert Combination.objects.filter(target=other).count() == 8
    outcome = cycle_on(target, 8, seed=9)
    assert outcome.cycle is not None
    assert outcome.cycle.novel == 8


def contents(target: Target) -> list[list[tuple[Any, ...]]]:
    return [
        list(Cycle.objects.filter(target=target).order_by("id").values_list("state", "seed", "created_at", "note")),
        list(
            Run.objects.filter(target=target)
            .order_by("id")
            .values_list("combination__fingerprint", "state", "finished_at", "latency_ms", "result", "reason")
        ),
        list(ReviewEvent.objects.filter(combination__target=target).order_by("id").values_list("kind", "actor", "at")),
    ]


def test_the_same_seed_makes_the_same_history(make_target: MakeTarget) -> None:
    first, same, other = make_target(), make_target(), make_target()
    seed(first, 100, 300, number=7)
    seed(same, 100, 300, number=7)
    seed(other, 100, 300, number=8)
    assert contents(first) == contents(same)
    assert contents(first) != contents(other)


def test_every_kind_of_target_can_have_one(make_target: MakeTarget) -> None:
    http = make_target(kind=Target.Kind.HTTP, base_url="http://127.0.0.1:9", dotted_path="")
    seed(http, 50, 150)
    assert set(Run.objects.filter(state=Run.State.DONE).values_list("http_status", flat=True)) == {200}


def test_progress_reaches_its_end(target: Target) -> None:
    seen: list[tuple[int, int]] = []
    seed_history(SeedRequest(target, 700, 1000, 1), NOW, progress=lambda over, all_: seen.append((over, all_)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


# --- causes ---


def test_every_flag_is_put_down_to_a_cause_which_counts_it(target: Target) -> None:
    seed(target, 200, 800, share=0.3)
    seed(target, 100, 300, share=0.3, number=4)
    flags: dict[int, list[Flag]] = defaultdict(list)
    for flag in Flag.objects.select_related("combination", "run"):
        assert flag.cause_id is not None
        assert flag.is_latest == (flag.run_id == flag.combination.last_flagged_run_id)
        flags[flag.cause_id].append(flag)
    assert set(flags) == set(Cause.objects.values_list("pk", flat=True))
    for cause in Cause.objects.all():
        mine = flags[cause.pk]
        assert cause.flags == len(mine)
        times = [flag.created_at for flag in mine]
        assert (cause.first_seen, cause.last_seen) == (min(times), max(times))
        assert set(cause.checks) == {flag.check_name for flag in mine}
        assert cause.asked_again == 3 * len(mine)
        assert cause.seen_again == sum(flag.seen_again for flag in mine)
        assert cause.example in mine
        recipe = cause.predicate["values"]
        assert {flag.run.recipe_name for flag in mine} == set(recipe) or not recipe


def test_what_people_dismissed_one_by_one_is_of_judged_causes(target: Target) -> None:
    seed(target, 200, 800, share=0.3)
    judged = Cause.objects.exclude(verdict=None)
    assert {cause.sentence for cause in judged} == {"selected by hand"}
    for flag in Flag.objects.filter(is_latest=True).select_related("combination", "cause"):
        assert flag.cause is not None
        assert flag.is_placed_by_hand == (flag.cause.verdict is not None)
        if flag.is_placed_by_hand:
            assert flag.combination.review_status == "dismissed"
            assert flag.pk <= flag.cause.judged_through


def test_a_cause_tells_of_the_newest_cycles_as_their_runs_do(target: Target) -> None:
    seed(target, 200, 800, share=0.3)
    newest = set(Cycle.objects.order_by("-id").values_list("pk", flat=True)[:TALLY_CYCLES])
    assert {tally.cycle_id for tally in CauseTally.objects.all()} <= newest
    for tally in CauseTally.objects.select_related("cause"):
        done = Run.objects.filter(cycle=tally.cycle_id, state=Run.State.DONE)
        recipe = tally.cause.predicate["values"]
        assert tally.runs == (done.filter(recipe_name=recipe[0]) if recipe else done).count()
        assert tally.flagged == done.filter(flags__cause=tally.cause).distinct().count()


# --- in parts ---


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request, "PART_COMBINATIONS", 50)


def test_the_parts_of_a_request_are_together_what_was_requested(target: Target, small_parts: None) -> None:
    parts = list(SeedRequest(target, 210, 223, 3).parts())
    assert [part.combinations for part in parts] == [42, 42, 42, 42, 42]
    assert [part.runs for part in parts] == [44, 45, 44, 45, 45]
    assert parts[0].seed == 3
    assert len({part.seed for part in parts}) == 5


def test_a_history_in_parts_is_one_in_time_and_as_large_as_requested(target: Target, small_parts: None) -> None:
    seeded = seed(target, 200, 600, share=0.1)
    assert (seeded.combinations, seeded.runs, seeded.in_queue, seeded.dismissed) == (200, 600, 20, 4)
    assert (Combination.objects.count(), Run.objects.count(), queue.flagged().count()) == (200, 600, 20)
    cycles = list(Cycle.objects.order_by("id"))
    assert len(cycles) == seeded.cycles
    assert abs(cycles[0].created_at - seeded.since) < timedelta(seconds=10)
    for earlier, later in pairwise(cycles):
        assert earlier.finished_at is not None
        assert earlier.finished_at <= later.created_at
        assert abs(later.created_at - earlier.created_at - timedelta(hours=1)) < timedelta(seconds=10)
    assert Cause.objects.count() == Cause.objects.values("symptom", "sentence").distinct().count(), "parts share causes"


def test_one_that_is_broken_off_leaves_its_first_parts_whole_and_can_be_followed_by_another(
    target: Target, small_parts: None
) -> None:
    def stop(over: int, every: int) -> None:
        if over > every / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        seed_history(SeedRequest(target, 200, 600, 3, 0.1), NOW, progress=stop)
    assert Combination.objects.count() == 100
    assert Run.objects.count() == 300
    assert queue.flagged().count() == 10
    assert set(Cycle.objects.values_list("state", flat=True)) <= OVER
    assert sum(Coverage.objects.values_list("queries", flat=True)) == 100
    assert seed(target, 100, 300, number=4).combinations == 100


def test_a_cycle_that_asks_something_new_between_two_parts_changes_what_is_new_in_the_next(
    target: Target, small_parts: None, cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def ask_first(models: Any) -> None:
        if Combination.objects.count() == 100 and not asked:
            asked.append(cycle_on(target, 8).queries_run)
        make_room(models)

    monkeypatch.setattr(history, "make_room", ask_first)
    seeded = seed(target, 200, 600, share=0.1)
    assert asked == [8]
    assert (seeded.combinations, seeded.runs) == (200, 600)
    assert Combination.objects.count() == 208
    assert sum(Coverage.objects.values_list("queries", flat=True)) == 208


# --- what is refused ---


def refusal(*arguments: str) -> tuple[str, int]:
    with pytest.raises(CommandError) as refused:
        call_command("seed_history", *arguments)
    message = str(refused.value)
    assert "\n" not in message
    assert not Run.objects.exists()
    return message, refused.value.returncode


def test_more_than_the_vocabulary_makes_is_refused_and_says_how_many_it_makes(make_target: MakeTarget) -> None:
    make_target(document=conjunctionless_document(), is_default=True)
    message, code = refusal("--combinations", str(SMALL_COMBINATIONS + 1), "--runs", "999")
    assert str(SMALL_COMBINATIONS) in message.replace(str(SMALL_COMBINATIONS + 1), "")
    assert code == 2


def test_more_than_is_left_is_refused_and_nothing_is_written(make_target: MakeTarget) -> None:
    target = make_target(document=conjunctionless_document())
    seed(target, SMALL_COMBINATIONS - 10, 300)
    with pytest.raises(SeedRefused, match=r"\b10 are left"):
        seed(target, 11, 20)
    assert Combination.objects.count() == SMALL_COMBINATIONS - 10
    assert seed(target, 10, 20).combinations == 10


def test_fewer_runs_than_combinations_are_refused(make_target: MakeTarget) -> None:
    make_target(is_default=True)
    message, code = refusal("--combinations", "100", "--runs", "99")
    assert message.startswith("99 runs are too few")
    assert code == 2


def test_a_target_without_a_vocabulary_is_refused(make_target: MakeTarget) -> None:
    make_target(is_default=True)
    make_target(document=None)
    message, code = refusal("--combinations", "1", "--runs", "1", "--target", "target 2")
    assert "has no vocabulary" in message
    assert code == 2


def test_an_unknown_target_is_refused(make_target: MakeTarget) -> None:
    make_target(is_default=True)
    message, code = refusal("--combinations", "1", "--runs", "1", "--target", "nobody")
    assert "unknown target 'nobody'" in message
    assert code == 2


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--combinations", "0"),
        ("--combinations", "1000001"),
        ("--combinations", "many"),
        ("--runs", "3000001"),
        ("--runs", "-1"),
        ("--seed", "-1"),
        ("--flagged-share", "1.5"),
        ("--flagged-share", "nan"),
    ],
)
def test_bad_numbers_are_refused_by_name(option: str, value: str) -> None:
    good = {"--combinations": "10", "--runs": "20"} | {option: value}
    message, _ = refusal(*(f"{name}={given}" for name, given in good.items()))
    assert option in message
    assert f"{value!r} is not valid" in message


def test_a_target_on_which_a_cycle_is_running_is_refused(target: Target) -> None:
    Cycle.objects.create(
        target=target,
        trigger=Cycle.Trigger.COMMAND,
        state=Cycle.State.RUNNING,
        seed=1,
        queries_wanted=8,
        created_at=timezone.now(),
        owner="elsewhere:1:1.00",
    )
    with pytest.raises(SeedRefused, match="a cycle is running"):
        seed(target)


def test_the_command_says_what_it_added(make_target: MakeTarget, capsys: pytest.CaptureFixture[str]) -> None:
    make_target(is_default=True)
    call_command("seed_history", "--combinations", "40", "--runs", "90", "--seed", "1", "--flagged-share", "0.1")
    said = capsys.readouterr().out
    assert said.startswith("Added 90 runs of 40 combinations in ")
    assert said.endswith("4 in the queue, 1 dismissed.\n")
    assert Finding.objects.count() in (1, 2)  # 3 % of 40
