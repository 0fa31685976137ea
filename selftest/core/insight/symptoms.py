"""A flag as causes look at it: what it is a symptom of, and which parts of the query it may be about. Pure.

Several findings of one run often have one root: where a section is blank, its part is lost too.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from selftest.core.insight.predicates import FindingShape, Places, Predicate, QueryShape, bit, told_of
from selftest.core.judging.context import StandalonePart, standalone_part
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding

ROUTING = "routing"  # which source answers which part: a mistake there shows in many checks
EMPTY = "empty"  # a failure phrase instead of an answer
TIME = "time"
OF_ROUTING = frozenset(
    {
        CheckName.SOURCE_MISMATCH,
        CheckName.PART_COUNT_MISMATCH,
        CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX,
        CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS,
        CheckName.PART_LOST,
        CheckName.PART_DIFFERS,
        CheckName.PAIR_BROKEN,
        CheckName.ORDER_MATTERS,
        CheckName.CONJUNCTION_MATTERS,
    }
)
OF_WORDING = frozenset({CheckName.ORDER_MATTERS, CheckName.CONJUNCTION_MATTERS})
OF_TIME = frozenset({CheckName.LATENCY_OUTLIER, CheckName.PART_SLOW})
# How an answer is put together is no matter of single parts, but for what stands in a section.
OF_PARTS = frozenset({ROUTING, EMPTY, TIME, CheckName.ITEM_REPEATED})
WITHOUT_HEADERS = frozenset({DiscrepancyKind.NO_HEADERS, DiscrepancyKind.UNFINISHED_HEADER})
WITHOUT_ANSWER = frozenset({DiscrepancyKind.NO_ANSWER, DiscrepancyKind.BLANK_ANSWER})
TOO_MUCH = frozenset({DiscrepancyKind.FOREIGN_SUBJECT, DiscrepancyKind.EXTRA_ITEMS})
ERROR_CHARACTERS = 80


@dataclass(frozen=True)
class SeenFlag:
    """key: of the flag's row. symptom: what it is compared with. suspects: the parts of the query that it may be of.

    is_firm: whether it went wrong in this query as it was asked, and not in another wording of it. told: what is said
    of its finding.
    """

    key: int
    symptom: str
    suspects: Places
    is_firm: bool = True
    told: tuple[Predicate, ...] = ()


@dataclass(frozen=True)
class SeenRun:
    """An answered query with its flags; clean without."""

    shape: QueryShape
    flags: tuple[SeenFlag, ...] = ()


def seen_run(shape: QueryShape, findings: Sequence[tuple[int, Finding]]) -> SeenRun:
    """findings: each with the key of its flag."""
    if not findings:
        return SeenRun(shape)
    parts = [standalone_part(clause, shape.vocabulary) for clause in shape.query.clauses]
    every = [finding for _, finding in findings]
    flags = []
    for key, finding in findings:
        root = _root_of(finding, every)
        symptom = _symptom_of(root)
        is_firm = root.check not in OF_WORDING
        named = _named_in(finding, parts)
        suspects = 0
        if symptom in OF_PARTS:
            suspects = named if root is finding else _named_in(root, parts)
        told = told_of(_finding_shape(finding, named, shape.every))
        flags.append(SeenFlag(key, symptom, suspects or shape.every, is_firm, told))
    return SeenRun(shape, tuple(flags))


def _finding_shape(finding: Finding, named: Places, every: Places) -> FindingShape:
    parts = (part for each in (finding, *finding.also) for part in each.evidence.parts)
    return FindingShape(
        finding.check,
        tuple(sorted(_sources(finding))),
        named,
        every,
        tuple(dict.fromkeys(parts)) if finding.check is CheckName.PART_LOST else (),
        _without_numbers(finding.seen) if finding.evidence.kind is DiscrepancyKind.NO_ANSWER else "",
    )


def with_common_roots(runs: Iterable[SeenRun]) -> list[SeenRun]:
    """The same where empty answers and wrong routing come together: what mostly comes alone brings the other about."""
    seen = list(runs)
    alone: Counter[str] = Counter()
    for run in seen:
        symptoms = {flag.symptom for flag in run.flags} & {EMPTY, ROUTING}
        if len(symptoms) == 1:
            alone.update(symptoms)
    root = ROUTING if alone[ROUTING] > alone[EMPTY] else EMPTY
    return [_with_root(run, root) for run in seen]


def _with_root(run: SeenRun, root: str) -> SeenRun:
    if not {EMPTY, ROUTING} <= {flag.symptom for flag in run.flags}:
        return run
    flags = (replace(flag, symptom=root) if flag.symptom in (EMPTY, ROUTING) else flag for flag in run.flags)
    return replace(run, flags=tuple(flags))


def _symptom_of(finding: Finding) -> str:
    kind = finding.evidence.kind
    if finding.check in OF_ROUTING:
        return ROUTING
    if finding.check in OF_TIME:
        return TIME
    if kind is DiscrepancyKind.ONLY_FAILURE_PHRASE:
        return EMPTY
    if finding.check is CheckName.CRASH and kind is DiscrepancyKind.NO_ANSWER:
        return f"{finding.check}: {_without_numbers(finding.seen)}"
    return f"{finding.check} {kind}" if kind else finding.check


def _without_numbers(error: str) -> str:
    first_line = error.strip().split("\n", 1)[0]
    return re.sub(r"\d+", "", first_line)[:ERROR_CHARACTERS]


def _root_of(finding: Finding, every: Sequence[Finding]) -> Finding:
    return next((one for one in every if one is not finding and _brings_about(one, finding)), finding)


def _brings_about(one: Finding, other: Finding) -> bool:
    kind = one.evidence.kind
    if other.evidence.kind is DiscrepancyKind.NO_HEADERS:
        return one.check is CheckName.HEADER_UNKNOWN or kind is DiscrepancyKind.UNFINISHED_HEADER
    if other.check is CheckName.ITEM_REPEATED and kind is DiscrepancyKind.ONLY_FAILURE_PHRASE:
        return _share_sources(one, other)  # two empty parts of one source repeat its failure phrase
    if other.check not in OF_ROUTING and other.check is not CheckName.UNEXPECTED_EMPTY:
        return False
    if one.check is other.check or one.check in OF_ROUTING:
        return False
    if kind is DiscrepancyKind.UNFINISHED_HEADER and _sources(one):
        # What stands below it is missing in its own section, and too much in the one above.
        return _share_sources(one, other) or other.evidence.kind in TOO_MUCH
    if kind in WITHOUT_ANSWER or kind in WITHOUT_HEADERS or one.check is CheckName.HEADER_UNKNOWN:
        return True
    of_sections = (CheckName.SECTION_BLANK, CheckName.CRASH)
    return one.check in of_sections and _share_sources(one, other)


def _share_sources(one: Finding, other: Finding) -> bool:
    return not _sources(other) or bool(_sources(one) & _sources(other))


def _sources(finding: Finding) -> frozenset[str]:
    return frozenset(source for each in (finding, *finding.also) for source in each.evidence.sources)


def _named_in(finding: Finding, parts: Sequence[StandalonePart]) -> Places:
    """By the parts that it names, else by its sources; none where it tells neither."""
    named = 0
    for each in (finding, *finding.also):
        named |= _named(each.evidence, parts)
    return named


def _named(evidence: Evidence, parts: Sequence[StandalonePart]) -> Places:
    by_name = _places(parts, lambda part: bool({part.alone, part.as_written} & set(evidence.parts)))
    return by_name or _places(parts, lambda part: bool({need.source for need in part.needs} & set(evidence.sources)))


def _places(parts: Sequence[StandalonePart], is_one: Callable[[StandalonePart], bool]) -> Places:
    return sum(bit(place) for place, part in enumerate(parts) if is_one(part))
