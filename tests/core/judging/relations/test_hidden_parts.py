"""Parts whose section another one hides: asked without the others, nothing of them may be lost."""

from selftest.core.generation.queries import Part, PartKind
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import ExaminationContext
from selftest.core.judging.probes import Purpose, Urgency
from selftest.core.judging.relations.part_presence import hidden_parts, without_the_others
from tests.core.judging.relations.scripted import (
    BERTHS,
    BERTHS_SAID,
    CRASH,
    FERRY,
    FERRY_SAID,
    HIGH,
    HIGH_SAID,
    LOW,
    LOW_SAID,
    Office,
    bare,
    case_of,
    merged,
    query_of,
)

LAST_FERRY = Part(PartKind.INTENT, "last ferry", "ferry")
MOORING = Part(PartKind.INTENT, "where to moor", "harbour")
FULL = Part(PartKind.INTENT, "is the harbour full", "harbour")
QUERY = query_of(HIGH, FERRY, BERTHS, LOW, LAST_FERRY, MOORING, FULL)
APART = "is the harbour full plus where to moor plus last ferry plus low tide"
WHOLE = merged(tides=(HIGH_SAID, LOW_SAID), ferry=(FERRY_SAID, "Last at ten"), harbour=(BERTHS_SAID, "At the pier"))
PART_ANSWERS = {"last ferry": bare("ferry", "Last at ten"), "low tide": bare("tides", LOW_SAID)}


def texts(parts: list[Part] | tuple[Part, ...]) -> list[str]:
    return [part.alone for part in parts]


def test_of_each_source_all_parts_but_the_first_are_hidden() -> None:
    expected = ["low tide", "last ferry", "where to moor", "is the harbour full"]
    assert texts(hidden_parts(case_of(QUERY, WHOLE))) == expected
    assert texts(hidden_parts(case_of(QUERY, WHOLE, volatile=["harbour"]))) == ["low tide", "last ferry"]


def test_what_a_condition_names_hides_every_part_of_that_source() -> None:
    condition = Part(PartKind.CONDITION, "if the high tide is late")
    assert texts(hidden_parts(case_of(query_of(LOW, FERRY, condition), WHOLE))) == ["low tide"]


def test_they_are_asked_at_once_without_the_others_and_the_last_comes_first() -> None:
    office = Office({APART: merged(harbour="At the pier", ferry="Last at ten", tides=LOW_SAID)})
    found = office.answer(without_the_others(case_of(QUERY, WHOLE)))
    (probe,) = office.asked
    assert (probe.text, probe.purpose, probe.urgency) == (APART, Purpose.FEWER, Urgency.WORTHWHILE)
    assert (found.finding, found.doubtful) == (None, ())


def test_one_that_is_lost_where_nothing_hides_it_is_found() -> None:
    office = Office({APART: merged(harbour="At the pier", ferry="Last at ten"), **PART_ANSWERS})
    found = office.answer(without_the_others(case_of(QUERY, WHOLE)))
    assert found.finding is not None
    assert found.finding.reason == f"part_lost: alone 'low tide' is answered by tides; not in {APART!r}"
    assert {shown.text for shown in found.finding.asked} == {APART, "low tide"}
    assert found.query is not None
    assert found.query.text == APART


def test_one_that_is_empty_alone_too_is_not_lost() -> None:
    nothing = Answer("Nothing to report.", "tides", 10.0)
    office = Office({APART: merged(harbour="At the pier", ferry="Last at ten"), "low tide": nothing})
    assert office.answer(without_the_others(case_of(QUERY, WHOLE))).finding is None


def test_those_that_bring_what_is_not_among_the_others_are_doubtful() -> None:
    answer = merged(tides=HIGH_SAID, ferry=(FERRY_SAID, "Last at ten"), harbour=(BERTHS_SAID, "At the pier"))
    office = Office({APART: merged(harbour="At the pier", ferry="Last at ten", tides=LOW_SAID)})
    assert texts(office.answer(without_the_others(case_of(QUERY, answer))).doubtful) == ["low tide"]
    spared = office.answer(without_the_others(case_of(QUERY, answer, volatile=["tides"])))
    assert spared.doubtful == ()


def test_without_an_answer_nothing_is_said() -> None:
    for office in (Office(), Office({APART: CRASH})):
        found = office.answer(without_the_others(case_of(QUERY, WHOLE)))
        assert (found.finding, found.doubtful) == (None, ())


def test_of_few_nobody_asks() -> None:
    office = Office()
    context: ExaminationContext = case_of(query_of(HIGH, FERRY, LOW, LAST_FERRY), WHOLE)
    office.answer(without_the_others(context))
    assert office.asked == []
