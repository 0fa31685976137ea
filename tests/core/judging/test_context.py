"""What a clause is asked as alone, and whom it is owed to."""

from dataclasses import replace

import pytest

from selftest.core.generation.queries import Clause, Part, PartKind, Query
from selftest.core.generation.vocabulary import parse_vocabulary
from selftest.core.judging.answer_item import AnswerItem
from selftest.core.judging.boilerplate import ANY_QUESTION, END, EVERY_SOURCE, line_digest
from selftest.core.judging.context import CheckInput, SourceNeed, content_of, named, standalone_part
from selftest.core.judging.findings import CheckName
from selftest.core.judging.probes import Probe, Purpose, Urgency
from tests.core.judging.relations.scripted import (
    BERTHS,
    FERRY,
    FERRY_SAID,
    HIGH,
    HIGH_SAID,
    KNOTS,
    LOW,
    PAIR,
    VOCABULARY,
    Office,
    bare,
    case_of,
    merged,
    query_of,
)
from tests.vocabularies import small_document

SPACE = Part(PartKind.MARK, " ")
FRAMING = Part(PartKind.DISCOURSE, "all of them go on about")


def part(*parts: Part):
    return standalone_part(Clause(parts), VOCABULARY)


def test_an_intent_is_owed_its_source() -> None:
    found = part(HIGH)
    assert (found.alone, found.as_written, found.needs) == (
        "high tide",
        "high tide",
        (SourceNeed("tides", is_firm=True),),
    )


def test_a_phrase_that_two_sources_list_may_bring_the_other_one_as_well() -> None:
    document = small_document()
    document["sources"]["ferry"].append("High Tide")
    vocabulary = parse_vocabulary(document)
    loud = Part(PartKind.INTENT, "HIGH TIDE", "tides", "high tide")
    needs = (SourceNeed("tides", is_firm=True), SourceNeed("ferry", is_firm=False))
    assert standalone_part(Clause((HIGH,)), vocabulary).needs == needs
    assert standalone_part(Clause((loud,)), vocabulary).needs == needs
    both = (*Clause((HIGH,)).parts, SPACE, Part(PartKind.INTENT, "next ferry", "ferry"))
    assert all(need.is_firm for need in standalone_part(Clause(both), vocabulary).needs), "each has a phrase of its own"


def test_a_phrase_in_capitals_is_asked_alone_as_the_vocabulary_has_it() -> None:
    loud = Part(PartKind.INTENT, "HIGH TIDE", "tides", "high tide")
    assert (part(loud).alone, part(loud).as_written) == ("high tide", "HIGH TIDE")


def test_pairs_and_framed_topics_are_owed_the_encyclopedia_and_bare_topics_it_or_its_stand_in() -> None:
    assert part(PAIR).needs == part(FRAMING, SPACE, KNOTS).needs == (SourceNeed("almanac", is_firm=True),)
    assert part(KNOTS).needs == (SourceNeed("almanac", is_firm=False),)


def test_another_part_may_be_about_a_condition_without_its_first_word_a_pair_or_a_whole_part() -> None:
    both = Part(PartKind.NOSPLIT, "both")
    assert part(both, SPACE, PAIR).topics == ("both Castor and Pollux", "Castor and Pollux")
    assert part(Part(PartKind.CONDITION, "if it rains")).topics == ("it rains",)
    assert part(HIGH).topics == ("high tide",)


def test_a_framed_topic_is_asked_alone_without_its_framing() -> None:
    found = part(FRAMING, SPACE, KNOTS)
    assert (found.alone, found.as_written) == ("knots", "knots")


def test_a_framed_keyword_keeps_its_framing_and_is_owed_both() -> None:
    found = part(FRAMING, SPACE, HIGH)
    assert found.alone == "all of them go on about high tide"
    assert {need.source for need in found.needs} == {"almanac", "tides"}


def test_a_request_is_owed_whomever_its_words_name_but_not_firmly() -> None:
    assert part(Part(PartKind.REQUEST, "I lost my next ferry ticket")).needs == (SourceNeed("ferry", is_firm=False),)
    assert part(Part(PartKind.REQUEST, "I want to go out rowing")).needs == (SourceNeed("almanac", is_firm=False),)


