"""A part alone is answered as the vocabulary says, by scripted answers."""

import pytest

from selftest.core.generation.queries import Part, PartKind
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import ExaminationContext
from selftest.core.judging.findings import DiscrepancyKind, Finding
from selftest.core.judging.relations.part_alone import misread_alone
from tests.core.judging.relations.scripted import (
    CRASH,
    EMPTY,
    HIGH,
    HIGH_SAID,
    PAIR,
    VOCABULARY,
    Office,
    Script,
    bare,
    case_of,
    merged,
    query_of,
)

ENCYCLOPEDIA = VOCABULARY.encyclopedia
REQUEST = Part(PartKind.REQUEST, "I forgot the high tide")
TWINS, ROPE, HORSE = "The twins in the sky", "Rope and sails", "A white horse"
ASKED = case_of(query_of(PAIR, HIGH), merged(tides=HIGH_SAID))


def found(context: ExaminationContext, script: Script) -> Finding | None:
    findings = Office(script).answer(misread_alone(context))
    return findings[0] if findings else None


def halves(*whole: str, by_name: str = TWINS) -> Script:
    """A router that brings `whole` for the pair, and the encyclopedia `by_name` when it is asked for it."""
    return {
        "Castor and Pollux": bare(ENCYCLOPEDIA, *whole),
        "Castor": bare(ENCYCLOPEDIA, ROPE),
        "Pollux": bare(ENCYCLOPEDIA, HORSE),
        f"{ENCYCLOPEDIA}: Castor and Pollux": bare(ENCYCLOPEDIA, by_name),
    }


@pytest.mark.parametrize("whole", [(ROPE, HORSE), (ROPE,), (HORSE,)])
def test_a_pair_that_brings_no_more_than_its_halves_is_split(whole: tuple[str, ...]) -> None:
    finding = found(ASKED, halves(*whole))
    assert finding is not None
    assert finding.reason == (
        "pair_broken: alone 'Castor and Pollux' brings no more than 'Castor' and 'Pollux', each asked apart"
    )
    assert finding.evidence.kind is DiscrepancyKind.PAIR_SPLIT
    assert TWINS in finding.seen


@pytest.mark.parametrize(
    "by_name", [CRASH, [bare(ENCYCLOPEDIA, TWINS), bare(ENCYCLOPEDIA, ROPE)], bare(ENCYCLOPEDIA, TWINS, ROPE, HORSE)]
)
def test_an_encyclopedia_that_has_nothing_else_on_the_whole_splits_no_pair(by_name: Answer | list[Answer]) -> None:
    script: Script = halves(ROPE, HORSE)
    script[f"{ENCYCLOPEDIA}: Castor and Pollux"] = by_name
    assert found(ASKED, script) is None


@pytest.mark.parametrize(
    ("whole", "by_name", "is_split"),
    [
        ((ROPE, HORSE), EMPTY, True),
        ((ROPE,), EMPTY, False),  # perhaps the closest that there is
        ((ROPE, HORSE), [EMPTY, CRASH], False),
        ((TWINS,), EMPTY, False),  # one article on both
    ],
)
def test_a_pair_is_split_that_brings_both_halves_though_there_is_nothing_on_the_whole(
    whole: tuple[str, ...], by_name: Answer | list[Answer], is_split: bool
) -> None:
    script: Script = halves(*whole)
    script["Castor"], script["Pollux"] = bare(ENCYCLOPEDIA, ROPE, TWINS), bare(ENCYCLOPEDIA, HORSE, TWINS)
    script[f"{ENCYCLOPEDIA}: Castor and Pollux"] = by_name
    finding = found(ASKED, script)
    assert (finding is not None) is is_split
    assert finding is None or finding.seen == f"{ENCYCLOPEDIA}, asked by name, has nothing on it"


@pytest.mark.parametrize("again", [bare(ENCYCLOPEDIA, ROPE), EMPTY], ids=["one half", "nothing"])
def test_a_pair_that_does_not_bring_both_halves_again_is_not_split(again: Answer) -> None:
    script: Script = halves(ROPE, HORSE)
    script["Castor and Pollux"] = again
    script[f"{ENCYCLOPEDIA}: Castor and Pollux"] = EMPTY
    office = Office(script, kept={"Castor and Pollux": bare(ENCYCLOPEDIA, ROPE, HORSE)})
    assert office.answer(misread_alone(ASKED)) == ()


