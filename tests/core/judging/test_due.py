"""What was due for a query and found no probe: whether an examination that found nothing says so."""

from itertools import permutations

import pytest

from selftest.core.generation.queries import Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput, parts_of
from selftest.core.judging.driving import drive
from selftest.core.judging.due import DueProbes
from selftest.core.judging.examination import examine
from selftest.core.judging.findings import CheckName
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.verdicts import Rules, Verdict
from tests.core.judging.relations.scripted import (
    BERTHS,
    BERTHS_SAID,
    CRASH,
    FERRY,
    FERRY_SAID,
    HIGH,
    HIGH_SAID,
    KNOTS,
    VOCABULARY,
    Office,
    bare,
    merged,
    query_of,
)

WHOLE_ANSWER = merged(tides=HIGH_SAID, ferry=FERRY_SAID, harbour=BERTHS_SAID)
ALONE = {
    "high tide": bare("tides", HIGH_SAID),
    "next ferry": bare("ferry", FERRY_SAID),
    "berths free": bare("harbour", BERTHS_SAID),
}
QUERIES = [query_of(*parts) for parts in permutations((HIGH, FERRY, BERTHS))]


def verdict(query: Query, answer: Answer, office: Office, rules: Rules | None = None) -> Verdict:
    return drive(examine(CheckInput(query, answer, VOCABULARY), rules or Rules()), office.reply)


@pytest.mark.parametrize("query", QUERIES)
def test_a_clean_answer_of_which_nothing_could_be_compared_is_unchecked(query: Query) -> None:
    said = verdict(query, WHOLE_ANSWER, Office())
    assert (said.findings, said.is_unchecked) == ((), True)


@pytest.mark.parametrize("query", QUERIES)
def test_a_clean_answer_whose_parts_were_compared_is_checked(query: Query) -> None:
    office = Office({**ALONE, query.text: WHOLE_ANSWER})
    said = verdict(query, WHOLE_ANSWER, office)
    assert (said.findings, said.is_unchecked) == ((), False)


def test_the_specification_alone_is_owed_no_probe() -> None:
    assert verdict(QUERIES[0], WHOLE_ANSWER, Office(), Rules(explains=False)).is_unchecked is False


def test_a_flagged_query_and_a_crash_claim_nothing_that_was_not_checked() -> None:
    doubled = merged(tides=[HIGH_SAID, HIGH_SAID], ferry=FERRY_SAID, harbour=BERTHS_SAID)
    assert verdict(QUERIES[0], doubled, Office()).is_unchecked is False
    off = Rules(off=frozenset({CheckName.CRASH}))
    assert verdict(QUERIES[0], CRASH, Office(), off) == Verdict()


def test_a_missing_source_that_nobody_could_ask_about_leaves_the_query_unchecked() -> None:
    query = query_of(HIGH, FERRY)
    said = verdict(query, merged(tides=HIGH_SAID), Office({query.text: merged(tides=HIGH_SAID)}))
    assert (said.findings, said.is_unchecked) == ((), True)


def test_where_nothing_is_due_nothing_is_unchecked() -> None:
    query = query_of(KNOTS, recipe="of a later version")
    assert verdict(query, bare("almanac", "A knot holds a rope"), Office()).is_unchecked is False


# --- by what became of each probe ---


def probe(purpose: Purpose = Purpose.PART, urgency: Urgency = Urgency.ROUTINE) -> Probe:
    return Probe("next ferry", purpose, urgency)


SOME_ANSWER = bare("ferry", FERRY_SAID)


@pytest.mark.parametrize(
    ("became", "are_unmet"),
    [
        ([], False),
        ([(probe(), SOME_ANSWER)], False),
        ([(probe(), None)], True),
        ([(probe(), None), (probe(), SOME_ANSWER)], False),  # one part was compared
        ([(probe(), None), (probe(Purpose.AGAIN), SOME_ANSWER)], True),  # and no part
        ([(probe(Purpose.ORDER), None), (probe(), SOME_ANSWER)], False),
        ([(probe(Purpose.ORDER), None)], True),
        ([(probe(urgency=Urgency.IF_KNOWN), None)], False),  # never worth a request
        ([(probe(), SOME_ANSWER), (probe(Purpose.CONTROL, Urgency.SUSPECT), None)], True),  # something stayed open
        ([(probe(), SOME_ANSWER), (probe(urgency=Urgency.EXPLAIN), None)], True),
    ],
)
def test_it_is_unmet_where_something_stays_open_or_no_part_was_compared(
    became: list[tuple[Probe, Answer | None]], are_unmet: bool
) -> None:
    due = DueProbes()
    for asked, answer in became:
        due.note(asked, answer)
    assert due.are_unmet is are_unmet


# --- what is overdue ---


@pytest.mark.parametrize("query", QUERIES)
def test_a_part_that_is_overdue_is_asked_more_urgently_than_any_other(query: Query) -> None:
    office = Office()
    verdict(query, WHOLE_ANSWER, office, Rules(overdue=frozenset({"next ferry"})))
    parts = {p.text: p.urgency for p in office.asked if p.purpose is Purpose.PART}
    assert parts.pop("next ferry") is Urgency.SUSPECT
    assert Urgency.SUSPECT not in parts.values()


def test_what_is_overdue_takes_no_turn_from_the_query_as_a_whole() -> None:
    def wholes(rules: Rules) -> list[list[Purpose]]:
        asked = []
        for query in QUERIES:
            office = Office(ALONE)
            verdict(query, WHOLE_ANSWER, office, rules)
            asked.append([p.purpose for p in office.asked if p.purpose is not Purpose.PART])
        return asked

    assert wholes(Rules(overdue=frozenset({"next ferry", "high tide"}))) == wholes(Rules())


def test_the_parts_of_queries_are_named_as_they_are_written() -> None:
    assert parts_of(QUERIES[:2], VOCABULARY) == {"high tide", "next ferry", "berths free"}