def test_a_finding_shows_each_probe_that_it_rests_on_and_names_it_once() -> None:
    context = case_of(query_of(HIGH, FERRY), merged(tides=HIGH_SAID))
    office = Office({"next ferry": bare("ferry", FERRY_SAID)})
    for fresh in (0, 1):
        office.answer(context.ask(Probe("next ferry", Purpose.PART, Urgency.SUSPECT, "ferry", fresh=fresh)))
    finding = context.finding(CheckName.PART_LOST, "gone", "all", "nothing", ["next ferry", "never asked"])
    assert finding.where == "probe: 'next ferry'"
    assert [shown.excerpt for shown in finding.asked] == [FERRY_SAID] * 2


def test_what_was_not_answered_is_no_evidence() -> None:
    context = case_of(query_of(HIGH, FERRY), merged(tides=HIGH_SAID))
    Office().answer(context.ask(Probe("next ferry", Purpose.PART, Urgency.SUSPECT)))
    assert context.asked == {}


def test_sources_are_named_in_order_or_as_none() -> None:
    assert (named({"tides", "ferry"}), named(())) == ("ferry, tides", "no source")


def test_two_answers_agree_on_a_source_whatever_it_says_at_each_asking() -> None:
    """Of a label that stands in every answer nothing is told by what is behind it."""
    first, again = (
        content_of(merged(tides=[HIGH_SAID, f"Request: {number}"], ferry=f"{FERRY_SAID}{late}"), VOCABULARY)
        for number, late in (("7f3a", ""), ("91bc", " from another pier altogether"))
    )
    said = CheckInput(query_of(HIGH, FERRY), merged(tides=HIGH_SAID), VOCABULARY)
    assert said.agreements(first, again) == (("ferry", False), ("tides", False))
    known = {"tides": frozenset({line_digest("Request: 7f3a")})}
    assert replace(said, boilerplate=known).agreements(first, again) == (("ferry", False), ("tides", True))


def test_of_a_source_that_says_why_it_brings_less_no_agreement_is_told() -> None:
    whole, less = (
        content_of(merged(tides=[HIGH_SAID, line], ferry=FERRY_SAID), VOCABULARY)
        for line in ("Gulls on the pier", "(1 of 2 shards answered)")
    )
    said = CheckInput(query_of(HIGH, FERRY), merged(tides=HIGH_SAID), VOCABULARY)
    assert said.agreements(whole, less) == (("ferry", True),)


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (("All is up", "Host a answers", "Viewed 9 times"), ("Host a answers",)),
        (("All is up", "Viewed 9 times"), ("All is up",)),
        (("Viewed 9 times",), ("Viewed 9 times",)),
    ],
    ids=["something of its own", "only what it always says", "only what every source says"],
)
def test_what_every_source_says_is_left_out_as_long_as_something_is_left(
    lines: tuple[str, ...], left: tuple[str, ...]
) -> None:
    of_ferry, of_all = (frozenset({line_digest(line)}) for line in ("All is up", "Viewed 9 times"))
    answer = bare("ferry", *lines)
    said = CheckInput(query_of(FERRY), answer, VOCABULARY, boilerplate={"ferry": of_ferry, EVERY_SOURCE: of_all})
    assert tuple(item.text for item in said.items_of("ferry", content_of(answer, VOCABULARY))) == left


def test_lines_that_name_another_source_each_time_are_one_line_of_boilerplate() -> None:
    said = [HIGH_SAID, "You may ask ferry about this as well."]
    answer = bare("tides", *said)
    known = {EVERY_SOURCE: frozenset({line_digest("You may ask … about this as well.")})}
    check_input = CheckInput(query_of(HIGH), answer, VOCABULARY, boilerplate=known)
    assert [item.text for item in check_input.items_of("tides", content_of(answer, VOCABULARY))] == [HIGH_SAID]
    context = case_of(query_of(HIGH), answer)
    context.asked[Probe("high tide", Purpose.PART, Urgency.ROUTINE)] = answer
    ((_, _, lines),) = context.observed
    assert "You may ask … about this as well." in lines


