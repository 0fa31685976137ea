"""The same once more: twice, in another order, joined otherwise, in plain words."""

from dataclasses import replace

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import ExaminationContext
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.probes import Urgency
from selftest.core.judging.relations.order_and_wording import (
    agreements,
    asked_twice,
    in_other_order,
    in_plain_words,
    joined_otherwise,
)
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
    LOW,
    LOW_SAID,
    PAIR,
    PLUS,
    VOCABULARY,
    Office,
    bare,
    case_of,
    merged,
    query_of,
)
from tests.vocabularies import small_document

PLAIN = replace(VOCABULARY, ignores_signs=True)
QUERY = query_of(HIGH, FERRY, BERTHS)
TEXT = "high tide plus next ferry plus berths free"
REVERSED = "berths free plus next ferry plus high tide"
JOINED = "high tide, also next ferry, also berths free"
WHOLE = merged(tides=HIGH_SAID, ferry=FERRY_SAID, harbour=BERTHS_SAID)
WITHOUT_FERRY = merged(tides=HIGH_SAID, harbour=BERTHS_SAID)
LATE = merged(tides=HIGH_SAID, ferry="Cancelled", harbour=BERTHS_SAID)


def in_order(context: ExaminationContext, office: Office) -> tuple[Finding, ...]:
    return office.answer(in_other_order(context))


# --- order and conjunctions ---


@pytest.mark.parametrize(
    ("of_ferry", "is_found"),
    [("Sails at high water", False), ("Sails on Sundays", True)],
    ids=["its subject", "no such"],
)
def test_a_keyword_alone_may_be_about_another_part_in_another_order(of_ferry: str, is_found: bool) -> None:
    """In reverse the ferry stands behind the berths and no longer behind the tide."""
    said = merged(tides=HIGH_SAID, ferry="Sails at high water", harbour=BERTHS_SAID)
    turned = merged(tides=HIGH_SAID, ferry="Sails from berth 2", harbour=BERTHS_SAID)
    office = Office({TEXT: said, REVERSED: turned, "ferry: high tide": bare("ferry", of_ferry)})
    assert bool(in_order(case_of(QUERY, said), office)) is is_found


@pytest.mark.parametrize(
    ("relation", "text", "check", "how"),
    [
        (in_other_order, REVERSED, CheckName.ORDER_MATTERS, "in another order"),
        (joined_otherwise, JOINED, CheckName.CONJUNCTION_MATTERS, "joined by other words"),
    ],
)
def test_a_source_that_is_there_only_one_way_is_found(relation, text: str, check: CheckName, how: str) -> None:
    (finding,) = Office({text: WITHOUT_FERRY, TEXT: WHOLE}).answer(relation(case_of(QUERY, WHOLE)))
    assert finding.reason == f"{check}: {how}, ferry is gone"
    assert finding.seen == f"as asked ferry, harbour, tides; {how} harbour, tides"
    assert {shown.text for shown in finding.asked} == {text, TEXT}


def test_a_source_that_comes_in_another_order_is_found() -> None:
    office = Office({REVERSED: WHOLE, TEXT: WITHOUT_FERRY})
    (finding,) = in_order(case_of(QUERY, WITHOUT_FERRY), office)
    assert finding.summary == "in another order, ferry is there"


def test_another_content_in_another_order_is_found() -> None:
    (finding,) = in_order(case_of(QUERY, WHOLE), Office({REVERSED: LATE, TEXT: WHOLE}))
    assert finding.summary == "in another order, ferry brings something else"


def test_the_same_sources_and_items_in_another_order_are_no_difference() -> None:
    other = merged(harbour=BERTHS_SAID, ferry=FERRY_SAID, tides=HIGH_SAID)
    office = Office({REVERSED: other})
    assert in_order(case_of(QUERY, WHOLE), office) == ()
    assert office.texts == [REVERSED]


def test_a_line_that_heads_the_first_section_may_move_with_it() -> None:
    said, late = ["High water at six", "Low ebb at noon"], ["Leaves at seven", "Late today"]
    first = merged(tides=["4 results below", *said], ferry=late, harbour=BERTHS_SAID)
    second = merged(harbour=BERTHS_SAID, ferry=["5 results below", *late], tides=said)
    assert in_order(case_of(QUERY, first), Office({REVERSED: second, TEXT: first})) == ()


