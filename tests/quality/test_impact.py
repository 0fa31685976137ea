"""A change of the vocabulary bears on every answer that it makes judged otherwise, whatever the router does wrong."""

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from selftest.core.generation.generator import Generator, introductions
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import parse_vocabulary
from selftest.core.insight.impact import Impact, Texts
from selftest.core.insight.what_if import AnsweredQuery, Terms, judge_twice
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput
from selftest.core.judging.driving import drive
from selftest.core.judging.examination import examine
from selftest.core.judging.latency import LatencyLimits
from selftest.core.judging.probes import Probe, Purpose
from selftest.core.judging.verdicts import Rules
from selftest.storage.target_clients import bundled_vocabulary
from selftest.targets.base import AUTO
from selftest.targets.reference.faults.registry import FAULTS
from selftest.targets.reference.target import ReferenceTarget

pytestmark = pytest.mark.slow("judges many answers twice")

QUERIES = 3  # with each fault
DOCUMENT: Any = json.loads(json.dumps(bundled_vocabulary()))
BEFORE = parse_vocabulary(DOCUMENT)
Change = Callable[[Any], None]


def with_a_phrase(document: Any) -> None:
    document["sources"]["news"].append("what is the deal with")


def without_a_phrase(document: Any) -> None:
    document["sources"]["uptime"].pop()


def with_another_first_phrase(document: Any) -> None:
    for phrases in document["sources"].values():
        phrases.reverse()


def with_another_second_phrase(document: Any) -> None:
    for phrases in document["sources"].values():
        phrases[1:] = reversed(phrases[1:])


def without_fallbacks(document: Any) -> None:
    document["fallbacks"] = {}


def with_a_fallback(document: Any) -> None:
    document["fallbacks"]["news"] = ["changes"]


def with_failure_phrases(document: Any) -> None:
    document["empty_phrases"] += ["Front door", "Saturday"]


def without_failure_phrases(document: Any) -> None:
    document["empty_phrases"] = []


def with_another_header(document: Any) -> None:
    document["headers"]["home"] = "[DOORS — AND WINDOWS]"


def with_other_joints(document: Any) -> None:
    document["conjunctions"].append(" besides ")


def with_other_seeds(document: Any) -> None:
    document["seeds"]["open_topics"] = ["the loom", *document["seeds"]["open_topics"]]


def with_items_for_each_part(document: Any) -> None:
    document["lists_items_once"] = not document.get("lists_items_once", False)


def with_signs_searched(document: Any) -> None:
    document["ignores_signs"] = not document.get("ignores_signs", False)


def with_text_before_headers(document: Any) -> None:
    document["opens_with_text"] = not document.get("opens_with_text", False)


def with_a_section_for_each_part(document: Any) -> None:
    document["sections_by_part"] = not document.get("sections_by_part", False)


def with_queries_held_together(document: Any) -> None:
    document["nosplit_holds_query"] = not document.get("nosplit_holds_query", False)


def with_a_source_not_compared(document: Any) -> None:
    document["presence_only"] = ["home"]


CHANGES: tuple[Change, ...] = (
    with_a_phrase,
    without_a_phrase,
    with_another_first_phrase,
    with_another_second_phrase,
    without_fallbacks,
    with_a_fallback,
    with_failure_phrases,
    without_failure_phrases,
    with_another_header,
    with_other_joints,
    with_other_seeds,
    with_items_for_each_part,
    with_signs_searched,
    with_queries_held_together,
    with_text_before_headers,
    with_a_section_for_each_part,
    with_a_source_not_compared,
)


@pytest.fixture(scope="module")
def examined() -> list[tuple[Query, Answer, dict[tuple[str, str, int], tuple[Probe, Answer]]]]:
    """Queries with their answers, and all that their examinations asked besides, by text, name and how-manieth."""
    generator = Generator(BEFORE, introductions(BEFORE, 1, {}), list(RECIPES.values()), {}, 5)
    drawn = generator.next_queries(QUERIES * len(FAULTS))
    found = []
    for number, fault in zip(count(step=QUERIES), FAULTS, strict=False):
        router = ReferenceTarget(faults=(fault,), empty_rate=0.2, seed=number, sleep=lambda seconds: None)
        for query in drawn[number : number + QUERIES]:
            answer = router.ask(query.text)
            asked: dict[tuple[str, str, int], tuple[Probe, Answer]] = {}

            def reply(probe: Probe, asked: Any = asked, router: ReferenceTarget = router) -> Answer:
                key = probe.text, probe.only, probe.fresh
                return asked.setdefault(key, (probe, router.ask(probe.text, probe.only or AUTO)))[1]  # type: ignore[no-any-return]

            drive(examine(CheckInput(query, answer, BEFORE), Rules()), reply)
            found.append((query, answer, asked))
        router.close()
    return found


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_judged_otherwise_is_borne_on(change: Change, examined: Any) -> None:
    document = json.loads(json.dumps(DOCUMENT))
    change(document)
    after = parse_vocabulary(document)
    impact = Impact(BEFORE, after)
    limits = LatencyLimits()
    missed, borne = [], 0
    for query, answer, asked in examined:

        def kept(probe: Probe, asked: Any = asked) -> Answer | None:
            known: tuple[Any, Answer] | None = asked.get((probe.text, probe.only, probe.fresh))
            return known and known[1]

        bears = (
            impact.is_everywhere
            or impact.bears_on_query(query, answer.source_used)
            or impact.bears_on_text(answer.result)
            or any(impact.bears_on_text(other.result) for _, other in asked.values())
            or (impact.is_of_conjunctions and any(probe.purpose is Purpose.CONJUNCTION for probe, _ in asked.values()))
            or (impact.is_of_the_slow and answer.latency_ms > limits.floor_ms)
        )
        judged = judge_twice(
            AnsweredQuery(query, answer, ()), Terms(BEFORE, limits, Rules()), Terms(after, limits, Rules()), kept
        )
        borne += bears
        if (judged.come or judged.go) and not bears:
            missed.append((query.text, judged))
    assert missed == []
    assert borne < len(examined) or impact.is_everywhere


def test_what_an_examination_asks_of_parts_is_known_as_such(examined: Any) -> None:
    """So an earlier asking of the same, for another query, is found."""
    missed = [
        (query.text, probe.text)
        for query, _, asked in examined
        for probe, _ in asked.values()
        if probe.purpose in (Purpose.PART, Purpose.CONTROL)
        if not Texts([probe.text]).may_be_asked_for(query, BEFORE)
    ]
    assert missed == []
