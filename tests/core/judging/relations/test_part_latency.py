"""Which part of a slow query is slow, by scripted latencies (ms)."""

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import parse_vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import Finding
from selftest.core.judging.probes import Urgency
from selftest.core.judging.relations.part_latency import no_slow_part
from tests.core.judging.relations.scripted import (
    BERTHS,
    FERRY,
    HIGH,
    HIGH_SAID,
    Office,
    bare,
    case_of,
    merged,
    query_of,
)
from tests.vocabularies import small_document

DOCUMENT = small_document()
DOCUMENT["sources"]["tides"] += ["spring tide", "neap tide"]
TIDAL = parse_vocabulary(DOCUMENT)
QUERY = query_of(FERRY, BERTHS, HIGH)
SLOW_MS = 1800.0


def slow(text: str, latency_ms: float = SLOW_MS) -> dict[str, Answer]:
    return {text: bare("tides", HIGH_SAID, latency_ms=latency_ms)}


def quick(*texts: str) -> dict[str, Answer]:
    return {text: bare("tides", HIGH_SAID, latency_ms=40.0) for text in texts}


HALVES = quick("next ferry", "berths free")
ALIKE = quick("low tide", "spring tide")


def found(
    office: Office, query: Query = QUERY, history_ms: tuple[float, ...] = (), **changed: float
) -> tuple[Finding, ...]:
    answer = merged(tides=HIGH_SAID, latency_ms=changed.get("latency_ms", SLOW_MS))
    return office.answer(no_slow_part(case_of(query, answer, TIDAL, history_ms=history_ms)))


def test_the_slow_part_is_found_by_halves_and_held_against_its_like() -> None:
    office = Office({**HALVES, **slow("high tide"), **ALIKE})
    (finding,) = found(office)
    assert finding.reason == "part_slow: 'high tide' takes 1800 ms alone, its like 40 ms at most"
    assert finding.promised == "at most 1000 ms, as long as other phrases of tides"
    assert finding.seen == "1800 ms alone; 'low tide' 40 ms, 'spring tide' 40 ms"
    asked = [probe.text for probe in office.asked if probe.urgency is not Urgency.IF_KNOWN]
    assert asked == ["next ferry", "berths free", "high tide", "high tide", "low tide", "spring tide", "spring tide"]
    assert office.asked[-1].fresh == 1


def test_a_part_that_is_slow_only_once_is_spared() -> None:
    woken = {"high tide": [slow("high tide")["high tide"], quick("high tide")["high tide"]]}
    assert found(Office({**HALVES, **woken, **ALIKE})) == ()


@pytest.mark.parametrize(
    "answer",
    [
        bare("ferry", "Sails at high water", latency_ms=SLOW_MS),
        merged(tides=HIGH_SAID, ferry="Sails at high water", latency_ms=SLOW_MS),
        bare("tides", "Nothing to report.", latency_ms=SLOW_MS),
    ],
    ids=["in its place", "as well", "none does"],
)
def test_a_part_that_its_source_does_not_answer_alone_is_not_held_against_those_of_its_own(answer: Answer) -> None:
    assert found(Office({**HALVES, "high tide": answer, **ALIKE})) == ()


def test_a_long_phrase_is_not_held_against_short_ones() -> None:
    long = Part(PartKind.INTENT, " ".join(["high tide at the pier by the old customs house"] * 3), "tides")
    query = query_of(FERRY, BERTHS, long)
    assert found(Office({**HALVES, **slow(long.text), **ALIKE}), query) == ()


def test_a_part_that_is_known_to_be_quick_is_no_suspect() -> None:
    office = Office({**slow("high tide"), **ALIKE}, kept=quick("next ferry", "berths free"))
    assert len(found(office)) == 1
    assert "berths free plus high tide" not in office.texts


def test_a_source_of_which_every_phrase_is_slow_is_spared() -> None:
    office = Office({**HALVES, **slow("high tide"), **slow("low tide", 1500.0), **slow("spring tide", 1600.0)})
    assert found(office) == ()


def test_a_part_whose_like_are_slow_now_too_is_spared() -> None:
    earlier = quick("next ferry", "berths free", "low tide", "spring tide")
    office = Office(now={**slow("high tide"), **slow("spring tide")}, kept=earlier)
    assert found(office) == ()


def test_one_slow_phrase_of_its_like_moves_the_limit() -> None:
    office = Office({**HALVES, **slow("high tide", 3601.0), **slow("low tide", 1200.0), **quick("spring tide")})
    (finding,) = found(office)
    assert finding.promised == "at most 3600 ms, as long as other phrases of tides"  # twice one and a half times 1200


def test_a_part_that_is_quick_alone_is_spared() -> None:
    assert found(Office({**HALVES, **quick("high tide"), **ALIKE})) == ()


@pytest.mark.parametrize("latency_ms", [40.0, 1000.0])
def test_a_query_that_is_not_slow_is_asked_nothing_for(latency_ms: float) -> None:
    office = Office()
    assert found(office, latency_ms=latency_ms) == ()
    assert office.asked == []


def test_a_recipe_that_is_always_slow_is_asked_nothing_for() -> None:
    office = Office()
    assert found(office, history_ms=(1700.0, 1750.0, 1800.0)) == ()
    assert office.asked == []


def test_a_cached_answer_is_asked_nothing_for() -> None:
    office = Office()
    cached = Answer("x", "digest", SLOW_MS, cached=True)
    assert office.answer(no_slow_part(case_of(QUERY, cached, TIDAL))) == ()
    assert office.asked == []


def test_without_another_phrase_to_hold_it_against_nothing_is_said() -> None:
    assert found(Office({**HALVES, **slow("high tide"), **quick("low tide")})) == ()
    assert found(Office({**slow("next ferry")}), query_of(FERRY)) == ()  # the only phrase of its source


def test_where_a_half_may_not_be_asked_nothing_is_said() -> None:
    office = Office(quick("next ferry"))
    assert found(office) == ()
