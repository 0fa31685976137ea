"""A section against what its parts bring alone, by scripted answers."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import parse_vocabulary
from selftest.core.judging.answer_item import AnswerItem
from selftest.core.judging.answers import Answer
from selftest.core.judging.boilerplate import line_digest
from selftest.core.judging.context import ExaminationContext, content_of
from selftest.core.judging.probes import Purpose, Urgency
from selftest.core.judging.relations.part_content import Contents, contents, hangs_on_text, sharing_parts
from tests.core.judging.relations.scripted import (
    BERTHS,
    BERTHS_SAID,
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
    Script,
    bare,
    case_of,
    merged,
    query_of,
)
from tests.vocabularies import small_document

QUERY = query_of(HIGH, FERRY)
STARS = ("Castor is a star", "Pollux is another one", "Twins in the sky")
CONTROL = "Castor and Pollux plus high tide"  # the first conjunction is in the pair


def compared(context: ExaminationContext, office: Office) -> Contents:
    """The query itself is answered again as it was, where no more is scripted."""
    office.now = {context.query.text: context.check_input.answer, **office.now}
    return office.answer(contents(context, dict.fromkeys(context.parts, Urgency.ROUTINE)))


def summaries(context: ExaminationContext, office: Office) -> list[str]:
    return [finding.reason for finding in compared(context, office).findings]


def alone(**texts: Answer | Sequence[Answer]) -> dict[str, Answer | Sequence[Answer]]:
    return {text.replace("_", " "): answer for text, answer in texts.items()}


OFFICE = alone(high_tide=bare("tides", HIGH_SAID), next_ferry=bare("ferry", FERRY_SAID))


def test_a_section_that_holds_what_its_part_brings_alone_is_right() -> None:
    office = Office(OFFICE)
    assert compared(case_of(QUERY, merged(tides=HIGH_SAID, ferry=FERRY_SAID)), office).findings == ()
    assert [probe.fresh for probe in office.asked] == [0, 0]


def test_a_section_of_something_else_altogether_is_found() -> None:
    context, office = case_of(QUERY, merged(tides="Gulls on the pier", ferry=FERRY_SAID)), Office(OFFICE)
    (finding,) = compared(context, office).findings
    assert finding.reason == "part_differs: the section of tides holds nothing of what 'high tide' brings alone"
    assert finding.seen == "alone, and not there:\nHigh water at six"
    assert {shown.text for shown in finding.asked} == {"high tide"}


@pytest.mark.parametrize("is_known", [True, False])
def test_what_is_wrong_with_a_section_by_a_known_cause_hides_no_other_part_of_it(is_known: bool) -> None:
    context = case_of(query_of(PAIR, KNOTS, FERRY), merged(almanac="Gulls are white", ferry=FERRY_SAID))
    context.known_causes = frozenset({("part_differs", "nothing_of_part", "almanac")} if is_known else ())
    context.longest = {"almanac": 8}
    knots = {"knots": bare("almanac", "A knot holds a rope"), "Castor and Pollux": bare("almanac", *STARS)}
    assert (
        summaries(context, Office({**OFFICE, **knots}))
        == [
            "part_differs: the section of almanac holds nothing of what 'knots' brings alone",
            "pair_broken: the section of almanac holds nothing of what 'Castor and Pollux' brings alone",
        ][: 1 + is_known]
    )


NOT_ITS_TURN, ITS_TURN = QUERY, query_of(FERRY, HIGH)  # 155 and 4, of 0 to 255: the first quarter has its turn


@pytest.mark.parametrize("is_seldom", [False, True])
@pytest.mark.parametrize(("query", "has_turn"), [(NOT_ITS_TURN, False), (ITS_TURN, True)])
def test_what_nearly_always_was_legal_is_looked_into_in_one_query_out_of_four(
    query: Query, has_turn: bool, is_seldom: bool
) -> None:
    context, office = case_of(query, merged(tides="Gulls on the pier", ferry=FERRY_SAID)), Office(OFFICE)
    kinds = ("nothing_of_part", "foreign_subject") if is_seldom else ("extra_items",)
    context.seldom_confirmed = frozenset(("tides", kind) for kind in kinds)
    result = compared(context, office)
    is_looked_into = has_turn or not is_seldom
    assert bool(result.findings) is is_looked_into
    assert result.decided == ((("tides", "nothing_of_part", True),) if is_looked_into else ())
    assert any(probe.fresh for probe in office.asked) is is_looked_into


@pytest.mark.parametrize(("fresh", "together"), [(0, [1, 1]), (1, [2, 1])])
def test_what_is_asked_anew_tells_something_only_together(fresh: int, together: list[int]) -> None:
    context = case_of(query_of(HIGH, LOW), merged(tides=["Gulls on the pier", "Boats at anchor"]))
    office = Office(OFFICE | alone(low_tide=bare("tides", LOW_SAID)))
    office.answer(context.of_each(dict.fromkeys(context.parts, Urgency.EXPLAIN), fresh))
    assert [probe.together for probe in office.asked] == together


@pytest.mark.parametrize(("fresh", "asked"), [(0, ["low tide", "high tide"]), (1, ["low tide"])])
def test_of_what_is_asked_anew_no_other_is_asked_after_one_without_an_answer(fresh: int, asked: list[str]) -> None:
    context, office = (
        case_of(query_of(LOW, HIGH), merged(tides=["Gulls on the pier", "Boats at anchor"])),
        Office(OFFICE),
    )
    office.answer(context.of_each(dict.fromkeys(context.parts, Urgency.EXPLAIN), fresh))
    assert [probe.text for probe in office.asked] == asked


def test_a_difference_that_is_no_more_there_was_legal_and_one_that_cannot_be_asked_about_is_undecided() -> None:
    def looked_into(now: Answer | None) -> tuple[tuple[str, str, bool], ...]:
        """The first is the loss; what stands there instead is looked into too."""
        context = case_of(QUERY, merged(tides="Gulls on the pier", ferry=FERRY_SAID))
        fresh = {} if now is None else alone(high_tide=now)
        office = Office(
            alone(next_ferry=bare("ferry", FERRY_SAID)) | fresh, kept=alone(high_tide=bare("tides", HIGH_SAID))
        )
        return compared(context, office).decided[:1]

    assert looked_into(bare("tides", "Gulls on the pier")) == (("tides", "nothing_of_part", False),)
    assert looked_into(None) == ()


def test_a_part_lost_in_the_section_of_another_is_found() -> None:
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=HIGH_SAID, ferry=FERRY_SAID))
    context.longest = {"tides": 2}
    office = Office(OFFICE | alone(low_tide=bare("tides", LOW_SAID)))
    assert summaries(context, office) == [
        "part_differs: the section of tides holds nothing of what 'low tide' brings alone",
    ]


SHARDS = "(1 of 2 shards answered)"


@pytest.mark.parametrize("remark", [SHARDS, "1 of 2 shards answered"])
def test_a_part_is_not_lost_in_a_section_that_says_it_is_not_all(remark: str) -> None:
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, remark], ferry=FERRY_SAID))
    context.longest = {"tides": 3}
    office = Office(OFFICE | alone(low_tide=bare("tides", LOW_SAID)))
    lost = "part_differs: the section of tides holds nothing of what 'low tide' brings alone"
    assert (lost in summaries(context, office)) is (remark != SHARDS)


def test_a_remark_counts_for_each_part_that_does_not_say_it_alone() -> None:
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, SHARDS], ferry=FERRY_SAID))
    context.longest = {"tides": 3}
    kept = {"high tide": bare("tides", HIGH_SAID, SHARDS), "next ferry": bare("ferry", FERRY_SAID)}
    for low, accused in ((bare("tides", LOW_SAID), False), (bare("tides", LOW_SAID, SHARDS), True)):
        found = summaries(context, Office(kept | {"low tide": low}))
        assert ("part_differs: the section of tides holds nothing of what 'low tide' brings alone" in found) is accused


WELSH = "(translated from the Welsh)"


@pytest.mark.parametrize(
    ("others", "is_accused"),
    [
        pytest.param(
            {"ferry": [FERRY_SAID, "(2 of 3)"], "harbour": [BERTHS_SAID, "(3 of 3)"]}, True, id="each section"
        ),
        pytest.param({"ferry": [FERRY_SAID, "(2 of 3)"], "harbour": [BERTHS_SAID]}, False, id="some of them"),
        pytest.param({"ferry": [FERRY_SAID, "(2 of 3)"]}, False, id="both of two"),
    ],
)
def test_a_remark_that_each_section_has_is_no_reason_for_a_loss(others: dict[str, list[str]], is_accused: bool) -> None:
    context = case_of(query_of(HIGH, LOW, FERRY, BERTHS), merged(tides=[HIGH_SAID, "(1 of 3)"], **others))
    context.longest = {"tides": 4}
    office = Office(OFFICE | alone(low_tide=bare("tides", LOW_SAID), berths_free=bare("harbour", BERTHS_SAID)))
    lost = "part_differs: the section of tides holds nothing of what 'low tide' brings alone"
    assert (lost in summaries(context, office)) is is_accused


@pytest.mark.parametrize(
    ("section", "is_accused"),
    [
        pytest.param(
            [HIGH_SAID, WELSH, "Springs on Friday"], True, id="behind the item that it stands behind alone too"
        ),
        pytest.param(["Springs on Friday", WELSH, HIGH_SAID], False, id="behind another item"),
        pytest.param(["Springs on Friday", HIGH_SAID, WELSH], False, id="at the end of the section"),
    ],
)
def test_a_remark_on_an_item_of_another_part_is_no_reason_for_a_loss(section: list[str], is_accused: bool) -> None:
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=section, ferry=FERRY_SAID))
    context.longest = {"tides": 4}
    brought = {"high tide": bare("tides", HIGH_SAID, WELSH, "Springs on Friday"), "low tide": bare("tides", LOW_SAID)}
    lost = "part_differs: the section of tides holds nothing of what 'low tide' brings alone"
    assert (lost in summaries(context, Office(OFFICE | brought))) is is_accused


@pytest.mark.parametrize("remark", [SHARDS, "One of two shards answered"])
def test_what_a_part_alone_lacks_is_not_foreign_where_that_says_it_is_not_all(remark: str) -> None:
    there = [HIGH_SAID, "Gulls on the pier"]
    context = case_of(QUERY, merged(tides=there, ferry=FERRY_SAID))
    office = Office(OFFICE | alone(high_tide=bare("tides", HIGH_SAID, remark)))
    summaries(context, office)
    control = {
        probe.text: merged(tides=[HIGH_SAID, remark]) for probe in office.asked if probe.purpose is Purpose.CONTROL
    }
    office = Office(OFFICE | alone(high_tide=bare("tides", HIGH_SAID, remark)) | control)
    assert bool(summaries(context, office)) is (remark != SHARDS)


@pytest.mark.parametrize(("remark", "accused"), [(SHARDS, 0), ("One of two shards answered", 0), ("", 1)])
def test_what_is_not_all_at_the_second_asking_neither_confirms_nor_tells_of_its_source(
    remark: str, accused: int
) -> None:
    later = bare("tides", *([remark] if remark else [HIGH_SAID]))
    context = case_of(QUERY, merged(tides="Gulls on the pier", ferry=FERRY_SAID))
    once = bare("tides", HIGH_SAID)
    found = compared(context, Office(OFFICE | alone(high_tide=[once, later])))
    assert len(found.findings) == accused
    assert found.stability == (() if remark == SHARDS else (("tides", not remark),))


LICENCE = "Text under a free licence"


def test_a_line_that_stands_in_every_answer_hides_no_lost_part() -> None:
    """Without it the line would look like a remainder of the part."""
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, LICENCE], ferry=FERRY_SAID))
    context.longest = {"tides": 3}
    known = {"tides": frozenset((line_digest(LICENCE),))}
    context.check_input = replace(context.check_input, boilerplate=known)
    brought = {"high tide": bare("tides", HIGH_SAID, LICENCE), "low tide": bare("tides", LOW_SAID, LICENCE)}
    assert summaries(context, Office(OFFICE | brought)) == [
        "part_differs: the section of tides holds nothing of what 'low tide' brings alone",
    ]


@pytest.mark.parametrize(("among_two", "is_accused"), [([], False), (["Boats aground", "Mud at the slipway"], True)])
def test_items_of_any_answer_may_leave_no_room_for_as_many_of_a_part(among_two: list[str], is_accused: bool) -> None:
    """High tide begins with two lines that low tide begins with too; where there is no room, it has those only."""
    of_any = [HIGH_SAID, "Springs on Friday"]
    context = case_of(query_of(HIGH, FERRY, BERTHS), merged(tides=of_any, ferry=FERRY_SAID, harbour=BERTHS_SAID))
    known = {"tides": frozenset(map(line_digest, of_any))}
    context.check_input = replace(context.check_input, boilerplate=known)
    whole = bare("tides", *of_any, "Boats aground", "Mud at the slipway")
    office = Office(OFFICE | {"high tide": whole, "berths free": bare("harbour", BERTHS_SAID)})
    for text in ("high tide and next ferry and harbour lights", "high tide and next ferry"):
        office.now[text] = merged(tides=[*of_any, *among_two], ferry=FERRY_SAID, harbour=BERTHS_SAID)
    assert bool(summaries(context, office)) is is_accused


def test_parts_that_share_the_room_of_a_section_may_each_keep_their_first_item_only() -> None:
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, LOW_SAID], ferry=FERRY_SAID))
    brought = {
        "high tide": bare("tides", HIGH_SAID, "Springs on Friday", "Neaps a week later"),
        "low tide": bare("tides", LOW_SAID, "Mud at the slipway", "Boats aground"),
    }
    assert summaries(context, Office(OFFICE | brought)) == []


TWICE_A_DAY = "Tides turn twice a day"  # both parts bring it
LOW_ALONE = ("Boats aground", LOW_SAID, "Mud at the slipway", TWICE_A_DAY)


@pytest.mark.parametrize(
    ("left", "is_accused"),
    [
        pytest.param([], True, id="nothing that only it brings"),
        pytest.param(["Mud at the slipway"], False, id="its share, as where one item of each site is shown"),
    ],
)
def test_a_part_of_several_in_a_section_lacks_some_where_nothing_of_its_own_is_left(
    left: list[str], is_accused: bool
) -> None:
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, TWICE_A_DAY, *left], ferry=FERRY_SAID))
    brought = alone(high_tide=bare("tides", HIGH_SAID, TWICE_A_DAY), low_tide=bare("tides", *LOW_ALONE))
    control = {"low tide and next ferry": merged(tides=LOW_ALONE, ferry=FERRY_SAID)}
    found = summaries(context, Office(OFFICE | brought | control))
    accused = ["part_differs: the section of tides lacks some of what 'low tide' brings alone"]
    assert found == (accused if is_accused else [])


@pytest.mark.parametrize(
    ("berths", "accused"),
    [
        pytest.param(bare("tides", HIGH_SAID), [], id="answered by the source that stands in"),
        pytest.param(
            bare("harbour", BERTHS_SAID),
            ["part_differs: the section of tides lacks some of what 'low tide' brings alone"],
            id="answered by its own source",
        ),
    ],
)
def test_a_part_whose_source_has_nothing_may_take_room_where_another_answers_for_it(
    berths: Answer, accused: list[str]
) -> None:
    """As where a section shows one item of each site; a part that is answered elsewhere takes no room there."""
    stands_in = parse_vocabulary(small_document() | {"fallbacks": {"harbour": ["tides"]}})
    answer = merged(tides=[HIGH_SAID, "Mud at the slipway"], ferry=FERRY_SAID)
    context = case_of(query_of(BERTHS, LOW, FERRY), answer, stands_in)
    script = {
        "berths free": berths,
        "low tide": bare("tides", *LOW_ALONE),
        "next ferry": bare("ferry", FERRY_SAID),
        "low tide and next ferry and harbour lights": merged(tides=LOW_ALONE, ferry=FERRY_SAID, harbour=BERTHS_SAID),
    }
    assert summaries(context, Office(script)) == accused


def test_a_note_that_there_is_nothing_for_a_part_is_no_other_subject() -> None:
    section = [HIGH_SAID, "(Could not connect: low tide)"]
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=section, ferry=FERRY_SAID))
    assert summaries(context, Office(OFFICE | alone(low_tide=EMPTY))) == []


GULLS = merged(tides=[HIGH_SAID, "Gulls on the pier"], ferry=FERRY_SAID)
SMALLER = "high tide and next ferry"  # asked to see whether it is so in every compound


def test_items_that_nobody_brings_alone_are_found() -> None:
    office = Office(OFFICE | {SMALLER: merged(tides=HIGH_SAID, ferry=FERRY_SAID)})
    assert summaries(case_of(QUERY, GULLS), office) == [
        "part_differs: the section of tides holds what 'high tide' alone does not bring",
    ]


def test_what_a_part_brings_of_a_source_that_it_has_no_need_of_is_asked_again_too() -> None:
    answer = merged(tides=[HIGH_SAID, FERRY_SAID, "Gulls on the pier"], ferry=FERRY_SAID)
    office = Office(
        OFFICE | {SMALLER: merged(tides=HIGH_SAID, ferry=FERRY_SAID), "next ferry": bare("tides", FERRY_SAID)}
    )
    (summary,) = summaries(case_of(QUERY, answer), office)
    assert summary.startswith("part_differs: the section of tides holds what ")
    assert {(probe.text, probe.fresh) for probe in office.asked} >= {("high tide", 1), ("next ferry", 1)}


@pytest.mark.parametrize("line", ["High tide:", "You asked: high tide plus next ferry"])
def test_a_line_that_only_says_what_was_asked_is_no_item(line: str) -> None:
    office = Office(OFFICE | {SMALLER: merged(tides=HIGH_SAID, ferry=FERRY_SAID)})
    assert summaries(case_of(QUERY, merged(tides=[line, HIGH_SAID], ferry=FERRY_SAID)), office) == []


@pytest.mark.parametrize("smaller", [{}, {SMALLER: GULLS}])
def test_a_note_that_stands_in_every_compound_is_spared_and_so_is_what_nobody_can_tell(smaller: Script) -> None:
    assert summaries(case_of(QUERY, GULLS), Office(OFFICE | smaller)) == []


@pytest.mark.parametrize(("said", "is_accused"), [([], True), ([HIGH_SAID], False)], ids=["nothing", "its own item"])
def test_what_stands_in_every_compound_is_no_note_where_the_part_has_nothing_beside_it(
    said: list[str], is_accused: bool
) -> None:
    there = merged(tides=[*said, "Gulls on the pier", SHARDS], ferry=FERRY_SAID)
    assert bool(summaries(case_of(QUERY, there), Office(OFFICE | {SMALLER: there}))) is is_accused


@pytest.mark.parametrize(
    ("with_lights", "beside", "is_accused"),
    [
        ("Berth 3 is dry at the ebb", BERTHS_SAID, False),
        ("Gulls on the pier", BERTHS_SAID, True),
        ("Berth 3 is dry at the ebb", "Berth 3 is dry at the ebb", True),  # it has strayed from there
    ],
)
def test_a_note_that_stands_there_whatever_the_other_source_is_asked_is_on_both(
    with_lights: str, beside: str, is_accused: bool
) -> None:
    context = case_of(
        query_of(HIGH, BERTHS), merged(tides=[HIGH_SAID, "Berth 3 is dry at the ebb"], harbour=[BERTHS_SAID, beside])
    )
    office = Office(OFFICE | alone(berths_free=bare("harbour", BERTHS_SAID)))
    office.now[SMALLER] = merged(tides=HIGH_SAID, ferry=FERRY_SAID)
    office.now["high tide and harbour lights"] = merged(tides=[HIGH_SAID, with_lights], harbour="Lit")
    accused = [reason for reason in summaries(context, office) if "section of tides" in reason]
    assert bool(accused) is is_accused


@pytest.mark.parametrize(
    ("by_name", "is_accused"),
    [
        (bare("harbour", "Knots are tied on board", "Ropes are sold here"), False),
        (bare("harbour", "Knots are tied on board", "Gulls nest on it"), True),  # one line may be of each answer
        (EMPTY, True),
    ],
)
def test_a_keyword_alone_may_be_about_the_part_before_it(by_name: Answer, is_accused: bool) -> None:
    said = ["Knots are tied on board", "Ropes are sold here"]
    context = case_of(query_of(KNOTS, BERTHS), merged(almanac="A knot holds a rope", harbour=said))
    office = Office(alone(knots=bare("almanac", "A knot holds a rope"), berths_free=bare("harbour", BERTHS_SAID)))
    office.now["harbour: knots"] = by_name
    assert bool(summaries(context, office)) is is_accused


ON_KNOTS = bare("harbour", "Knots are tied on board", "Ropes are sold here")
IF_IT_RAINS = Part(PartKind.CONDITION, "if it rains tonight")
IN_WORDS = Part(PartKind.REQUEST, "show me berths free")


@pytest.mark.parametrize(
    ("parts", "asked_by_name"),
    [
        ((KNOTS, IN_WORDS), "knots"),
        ((KNOTS, FERRY, BERTHS), "knots"),
        ((KNOTS, IF_IT_RAINS, BERTHS), "it rains tonight"),
        ((KNOTS, IF_IT_RAINS, BERTHS), "knots"),
    ],
    ids=["a request", "the last topic", "the condition before it", "the last topic before a condition"],
)
def test_what_names_no_subject_may_be_about_the_part_before_or_the_last_topic(
    parts: Sequence[Part], asked_by_name: str
) -> None:
    said = merged(almanac="A knot holds a rope", ferry=FERRY_SAID, harbour=ON_KNOTS.result.splitlines())
    office = Office(
        alone(
            knots=bare("almanac", "A knot holds a rope"),
            next_ferry=bare("ferry", FERRY_SAID),
            berths_free=bare("harbour", BERTHS_SAID),
            show_me_berths_free=bare("harbour", BERTHS_SAID),
            if_it_rains_tonight=bare("almanac", "A knot holds a rope"),
        )
    )
    assert summaries(case_of(query_of(*parts), said), office), "where its source has nothing by name"
    office.now[f"harbour: {asked_by_name}"] = ON_KNOTS
    assert summaries(case_of(query_of(*parts), said), office) == []


def test_what_takes_its_subject_may_stand_beside_another_part_of_its_source() -> None:
    """The harbour is asked for its lights, and for berths on what stands before them: knots."""
    lights = Part(PartKind.INTENT, "harbour lights", "harbour")
    lit = ["Lit from dusk", "Green to starboard", "Red to port", "White at the pier"]
    there = merged(almanac="A knot holds a rope", harbour=[*lit, *ON_KNOTS.result.splitlines()])
    query = query_of(lights, KNOTS, BERTHS)
    office = Office(
        alone(
            knots=bare("almanac", "A knot holds a rope"),
            harbour_lights=bare("harbour", *lit),
            berths_free=bare("harbour", BERTHS_SAID),
        )
    )
    office.now |= dict.fromkeys(
        ("harbour lights and high tide", "harbour lights and low tide"), merged(harbour=lit, tides=HIGH_SAID)
    )
    assert summaries(case_of(query, there), office), "where the harbour has nothing on knots"
    office.now["harbour: knots"] = ON_KNOTS
    assert summaries(case_of(query, there), office) == []


def test_a_keyword_takes_no_subject_from_a_part_of_its_own_source() -> None:
    """What low tide should bring is lost; that high tide is there says nothing of it."""
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, "Springs on Friday"], ferry=FERRY_SAID))
    context.longest = {"tides": 9}
    both = bare("tides", HIGH_SAID, "Springs on Friday")
    office = Office(OFFICE | {"high tide": both, "low tide": bare("tides", LOW_SAID), "tides: high tide": both})
    lost = "part_differs: the section of tides holds nothing of what 'low tide' brings alone"
    assert lost in summaries(context, office)


def test_what_is_on_the_part_before_excuses_nothing_else_in_the_section() -> None:
    on_knots = ["Knots are tied on board", "Ropes are sold here"]
    strayed = ["Pizza is served in Rome", "Volcano erupts on Java"]
    context = case_of(query_of(KNOTS, BERTHS), merged(almanac="A knot holds a rope", harbour=[*on_knots, *strayed]))
    office = Office(alone(knots=bare("almanac", "A knot holds a rope"), berths_free=bare("harbour", *on_knots)))
    office.now["harbour: knots"] = bare("harbour", *on_knots)
    office.now["berths free and high tide"] = merged(harbour=on_knots, tides=HIGH_SAID)
    assert summaries(context, office)


def test_a_part_with_a_subject_of_its_own_takes_none_from_the_part_before_it() -> None:
    context = case_of(query_of(HIGH, PAIR), merged(tides=HIGH_SAID, almanac=["On tides", "On ebbs"]))
    office = Office(OFFICE | alone(Castor_and_Pollux=bare("almanac", *STARS)))
    office.now["almanac: high tide"] = bare("almanac", "On tides", "On ebbs")
    assert summaries(context, office)


def test_items_may_come_from_any_part_that_needs_the_source() -> None:
    context = case_of(query_of(HIGH, LOW), merged(tides=[HIGH_SAID, LOW_SAID]))
    assert summaries(context, Office(OFFICE | alone(low_tide=bare("tides", LOW_SAID)))) == []


def test_as_long_as_one_that_may_have_brought_it_is_unknown_no_item_is_foreign() -> None:
    context = case_of(query_of(HIGH, LOW), merged(tides=[HIGH_SAID, "Gulls on the pier"]))
    assert summaries(context, Office(OFFICE)) == []


def test_figures_that_go_on_are_no_other_item() -> None:
    context = case_of(QUERY, merged(tides="Water stands at 4.1 m", ferry=FERRY_SAID))
    assert summaries(context, Office(OFFICE | alone(high_tide=bare("tides", "Water stands at 4.2 m")))) == []


def test_a_volatile_source_is_never_accused_by_its_content() -> None:
    context = case_of(QUERY, merged(tides="Gulls on the pier", ferry=FERRY_SAID), volatile=["tides"])
    office = Office(OFFICE)
    assert summaries(context, office) == []
    assert [probe.fresh for probe in office.asked] == [0, 0]


# --- what was answered earlier, and what changes ---


def test_what_a_loss_is_confirmed_by_is_asked_in_three_rounds() -> None:
    """Once nothing hangs on what comes between, all of it is sent together: a slow target makes each round long."""
    office = Office(OFFICE)
    (_,) = compared(case_of(QUERY, merged(tides="Gulls on the pier", ferry=FERRY_SAID)), office).findings
    under_way, rounds = set[tuple[str, int]](), list[list[tuple[str, int]]]()
    for probe in office.asked:
        wanted = [(each.text, each.fresh) for each in (probe, *probe.ahead)]
        if wanted[0] not in under_way:
            rounds.append([each for each in wanted if each not in under_way])
            under_way.update(wanted)
    assert rounds == [
        [("next ferry", 0), ("high tide", 0)],
        [("high tide", 1)],
        [("high tide", 2), (QUERY.text, 1)],
    ]


def test_an_earlier_answer_is_confirmed_by_a_fresh_one_before_it_accuses() -> None:
    context = case_of(QUERY, merged(tides=LOW_SAID, ferry=FERRY_SAID))
    office = Office(kept=OFFICE, now=alone(high_tide=bare("tides", LOW_SAID)))  # it has turned meanwhile
    assert summaries(context, office) == []
    assert [(probe.text, probe.fresh) for probe in office.asked][-1] == ("high tide", 1)


def test_an_earlier_answer_that_may_not_be_asked_again_does_not_accuse() -> None:
    context = case_of(QUERY, merged(tides="Gulls on the pier", ferry=FERRY_SAID))
    assert summaries(context, Office(kept=OFFICE)) == []


def test_a_source_that_says_something_else_each_time_is_not_accused_and_is_noted() -> None:
    context = case_of(QUERY, merged(tides="Gulls on the pier", ferry=FERRY_SAID))
    found = compared(context, Office(OFFICE | alone(high_tide=[bare("tides", HIGH_SAID), bare("tides", LOW_SAID)])))
    assert found.findings == ()
    assert found.stability == (("tides", False),)


def test_a_source_that_says_the_same_again_is_noted_too() -> None:
    found = compared(case_of(QUERY, merged(tides="Gulls on the pier", ferry=FERRY_SAID)), Office(OFFICE))
    assert found.stability == (("tides", True),)


def test_a_steady_source_need_not_be_asked_a_second_time() -> None:
    office = Office(OFFICE)
    context = case_of(QUERY, merged(tides="Gulls on the pier", ferry=FERRY_SAID), steady=["tides"])
    assert len(summaries(context, office)) == 1
    assert max(probe.fresh for probe in office.asked) == 1


# --- what is slight: a smaller compound has to be right ---


def pair_case(*items: str) -> tuple[ExaminationContext, dict[str, Answer | Sequence[Answer]]]:
    context = case_of(query_of(FERRY, PAIR), merged(ferry=FERRY_SAID, almanac=items))
    said = alone(Castor_and_Pollux=bare("almanac", *STARS), next_ferry=bare("ferry", FERRY_SAID))
    return context, said


def control_of(office: Office) -> str:
    """The smaller compound that is asked: the pair and one phrase of another source."""
    return next(probe.text for probe in office.asked if probe.purpose is Purpose.CONTROL)


TURNED = (STARS[1], STARS[0], STARS[2])


def turned(control: Sequence[str] = (), again: Sequence[str] = TURNED) -> list[str]:
    """What is found where the pair is turned among others.

    control: how a smaller compound has it, if that answers; again: how the same query has it once more.
    """
    context, said = pair_case(*TURNED)
    office = Office(said)
    found = summaries(context, office)
    if not control:
        return found
    said[context.query.text] = merged(ferry=FERRY_SAID, almanac=again)
    said[control_of(office)] = merged(almanac=control, tides=HIGH_SAID)
    context, _ = pair_case(*TURNED)
    return summaries(context, Office(said))


def test_a_pair_in_another_order_is_broken_where_a_smaller_compound_has_it_right() -> None:
    assert turned() == []  # without a control nothing is said
    broken = "pair_broken: the section of almanac has what 'Castor and Pollux' brings alone in another order"
    assert turned(control=STARS) == [broken]


def test_an_order_that_is_another_one_at_the_next_asking_is_spared() -> None:
    assert turned(control=STARS, again=STARS) == []


def test_a_router_that_orders_each_compound_differently_is_spared() -> None:
    assert turned(control=TURNED) == []


def test_a_router_that_adds_a_line_to_every_section_of_a_compound_is_spared() -> None:
    noted = (*STARS, "Stars seen", "By night")
    long = [f"{word} shines" for word in ("Castor", "Pollux", "Alhena", "Wasat", "Mebsuta")]
    context = case_of(query_of(FERRY, PAIR), merged(ferry=FERRY_SAID, almanac=[*long, "That is all"]))
    said = alone(Castor_and_Pollux=bare("almanac", *long), next_ferry=bare("ferry", FERRY_SAID))
    assert len(noted) == 5
    office = Office(said)
    assert summaries(context, office) == []
    control = merged(almanac=[*long, "That is all"], tides=HIGH_SAID)
    context = case_of(query_of(FERRY, PAIR), merged(ferry=FERRY_SAID, almanac=[*long, "That is all"]))
    assert summaries(context, Office(said | {control_of(office): control})) == []


def test_one_line_too_many_is_found_where_a_smaller_compound_is_without_it() -> None:
    long = [f"{word} shines" for word in ("Castor", "Pollux", "Alhena", "Wasat", "Mebsuta")]
    said = alone(Castor_and_Pollux=bare("almanac", *long), next_ferry=bare("ferry", FERRY_SAID))

    def context() -> ExaminationContext:
        return case_of(query_of(FERRY, PAIR), merged(ferry=FERRY_SAID, almanac=[*long, "That is all"]))

    office = Office(said)
    summaries(context(), office)
    found = summaries(context(), Office(said | {control_of(office): merged(almanac=long, tides=HIGH_SAID)}))
    assert found == [
        "pair_broken: the section of almanac holds something that 'Castor and Pollux' alone does not bring"
    ]


@pytest.mark.parametrize(("is_short", "is_accused"), [(True, False), (False, True)], ids=["no room", "room"])
def test_a_line_in_a_section_that_lacks_an_item_is_held_against_as_many_sections(
    is_short: bool, is_accused: bool
) -> None:
    """Where an answer has less room the more sections it has, what leads one may be another line there."""
    pages = [f"{word} rises behind the hill" for word in ("Castor", "Alhena", "Wasat", "Mebsuta", "Propus", "Tejat")]
    whole, short = ["Castor shines by night", *pages], ["Clouds hid it before dawn", *pages[1:]]
    context = case_of(query_of(PAIR, FERRY, BERTHS), merged(almanac=short, ferry=FERRY_SAID, harbour=BERTHS_SAID))
    pair = "Castor and Pollux"
    of_three = merged(almanac=short if is_short else whole, tides=HIGH_SAID, ferry=FERRY_SAID)
    controls = {
        f"{pair} plus high tide": merged(almanac=whole, tides=HIGH_SAID),
        f"{pair} plus high tide plus next ferry": of_three,
    }
    said = OFFICE | alone(Castor_and_Pollux=bare("almanac", *whole), berths_free=bare("harbour", BERTHS_SAID))
    assert bool(summaries(context, Office(said | controls))) is is_accused


def test_an_item_too_few_is_found_where_a_smaller_compound_has_it() -> None:
    context, said = pair_case(*STARS[:2])
    office = Office(said)
    assert summaries(context, office) == []
    context, _ = pair_case(*STARS[:2])
    found = summaries(context, Office(said | {control_of(office): merged(almanac=STARS, tides=HIGH_SAID)}))
    assert found == ["pair_broken: the section of almanac lacks some of what 'Castor and Pollux' brings alone"]


@pytest.mark.parametrize("empty", ["Nothing to report.", "Nothing to report.\nYou could:\n- Ask at the pier"])
def test_an_empty_section_of_a_smaller_compound_may_leave_its_room_to_others(empty: str) -> None:
    context, said = pair_case(*STARS[:2])
    office = Office(said)
    summaries(context, office)
    context, _ = pair_case(*STARS[:2])
    assert summaries(context, Office(said | {control_of(office): merged(almanac=STARS, tides=empty)})) == []


def test_a_router_that_shortens_every_section_of_a_compound_is_spared() -> None:
    context, said = pair_case(*STARS[:2])
    office = Office(said)
    summaries(context, office)
    context, _ = pair_case(*STARS[:2])
    assert summaries(context, Office(said | {control_of(office): merged(almanac=STARS[:2], tides=HIGH_SAID)})) == []


@pytest.mark.parametrize("harbour", ["Two berths", "Nothing to report."], ids=["three that say something", "one empty"])
def test_a_control_has_as_many_sections_as_the_answer_also_where_one_of_those_is_empty(harbour: str) -> None:
    """A router may share its room out to all sections, or to all sources that it asks."""
    context = case_of(query_of(PAIR, FERRY, BERTHS), merged(almanac=STARS[:2], ferry=FERRY_SAID, harbour=harbour))
    pair = "Castor and Pollux"
    said = OFFICE | alone(Castor_and_Pollux=bare("almanac", *STARS), berths_free=bare("harbour", harbour))
    of_two = merged(almanac=STARS, tides=HIGH_SAID)
    of_three = merged(almanac=STARS[:2], tides=HIGH_SAID, ferry=FERRY_SAID)
    controls = {f"{pair} plus high tide": of_two, f"{pair} plus high tide plus next ferry": of_three}
    office = Office(said | controls)
    assert summaries(context, office) == []
    assert f"{pair} plus high tide plus next ferry" in office.texts


@pytest.mark.parametrize(("room", "is_accused"), [(2, False), (3, True)], ids=["for two", "for three"])
def test_a_control_asks_as_many_sources_as_the_query_also_where_one_was_left_out(room: int, is_accused: bool) -> None:
    """A router may share its room out to all sources that it asks, and have no section for what has nothing."""
    context = case_of(query_of(PAIR, FERRY, BERTHS), merged(almanac=STARS[:2], ferry=FERRY_SAID))
    pair = "Castor and Pollux"
    said = OFFICE | alone(Castor_and_Pollux=bare("almanac", *STARS), berths_free=EMPTY)
    of_three = merged(almanac=STARS[:room], tides=HIGH_SAID, ferry=FERRY_SAID)
    controls = {f"{pair} plus high tide": merged(almanac=STARS, tides=HIGH_SAID)}
    controls[f"{pair} plus high tide plus next ferry"] = of_three
    assert bool(summaries(context, Office(said | controls))) is is_accused


def test_a_control_that_shares_nothing_but_boilerplate_and_the_words_asked_shows_nothing() -> None:
    """A source that brings the same whatever it is asked: its items are boilerplate, and only its heading is left."""
    heading = "Results for Castor and Pollux:"
    known = frozenset(line_digest(line) for line in STARS)

    def context() -> ExaminationContext:
        asked = case_of(query_of(FERRY, PAIR), merged(ferry=FERRY_SAID, almanac=[heading, STARS[2]]))
        return replace(asked, check_input=replace(asked.check_input, boilerplate={"almanac": known}))

    said = alone(Castor_and_Pollux=bare("almanac", heading, *STARS), next_ferry=bare("ferry", FERRY_SAID))
    office = Office(said)
    summaries(context(), office)
    control = {control_of(office): merged(almanac=[heading, STARS[2]], tides=HIGH_SAID)}
    assert summaries(context(), Office(said | control)) == []


def test_a_section_that_says_why_it_is_shorter_is_spared() -> None:
    """The same loss as above, and a line of the section's own that only says how much of it there is."""
    context, said = pair_case(*STARS[:2])
    office = Office(said)
    summaries(context, office)
    context, _ = pair_case(*STARS[:2], "(2 of 3 shards answered)")
    control = {control_of(office): merged(almanac=STARS, tides=HIGH_SAID)}
    assert summaries(context, Office(said | control)) == []


