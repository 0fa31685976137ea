"""Every check, one entry each: what it looks for, how, and what else has to be known of it. Pure.

A new check is a name in findings.CheckName, among those of its family, and an entry here; its page stands in
selftest/guarantees, its shape in static/shapes.svg. Pages, the search for a smallest query and the exported test go by
this table.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from selftest.core.judging import invariants, specified_checks
from selftest.core.judging.context import CheckInput, Comparison, ExaminationContext
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.invariants import AnswerLayout, layout_of
from selftest.core.judging.probes import Urgency
from selftest.core.judging.relations.order_and_wording import (
    asked_twice,
    in_other_order,
    in_plain_words,
    joined_otherwise,
)
from selftest.core.judging.relations.part_alone import misread_requests, split_pairs
from selftest.core.judging.relations.part_content import differing_parts
from selftest.core.judging.relations.part_latency import no_slow_part
from selftest.core.judging.relations.part_presence import find_lost_part, presence

OfAnswer = Callable[[CheckInput], Finding | None]
OfLayout = Callable[[AnswerLayout], Finding | None]
Relation = Callable[[ExaminationContext], Comparison]
Function = TypeVar("Function", bound=Callable[[Any], Any])


class Export(Enum):
    """How an exported test holds the target to a check."""

    SOURCE = auto()  # by the check's own function, with all that it calls
    VALUES = auto()  # by what was allowed when it was flagged: sources, milliseconds
    PROBES = auto()  # by asking again what it was compared with


@dataclass(frozen=True)
class Check(Generic[Function]):
    """function: its search. doc: what it finds, in a sentence without its end.

    needs_probes: the answer alone does not tell. explainable: a finding of it may have an explanation instead of a
    flag. quotes_answer: its summary may hold words of the target's answer or error. is_about_time: it judges how long
    the target takes, not what it answers.
    """

    name: CheckName
    function: Function
    doc: str
    needs_probes: bool
    explainable: bool
    export: Export
    quotes_answer: bool
    is_about_time: bool = False


def _differs(context: ExaminationContext) -> Comparison:
    """A section that no part brings alone, other content in plain words, or a section unlike its parts."""
    uncalled = (yield from presence(context, Urgency.SUSPECT)).uncalled_finding(context)
    found = (uncalled,) if uncalled else (yield from in_plain_words(context))
    return found or (yield from differing_parts(context))


def _lost(context: ExaminationContext) -> Comparison:
    """A lost part, or a request that goes past the source of its keyword."""
    return (yield from find_lost_part(context)) or (yield from misread_requests(context))


def _broken(context: ExaminationContext) -> Comparison:
    """A pair unlike it is alone, or one that is split alone too."""
    return (yield from differing_parts(context)) or (yield from split_pairs(context))


def _specified(
    name: CheckName,
    function: OfAnswer,
    doc: str,
    explainable: bool = False,
    export: Export = Export.SOURCE,
    quotes_answer: bool = False,
    is_about_time: bool = False,
) -> Check[OfAnswer]:
    return Check(name, function, doc, explainable, explainable, export, quotes_answer, is_about_time)


def _invariant(name: CheckName, function: OfLayout, doc: str, quotes_answer: bool = False) -> Check[OfLayout]:
    return Check(name, function, doc, False, False, Export.SOURCE, quotes_answer)


def _relation(
    name: CheckName,
    function: Relation,
    doc: str,
    explainable: bool = False,
    export: Export = Export.PROBES,
    is_about_time: bool = False,
) -> Check[Relation]:
    return Check(name, function, doc, True, explainable, export, False, is_about_time)


_SPECIFIED: tuple[Check[OfAnswer], ...] = (
    _specified(CheckName.CRASH, specified_checks.crash, "no usable answer, or a traceback in it", quotes_answer=True),
    _specified(
        CheckName.SOURCE_MISMATCH,
        specified_checks.source_mismatch,
        "a source that nothing in the query points at",
        explainable=True,
        export=Export.VALUES,  # its function needs every keyword of the vocabulary
    ),
    _specified(
        CheckName.PART_COUNT_MISMATCH,
        specified_checks.part_count_mismatch,
        "fewer than half of the intended sources have a section",
        explainable=True,
    ),
    _specified(
        CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX,
        specified_checks.discourse_framing_dropped,
        "discourse framing without the encyclopedia",
        explainable=True,
    ),
    _specified(
        CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS,
        specified_checks.conditional_remainder_missing,
        "a condition with a remainder, and no section at all",
        explainable=True,
    ),
    _specified(
        CheckName.UNEXPECTED_EMPTY,
        specified_checks.unexpected_empty,
        "an answer or a section that is blank or only a failure phrase",
        explainable=True,
    ),
    _specified(
        CheckName.LATENCY_OUTLIER,
        specified_checks.latency_outlier,
        "far slower than its recipe usually is",
        export=Export.VALUES,  # its function needs the recipe's history
        is_about_time=True,
    ),
)

_INVARIANTS: tuple[Check[OfLayout], ...] = (
    _invariant(CheckName.SECTION_REPEATED, invariants.section_repeated, "two sections of one source"),
    _invariant(CheckName.ITEM_REPEATED, invariants.item_repeated, "the same item twice in a section"),
    _invariant(CheckName.SECTION_BLANK, invariants.section_blank, "a header with nothing below it"),
    _invariant(CheckName.TEXT_BEFORE_HEADER, invariants.text_before_header, "text before the first header"),
    _invariant(
        CheckName.HEADER_UNKNOWN, invariants.header_unknown, "a header that is not documented", quotes_answer=True
    ),
    _invariant(
        CheckName.SOURCE_CONTRADICTS_SECTIONS,
        invariants.source_contradicts_sections,
        "source_used and the sections contradict each other",
    ),
    _invariant(CheckName.PIECE_BLANK, invariants.piece_blank, "nothing between two rules"),
    _invariant(
        CheckName.FRAME_DEBRIS,
        invariants.frame_debris,
        "a rule, half a header or a placeholder left over",
        quotes_answer=True,
    ),
)

_RELATIONS: tuple[Check[Relation], ...] = (
    _relation(CheckName.PART_LOST, _lost, "a part is answered alone, and not among others", explainable=True),
    _relation(CheckName.PART_DIFFERS, _differs, "a part brings something else than it does alone"),
    _relation(CheckName.PAIR_BROKEN, _broken, "a pair brings something else than it does alone"),
    _relation(CheckName.ORDER_MATTERS, in_other_order, "the same parts in another order are answered otherwise"),
    _relation(
        CheckName.CONJUNCTION_MATTERS,
        joined_otherwise,
        "the same parts with another conjunction are answered otherwise",
    ),
    _relation(CheckName.ASKED_TWICE_DIFFERS, asked_twice, "the same query has other sources the second time"),
    _relation(CheckName.SYNTHETIC_QUERY_CACHED, asked_twice, "a synthetic query is in the cache"),
    _relation(
        CheckName.PART_SLOW,
        no_slow_part,
        "one part is far slower than others of its source",
        export=Export.VALUES,
        is_about_time=True,
    ),
)


def table_of(checks: Collection[Check[Any]], names: Collection[CheckName]) -> Mapping[CheckName, Check[Any]]:
    """The entries by name. Raises ValueError for a name without an entry, an entry out of order, or an empty doc."""
    table = {check.name: check for check in checks}
    for name in names:
        if name not in table:
            raise ValueError(f"the check {name} has no entry in the table of checks")
        if not table[name].doc:
            raise ValueError(f"the check {name} does not say what it finds")
    if [check.name for check in checks] != list(names):
        raise ValueError("the table of checks is not in the order of their names, which is their priority")
    return MappingProxyType(table)


CHECKS = table_of((*_SPECIFIED, *_INVARIANTS, *_RELATIONS), tuple(CheckName))


EXPLAINABLE = tuple(check.name for check in CHECKS.values() if check.explainable)
ABOUT_TIME = frozenset(check.name for check in CHECKS.values() if check.is_about_time)


def without_quotes(reason: str) -> str:
    """A flag's reason with nothing of the answer in it: where its check quotes, what that check finds in general."""
    name = reason.partition(":")[0]
    check = CHECKS[CheckName(name)] if name in CHECKS else None
    return f"{name}: {check.doc}" if check and check.quotes_answer else reason


def specified_findings(check_input: CheckInput) -> tuple[Finding, ...]:
    """What the specification's checks find, by priority; empty for a clean run.

    A query without any answer has crashed and nothing else: there is nothing that the other checks could look at.
    """
    first, *others = _SPECIFIED
    crash = first.function(check_input)
    if crash is not None and check_input.answer.error is not None:
        return (crash,)
    found = (check.function(check_input) for check in others)
    return tuple(finding for finding in (crash, *found) if finding is not None)


def broken_invariants(check_input: CheckInput) -> tuple[Finding, ...]:
    """What of the frame does not hold, by priority; nothing of a crash or of a blank answer."""
    layout = layout_of(check_input)
    if layout is None:
        return ()
    found = (check.function(layout) for check in _INVARIANTS)
    return tuple(finding for finding in found if finding is not None)
