"""What is missing: lost, or with an innocent cause, by scripted answers of parts asked alone."""

from dataclasses import replace

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import ExaminationContext
from selftest.core.judging.findings import CheckName, DiscrepancyKind
from selftest.core.judging.probes import Purpose, Urgency
from selftest.core.judging.relations.part_presence import Presence, presence
from selftest.core.judging.verdicts import ExplanationCause
from tests.core.judging.relations.scripted import (
    BERTHS,
    BERTHS_SAID,
    BLANK,
    CRASH,
    EMPTY,
    FERRY,
    FERRY_SAID,
    HIGH,
    HIGH_SAID,
    KNOTS,
    PLUS,
    VOCABULARY,
    Office,
    Script,
    bare,
    case_of,
    merged,
    query_of,
)
from tests.vocabularies import small_document

TIDE_AND_FERRY = query_of(HIGH, FERRY)
TIDE_FERRY_BERTHS = query_of(HIGH, FERRY, BERTHS)
FERRY_IS_MISSING = merged(tides=HIGH_SAID)
ALONE = bare("ferry", FERRY_SAID)


def looked_at(context: ExaminationContext, office: Office) -> Presence:
    return office.answer(presence(context, Urgency.SUSPECT))


def test_nothing_is_asked_where_every_source_has_a_section() -> None:
    office = Office()
    at_hand = looked_at(case_of(TIDE_AND_FERRY, merged(tides=HIGH_SAID, ferry=FERRY_SAID)), office)
    assert (at_hand.losses, at_hand.explained, at_hand.undecided) == ([], [], 0)
    assert office.asked == []


def test_a_part_that_answers_alone_and_not_among_others_is_lost() -> None:
    context, office = case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), Office({"next ferry": ALONE})
    finding = looked_at(context, office).lost_finding(context)
    assert finding is not None
    assert finding.reason == "part_lost: alone 'next ferry' is answered by ferry; not among the others"
    assert finding.seen == "source_used 'digest', content from: tides"
    shown = finding.asked[0]
    assert (shown.text, shown.source_used, shown.brought) == ("next ferry", "ferry", ("ferry",))


def test_only_what_is_missing_is_asked() -> None:
    office = Office({"next ferry": ALONE})
    looked_at(case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), office)
    assert set(office.texts) == {"next ferry"}


def test_a_part_that_is_empty_alone_too_is_excused_with_its_phrase() -> None:
    context = case_of(TIDE_AND_FERRY, FERRY_IS_MISSING)
    at_hand = looked_at(context, Office({"next ferry": EMPTY}))
    excuse = at_hand.explained_finding(context)
    assert at_hand.lost_finding(context) is None
    assert excuse is not None
    assert excuse.reason == "part_lost: ferry says 'nothing to report' to 'next ferry' alone too"
    assert [explained.cause for explained in at_hand.explained] == [ExplanationCause.EMPTY_ALONE]


def test_a_part_that_the_answer_says_it_leaves_out_is_explained() -> None:
    answer = merged(tides=[HIGH_SAID, "", "(1 further request was not looked up.)"])
    context = case_of(TIDE_AND_FERRY, answer)
    at_hand = looked_at(context, Office({"next ferry": ALONE}))
    assert at_hand.lost_finding(context) is None
    assert [explained.cause for explained in at_hand.explained] == [ExplanationCause.SAID_SO]
    excuse = at_hand.explained_finding(context)
    assert excuse is not None
    assert excuse.reason == (
        "part_lost: the answer says how many requests it leaves out, and 'next ferry' is one of the last"
    )


