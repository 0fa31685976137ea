"""From an answer to a verdict: what is accused, what explained, what asked, and how often it was seen again."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.check_table import specified_findings
from selftest.core.judging.context import CheckInput
from selftest.core.judging.driving import drive
from selftest.core.judging.examination import TURNS, WHOLE, examine
from selftest.core.judging.findings import GROUPS, CheckName, Family, Finding
from selftest.core.judging.probes import Purpose, Urgency
from selftest.core.judging.verdicts import ExplanationCause, Rules, Verdict
from tests.core.judging.relations.scripted import (
    BERTHS,
    BERTHS_SAID,
    CRASH,
    EMPTY,
    FERRY,
    FERRY_SAID,
    HIGH,
    HIGH_SAID,
    KNOTS,
    PAIR,
    VOCABULARY,
    Office,
    Script,
    bare,
    merged,
    query_of,
)

QUERY = query_of(HIGH, FERRY)
WHOLE_ANSWER = merged(tides=HIGH_SAID, ferry=FERRY_SAID)
FERRY_IS_MISSING = merged(tides=HIGH_SAID)
ALONE: Script = {
    "high tide": bare("tides", HIGH_SAID),
    "next ferry": bare("ferry", FERRY_SAID),
    "berths free": bare("harbour", BERTHS_SAID),
}
RULES = Rules()
LAST_FERRY = Part(PartKind.INTENT, "last ferry", "ferry")
COMMA = Part(PartKind.MARK, ", ")
CONDITIONAL = Query(
    "conditional_with_remainder",
    (
        Part(PartKind.CONDITION, "if the next ferry is late"),
        COMMA,
        Part(PartKind.CONSEQUENCE, "ring me"),
        COMMA,
        HIGH,
    ),
)


def verdict(
    query: Query,
    answer: Answer,
    office: Office,
    rules: Rules = RULES,
    reproduces: bool = True,
) -> Verdict:
    return drive(examine(CheckInput(query, answer, VOCABULARY), rules, reproduces), office.reply)


def checks(found: Iterable[Finding]) -> list[CheckName]:
    return [finding.check for finding in found]


# --- the specification's seven alone ---


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (QUERY, WHOLE_ANSWER),
        (QUERY, FERRY_IS_MISSING),
        (QUERY, CRASH),
        (QUERY, bare("tides", "Nothing to report.")),
        (query_of(KNOTS, recipe="no_intent_fallthrough"), bare("harbour", BERTHS_SAID)),
        (CONDITIONAL, bare("tides", HIGH_SAID)),
        (QUERY, merged(tides=[HIGH_SAID, HIGH_SAID])),
    ],
)
def test_without_explaining_the_findings_are_exactly_the_specifications_and_nothing_is_asked(
    query: Query, answer: Answer
) -> None:
    office = Office(ALONE)
    said = verdict(query, answer, office, Rules(explains=False))
    assert said == Verdict(specified_findings(CheckInput(query, answer, VOCABULARY)))
    assert office.asked == []


def test_a_check_that_is_off_is_off_without_explaining_too() -> None:
    rules = Rules(explains=False, off=frozenset({CheckName.CRASH}))
    assert verdict(QUERY, CRASH, Office(), rules) == Verdict()


# --- nothing wrong ---


def test_an_answer_with_everything_there_is_asked_about_as_routine_only() -> None:
    office = Office(ALONE)
    assert verdict(QUERY, WHOLE_ANSWER, office) == Verdict()
    assert {probe.urgency for probe in office.asked} <= {Urgency.IF_KNOWN, Urgency.ROUTINE, Urgency.WORTHWHILE}


def test_an_answer_of_one_topic_is_clean_where_nothing_more_may_be_asked() -> None:
    query = query_of(KNOTS, recipe="no_intent_fallthrough")
    assert verdict(query, bare("almanac", "A knot holds a rope"), Office()) == Verdict()


def test_a_recipe_that_nobody_knows_is_compared_with_nothing() -> None:
    office = Office()
    assert verdict(query_of(HIGH, FERRY, recipe="of a later version"), WHOLE_ANSWER, office) == Verdict()
    assert office.asked == []


def test_turns_leave_queries_whose_parts_are_asked() -> None:
    assert len(WHOLE) < TURNS


# --- a loss ---


def test_a_lost_part_is_accused() -> None:
    office = Office({**ALONE, QUERY.text: FERRY_IS_MISSING})
    said = verdict(QUERY, FERRY_IS_MISSING, office)
    assert checks(said.findings) == [CheckName.PART_LOST]
    assert said.explained == ()


def test_one_loss_stops_all_asking_but_for_reproducing_it() -> None:
    query = query_of(HIGH, FERRY, BERTHS)
    office = Office({**ALONE, query.text: FERRY_IS_MISSING})
    verdict(query, FERRY_IS_MISSING, office)
    spent = [probe for probe in office.asked if probe.urgency is not Urgency.IF_KNOWN]
    assert [(probe.text, probe.fresh) for probe in spent] == [
        ("next ferry", 0),
        ("next ferry", 1),
        (query.text, 1),
        (query.text, 2),
        (query.text, 3),
    ]


def test_a_loss_of_a_known_cause_ends_no_examination() -> None:
    query = query_of(HIGH, FERRY)
    office = Office({**ALONE, query.text: FERRY_IS_MISSING})
    lost = verdict(query, FERRY_IS_MISSING, office, reproduces=False).findings[0]
    known = Office({**ALONE, query.text: FERRY_IS_MISSING})
    rules = Rules(known_causes=frozenset((lost.accusation,)))
    assert verdict(query, FERRY_IS_MISSING, known, rules, reproduces=False).findings[0].accusation == lost.accusation
    spent = [[p.text for p in each.asked if p.urgency is not Urgency.IF_KNOWN] for each in (office, known)]
    assert spent[0] == ["next ferry", "next ferry"]
    assert "high tide" in spent[1], "its other part is still compared"


REQUEST = Part(PartKind.REQUEST, "I forgot the high tide")
TAKEN_FOR_TOPIC: Script = {
    "I forgot the high tide": bare(VOCABULARY.encyclopedia, "Ropes"),
    "forgot the high tide": bare("tides", HIGH_SAID),
    "next ferry": bare("ferry", FERRY_SAID),
}


def test_what_is_wrong_with_a_part_alone_is_not_told_again_by_the_whole_query() -> None:
    query = query_of(REQUEST, FERRY)
    answer = merged(almanac="Ropes", ferry=FERRY_SAID)
    said = verdict(query, answer, Office({**TAKEN_FOR_TOPIC, query.text: answer}))
    assert checks(said.findings) == [CheckName.PART_LOST]
    assert (said.repeats, dict(said.reproduced)) == (0, {})


@pytest.mark.parametrize("is_off", [True, False])
def test_a_part_that_is_known_to_be_misread_hides_no_wrong_section(is_off: bool) -> None:
    query = query_of(REQUEST, FERRY)
    answer = merged(almanac="Ropes", ferry="Gulls on the pier")
    accused = ("part_lost", "keyword_passed_over", "tides")
    rules = Rules(off=frozenset([CheckName.PART_LOST])) if is_off else Rules(known_causes=frozenset([accused]))
    said = verdict(query, answer, Office({**TAKEN_FOR_TOPIC, query.text: answer}), rules, reproduces=False)
    assert CheckName.PART_DIFFERS in checks(said.findings)


def test_a_loss_shows_what_the_specification_says_first() -> None:
    query = query_of(HIGH, FERRY, BERTHS)
    said = verdict(query, FERRY_IS_MISSING, Office(ALONE))
    assert checks(said.findings) == [CheckName.PART_COUNT_MISMATCH, CheckName.PART_LOST]


# --- explained ---


def test_a_source_that_is_empty_alone_too_is_explained_and_not_flagged() -> None:
    said = verdict(QUERY, FERRY_IS_MISSING, Office({**ALONE, "next ferry": EMPTY}))
    assert said.findings == ()
    (explained,) = said.explained
    assert (explained.finding.check, explained.cause, explained.source) == (
        CheckName.PART_LOST,
        ExplanationCause.EMPTY_ALONE,
        "ferry",
    )


def test_a_finding_of_the_specification_is_explained_with_it() -> None:
    query = query_of(HIGH, FERRY, BERTHS)
    office = Office({"next ferry": EMPTY, "berths free": EMPTY})
    said = verdict(query, FERRY_IS_MISSING, office)
    assert said.findings == ()
    assert [item.finding.check for item in said.explained] == [CheckName.PART_COUNT_MISMATCH, CheckName.PART_LOST]
    assert [shown.text for shown in said.explained[0].finding.asked] == ["next ferry", "berths free"]


MOONLIT = Query(
    "conditional_with_remainder",
    (Part(PartKind.CONDITION, "if the moon is full"), COMMA, Part(PartKind.CONSEQUENCE, "ring me"), COMMA, HIGH),
)
CONDITION_ALONE = "if the moon is full, ring me"
TO_THE_HARBOUR = bare("harbour", BERTHS_SAID)


def test_a_source_that_is_chosen_for_the_condition_alone_too_is_explained() -> None:
    office = Office({CONDITION_ALONE: TO_THE_HARBOUR, "high tide": bare("tides", HIGH_SAID)})
    said = verdict(MOONLIT, TO_THE_HARBOUR, office)
    assert CheckName.SOURCE_MISMATCH not in checks(said.findings)
    explained = said.explained[0]
    assert (explained.finding.check, explained.cause, explained.source) == (
        CheckName.SOURCE_MISMATCH,
        ExplanationCause.CHOSEN_ALONE,
        "harbour",
    )
    assert {shown.source_used for shown in explained.finding.asked} == {"harbour"}
    assert [(probe.text, probe.fresh, probe.urgency) for probe in office.asked][:2] == [
        (CONDITION_ALONE, 1, Urgency.EXPLAIN),
        (CONDITION_ALONE, 2, Urgency.EXPLAIN),
    ]


@pytest.mark.parametrize(
    ("alone", "is_explained"),
    [
        (bare("tides", HIGH_SAID), True),
        (bare("almanac", "Full moon on Friday"), False),  # there are two sources to have a section
    ],
)
def test_a_condition_that_goes_where_all_else_does_needs_no_sections(alone: Answer, is_explained: bool) -> None:
    """An answer of a single source has no header."""
    said = verdict(MOONLIT, bare("tides", HIGH_SAID), Office({CONDITION_ALONE: alone}))
    check = CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS
    assert (check in checks(said.findings)) is not is_explained
    assert (check in [item.finding.check for item in said.explained]) is is_explained


def test_a_condition_on_which_nothing_is_found_alone_either_needs_no_section() -> None:
    nothing = Answer("Nothing to report.", "almanac", 10.0)
    said = verdict(MOONLIT, bare("tides", HIGH_SAID), Office({CONDITION_ALONE: nothing}))
    check = CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS
    assert check not in checks(said.findings)
    (explained,) = (item for item in said.explained if item.finding.check is check)
    assert (explained.cause, explained.source) == (ExplanationCause.EMPTY_ALONE, "almanac")


def test_sections_are_missing_where_the_remainder_is_answered_by_the_source_of_the_condition() -> None:
    office = Office({CONDITION_ALONE: TO_THE_HARBOUR, "high tide": bare("tides", HIGH_SAID)})
    assert CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS in checks(verdict(MOONLIT, TO_THE_HARBOUR, office).findings)


@pytest.mark.parametrize(
    "alone",
    [
        (),  # no probe is left
        (TO_THE_HARBOUR, bare("ferry", FERRY_SAID)),  # once may be chance
        (bare("ferry", FERRY_SAID), TO_THE_HARBOUR),
        (merged(harbour=BERTHS_SAID, ferry=FERRY_SAID),),
        (CRASH,),
        (TO_THE_HARBOUR, CRASH),
    ],
)
def test_where_the_condition_alone_is_not_sent_there_each_time_the_source_is_flagged(alone: tuple[Answer, ...]) -> None:
    said = verdict(MOONLIT, TO_THE_HARBOUR, Office({CONDITION_ALONE: alone} if alone else {}))
    assert checks(said.findings)[0] is CheckName.SOURCE_MISMATCH
    assert CheckName.SOURCE_MISMATCH not in [item.finding.check for item in said.explained]


def test_without_a_condition_no_unasked_source_is_explained() -> None:
    query = query_of(HIGH, KNOTS)
    office = Office({"high tide": TO_THE_HARBOUR, "knots": TO_THE_HARBOUR, query.text: TO_THE_HARBOUR})
    said = verdict(query, TO_THE_HARBOUR, office)
    assert CheckName.SOURCE_MISMATCH in checks(said.findings)


def test_the_letter_of_the_check_can_be_had_for_conditions() -> None:
    office = Office({CONDITION_ALONE: TO_THE_HARBOUR})
    said = verdict(MOONLIT, TO_THE_HARBOUR, office, Rules(explains_conditions=False))
    assert checks(said.findings)[0] is CheckName.SOURCE_MISMATCH
    specified = verdict(MOONLIT, TO_THE_HARBOUR, Office(), Rules(explains=False))
    assert checks(specified.findings)[0] is CheckName.SOURCE_MISMATCH


def test_one_that_is_explained_is_not_reproduced_and_leaves_other_findings_flagged() -> None:
    office = Office({CONDITION_ALONE: TO_THE_HARBOUR})
    said = verdict(MOONLIT, TO_THE_HARBOUR, office)
    assert checks(said.findings)[:1] == [CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS]


def test_a_finding_is_not_explained_as_long_as_one_part_is_undecided() -> None:
    query = query_of(HIGH, FERRY, BERTHS)
    said = verdict(query, FERRY_IS_MISSING, Office({"next ferry": EMPTY}))
    assert checks(said.findings) == [CheckName.PART_COUNT_MISMATCH]
    assert said.explained == ()


def test_a_finding_that_may_be_explained_is_the_most_urgent() -> None:
    query, office = query_of(HIGH, FERRY, BERTHS), Office({"next ferry": EMPTY, "berths free": EMPTY})
    verdict(query, FERRY_IS_MISSING, office)
    assert [(probe.text, probe.urgency) for probe in office.asked][:2] == [
        ("next ferry", Urgency.EXPLAIN),
        ("berths free", Urgency.EXPLAIN),
    ]


def test_an_answer_that_is_empty_as_a_whole_is_explained_by_parts_that_are() -> None:
    nothing = bare("tides", "Nothing to report.")
    said = verdict(QUERY, nothing, Office({"high tide": nothing, "next ferry": EMPTY}))
    assert said.findings == ()
    assert [item.finding.check for item in said.explained] == [
        CheckName.PART_COUNT_MISMATCH,
        CheckName.UNEXPECTED_EMPTY,
        CheckName.PART_LOST,
    ]


def test_a_section_that_is_only_a_failure_phrase_should_have_been_dropped() -> None:
    answer = merged(tides=HIGH_SAID, ferry="Could not connect.")
    said = verdict(QUERY, answer, Office({"high tide": bare("tides", HIGH_SAID), "next ferry": EMPTY}))
    assert checks(said.findings) == [CheckName.UNEXPECTED_EMPTY]


def test_a_target_that_keeps_its_empty_sections_is_not_accused_of_one() -> None:
    answer = merged(tides=HIGH_SAID, ferry="Could not connect.")
    keeping = replace(VOCABULARY, keeps_empty_sections=True)
    office = Office({"high tide": bare("tides", HIGH_SAID), "next ferry": EMPTY})
    assert drive(examine(CheckInput(QUERY, answer, keeping), RULES), office.reply).findings == ()
    whole = CheckInput(QUERY, bare("ferry", "Could not connect."), keeping)
    assert CheckName.UNEXPECTED_EMPTY in checks(drive(examine(whole, RULES), Office({}).reply).findings)


@pytest.mark.parametrize("is_held", [True, False])
def test_a_query_that_a_nosplit_phrase_keeps_together_is_compared_with_none_of_its_parts(is_held: bool) -> None:
    """Unless the vocabulary says so, the phrase keeps together only what it stands before."""
    nosplit = Part(PartKind.NOSPLIT, "compare")
    query = query_of(nosplit, PAIR, FERRY, recipe="nosplit_adjacent_to_real_conjunction")
    answer = bare("almanac", "Two bright stars, compared")
    office = Office({"next ferry": bare("ferry", FERRY_SAID), query.text: answer})
    vocabulary = replace(VOCABULARY, nosplit_holds_query=is_held)
    found = drive(examine(CheckInput(query, answer, vocabulary), RULES), office.reply).findings
    assert checks(found) == ([] if is_held else [CheckName.PART_LOST])
    assert {probe.purpose for probe in office.asked} == {Purpose.AGAIN} or not is_held
    alone = drive(examine(CheckInput(query, answer, vocabulary), RULES, only=CheckName.PART_LOST), office.reply)
    assert checks(alone.findings) == ([] if is_held else [CheckName.PART_LOST])


@pytest.mark.parametrize(
    ("answer", "again", "found"),
    [
        (bare("almanac", "Nothing to report."), bare("almanac", "Nothing to report."), []),
        (bare("almanac", ""), bare("almanac", ""), [CheckName.UNEXPECTED_EMPTY]),
        (bare("almanac", "Two stars"), bare("tides", HIGH_SAID), [CheckName.ASKED_TWICE_DIFFERS]),
        (bare("gulls", "Two stars"), bare("gulls", "Two stars"), [CheckName.SOURCE_MISMATCH]),
    ],
    ids=["honestly empty", "blank", "another source the second time", "an unknown source"],
)
def test_of_a_query_that_is_kept_together_all_that_is_of_no_part_is_checked(
    answer: Answer, again: Answer, found: list[CheckName]
) -> None:
    query = query_of(Part(PartKind.NOSPLIT, "compare"), PAIR, recipe="nosplit_adjacent_to_real_conjunction")
    office = Office({query.text: again})
    held = CheckInput(query, answer, replace(VOCABULARY, nosplit_holds_query=True))
    assert checks(drive(examine(held, RULES, reproduces=False), office.reply).findings) == found


def test_a_blank_answer_is_never_explained() -> None:
    blank = bare("tides", "")
    said = verdict(QUERY, blank, Office({"high tide": blank, "next ferry": blank}))
    assert checks(said.findings) == [CheckName.PART_COUNT_MISMATCH, CheckName.UNEXPECTED_EMPTY]
    assert said.explained == ()


def test_a_crash_is_flagged_and_nothing_of_it_explained() -> None:
    said = verdict(QUERY, CRASH, Office({QUERY.text: WHOLE_ANSWER}))
    assert checks(said.findings) == [CheckName.CRASH]
    assert (said.repeats, said.reproduced) == (3, {CheckName.CRASH: 0})


# --- reproduced ---


def again(*answers: Answer, reproduces: bool = True) -> Verdict:
    now: Script = {**ALONE, QUERY.text: answers} if answers else dict(ALONE)
    return verdict(QUERY, FERRY_IS_MISSING, Office(now), reproduces=reproduces)


@pytest.mark.parametrize(
    ("answers", "seen"),
    [
        ((FERRY_IS_MISSING,) * 3, 3),
        ((FERRY_IS_MISSING, WHOLE_ANSWER, FERRY_IS_MISSING), 2),
        ((WHOLE_ANSWER,) * 3, 0),
    ],
)
def test_what_is_flagged_is_asked_three_times_more_and_counted(answers: tuple[Answer, ...], seen: int) -> None:
    said = again(*answers)
    assert checks(said.findings) == [CheckName.PART_LOST]  # an anomaly that comes and goes is one
    assert (said.repeats, said.reproduced[CheckName.PART_LOST]) == (3, seen)


@pytest.mark.parametrize(("repetitions", "together"), [(3, [[2, 3], [3], []]), (1, [[]])])
def test_repetitions_are_sent_together(repetitions: int, together: list[list[int]]) -> None:
    office = Office({**ALONE, QUERY.text: FERRY_IS_MISSING})
    drive(
        examine(CheckInput(QUERY, FERRY_IS_MISSING, VOCABULARY), replace(RULES, repetitions=repetitions)), office.reply
    )
    again = [probe for probe in office.asked if probe.purpose is Purpose.AGAIN]
    assert [[later.fresh for later in probe.ahead] for probe in again] == together


@pytest.mark.parametrize("answers", [(FERRY_IS_MISSING,) * 3, (FERRY_IS_MISSING, WHOLE_ANSWER, FERRY_IS_MISSING)])
def test_the_third_time_yields_to_queries_that_nothing_was_checked_of(answers: tuple[Answer, ...]) -> None:
    office = Office({**ALONE, QUERY.text: answers})
    verdict(QUERY, FERRY_IS_MISSING, office)
    again = [probe for probe in office.asked if probe.purpose is Purpose.AGAIN]
    assert [(probe.fresh, probe.urgency is Urgency.SPARE) for probe in again] == [(1, False), (2, False), (3, True)]


def test_where_it_may_not_be_asked_again_nothing_is_counted() -> None:
    said = again()
    assert (said.repeats, said.reproduced) == (0, {CheckName.PART_LOST: 0})


def test_without_reproducing_nothing_is_asked_again() -> None:
    assert again(FERRY_IS_MISSING, reproduces=False).repeats == 0


def test_a_clean_answer_is_not_asked_again_to_reproduce_anything() -> None:
    office = Office(ALONE)
    verdict(query_of(HIGH, FERRY, recipe="of a later version"), WHOLE_ANSWER, office)
    assert [probe for probe in office.asked if probe.purpose is Purpose.AGAIN] == []


def test_an_invariant_is_seen_again_by_the_answer_itself() -> None:
    twice = merged(tides=[HIGH_SAID, HIGH_SAID], ferry=FERRY_SAID)
    said = verdict(QUERY, twice, Office({QUERY.text: [twice, WHOLE_ANSWER, twice]}))
    assert checks(said.findings) == [CheckName.ITEM_REPEATED]
    assert (said.repeats, said.reproduced) == (3, {CheckName.ITEM_REPEATED: 2})


def test_what_only_the_hidden_parts_show_is_seen_again_in_them() -> None:
    lows = [Part(PartKind.INTENT, f"low tide of day {n}", "tides") for n in range(3)]
    query = query_of(HIGH, FERRY, BERTHS, *lows, LAST_FERRY)
    whole = merged(tides=HIGH_SAID, ferry=FERRY_SAID, harbour=BERTHS_SAID)
    apart = "last ferry plus low tide of day 2 plus low tide of day 1 plus low tide of day 0"
    alone: Script = {part.text: bare("tides", HIGH_SAID) for part in lows} | {"last ferry": bare("ferry", FERRY_SAID)}
    lost, there = merged(tides=HIGH_SAID), merged(ferry=FERRY_SAID, tides=HIGH_SAID)
    office = Office({**alone, apart: [lost, there, lost]})
    said = verdict(query, whole, office)
    assert checks(said.findings) == [CheckName.PART_LOST]
    assert said.seen_in is not None
    assert said.seen_in.text == apart
    assert (said.repeats, said.reproduced) == (3, {CheckName.PART_LOST: 2})
    assert query.text not in office.texts


@pytest.mark.parametrize(("ferry", "is_right"), [(FERRY_SAID, True), ("Gulls on the pier", False)])
def test_what_the_hidden_parts_show_by_a_known_cause_hides_no_wrong_section(ferry: str, is_right: bool) -> None:
    lows = [Part(PartKind.INTENT, f"low tide of day {n}", "tides") for n in range(3)]
    query = query_of(HIGH, FERRY, BERTHS, *lows, LAST_FERRY)
    answer = merged(tides=HIGH_SAID, ferry=ferry, harbour=BERTHS_SAID)
    apart = "last ferry plus low tide of day 2 plus low tide of day 1 plus low tide of day 0"
    alone: Script = {part.text: bare("tides", HIGH_SAID) for part in (HIGH, *lows)}
    alone |= {part.text: bare("ferry", FERRY_SAID) for part in (FERRY, LAST_FERRY)}
    office = Office({**alone, apart: merged(tides=HIGH_SAID), query.text: answer})
    rules = Rules(known_causes=frozenset({("part_lost", "", "ferry")}))
    said = verdict(query, answer, office, rules, reproduces=False)
    assert checks(said.findings) == [CheckName.PART_LOST if is_right else CheckName.PART_DIFFERS]
    assert (said.seen_in is not None) is is_right


@pytest.mark.parametrize("recipe", ["multi_intent_chain", "nested_proper_noun_pairs"])
def test_nothing_is_asked_for_checks_that_are_off(recipe: str) -> None:
    off = frozenset(GROUPS[Family.AGAINST_ITSELF])
    for number in range(12):  # each turn
        query = query_of(Part(PartKind.INTENT, f"high tide of day {number}", "tides"), FERRY, recipe=recipe)
        office = Office(ALONE)
        assert verdict(query, WHOLE_ANSWER, office, Rules(off=off)) == Verdict()
        assert office.asked == []


def test_what_the_answer_alone_shows_hides_nothing_else() -> None:
    """Else one defect that always stands, or one whose check is off, would keep every other from being found."""
    query = next(
        q for q in (query_of(HIGH, Part(PartKind.INTENT, f"{n}", "ferry")) for n in range(50)) if _is_by_parts(q)
    )
    other = "Gulls on the pier"
    answer = merged(tides=[other, other], ferry=FERRY_SAID)
    said = {"high tide": bare("tides", HIGH_SAID), query.parts[-1].text: bare("ferry", FERRY_SAID)}
    office = Office({**said, query.text: answer})
    assert checks(verdict(query, answer, office).findings) == [CheckName.ITEM_REPEATED, CheckName.PART_DIFFERS]
    off = Rules(off=frozenset({CheckName.ITEM_REPEATED}))
    assert checks(verdict(query, answer, office, off).findings) == [CheckName.PART_DIFFERS]


# --- rules ---


def test_a_check_that_is_off_neither_flags_nor_explains() -> None:
    off = Rules(off=frozenset({CheckName.PART_LOST}))
    assert verdict(QUERY, FERRY_IS_MISSING, Office(ALONE), off) == Verdict()
    empty = Office({**ALONE, "next ferry": EMPTY})
    assert verdict(QUERY, FERRY_IS_MISSING, empty, off) == Verdict()


def test_a_volatile_source_is_held_to_its_presence_only() -> None:
    other = merged(tides="Gulls on the pier", ferry=FERRY_SAID)
    query = next(
        q for q in (query_of(HIGH, Part(PartKind.INTENT, f"{n}", "ferry")) for n in range(50)) if _is_by_parts(q)
    )
    said = {"high tide": bare("tides", HIGH_SAID), query.parts[-1].text: bare("ferry", FERRY_SAID)}
    office = Office({**said, query.text: other})
    assert checks(verdict(query, other, office).findings) == [CheckName.PART_DIFFERS]
    assert verdict(query, other, office, Rules(volatile=frozenset({"tides"}))).findings == ()


def _is_by_parts(query: Query) -> bool:
    """Whether it is the turn of this query's parts."""
    office = Office()
    verdict(query, WHOLE_ANSWER, office)
    return any(probe.urgency is Urgency.ROUTINE for probe in office.asked)


