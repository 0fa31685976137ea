"""The seven checks of the specification, in priority order. Pure; never whether an answer is right.

Each looks at `source_used`, exact headers and failure phrases only, never for a source's name in the text, and returns
a Finding with its evidence, or None.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from selftest.core.generation.queries import ENCYCLOPEDIA_KINDS, FREE_KINDS, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer, excerpt, failure_phrase, sources_with_header, split_sections
from selftest.core.judging.latency import LatencyLimits, latency_verdict
from selftest.core.judging.probes import Shown

TRACEBACK = re.compile(  # also on one line, its line ends and quotes escaped; ++ and *+ so that no space is read twice
    r"^[ \t>]*Traceback \(most recent call last\):"
    r"|Traceback \(most recent call last\):(?:\s++|\\++[nrt])*+File \\*+\"",
    re.M,
)


class CheckName(StrEnum):
    """The names that reasons begin with, in priority order: the specification's, invariants, relations."""

    CRASH = "crash"
    SOURCE_MISMATCH = "source_mismatch"
    PART_COUNT_MISMATCH = "part_count_mismatch"
    DISCOURSE_FRAMING_DROPPED_KIWIX = "discourse_framing_dropped_kiwix"  # whatever the encyclopedia is called
    CONDITIONAL_REMAINDER_MISSING_SECTIONS = "conditional_remainder_missing_sections"
    UNEXPECTED_EMPTY = "unexpected_empty"
    LATENCY_OUTLIER = "latency_outlier"

    SECTION_REPEATED = "section_repeated"
    ITEM_REPEATED = "item_repeated"
    SECTION_BLANK = "section_blank"
    TEXT_BEFORE_HEADER = "text_before_header"
    HEADER_UNKNOWN = "header_unknown"
    SOURCE_CONTRADICTS_SECTIONS = "source_contradicts_sections"
    PIECE_BLANK = "piece_blank"
    FRAME_DEBRIS = "frame_debris"

    PART_LOST = "part_lost"
    PART_DIFFERS = "part_differs"
    PAIR_BROKEN = "pair_broken"
    ORDER_MATTERS = "order_matters"
    CONJUNCTION_MATTERS = "conjunction_matters"
    ASKED_TWICE_DIFFERS = "asked_twice_differs"
    SYNTHETIC_QUERY_CACHED = "synthetic_query_cached"
    PART_SLOW = "part_slow"


SPECIFIED = tuple(CheckName)[:7]  # the seven of the specification


class DiscrepancyKind(StrEnum):
    """What is wrong, where one check can find several things wrong. Stored with a flag: values stay."""

    NO_ANSWER = "no_answer"
    TRACEBACK = "traceback"
    BLANK_ANSWER = "blank_answer"
    ONLY_FAILURE_PHRASE = "only_failure_phrase"
    NO_HEADERS = "no_headers"  # of a merged answer
    OTHER_SECTIONS = "other_sections"  # in an answer of one source
    RULE_AT_EDGE = "rule_at_edge"
    UNFINISHED_HEADER = "unfinished_header"
    PLACEHOLDER = "placeholder"
    HEADER_INSIDE_LINE = "header_inside_line"

    UNCALLED_SECTION = "uncalled_section"  # no part brings it alone
    NOTHING_OF_PART = "nothing_of_part"  # in the section, of what the part brings alone
    FOREIGN_SUBJECT = "foreign_subject"  # a good share of the section is in no part's own answer
    EXTRA_ITEMS = "extra_items"  # the same of a small share
    ITEMS_MISSING = "items_missing"
    HALF_MISSING = "half_missing"  # of a pair
    ORDER_CHANGED = "order_changed"
    SOURCES_DIFFER = "sources_differ"  # between two wordings
    ITEMS_DIFFER = "items_differ"  # the same sources, and other items


@dataclass(frozen=True)
class Evidence:
    """A finding as fields, for code to switch on; its sentences are for readers and are never parsed.

    kind: None where the check says all. sources, parts: those that it is about, a part as the text that it is asked as
    alone. items: lines that are missing, extra or moved. line: 1-based, in the answer. threshold_ms: what was allowed.
    """

    kind: DiscrepancyKind | None = None
    sources: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    line: int | None = None
    threshold_ms: float | None = None