@pytest.mark.parametrize(
    ("asked", "on_knots", "is_lost"),
    [
        ("look up the ferry for it", EMPTY, False),
        ("look up the ferry for it", ALONE, True),
        ("next ferry", EMPTY, True),  # speaks of nothing else
        ("is it up", EMPTY, True),
    ],
)
def test_a_request_about_the_topic_before_it_is_not_lost_where_its_source_has_nothing_on_that(
    asked: str, on_knots: Answer, is_lost: bool
) -> None:
    query = query_of(KNOTS, Part(PartKind.INTENT, asked, "ferry"))
    context = case_of(query, merged(almanac="A knot holds a rope"))
    at_hand = looked_at(context, Office({asked: ALONE, "ferry: knots": on_knots}))
    assert (at_hand.lost_finding(context) is not None) is is_lost
    excuse = at_hand.explained_finding(context)
    if not is_lost:
        assert excuse is not None
        assert [explained.cause for explained in at_hand.explained] == [ExplanationCause.EMPTY_ON_SUBJECT]
        assert excuse.reason == (
            f"part_lost: asked by name, ferry says 'nothing to report' to 'knots', which {asked!r} may be about"
        )


LOOK = Part(PartKind.INTENT, "look up the ferry for it", "ferry")


@pytest.mark.parametrize(
    ("on_knots", "vocabulary"),
    [
        pytest.param(ALONE, VOCABULARY, id="it has something on the topic"),
        pytest.param(replace(EMPTY, source_used="harbour"), VOCABULARY, id="another source says so"),
        pytest.param(EMPTY, replace(VOCABULARY, keeps_empty_sections=True), id="empty sections are kept"),
    ],
)
def test_a_request_is_lost_unless_its_source_itself_has_nothing_on_all_that_it_may_be_about(
    on_knots: Answer, vocabulary: Vocabulary
) -> None:
    context = case_of(query_of(KNOTS, HIGH, LOOK), merged(almanac="A knot", tides=HIGH_SAID), vocabulary)
    office = Office({LOOK.text: ALONE, "ferry: high tide": EMPTY, "ferry: knots": on_knots})
    assert looked_at(context, office).lost_finding(context) is not None


KEEPING = replace(VOCABULARY, keeps_empty_sections=True)
LEFT_OUT = "part_lost: alone ferry says 'nothing to report' to 'next ferry'; no section says so among the others"


@pytest.mark.parametrize(
    ("query", "answer", "is_lost"),
    [
        pytest.param(
            TIDE_FERRY_BERTHS, merged(tides=HIGH_SAID, harbour=BERTHS_SAID), False, id="its stand-in is there"
        ),
        pytest.param(TIDE_FERRY_BERTHS, merged(tides=HIGH_SAID, ferry="Nothing to report."), False, id="it says so"),
        pytest.param(TIDE_AND_FERRY, FERRY_IS_MISSING, False, id="an answer of one section is not merged"),
        pytest.param(TIDE_AND_FERRY, merged(tides=HIGH_SAID, almanac="Knots"), True, id="no section says so"),
    ],
)
def test_a_target_that_keeps_its_empty_sections_owes_one_to_a_part_that_is_empty_alone(
    query: Query, answer: Answer, is_lost: bool
) -> None:
    office = Office({"next ferry": EMPTY, "high tide": bare("tides", HIGH_SAID), "berths free": EMPTY})
    context = case_of(query, answer, KEEPING)
    finding = looked_at(context, office).lost_finding(context)
    assert (finding is not None and finding.reason == LEFT_OUT) is is_lost
    without = case_of(query, answer)
    assert looked_at(without, office).lost_finding(without) is None
    if finding is not None:
        assert [probe.fresh for probe in office.asked if probe.text == "next ferry"][:2] == [0, 1]
        assert finding.promised == "a source that found nothing has a section too, which says so"
        assert finding.evidence.kind is DiscrepancyKind.EMPTY_LEFT_OUT
        assert finding.evidence.sources == ("ferry",)


def test_a_part_that_is_blank_alone_too_is_neither_lost_nor_excused() -> None:
    context = case_of(TIDE_AND_FERRY, FERRY_IS_MISSING)
    at_hand = looked_at(context, Office({"next ferry": BLANK}))
    assert (at_hand.losses, at_hand.explained, at_hand.undecided) == ([], [], 1)
    assert at_hand.explained_finding(context) is None


