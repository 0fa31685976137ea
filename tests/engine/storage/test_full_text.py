"""Finding combinations by words: the same on every database, whatever is typed and whatever the queries hold."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.models import Combination, Cycle, Target
from selftest.storage import full_text
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.routers import Route, honest

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
Make = Callable[..., Combination]


@pytest.fixture
def make(make_target: MakeTarget) -> Make:
    """A combination that says `text`, findable; with `ever_flagged`, among the flagged too."""
    target = make_target(document=None)

    def combination(text: str, **columns: Any) -> Combination:
        number = Combination.objects.count()
        row = Combination.objects.create(
            **{
                "target": target,
                "fingerprint": f'["{number}"]',
                "fingerprint_sha256": f"{number:064}",
                "recipe_name": "no_intent_fallthrough",
                "query": {"recipe": "no_intent_fallthrough", "parts": []},
                "first_seen_timestamp": NOW,
                "last_query_text": text,
                **columns,
            }
        )
        full_text.note_new([row])
        if row.ever_flagged:
            full_text.note_flagged([row])
            full_text.note_ingredients(row, [f"topic:{text}"])
        return row

    return combination


def found(text: str) -> list[str]:
    """The texts of all that `text` finds, the newest first."""
    texts = dict(Combination.objects.values_list("pk", "last_query_text"))
    return [texts[key] for key in full_text.newest_holding(text, None, 100).keys]


def found_flagged(text: str) -> set[str]:
    rows = full_text.among_flagged(Combination.objects.filter(ever_flagged=True), text)
    return set(rows.values_list("last_query_text", flat=True))


@pytest.mark.parametrize(
    "text",
    [
        "how warm will it be",
        "BE it WILL warm HOW",
        "warm",
        "war",
        "w",
        "pandas plu",
        "pollux, Castor!",
        "how how how",
        "kung-fu",
        "fu kung",
        "and/or",
        "or",
        "example com",
        "example.com",
        "com",
        "high_tide",
        "tide",
        "3.5",
        "5",
        "can't",
        " \t warm \n ",
    ],
)
def test_words_are_found_in_any_order_and_case_and_by_how_they_begin(make: Make, text: str) -> None:
    said = "How warm will it be, Castor and Pollux plus kung-fu pandas and/or example.com high_tide 3.5 can't"
    make(said, ever_flagged=True)
    make("barnacles", ever_flagged=True)
    assert found(text) == [said]
    assert found_flagged(text) == {said}


@pytest.mark.parametrize("text", ["arm", "warmer", "warm barnacles", "howwarm", "wxrm"])
def test_all_words_must_be_there_and_from_their_beginning(make: Make, text: str) -> None:
    make("how warm will it be", ever_flagged=True)
    make("barnacles", ever_flagged=True)
    assert found(text) == []
    assert found_flagged(text) == set()


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Über Straße", "STRASSE über"),
        ("École d'été", "école ÉTÉ"),
        ("ПОГОДА завтра", "погода"),
        ("天気 今日", "天気"),
        ("ΟΔΟΣ", "οδος"),
        ("𞤀𞤁𞤂 adlam", "𞤢𞤣"),  # letters that are younger than SQLite's tables
        ("x𞤀y", "x𞤀y"),
        ("plan ⅷ ②", "②"),
        ("a😀b", "B a"),
    ],
)
def test_every_script_has_words_and_cases(make: Make, said: str, text: str) -> None:
    make(said, ever_flagged=True)
    make("else", ever_flagged=True)
    assert found(text) == [said]
    assert found_flagged(text) == {said}


def test_an_accent_counts(make: Make) -> None:
    make("resume")
    assert found("résumé") == []


@pytest.mark.parametrize(
    "text",
    [
        '"', "'", "''", '"warm', "warm'", "warm*", "*warm", "^warm", "warm:*", "(warm", "warm)", "-warm", "+warm",
        "!warm", "{warm}", "s:warm", "warm\\", "\\'warm", "%warm", "warm %s", "warm;--",
        "warm\x00", "warm\ud800", "<->warm",
    ],
)  # fmt: skip
def test_marks_are_no_part_of_a_word_and_do_no_harm(make: Make, text: str) -> None:
    make("how warm s will it be", ever_flagged=True)
    make("barnacles", ever_flagged=True)
    expected = ["how warm s will it be"] if "warm" in text else []
    assert found(text) == expected
    assert found_flagged(text) == (set(expected) if "warm" in text else {"how warm s will it be", "barnacles"})


@pytest.mark.parametrize(
    "text", ["NEAR", "warm NEAR frost", "AND", "warm AND frost", "OR", "NOT", "warm NOT frost", "&|!"]
)
def test_operators_are_words_like_others(make: Make, text: str) -> None:
    make("warm or frost", ever_flagged=True)
    make("near and not", ever_flagged=True)
    words = text.casefold().split() if text != "&|!" else []
    expected = {said for said in ("warm or frost", "near and not") if all(word in said.split() for word in words)}
    assert found_flagged(text) == expected
    assert set(found(text)) == (expected if words else set())


@pytest.mark.parametrize("text", ["", "   ", "?!", "_", "😀"])
def test_a_text_without_a_word_finds_nothing_and_narrows_nothing(make: Make, text: str) -> None:
    make("warm", ever_flagged=True)
    assert found(text) == []
    assert found_flagged(text) == {"warm"}


def test_a_query_without_a_word_is_found_by_none(make: Make) -> None:
    make("?!", ever_flagged=True)
    assert found("a") == []
    assert found_flagged("?!") == {"?!"}


def test_very_long_words_and_very_many_are_no_matter(make: Make) -> None:
    make("x" * 5000)
    assert found("x" * 5000) == ["x" * 5000]
    make(" ".join(f"w{number}" for number in range(500)))
    assert len(found(" ".join(f"w{number}" for number in range(500)))) == 1


def test_every_word_of_a_long_text_counts(make: Make) -> None:
    many = " ".join(f"w{number}" for number in range(60))
    make(f"{many} first", ever_flagged=True)
    make(f"{many} second", ever_flagged=True)
    assert found(f"{many} second") == [f"{many} second"]
    assert found_flagged(f"{many} {many} first") == {f"{many} first"}


def test_quotes_in_a_query_do_no_harm(make: Make) -> None:
    said = "it's \"warm\" '); DROP TABLE selftest_combination; -- \\ | & ! :*"
    make(said, ever_flagged=True)
    assert found("drop warm it s") == [said]


def test_the_newest_come_first_and_go_on_below_a_key(make: Make) -> None:
    keys = [make(f"warm {number}").pk for number in range(5)]
    assert full_text.newest_holding("warm", None, 2).keys == [keys[4], keys[3]]
    assert full_text.newest_holding("warm", keys[3], 2).keys == [keys[2], keys[1]]
    assert full_text.newest_holding("warm", keys[0], 2).keys == []


@pytest.mark.database("postgresql")  # SQLite stops by itself once it has as many as are wanted
def test_no_more_than_enough_are_looked_for_where_that_would_take_long(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "NEWEST_ROWS", (2, 4))
    keys = [make(f"warm {number}").pk for number in range(10)][::-1]
    assert full_text.newest_holding("warm", None, 8, enough=3) == full_text.Held(keys[:4], keys[3])
    assert full_text.newest_holding("warm", keys[6], 8, enough=5) == full_text.Held(keys[7:])
    assert full_text.newest_holding("warm", None, 8) == full_text.Held(keys[:8], keys[7])


@pytest.mark.database("postgresql")  # SQLite stops by itself once it has as many as are wanted
def test_a_common_word_is_looked_for_among_the_newest_of_the_recipe(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "NEWEST_ROWS", (2, 4))
    monkeypatch.setattr(full_text, "NEWEST_OF_RECIPE", 3)
    for number in range(9):
        make(f"warm {number}" if number % 2 else "cold", recipe_name="even" if number % 2 == 0 else "odd")
    odd = list(Combination.objects.filter(recipe_name="odd").order_by("-pk").values_list("pk", flat=True))
    even = list(Combination.objects.filter(recipe_name="even").order_by("-pk").values_list("pk", flat=True))
    assert full_text.newest_holding("warm", None, 8, enough=2, recipe="odd") == full_text.Held(odd[:3], odd[2])
    assert full_text.newest_holding("warm", None, 2, enough=2, recipe="odd") == full_text.Held(odd[:2], odd[1])
    assert full_text.newest_holding("warm", odd[1], 8, enough=2, recipe="odd") == full_text.Held(odd[2:])
    assert full_text.newest_holding("warm", None, 8, enough=2, recipe="even") == full_text.Held([], even[2])


def test_the_never_flagged_are_not_among_the_flagged(make: Make) -> None:
    make("warm today")
    make("warm tomorrow", ever_flagged=True)
    rows = Combination.objects.all()
    assert [row.last_query_text for row in full_text.among_flagged(rows, "warm")] == ["warm tomorrow"]


def test_what_was_deleted_is_found_no_more_and_takes_no_place(make: Make, make_target: MakeTarget) -> None:
    older = make("warm")
    make("warm", target=make_target(document=None))
    Target.objects.exclude(pk=older.target_id).delete()
    assert full_text.newest_holding("warm", None, 1).keys == [older.pk]


@pytest.mark.database("postgresql")  # SQLite gives no key again
def test_a_key_that_is_given_again_is_found_by_its_new_words_alone(make: Make, make_target: MakeTarget) -> None:
    gone = make("warm", ever_flagged=True)
    Target.objects.all().delete()
    make("cold", pk=gone.pk, target=make_target(document=None), ever_flagged=True)
    assert (found("warm"), found("cold")) == ([], ["cold"])
    assert (found_flagged("warm"), found_flagged("cold")) == (set(), {"cold"})
    of_cold = full_text.among_those_of(Combination.objects.all(), "cold")
    assert (of_cold.count(), full_text.among_those_of(Combination.objects.all(), "warm").count()) == (1, 0)


@pytest.mark.django_db(transaction=True)
def test_a_database_that_was_emptied_has_no_words_left(make: Make, make_target: MakeTarget) -> None:
    make("warm", ever_flagged=True)
    call_command("flush", interactive=False, verbosity=0)
    kept = make("cold", target=make_target(document=None), ever_flagged=True)
    assert [entries(table) for table in full_text.TABLES] == [[kept.pk]] * 3
    assert (found("warm"), found("cold")) == ([], ["cold"])


def test_nothing_is_entered_for_nothing(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        full_text.note_new([])
        full_text.note_flagged([])


def test_settling_changes_nothing_that_is_found(make: Make) -> None:
    for number in range(20):
        make(f"warm {number}")
    before = found("warm")
    full_text.optimize()
    assert found("warm") == before
    assert len(before) == 20


# --- as the engine enters them ---


def entries(table: str) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT rowid FROM {table} ORDER BY rowid")
        return [key for (key,) in cursor.fetchall()]


def test_a_cycle_makes_all_findable_and_a_second_flag_enters_no_word_twice(
    make_target: MakeTarget, cycle_on: RunCycle, play: Callable[[Route], None]
) -> None:
    target = make_target("scripted")

    def broken(query: str, source: str) -> tuple[str, str]:
        raise RuntimeError("away with it")

    play(broken)
    cycle_on(target, 3)
    rows = list(Combination.objects.order_by("pk"))
    keys = [row.pk for row in rows]

    for route in (broken, honest, broken):
        play(route)
        run_cycle(CycleRequest(target, Cycle.Trigger.COMMAND, 2, combination=rows[0]))
    rows[0].refresh_from_db()
    assert rows[0].times_flagged == 5
    assert entries(full_text.ALL_WORDS) == keys
    assert entries(full_text.FLAGGED_WORDS) == keys
    assert entries(full_text.INGREDIENT_WORDS) == keys
    assert rows[0].pk in full_text.newest_holding(rows[0].last_query_text, None, 10).keys
    assert rows[0] in full_text.among_flagged(Combination.objects.all(), rows[0].last_query_text)