@dataclass(frozen=True)
class Finding:
    """A promise that was not kept. where: a part of the answer or a figure that a reader can go to.

    asked: the probes that it rests on. evidence: the same as fields.
    """

    check: CheckName
    summary: str
    promised: str
    seen: str
    where: str
    asked: tuple[Shown, ...] = ()
    evidence: Evidence = Evidence()

    @property
    def reason(self) -> str:
        return f"{self.check}: {self.summary}"


@dataclass(frozen=True)
class CheckInput:
    """All that a check may look at. history_ms: earlier uncached runs of the recipe, oldest first, not this one."""

    query: Query
    answer: Answer
    vocabulary: Vocabulary
    history_ms: Sequence[float] = ()
    limits: LatencyLimits = field(default_factory=LatencyLimits)


def findings(asking: CheckInput) -> tuple[Finding, ...]:
    """All findings, the first in priority order first; empty for a clean run.

    A query without any answer has crashed and nothing else: there is nothing that the other checks could look at.
    """
    crash = _crash(asking)
    if crash is not None and asking.answer.error is not None:
        return (crash,)
    others = (check(asking) for check in CHECKS[1:])
    return tuple(found for found in (crash, *others) if found is not None)


def _crash(asking: CheckInput) -> Finding | None:
    answer = asking.answer
    if answer.error is not None:
        seen = answer.error if not answer.result else f"{answer.error}\n{excerpt(answer.result)}"
        return Finding(
            CheckName.CRASH,
            _one_line(answer.error),
            "an answer to every query",
            seen,
            "error",
            evidence=Evidence(DiscrepancyKind.NO_ANSWER),
        )
    raw = TRACEBACK.search(answer.result)
    if raw is None:
        return None
    line = answer.result.count("\n", 0, raw.start()) + 1
    return Finding(
        CheckName.CRASH,
        "a raw traceback in the answer",
        "an answer without the router's own traceback",
        excerpt(answer.result[raw.start() :].lstrip("\n")),
        f"line {line}",
        evidence=Evidence(DiscrepancyKind.TRACEBACK, line=line),
    )


def allowed_sources(query: Query, vocabulary: Vocabulary) -> frozenset[str]:
    """The sources that may answer `query` by the vocabulary's word: those it points at and those standing in for them.

    Pairs, topics and discourse framing belong to the encyclopedia, and so does a clause that no keyword points from.
    """
    pointed = {*query.intended_sources, *vocabulary.sources_named_in(query.text)}
    for part in query.parts:
        free = part.kind in FREE_KINDS and not vocabulary.sources_named_in(part.text)
        if part.kind in ENCYCLOPEDIA_KINDS or free or part.kind is PartKind.LOOKALIKE:  # no router need see through one
            pointed.add(vocabulary.encyclopedia)
    return frozenset({vocabulary.merged_source}).union(*map(vocabulary.stand_ins, pointed))


def _source_mismatch(asking: CheckInput) -> Finding | None:
    allowed = allowed_sources(asking.query, asking.vocabulary)
    used = asking.answer.source_used
    if used in allowed:
        return None
    promised = f"a source that the query points at: {', '.join(sorted(allowed))}"
    return Finding(
        CheckName.SOURCE_MISMATCH,
        f"answered by {used!r}, which nothing in the query points at",
        promised,
        used,
        "source_used",
        evidence=Evidence(sources=(used,)),
    )