def test_sections_that_have_changed_their_headers_are_found() -> None:
    swapped = merged(tides=FERRY_SAID, ferry=HIGH_SAID, harbour=BERTHS_SAID)
    (finding,) = in_order(case_of(QUERY, WHOLE), Office({REVERSED: swapped, TEXT: WHOLE}))
    assert finding.reason == "order_matters: in another order, ferry, tides brings something else"


def test_other_content_of_a_volatile_source_is_no_difference() -> None:
    assert in_order(case_of(QUERY, WHOLE, volatile=["ferry"]), Office({REVERSED: LATE, TEXT: WHOLE})) == ()


def test_a_volatile_source_that_is_gone_is_a_difference() -> None:
    found = in_order(case_of(QUERY, WHOLE, volatile=["ferry"]), Office({REVERSED: WITHOUT_FERRY, TEXT: WHOLE}))
    assert [finding.check for finding in found] == [CheckName.ORDER_MATTERS]


def test_a_query_that_changes_by_itself_is_not_accused_of_its_order() -> None:
    assert in_order(case_of(QUERY, WHOLE), Office({REVERSED: WITHOUT_FERRY, TEXT: WITHOUT_FERRY})) == ()


def test_what_only_one_asking_in_another_order_brings_is_not_accused() -> None:
    """Where a target has contradicted itself, or may have, other content has to be there twice in the same way."""
    once = Office({REVERSED: [LATE, LATE, WHOLE], TEXT: WHOLE})
    assert in_order(case_of(QUERY, WHOLE), once) == ()
    steady = case_of(QUERY, WHOLE)
    steady.is_reproducible = True
    assert len(in_order(steady, Office({REVERSED: [LATE, LATE, WHOLE], TEXT: WHOLE}))) == 1


def test_a_source_that_lacks_another_item_each_time_is_not_accused() -> None:
    one, two, three = "Leaves at seven", "Buses meet it at the quay", "No dogs on deck"
    whole, first, second = (
        merged(tides=HIGH_SAID, ferry=items, harbour=BERTHS_SAID)
        for items in ([one, two, three], [one, three], [one, two])
    )
    assert in_order(case_of(QUERY, whole), Office({REVERSED: [first, second], TEXT: whole})) == ()
    assert len(in_order(case_of(QUERY, whole), Office({REVERSED: [first, first], TEXT: whole}))) == 1


def test_a_section_that_says_why_it_has_less_in_another_order_is_spared() -> None:
    one, two = ("Leaves at seven", "Buses meet it at the quay")
    whole = merged(tides=HIGH_SAID, ferry=[one, two], harbour=BERTHS_SAID)
    for remark, accused in (("(1 of 2 shards answered)", 0), ("1 of 2 shards answered", 1)):
        less = merged(tides=HIGH_SAID, ferry=[one, remark], harbour=BERTHS_SAID)
        assert len(in_order(case_of(QUERY, whole), Office({REVERSED: less, TEXT: whole}))) == accused


def test_an_order_that_changes_by_itself_is_not_accused() -> None:
    office = Office(kept={REVERSED: WITHOUT_FERRY}, now={REVERSED: WHOLE, TEXT: WHOLE})
    assert in_order(case_of(QUERY, WHOLE), office) == ()


@pytest.mark.parametrize("now", [{}, {REVERSED: CRASH}, {REVERSED: WITHOUT_FERRY}])
def test_without_an_answer_to_each_nothing_is_said(now: dict[str, Answer]) -> None:
    assert in_order(case_of(QUERY, WHOLE), Office(dict(now))) == ()


OPEN = query_of(KNOTS, HIGH)
OPEN_REVERSED = "high tide plus knots"
WITH_STAND_IN = parse_vocabulary(small_document() | {"fallbacks": {"almanac": ["harbour"]}})


@pytest.mark.parametrize(("stand_in", "is_spared"), [("harbour", True), ("ferry", False)])
def test_an_open_topic_may_go_to_a_documented_fallback_each_time(stand_in: str, is_spared: bool) -> None:
    first = merged(WITH_STAND_IN, almanac="A knot holds a rope", tides=HIGH_SAID)
    then = merged(WITH_STAND_IN, **{stand_in: "Rope shop at the pier"}, tides=HIGH_SAID)
    context = case_of(OPEN, first, WITH_STAND_IN)
    assert (in_order(context, Office({OPEN_REVERSED: then, OPEN.text: first})) == ()) is is_spared
    context = case_of(OPEN, first, WITH_STAND_IN)
    assert (Office({OPEN.text: then}).answer(asked_twice(context)) == ()) is is_spared


