"""Profile v1: the specification's rules and thresholds, and nothing else. Pure.

Claims: the same target and subject, opposite valence by negation markers. Feedback: the same last segment, opposite
directives, where a negation dominates, and a Jaccard overlap of the words that matter of at least 0.3.
"""

import re

from selftest.findings.core.beliefs import Belief, Rule, Why
from selftest.findings.core.categories import Scope, subject_of

LEAST_OVERLAP = 0.3  # the specification: 0.4 missed a rule with a rationale behind it
PLURAL_FROM = 4  # letters

NEGATED_CLAIM = (
    *("cannot", "can't", "can not", "could not", "couldn't", "does not", "doesn't", "do not", "don't", "did not"),
    *("didn't", "is not", "isn't", "are not", "aren't", "was not", "wasn't", "will not", "won't", "has no", "have no"),
    *("not supported", "unsupported", "not available", "unavailable", "not able", "unable", "impossible", "blocked"),
    *("fails", "failed", "fail", "never", "no longer", "not possible", "not allowed", "forbidden", "refuses", "lacks"),
)
NEGATIVE_DIRECTIVE = (
    *("never", "avoid", "stop", "don't", "do not", "must not", "mustn't", "should not", "shouldn't", "no longer"),
    *("refrain from", "cannot", "can't"),
)
AFFIRMATIVE_DIRECTIVE = ("always", "prefer", "use", "must", "ensure", "make sure")
_STOP_WORDS = """
    a about after all also an and any are as at be been before being both but by can do does each every few
    for from had has have he her here him his how i if in into is it its just like me more most my no not now
    of off on once one only or other our out over own please same she should so some such than that the their
    them then there these they this those through to too under until up very was we were what when where which
    while who why will with without would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
DIRECTIVE_WORDS = frozenset(" ".join((*NEGATIVE_DIRECTIVE, *AFFIRMATIVE_DIRECTIVE)).split())


def compare(older: Belief, newer: Belief) -> Why:
    """Whether these contradict each other by the specification."""
    one, other = subject_of(older.category), subject_of(newer.category)
    if one is None or other is None:
        return Why(Rule.OUT_OF_SCOPE)
    if one != other:
        return Why(Rule.OTHER_SUBJECT)
    return _claims(older, newer) if one.scope is Scope.CLAIM else _feedback(older, newer)


def _claims(older: Belief, newer: Belief) -> Why:
    said = [_markers(belief.content, NEGATED_CLAIM) for belief in (older, newer)]
    rule = Rule.SAME_DIRECTION if bool(said[0]) == bool(said[1]) else Rule.OPPOSITE_CLAIM
    shared, overlap = _overlap(older.content, newer.content)
    return Why(rule, shared, said[0], said[1], overlap)


def _feedback(older: Belief, newer: Belief) -> Why:
    forbidden = [_markers(belief.content, NEGATIVE_DIRECTIVE) for belief in (older, newer)]
    wanted = [_markers(belief.content, AFFIRMATIVE_DIRECTIVE) for belief in (older, newer)]
    said = [no or yes for no, yes in zip(forbidden, wanted, strict=True)]
    shared, overlap = _overlap(older.content, newer.content)
    if not all(said):
        rule = Rule.NO_DIRECTIVE
    elif bool(forbidden[0]) == bool(forbidden[1]):
        rule = Rule.SAME_DIRECTION
    else:
        rule = Rule.OPPOSITE_DIRECTIVE if overlap >= LEAST_OVERLAP else Rule.TOO_LITTLE_IN_COMMON
    return Why(rule, shared, said[0], said[1], overlap)


def _markers(text: str, markers: tuple[str, ...]) -> tuple[str, ...]:
    said = " ".join(re.findall(r"[\w']+", text.lower()))
    return tuple(marker for marker in markers if f" {marker} " in f" {said} ")


def _overlap(one: str, other: str) -> tuple[tuple[str, ...], float]:
    first, second = _words(one), _words(other)
    shared = first & second
    return tuple(sorted(shared)), len(shared) / len(first | second) if shared else 0.0


def _words(text: str) -> set[str]:
    """Those that matter, without a plural's s."""
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)?", text.lower())
    kept = (word for word in words if word not in STOP_WORDS and word not in DIRECTIVE_WORDS)
    return {word[:-1] if len(word) >= PLURAL_FROM and word.endswith("s") else word for word in kept}