@pytest.mark.parametrize(
    ("said", "is_lost"),
    [
        (("There is nothing to report of late sailings this week.", "Ask at the pier for earlier ones."), False),
        (("Rescuers could not connect to the stranded ship", "Ferry sold", "New pier opens"), True),
    ],
)
def test_a_part_is_not_lost_whose_short_answer_alone_may_be_a_failure(said: tuple[str, ...], is_lost: bool) -> None:
    at_hand = looked_at(case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), Office({"next ferry": bare("ferry", *said)}))
    assert bool(at_hand.losses) is is_lost
    assert [each.phrase for each in at_hand.explained] == ([] if is_lost else [said[0]])


def test_a_failure_that_another_source_may_tell_of_explains_nothing() -> None:
    said = bare("almanac", "There is nothing to report of late sailings this week.")
    at_hand = looked_at(case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), Office({"next ferry": said}))
    assert (at_hand.losses, at_hand.explained, at_hand.undecided) == ([], [], 1)


@pytest.mark.parametrize(
    ("as_written", "explained"),
    [
        (EMPTY, [ExplanationCause.EMPTY_ALONE]),
        (bare("harbour", BERTHS_SAID), [ExplanationCause.STOOD_IN]),  # its documented fallback
        (bare("almanac", "A ferry crosses water"), []),
        (bare("almanac", "Nothing to report."), []),
        (BLANK, []),
        (ALONE, []),
    ],
    ids=["it says so", "its fallback answers", "another answers", "another says so", "blank", "it has something"],
)
def test_a_part_is_not_lost_that_its_source_has_nothing_on_as_it_is_written(
    as_written: Answer, explained: list[ExplanationCause]
) -> None:
    quoted = Part(PartKind.INTENT, '"next ferry"', "ferry", plain="next ferry")
    context = case_of(query_of(HIGH, quoted), FERRY_IS_MISSING)
    at_hand = looked_at(context, Office({"next ferry": ALONE, '"next ferry"': as_written}))
    assert bool(at_hand.losses) is not bool(explained)
    assert [each.cause for each in at_hand.explained] == explained


def test_a_section_that_says_there_is_nothing_needs_no_fallback() -> None:
    context = case_of(query_of(HIGH, KNOTS, FERRY), merged(tides=HIGH_SAID, ferry="Nothing to report."))
    office = Office({"next ferry": bare("harbour", BERTHS_SAID), "ferry: next ferry": EMPTY, "knots": EMPTY})
    at_hand = looked_at(context, office)
    assert not at_hand.losses
    assert ExplanationCause.EMPTY_ALONE in [each.cause for each in at_hand.explained if each.need.source == "ferry"]
    assert not any(probe.purpose is Purpose.CONTROL for probe in office.asked)


def test_a_part_that_crashes_alone_decides_nothing() -> None:
    at_hand = looked_at(case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), Office({"next ferry": CRASH}))
    assert (at_hand.losses, at_hand.explained, at_hand.undecided) == ([], [], 1)


def test_a_part_that_may_not_be_asked_decides_nothing() -> None:
    at_hand = looked_at(case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), Office())
    assert (at_hand.losses, at_hand.explained, at_hand.undecided) == ([], [], 1)


def test_a_fallback_that_stands_in_alone_as_well_is_an_excuse_where_the_source_has_nothing_by_name() -> None:
    context = case_of(TIDE_AND_FERRY, merged(tides=HIGH_SAID, harbour=BERTHS_SAID))
    at_hand = looked_at(context, Office({"next ferry": bare("harbour", BERTHS_SAID), "ferry: next ferry": EMPTY}))
    excuse = at_hand.explained_finding(context)
    assert [explained.cause for explained in at_hand.explained] == [ExplanationCause.STOOD_IN]
    assert excuse is not None
    assert excuse.summary == "ferry leaves 'next ferry' to its fallback alone too"


