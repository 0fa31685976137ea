"""Pairs that a save has no rule for: other words for the same thing, or the same thing under another subject. Pure.

What is found here is proposed to a person and never done by itself.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from selftest.findings.core.beliefs import Belief, Why
from selftest.findings.core.categories import Scope, Subject, subject_of
from selftest.findings.core.improved import compare_texts, opposite_in_other_words
from selftest.findings.core.statements import clauses_of

LEAST_SHARED = 2  # words: with one in common, nearly all are pairs
MOST_ALIKE = 50  # findings that hold a word; a commoner one tells nothing


def near_misses(beliefs: Mapping[int, Belief]) -> Iterator[tuple[int, int, Why]]:
    """(older, newer, why) of each pair; numbers tell which is newer."""
    for older, newer in _pairs_with_words_in_common(beliefs):
        why = _near_miss(beliefs[older], beliefs[newer])
        if why is not None:
            yield older, newer, why


def _near_miss(older: Belief, newer: Belief) -> Why | None:
    one, other = subject_of(older.category), subject_of(newer.category)
    if one is None or other is None or not _may_be_the_same(one, other):
        return None
    if one.key == other.key:
        return opposite_in_other_words(older, newer, one.scope)
    why = compare_texts(older, newer, one.scope)
    return why if why.is_contradiction and len(why.shared) >= LEAST_SHARED else None


def _may_be_the_same(one: Subject, other: Subject) -> bool:
    """Claims of one target, or feedback."""
    if one.scope is not other.scope:
        return False
    return one.scope is Scope.FEEDBACK or one.path.partition("/")[0] == other.path.partition("/")[0]


def _pairs_with_words_in_common(beliefs: Mapping[int, Belief]) -> list[tuple[int, int]]:
    holding: dict[str, list[int]] = defaultdict(list)
    for number in sorted(beliefs):
        subject = subject_of(beliefs[number].category)
        if subject is not None:
            clauses = clauses_of(beliefs[number].content, subject.scope)
            for stem in {term.stem for clause in clauses for term in clause.terms}:
                holding[stem].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in holding.values():
        if len(numbers) <= MOST_ALIKE:
            shared.update((older, newer) for place, newer in enumerate(numbers) for older in numbers[:place])
    return sorted(pair for pair, words in shared.items() if words >= LEAST_SHARED)