def test_a_source_whose_name_is_no_word_closes_no_section() -> None:
    headers = {**VOCABULARY.headers, "911": "[911 — ALARMS]"}
    answer = merged(tides=HIGH_SAID, ferry=FERRY_SAID)
    context = case_of(query_of(HIGH, FERRY), answer, replace(VOCABULARY, headers=headers))
    items = [item for of_source in context.brought.by_source.values() for item in of_source]
    assert not any(context.closes(item, context.brought) for item in items)


def test_a_section_that_says_only_what_closes_the_answer_has_nothing_above_that() -> None:
    brought = content_of(merged(tides="Ask again.", ferry=[FERRY_SAID, "", "Ask again."]), VOCABULARY)
    assert [[item.text for item in items] for items in brought.above_closing] == [[FERRY_SAID]]


def test_what_ends_a_section_that_is_there_for_one_part_is_observed() -> None:
    """A section of one line has no end of its own."""
    ferry = [FERRY_SAID, "Bring a coat"]
    answer = merged(tides=[HIGH_SAID, "Ask at the pier", "(1 of 2 shown)"], ferry=ferry, almanac="Castor rises")
    assert case_of(query_of(HIGH, FERRY), answer).observed == (
        ("tides", END + "high tide", ("Ask at the pier",)),
        ("ferry", END + "next ferry", ("Bring a coat",)),
    )
    assert [source for source, *_ in case_of(query_of(HIGH, LOW, FERRY), answer).observed] == ["ferry"]


@pytest.mark.parametrize(
    ("parts", "subject"),
    [
        ((Part(PartKind.CONDITION, "if it is late"), Part(PartKind.CONSEQUENCE, ", ring me")), "if it is late"),
        ((Part(PartKind.NOSPLIT, "compare "), PAIR), "Castor and Pollux"),
        ((FERRY,), "next ferry"),
    ],
)
def test_parts_in_other_words_have_one_subject(parts: tuple[Part, ...], subject: str) -> None:
    context = case_of(Query("multi_intent_chain", parts), merged(tides=HIGH_SAID))
    assert [part.subject for part in context.parts] == [subject]


@pytest.mark.parametrize(
    ("lines", "is_failure"),
    [
        (["Nothing to report on tides", "You could:", "- use another word", "- ask at the pier"], True),
        (["Nothing to report on tides", "- High water at six", "- Low ebb at noon"], False),
        (["Nothing to report on tides", "You could:", "High water at six"], False),
        (["Slack water", "You could:", "- use another word"], False),
    ],
    ids=["a list of what to do", "a list without a heading", "no list", "no failure phrase"],
)
def test_a_failure_may_list_what_to_do(lines: list[str], is_failure: bool) -> None:
    answer = bare("tides", *lines)
    line = case_of(query_of(HIGH), answer).failure_line(content_of(answer, VOCABULARY))
    assert line == (lines[0] if is_failure else "")


@pytest.mark.parametrize(
    ("above", "below", "is_failure"),
    [
        ("Looked up for “high tide”, then: tell the pilot.", "Nothing to report, ask at the pier.", True),
        ("Looked up for “slack water”, then: tell the pilot.", "Nothing to report, ask at the pier.", False),
        (
            "Looked up for “high tide”, then: tell the pilot.",
            "The pilot had nothing to report, as the tide had turned by six and all buoys lit.",
            False,
        ),
    ],
    ids=["what was asked", "something else", "content below it"],
)
def test_what_was_asked_may_stand_above_a_failure(above: str, below: str, is_failure: bool) -> None:
    answer = bare("tides", above, below)
    line = case_of(query_of(HIGH), answer).failure_line(content_of(answer, VOCABULARY))
    assert line == (below if is_failure else "")


OFFERED = "Let me know if you need more on high tide and next ferry."