@pytest.mark.parametrize(
    ("there", "found"),
    [
        pytest.param("Castor and Pollux rise late in winter", [], id="another item of the pair"),
        pytest.param(
            "Castor rises late in winter",
            ["pair_broken: the section of almanac holds nothing of what 'Castor and Pollux' brings alone"],
            id="an item of one of the two",
        ),
    ],
)
def test_a_pair_may_be_told_by_an_item_further_down_beside_another_part_of_its_source(
    there: str, found: list[str]
) -> None:
    knot = "A knot holds a rope"
    context = case_of(query_of(FERRY, KNOTS, PAIR), merged(ferry=FERRY_SAID, almanac=[knot, there]))
    context.longest = {"almanac": 9}
    said = alone(Castor_and_Pollux=bare("almanac", *STARS), knots=bare("almanac", knot)) | OFFICE
    assert summaries(context, Office(said)) == found


@pytest.mark.parametrize(
    ("left", "is_accused"),
    [
        pytest.param("Castor and Pollux are two stars", False, id="of both names"),
        pytest.param("Castor is a star of summer", True, id="of one name"),
    ],
)
def test_a_pair_beside_another_part_of_its_source_may_have_its_share_only(left: str, is_accused: bool) -> None:
    """A section may show one item of each site; where nothing names one of the two, that half may be lost."""
    stars = ["Two heroes of old tales", left, "Twins in the sky tonight", "Both stand in Gemini now"]
    knot = "A knot holds a rope"
    said = alone(Castor_and_Pollux=bare("almanac", *stars), knots=bare("almanac", knot)) | OFFICE

    def context() -> ExaminationContext:
        return case_of(query_of(FERRY, KNOTS, PAIR), merged(ferry=FERRY_SAID, almanac=[knot, left]))

    office = Office(said)
    summaries(context(), office)
    control = {control_of(office): merged(almanac=stars, tides=HIGH_SAID)}
    broken = "pair_broken: the section of almanac lacks some of what 'Castor and Pollux' brings alone"
    assert summaries(context(), Office(said | control)) == ([broken] if is_accused else [])


