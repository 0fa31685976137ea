"""Which queries a cycle asks: what was left over, then what is new, then what was asked longest ago."""

from collections import Counter
from datetime import timedelta

import pytest
import time_machine

from selftest.core.generation.recipes import RECIPES
from selftest.cycles.lifecycle import CycleRequest, prepare, start
from selftest.cycles.planning import plan
from selftest.cycles.runner import Status
from selftest.models import Combination, Coverage, Cycle, Run, Target
from selftest.operating.vocabularies import import_vocabulary
from selftest.storage.serialization import coverage_of
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.texts import texts_of
from tests.vocabularies import small_document

pytestmark = [pytest.mark.django_db, pytest.mark.slow("plans many cycles")]

TOPICS = ["narwhals", "knots", "tide mills", "lighthouses", "whalebone"]
OPEN_TOPIC = ["no_intent_fallthrough"]


def texts(cycle: Cycle | None) -> list[str]:
    assert cycle is not None
    return texts_of(cycle.runs.all())


def change_vocabulary(target: Target, topics: list[str]) -> None:
    document = small_document()
    document["seeds"]["open_topics"] = topics
    import_vocabulary(target, document, NOW)


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 17, 2**63 - 1])
def test_five_topics_are_five_novel_queries_from_any_seed(
    seed: int, make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target(document=small_document())
    outcome = cycle_on(target, 5, seed, recipes=OPEN_TOPIC)
    assert outcome.cycle is not None
    assert sorted(texts(outcome.cycle)) == sorted(TOPICS)
    assert outcome.cycle.novel == 5


@pytest.mark.seeds(few=1, full=3)
def test_two_hundred_of_a_large_recipe_are_two_hundred_novel_ones(
    seed: int, make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target()
    outcome = cycle_on(target, 200, seed, recipes=["multi_intent_chain"])
    assert outcome.cycle is not None
    assert outcome.cycle.novel == 200
    assert Combination.objects.filter(target=target, times_generated=1).count() == 200
    assert set(outcome.cycle.runs.values_list("recipe_name", flat=True)) == {"multi_intent_chain"}


def test_novelty_holds_from_cycle_to_cycle(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target()
    for seed in range(10):
        assert cycle_on(target, 8, seed).queries_run == 8
    assert Combination.objects.filter(target=target).count() == 80
    assert not Combination.objects.exclude(times_generated=1).exists()


def test_the_same_seed_on_an_empty_history_gives_the_same_queries(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    first = cycle_on(make_target(), 40, seed=23)
    second = cycle_on(make_target(), 40, seed=23)
    other = cycle_on(make_target(), 40, seed=24)
    assert texts(first.cycle) == texts(second.cycle)
    assert texts(first.cycle) != texts(other.cycle)


def test_every_recipe_has_its_turns(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    weights = {name: recipe.weight for name, recipe in RECIPES.items()}
    outcome = cycle_on(make_target(), sum(weights.values()))
    assert outcome.cycle is not None
    assert Counter(outcome.cycle.runs.values_list("recipe_name", flat=True)) == weights


# --- coverage ---


def covered(target: Target) -> dict[str, tuple[int, int, int]]:
    """By recipe the queries, pairs and triples that its row holds."""
    rows = {row.recipe_name: coverage_of(row) for row in Coverage.objects.filter(target=target)}
    return {name: (found.queries, found.pairs_covered, found.triples_covered) for name, found in rows.items()}


def test_a_cycle_keeps_what_its_queries_covered(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    """Each query of a pair, a joint and a request covers three pairs and a triple."""
    target = make_target(document=small_document())
    cycle_on(target, 1, recipes=["proper_noun_plus_pronoun_intent"])
    assert covered(target) == {"proper_noun_plus_pronoun_intent": (1, 3, 1)}
    cycle_on(target, 1, recipes=["proper_noun_plus_pronoun_intent"])
    assert covered(target)["proper_noun_plus_pronoun_intent"] == (2, 6, 2)


def test_all_pairs_are_reached_over_many_small_cycles(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    """3 pairs × 3 joints × 2 requests: 9 + 6 + 6 pairs of values, which nine queries can hold."""
    target = make_target(document=small_document())
    for seed in range(9):
        cycle_on(target, 1, seed, recipes=["proper_noun_plus_pronoun_intent"])
    assert covered(target)["proper_noun_plus_pronoun_intent"][:2] == (9, 21)
    assert Combination.objects.filter(target=target).count() == 9


def test_what_was_made_to_cover_pairs_is_not_asked_again_by_the_walk(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target(document=small_document())
    for seed in range(6):
        cycle_on(target, 3, seed, recipes=["proper_noun_plus_pronoun_intent"])
    assert covered(target)["proper_noun_plus_pronoun_intent"] == (18, 21, 18)
    assert Combination.objects.filter(target=target, times_generated=1).count() == 18


def test_asking_again_and_replaying_cover_nothing(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target(document=small_document())
    first = cycle_on(target, 8).cycle
    before = covered(target)
    for wish in (
        CycleRequest(target, Cycle.Trigger.COMMAND, 8, 5, [], replay_of=first),
        CycleRequest(target, Cycle.Trigger.COMMAND, 3, 5, [], combination=Combination.objects.first()),
    ):
        cycle = prepare(wish)
        cycle.save()
        assert start(cycle)
        assert plan(cycle, target.vocabularies.get(), NOW)
        cycle.delete()
    assert covered(target) == before


def test_each_target_has_a_coverage_of_its_own(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    first, second = make_target(document=small_document()), make_target(document=small_document())
    cycle_on(first, 4)
    assert covered(first)
    assert covered(second) == {}


def test_when_all_were_asked_the_one_asked_longest_ago_comes_first(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target(document=small_document())
    asked = []
    for minutes in range(5):
        with time_machine.travel(NOW + timedelta(minutes=minutes), tick=False):
            asked += texts(cycle_on(target, 1, recipes=OPEN_TOPIC).cycle)
    assert sorted(asked) == sorted(TOPICS)
    with time_machine.travel(NOW + timedelta(minutes=5), tick=False):
        again = cycle_on(target, 2, recipes=OPEN_TOPIC).cycle
    with time_machine.travel(NOW + timedelta(minutes=6), tick=False):
        and_again = cycle_on(target, 4, recipes=OPEN_TOPIC).cycle
    assert texts(again) == asked[:2]
    assert texts(and_again) == [*asked[2:], asked[0]]
    assert again is not None
    assert (again.novel, again.queries_run) == (0, 2)


def test_what_is_new_comes_before_repeats_in_the_same_cycle(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target(document=small_document())
    first = texts(cycle_on(target, 3, recipes=OPEN_TOPIC).cycle)
    outcome = cycle_on(target, 8, recipes=OPEN_TOPIC)
    said = texts(outcome.cycle)
    assert sorted(first + said[:2]) == sorted(TOPICS)
    assert sorted(said[2:5]) == sorted(first)
    assert said[5:] == [*said[:2], said[2]]  # then once more round, in the same order
    assert outcome.cycle is not None
    assert [run.novel for run in outcome.cycle.runs.order_by("place")] == [True] * 2 + [False] * 6
    assert outcome.cycle.novel == 2


def test_a_vocabulary_s_new_word_comes_first(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target(document=small_document())
    cycle_on(target, 2, recipes=OPEN_TOPIC)
    change_vocabulary(target, [*TOPICS, "kelp"])
    outcome = cycle_on(target, 4, recipes=OPEN_TOPIC)
    assert texts(outcome.cycle)[0] == "kelp"
    assert outcome.cycle is not None
    assert outcome.cycle.novel == 4
    assert Combination.objects.filter(target=target).count() == 6


def test_a_word_taken_out_and_put_back_repeats_nothing(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target(document=small_document())
    cycle_on(target, 4, recipes=OPEN_TOPIC)
    change_vocabulary(target, TOPICS[1:])
    change_vocabulary(target, TOPICS)
    assert cycle_on(target, 1, recipes=OPEN_TOPIC).cycle.novel == 1  # type: ignore[union-attr]
    assert Combination.objects.filter(target=target, times_generated=1).count() == 5


def test_a_conjunction_taken_out_and_put_back_repeats_nothing(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    """18 of 3 pairs × 3 joints × 2 requests; the joint is part of every one."""
    target = make_target(document=small_document())
    recipe = ["proper_noun_plus_pronoun_intent"]
    cycle_on(target, 12, recipes=recipe)
    without = small_document()
    without["conjunctions"].remove(" plus ")
    import_vocabulary(target, without, NOW)
    cycle_on(target, 2, recipes=recipe)
    import_vocabulary(target, small_document(), NOW)
    cycle_on(target, 4, recipes=recipe)
    assert Combination.objects.filter(target=target, times_generated=1).count() == 18
    assert cycle_on(target, 1, recipes=recipe).cycle.novel == 0  # type: ignore[union-attr]


def test_what_the_vocabulary_no_longer_holds_is_not_asked_again(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target(document=small_document())
    cycle_on(target, 5, recipes=OPEN_TOPIC)
    change_vocabulary(target, ["knots"])
    assert texts(cycle_on(target, 3, recipes=OPEN_TOPIC).cycle) == ["knots"] * 3


def test_combinations_left_over_come_first_in_their_order(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target()
    outcome = cycle_on(target, 8)
    left_over = list(Run.objects.filter(cycle=outcome.cycle, place__in=[2, 5, 7]).order_by("place"))
    Combination.objects.filter(runs__in=left_over).update(times_generated=0, last_run_timestamp=None)
    after = cycle_on(target, 5)
    assert after.cycle is not None
    assert texts(after.cycle)[:3] == [run.text for run in left_over]
    assert after.cycle.novel == 5
    assert Combination.objects.filter(target=target).count() == 10


def test_a_left_over_of_another_recipe_or_another_target_is_not_asked(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target, other = make_target(), make_target()
    cycle_on(target, 3, recipes=["multi_intent_chain"])
    cycle_on(other, 3, recipes=OPEN_TOPIC)
    Combination.objects.update(times_generated=0, last_run_timestamp=None)
    outcome = cycle_on(target, 2, recipes=OPEN_TOPIC)
    assert outcome.cycle is not None
    assert set(outcome.cycle.runs.values_list("recipe_name", flat=True)) == set(OPEN_TOPIC)
    assert set(outcome.cycle.runs.values_list("combination__target", flat=True)) == {target.pk}


def test_a_cycle_is_held_to_the_recipes_it_names(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    recipes = ["nested_proper_noun_pairs", "conditional_with_remainder"]
    outcome = cycle_on(make_target(), 10, recipes=recipes)
    assert outcome.cycle is not None
    assert set(outcome.cycle.runs.values_list("recipe_name", flat=True)) == set(recipes)
    assert outcome.cycle.recipes == recipes


def test_two_targets_walk_by_themselves(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    first, second = make_target(document=small_document()), make_target(document=small_document())
    for target in (first, second):
        assert cycle_on(target, 5, recipes=OPEN_TOPIC).cycle.novel == 5  # type: ignore[union-attr]
    assert Combination.objects.filter(recipe_name=OPEN_TOPIC[0]).count() == 10


def test_a_vocabulary_without_seeds_ends_the_cycle_saying_so(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    document = small_document()
    document["seeds"]["open_topics"] = []
    outcome = cycle_on(make_target(document=document), 5, recipes=OPEN_TOPIC)
    assert (outcome.status, outcome.queries_run) == (Status.RAN, 0)
    assert outcome.note == "no combination: the vocabulary lacks what the recipes need"


def test_more_queries_than_rows_looked_at_in_one_go(make_target: MakeTarget) -> None:
    """Chunks of 500 must join without a gap or a repeat."""
    target = make_target()
    cycle = prepare(CycleRequest(target, Cycle.Trigger.COMMAND, 1100, 1, ["multi_intent_chain"]))
    cycle.save()
    assert start(cycle)
    runs = plan(cycle, target.vocabularies.get(), NOW)
    assert [run.place for run in runs] == list(range(1100))
    assert len({run.combination_id for run in runs}) == 1100
    assert set(Run.objects.values_list("state", flat=True)) == {Run.State.PLANNED}


def test_the_fingerprint_is_the_sorted_ingredients_and_never_the_text(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    document = small_document()
    document["seeds"] |= {"proper_noun_pairs": ["Castor and Pollux"], "pronoun_requests": ["I want to go out rowing"]}
    document["conjunctions"] = [" plus "]
    target = make_target(document=document)
    outcome = cycle_on(target, 1, recipes=["proper_noun_plus_pronoun_intent"])
    assert texts(outcome.cycle) == ["Castor and Pollux plus I want to go out rowing"]
    combination = Combination.objects.get(target=target)
    assert combination.fingerprint == ('["joint: plus ", "pair:Castor and Pollux", "request:I want to go out rowing"]')