def test_a_fallback_that_another_part_needs_does_not_come_and_go_with_an_open_topic() -> None:
    query = query_of(KNOTS, BERTHS)
    first = merged(WITH_STAND_IN, almanac="A knot holds a rope", harbour=BERTHS_SAID)
    then = bare("almanac", "A knot holds a rope")
    context = case_of(query, first, WITH_STAND_IN)
    (finding,) = Office({query.text: then}).answer(asked_twice(context))
    assert finding.reason == "asked_twice_differs: asked again, harbour is gone"


def test_another_order_that_comes_out_otherwise_the_second_time_is_not_accused() -> None:
    assert in_order(case_of(QUERY, WHOLE), Office({REVERSED: [LATE, WHOLE], TEXT: WHOLE})) == ()


def test_parts_that_share_a_section_may_share_it_otherwise_in_another_order() -> None:
    query = query_of(HIGH, LOW)
    first = bare("tides", HIGH_SAID, "Springs on Monday", LOW_SAID)
    then = bare("tides", LOW_SAID, "Neaps on Friday", HIGH_SAID)
    lost = bare("tides", LOW_SAID)
    overwritten = bare("tides", "Neaps on Friday")
    for answer, is_spared in ((then, True), (lost, False), (overwritten, False)):
        office = Office({"low tide plus high tide": answer, query.text: first})
        context = case_of(query, first)
        context.longest = {"tides": 9}
        assert (in_order(context, office) == ()) is is_spared


@pytest.mark.parametrize(
    ("first", "then", "is_spared"),
    [
        ([HIGH_SAID, "Springs on Monday"], [LOW_SAID, "Neaps on Friday"], True),  # an item of each part, of other sites
        ([HIGH_SAID], [LOW_SAID], False),  # one part has overwritten the other
        ([HIGH_SAID, LOW_SAID], [LOW_SAID], False),  # one is lost
        ([HIGH_SAID, "Springs on Monday", "Moon"], [LOW_SAID, "Neaps on Friday", "Sun"], False),
    ],
)
def test_where_each_part_has_one_item_another_order_may_show_another(
    first: list[str], then: list[str], is_spared: bool
) -> None:
    query = query_of(HIGH, LOW)
    context = case_of(query, bare("tides", *first))
    context.longest = {"tides": 9}
    office = Office({"low tide plus high tide": bare("tides", *then), query.text: bare("tides", *first)})
    assert (in_order(context, office) == ()) is is_spared


@pytest.mark.parametrize(
    ("as_said", "is_spared"),
    [
        (["The moon pulls the sea twice a day, and the sun […]"], True),
        (["The moon pulls the sea twice a day, and the sun helps."], False),  # it is whole, so nothing was cut
        (["Springs on Monday […]"], False),
    ],
)
def test_a_section_that_is_cut_for_its_length_may_end_a_line_earlier(as_said: list[str], is_spared: bool) -> None:
    query = query_of(Part(PartKind.INTENT, "(high tide)", "tides", "high tide"), FERRY)
    whole = ["The moon pulls the sea twice a day, and the sun helps.", "Neaps […]"]
    first = merged(tides=as_said, ferry=FERRY_SAID)
    office = Office({"high tide plus next ferry": merged(tides=whole, ferry=FERRY_SAID), query.text: first})
    assert (office.answer(in_plain_words(case_of(query, first, PLAIN))) == ()) is is_spared


@pytest.mark.parametrize(
    ("fallbacks", "its_own", "is_spared"),
    [
        ({"ferry": ["harbour"]}, {}, True),
        ({"tides": ["harbour"]}, {}, False),
        ({"ferry": ["harbour"]}, {"ferry": FERRY_SAID}, False),
    ],
    ids=["stands in", "stands in for another", "is there itself"],
)
def test_a_part_whose_source_has_nothing_shares_the_section_of_what_stands_in_for_it(
    fallbacks: dict[str, list[str]], its_own: dict[str, str], is_spared: bool
) -> None:
    vocabulary = parse_vocabulary(small_document() | {"fallbacks": fallbacks})
    query = query_of(FERRY, BERTHS)
    first = merged(vocabulary, harbour=["No ferry today", "Ask at the pier", BERTHS_SAID], **its_own)
    then = merged(vocabulary, harbour=[BERTHS_SAID, "Both by the crane", "No ferry today"], **its_own)
    context, office = (
        case_of(query, first, vocabulary),
        Office({"berths free plus next ferry": then, query.text: first}),
    )
    assert (in_order(context, office) == ()) is is_spared


