"""`manage.py measure_search`: queries whose right answers are known, and how many of them are found."""

import io
import json
import random
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from selftest.knowledge.index import writing
from selftest.knowledge.measuring import corpus
from selftest.knowledge.measuring.filters import filters_of
from selftest.knowledge.measuring.measure import figures, measure, rebuilt
from selftest.knowledge.measuring.queries import MeasuredQuery, QueriesError, made_of, read_queries, slipped
from selftest.management.commands import measure_search
from tests.commands.process import Manage
from tests.commands.process import manage as manage  # a fixture
from tests.knowledge.pieces import BREW, EVERY, GRINDER, PUMP

CATEGORIES = {
    "acronym", "concept", "exact", "language", "natural", "paraphrase", "short", "stems", "synonym", "typo", "words",
}  # fmt: skip
FEWER = 4  # in CI each fourth of the queries that are made, and all that were written


@pytest.mark.django_db
def test_queries_of_all_kinds_are_made_and_more_than_1200() -> None:
    known = corpus.pieces()
    asked = corpus.queries(known)
    assert len(asked) >= 1_200
    assert {query.category for query in asked} == CATEGORIES
    ids = {piece.id for piece in known}
    assert all(set(query.expect) & ids for query in made_of(known))


@pytest.mark.django_db
def test_the_same_queries_are_made_of_the_same_pieces_in_any_order() -> None:
    known = corpus.pieces()
    mixed = random.Random(3).sample(known, len(known))
    assert made_of(known) == made_of(mixed)
    assert made_of(known) != made_of(known, seed=2)


def test_a_slip_changes_one_place_and_never_the_first_letter() -> None:
    rng = random.Random(1)
    for word in ("grinder", "boiler", "pressure") * 20:
        wrong = slipped(word, rng)
        assert wrong != word or "ss" in word  # two of the same letter swapped are the same
        assert wrong[0] == word[0]
        assert abs(len(wrong) - len(word)) <= 1


@pytest.mark.django_db
def test_on_own_and_invented_documents_what_is_reached_is_kept(is_full: bool) -> None:
    """The same on each database, within 0.02."""
    known = corpus.pieces()
    writing.put(known)
    made = made_of(known)
    written = corpus.queries(known)[len(made) :]
    found = measure([*(made if is_full else made[::FEWER]), *written], filters_of)
    reached = {name: found.categories[name].recall[5] for name in CATEGORIES}
    assert found.every.recall[5] >= (0.97 if is_full else 0.94)  # the written ones are the hard ones
    assert reached["exact"] == 1.0
    assert reached["typo"] >= 0.95
    assert reached["synonym"] >= 0.85
    assert reached["paraphrase"] >= 0.85
    in_other_words = [query for query in written if query.category in ("synonym", "paraphrase")]
    assert measure(in_other_words, filters_of).every.recall[5] >= 0.85


def test_recall_and_mean_reciprocal_rank_are_as_worked_out_by_hand() -> None:
    found = figures([1, 2, 6, None])
    assert found.queries == 4
    assert found.recall == {1: 0.25, 5: 0.5, 10: 0.75}
    assert found.mrr == round((1 + 1 / 2 + 1 / 6) / 4, 4)


@pytest.mark.django_db
def test_what_is_not_among_the_first_five_is_named_with_what_was_found() -> None:
    writing.put(EVERY)
    asked = [
        MeasuredQuery("jams the grinder", (GRINDER.id,), "words", half="tuning"),
        MeasuredQuery("CM007", (PUMP.id,), "exact"),
        MeasuredQuery("POST /brews", (BREW.id,), "exact"),
        MeasuredQuery("tank is empty", ("a/place/that/is.md#none",), "words"),
    ]
    found = measure(asked, filters_of, rebuilt(EVERY))
    assert {name: some.recall[5] for name, some in found.categories.items()} == {"exact": 1.0, "words": 0.5}
    assert found.halves["tuning"].queries == 1
    (miss,) = found.misses
    assert (miss.q, miss.got[0]) == ("tank is empty", PUMP.id)
    assert found.stable is True


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "queries.jsonl has no queries"),
        ("{", "queries.jsonl, line 1: this is no JSON"),
        ("[" * 100_000, "queries.jsonl, line 1: this is no JSON"),
        ("[1]", "queries.jsonl, line 1: an object is expected"),
        ('{"q": "", "expect": ["a"]}', '"q" must be text of 1 to 512 characters'),
        (json.dumps({"q": "x" * 513, "expect": ["a"]}), '"q" must be text of 1 to 512 characters'),
        ('{"q": "tank", "expect": []}', '"expect" must list ids or path#anchor'),
        ('{"q": "tank", "expect": ["a"], "filters": []}', '"filters" must be an object'),
    ],
)
def test_a_line_that_is_no_query_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(line)
    with pytest.raises(QueriesError) as refused:
        read_queries(path)
    assert complaint in str(refused.value)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"colour": "red"}, "no filter is called colour"),
        ({"domains": "kitchen"}, "kitchen"),
        ({"target": "nowhere"}, "no target is called nowhere"),
    ],
)
def test_a_filter_that_is_none_is_refused(said: dict[str, object], complaint: str) -> None:
    with pytest.raises(QueriesError, match=complaint):
        filters_of(said)


@pytest.mark.django_db
def test_queries_of_a_file_are_asked_of_what_is_there(tmp_path: Path) -> None:
    writing.put(EVERY)
    path = tmp_path / "queries.jsonl"
    lines = (
        {"q": "tank is empty", "expect": [PUMP.id]},
        {"q": "startBrew", "filters": {"type": "api"}, "expect": ["POST /brews"]},
        {"q": "office", "expect": ["office.md#keys"]},
    )
    path.write_text("\n".join(json.dumps(line) for line in lines))
    out = io.StringIO()
    call_command("measure_search", "--queries", str(path), "--json", stdout=out)
    (line,) = out.getvalue().splitlines()
    document = json.loads(line)
    assert (document["queries"], document["recall_at_1"], document["stable"]) == (3, 0.6667, None)
    assert [miss["q"] for miss in document["misses"]] == ["office"]
    out = io.StringIO()
    call_command("measure_search", "--queries", str(path), stdout=out)
    assert "office.md#keys" in out.getvalue()
    assert "at the 95th percentile" in out.getvalue()


def test_a_file_that_is_not_there_is_one_line() -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("measure_search", "--queries", "no-such.jsonl")


@pytest.mark.process
def test_without_a_file_it_measures_in_a_database_of_its_own(manage: Manage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_search, "pieces", lambda: list(EVERY))
    monkeypatch.setattr(measure_search, "queries", made_of)
    ran = manage("measure_search", "--json")
    assert ran.returncode == 0, ran.stderr
    document = json.loads(ran.stdout)
    assert document["stable"] is True
    assert document["categories"]["exact"]["recall_at_1"] == 1.0
