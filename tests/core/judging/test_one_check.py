"""One certain finding is looked for: whatever the query's turn is, and no probe is asked for the sake of others."""

from collections.abc import Callable

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput
from selftest.core.judging.driving import drive
from selftest.core.judging.examination import examine
from selftest.core.judging.findings import CheckName
from selftest.core.judging.probes import Probe
from selftest.core.judging.verdicts import Rules

TIDES = "[TIDES — HOURS AND HEIGHTS]\n- 11:20, 4.1 m"
BERTHS = "[HARBOUR — BERTHS AND LIGHTS]\n- three at the quay"
BOTH = f"{TIDES}\n---\n{BERTHS}"
QUERIES = [
    Query("multi_intent_chain", (Part(PartKind.INTENT, tide, "tides"), joint, Part(PartKind.INTENT, berth, "harbour")))
    for tide in ("high tide", "low tide")
    for berth in ("harbour lights", "berths free")
    for joint in (Part(PartKind.CONJUNCTION, " and "), Part(PartKind.CONJUNCTION, " plus "))
]  # eight, so that not all of them have the same turn

Ask = Callable[[str], Answer]


def merged(text: str) -> Answer:
    return Answer(text, "digest", 20.0)


def sought(query: Query, check: CheckName, vocabulary: Vocabulary, ask: Ask) -> tuple[bool, list[Probe]]:
    """What came of it, and the probes that were asked for."""
    probes: list[Probe] = []

    def reply(probe: Probe) -> Answer:
        probes.append(probe)
        return ask(probe.text)

    given = CheckInput(query, ask(query.text), vocabulary)
    return bool(drive(examine(given, Rules(), only=check), reply).findings), probes


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.text)
def test_an_order_that_matters_is_found_whosever_turn_it_is(query: Query, small: Vocabulary) -> None:
    def ask(text: str) -> Answer:
        return merged(BOTH if text.startswith(("high tide", "low tide")) else TIDES)

    found, probes = sought(query, CheckName.ORDER_MATTERS, small, ask)
    assert found
    assert {probe.purpose for probe in probes} <= {"order", "again"}


@pytest.mark.parametrize("query", QUERIES[:2], ids=lambda query: query.text)
def test_an_order_that_does_not_matter_is_not_found(query: Query, small: Vocabulary) -> None:
    assert not sought(query, CheckName.ORDER_MATTERS, small, lambda text: merged(BOTH))[0]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.text)
def test_a_lost_part_is_found_with_the_probes_that_decide_and_no_others(query: Query, small: Vocabulary) -> None:
    berth = query.parts[2].text

    def ask(text: str) -> Answer:
        return Answer("- three at the quay", "harbour", 20.0) if text == berth else merged(TIDES)

    found, probes = sought(query, CheckName.PART_LOST, small, ask)
    assert found
    assert {probe.text for probe in probes} == {berth}


def test_a_section_that_no_part_brings_alone_is_found(small: Vocabulary) -> None:
    almanac = f"{small.headers['almanac']}\n- Castor is a star"

    def ask(text: str) -> Answer:
        parts = [said for said, word in ((TIDES, "tide"), (BERTHS, "harbour")) if word in text]
        return merged("\n---\n".join([*parts, almanac] if len(parts) > 1 else parts))

    assert sought(QUERIES[0], CheckName.PART_DIFFERS, small, ask)[0]
    assert not sought(QUERIES[0], CheckName.PART_DIFFERS, small, lambda text: merged(BOTH))[0]


def test_what_the_answer_alone_shows_asks_nobody(small: Vocabulary) -> None:
    twice = merged(f"{TIDES}\n---\n{BERTHS}\n---\n{TIDES}")
    assert sought(QUERIES[0], CheckName.SECTION_REPEATED, small, lambda text: twice) == (True, [])
    assert sought(QUERIES[0], CheckName.ITEM_REPEATED, small, lambda text: merged(BOTH)) == (False, [])


def test_a_crash_shows_itself_and_nothing_else(small: Vocabulary) -> None:
    crash = Answer("", "", 20.0, error="IndexError")
    for check in CheckName:
        assert sought(QUERIES[0], check, small, lambda text: crash) == (check is CheckName.CRASH, [])
