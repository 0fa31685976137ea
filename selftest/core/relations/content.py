"""A section is about the same thing as its parts alone; so pairs stay whole, and framing changes no subject.

Compared item by item, and only where the source answers the same from one asking to the next: two askings after the
query have to agree with each other before either is held against it.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from selftest.core.answers import Answer
from selftest.core.brought import Brought, Item, strangers
from selftest.core.checks import CheckName, Finding
from selftest.core.probes import Probe, Urgency
from selftest.core.queries import PartKind
from selftest.core.relations.case import Case, Part

FOREIGN_SHARE = 0.25  # of a section's items: a line of its own, such as a count or a note, is no other subject

Known = dict[Part, Brought]


@dataclass(frozen=True)
class Contents:
    """stability: source → whether two askings of a part agreed, for each source that was compared twice."""

    findings: tuple[Finding, ...]
    stability: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class _Doubt:
    """What looks wrong in the section of `source`. parts: who could have brought it. items: what is missing, or too

    much.
    """

    source: str
    parts: tuple[Part, ...]
    items: tuple[Item, ...]
    is_foreign: bool


def contents(case: Case) -> Generator[Probe, Answer | None, Contents]:
    known: Known = {}
    if len(case.parts) == 1 and case.parts[0].alone == case.query.text:
        return Contents((), ())
    for part in sorted(case.parts, key=lambda part: _told_by_presence(case, part)):
        alone = yield from case.alone(part, Urgency.ROUTINE)
        if alone is not None:
            known[part] = alone
    findings: list[Finding] = []
    stability: list[tuple[str, bool]] = []
    for doubt in _doubts(case, known):
        again = yield from _asked_twice(case, doubt)
        if again is None:
            continue
        first, second = again
        is_stable = not any(_differ(doubt.source, first[part], second[part]) for part in doubt.parts)
        stability.append((doubt.source, is_stable))
        if is_stable and any(_same_doubt(doubt, other) for other in _doubts(case, {**known, **second})):
            findings.append(_finding(case, doubt))
            break  # what is wrong with one section is told once
    return Contents(tuple(findings), tuple(stability))


def _told_by_presence(case: Case, part: Part) -> bool:
    """Whether the mere presence of its source says that it was answered: nobody else asks that source."""
    others = [need.source for other in case.parts if other is not part for need in other.needs]
    return all(need.is_firm and need.source not in others for need in part.needs)


def _doubts(case: Case, known: Known) -> Iterable[_Doubt]:
    for source, section in sorted(case.brought.by_source.items()):
        if source in case.volatile:
            continue
        brought = {part: alone.by_source[source] for part, alone in known.items() if source in alone.sources}
        for part, items in brought.items():
            if strangers(items, section) == items:
                yield _Doubt(source, (part,), items, is_foreign=False)
        if brought and all(part in known or not _may_bring(case, part, source) for part in case.parts):
            every = [item for items in brought.values() for item in items]
            foreign = strangers(section, every)
            if len(foreign) >= FOREIGN_SHARE * len(section):
                yield _Doubt(source, tuple(brought), foreign, is_foreign=True)


def _may_bring(case: Case, part: Part, source: str) -> bool:
    """Whether items of `source` may be there because of `part`: it needs it, or somebody it stands in for."""
    return any(not need.is_firm or source in case.vocabulary.stand_ins(need.source) for need in part.needs)


def _asked_twice(case: Case, doubt: _Doubt) -> Generator[Probe, Answer | None, tuple[Known, Known] | None]:
    """What the parts bring now, and then once more; None where that is not to be had."""
    both: list[Known] = []
    for fresh in (1, 2):
        now: Known = {}
        for part in doubt.parts:
            alone = yield from case.alone(part, Urgency.SUSPECT, fresh)
            if alone is None:
                return None
            now[part] = alone
        both.append(now)
    return both[0], both[1]


def _differ(source: str, one: Brought, other: Brought) -> bool:
    items, others = one.by_source.get(source, ()), other.by_source.get(source, ())
    return bool(strangers(items, others) or strangers(others, items))


def _same_doubt(doubt: _Doubt, other: _Doubt) -> bool:
    return doubt.source == other.source and doubt.is_foreign == other.is_foreign and doubt.parts == other.parts


def _finding(case: Case, doubt: _Doubt) -> Finding:
    is_pair = all(PartKind.PAIR in part.kinds for part in doubt.parts)
    check = CheckName.PAIR_BROKEN if is_pair else CheckName.PART_DIFFERS
    parts = " or ".join(repr(part.alone) for part in doubt.parts)
    promised = (
        "a pair brings among others what it brings alone"
        if is_pair
        else "a part brings among others what it brings alone"
    )
    summary = (
        f"the section of {doubt.source} holds what {parts} alone does not bring"
        if doubt.is_foreign
        else f"the section of {doubt.source} holds nothing of what {parts} brings alone"
    )
    seen = ("there, and not alone:\n" if doubt.is_foreign else "alone, and not there:\n") + "\n".join(
        item.text for item in doubt.items
    )
    return case.finding(check, summary, promised, seen, [part.alone for part in doubt.parts])