def _part_count_mismatch(asking: CheckInput) -> Finding | None:
    intended = asking.query.intended_sources
    if asking.query.recipe != "multi_intent_chain" or len(intended) < 2:
        return None
    present = sources_with_header(asking.answer.result, asking.vocabulary)
    stand_ins = present - set(intended)  # a source that was asked for itself stands in for no other
    missing = [s for s in intended if s not in present and not asking.vocabulary.stand_ins(s) & stand_ins]
    answered = len(intended) - len(missing)
    # Fewer than half: a section that is legitimately empty is dropped, so one or two missing prove nothing.
    if answered * 2 >= len(intended):
        return None
    return Finding(
        CheckName.PART_COUNT_MISMATCH,
        f"{answered} of {len(intended)} intended sources have a section; missing: {', '.join(missing)}",
        f"a section for each of {', '.join(intended)}",
        _sections_seen(asking),
        "headers",
        evidence=Evidence(sources=tuple(missing)),
    )


def _discourse_framing_dropped(asking: CheckInput) -> Finding | None:
    encyclopedia = asking.vocabulary.encyclopedia
    if asking.query.recipe != "discourse_framing_plus_real_keyword":
        return None
    if asking.answer.source_used == encyclopedia:
        return None
    if encyclopedia in sources_with_header(asking.answer.result, asking.vocabulary):
        return None
    return Finding(
        CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX,
        f"discourse framing, but {encyclopedia} took no part; answered by {asking.answer.source_used!r}",
        f"{encyclopedia} as the source or with a section of its own",
        _sections_seen(asking),
        "source_used and headers",
        evidence=Evidence(sources=(encyclopedia,)),
    )


def _conditional_remainder_missing(asking: CheckInput) -> Finding | None:
    if asking.query.recipe != "conditional_with_remainder":
        return None
    if sources_with_header(asking.answer.result, asking.vocabulary):
        return None
    return Finding(
        CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS,
        "no section at all, where the condition and the remainder each bring one",
        "a section for the condition and one for the remainder",
        _sections_seen(asking),
        "headers",
    )


def _unexpected_empty(asking: CheckInput) -> Finding | None:
    promised = "content, or the documented fallback; an empty section is dropped"
    result = asking.answer.result
    if not result.strip():
        return Finding(
            CheckName.UNEXPECTED_EMPTY,
            "the answer is blank",
            promised,
            "nothing",
            "the whole answer",
            evidence=Evidence(DiscrepancyKind.BLANK_ANSWER),
        )
    for section in split_sections(result, asking.vocabulary.headers):
        phrase = failure_phrase(section.text, asking.vocabulary)
        if phrase is not None:
            place = f"the section of {section.source}" if section.source else "the answer"
            return Finding(
                CheckName.UNEXPECTED_EMPTY,
                f"{place} is only {phrase!r}",
                promised,
                excerpt(section.text),
                f"line {section.line}",
                evidence=Evidence(
                    DiscrepancyKind.ONLY_FAILURE_PHRASE,
                    sources=(section.source,) if section.source else (),
                    line=section.line,
                ),
            )
    return None


def latency_outlier(asking: CheckInput) -> Finding | None:
    if asking.answer.cached:  # a cached answer says nothing about the work, so it is neither sample nor suspect
        return None
    verdict = latency_verdict(asking.answer.latency_ms, asking.history_ms, asking.limits)
    if verdict is None:
        return None
    return Finding(
        CheckName.LATENCY_OUTLIER,
        f"{verdict.latency_ms:.0f} ms; the recipe's p95 is {verdict.p95_ms:.0f} ms over {verdict.samples} runs",
        f"at most {verdict.threshold_ms:.0f} ms",
        f"{verdict.latency_ms:.0f} ms",
        "latency_ms",
        evidence=Evidence(threshold_ms=verdict.threshold_ms),
    )


CHECKS: tuple[Callable[[CheckInput], Finding | None], ...] = (
    _crash,
    _source_mismatch,
    _part_count_mismatch,
    _discourse_framing_dropped,
    _conditional_remainder_missing,
    _unexpected_empty,
    latency_outlier,
)


def _sections_seen(asking: CheckInput) -> str:
    sections = split_sections(asking.answer.result, asking.vocabulary.headers)
    named = [section.source for section in sections if section.source is not None]
    return f"source_used {asking.answer.source_used!r}, sections: {', '.join(named) or 'none'}"


def _one_line(text: str) -> str:
    return excerpt(" ".join(text.split()))
