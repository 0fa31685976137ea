"""Keyphrase coverage, contextual precision and recall, answer relevance: worked by hand."""

import time

import pytest

from selftest.evaluation.core.graders import default_graders
from selftest.evaluation.core.graders.contextual import ContextualPrecision, ContextualRecall
from selftest.evaluation.core.graders.keyphrases import KeyphraseCoverage
from selftest.evaluation.core.graders.relevance import AnswerRelevance
from selftest.evaluation.core.samples import Part, Sample

TRAM, BRIDGE, BREAD = (
    "The tram to Dunmere leaves at 07:30.",
    "The bridge was built in 1894.",
    "Sourdough needs flour and water.",
)
CITY, BAKERY, NEWS = Part("city", BRIDGE), Part("bakery", BREAD), Part("news", "A choir sang on the quay.")


def answer_of(*sections: Part, reference: str | None = f"{BRIDGE} {BREAD}") -> Sample:
    return Sample("", "\n".join(part.text for part in sections), sections, reference=reference)


def test_the_share_of_keyphrases_in_any_form_and_in_their_order() -> None:
    phrases = ("printing press", "movable type", "Gutenberg", "type movable")
    sample = Sample("", "GUTENBERG's printing-presses used movable types.", keyphrases=phrases)
    score = KeyphraseCoverage().grade(sample)
    assert (score.value, score.details) == (0.75, ("missing: type movable",))


def test_a_keyphrase_is_made_of_whole_words() -> None:
    assert KeyphraseCoverage().grade(Sample("", "An impress.", keyphrases=("press",))).value == 0.0


def test_an_opposite_is_another_keyphrase() -> None:
    assert KeyphraseCoverage().grade(Sample("", "It is closed.", keyphrases=("open",))).value == 0.0


@pytest.mark.parametrize("phrases", [(), ("",), ("—",)])
def test_without_keyphrases_nothing_is_said(phrases: tuple[str, ...]) -> None:
    score = KeyphraseCoverage().grade(Sample("", "A tram.", keyphrases=phrases))
    assert (score.value, score.label) == (None, "no keyphrases")


@pytest.mark.parametrize(
    ("sections", "value"),
    [
        ((CITY, BAKERY), 1.0),
        ((CITY, BAKERY, NEWS), 1.0),
        ((CITY, NEWS, BAKERY), (1 / 1 + 2 / 3) / 2),
        ((NEWS, CITY), 1 / 2),
        ((NEWS, NEWS, CITY, BAKERY), (1 / 3 + 2 / 4) / 2),
        ((NEWS,), 0.0),
    ],
)
def test_precision_is_higher_the_further_up_the_needed_sections_stand(sections: tuple[Part, ...], value: float) -> None:
    assert ContextualPrecision().grade(answer_of(*sections)).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("sections", "value"), [((CITY, BAKERY), 1.0), ((NEWS, BAKERY), 0.5), ((NEWS,), 0.0), ((BAKERY, CITY, NEWS), 1.0)]
)
def test_recall_is_the_share_of_the_reference_that_is_there(sections: tuple[Part, ...], value: float) -> None:
    assert ContextualRecall().grade(answer_of(*sections)).value == value


def test_recall_names_what_is_missing() -> None:
    assert ContextualRecall().grade(answer_of(CITY)).details == (f"missing: {BREAD}",)


def test_an_answer_without_headers_is_one_section() -> None:
    sample = Sample("", BRIDGE, reference=BRIDGE)
    assert (ContextualPrecision().grade(sample).value, ContextualRecall().grade(sample).value) == (1.0, 1.0)


@pytest.mark.parametrize("grader", [ContextualPrecision(), ContextualRecall()])
def test_without_a_reference_or_an_answer_nothing_is_said(grader: ContextualPrecision | ContextualRecall) -> None:
    for reference in (None, "", "…"):
        score = grader.grade(answer_of(CITY, reference=reference))
        assert (score.value, score.label) == (None, "no reference")
    assert grader.grade(Sample("", " ", reference=BRIDGE)).label == "no sections"


@pytest.mark.parametrize(
    ("query", "answer", "value"),
    [
        ("when was the bridge built", BRIDGE, 1.0),
        ("bridges and sourdough", BRIDGE, 0.5),
        ("choirs", BRIDGE, 0.0),
        ("headlines", "[NEWS — RECENT HEADLINES]\nA choir sang.", 1.0),
        ("the bridge of 1895", BRIDGE, 0.5),
        ("bridge", "", 0.0),
    ],
)
def test_relevance_is_the_share_of_the_query_that_is_taken_up(query: str, answer: str, value: float) -> None:
    assert AnswerRelevance().grade(Sample(query, answer)).value == value


def test_a_query_without_words_has_no_relevance() -> None:
    assert AnswerRelevance().grade(Sample("and what is it?", BRIDGE)).label == "no words"


def test_each_grader_says_what_it_measures_and_what_it_misses() -> None:
    graders = default_graders()
    assert len({grader.name for grader in graders}) == len(graders) == 6
    for grader in graders:
        assert (grader.low, grader.high) == (0, 1)
        assert grader.says.endswith(".")
        assert grader.cannot_see.endswith(".")


@pytest.mark.parametrize("grader", [ContextualPrecision(), ContextualRecall()])
@pytest.mark.parametrize(
    ("reference", "answer", "reason"),
    [
        ("x" * 20_001, "A tram.", "the reference has 20,001 characters; at most 20,000 are compared"),
        ("A tram.\n" * 301, "A tram.", "the reference has 301 sentences; at most 300 are compared"),
        ("A tram.", "A tram.\n" * 601, "the answer has 601 sentences; at most 600 are compared"),
    ],
)
def test_of_too_much_to_compare_nothing_is_said(
    grader: ContextualPrecision | ContextualRecall, reference: str, answer: str, reason: str
) -> None:
    score = grader.grade(Sample("", answer, reference=reference))
    assert (score.value, score.label, score.reason) == (None, "too long", reason)


def test_as_much_as_may_be_compared_takes_a_moment() -> None:
    reference, answer = ("\n".join(f"The tram {number} leaves." for number in range(count)) for count in (300, 600))
    began_s = time.process_time()
    assert ContextualRecall().grade(Sample("", answer, reference=reference)).value == 1.0
    assert time.process_time() - began_s < 3
