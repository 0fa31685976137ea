"""Whether an answer shows one certain finding. Pure, and a generator like an examination.

The same as an examination would say, but whatever the query's turn is, and nothing is asked for the sake of other
checks.
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from types import MappingProxyType

from selftest.core.judging.answers import Answer
from selftest.core.judging.specified_checks import CheckInput, CheckName, Finding, findings
from selftest.core.judging.examination import Rules, examine
from selftest.core.judging.invariants import broken_invariants
from selftest.core.judging.probes import Probe, Urgency
from selftest.core.judging.relations.repetition import asked_twice, in_other_order, in_plain_words, joined_otherwise
from selftest.core.judging.context import ExaminationContext
from selftest.core.judging.relations.part_content import contents
from selftest.core.judging.relations.hidden import without_the_others
from selftest.core.judging.relations.part_presence import presence

Compared = Generator[Probe, Answer | None, Iterable[Finding]]
Seeking = Generator[Probe, Answer | None, bool]


def _contents(case: ExaminationContext) -> Compared:
    return (yield from contents(case, dict.fromkeys(case.parts, Urgency.SUSPECT))).findings


def _uncalled_or_in_plain_words_or_contents(case: ExaminationContext) -> Compared:
    uncalled = (yield from presence(case, Urgency.SUSPECT)).wonders(case)
    found = (uncalled,) if uncalled else (yield from in_plain_words(case))
    return found or (yield from _contents(case))


def _lost(case: ExaminationContext) -> Compared:
    lost = (yield from presence(case, Urgency.SUSPECT)).accuses(case) or (yield from without_the_others(case)).finding
    return () if lost is None else (lost,)


# What an examination compares by turns.
COMPARISONS: Mapping[CheckName, Callable[[ExaminationContext], Compared]] = MappingProxyType(
    {
        CheckName.PART_LOST: _lost,
        CheckName.PART_DIFFERS: _uncalled_or_in_plain_words_or_contents,
        CheckName.PAIR_BROKEN: _contents,
        CheckName.ORDER_MATTERS: in_other_order,
        CheckName.CONJUNCTION_MATTERS: joined_otherwise,
        CheckName.ASKED_TWICE_DIFFERS: asked_twice,
        CheckName.SYNTHETIC_QUERY_CACHED: asked_twice,
    }
)

# What the answer alone shows, and nothing that is asked besides could explain.
SEEN_AT_ONCE = frozenset(
    {
        CheckName.CRASH,
        CheckName.SOURCE_MISMATCH,
        CheckName.LATENCY_OUTLIER,
        CheckName.SECTION_REPEATED,
        CheckName.ITEM_REPEATED,
        CheckName.SECTION_BLANK,
        CheckName.TEXT_BEFORE_HEADER,
        CheckName.HEADER_UNKNOWN,
        CheckName.SOURCE_CONTRADICTS_SECTIONS,
        CheckName.PIECE_BLANK,
        CheckName.FRAME_DEBRIS,
    }
)

# Without their answers nothing is said; all others are asked for the sake of other checks.
DECISIVE = frozenset({Urgency.EXPLAIN, Urgency.SUSPECT})


def seek(asking: CheckInput, check: CheckName, rules: Rules) -> Seeking:
    """Whether this answer shows what `check` looks for. To each probe it is sent the answer, or None for none."""
    if check in COMPARISONS and asking.answer.error is None:
        found = yield from COMPARISONS[check](
            ExaminationContext(asking, rules.volatile, rules.steady, longest=rules.longest)
        )
        return _is_among(check, found)
    if check in SEEN_AT_ONCE:
        return _is_among(check, (*findings(asking), *broken_invariants(asking)))
    examination = examine(asking, rules, reproduces=False)
    try:
        probe = next(examination)
        while True:
            probe = examination.send((yield probe) if probe.urgency in DECISIVE else None)
    except StopIteration as over:
        return _is_among(check, over.value.findings)


def _is_among(check: CheckName, found: Iterable[Finding]) -> bool:
    return any(finding.check is check for finding in found)