@pytest.mark.parametrize(
    ("title", "is_accused"),
    [
        pytest.param(
            ["Forum: two stars", "Castor and Pollux rise late in winter"], False, id="the title of a named item"
        ),
        pytest.param(
            ["Castor and Pollux rise late in winter", "A knot holds a rope", "[2] https://a.example/7"],
            False,
            id="its address in a footnote",
        ),
        pytest.param(
            ["Castor and Pollux rise late in winter", "A knot holds a rope", "Gulls on the pier"], True, id="apart"
        ),
    ],
)
def test_what_stands_by_an_item_that_names_a_part_is_of_that_item(title: list[str], is_accused: bool) -> None:
    knot = "A knot holds a rope"
    section = [*STARS, *title] if knot in title else [knot, *STARS, *title]
    said = alone(Castor_and_Pollux=bare("almanac", *STARS), knots=bare("almanac", knot)) | OFFICE

    def context() -> ExaminationContext:
        return case_of(query_of(FERRY, KNOTS, PAIR), merged(ferry=FERRY_SAID, almanac=section))

    office = Office(said)
    summaries(context(), office)
    asked = [probe.text for probe in office.asked if probe.purpose is Purpose.CONTROL]
    controls = {text: merged(almanac=STARS if "Castor" in text else knot, tides=HIGH_SAID) for text in asked}
    assert bool(summaries(context(), Office(said | controls))) is is_accused