def test_a_fallback_is_no_excuse_for_a_source_that_has_something_by_name() -> None:
    context = case_of(TIDE_AND_FERRY, merged(tides=HIGH_SAID, harbour=BERTHS_SAID))
    at_hand = looked_at(context, Office({"next ferry": bare("harbour", BERTHS_SAID), "ferry: next ferry": ALONE}))
    (lost,) = at_hand.losses
    assert lost.sources == {"ferry"}


@pytest.mark.parametrize("is_there", [True, False])
def test_a_topic_that_its_stand_in_brings_among_others_is_not_lost(is_there: bool) -> None:
    """A model may choose between the encyclopedia and what stands in for it, query by query."""
    vocabulary = parse_vocabulary(small_document() | {"fallbacks": {"almanac": ["harbour"]}})
    brought = ["Rope shop at the pier", BERTHS_SAID] if is_there else [BERTHS_SAID]
    context = case_of(query_of(KNOTS, HIGH), merged(vocabulary, harbour=brought, tides=HIGH_SAID), vocabulary)
    office = Office(
        {
            "knots": bare("almanac", "A knot holds"),
            "harbour: knots": bare("harbour", "Rope shop at the pier"),
            context.query.text: context.check_input.answer,
        }
    )
    at_hand = looked_at(context, office)
    assert (not at_hand.losses) is is_there
    if is_there:
        excuse = at_hand.explained_finding(context)
        assert excuse is not None
        assert excuse.summary == "harbour, which may stand in for almanac, brings 'knots' here"


@pytest.mark.parametrize(
    ("by_name", "control", "lost", "explained"),
    [
        pytest.param(ALONE, None, [{"ferry"}], [], id="its source has something by name"),
        pytest.param(
            bare("ferry", "The timetable of this week could not connect to the pier. Fares there are binding."),
            {"tides": HIGH_SAID},
            [],
            [ExplanationCause.EMPTY_ALONE],
            id="by name it may be a failure",
        ),
        pytest.param(EMPTY, {"tides": HIGH_SAID, "harbour": BERTHS_SAID}, [{"harbour"}], [], id="it does elsewhere"),
        pytest.param(EMPTY, {"tides": HIGH_SAID}, [], [ExplanationCause.EMPTY_ALONE], id="nor does it elsewhere"),
        pytest.param(EMPTY, {"harbour": BERTHS_SAID}, [], [], id="it does where nothing else is there"),
        pytest.param(EMPTY, None, [], [], id="elsewhere it cannot be asked"),
        pytest.param(None, {"tides": HIGH_SAID, "harbour": BERTHS_SAID}, [], [], id="by name it cannot be asked"),
    ],
)
def test_a_fallback_that_answers_alone_is_lost_where_it_does_so_among_others_elsewhere(
    by_name: Answer | None,
    control: dict[str, str] | None,
    lost: list[set[str]],
    explained: list[ExplanationCause],
) -> None:
    """A router may leave a part to a fallback only where it would have nothing to say without."""
    script: Script = {"next ferry": bare("harbour", BERTHS_SAID)}
    if by_name is not None:
        script["ferry: next ferry"] = by_name
    if control is not None:
        script["next ferry and high tide"] = merged(**control)
    at_hand = looked_at(case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), Office(script))
    assert [loss.sources for loss in at_hand.losses] == lost
    assert [each.cause for each in at_hand.explained] == explained
    assert at_hand.undecided == (not lost and not explained)


@pytest.mark.parametrize(
    ("control", "lost", "explained"),
    [
        pytest.param({"tides": HIGH_SAID, "harbour": BERTHS_SAID}, [{"harbour"}], [], id="it does there"),
        pytest.param({"tides": HIGH_SAID}, [], [ExplanationCause.EMPTY_ALONE], id="nor does it there"),
        pytest.param({"harbour": BERTHS_SAID}, [], [], id="there too nothing else has a section"),
    ],
)
def test_where_the_others_have_nothing_a_part_is_asked_among_others_once_more(
    control: dict[str, str], lost: list[set[str]], explained: list[ExplanationCause]
) -> None:
    """What a router does with it among others shows only where these have something to say."""
    script: Script = {
        "next ferry": bare("harbour", BERTHS_SAID),
        "ferry: next ferry": EMPTY,
        "next ferry and high tide": merged(harbour=BERTHS_SAID),
        "next ferry and low tide": merged(**control),
    }
    at_hand = looked_at(case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), Office(script))
    assert [loss.sources for loss in at_hand.losses] == lost
    assert [each.cause for each in at_hand.explained] == explained
    assert at_hand.undecided == (not lost and not explained)


