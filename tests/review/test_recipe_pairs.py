"""On the page of a recipe: which pairs of words were asked together, and which of them were flagged."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from review.contexts.recipes import Grid
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.pair_coverage import PairCoverage
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.models import Combination, Coverage, Target, Tuning
from selftest.operating.vocabularies import import_vocabulary
from selftest.storage.serialization import query_document
from selftest.storage.texts import sha256_hex
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, text_of
from tests.vocabularies import small_document

RECIPE = "proper_noun_plus_pronoun_intent"
ADDRESS = f"/recipes/{RECIPE}"
TWINS, ISLANDS, EBB = "Castor and Pollux", "Jersey and Guernsey", "Ebb plus Flow"
ROWING, TICKET = "I want to go out rowing", "I lost my next ferry ticket"


def query(pair: str, joint: str, request: str) -> Query:
    parts = (Part(PartKind.PAIR, pair), Part(PartKind.CONJUNCTION, joint), Part(PartKind.REQUEST, request))
    return Query(RECIPE, parts)


def asked(target: Target, *queries: Query) -> None:
    """As a cycle leaves it behind."""
    covered = PairCoverage()
    for each in queries:
        covered.add(each)
    Coverage.objects.create(
        target=target,
        recipe_name=RECIPE,
        values=covered.values,
        pairs=covered.packed_pairs,
        triples=covered.packed_triples,
        queries=covered.queries,
    )


def flag(target: Target, said: Query) -> Combination:
    combination = factory.make_combination()
    Combination.objects.filter(pk=combination.pk).update(
        recipe_name=said.recipe,
        fingerprint=fingerprint_of(said),
        fingerprint_sha256=sha256_hex(fingerprint_of(said)),
        query=query_document(said),
        last_query_text=said.text,
    )
    combination.refresh_from_db()
    factory.ask(combination, [factory.finding()])
    return combination


@pytest.fixture
def small(target: Target) -> Target:
    import_vocabulary(target, small_document())
    return target


def grid(client: Client, address: str = ADDRESS) -> Grid:
    found = client.get(address).context["page"].grid
    assert isinstance(found, Grid)
    return found


def states(shown: Grid) -> dict[str, list[str]]:
    return {row.text: [cell.state for cell in row.cells] for row in shown.rows}


def test_it_says_how_many_pairs_and_triples_were_asked_of_those_possible(vera: Client, small: Target) -> None:
    """3 pairs × 3 joints + 3 × 2 requests + 3 × 2: 21; each query covers three and one triple."""
    asked(small, query(TWINS, " and ", ROWING), query(EBB, " plus ", ROWING))
    text = text_of(vera.get(ADDRESS))
    assert "6 of 21 pairs of phrases covered (28.6 %), and 2 triples" in text


def test_pairs_of_words_that_left_the_vocabulary_are_not_counted(vera: Client, small: Target) -> None:
    asked(small, query("Gone and Lost", " and ", ROWING))
    assert "1 of 21 pairs of phrases" in text_of(vera.get(ADDRESS))


def test_each_cell_says_whether_its_two_words_were_asked_together(vera: Client, small: Target) -> None:
    asked(small, query(TWINS, " and ", ROWING), query(EBB, " plus ", TICKET))
    shown = grid(vera)
    assert (shown.down, shown.across) == ("pair", "request")
    assert shown.columns == (TICKET, ROWING)
    assert states(shown) == {TWINS: ["open", "asked"], EBB: ["asked", "open"], ISLANDS: ["open", "open"]}


def test_a_flagged_cell_counts_its_combinations_and_leads_to_them(vera: Client, small: Target) -> None:
    for joint in (" and ", " plus "):
        flag(small, query(TWINS, joint, ROWING))
    flag(small, query(ISLANDS, " and ", TICKET))
    asked(small, query(TWINS, " and ", ROWING), query(TWINS, " plus ", ROWING), query(ISLANDS, " and ", TICKET))
    shown = grid(vera)
    assert states(shown) == {TWINS: ["open", "flagged"], EBB: ["open", "open"], ISLANDS: ["flagged", "open"]}
    (cell,) = (cell for row in shown.rows for cell in row.cells if cell.flagged == 2)
    queue = vera.get(f"{cell.address}&flat=1")
    assert queue.status_code == 200
    assert len(queue.context["page"].rows) == 2
    said = text_of(queue)
    assert TWINS in said
    assert ISLANDS not in said


def test_flags_of_another_recipe_or_target_are_not_in_it(vera: Client, small: Target) -> None:
    flag(small, query(TWINS, " and ", ROWING))
    Combination.objects.update(recipe_name="megaquery")
    assert all(state == "open" for row in states(grid(vera)).values() for state in row)
    Combination.objects.update(recipe_name=RECIPE, target=factory.make_target("the other", is_default=False))
    assert all(state == "open" for row in states(grid(vera)).values() for state in row)


def test_the_two_kinds_of_words_are_chosen_by_a_form(vera: Client, small: Target) -> None:
    shown = grid(vera, f"{ADDRESS}?down=joint&across=pair")
    assert (shown.down, shown.across) == ("conjunction", "pair")
    assert [(slot.value, slot.is_down, slot.is_across) for slot in shown.slots] == [
        ("pair", False, True),
        ("request", False, False),
        ("joint", True, False),
    ]
    markup = vera.get(f"{ADDRESS}?down=joint&across=pair").content.decode()
    assert f'<form class="hold-to" method="get" action="{ADDRESS}#pairs">' in markup
    assert '<option value="joint" selected>conjunction</option>' in markup


def test_words_that_are_too_many_for_one_grid_come_in_pieces(vera: Client, small: Target) -> None:
    document = small_document()
    document["seeds"]["proper_noun_pairs"] = [f"Castor and Number {number:02}" for number in range(32)]
    import_vocabulary(small, document)
    first, second = grid(vera), grid(vera, f"{ADDRESS}?down=pair:2&across=request")
    assert (first.down, len(first.rows)) == ("pair, 1 of 2", 30)
    assert (second.down, [row.text for row in second.rows]) == (
        "pair, 2 of 2",
        ["Castor and Number 30", "Castor and Number 31"],
    )
    assert [slot.value for slot in second.slots] == ["pair", "pair:2", "request", "joint"]


def test_one_kind_alone_is_set_against_one_that_goes_with_it(vera: Client, small: Target) -> None:
    shown = grid(vera, f"{ADDRESS}?across=joint")
    assert (shown.down, shown.across) == ("pair", "conjunction")


def test_words_that_the_recipe_never_says_together_are_told_from_those_not_asked_yet(
    vera: Client, small: Target
) -> None:
    shown = grid(vera, f"{ADDRESS}?down=pair&across=pair")
    assert {state for row in states(shown).values() for state in row} == {"never"}


def test_intents_are_told_apart_by_their_source(vera: Client, small: Target) -> None:
    shown = grid(vera, "/recipes/multi_intent_chain?down=intent:tides&across=intent:ferry")
    assert (shown.down, shown.across) == ("intent → tides", "intent → ferry")
    assert states(shown) == {"high tide": ["open"], "low tide": ["open"]}


def test_the_grid_is_a_table_whose_cells_say_their_state_in_words(vera: Client, small: Target) -> None:
    flag(small, query(TWINS, " and ", ROWING))
    asked(small, query(TWINS, " and ", ROWING), query(EBB, " and ", ROWING))
    markup = vera.get(ADDRESS).content.decode()
    assert f'<th scope="row">{TWINS}</th>' in markup
    assert '<span class="unseen">flagged</span> 1</a>' in markup
    assert '<span class="unseen">asked</span>' in markup
    assert '<span class="unseen">not asked</span>' in markup


def test_before_anything_was_asked_every_cell_is_open(vera: Client, small: Target) -> None:
    assert "0 of 21 pairs of phrases covered" in text_of(vera.get(ADDRESS))
    assert {state for row in states(grid(vera)).values() for state in row} == {"open"}


def test_a_recipe_that_says_one_word_at_a_time_has_no_grid(vera: Client, small: Target) -> None:
    text = text_of(vera.get("/recipes/no_intent_fallthrough"))
    assert "No two phrases of this vocabulary share a query." in text


def test_without_a_vocabulary_it_says_so(vera: Client, target: Target) -> None:
    target.vocabularies.all().delete()
    assert "No pair coverage: there is no vocabulary" in text_of(vera.get(ADDRESS))


@pytest.mark.parametrize("words", ["down=soup", "across=intent:soup", f"down={SCRIPT}"])
def test_words_that_the_recipe_does_not_have_are_refused(words: str, vera: Client, small: Target) -> None:
    assert vera.get(f"{ADDRESS}?{words}").status_code == 400


def test_script_is_shown_as_text(vera: Client, target: Target) -> None:
    document = small_document()
    document["seeds"]["proper_noun_pairs"] = [SCRIPT, TWINS]
    import_vocabulary(target, document)
    assert_escaped(vera.get(ADDRESS))


def test_the_number_of_queries_does_not_grow_with_the_rows(
    vera: Client, small: Target, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Tuning.get_solo()
    asked(small, query(TWINS, " and ", ROWING))
    vera.get(ADDRESS)  # reads the vocabulary, which a process then remembers
    for joint in (" and ", " plus ", ", also "):
        for pair in (TWINS, EBB, ISLANDS):
            flag(small, query(pair, joint, ROWING))
        with django_assert_max_num_queries(17):
            vera.get(ADDRESS)
