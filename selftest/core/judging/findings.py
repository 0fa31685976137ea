"""What a check can find: the names of all checks, and a finding with its evidence. Values only.

What each check looks for is said in the check table.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType


class CheckName(StrEnum):
    """The names that reasons begin with, in priority order: the specification's, invariants, relations."""

    CRASH = "crash"
    SOURCE_MISMATCH = "source_mismatch"
    PART_COUNT_MISMATCH = "part_count_mismatch"
    DISCOURSE_FRAMING_DROPPED_KIWIX = "discourse_framing_dropped_kiwix"  # however the encyclopedia is called
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


class Family(StrEnum):
    """What a check goes by, as pages call it."""

    AS_SPECIFIED = "As specified"
    OF_ANY_ANSWER = "Of any answer"
    AGAINST_ITSELF = "The target against itself"


_NAMES = tuple(CheckName)
_FIRST_INVARIANT = _NAMES.index(CheckName.SECTION_REPEATED)
_FIRST_RELATION = _NAMES.index(CheckName.PART_LOST)
GROUPS: Mapping[str, tuple[CheckName, ...]] = MappingProxyType(
    {
        Family.AS_SPECIFIED: _NAMES[:_FIRST_INVARIANT],
        Family.OF_ANY_ANSWER: _NAMES[_FIRST_INVARIANT:_FIRST_RELATION],
        Family.AGAINST_ITSELF: _NAMES[_FIRST_RELATION:],
    }
)
"""By family, each in order of priority."""

SPECIFIED = GROUPS[Family.AS_SPECIFIED]


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

    HEADER_ON_SINGLE = "header_on_single"  # of an answer of one source
    UNCALLED_SECTION = "uncalled_section"  # no part brings it alone
    UNCALLED_ALONE = "uncalled_alone"  # one part brings it alone, and nothing in that points at it
    EMPTY_LEFT_OUT = "empty_left_out"  # no section says that a source has nothing
    PAIR_SPLIT = "pair_split"  # alone it brings what its halves bring
    KEYWORD_PASSED_OVER = "keyword_passed_over"  # by the first word of a request
    NOTHING_OF_PART = "nothing_of_part"  # in the section, of what the part brings alone
    FOREIGN_SUBJECT = "foreign_subject"  # a good share of the section is in no part's own answer
    EXTRA_ITEMS = "extra_items"  # the same of a small share
    ITEMS_MISSING = "items_missing"
    HALF_MISSING = "half_missing"  # of a pair
    ORDER_CHANGED = "order_changed"
    SOURCES_DIFFER = "sources_differ"  # between two wordings
    ITEMS_DIFFER = "items_differ"  # the same sources, and other items


OF_PARTS_ALONE = frozenset(
    {DiscrepancyKind.UNCALLED_ALONE, DiscrepancyKind.PAIR_SPLIT, DiscrepancyKind.KEYWORD_PASSED_OVER}
)


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

    @property
    def subject(self) -> tuple[object, ...]:
        """What of the answer it is about: sources and parts, or else a line."""
        return (self.sources, self.parts) if self.sources or self.parts else (self.kind, self.line)


@dataclass(frozen=True)
class ProbeEvidence:
    """A probe and what came of it. purpose: a Purpose. brought: sources with content. only: the one asked by name."""

    purpose: str
    text: str
    source_used: str
    brought: tuple[str, ...]
    excerpt: str
    only: str = ""


@dataclass(frozen=True)
class Finding:
    """A promise that was not kept. where: a part of the answer or a figure that a reader can go to.

    asked: the probes that it rests on. evidence: the same as fields. also: further ones of its check in the same
    answer, about other parts or sections.
    """

    check: CheckName
    summary: str
    promised: str
    seen: str
    where: str
    asked: tuple[ProbeEvidence, ...] = ()
    evidence: Evidence = Evidence()
    also: "tuple[Finding, ...]" = ()

    @property
    def accusation(self) -> tuple[str, ...]:
        """What it says, and of which sources: the same for all findings of one cause."""
        return (self.check, self.evidence.kind or "", *self.evidence.sources)

    @property
    def reason(self) -> str:
        """What a flag stores and pages show; begins with the check's name."""
        return f"{self.check}: {self.summary}"


def together(found: Iterable[Finding]) -> Finding | None:
    """The first, with those that are about something else beside it; None without any."""
    first, *others = (*found, None)
    if first is None:
        return None
    subjects = {first.evidence.subject}
    also: list[Finding] = []
    for other in others:
        if other is not None and other.evidence.subject not in subjects:
            subjects.add(other.evidence.subject)
            also += [replace(other, also=()), *other.also]
    return replace(first, also=(*first.also, *also))
