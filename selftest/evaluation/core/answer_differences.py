"""In what the answers of two targets to one query differ, as far as that is no chance. Pure.

Each target is asked several times: what differs between two answers of one target is no difference between the two.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import median
from typing import Any

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.insight.symptoms import OF_ROUTING, OF_TIME, ROUTING
from selftest.core.judging.answer_item import AnswerItem
from selftest.core.judging.answers import Answer, Section, split_sections
from selftest.core.judging.check_table import broken_invariants, specified_findings
from selftest.core.judging.content import items_of, unmatched_items
from selftest.core.judging.context import CheckInput
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Finding

SLOWER_BY_MS = 200.0  # at least, and
SLOWER_TIMES = 2.0  # so many times, in every asking, for one query alone to be slower or faster
ERROR = "error"  # the subject of what is one
MOST_LINES = 5  # that are shown of a section


class DifferenceKind(StrEnum):
    """What differs. In this order the first that is found names a query's difference; the values are stored."""

    ERROR = "error"
    EMPTY = "empty"  # a section holds a failure phrase and nothing else
    FINDING_CAME = "finding_came"
    FINDING_WENT = "finding_went"
    SOURCE = "source"
    SECTIONS = "sections"
    CONTENT = "content"
    UNSTEADY = "unsteady"  # one target answers alike each time, the other does not
    CACHED = "cached"
    LATENCY = "latency"


OF_FINDINGS = frozenset({DifferenceKind.FINDING_CAME, DifferenceKind.FINDING_WENT})
OF_ROUTING_KINDS = frozenset({DifferenceKind.SOURCE, DifferenceKind.SECTIONS, DifferenceKind.CONTENT})


@dataclass(frozen=True)
class Difference:
    """subject: what of it differs, such as a check, a source or an error, the same for all that are alike.

    sources: those that it is about. before, now: what the one and the other target showed. is_of_target: where it is
    unsteady, whether the target is, and not the one that it is compared with.
    """

    kind: DifferenceKind
    subject: str
    before: str
    now: str
    sources: tuple[str, ...] = ()
    is_of_target: bool = True

    @property
    def is_worse(self) -> bool:
        """Whether the target breaks what the other one keeps, each time or at times: a finding or an error came."""
        if self.kind is DifferenceKind.UNSTEADY:
            return self.is_of_target and self.subject.partition(" ")[0] in {ERROR, *CheckName}
        return self.kind is DifferenceKind.FINDING_CAME or (self.kind is DifferenceKind.ERROR and bool(self.now))

    @property
    def symptom(self) -> str:
        """What it is a sign of: differences with the same one may have one cause."""
        if self.kind in OF_ROUTING_KINDS or self.subject.partition(" ")[0] in OF_ROUTING:
            return ROUTING
        if DiscrepancyKind.ONLY_FAILURE_PHRASE in self.subject.split():
            return DifferenceKind.EMPTY
        return f"{self.kind} {self.subject}" if self.kind in OF_FINDINGS else self.kind


@dataclass(frozen=True)
class Seen:
    """An answer, as far as it is compared.

    found: what checks that need no other answer found, but those about time. lines: source → lines of its section, ""
    for text before the first header. empty: sources whose section is a failure phrase.
    """

    error: str
    source: str
    sections: tuple[str, ...]
    found: Mapping[tuple[str, str], Finding]
    cached: bool
    latency_ms: float
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    empty: tuple[str, ...] = ()


def seen(query: Query, answer: Answer, vocabulary: Vocabulary) -> Seen:
    """What is compared of `answer`."""
    asked = CheckInput(query, answer, vocabulary)
    every = (*specified_findings(asked), *broken_invariants(asked))
    found = {
        (one.check.value, (one.evidence.kind or "")): one
        for finding in every
        for one in (finding, *finding.also)
        if one.check not in OF_TIME
    }
    if answer.error is not None:
        return Seen(_error(answer.error), "", (), found, answer.cached, answer.latency_ms)
    parts = split_sections(answer.result, vocabulary.headers)
    headed = tuple(part.source for part in parts if part.source is not None)
    lines = _lines(parts, headed, answer.source_used)
    phrases = vocabulary.empty_phrases
    empty = (source for source, those in lines.items() if any(failure_phrase(line, phrases) for line in those))
    return Seen(
        "", answer.source_used, headed, found, answer.cached, answer.latency_ms, lines, tuple(sorted(set(empty)))
    )


