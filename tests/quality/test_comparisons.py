"""A comparison shows nothing where two routers are alike, and each planted fault in at most two groups.

Queries, answers and volatile sources are the bundled router's; `--full` takes all faults.
"""

from collections.abc import Iterable

import pytest

from selftest.core.generation.queries import Query
from selftest.evaluation.core.answer_differences import DifferenceKind, seen
from selftest.evaluation.core.comparison import MOST_ROUNDS, ROUNDS, Compared, Group, groups, kept_differences
from selftest.measuring.observation import generated_queries
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.faults.registry import FAULTS
from selftest.targets.reference.target import ReferenceTarget

pytestmark = pytest.mark.slow("asks two routers")

VOCABULARY = reference_vocabulary()
Kind = DifferenceKind
KIND_OF = {
    "section_twice": Kind.FINDING_CAME,
    "empty_answer": Kind.FINDING_CAME,
    "failure_phrase_as_content": Kind.EMPTY,
    "exception_on_phrase": Kind.ERROR,
    "slow_path": Kind.LATENCY,
    "cache_not_suppressed": Kind.UNSTEADY,
    "last_section_comes_and_goes": Kind.UNSTEADY,
    "pair_vetoes_splitting": Kind.SOURCE,
    "clause_swallowed_after_third": Kind.SECTIONS,
    "last_item_cut_off": Kind.CONTENT,
}


def asked(before: ReferenceTarget, now: ReferenceTarget, query: Query) -> Compared:
    one = Compared(query, (), ())
    for number in range(MOST_ROUNDS):
        if number >= ROUNDS and not one.differences:
            break
        each = [seen(query, target.ask(query.text), VOCABULARY) for target in (before, now)]
        one = Compared(query, (*one.before, each[0]), (*one.now, each[1]))
    return one


def grouped(faults: Iterable[str], seed: int, queries: int) -> list[Group]:
    before, now = ReferenceTarget(), ReferenceTarget(faults=list(faults))
    try:
        compared = [asked(before, now, query) for query in generated_queries(VOCABULARY, seed, queries)]
    finally:
        before.close()
        now.close()
    return groups(compared, kept_differences(compared), VOCABULARY)


def test_a_router_against_itself_shows_nothing(is_full: bool) -> None:
    assert grouped((), 1, 500 if is_full else 120) == []


@pytest.mark.parametrize("fault", KIND_OF)
def test_a_fault_shows_in_one_group_or_two_of_its_kind(fault: str) -> None:
    found = grouped([fault], 2, 150)
    assert 1 <= len(found) <= 2
    assert found[0].leading.kind is KIND_OF[fault]
    assert all(len(group.members) <= group.queries for group in found), "no more differ than there are"


def test_every_other_fault_shows_in_one_group_or_two(is_full: bool) -> None:
    others = [fault for fault in FAULTS if fault not in KIND_OF]
    counts = {fault: len(grouped([fault], 2, 150)) for fault in (others if is_full else others[-3:])}
    assert {fault: count for fault, count in counts.items() if count not in (1, 2)} == {}