def test_what_speaks_of_the_part_before_has_no_other_order() -> None:
    office = Office()
    query = query_of(KNOTS, Part(PartKind.REQUEST, "tell me about it"), HIGH)
    assert in_order(case_of(query, WHOLE), office) == ()
    assert office.asked == []


def test_one_part_has_no_other_order() -> None:
    office = Office()
    assert in_order(case_of(query_of(HIGH), bare("tides", HIGH_SAID)), office) == ()
    assert office.asked == []


@pytest.mark.parametrize(
    ("written", "vocabulary", "is_found"),
    [("HIGH TIDE", VOCABULARY, True), ("“high tide”", VOCABULARY, False), ("“high tide”", PLAIN, True)],
    ids=["capitals", "quotes", "quotes where the vocabulary promises it"],
)
def test_a_phrase_that_brings_something_else_in_plain_words_is_found(
    written: str, vocabulary: Vocabulary, is_found: bool
) -> None:
    query = query_of(Part(PartKind.INTENT, written, "tides", "high tide"), FERRY)
    as_said = merged(tides=LOW_SAID, ferry=FERRY_SAID)
    office = Office({"high tide plus next ferry": merged(tides=HIGH_SAID, ferry=FERRY_SAID), query.text: as_said})
    found = office.answer(in_plain_words(case_of(query, as_said, vocabulary)))
    said = [finding.reason for finding in found]
    assert said == (["part_differs: in plain words, tides brings something else"] if is_found else [])


@pytest.mark.parametrize(
    ("written", "is_accused"),
    [
        (EMPTY, False),
        (bare("harbour", BERTHS_SAID), False),
        (bare("almanac", "A ferry crosses"), True),
        (bare("almanac", "Nothing to report."), True),
    ],
    ids=["its source has nothing", "its fallback answers", "it is not understood", "another has nothing"],
)
def test_a_source_may_have_nothing_on_quoted_words_unless_the_vocabulary_says_otherwise(
    written: Answer, is_accused: bool
) -> None:
    query = query_of(HIGH, Part(PartKind.INTENT, "“next ferry”", "ferry", "next ferry"), KNOTS)
    as_said, plain = (
        merged(tides=HIGH_SAID, almanac="A knot"),
        merged(tides=HIGH_SAID, ferry=FERRY_SAID, almanac="A knot"),
    )
    said = {"high tide plus next ferry plus knots": plain, query.text: as_said}
    office = Office(said | {"“next ferry”": written, "next ferry": bare("ferry", FERRY_SAID)})
    assert bool(office.answer(in_plain_words(case_of(query, as_said)))) is is_accused
    assert office.answer(in_plain_words(case_of(query, as_said, PLAIN)))


@pytest.mark.parametrize(
    ("ferry", "is_accused"),
    [("Quick answer: leaves at seven", False), ("Leaves at seven", True)],
    ids=["each section has one", "no other has one"],
)
def test_a_line_behind_the_label_of_each_section_tells_of_whichever_item_is_first(ferry: str, is_accused: bool) -> None:
    query = query_of(Part(PartKind.INTENT, "HIGH TIDE", "tides", "high tide"), FERRY)
    as_said, in_plain = (
        merged(tides=[f"Quick answer: {first}", "https://tides.example/1", "https://tides.example/2"], ferry=ferry)
        for first in ("springs on Friday", "neaps a week later")
    )
    office = Office({"high tide plus next ferry": in_plain, query.text: as_said})
    assert bool(office.answer(in_plain_words(case_of(query, as_said, PLAIN)))) is is_accused


@pytest.mark.parametrize(("harbour", "is_accused"), [({"harbour": "Nothing to report."}, False), ({}, True)])
def test_a_section_may_have_less_where_framing_adds_one_that_says_there_is_nothing(
    harbour: dict[str, str], is_accused: bool
) -> None:
    """An answer may have room for so many items in all."""
    as_said = merged(almanac=KNOTS_SAID, ferry=FERRY_SAID, **harbour)
    in_plain = merged(almanac=KNOTS_SAID, ferry=[FERRY_SAID, "Bikes are free"])
    alone = {ALONE_FRAMED: bare("almanac", KNOTS_SAID), "knots": bare("almanac", KNOTS_SAID)}
    office = Office(alone | {"knots, and next ferry": in_plain, FRAMED.text: as_said})
    assert bool(office.answer(in_plain_words(case_of(FRAMED, as_said, WITH_STAND_IN)))) is is_accused
    assert office.answer(in_plain_words(case_of(FRAMED, as_said)))  # framing adds no other source