def _lines(parts: Iterable[Section], headed: Sequence[str], source_used: str) -> dict[str, tuple[str, ...]]:
    lines: dict[str, tuple[str, ...]] = {}
    for part in parts:
        source = part.source or ("" if headed else source_used)
        lines[source] = (*lines.get(source, ()), *(item.text for item in items_of(part.text)))
    return lines


def _error(text: str) -> str:
    first = (text.strip().split("\n", 1) or [""])[0]
    return "".join(sign for sign in first if not sign.isdigit())[:80].strip()


def differences(before: Sequence[Seen], now: Sequence[Seen]) -> tuple[Difference, ...]:
    """What all of `now` have and none of `before`, or the other way round; the weightiest first.

    before: the answers of the target that it is compared with, one at least; now: those of the target. Where one of
    the two answers alike each time and the other does not, that is told as unsteady.
    """
    found = list(_of_value(DifferenceKind.ERROR, ERROR, before, now, lambda one: one.error))
    answered, answers = _answered(before), _answered(now)
    if answered and answers:
        found += [
            *_of_value(DifferenceKind.SOURCE, "source", answered, answers, lambda one: one.source),
            *_of_sources(DifferenceKind.SECTIONS, "sections", answered, answers, lambda one: one.sections),
            *_of_sources(DifferenceKind.EMPTY, "empty sections", answered, answers, lambda one: one.empty),
            *_of_content(answered, answers),
            *_of_value(DifferenceKind.CACHED, "cache", answered, answers, lambda one: _yes_or_no(one.cached)),
            *_of_latency(answered, answers),
        ]
    found += _of_findings(before, now)
    return tuple(sorted(found, key=_weight))


def volatile_sources(those: Sequence[Seen]) -> frozenset[str]:
    """Sources that bring something else each time: of one target's answers to one query some differ in them."""
    answered = _answered(those)
    found = {source for one in answered for source in one.lines}
    return frozenset(source for source in found if _is_volatile([one.lines.get(source) for one in answered]))


def _is_volatile(sections: Sequence[tuple[str, ...] | None]) -> bool:
    first, *others = (None if lines is None else tuple(map(AnswerItem, lines)) for lines in sections)
    if first is None or None in others:
        return any(other is not None for other in (first, *others)) and None in (first, *others)
    return any(unmatched_items(first, other) or unmatched_items(other, first) for other in others if other is not None)


def _weight(difference: Difference) -> tuple[bool, int]:
    """What is wrong with an answer as a whole comes before what is wrong with its parts."""
    is_whole = difference.kind in {*OF_FINDINGS, DifferenceKind.ERROR, DifferenceKind.EMPTY}
    return not is_whole or difference.symptom == ROUTING, list(DifferenceKind).index(difference.kind)


def _answered(those: Sequence[Seen]) -> list[Seen]:
    return [one for one in those if not one.error]


def _of_value(
    kind: DifferenceKind, subject: str, before: Sequence[Seen], now: Sequence[Seen], value: Callable[[Seen], str]
) -> Iterable[Difference]:
    """Of what each answer has one."""
    were, are = Counter(map(value, before)), Counter(map(value, now))
    shown = Difference(kind, subject, _most_often(were), _most_often(are))
    if not were.keys() & are.keys():
        yield shown
    elif (len(were) == 1) != (len(are) == 1):
        yield replace(
            shown,
            kind=DifferenceKind.UNSTEADY,
            before=", ".join(sorted(were)),
            now=", ".join(sorted(are)),
            is_of_target=len(are) > 1,
        )


