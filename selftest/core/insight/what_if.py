"""What other rules, limits or another vocabulary would have made of an answer: judged by both, side by side.

Pure: asks no target. Probes that a judgement wants are answered from what the caller has kept.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput, ExaminationContext
from selftest.core.judging.driving import drive
from selftest.core.judging.examination import examine
from selftest.core.judging.findings import SPECIFIED, CheckName, Finding
from selftest.core.judging.latency import LatencyLimits
from selftest.core.judging.probes import Probe
from selftest.core.judging.relations.part_latency import no_slow_part
from selftest.core.judging.specified_checks import latency_outlier
from selftest.core.judging.verdicts import Rules

UNSPECIFIED = frozenset(CheckName) - frozenset(SPECIFIED)
OF_LIMITS = frozenset({CheckName.LATENCY_OUTLIER, CheckName.PART_SLOW})

Kept = Callable[[Probe], Answer | None]


@dataclass(frozen=True)
class Terms:
    """What answers are judged by."""

    vocabulary: Vocabulary
    limits: LatencyLimits
    rules: Rules

    def differ_in_limits_alone(self, other: "Terms") -> bool:
        """Whether no answer has to be read again to tell what changes."""
        return self.vocabulary is other.vocabulary and self.rules == other.rules

    def judge_texts_alike(self, other: "Terms") -> bool:
        """Whether they differ in limits and in the checks that are on at most."""
        same_rules = replace(self.rules, off=frozenset()) == replace(other.rules, off=frozenset())
        return self.vocabulary is other.vocabulary and same_rules

    def checks_switched_off_by(self, other: "Terms") -> frozenset[CheckName]:
        """The checks whose findings `other` passes over, where nothing else but limits differs; else empty."""
        if self.vocabulary is not other.vocabulary:
            return frozenset()
        if not self.rules.off <= other.rules.off or (other.rules.explains and not self.rules.explains):
            return frozenset()
        specified_only = UNSPECIFIED if self.rules.explains and not other.rules.explains else frozenset()
        return (other.rules.off | specified_only) - self.rules.off


@dataclass(frozen=True)
class AnsweredQuery:
    """A query, its answer, and the earlier latencies of its recipe, oldest first, without its own."""

    query: Query
    answer: Answer
    history_ms: Sequence[float]


@dataclass(frozen=True)
class Judgements:
    """The findings on one answer, by the one terms and by the other.

    lacks_more: the other ones wanted a probe that was never sent, and that the one did not want.
    """

    before: tuple[Finding, ...] = ()
    after: tuple[Finding, ...] = ()
    lacks_more: bool = False

    @property
    def come(self) -> tuple[Finding, ...]:
        """Those that only the other terms find."""
        return _without(self.after, {found.check for found in self.before})

    @property
    def go(self) -> tuple[Finding, ...]:
        """Those that only the one terms find."""
        return _without(self.before, {found.check for found in self.after})


def judge_twice(asked: AnsweredQuery, before: Terms, after: Terms, kept: Kept) -> Judgements:
    """By both terms; what they have in common is judged once. Nothing is asked again because of what is found."""
    kept_before, kept_after = _Noting(kept), _Noting(kept)
    if not before.judge_texts_alike(after):
        found_before, found_after = _judge(asked, before, kept_before), _judge(asked, after, kept_after)
        return Judgements(found_before, found_after, kept_after.lacks_more_than(kept_before))
    off = before.rules.off & after.rules.off  # a check that is off only loses its findings
    found = _judge(asked, replace(before, rules=replace(before.rules, off=off)), kept_before)
    if before.limits == after.limits:
        return Judgements(_without(found, before.rules.off), _without(found, after.rules.off))
    timed = _judge_time(asked, after, kept_after)
    found_after = (*_without(found, after.rules.off | OF_LIMITS), *timed)
    return Judgements(_without(found, before.rules.off), found_after, kept_after.lacks_more_than(kept_before))


def judge_times_twice(asked: AnsweredQuery, before: Terms, after: Terms, kept: Kept) -> Judgements:
    """Of both only the findings OF_LIMITS, for which the answer's text is not needed."""
    kept_before, kept_after = _Noting(kept), _Noting(kept)
    found_before, found_after = _judge_time(asked, before, kept_before), _judge_time(asked, after, kept_after)
    return Judgements(found_before, found_after, kept_after.lacks_more_than(kept_before))


class _Noting:
    """Notes what is wanted and not there."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._lacked: set[Probe] = set()

    def __call__(self, wanted: Probe) -> Answer | None:
        answer = self._kept(wanted)
        if answer is None:
            self._lacked.add(wanted)
        return answer

    def lacks_more_than(self, other: "_Noting") -> bool:
        return not self._lacked <= other._lacked


def _judge(asked: AnsweredQuery, terms: Terms, kept: Kept) -> tuple[Finding, ...]:
    return drive(examine(_check_input(asked, terms), terms.rules, reproduces=False), kept).findings


def _judge_time(asked: AnsweredQuery, terms: Terms, kept: Kept) -> tuple[Finding, ...]:
    if asked.answer.error is not None:
        return ()
    given = _check_input(asked, terms)
    outlier = latency_outlier(given)
    found: tuple[Finding, ...] = () if outlier is None else (outlier,)
    if terms.rules.explains and CheckName.PART_SLOW not in terms.rules.off:
        found += drive(no_slow_part(ExaminationContext(given)), kept)
    return _without(found, terms.rules.off)


def _check_input(asked: AnsweredQuery, terms: Terms) -> CheckInput:
    return CheckInput(asked.query, asked.answer, terms.vocabulary, asked.history_ms, terms.limits)


def _without(findings: tuple[Finding, ...], checks: Collection[CheckName]) -> tuple[Finding, ...]:
    return tuple(found for found in findings if found.check not in checks)