ONE, TWO, THREE = (f"https://{name}.example/{page}" for name, page in (("atlas", 1), ("board", 2), ("atlas", 3)))


@pytest.mark.parametrize(
    ("shown", "is_accused"),
    [
        pytest.param([ONE, TWO], False, id="each site once"),
        pytest.param([ONE, "https://atlas.example/9", TWO], True, id="two of one"),
    ],
)
def test_where_a_section_shows_one_item_of_each_site_its_parts_share_it_as_they_may(
    shown: list[str], is_accused: bool
) -> None:
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, *shown], ferry=FERRY_SAID))
    context.longest = {"tides": 9}
    brought = {"high tide": bare("tides", HIGH_SAID, ONE, TWO), "low tide": bare("tides", LOW_SAID, THREE)}
    assert bool(summaries(context, Office(OFFICE | brought))) is is_accused


def test_a_source_that_brings_two_of_one_site_for_a_part_has_no_such_habit() -> None:
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, ONE, TWO], ferry=FERRY_SAID))
    context.longest = {"tides": 9}
    two_of_board = bare("tides", HIGH_SAID, ONE, TWO, "https://board.example/8")
    brought = {"high tide": two_of_board, "low tide": bare("tides", LOW_SAID, THREE)}
    lost = "part_differs: the section of tides holds nothing of what 'low tide' brings alone"
    assert lost in summaries(context, Office(OFFICE | brought))