@pytest.mark.parametrize(
    ("line", "is_frame"),
    [
        (OFFERED, True),
        ("Here is what I found about high tide and next…", True),
        ("Here is what I found about high&nbsp;tide:", True),
        ("Here is what I found about gulls:", False),
        ("High tide: 6 metres at the old pier", False),  # figures of its own
        ("At high tide the old pier is under water as far as the second lamp and the boats lie by the wall", False),
    ],
)
def test_a_lead_in_or_an_offer_says_what_was_asked_and_little_else(line: str, is_frame: bool) -> None:
    items = content_of(bare("tides", HIGH_SAID, line), VOCABULARY).by_source["tides"]
    given = case_of(query_of(HIGH, FERRY), bare("tides", HIGH_SAID)).check_input
    assert given.frames(items[-1], items) is is_frame


def test_only_the_ends_of_a_section_are_lead_ins_and_offers() -> None:
    items = content_of(bare("tides", HIGH_SAID, OFFERED, "Ask at the pier"), VOCABULARY).by_source["tides"]
    given = case_of(query_of(HIGH, FERRY), bare("tides", HIGH_SAID)).check_input
    assert not given.frames(items[1], items)
    assert not given.frames(items[1], items[1:2]), "the only line of a section is its content"


def test_a_long_section_may_say_six_lines_about_itself_at_each_end() -> None:
    offer, others = "Tell me if high tide is not what you meant.", [f"Line of gate {letter}" for letter in "abcdefghi"]
    asked = CheckInput(query_of(HIGH), bare("tides", HIGH_SAID), VOCABULARY)
    for below in range(8):
        lines = [*others, offer, *[f"Note of pier {letter}" for letter in "klmnopqr"[:below]]]
        items = content_of(bare("tides", *lines), VOCABULARY).by_source["tides"]
        assert asked.frames(items[len(others)], items) is (below < 6)


def test_a_remark_above_a_lead_in_does_not_take_its_place() -> None:
    lead_in = "On high tide and next ferry I found this:"
    items = content_of(bare("tides", "(3 of 4)", lead_in, HIGH_SAID), VOCABULARY).by_source["tides"]
    given = case_of(query_of(HIGH, FERRY), bare("tides", HIGH_SAID)).check_input
    assert [given.frames(item, items) for item in items] == [False, True, False]


def test_a_heading_may_say_a_question_of_one_word() -> None:
    query = query_of(Part(PartKind.INTENT, "tides", "tides"), FERRY)
    items = content_of(bare("tides", "Of tides I found this:", HIGH_SAID), VOCABULARY).by_source["tides"]
    assert case_of(query, bare("tides", HIGH_SAID)).check_input.frames(items[0], items)


def test_a_learnt_offer_is_left_out_whatever_was_asked() -> None:
    offer = line_digest(f"Tell me if {ANY_QUESTION} is not what you meant.")
    answer = bare("tides", HIGH_SAID, "Tell me if tides is not what you meant.")
    query = query_of(Part(PartKind.INTENT, "tides", "tides"))
    given = CheckInput(query, answer, VOCABULARY, boilerplate={EVERY_SOURCE: frozenset({offer})})
    items = given.items_of("tides", content_of(answer, VOCABULARY))
    assert [item.text for item in items] == [HIGH_SAID]


@pytest.mark.parametrize("asked", ["tides", "tides?", "ti\N{ZERO WIDTH SPACE}des"])
def test_a_learnt_offer_is_left_out_wherever_it_stands_and_however_the_question_is_written(asked: str) -> None:
    """Lines that close all of the answer may stand below it."""
    offer = line_digest(f"Would you like more on {ANY_QUESTION}?")
    lines = [HIGH_SAID, "Gulls on the pier", "Would you like more on tides?", "Nets are dry", "Lamps are out tonight"]
    query = query_of(Part(PartKind.INTENT, asked, "tides"), FERRY)
    given = CheckInput(query, bare("tides", *lines), VOCABULARY, boilerplate={EVERY_SOURCE: frozenset({offer})})
    items = given.items_of("tides", content_of(given.answer, VOCABULARY))
    assert [item.text for item in items] == [line for line in lines if line != "Would you like more on tides?"]


