"""Figures that follow the clock: what two askings of a source show of them, and what faithfulness makes of that."""

import random
from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.core.judging.answers import split_sections
from selftest.evaluation.core.graders.entailment import Entailment, Judgement
from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.graders.figures import changing_figures
from selftest.evaluation.core.samples import ChangingFigure, Part, Sample
from selftest.evaluation.core.spoiling import Spoiling, spoil
from selftest.measuring.observation import generated_queries
from selftest.targets.reference.zoo.target import zoo_target

BUS = "The 12 bus leaves in 5 minutes from Dunmere."
LATER = "The 12 bus leaves in 1 minute from Dunmere."
BRIDGE = "The bridge was built in 1894."


def changing(one: str, other: str, source: str = "city") -> frozenset[ChangingFigure]:
    return frozenset(changing_figures(source, one, other, "en"))


def graded(answer: str, context: str, known: frozenset[ChangingFigure]) -> float | None:
    return Faithfulness().grade(Sample("", answer, context=(Part("city", context),), changing=known)).value


def places(one: str, other: str) -> list[int]:
    return sorted(figure.place for figure in changing(one, other))


def test_a_figure_that_differs_in_a_sentence_otherwise_the_same_follows_the_clock() -> None:
    (found,) = changing(BUS, LATER)  # "minute" and "minutes" have one stem; the 12 stays
    assert (found.source, found.place) == ("city", 1)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (f"{BUS} {BRIDGE}", f"{LATER} {BRIDGE}", [1]),
        ("-1 °C in the cellar", "2.5 °C in the cellar", [0]),
        ("as of 2026-11-24T14:05:33Z", "as of 2026-11-24T14:06:01Z", [3]),
        (BUS, BUS, []),
        (BUS, BRIDGE, []),
        (BUS, "The 12 bus arrives in 1 minute at Dunmere.", []),  # another sentence
        ("The tram leaves.", "The tram leaves.", []),
        ("", BUS, []),
    ],
)
def test_which_figures_of_a_sentence_do(one: str, other: str, expected: list[int]) -> None:
    assert places(one, other) == expected


def test_of_a_list_only_what_is_not_in_both_is_compared_in_its_order() -> None:
    lines = ["Bus 3 in 4 min", "Bus 7 in 9 min", "Bus 8 in 2 min"]
    assert places("\n".join(lines), "\n".join([lines[0], "Bus 7 in 8 min", lines[2]])) == [1]


def test_a_list_that_grows_tells_nothing() -> None:
    assert places("Bus 3 in 4 min", "Bus 3 in 4 min\nBus 7 in 9 min") == []
    assert places("Bus 3 in 4 min", "Bus 4 in 4 min\nBus 7 in 9 min") == []


def test_such_a_figure_is_no_contradiction_and_every_other_one_is() -> None:
    known = changing(BUS, LATER)
    third = "The 12 bus leaves in 3 minutes from Dunmere."
    assert graded(third, f"{BUS} {BRIDGE}", frozenset()) == 0.0
    assert graded(third, f"{BUS} {BRIDGE}", known) == 1.0
    assert graded("The 13 bus leaves in 3 minutes from Dunmere.", BUS, known) == 0.0
    assert graded("The bridge was built in 1895.", f"{BUS} {BRIDGE}", known) == 0.0


def test_no_other_word_may_differ() -> None:
    known = changing(BUS, LATER)
    assert graded("The 12 bus never leaves in 3 minutes from Dunmere.", BUS, known) == 0.0
    assert graded("The 12 bus leaves in 3 minutes from Ashby.", BUS, known) == 0.0


def test_the_sentence_must_be_among_what_the_sources_brought_for_this_answer() -> None:
    assert graded("The 12 bus leaves in 3 minutes from Dunmere.", BRIDGE, changing(BUS, LATER)) == 0.0


def test_what_one_source_changes_excuses_no_other_one() -> None:
    assert graded("The 12 bus leaves in 3 minutes from Dunmere.", BUS, changing(BUS, LATER, "home")) == 0.0


def test_it_holds_for_a_model_as_well() -> None:
    class Denies:
        def judge(self, pairs: object) -> list[Judgement]:
            raise AssertionError("it need not be asked")

    known = changing(BUS, LATER)
    sample = Sample("", LATER, context=(Part("city", BUS),), changing=known)
    assert Faithfulness(Entailment(Denies())).grade(sample).value == 1.0


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    assert changing(one, other) == changing(other, one)
    assert changing(one, one) == frozenset()


# --- on routers whose sources never say the same twice ---


@pytest.fixture(params=["view_counter", "live_prices"])
def asked(request: pytest.FixtureRequest) -> list[Sample]:
    return list(_asked(request.param))


def _asked(habit: str) -> Iterator[Sample]:
    """Answers, with what each part brought a moment before and the figures that were others a moment later."""
    target = zoo_target((habit,), seed=3)
    for query in generated_queries(target.vocabulary, 5, 60):
        texts = list(dict.fromkeys(clause.text for clause in query.clauses))
        before = {text: target.ask(text) for text in texts}
        whole = target.ask(query.text)
        after = {text: target.ask(text) for text in texts}
        known = [
            figure
            for text in texts
            for figure in changing_figures(before[text].source_used, before[text].result, after[text].result, "en")
        ]
        sections = tuple(Part(one.source, one.text) for one in split_sections(whole.result, target.vocabulary.headers))
        context = tuple(Part(answer.source_used, answer.result) for answer in before.values())
        yield Sample(query.text, whole.result, sections, context, changing=frozenset(known))


def test_an_honest_router_is_faithful_though_its_figures_follow_the_clock(asked: list[Sample]) -> None:
    values = [score.value for sample in asked if (score := Faithfulness().grade(sample)).label == "graded"]
    assert fmean(value for value in values if value is not None) >= 0.98


def test_a_figure_changed_by_machine_in_a_steady_sentence_is_still_caught(asked: list[Sample]) -> None:
    """Of ten such answers nine score less than before. Lines that change by themselves are not spoiled."""
    caught = []
    for seed, sample in enumerate(asked):
        steady = replace(sample, sections=tuple(Part(part.source, _steady(part.text)) for part in sample.sections))
        wrong = spoil(steady, Spoiling.NUMBER, random.Random(seed))
        good = Faithfulness().grade(steady).value
        if wrong is not None and good is not None:
            caught.append((Faithfulness().grade(wrong).value or 0.0) < good)
    assert len(caught) >= 20
    assert sum(caught) >= 0.9 * len(caught)


def _steady(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith(("Viewed", "Price")))