@pytest.mark.parametrize(
    ("site", "more", "is_accused"),
    [
        pytest.param("atlas", (), False, id="of a site that the other part brings"),
        pytest.param("creek", (), True, id="of a site of its own"),
        pytest.param("atlas", ("Gulls on the pier", "Pizza in Rome"), True, id="beside lines of no site"),
    ],
)
def test_a_site_may_be_named_in_a_line_below_each_item(site: str, more: tuple[str, ...], is_accused: bool) -> None:
    """Low tide brings an item further down, of a third site; which lines name one is known by now."""
    shown = [HIGH_SAID, "from atlas.example", "Mud at the slipway", "from board.example", *more]
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=shown, ferry=FERRY_SAID))
    context.longest = {"tides": 9}
    sites = frozenset(line_digest(f"from {name}.example") for name in ("atlas", "board", "creek"))
    context.check_input = replace(context.check_input, boilerplate={"tides": sites})
    of_low = bare("tides", LOW_SAID, "Slack at nine", f"from {site}.example")
    office = Office(OFFICE | {"high tide": bare("tides", *shown[:2]), "low tide": of_low})
    lost = "part_differs: the section of tides holds nothing of what 'low tide' brings alone"
    assert (lost in summaries(context, office)) is is_accused


@pytest.mark.parametrize(
    ("there", "is_accused"),
    [
        pytest.param([ONE], True, id="no other link"),
        pytest.param([ONE, TWO], False, id="one that no part brings"),
        pytest.param([ONE, "Gulls on the pier"], True, id="an item that is no link"),
    ],
)
def test_a_part_that_brings_links_alone_may_show_another_one_further_down(there: list[str], is_accused: bool) -> None:
    """No link names its part."""
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, *there], ferry=FERRY_SAID))
    context.longest = {"tides": 9}
    brought = {"high tide": bare("tides", HIGH_SAID, ONE), "low tide": bare("tides", "https://creek.example/5")}
    lost = "part_differs: the section of tides holds nothing of what 'low tide' brings alone"
    assert (lost in summaries(context, Office(OFFICE | brought))) is is_accused


@pytest.mark.parametrize(
    ("low", "there", "is_accused"),
    [
        pytest.param([LOW_SAID], ["Mud at the slipway"], False, id="it may have another one"),
        pytest.param([LOW_SAID], [], True, id="no other is there"),
        pytest.param([LOW_SAID, "Boats lie aground there"], ["Mud at the slipway"], True, id="it brings two"),
    ],
)
def test_a_part_that_brings_one_item_alone_may_show_another_beside_other_parts(
    low: Sequence[str], there: Sequence[str], is_accused: bool
) -> None:
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[HIGH_SAID, *there], ferry=FERRY_SAID))
    context.longest = {"tides": 9}
    lost = "part_differs: the section of tides holds nothing of what 'low tide' brings alone"
    assert (lost in summaries(context, Office(OFFICE | alone(low_tide=bare("tides", *low))))) is is_accused


@pytest.mark.parametrize(("heading", "is_accused"), [("The moon is full:", False), ("The moon:", True)])
def test_a_heading_in_the_words_of_a_condition_is_of_that(heading: str, is_accused: bool) -> None:
    condition = Part(PartKind.CONDITION, "if the moon is full")
    asked = (condition, Part(PartKind.MARK, ", "), Part(PartKind.CONSEQUENCE, "ring me"), PLUS, HIGH, PLUS, FERRY)
    there = merged(tides=[heading, "up", HIGH_SAID], ferry=FERRY_SAID)
    context = case_of(Query("multi_intent_chain", asked), there)
    context.longest = {"tides": 9}
    brought = {"if the moon is full, ring me": bare("tides", "Moonlight on the harbour", "Lamps are out tonight")}
    found = summaries(context, Office(OFFICE | brought))
    lost = "the section of tides holds nothing of what 'if the moon is full, ring me' brings alone"
    assert (f"part_differs: {lost}" in found) is is_accused


@pytest.mark.parametrize(
    ("heading", "is_accused"),
    [
        ("The moon is full:", False),
        ("The moon:", True),
        ("For 'if the moon is full, ring me plus high tide plus Castor and Pollux':", True),  # the whole query
    ],
)
def test_a_condition_with_a_heading_of_its_own_in_the_encyclopedia_was_answered_there(
    heading: str, is_accused: bool
) -> None:
    """Alone another source stands in for the encyclopedia, which another part needs."""
    stands_in = parse_vocabulary(small_document() | {"fallbacks": {"almanac": ["tides"]}})
    condition = (Part(PartKind.CONDITION, "if the moon is full"), Part(PartKind.MARK, ", "))
    clauses = (*condition, Part(PartKind.CONSEQUENCE, "ring me"), PLUS, HIGH, PLUS, PAIR)
    there = merged(tides=HIGH_SAID, almanac=[heading, "Moths fly by night", *STARS])
    context = case_of(Query("multi_intent_chain", clauses), there, stands_in)
    context.longest = {"tides": 9}
    brought = {
        "if the moon is full, ring me": bare("tides", "Moonlight on the harbour", "Lamps are out tonight"),
        "almanac: if the moon is full, ring me": bare("almanac", "Moss grows on stones"),
        "Castor and Pollux": bare("almanac", *STARS),
    }
    found = summaries(context, Office(OFFICE | brought))
    lost = "the section of tides holds nothing of what 'if the moon is full, ring me' brings alone"
    assert (f"part_differs: {lost}" in found) is is_accused