def test_each_line_of_a_long_answer_is_held_against_no_more_than_a_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def is_same(one: AnswerItem, other: object) -> bool:
        nonlocal compared
        compared += 1
        return isinstance(other, AnswerItem) and one.text == other.text

    answer = bare("tides", *(f"Line {number} of a long story." for number in range(1_000)))
    given = CheckInput(query_of(HIGH), answer, VOCABULARY)
    brought = content_of(answer, VOCABULARY)
    monkeypatch.setattr(AnswerItem, "__eq__", is_same)
    assert len(given.items_of("tides", brought)) == 1_000
    assert compared < 4_000, "with each it would be half a million"


def test_a_line_that_is_worded_like_an_offer_is_content_where_nothing_else_is_left() -> None:
    """Another source has such a state for each thing that it is asked for."""
    lines = ["Harbour board", "tides: switched off by the night timer", "Ask the warden"]
    learnt = {
        "harbour": frozenset(map(line_digest, (lines[0], lines[2]))),
        EVERY_SOURCE: frozenset({line_digest(f"{ANY_QUESTION}: switched off by the night timer")}),
    }
    query = query_of(Part(PartKind.INTENT, "tides", "harbour"), FERRY)
    given = CheckInput(query, bare("harbour", *lines), VOCABULARY, boilerplate=learnt)
    items = given.items_of("harbour", content_of(given.answer, VOCABULARY))
    assert [item.text for item in items] == [lines[1]]


def test_an_apostrophe_is_the_same_straight_or_curly() -> None:
    query = query_of(Part(PartKind.INTENT, "what's on", "tides"), FERRY)
    given = case_of(query, bare("tides", HIGH_SAID)).check_input
    for lead_in in ("On what’s on I found this:", "On what&rsquo;s on I found this:", "On what's on I found this:"):
        items = content_of(bare("tides", lead_in, HIGH_SAID), VOCABULARY).by_source["tides"]
        assert given.frames(items[0], items)


@pytest.mark.parametrize(
    ("closing", "said_alone", "left_out"),
    [
        ("(1 further request was not looked up.)", "", ("next ferry",)),
        ("(2 further requests were not looked up.)", "", ()),  # one of them has a section
        ("(Nothing else was looked up.)", "", ()),
        ("(1 result in all.)", "(1 result in all.)", ()),  # said to a part alone too
        ("and 1 more", "", ()),  # of the last section
        ("(3 of 4 mirrors asked, 1 request left.)", "", ()),  # which number?
        ("Next page: /tides?q=high+tide&amp;page=1", "", ()),  # of a link
        ("Next page: /tides/page/1", "", ()),
    ],
)
def test_the_last_parts_are_left_out_where_the_answer_closes_with_their_number(
    closing: str, said_alone: str, left_out: tuple[str, ...]
) -> None:
    answer = merged(harbour="Two berths", tides=[HIGH_SAID, "", closing])
    context = case_of(query_of(BERTHS, HIGH, FERRY), answer)
    context.asked[Probe("high tide", Purpose.PART, Urgency.SUSPECT)] = bare("tides", HIGH_SAID, "", said_alone)
    assert tuple(part.alone for part in context.left_out) == left_out


def test_a_part_is_left_out_too_whose_source_may_be_there_for_a_condition() -> None:
    condition = Part(PartKind.CONDITION, "if the moon is full")
    answer = merged(tides=HIGH_SAID, ferry=[FERRY_SAID, "", "(1 further request was not looked up.)"])
    assert case_of(query_of(HIGH, condition, FERRY), answer).left_out[-1].alone == "next ferry"
    assert case_of(query_of(HIGH, KNOTS, FERRY), answer).left_out == ()


def test_a_condition_of_one_word_is_found_in_no_line_that_does_not_hold_it() -> None:
    condition = (Part(PartKind.CONDITION, "fog"), Part(PartKind.MARK, ", "), Part(PartKind.CONSEQUENCE, "ring me"))
    answer = bare("tides", HIGH_SAID, "Say so if you would like more:")
    items = content_of(answer, VOCABULARY).by_source["tides"]
    given = CheckInput(Query("if_condition_then_action", condition), answer, VOCABULARY)
    assert given.observed(items) == (HIGH_SAID, "Say so if you would like more:")
    assert not given.frames(items[-1], items)
