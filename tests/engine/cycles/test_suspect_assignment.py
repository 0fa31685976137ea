"""Which ingredient a flag is put down to: when it is recorded, and again when a cycle has counted."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from selftest.core.judging.findings import CheckName
from selftest.cycles import suspect_assignment
from selftest.cycles.ingredients import ingredient_ids
from selftest.cycles.suspect_assignment import suspect_of, update_suspects
from selftest.models import (
    ANY_CHECK,
    CheckTally,
    Combination,
    Ingredient,
    IngredientTally,
    Installation,
    PairTally,
    Target,
)
from selftest.storage.chunks import CHUNK_ROWS
from tests.engine.conftest import MakeTarget

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
CRASH, EMPTY = CheckName.CRASH, CheckName.UNEXPECTED_EMPTY


@pytest.fixture
def target(make_target: MakeTarget) -> Target:
    return make_target(document=None)


def said(target: Target, **runs: tuple[int, int]) -> None:
    """Of each ingredient: in how many runs it was said, and in how many of those the crash check flagged."""
    for name, (in_all, crashed) in runs.items():
        key = ingredient_ids([name])[name]
        IngredientTally.objects.create(target=target, ingredient_id=key, check_name=ANY_CHECK, runs=in_all)
        if crashed:
            IngredientTally.objects.create(target=target, ingredient_id=key, check_name=CRASH, runs=crashed)


def said_together(target: Target, one: str, other: str, in_all: int, crashed: int) -> None:
    """Of these two: in how many runs both were said, and in how many of those the crash check flagged."""
    lower, higher = sorted(ingredient_ids([one, other]).values())
    for check, runs in ((ANY_CHECK, in_all), (CRASH, crashed)):
        row, _ = PairTally.objects.get_or_create(target=target, ingredient_id=lower, check_name=check)
        PairTally.objects.filter(pk=row.pk).update(runs={**row.runs, str(higher): runs})


def in_all(target: Target, runs: int, crashed: int) -> None:
    for check, counted in ((ANY_CHECK, runs), (CRASH, crashed)):
        CheckTally.objects.create(target=target, check_name=check, runs=counted)


def flagged(target: Target, names: str, check: CheckName = CRASH, **columns: object) -> Combination:
    """Ever flagged, made of these ingredients, nothing thought of it yet."""
    number = Combination.objects.count()
    row = Combination.objects.create(
        **{
            "target": target,
            "fingerprint": f'["{number}"]',
            "fingerprint_sha256": f"{number:064}",
            "recipe_name": "no_intent_fallthrough",
            "query": {},
            "first_seen_timestamp": NOW,
            "last_query_text": names,
            "ever_flagged": True,
            "flagged_check": check,
            **columns,
        }
    )
    row.ingredients.set(ingredient_ids(names.split()).values())
    return row


def suspects() -> list[str | None]:
    return list(Combination.objects.order_by("pk").values_list("suspect__text", flat=True))


# --- ingredients as rows ---


def test_ingredients_are_made_once_and_found_again() -> None:
    first = ingredient_ids(["knots", "tides"])
    assert ingredient_ids(["tides", "knots", "tides", "sails"]) == {
        **first,
        "sails": Ingredient.objects.get(text="sails").pk,
    }
    assert Ingredient.objects.count() == 3


def test_of_no_ingredients_none_are_made() -> None:
    assert ingredient_ids([]) == {}


def test_any_text_is_an_ingredient() -> None:
    texts = ['intent:news:it\'s "new"', "тема", "x" * 20_000, "%s", ""]
    assert set(ingredient_ids(texts)) == set(texts)
    assert set(Ingredient.objects.values_list("text", flat=True)) == set(texts)


def test_more_than_a_statement_takes_are_made_all() -> None:
    texts = [f"topic {number}" for number in range(CHUNK_ROWS + 5)]
    assert len(set(ingredient_ids(texts).values())) == len(texts)
    assert len(ingredient_ids(texts)) == len(texts)


# --- one flag ---


def test_what_goes_most_strongly_with_the_check_is_suspect(target: Target) -> None:
    # By hand: 6/√100 = 0.6, 4/√4 = 2, 5/√50 ≈ 0.71.
    said(target, often=(100, 6), always=(4, 4), some=(50, 5))
    ids = ingredient_ids(["often", "always", "some"])
    assert suspect_of(target.pk, CRASH, ids) == ids["always"]


def test_where_nothing_was_counted_the_first_in_the_alphabet_is(target: Target) -> None:
    ids = ingredient_ids(["knots", "barnacles"])
    assert suspect_of(target.pk, CRASH, ids) == ids["barnacles"]


def test_another_check_and_another_target_say_nothing(make_target: MakeTarget) -> None:
    target, other = make_target(document=None), make_target(document=None)
    said(other, knots=(4, 4))
    ids = ingredient_ids(["barnacles", "knots"])
    assert suspect_of(target.pk, CRASH, ids) == ids["barnacles"]
    assert suspect_of(other.pk, EMPTY, ids) == ids["barnacles"]
    assert suspect_of(other.pk, CRASH, ids) == ids["knots"]


@pytest.fixture
def together(target: Target) -> Target:
    """By hand: 20/√20 ≈ 4.5 for knots and tides, against 20/√100 = 2 and 20/√200 ≈ 1.4 for each of them."""
    said(target, knots=(100, 20), tides=(200, 20), sails=(300, 20))
    said_together(target, "tides", "knots", 20, 20)
    said_together(target, "knots", "sails", 60, 20)
    in_all(target, 1000, 20)
    return target


def test_a_flag_joins_those_that_are_put_down_to_two_together(together: Target) -> None:
    ids = ingredient_ids(["sails", "tides", "knots"])
    assert suspect_of(together.pk, CRASH, ids) == ids["knots"], "nothing is put down to the two yet"
    pair = ingredient_ids(['["knots", "tides"]']).popitem()[1]
    assert suspect_of(together.pk, CRASH, ids) == ids["knots"], "nor is it where they have a row"
    flagged(together, "knots tides", suspect_id=pair)
    assert suspect_of(together.pk, CRASH, ids) == pair
    assert suspect_of(together.pk, EMPTY, ids) in ids.values()
    assert suspect_of(together.pk, CRASH, ingredient_ids(["sails", "tides"])) == ids["tides"]


def test_two_are_not_suspect_where_one_alone_fails_as_often(target: Target) -> None:
    said(target, knots=(40, 40), tides=(200, 20))
    said_together(target, "knots", "tides", 20, 20)
    in_all(target, 1000, 40)
    ids = ingredient_ids(["knots", "tides"])
    assert suspect_of(target.pk, CRASH, ids) == ids["knots"]


def test_pairs_are_looked_up_in_a_fixed_number_of_statements(target: Target) -> None:
    names = [f"topic {number}" for number in range(25)]
    ids = ingredient_ids(names)
    said(target, **dict.fromkeys(names, (100, 20)))
    for one in names:
        for other in names:
            if one < other:
                said_together(target, one, other, 20, 20)
    in_all(target, 1000, 20)
    with CaptureQueriesContext(connection) as queries:
        suspect_of(target.pk, CRASH, ids)
    assert len(queries) == 5  # all runs, each ingredient, flagged pairs, those pairs in all, rows that pairs have


# --- all that is open ---


def test_all_open_ones_of_a_check_are_thought_of_again(target: Target) -> None:
    flagged(target, "knots tides")
    flagged(target, "sails knots")
    flagged(target, "barnacles sails")
    said(target, knots=(4, 4), tides=(9, 3), sails=(4, 1), barnacles=(1, 0))
    update_suspects(target, [CRASH])
    assert suspects() == ["knots", "knots", "sails"]


def test_open_ones_are_put_down_to_two_where_those_fail_together(together: Target) -> None:
    for names in ("knots tides sails", "knots tides", "knots tides barnacles", "knots sails"):
        flagged(together, names)
    update_suspects(together, [CRASH])
    assert suspects() == ['["knots", "tides"]'] * 3 + ["knots"]
    assert [str(row) for row in Ingredient.objects.filter(text__startswith="[")] == ["knots + tides"]
    update_suspects(together, [CRASH])
    assert suspects() == ['["knots", "tides"]'] * 3 + ["knots"]


def test_one_query_that_is_asked_again_and_again_says_nothing_of_any_two_of_its_parts(together: Target) -> None:
    for names in ("knots tides sails", "knots tides"):
        flagged(together, names)
    update_suspects(together, [CRASH])
    assert suspects() == ["knots", "knots"]
    assert not Ingredient.objects.filter(text__startswith="[").exists()


def test_what_is_not_open_or_of_another_check_or_target_stays(make_target: MakeTarget) -> None:
    target, other = make_target(document=None), make_target(document=None)
    flagged(target, "knots", review_status="dismissed")
    flagged(target, "knots", EMPTY)
    flagged(other, "knots")
    flagged(target, "knots", ever_flagged=False, flagged_check="")
    flagged(target, "knots")
    update_suspects(target, [CRASH])
    assert suspects() == [None, None, None, None, "knots"]


def test_one_without_ingredients_has_no_suspect(target: Target) -> None:
    flagged(target, "")
    update_suspects(target, [CRASH])
    assert suspects() == [None]


def test_only_the_newest_are_thought_of_again(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspect_assignment, "MOST_UPDATED", 2)
    for _ in range(3):
        flagged(target, "knots")
    update_suspects(target, [CRASH])
    assert suspects() == [None, "knots", "knots"]


def test_what_stays_the_same_is_not_written_again(target: Target) -> None:
    for _ in range(3):
        flagged(target, "knots tides")
    update_suspects(target, [CRASH])
    with CaptureQueriesContext(
        connection,
    ) as queries:
        update_suspects(target, [CRASH])
    assert not [query for query in queries if query["sql"].startswith("UPDATE")]


def test_the_number_of_statements_does_not_grow_with_a_few_more_rows(target: Target) -> None:
    counts = []
    Installation.queue_changed()  # makes its row
    for _ in range(2):
        for _ in range(10):
            flagged(target, "knots tides")
        Combination.objects.update(suspect=None)
        with CaptureQueriesContext(connection) as queries:
            update_suspects(target, [CRASH])
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_no_check_asks_nothing(target: Target) -> None:
    with CaptureQueriesContext(connection) as queries:
        update_suspects(target, [])
    assert len(queries) == 0