def test_a_condition_of_one_word_is_named_by_its_heading() -> None:
    condition = (Part(PartKind.CONDITION, "fog"), Part(PartKind.MARK, ", "), Part(PartKind.CONSEQUENCE, "ring me"))
    context = case_of(Query("multi_intent_chain", (*condition, PLUS, HIGH)), merged(tides=HIGH_SAID))
    assert context.parts[0].is_named_by(AnswerItem("Fog, ring me:"))
    assert not context.parts[0].is_named_by(AnswerItem("Ring me:"))


@pytest.mark.parametrize(
    "low",
    [
        pytest.param(("Tides", "Try the pier"), id="a title of both"),
        pytest.param(
            ("Here is what I found for you about the low tides…", LOW_SAID, "Mud at the slipway"), id="a lead-in"
        ),
    ],
)
def test_what_another_part_brings_as_well_does_not_tell_that_a_part_is_there(low: Sequence[str]) -> None:
    high = (low[0].replace("low", "high"), HIGH_SAID)
    query = query_of(HIGH, Part(PartKind.INTENT, "low tides", "tides"), FERRY)
    context = case_of(query, merged(tides=high, ferry=FERRY_SAID))
    context.longest = {"tides": 9}
    found = summaries(context, Office(OFFICE | alone(high_tide=bare("tides", *high), low_tides=bare("tides", *low))))
    assert "part_differs: the section of tides holds nothing of what 'low tides' brings alone" in found


@pytest.mark.parametrize(
    ("beside", "there", "is_accused"),
    [
        pytest.param(["Try the pier"], "up", False, id="its state is there"),
        pytest.param(["Try the pier"], "shut", True, id="another state"),
        pytest.param(["Try the pier", "Gulls on the quay"], "up", True, id="a word among several items"),
    ],
)
def test_one_word_of_the_question_is_the_state_where_little_stands_beside_it(
    beside: list[str], there: str, is_accused: bool
) -> None:
    """A word among several items may be a title, in an answer without them."""
    query = query_of(HIGH, Part(PartKind.INTENT, "tides going up", "tides"), FERRY)
    context = case_of(query, merged(tides=[HIGH_SAID, there], ferry=FERRY_SAID))
    context.longest = {"tides": 9}
    found = summaries(context, Office(OFFICE | alone(tides_going_up=bare("tides", "up", *beside))))
    lost = "part_differs: the section of tides holds nothing of what 'tides going up' brings alone"
    assert (lost in found) is is_accused


@pytest.mark.parametrize(
    ("pages", "is_accused"), [((), False), ((TWO, "https://creek.example/5"), True)], ids=["none", "its own"]
)
def test_of_items_with_addresses_those_tell_whether_a_part_is_there(pages: Sequence[str], is_accused: bool) -> None:
    """Its line is like one of another part."""
    at_six, at_nine = ("The tide turns at the harbour at six", "The tide turns at the harbour at nine")
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=[at_six, ONE], ferry=FERRY_SAID))
    context.longest = {"tides": 9}
    brought = {"high tide": bare("tides", at_six, ONE), "low tide": bare("tides", at_nine, *pages)}
    assert bool(summaries(context, Office(OFFICE | brought))) is is_accused


def test_a_section_without_addresses_is_told_by_its_lines() -> None:
    """Among others there may be no room for links."""
    lines = ("The tide turns at the harbour at six", "Nets are dry", "Lamps are out tonight")
    linked = [
        text for line, page in zip(lines, (ONE, TWO, "https://creek.example/9"), strict=True) for text in (line, page)
    ]
    context = case_of(query_of(HIGH, FERRY), merged(tides=lines[:2], ferry=FERRY_SAID))
    assert summaries(context, Office(OFFICE | {"high tide": bare("tides", *linked)})) == []


def test_a_line_that_lists_what_a_part_brings_is_neither_a_loss_nor_another_subject() -> None:
    states = ("- Mail: up, 42 ms", "- Backup job: up, 18 ms", "- Boat radio: up, 7 ms")
    context = case_of(query_of(HIGH, FERRY), merged(tides="Up: mail, backup job, boat radio", ferry=FERRY_SAID))
    assert summaries(context, Office(OFFICE | {"high tide": bare("tides", *states)})) == []
    context = case_of(query_of(HIGH, FERRY), merged(tides="Up: gulls, terns, puffins", ferry=FERRY_SAID))
    assert summaries(context, Office(OFFICE | {"high tide": bare("tides", *states)})) != []


@pytest.mark.parametrize(
    ("added", "with_framing", "is_accused"),
    [
        pytest.param("Comets come each year", ["Comets come each year"], False, id="it has an item of that topic"),
        pytest.param("Gulls on the pier", ["Gulls on the pier"], False, id="it has an item that the framing brings"),
        pytest.param("Gulls on the pier", [], True, id="it has none"),
    ],
)
def test_a_section_that_framing_adds_to_may_have_less_room_for_its_own_part(
    added: str, with_framing: list[str], is_accused: bool
) -> None:
    """Without the framing, the topic brings nothing of that source."""
    framed = (
        Part(PartKind.DISCOURSE, "people keep mentioning"),
        Part(PartKind.MARK, " "),
        Part(PartKind.TOPIC, "comets"),
    )
    tides = [HIGH_SAID, "Springs on Friday", "Neaps a week later"]
    as_framed = merged(almanac="Dust and ice", **({"tides": with_framing} if with_framing else {}))
    said = OFFICE | alone(high_tide=bare("tides", *tides), comets=bare("almanac", "Dust and ice"))
    said |= {"people keep mentioning comets": as_framed}

    def context() -> ExaminationContext:
        query = Query("multi_intent_chain", (*framed, PLUS, HIGH, PLUS, FERRY))
        return case_of(query, merged(almanac="Dust and ice", tides=[tides[1], added], ferry=FERRY_SAID))

    office = Office(said)
    summaries(context(), office)
    whole = merged(tides=tides, ferry=FERRY_SAID, harbour="Lights at dusk")
    controls = {probe.text: whole for probe in office.asked if probe.purpose is Purpose.CONTROL}
    assert bool(summaries(context(), Office(said | controls))) is is_accused


@pytest.mark.parametrize(
    ("is_framed", "there", "is_accused"),
    [
        (True, "A page on high tide", False),
        (True, "Gulls on the pier", True),
        (False, "A page on high tide", True),
    ],
)
def test_beside_what_framing_adds_a_part_may_show_an_item_further_down_that_names_it(
    is_framed: bool, there: str, is_accused: bool
) -> None:
    framing = (Part(PartKind.DISCOURSE, "people keep mentioning"), Part(PartKind.MARK, " ")) if is_framed else ()
    query = Query("multi_intent_chain", (*framing, Part(PartKind.PAIR, "Castor and Pollux"), PLUS, HIGH, PLUS, FERRY))
    context = case_of(query, merged(almanac=STARS, tides=["Comets come each year", there], ferry=FERRY_SAID))
    said = alone(
        Castor_and_Pollux=bare("almanac", *STARS), people_keep_mentioning_Castor_and_Pollux=merged(almanac=STARS)
    )
    assert bool(summaries(context, Office(OFFICE | said))) is is_accused


def test_what_is_there_at_the_next_asking_is_not_missing() -> None:
    """A source that was steady so far may be late once, unless the target never showed anything else."""
    context, said = pair_case(*STARS[:2])
    office = Office(said)
    summaries(context, office)
    whole = merged(almanac=STARS, tides=HIGH_SAID)
    later = {control_of(office): whole, context.query.text: whole}
    for is_reproducible in (False, True):
        context, _ = pair_case(*STARS[:2])
        context.steady, context.is_reproducible = frozenset({"almanac"}), is_reproducible
        assert bool(summaries(context, Office(said | later))) is is_reproducible


def test_a_section_as_long_as_its_part_alone_may_be_full() -> None:
    context = case_of(query_of(HIGH, LOW), merged(tides=[HIGH_SAID, LOW_SAID]))
    office = Office(
        alone(high_tide=bare("tides", HIGH_SAID), low_tide=bare("tides", LOW_SAID, "Springs on Monday")),
    )
    summaries(context, office)
    assert max(probe.fresh for probe in office.asked) == 0


def test_what_another_section_holds_already_is_not_missing() -> None:
    context = case_of(query_of(HIGH, FERRY), merged(tides=HIGH_SAID, ferry=[FERRY_SAID, "Springs on Monday"]))
    both = alone(
        high_tide=bare("tides", HIGH_SAID, "Springs on Monday"),
        next_ferry=bare("ferry", FERRY_SAID, "Springs on Monday"),
    )
    office = Office(both)
    assert summaries(context, office) == []
    assert max(probe.fresh for probe in office.asked) == 0


# --- what is asked ---


def test_parts_without_urgency_are_compared_as_far_as_they_are_known() -> None:
    context = case_of(QUERY, merged(tides=HIGH_SAID, ferry=FERRY_SAID))
    office = Office(OFFICE)
    office.answer(contents(context, {context.parts[0]: Urgency.ROUTINE}))
    assert {probe.text: probe.urgency for probe in office.asked} == {
        "high tide": Urgency.ROUTINE,
        "next ferry": Urgency.IF_KNOWN,
    }


@pytest.mark.parametrize(
    ("parts", "first"),
    [
        ((HIGH, KNOTS, FERRY), "knots"),  # what is searched for
        ((HIGH, LOW, FERRY), "low tide"),  # what shares its source, and of those the last
        ((HIGH, FERRY), "next ferry"),  # the last
    ],
)
def test_what_its_source_alone_does_not_tell_goes_first(parts: tuple[Part, ...], first: str) -> None:
    context = case_of(query_of(*parts), merged(tides=HIGH_SAID))
    assert max(context.parts, key=lambda part: hangs_on_text(context, part)).alone == first