# --- hidden parts ---


def test_a_part_whose_section_another_one_hides_is_worth_an_asking() -> None:
    low = Part(PartKind.INTENT, "low tide", "tides")
    query = query_of(HIGH, low, FERRY)
    office = Office()
    verdict(query, WHOLE_ANSWER, office)
    assert Urgency.WORTHWHILE in {probe.urgency for probe in office.asked if probe.text == "low tide"}


def test_of_others_now_the_first_and_now_the_last_part_is_worth_an_asking() -> None:
    said = merged(tides=HIGH_SAID, harbour=BERTHS_SAID, ferry=FERRY_SAID)
    chosen = []
    for parts in permutations((HIGH, BERTHS, FERRY)):
        office = Office()
        verdict(query_of(*parts), said, office)
        (text,) = [p.text for p in office.asked if p.urgency is Urgency.WORTHWHILE and p.purpose is Purpose.PART]
        chosen.append([part.text for part in parts].index(text))
    assert set(chosen) == {0, 2}


@pytest.mark.parametrize("presence_only", [(), ("tides",)])
def test_what_a_source_says_is_not_compared_where_the_vocabulary_says_so(presence_only: tuple[str, ...]) -> None:
    vocabulary = replace(VOCABULARY, presence_only=presence_only)
    query = query_of(HIGH, FERRY)
    alone = {"high tide": bare("tides", "Springs on Friday"), "next ferry": bare("ferry", FERRY_SAID)}
    given = CheckInput(query, merged(tides=HIGH_SAID, ferry=FERRY_SAID), vocabulary)
    office = Office({query.text: given.answer, "ferry: next ferry": bare("ferry", FERRY_SAID), **alone})
    found = office.answer(examine(given, Rules(), only=CheckName.PART_DIFFERS)).findings
    assert bool(found) is not bool(presence_only)