@pytest.mark.parametrize("does_so", [True, False])
def test_whether_a_fallback_answers_a_framed_topic_among_others_is_seen_with_framing(does_so: bool) -> None:
    """Framing may add another fallback, which is no sign of the one that answers alone."""
    vocabulary = parse_vocabulary(small_document() | {"fallbacks": {"almanac": ["harbour", "ferry"]}})
    framed = Query(
        "discourse_framing_plus_real_keyword",
        (Part(PartKind.DISCOURSE, "all of them go on about"), Part(PartKind.MARK, " "), KNOTS, PLUS, HIGH),
    )
    there = {"harbour": "Rope shop at the pier"} if does_so else {"ferry": FERRY_SAID}
    office = Office(
        {
            "knots": bare("harbour", "Rope shop at the pier"),
            "almanac: knots": EMPTY,
            "all of them go on about knots and high tide": merged(vocabulary, tides=HIGH_SAID, **there),
        }
    )
    context = case_of(framed, merged(vocabulary, tides=HIGH_SAID, ferry=FERRY_SAID), vocabulary)
    at_hand = looked_at(context, office)
    assert [each.cause for each in at_hand.explained] == ([] if does_so else [ExplanationCause.EMPTY_ALONE])
    assert any(probe.fresh for probe in office.asked) is does_so  # a loss rests on what is asked after the query


def test_a_part_that_somebody_else_answers_alone_is_asked_of_its_source_by_name() -> None:
    stranger = bare("tides", HIGH_SAID)
    context = case_of(TIDE_AND_FERRY, FERRY_IS_MISSING)
    lost = looked_at(context, Office({"next ferry": stranger, "ferry: next ferry": ALONE}))
    assert lost.losses
    excused = looked_at(
        case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), Office({"next ferry": stranger, "ferry: next ferry": EMPTY})
    )
    assert [explained.cause for explained in excused.explained] == [ExplanationCause.EMPTY_ALONE]


def test_what_was_answered_earlier_is_asked_again_before_it_accuses() -> None:
    context = case_of(TIDE_AND_FERRY, FERRY_IS_MISSING)
    office = Office(kept={"next ferry": ALONE}, now={"next ferry": EMPTY})
    at_hand = looked_at(context, office)
    assert not at_hand.losses
    assert [(probe.text, probe.fresh) for probe in office.asked] == [("next ferry", 0), ("next ferry", 1)]
    assert [explained.cause for explained in at_hand.explained] == [ExplanationCause.EMPTY_ALONE]


def test_what_was_answered_earlier_does_not_accuse_where_it_may_not_be_asked_again() -> None:
    at_hand = looked_at(case_of(TIDE_AND_FERRY, FERRY_IS_MISSING), Office(kept={"next ferry": ALONE}))
    assert (at_hand.losses, at_hand.undecided) == ([], 1)


def test_an_excuse_of_one_part_does_not_cover_the_loss_of_another() -> None:
    context = case_of(query_of(HIGH, FERRY, BERTHS), merged(tides=HIGH_SAID))
    office = Office({"next ferry": EMPTY, "berths free": bare("harbour", BERTHS_SAID)})
    at_hand = looked_at(context, office)
    assert at_hand.lost_finding(context) is not None
    assert at_hand.explained_finding(context) is None