def test_a_section_has_not_less_because_a_part_went_astray_in_another_order() -> None:
    """Where it went to there is nothing, and a section that says so."""
    whole = merged(tides=[HIGH_SAID, "Springs on Friday"], ferry=FERRY_SAID)
    astray = merged(tides=HIGH_SAID, ferry=FERRY_SAID, harbour="Nothing to report.")
    query = query_of(HIGH, FERRY)
    office = Office({"next ferry plus high tide": astray, query.text: whole})
    assert in_order(case_of(query, whole), office)


def test_what_stands_in_for_a_source_that_has_nothing_on_quoted_words_comes_and_goes_with_them() -> None:
    query = query_of(HIGH, Part(PartKind.INTENT, "“next ferry”", "ferry", "next ferry"))
    as_said, plain = merged(tides=HIGH_SAID, harbour=BERTHS_SAID), merged(tides=HIGH_SAID, ferry=FERRY_SAID)
    said = {"high tide plus next ferry": plain, query.text: as_said}
    office = Office(said | {"“next ferry”": bare("harbour", BERTHS_SAID), "next ferry": bare("ferry", FERRY_SAID)})
    assert office.answer(in_plain_words(case_of(query, as_said))) == ()


def test_signs_and_capitals_are_compared_with_plain_words_sooner_than_framing() -> None:
    written = query_of(Part(PartKind.INTENT, "HIGH TIDE", "tides", "high tide"), FERRY)
    for query, urgency in ((written, Urgency.SUSPECT), (FRAMED, Urgency.WORTHWHILE)):
        office = Office()
        office.answer(in_plain_words(case_of(query, WHOLE)))
        assert [probe.urgency for probe in office.asked] == [urgency]


@pytest.mark.parametrize(("said", "is_asked"), [(", and ", True), (", und ", False)])
def test_framing_is_left_out_only_where_what_follows_it_is_joined_by_a_documented_word(
    said: str, is_asked: bool
) -> None:
    framed = (
        Part(PartKind.DISCOURSE, "all of them go on about"),
        Part(PartKind.MARK, " "),
        Part(PartKind.TOPIC, "knots"),
        Part(PartKind.MARK, said),
    )
    office = Office()
    office.answer(in_plain_words(case_of(Query("megaquery", (*framed, FERRY)), WHOLE)))
    assert bool(office.asked) is is_asked


FRAMED = Query(
    "discourse_framing_plus_real_keyword",
    (
        Part(PartKind.DISCOURSE, "all of them go on about"),
        Part(PartKind.MARK, " "),
        Part(PartKind.TOPIC, "knots"),
        Part(PartKind.MARK, ", and "),
        FERRY,
    ),
)
ALONE_FRAMED = "all of them go on about knots"
KNOTS_SAID = "A knot holds a rope"


@pytest.mark.parametrize(
    ("framed", "is_found"),
    [
        (merged(almanac=KNOTS_SAID, ferry="Knots in the news"), False),
        (bare("almanac", KNOTS_SAID), True),
        (None, False),
    ],
    ids=["it brings more", "it brings no more", "unknown"],
)
def test_framing_may_bring_more_from_a_source_that_another_part_asks(framed: Answer | None, is_found: bool) -> None:
    as_said = merged(almanac=KNOTS_SAID, ferry=["Knots in the news", FERRY_SAID])
    in_plain = merged(almanac=KNOTS_SAID, ferry=[FERRY_SAID, "Late on Sunday"])
    office = Office({"knots, and next ferry": in_plain, FRAMED.text: as_said, "knots": bare("almanac", KNOTS_SAID)})
    office.now |= {ALONE_FRAMED: framed} if framed else {}
    assert bool(office.answer(in_plain_words(case_of(FRAMED, as_said)))) is is_found