def test_a_phrase_is_compared_with_what_the_same_letters_bring_alone() -> None:
    loud = Part(PartKind.INTENT, "HIGH TIDE", "tides", "high tide")
    office = Office()
    compared(case_of(Query("keywords_in_other_case", (loud,)), bare("tides", BERTHS_SAID)), office)
    assert office.texts == ["HIGH TIDE"]


# --- pairs stay whole ---

CASTOR, POLLUX = "Castor is a star", "Pollux is another one"
REEF = "A reef knot joins two ropes"
NESTED = query_of(PAIR, KNOTS, FERRY)
PAIR_OFFICE = OFFICE | alone(Castor_and_Pollux=bare("almanac", CASTOR, POLLUX), knots=bare("almanac", REEF))
HALVES = "Castor plus Pollux plus high tide"


def halved(halves: Sequence[str]) -> list[str]:
    """The pair is halved in this compound and in a smaller one; what its halves bring apart, in one of three parts."""
    answer = merged(almanac=[POLLUX, REEF], ferry=FERRY_SAID)
    smaller = {CONTROL: merged(almanac=POLLUX, tides=HIGH_SAID), HALVES: merged(almanac=halves, tides=HIGH_SAID)}
    return summaries(case_of(NESTED, answer), Office(PAIR_OFFICE | smaller))


def test_a_pair_of_which_every_compound_loses_a_half_is_broken_where_its_halves_apart_are_whole() -> None:
    assert halved([CASTOR, POLLUX]) == [
        "pair_broken: the section of almanac lacks a half of what 'Castor and Pollux' brings alone"
    ]


def test_a_router_that_brings_one_item_a_section_in_every_compound_is_spared() -> None:
    assert halved([CASTOR]) == []


# --- what only stands in ---

STOOD_IN = alone(next_ferry=bare("harbour", BERTHS_SAID), berths_free=bare("harbour", "Lights at dusk"))


@pytest.mark.parametrize(
    ("by_name", "is_accused"),
    [
        pytest.param(EMPTY, False, id="its own source has nothing"),
        pytest.param(None, False, id="by name it cannot be asked"),
        pytest.param(bare("ferry", FERRY_SAID), True, id="its own source has something"),
    ],
)
def test_a_part_that_a_fallback_answers_alone_may_bring_nothing_to_the_section_of_that(
    by_name: Answer | None, is_accused: bool
) -> None:
    """A router may leave a part to a fallback only where it does not ask that one for itself."""
    said = {**STOOD_IN}
    if by_name is not None:
        said["ferry: next ferry"] = by_name
    context = case_of(query_of(FERRY, BERTHS), merged(harbour="Lights at dusk"))
    assert bool(summaries(context, Office(said))) is is_accused


@pytest.mark.parametrize(
    ("low_alone", "is_accused"),
    [(bare("harbour", BERTHS_SAID), False), (bare("tides", LOW_SAID), True)],
    ids=["its fallback", "its own source"],
)
def test_what_a_source_has_on_a_part_that_a_fallback_answers_alone_is_not_known(
    low_alone: Answer, is_accused: bool
) -> None:
    vocabulary = parse_vocabulary(small_document() | {"fallbacks": {"tides": ["harbour"]}})
    section = [HIGH_SAID, LOW_SAID, "The closest to it is spring tide", "Gulls on the pier", "Shells on the beach"]
    query = query_of(HIGH, LOW, FERRY)
    controls = merged(tides=[HIGH_SAID, LOW_SAID], ferry=FERRY_SAID)
    said = dict.fromkeys(["high tide and next ferry", "low tide and next ferry"], controls)
    context = case_of(query, merged(tides=section, ferry=FERRY_SAID), vocabulary)
    assert bool(summaries(context, Office(OFFICE | said | alone(low_tide=low_alone)))) is is_accused


@pytest.mark.parametrize(
    ("low_alone", "section", "is_accused"),
    [
        pytest.param(bare("harbour", BERTHS_SAID), ["Neaps on Monday", "Springs on Friday"], False, id="its fallback"),
        pytest.param(bare("harbour", BERTHS_SAID), ["Neaps on Monday"], False, id="its fallback, no room left"),
        pytest.param(bare("harbour", BERTHS_SAID), ["Springs on Friday"], True, id="its fallback, and nothing of it"),
        pytest.param(bare("tides", LOW_SAID), ["Neaps on Monday", "Springs on Friday"], True, id="its own source"),
    ],
)
def test_what_a_source_has_on_such_a_part_may_take_room_from_another(
    low_alone: Answer, section: list[str], is_accused: bool
) -> None:
    """Among others a router may show the closest that it has, and cut each section to a few items."""
    vocabulary = parse_vocabulary(small_document() | {"fallbacks": {"tides": ["harbour"]}})
    high_said = [HIGH_SAID, "Springs on Friday", "Slack at nine"]
    context = case_of(query_of(HIGH, LOW, FERRY), merged(tides=section, ferry=FERRY_SAID), vocabulary)
    said = alone(high_tide=bare("tides", *high_said), low_tide=low_alone)
    said["high tide and next ferry"] = merged(tides=high_said, ferry=FERRY_SAID)
    assert bool(summaries(context, Office(OFFICE | said))) is is_accused


def test_an_item_that_a_part_brings_alone_under_another_header_is_not_foreign() -> None:
    """What two sources have may be listed with either of them."""
    both = merged(harbour=BERTHS_SAID, tides=[HIGH_SAID, "Neaps on Friday"])
    context = case_of(query_of(HIGH, FERRY), merged(tides=[HIGH_SAID, BERTHS_SAID], ferry=FERRY_SAID))
    assert summaries(context, Office(OFFICE | alone(high_tide=both))) == []


def test_a_section_that_may_be_a_failure_holds_nothing_foreign() -> None:
    section = ["A note says nothing to report of late", "What hangs at the pier is binding"]
    context = case_of(query_of(HIGH, FERRY), merged(tides=section, ferry=FERRY_SAID))
    assert summaries(context, Office(OFFICE)) == []


def test_a_part_whose_short_answer_may_be_a_failure_brings_nothing() -> None:
    said = alone(high_tide=bare("tides", "A note says nothing to report of late", "What hangs at the pier is binding"))
    context = case_of(query_of(HIGH, FERRY, LOW), merged(tides=LOW_SAID, ferry=FERRY_SAID))
    low = alone(low_tide=bare("tides", LOW_SAID))
    assert summaries(context, Office(OFFICE | low | said)) == []


@pytest.mark.parametrize(
    ("answer", "is_accused"),
    [
        pytest.param(merged(ferry=FERRY_SAID, harbour="Lights at dusk"), False, id="what it needs is there"),
        pytest.param(merged(harbour="Lights at dusk"), True, id="nor is what it needs"),
    ],
)
def test_a_source_that_only_adds_to_what_a_part_needs_may_add_nothing_among_others(
    answer: Answer, is_accused: bool
) -> None:
    said = alone(
        next_ferry=merged(ferry=FERRY_SAID, harbour=BERTHS_SAID), berths_free=bare("harbour", "Lights at dusk")
    )
    assert bool(summaries(case_of(query_of(FERRY, BERTHS), answer), Office(said))) is is_accused


def test_a_section_that_is_empty_is_so_too_above_lines_that_end_the_answer() -> None:
    """Else it would be there in one order of the parts, and not in another."""
    nothing = "Sorry, nothing to report this time."
    notes = ["", "These lines were gathered by a program; check them first, for they may be late or wrong.", ""]
    answer = merged(tides=HIGH_SAID, ferry=[nothing, *notes, "You may ask our boatman about all of this as well."])
    assert content_of(answer, VOCABULARY).sources == {"tides"}
    assert content_of(merged(tides=HIGH_SAID, ferry=[nothing, "", "- Ferry sold"]), VOCABULARY).sources == {
        "tides",
        "ferry",
    }


@pytest.mark.parametrize(
    ("section", "is_accused"),
    [
        pytest.param([HIGH_SAID, "Also asked: harbour"], False, id="it has no section"),
        pytest.param([HIGH_SAID, "Also asked: harbour", "", "Done"], False, id="above a line that closes the answer"),
        pytest.param([HIGH_SAID, "Also asked: ferry"], True, id="it has a section"),
        pytest.param(["Also asked: harbour", HIGH_SAID], True, id="not at the end"),
        pytest.param([HIGH_SAID, "Zebras graze by the harbour wall"], True, id="a sentence"),
    ],
)
def test_what_ends_a_section_with_the_name_of_a_source_that_has_none_is_a_note(
    section: list[str], is_accused: bool
) -> None:
    context = case_of(query_of(FERRY, HIGH), merged(ferry=FERRY_SAID, tides=section))
    smaller = {"high tide and next ferry": merged(tides=HIGH_SAID, ferry=FERRY_SAID)}
    assert bool(summaries(context, Office(OFFICE | smaller))) is is_accused


@pytest.mark.parametrize(
    ("section", "is_accused"),
    [
        pytest.param([HIGH_SAID, "", "You may ask our boatman as well"], False, id="apart"),
        pytest.param([HIGH_SAID, "You may ask our boatman as well"], True, id="below the rest"),
    ],
)
def test_a_line_that_ends_the_answer_in_a_paragraph_of_its_own_is_of_no_section(
    section: list[str], is_accused: bool
) -> None:
    context = case_of(query_of(FERRY, HIGH), merged(ferry=FERRY_SAID, tides=section))
    smaller = {"high tide and next ferry": merged(tides=HIGH_SAID, ferry=FERRY_SAID)}
    assert bool(summaries(context, Office(OFFICE | smaller))) is is_accused


# --- a limit to the length of a section ---

TWO_TIDES = query_of(HIGH, LOW, FERRY)
ONLY_HIGH = merged(tides=HIGH_SAID, ferry=FERRY_SAID)
LOW_OFFICE = OFFICE | alone(low_tide=bare("tides", LOW_SAID))
LOW_AND_FERRY = "low tide and next ferry"


