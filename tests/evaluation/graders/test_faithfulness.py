"""Faithfulness, lexical: what counts as a claim, what supports one, and what a refusal is."""

import pytest

from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.samples import Part, Sample, Score

TRAM = "The tram to Dunmere leaves at 07:30 from platform 4."
BRIDGE = "The bridge was built in 1894 by Greta Hansen and is 1,200 metres long."
LOST = "The bridge of the lost quarter was lost."
LAMP = "The lamp in the cellar is not on."
LANE = "The third lane closes."
BROUGHT = (Part("city", f"{TRAM} {BRIDGE}"), Part("home", f"{LAMP} The cellar door is open. {LANE}"))


def graded(answer: str, context: tuple[Part, ...] | None = BROUGHT, query: str = "", **more: object) -> Score:
    return Faithfulness().grade(Sample(query, answer, context=context, **more))


def test_one_invented_claim_of_three_is_two_thirds() -> None:
    score = graded(f"{TRAM} {BRIDGE} A second tunnel opened last spring.")
    assert score.value == pytest.approx(0.667, abs=0.001)
    assert (score.label, score.reason) == ("graded", "2 of 3 claims are supported")


def test_each_claim_is_named_with_the_sentence_that_supports_it() -> None:
    supported, invented = graded(f"{TRAM} A second tunnel opened last spring.").details
    assert supported == f"supported: {TRAM} ← {TRAM}"
    assert invented.startswith("not supported (")
    assert "A second tunnel opened last spring." in invented


@pytest.mark.parametrize(
    "claim",
    [
        TRAM,
        "- **The tram to Dunmere** leaves at 7:30 from platform four.",
        "From platform 4 the tram leaves to Dunmere at 07:30.",
        "Trams to Dunmere leave at 07:30.",
        "The bridge is 1200 metres long.",
        "According to the city, the bridge was built in 1894.",
        "The lamp in the cellar isn't on.",
        "The lamp in the cellar is off.",
        "The 3rd lane closes.",
        "The cellar door is not closed.",
        "It is not true that the cellar door is closed.",
    ],
)
def test_a_claim_in_the_words_of_one_sentence_is_supported(claim: str) -> None:
    assert graded(claim).value == 1.0


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("The tram to Dunmere leaves at 07:31 from platform 4.", "another number"),
        ("The tram to Dunmere leaves at 07:30 from platform five.", "another number"),
        ("The bridge was built in 1894 by Bertil Hansen.", "another name"),
        ("The bridge was not built in 1894.", "negated on one side alone"),
        ("The bridge was never built by Greta Hansen.", "negated on one side alone"),
        ("The lamp in the cellar is on.", "the opposite"),
        ("It is not the case that the cellar door is open.", "negated on one side alone"),
        ("The cellar door is closed.", "the opposite"),
        ("The tram to Dunmere arrives at 07:30 from platform 4.", "the opposite"),
        ("The bridge of the lost quarter was never lost.", "the opposite"),
        ("Sourdough needs flour and water.", "no sentence of the sources has its words"),
    ],
)
def test_a_claim_that_differs_in_what_matters_is_not(claim: str, why: str) -> None:
    score = graded(claim, (Part("city", f"{TRAM} {BRIDGE} {LAMP} The cellar door is open. {LOST}"),))
    assert score.value == 0.0
    assert why in score.details[0]


def test_a_claim_is_held_against_single_sentences() -> None:
    # Each word is in the sources, but no sentence says this.
    assert graded("The tram to Dunmere was built by Greta Hansen.").value == 0.0


def test_a_sentence_of_two_claims_counts_twice() -> None:
    score = graded("The bridge was built in 1894 by Greta Hansen, but the city painted all towers green.")
    assert (score.value, score.reason) == (0.5, "1 of 2 claims are supported")


def test_a_clause_that_says_little_stays_with_its_sentence() -> None:
    assert graded("The bridge was built in 1894, and long.").reason == "1 of 1 claims are supported"


def test_questions_headings_and_addresses_claim_nothing() -> None:
    score = graded(f"## Trams:\n---\nDo you mean Dunmere?\nhttps://a.example/tunnel\n{TRAM}")
    assert score.reason == "1 of 1 claims are supported"