@pytest.mark.parametrize(
    ("framed", "plain", "is_found"),
    [
        ({"almanac": KNOTS_SAID, "tides": HIGH_SAID}, {"almanac": KNOTS_SAID}, False),  # framing may add a source
        ({"almanac": KNOTS_SAID}, {"harbour": KNOTS_SAID}, True),  # which is no fallback of the almanac's
        ({"almanac": KNOTS_SAID}, {"almanac": KNOTS_SAID, "tides": HIGH_SAID}, True),
        ({"almanac": "All of them go on and on"}, {"almanac": KNOTS_SAID}, True),
        ({"almanac": KNOTS_SAID}, {"almanac": [KNOTS_SAID, "A bend joins two"]}, False),
        ({"almanac": "Gulls nest on it"}, {"almanac": [KNOTS_SAID, "A bend joins two"]}, True),
    ],
)
def test_framing_may_add_a_source_or_leave_less_and_changes_no_content(
    framed: dict[str, str], plain: dict[str, str | list[str]], is_found: bool
) -> None:
    as_said, in_plain = merged(**framed, ferry=FERRY_SAID), merged(**plain, ferry=FERRY_SAID)
    office = Office({"knots, and next ferry": in_plain, FRAMED.text: as_said, "knots": bare("almanac", KNOTS_SAID)})
    assert bool(office.answer(in_plain_words(case_of(FRAMED, as_said)))) is is_found


def test_without_framing_a_topic_may_go_to_what_stands_in_for_the_encyclopedia() -> None:
    vocabulary = parse_vocabulary(small_document() | {"fallbacks": {"almanac": ["harbour"]}})
    as_said = merged(vocabulary, almanac=KNOTS_SAID, harbour=BERTHS_SAID)
    in_plain = merged(vocabulary, harbour=["Rope shop", BERTHS_SAID])
    office = Office({"knots, and next ferry": in_plain, FRAMED.text: as_said})
    assert office.answer(in_plain_words(case_of(FRAMED, as_said, vocabulary))) == ()


def test_what_is_said_in_plain_words_is_not_asked_again() -> None:
    office = Office()
    assert office.answer(in_plain_words(case_of(QUERY, WHOLE))) == ()
    assert office.asked == []


# --- twice ---


def test_a_source_that_is_gone_when_asked_again_is_found() -> None:
    (finding,) = Office({TEXT: WITHOUT_FERRY}).answer(asked_twice(case_of(QUERY, WHOLE)))
    assert finding.reason == "asked_twice_differs: asked again, ferry is gone"
    assert finding.seen == "first ferry, harbour, tides, then harbour, tides"


def test_asking_twice_is_asking_afresh() -> None:
    office = Office({TEXT: WHOLE}, kept={TEXT: WITHOUT_FERRY})
    assert office.answer(asked_twice(case_of(QUERY, WHOLE))) == ()
    assert [probe.fresh for probe in office.asked] == [1]


def test_other_content_when_asked_again_is_time_going_by() -> None:
    assert Office({TEXT: LATE}).answer(asked_twice(case_of(QUERY, WHOLE))) == ()


def test_an_answer_that_comes_from_the_cache_is_found() -> None:
    again = Answer(WHOLE.result, "digest", 1.0, cached=True)
    (finding,) = Office({TEXT: again}).answer(asked_twice(case_of(QUERY, WHOLE)))
    assert finding.check is CheckName.SYNTHETIC_QUERY_CACHED
    assert finding.seen == "not cached at first, cached when asked again"


def test_a_query_that_was_cached_at_first_was_left_there_by_somebody_else() -> None:
    cached = Answer(WHOLE.result, "digest", 1.0, cached=True)
    assert Office({TEXT: cached}).answer(asked_twice(case_of(QUERY, cached))) == ()


def test_a_crash_when_asked_again_says_nothing_of_structure() -> None:
    assert Office({TEXT: CRASH}).answer(asked_twice(case_of(QUERY, WHOLE))) == ()


def test_two_askings_tell_which_sources_said_the_same() -> None:
    context = case_of(QUERY, WHOLE)
    Office({TEXT: LATE}).answer(asked_twice(context))
    assert agreements(context) == (("ferry", False), ("harbour", True), ("tides", True))


def test_a_cached_answer_agrees_with_nothing() -> None:
    context = case_of(QUERY, WHOLE)
    Office({TEXT: Answer(WHOLE.result, "digest", 1.0, cached=True)}).answer(asked_twice(context))
    assert agreements(context) == ()


def test_a_framed_topic_may_be_shorter_only_where_no_other_part_brings_the_encyclopedia() -> None:
    query = replace(FRAMED, parts=(*FRAMED.parts[:3], PLUS, PAIR))
    as_said, in_plain = (merged(almanac=[KNOTS_SAID, *more], ferry=FERRY_SAID) for more in ((), ("Castor is a star",)))
    office = Office(
        {query.text: as_said, "knots plus Castor and Pollux": in_plain, "knots": bare("almanac", KNOTS_SAID)}
    )
    assert office.answer(in_plain_words(case_of(query, as_said)))