def test_nothing_more_is_asked_after_the_first_loss() -> None:
    context = case_of(query_of(FERRY, BERTHS, HIGH), merged(tides=HIGH_SAID))
    office = Office({"next ferry": ALONE, "berths free": bare("harbour", BERTHS_SAID)})
    assert [loss.part.alone for loss in looked_at(context, office).losses] == ["next ferry"]
    assert {probe.text for probe in office.asked if probe.urgency is not Urgency.IF_KNOWN} == {"next ferry"}


def test_every_part_is_told_that_is_lost_by_a_known_cause() -> None:
    context = case_of(query_of(FERRY, BERTHS, HIGH), merged(tides=HIGH_SAID))
    context.known_causes = frozenset({("part_lost", "", "ferry")})
    office = Office({"next ferry": ALONE, "berths free": bare("harbour", BERTHS_SAID)})
    finding = looked_at(context, office).lost_finding(context)
    assert finding is not None
    assert [one.evidence.parts for one in (finding, *finding.also)] == [("next ferry",), ("berths free",)]


def test_a_topic_is_owed_the_encyclopedia() -> None:
    context = case_of(query_of(HIGH, KNOTS), FERRY_IS_MISSING)
    office = Office({"knots": bare("almanac", "A knot holds a rope"), "high tide plus knots": FERRY_IS_MISSING})
    (lost,) = looked_at(context, office).losses
    assert lost.sources == {"almanac"}


@pytest.mark.parametrize(("is_reproducible", "is_lost"), [(False, False), (True, True)])
def test_a_topic_that_is_there_at_the_next_asking_is_not_lost(is_reproducible: bool, is_lost: bool) -> None:
    """A model may choose a source at one asking and none at the next, unless the target never showed anything else."""
    context = case_of(query_of(HIGH, KNOTS), FERRY_IS_MISSING)
    context.is_reproducible = is_reproducible
    knots = "A knot holds a rope"
    later = [FERRY_IS_MISSING, merged(tides=HIGH_SAID, almanac=knots)]
    office = Office({"knots": bare("almanac", knots), "high tide plus knots": later})
    assert bool(looked_at(context, office).losses) is is_lost


def test_a_request_that_words_send_to_somebody_else_by_chance_is_not_lost() -> None:
    request = Part(PartKind.REQUEST, "I want to go out rowing")
    context = case_of(query_of(HIGH, request), FERRY_IS_MISSING)
    at_hand = looked_at(context, Office({"I want to go out rowing": bare("tides", HIGH_SAID)}))
    assert (at_hand.losses, at_hand.explained) == ([], [])


def test_a_request_that_is_answered_alone_by_somebody_who_is_not_there_is_lost() -> None:
    request = Part(PartKind.REQUEST, "I want to go out rowing")
    context = case_of(query_of(HIGH, request), FERRY_IS_MISSING)
    text = "I want to go out rowing"
    office = Office({text: bare("harbour", BERTHS_SAID), f"high tide plus {text}": FERRY_IS_MISSING})
    assert looked_at(context, office).losses


def test_a_query_of_one_part_is_not_asked_a_second_time_as_its_own_part() -> None:
    office = Office({"ferry: next ferry": EMPTY})
    context = case_of(query_of(FERRY), bare("harbour", BERTHS_SAID))
    at_hand = looked_at(context, office)
    assert [probe.only for probe in office.asked] == ["ferry"]
    assert [explained.cause for explained in at_hand.explained] == [ExplanationCause.STOOD_IN]


def test_a_source_that_stands_in_for_nobody_excuses_nobody() -> None:
    document = small_document() | {"fallbacks": {}}
    vocabulary = parse_vocabulary(document)
    answer = merged(tides=HIGH_SAID, harbour=BERTHS_SAID)
    context = case_of(TIDE_AND_FERRY, answer, vocabulary)
    at_hand = looked_at(context, Office({"next ferry": bare("harbour", BERTHS_SAID), "ferry: next ferry": ALONE}))
    assert at_hand.losses


def test_the_evidence_is_of_the_check_that_looks_for_losses() -> None:
    context = case_of(TIDE_AND_FERRY, replace(FERRY_IS_MISSING, cached=True))
    finding = looked_at(context, Office({"next ferry": ALONE})).lost_finding(context)
    assert finding is not None
    assert finding.check is CheckName.PART_LOST
    assert finding.where == "probe: 'next ferry'"