def cut(longest: int, smaller: Sequence[str], others: str = HIGH_SAID) -> list[str]:
    """Of two parts for one source its section brings the first one's only; what a smaller compound brings there."""
    context = case_of(TWO_TIDES, ONLY_HIGH, steady=["tides"])
    context.longest = {"tides": longest}
    controls = {LOW_AND_FERRY: merged(tides=smaller, ferry=FERRY_SAID), "high tide": bare("tides", others)}
    return summaries(context, Office(LOW_OFFICE | controls))


def test_where_a_section_may_be_no_longer_the_part_that_finds_no_room_is_not_lost() -> None:
    assert cut(longest=1, smaller=[LOW_SAID]) == []


def test_a_section_that_was_longer_before_has_room() -> None:
    assert len(cut(longest=2, smaller=[LOW_SAID])) == 1


def test_a_smaller_compound_that_brings_more_shows_that_there_is_room() -> None:
    assert len(cut(longest=1, smaller=[LOW_SAID, "Turns at nine"])) == 1


def test_what_is_lost_in_a_smaller_compound_too_is_lost_for_no_limit() -> None:
    assert len(cut(longest=1, smaller=[HIGH_SAID])) == 1


def test_a_section_that_the_other_parts_do_not_fill_is_at_no_limit() -> None:
    context = case_of(TWO_TIDES, merged(tides="Gulls on the pier", ferry=FERRY_SAID), steady=["tides"])
    controls = {LOW_AND_FERRY: merged(tides=LOW_SAID, ferry=FERRY_SAID)}
    assert len(summaries(context, Office(LOW_OFFICE | controls))) == 1


@pytest.mark.parametrize(
    ("smaller", "is_accused"), [([HIGH_SAID], True), ([], False)], ids=["has its own item", "has no room for it either"]
)
def test_items_that_every_part_of_a_source_brings_may_leave_no_room_for_its_own(
    smaller: list[str], is_accused: bool
) -> None:
    of_all = ["Tide tables below", "Neaps on Friday", "Springs on Monday"]
    context = case_of(QUERY, merged(tides=of_all, ferry=FERRY_SAID), steady=["tides"])
    known = {"tides": frozenset(line_digest(line) for line in of_all)}
    context.check_input = replace(context.check_input, boilerplate=known)
    brought = {"high tide": bare("tides", *of_all, HIGH_SAID)}
    control = {"high tide and next ferry": merged(tides=[*of_all, *smaller], ferry=FERRY_SAID)}
    assert bool(summaries(context, Office(OFFICE | brought | control))) is is_accused


@pytest.mark.parametrize(
    ("query", "is_accused"),
    [
        pytest.param(QUERY, True, id="no part brings it"),
        pytest.param(query_of(HIGH, KNOTS, FERRY), False, id="what another part brings is not known"),
    ],
)
def test_what_stands_in_the_place_of_a_part_shows_that_there_was_room(query: Query, is_accused: bool) -> None:
    of_all = ["Tide tables below", "Neaps on Friday", "Springs on Monday"]
    there = merged(tides=[*of_all, "Gulls on the pier"], ferry=FERRY_SAID)
    context = case_of(query, there, steady=["tides"])
    known = {"tides": frozenset(line_digest(line) for line in of_all)}
    context.check_input = replace(context.check_input, boilerplate=known)
    said = {"high tide": bare("tides", *of_all, HIGH_SAID), SMALLER: there}
    lost = "part_differs: the section of tides holds nothing of what 'high tide' brings alone"
    assert (lost in summaries(context, Office(OFFICE | said))) is is_accused


@pytest.mark.parametrize(("smaller", "is_accused"), [([LICENCE], True), ([], False)], ids=["there", "at its end too"])
def test_a_line_at_the_end_of_each_answer_is_no_part_that_is_lost(smaller: list[str], is_accused: bool) -> None:
    context = case_of(QUERY, merged(tides="up", ferry=[FERRY_SAID, LICENCE]), steady=["tides"])
    known = {"tides": frozenset((line_digest("up"),))}
    context.check_input = replace(context.check_input, boilerplate=known)
    brought = {"high tide": bare("tides", "up", LICENCE)}
    control = {"high tide and next ferry": merged(tides=["up", *smaller], ferry=[FERRY_SAID, LICENCE])}
    assert bool(summaries(context, Office(OFFICE | brought | control))) is is_accused


def test_the_parts_of_the_only_two_sections_that_share_an_item_are_looked_into_first() -> None:
    query = query_of(HIGH, FERRY, BERTHS)
    strayed = merged(tides=HIGH_SAID, ferry=(HIGH_SAID, FERRY_SAID), harbour=BERTHS_SAID)
    assert [part.alone for part in sharing_parts(case_of(query, strayed))] == ["high tide", "next ferry"]
    assert sharing_parts(case_of(query, strayed, volatile=["tides"])) == ()


@pytest.mark.parametrize(
    "answer",
    [
        merged(tides=HIGH_SAID, ferry=FERRY_SAID, harbour=BERTHS_SAID),
        merged(tides=HIGH_SAID, ferry=(HIGH_SAID, FERRY_SAID), harbour=(FERRY_SAID, BERTHS_SAID)),
        merged(tides=(HIGH_SAID, LOW_SAID), ferry=(HIGH_SAID, LOW_SAID), harbour=BERTHS_SAID),
    ],
    ids=["nothing", "more sections", "more items"],
)
def test_sections_that_share_nothing_or_much_are_not(answer: Answer) -> None:
    assert sharing_parts(case_of(query_of(HIGH, FERRY, BERTHS), answer)) == ()


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("is the old harbour gate locked", "locked"),
        ("the old harbour gate", 'Smiths call the old harbour gate "the iron sail".'),
        ("the old harbour gate", "Smiths built the old harbour gate in the…"),
    ],
    ids=["a state that the question names", "the first line of an article", "the same cut short"],
)
def test_a_line_that_names_the_part_tells_that_something_of_it_is_there(asked: str, line: str) -> None:
    part = Part(PartKind.INTENT, asked, "harbour")
    office = Office({asked: bare("harbour", line, "Painted green in the spring of last year", "Two keys hang inside")})
    answer = merged(harbour=line, tides=HIGH_SAID)
    assert not compared(case_of(query_of(part, HIGH), answer), office).findings
    other = merged(harbour="Gulls nest on it", tides=HIGH_SAID)
    assert compared(case_of(query_of(part, HIGH), other), office).findings


@pytest.mark.parametrize(("said", "is_found"), [("tell me about it", False), ("tell me about rowing", True)])
def test_a_request_that_speaks_of_another_part_tells_nothing_alone(said: str, is_found: bool) -> None:
    query = query_of(PAIR, Part(PartKind.REQUEST, said))
    answer = merged(almanac=["Castor is a star", "Pollux shines brighter"], harbour=BERTHS_SAID)
    alone = {"Castor and Pollux": merged(almanac=["Castor is a star", "Pollux shines brighter"])}
    office = Office(alone | {said: bare("harbour", "Boats for hire by the hour")})
    assert bool(compared(case_of(query, answer), office).findings) is is_found


@pytest.mark.parametrize(
    ("among_others", "is_found"),
    [
        (merged(tides=["Low ebb at noon", "Slack at nine"], ferry=FERRY_SAID), False),
        (merged(tides="Gulls", ferry=FERRY_SAID), True),
        (bare("tides", "Gulls"), False),
        (merged(tides="Gulls", ferry="Nothing to report."), False),
    ],
    ids=["as the closest there is", "something else", "no compound, as the others have nothing to say", "nor here"],
)
@pytest.mark.parametrize("said", ["Nothing to report.", "Nothing to report.\nYou could:\n- Ask at the pier"])
def test_a_part_that_brings_nothing_alone_may_bring_something_among_others(
    among_others: Answer, is_found: bool, said: str
) -> None:
    query = query_of(HIGH, LOW, FERRY)
    answer = merged(tides=[HIGH_SAID, "Springs on Friday", LOW_SAID, "Slack at nine"], ferry=FERRY_SAID)
    office = Office(
        alone(high_tide=bare("tides", HIGH_SAID, "Springs on Friday"), next_ferry=bare("ferry", FERRY_SAID))
    )
    office.now["low tide"] = Answer(said, "tides", 10.0)
    office.now["low tide and next ferry and harbour lights"] = among_others
    office.now["high tide and next ferry"] = merged(tides=[HIGH_SAID, "Springs on Friday"], ferry=FERRY_SAID)
    assert bool(compared(case_of(query, answer), office).findings) is is_found


TIDES = {"high": HIGH_SAID, "low": LOW_SAID}


@pytest.mark.parametrize(
    ("section", "is_found"),
    [
        (["2 requests answered here", HIGH_SAID, LOW_SAID], False),
        (["3 requests answered here", HIGH_SAID, LOW_SAID], True),  # two parts share it
        (["Gate 2 of 2 is open", HIGH_SAID, LOW_SAID], True),
        ([HIGH_SAID, LOW_SAID, "2 requests answered here"], True),  # an item of its own, as it heads nothing
        (["- 2 gulls", HIGH_SAID, LOW_SAID], True),
    ],
)
def test_a_line_that_heads_a_section_with_the_number_of_its_parts_is_no_item(
    section: Sequence[str], is_found: bool
) -> None:
    office = Office(OFFICE | alone(low_tide=bare("tides", LOW_SAID)))
    office.now |= {f"{part} tide and next ferry": merged(tides=said, ferry=FERRY_SAID) for part, said in TIDES.items()}
    answer = merged(tides=section, ferry=FERRY_SAID)
    assert bool(compared(case_of(query_of(HIGH, LOW, FERRY), answer), office).findings) is is_found