def test_a_section_is_not_supported_by_what_the_source_of_another_one_brought() -> None:
    both = (Part("city", BRIDGE), Part("home", LAMP))
    assert graded(f"{BRIDGE} {LAMP}", sections=both).value == 1.0
    assert graded(f"{BRIDGE} {TRAM}", sections=(Part("city", BRIDGE), Part("home", TRAM))).value == 0.5


def test_what_came_from_elsewhere_supports_any_section() -> None:
    merged = (Part("fusion", f"{TRAM} {LAMP}"), Part("home", LAMP))
    assert graded(TRAM, merged, sections=(Part("home", TRAM),)).value == 1.0
    assert graded(TRAM, sections=(Part("stand-in", TRAM), Part("city", BRIDGE))).value == 1.0


@pytest.mark.parametrize(
    "answer",
    [
        "I don't have enough information to answer that.",
        "I'm sorry, but I could not find anything about the tunnel.",
        "Sorry. No results found.",
        "Unfortunately, there is no information about it in the sources.",
        "The sources do not mention a tunnel.",
        "No information was found about a tunnel.",
        "No results are available right now.",
        "No documents could be found.",
        "We are unable to answer this question right now.",
        "Dazu liegen leider keine Informationen vor.",
        "Ich weiß es leider nicht.",
    ],
)
@pytest.mark.parametrize("context", [BROUGHT, None, ()])
def test_a_refusal_is_faithful_and_counted_apart(answer: str, context: tuple[Part, ...] | None) -> None:
    score = graded(answer, context, "what of the tunnel")
    assert (score.value, score.label) == (1.0, "refusal")


@pytest.mark.parametrize(
    "answer",
    [
        "I don't have enough information to answer that. The tunnel opened in 1990.",
        "I don't have enough information, but the moon is cheese.",
        "I don't know, the moon is cheese.",
        "I could not find it because the tunnel closed in 1990.",
        "No results found for 1990. Sourdough needs flour and water.",
        "No information on Mercury, the planet closest to the Sun.",
        "No data was lost in the fire.",
        "No documents have been destroyed.",
        "No answers are ever wrong.",
    ],
)
def test_what_is_followed_by_a_claim_is_no_refusal(answer: str) -> None:
    score = graded(answer)
    assert (score.value, score.label) == (0.0, "graded")


def test_a_refusal_beside_a_supported_claim_is_no_claim() -> None:
    assert graded(f"I could not find more. {TRAM}").reason == "1 of 1 claims are supported"


def test_what_the_target_says_where_it_has_nothing_is_a_refusal() -> None:
    sample = Sample("", "Nichts im Fahrplan.", context=BROUGHT)
    assert Faithfulness(refusals=["nichts im Fahrplan"]).grade(sample).label == "refusal"
    assert Faithfulness().grade(sample).value == 0.0


@pytest.mark.parametrize("context", [None, (), (Part("city", " \n---\n"),)])
def test_without_context_nothing_is_said(context: tuple[Part, ...] | None) -> None:
    score = graded(TRAM, context)
    assert (score.value, score.label) == (None, "no context")
    assert score.reason == "what the sources bring alone is not known"


@pytest.mark.parametrize("answer", ["", " \n", "---", "What do you mean?"])
def test_an_answer_that_claims_nothing_has_no_score(answer: str) -> None:
    assert (graded(answer).value, graded(answer).label) == (None, "no claims")


def test_a_minus_at_the_beginning_of_a_line_is_no_bullet() -> None:
    context = (Part("forecast", "-5 °C at night"),)
    assert graded("-5 °C at night", context).value == 1.0
    assert graded("5 °C at night", context).value == 0.0
    assert graded("- -5 °C at night", context).value == 1.0


def test_german_nouns_are_no_names() -> None:
    context = (Part("stadt", "Die Brücke am Hafen wurde 1894 gebaut und ist nicht gesperrt."),)
    good = graded("Die Brücke wurde 1894 gebaut.", context, language="de")
    bad = graded("Die Brücke am Hafen ist gesperrt.", context, language="de")
    assert (good.value, bad.value) == (1.0, 0.0)