# --- a source that nothing points at ---

UNCALLED = merged(tides=HIGH_SAID, ferry=FERRY_SAID, almanac="Castor is a star")
HIGH_ALONE = bare("tides", HIGH_SAID)


def test_a_section_that_no_part_brings_alone_is_found() -> None:
    context, office = case_of(TIDE_AND_FERRY, UNCALLED), Office({"next ferry": ALONE, "high tide": HIGH_ALONE})
    finding = looked_at(context, office).uncalled_finding(context)
    assert finding is not None
    assert finding.reason == ("part_differs: a section of almanac, which nothing points at and no part brings alone")
    assert {shown.text for shown in finding.asked} == {"high tide", "next ferry"}


@pytest.mark.parametrize("is_known", [True, False])
def test_one_is_found_beside_a_part_whose_loss_has_a_known_cause(is_known: bool) -> None:
    context = case_of(query_of(HIGH, FERRY, BERTHS), UNCALLED)
    context.known_causes = frozenset({("part_lost", "", "harbour")} if is_known else ())
    harbour = bare("harbour", BERTHS_SAID)
    found = looked_at(context, Office({"next ferry": ALONE, "high tide": HIGH_ALONE, "berths free": harbour}))
    assert found.lost_finding(context) is not None
    assert (found.uncalled_finding(context) is not None) is is_known


def test_one_that_a_part_brings_alone_too_is_spared() -> None:
    both = merged(tides=HIGH_SAID, almanac="Castor is a star")
    context, office = case_of(TIDE_AND_FERRY, UNCALLED), Office({"next ferry": ALONE, "high tide": both})
    assert looked_at(context, office).uncalled_finding(context) is None


def test_as_long_as_one_part_is_unknown_no_section_is_there_for_nobody() -> None:
    context, office = case_of(TIDE_AND_FERRY, UNCALLED), Office({"next ferry": ALONE})
    assert looked_at(context, office).uncalled_finding(context) is None


@pytest.mark.parametrize(
    ("framed", "is_found"),
    [
        (merged(almanac="A knot", tides="Knots at sea"), False),
        (bare("almanac", "A knot"), True),
        (None, False),
    ],
    ids=["framing adds it", "framing does not", "unknown"],
)
def test_one_that_framing_adds_is_spared(framed: Answer | None, is_found: bool) -> None:
    framing = (Part(PartKind.DISCOURSE, "all of them go on about"), Part(PartKind.MARK, " "), KNOTS)
    query = Query("megaquery", (*framing, Part(PartKind.CONJUNCTION, " plus "), FERRY))
    context = case_of(query, merged(almanac="A knot", ferry=FERRY_SAID, tides="Knots at sea"))
    office = Office({"knots": bare("almanac", "A knot"), "next ferry": ALONE})
    office.now |= {"all of them go on about knots": framed} if framed else {}
    assert (looked_at(context, office).uncalled_finding(context) is not None) is is_found


@pytest.mark.parametrize(("said", "is_found"), [("tell me about it", False), ("tell me about rowing", True)])
def test_one_may_be_there_for_a_request_that_speaks_of_another_part(said: str, is_found: bool) -> None:
    context = case_of(query_of(FERRY, Part(PartKind.REQUEST, said)), merged(ferry=FERRY_SAID, tides=HIGH_SAID))
    office = Office({"next ferry": ALONE, said: bare("almanac", "A word")})
    assert (looked_at(context, office).uncalled_finding(context) is not None) is is_found


def test_a_request_that_speaks_of_another_part_cannot_be_lost() -> None:
    query = query_of(HIGH, Part(PartKind.REQUEST, "tell me about it"))
    office = Office({"tell me about it": bare("almanac", "A word")})
    assert looked_at(case_of(query, merged(tides=HIGH_SAID)), office).losses == []