def _most_often(counted: Counter[str]) -> str:
    return min(counted, key=lambda one: (-counted[one], one))


def _of_sources(
    kind: DifferenceKind,
    subject: str,
    before: Sequence[Seen],
    now: Sequence[Seen],
    sources: Callable[[Seen], tuple[str, ...]],
) -> Iterable[Difference]:
    for one in _of_value(kind, subject, before, now, lambda answer: ", ".join(sources(answer))):
        were, are = ({source for answer in those for source in sources(answer)} for those in (before, now))
        yield replace(one, sources=tuple(sorted(were ^ are)))


def _of_content(before: Sequence[Seen], now: Sequence[Seen]) -> Iterable[Difference]:
    """Lines that one of the two shows each time and the other never, in the sections that both have.

    A figure alone makes no other line: a port, a price or a count rightly differs between two installations. Where one
    answers from its cache, all that it says is from one moment: of what changes at the other it tells nothing.
    """
    both = set.intersection(*(set(one.lines) for one in (*before, *now)))
    is_copied = any(one.cached for one in (*before, *now))
    changing = volatile_sources(before) | volatile_sources(now) if is_copied else frozenset()
    for source in sorted(both - changing):
        were, are = ([one.lines[source] for one in those] for those in (before, now))
        lost, added = _only_in(were, are), _only_in(are, were)
        if lost or added:
            gone, new = (" / ".join(lines[:MOST_LINES]) for lines in (lost, added))
            subject = f"lines of {source or 'no section'}"
            yield Difference(DifferenceKind.CONTENT, subject, gone, new, (source,))


def _only_in(those: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The lines that each of `those` has and none of `others`, whatever their figures and endings."""
    kept = tuple(map(AnswerItem, those[0]))
    for lines in those[1:]:
        missing = set(unmatched_items(kept, tuple(map(AnswerItem, lines))))
        kept = tuple(item for item in kept if item not in missing)
    for lines in others:
        kept = unmatched_items(kept, tuple(map(AnswerItem, lines)))
    return tuple(item.text for item in kept)


def _of_findings(before: Sequence[Seen], now: Sequence[Seen]) -> Iterable[Difference]:
    """Of checks that look at the answer alone."""
    named = {name: finding for one in (*before, *now) for name, finding in one.found.items()}
    for (check, kind), finding in sorted(named.items()):
        were, are = ([(check, kind) in one.found for one in those] for those in (before, now))
        shown = Difference(
            DifferenceKind.FINDING_CAME, f"{check} {kind}".strip(), "", finding.summary, finding.evidence.sources
        )
        if all(are) and not any(were):
            yield shown
        elif all(were) and not any(are):
            yield replace(shown, kind=DifferenceKind.FINDING_WENT, before=finding.summary, now="")
        elif len(set(were)) != len(set(are)):
            yield replace(
                shown,
                kind=DifferenceKind.UNSTEADY,
                before=_share(were),
                now=_share(are),
                is_of_target=len(set(are)) > 1,
            )


def _share(those: Sequence[bool]) -> str:
    return f"{sum(those)} of {len(those)}"


def _of_latency(before: Sequence[Seen], now: Sequence[Seen]) -> Iterable[Difference]:
    were, are = ([one.latency_ms for one in those if not one.cached] for those in (before, now))
    if len(were) < 2 or len(are) < 2:
        return
    faster, slower = sorted((were, are), key=median)
    if min(slower) > max(faster) and median(slower) >= max(
        median(faster) + SLOWER_BY_MS, SLOWER_TIMES * median(faster)
    ):
        subject = "slower" if slower is are else "faster"
        yield Difference(DifferenceKind.LATENCY, subject, f"{median(were):.0f} ms", f"{median(are):.0f} ms")


def _yes_or_no(value: Any) -> str:
    return "yes" if value else "no"