def test_a_pair_is_split_though_a_line_on_it_is_like_one_on_its_half() -> None:
    script: Script = halves(ROPE, HORSE) | {f"{ENCYCLOPEDIA}: Castor and Pollux": bare(ENCYCLOPEDIA, TWINS, ROPE)}
    assert found(ASKED, script) is not None


def test_a_line_that_only_repeats_the_pair_makes_it_no_whole() -> None:
    echo = "You asked: Castor and Pollux"
    script: Script = halves(ROPE, HORSE, echo)
    script[f"{ENCYCLOPEDIA}: Castor and Pollux"] = bare(ENCYCLOPEDIA, TWINS, echo)
    assert found(ASKED, script) is not None


def test_the_halves_of_a_pair_are_not_asked_where_the_encyclopedia_says_the_same_by_name() -> None:
    office = Office(halves(TWINS))
    office.answer(misread_alone(ASKED))
    assert [(probe.text, probe.only) for probe in office.asked] == [
        ("Castor and Pollux", ""),
        ("Castor and Pollux", ENCYCLOPEDIA),
    ]


def test_a_pair_of_a_source_that_changes_is_not_told() -> None:
    changing = case_of(query_of(PAIR, HIGH), merged(tides=HIGH_SAID), volatile=[ENCYCLOPEDIA])
    assert found(changing, halves(ROPE, HORSE)) is None


def test_a_pair_that_brings_something_of_its_own_is_whole() -> None:
    assert found(ASKED, halves(TWINS)) is None
    assert found(ASKED, halves(TWINS, ROPE)) is None


def test_an_encyclopedia_that_knows_the_halves_only_splits_no_pair() -> None:
    assert found(ASKED, halves(ROPE, HORSE, by_name=ROPE)) is None


@pytest.mark.parametrize("is_known", [True, False])
def test_a_pair_that_is_known_to_be_split_hides_no_misread_request(is_known: bool) -> None:
    context = case_of(query_of(PAIR, REQUEST), merged(tides=HIGH_SAID))
    context.known_causes = frozenset({("pair_broken", "pair_split", ENCYCLOPEDIA)} if is_known else ())
    script: Script = {"I forgot the high tide": TAKEN_FOR_TOPIC, "forgot the high tide": bare("tides", HIGH_SAID)}
    findings = Office(halves(ROPE, HORSE) | script).answer(misread_alone(context))
    kinds = [DiscrepancyKind.PAIR_SPLIT, DiscrepancyKind.KEYWORD_PASSED_OVER]
    assert [finding.evidence.kind for finding in findings] == kinds[: 1 + is_known]


def test_a_pair_with_an_unknown_word_between_its_names_is_not_asked() -> None:
    odd = Part(PartKind.PAIR, "Castor with Pollux")
    office = Office({})
    office.answer(misread_alone(case_of(query_of(odd, HIGH), merged(tides=HIGH_SAID))))
    assert office.asked == []


FORGOTTEN = case_of(query_of(REQUEST, HIGH), merged(tides=HIGH_SAID))
TAKEN_FOR_TOPIC = bare(ENCYCLOPEDIA, ROPE)


def test_a_request_whose_first_word_hides_its_keyword_is_found() -> None:
    script: Script = {"I forgot the high tide": TAKEN_FOR_TOPIC, "forgot the high tide": bare("tides", HIGH_SAID)}
    finding = found(FORGOTTEN, script)
    assert finding is not None
    assert finding.reason == (
        f"part_lost: 'I forgot the high tide' is answered by {ENCYCLOPEDIA}, 'forgot the high tide' by tides"
    )
    assert finding.evidence.kind is DiscrepancyKind.KEYWORD_PASSED_OVER


@pytest.mark.parametrize(
    "script",
    [
        {"I forgot the high tide": bare("tides", HIGH_SAID)},
        {"I forgot the high tide": TAKEN_FOR_TOPIC, "forgot the high tide": TAKEN_FOR_TOPIC},
        {"I forgot the high tide": [TAKEN_FOR_TOPIC, bare("tides", HIGH_SAID)], "forgot the high tide": EMPTY},
        {"I forgot the high tide": EMPTY},
    ],
    ids=["answered by its keyword", "the keyword never counts", "once only", "empty"],
)
def test_a_request_that_its_first_word_does_not_lead_astray_is_right(script: Script) -> None:
    assert found(FORGOTTEN, script) is None


def test_a_request_without_a_keyword_is_not_asked() -> None:
    office = Office({})
    plain = Part(PartKind.REQUEST, "I keep getting lost")
    office.answer(misread_alone(case_of(query_of(plain, HIGH), merged(tides=HIGH_SAID))))
    assert office.asked == []
