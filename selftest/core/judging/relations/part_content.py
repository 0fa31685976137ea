"""A section is about the same thing as its parts alone; so pairs stay whole, and framing changes no subject.

Compared item by item, and only where the source answers the same from one request to the next: what is held against it
was asked after the query, and of a source not known to be steady a second answer has to agree.
"""

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from selftest.core.generation.queries import PartKind
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.content import AnswerItem, SourceContent, differ, moved_items, unmatched_items
from selftest.core.judging.context import Comparison, ExaminationContext, StandalonePart, content_of
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.relations.query_variants import only

FOREIGN_SHARE = 0.25  # of a section's items: a line of its own, such as a count or a note, is no other subject

Known = dict[StandalonePart, SourceContent]


@dataclass(frozen=True)
class Contents:
    """stability: source → whether two answers to a part agreed, for each source that was compared twice."""

    findings: tuple[Finding, ...]
    stability: tuple[tuple[str, bool], ...]


SUMMARIES: Mapping[DiscrepancyKind, str] = MappingProxyType(
    {
        DiscrepancyKind.NOTHING_OF_PART: "holds nothing of what {parts} brings alone",
        DiscrepancyKind.FOREIGN_SUBJECT: "holds what {parts} alone does not bring",
        DiscrepancyKind.ITEMS_MISSING: "lacks some of what {parts} brings alone",
        DiscrepancyKind.HALF_MISSING: "lacks a half of what {parts} brings alone",
        DiscrepancyKind.EXTRA_ITEMS: "holds something that {parts} alone does not bring",
        DiscrepancyKind.ORDER_CHANGED: "has what {parts} brings alone in another order",
    }
)
LESS = (DiscrepancyKind.ITEMS_MISSING, DiscrepancyKind.HALF_MISSING)


@dataclass(frozen=True)
class Discrepancy:
    """source: whose section. parts: those that it is about. items: what is missing, or too much, or moved.

    contributors: all parts that may have brought something there, as far as that matters for it.
    """

    kind: DiscrepancyKind
    source: str
    parts: tuple[StandalonePart, ...]
    contributors: tuple[StandalonePart, ...]
    items: tuple[AnswerItem, ...]

    def is_like(self, other: "Discrepancy") -> bool:
        """Whether it is the same, perhaps of other items."""
        return (self.kind, self.source, self.parts) == (other.kind, other.source, other.parts)


def contents(
    context: ExaminationContext, urgencies: Mapping[StandalonePart, Urgency]
) -> Generator[Probe, Answer | None, Contents]:
    """Holds parts against what they bring alone; those without an urgency as far as that is known."""
    known: Known = {}
    for part in sorted(context.parts, key=lambda part: hangs_on_text(context, part), reverse=True):
        alone = yield from context.of(part.as_written, part, urgencies.get(part, Urgency.IF_KNOWN))
        if alone is not None:
            known[part] = alone
    stability: list[tuple[str, bool]] = []
    for found in _discrepancies(context, known):
        if (found.source, False) in stability:
            continue  # the same two answers tell no more about the rest of its section
        is_so = yield from _confirms(context, known, found, stability)
        if is_so:
            return Contents((_finding(context, found),), tuple(stability))  # one wrong section is enough to look at
    return Contents((), tuple(stability))


def differing_parts(context: ExaminationContext) -> Comparison:
    """The same as the only thing that is looked for: every part is worth a probe."""
    return (yield from contents(context, dict.fromkeys(context.parts, Urgency.SUSPECT))).findings


@dataclass(frozen=True)
class _Confirmation:
    """A discrepancy that still is there by what its contributors bring now. stability: noted as it is measured."""

    found: Discrepancy
    now: Known
    stability: list[tuple[str, bool]]


Decision = Generator[Probe, Answer | None, bool]


def _confirms(
    context: ExaminationContext, known: Known, found: Discrepancy, stability: list[tuple[str, bool]]
) -> Decision:
    """Whether it still is one by what is asked now, of a source that says the same when it is asked again."""
    if found.kind is DiscrepancyKind.ORDER_CHANGED and (yield from _others_may_bring(context, found)):
        return False
    now: Known = {}
    for part in found.parts if found.kind is DiscrepancyKind.ORDER_CHANGED else found.contributors:
        alone = yield from context.of(part.as_written, part, Urgency.EXPLAIN, fresh=1)
        if alone is None:
            return False
        now[part] = alone
    if not any(found.is_like(other) for other in _discrepancies(context, {**known, **now})):
        return False
    return (yield from CONFIRMED_BY[found.kind](context, _Confirmation(found, now, stability)))


def _confirms_slight(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """What is slight is held against a smaller compound, which asks its source a second time too."""
    return (yield from _is_right_in_control(context, pending.found, pending.now))


def _confirms_missing_items(context: ExaminationContext, pending: _Confirmation) -> Decision:
    if (yield from _is_right_in_control(context, pending.found, pending.now)):
        return True
    return (yield from _is_whole_in_halves(context, pending.found, pending.now))


def _confirms_missing_half(context: ExaminationContext, pending: _Confirmation) -> Decision:
    return (yield from _is_whole_in_halves(context, pending.found, pending.now))


def _confirms_loss(context: ExaminationContext, pending: _Confirmation) -> Decision:
    if context.may_be_cut(pending.found.source) and (yield from _found_no_room(context, pending.found, pending.now)):
        return False
    return (yield from _is_stable(context, pending))


def _confirms_foreign_subject(context: ExaminationContext, pending: _Confirmation) -> Decision:
    if (yield from _is_in_each_compound(context, pending.found, pending.now)):
        return False
    return (yield from _is_stable(context, pending))


def _is_stable(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """Whether the source is known to be steady, or answers a part the same when that is asked once more."""
    source, part = pending.found.source, pending.found.contributors[-1]
    if source in context.steady:
        return True
    once_more = yield from context.of(part.as_written, part, Urgency.EXPLAIN, fresh=2)
    if once_more is None:
        return False
    is_stable = not differ(source, pending.now[part], once_more)
    pending.stability.append((source, is_stable))
    return is_stable


CONFIRMED_BY: Mapping[DiscrepancyKind, Callable[[ExaminationContext, _Confirmation], Decision]] = MappingProxyType(
    {
        DiscrepancyKind.NOTHING_OF_PART: _confirms_loss,
        DiscrepancyKind.FOREIGN_SUBJECT: _confirms_foreign_subject,
        DiscrepancyKind.ITEMS_MISSING: _confirms_missing_items,
        DiscrepancyKind.HALF_MISSING: _confirms_missing_half,
        DiscrepancyKind.EXTRA_ITEMS: _confirms_slight,
        DiscrepancyKind.ORDER_CHANGED: _confirms_slight,
    }
)


def _others_may_bring(context: ExaminationContext, found: Discrepancy) -> Generator[Probe, Answer | None, bool]:
    """Whether what moved may be there because of another part: all others that may bring it are asked at once."""
    others = [part for part in found.contributors if part not in found.parts]
    if not others:
        return False
    brought = yield from _brought_by_all(context, others, found.source)
    return brought is None or bool({item.text for item in brought} & {item.text for item in found.items})


def _brought_by_all(
    context: ExaminationContext, parts: Sequence[StandalonePart], source: str
) -> Generator[Probe, Answer | None, Sequence[AnswerItem] | None]:
    """What `parts` bring of a source without the others, asked at once; None where that is not to be had."""
    text = only(context.query, [place for place, part in enumerate(context.parts) if part in parts]).text
    answer = yield from context.ask(Probe(text, Purpose.FEWER, Urgency.EXPLAIN))
    if answer is None or answer.error is not None:
        return None
    return content_of(answer, context.vocabulary).by_source.get(source, ())


def hangs_on_text(context: ExaminationContext, part: StandalonePart) -> tuple[bool, bool, int]:
    """What its source alone does not tell goes first: what is searched for, then what others ask the same source.

    Of others the last: an answer is rather cut at its end.
    """
    others = {need.source for other in context.parts if other is not part for need in other.needs}
    is_searched = not part.kinds <= {PartKind.INTENT, PartKind.MARK}
    return is_searched, any(need.source in others for need in part.needs), context.parts.index(part)


def _discrepancies(context: ExaminationContext, known: Known) -> Iterable[Discrepancy]:
    for source, section in sorted(context.brought.by_source.items()):
        if source in context.volatile:
            continue
        brought = {
            part: alone.by_source[source]
            for part, alone in known.items()
            if source in alone.sources and not _is_framed_elsewhere(context, part, source)
        }
        elsewhere = [item for other in context.brought.sources - {source} for item in context.brought.by_source[other]]
        for part, items in brought.items():
            missing = unmatched_items(items, section)
            if missing == items:
                yield Discrepancy(DiscrepancyKind.NOTHING_OF_PART, source, (part,), (part,), items)
            elif len(section) < len(items) and unmatched_items(missing, elsewhere):
                # No limit to the length of a section is to blame: alone it is longer.
                yield Discrepancy(DiscrepancyKind.ITEMS_MISSING, source, (part,), (part,), missing)
            elif missing and PartKind.PAIR in part.kinds and unmatched_items(missing, elsewhere):
                yield Discrepancy(DiscrepancyKind.HALF_MISSING, source, (part,), (part,), missing)
        if not brought:
            continue
        may_bring = tuple(part for part in context.parts if _may_bring(context, part, source))
        for part, items in brought.items():
            moved = moved_items(items, section, (brought[other] for other in brought if other is not part))
            if moved and PartKind.PAIR in part.kinds:
                yield Discrepancy(
                    DiscrepancyKind.ORDER_CHANGED,
                    source,
                    (part,),
                    (*(p for p in may_bring if p is not part), part),
                    moved,
                )
        if all(part in known for part in may_bring):
            others = unmatched_items(section, [item for items in brought.values() for item in items])
            foreign = tuple(item for item in others if not item.echoes(context.query.text))
            if foreign:
                kind = (
                    DiscrepancyKind.FOREIGN_SUBJECT
                    if len(foreign) >= FOREIGN_SHARE * len(section)
                    else DiscrepancyKind.EXTRA_ITEMS
                )
                contributors = tuple(dict.fromkeys((*may_bring, *brought)))  # one may bring what it has no need of
                yield Discrepancy(kind, source, tuple(brought), contributors, foreign)


def _is_right_in_control(
    context: ExaminationContext, found: Discrepancy, alone: Known
) -> Generator[Probe, Answer | None, bool]:
    """Whether a part is answered in a smaller compound as it is alone: then it is this query that makes it wrong.

    A router that orders or adds things in every compound does so there too, and is not accused of it.
    """
    section = yield from _in_smaller_compound(context, found)
    items = alone[found.parts[-1]].by_source.get(found.source, ())
    return section is not None and [item.text for item in section] == [item.text for item in items]


def _found_no_room(
    context: ExaminationContext, found: Discrepancy, alone: Known
) -> Generator[Probe, Answer | None, bool]:
    """Whether a limit to the length of a section may be why the part is not in it; also where it cannot be told.

    No limit is to blame where a smaller compound has more, or nothing of the part either, or where the section is not
    filled by the others that need it.
    """
    section = yield from _in_smaller_compound(context, found)
    if section is None:
        return True
    items = alone[found.parts[-1]].by_source.get(found.source, ())
    filled = context.brought.by_source[found.source]
    if unmatched_items(items, section) == items or len(section) > len(filled):
        return False
    others = [part for part in context.contributors(found.source) if part not in found.parts]
    by_others = yield from _brought_by_all(context, others, found.source)
    return by_others is None or not unmatched_items(filled, by_others)


def _is_in_each_compound(
    context: ExaminationContext, found: Discrepancy, alone: Known
) -> Generator[Probe, Answer | None, bool]:
    """Whether a smaller compound holds the same items too, as a router's note does; also where that is unknown."""
    section = yield from _in_smaller_compound(context, found)
    if section is None:
        return True
    notes = unmatched_items(section, alone[found.parts[-1]].by_source.get(found.source, ()))
    return not unmatched_items(found.items, notes)


def _is_whole_in_halves(
    context: ExaminationContext, found: Discrepancy, alone: Known
) -> Generator[Probe, Answer | None, bool]:
    """Whether a pair that a smaller compound halves too is whole where its halves are asked apart in one.

    Then no limit to what a compound brings is to blame.
    """
    part = found.parts[-1]
    items = alone[part].by_source.get(found.source, ())
    halves = _halves(context, part)
    section = yield from _in_smaller_compound(context, found)
    if not halves or section is None or not unmatched_items(items, section):
        return False
    conjunction = _conjunction_for(context, part.as_written)
    text = conjunction.join((*halves, companion_of(found.source, context.vocabulary)))
    answer = yield from context.ask(Probe(text, Purpose.CONTROL, Urgency.SUSPECT))
    if answer is None or answer.error is not None:
        return False
    return not unmatched_items(items, content_of(answer, context.vocabulary).by_source.get(found.source, ()))


def _halves(context: ExaminationContext, part: StandalonePart) -> tuple[str, ...]:
    """The two names of a pair; () where it cannot be told what stands between them."""
    pair = next((p.plain or p.text for p in part.clause.parts if p.kind is PartKind.PAIR), "")
    for conjunction in context.vocabulary.conjunctions:
        halves = re.split(re.escape(conjunction), pair, flags=re.IGNORECASE)
        if len(halves) == 2 and all(half.strip() for half in halves):
            return tuple(half.strip() for half in halves)
    return ()


def _in_smaller_compound(
    context: ExaminationContext, found: Discrepancy
) -> Generator[Probe, Answer | None, Sequence[AnswerItem] | None]:
    """The section that it is about, with one of its parts only; None where that is not to be had."""
    text = _smaller_compound(context, found.parts[-1], found.source)
    answer = yield from context.ask(Probe(text, Purpose.CONTROL, Urgency.SUSPECT))
    if answer is None or answer.error is not None:
        return None
    return content_of(answer, context.vocabulary).by_source.get(found.source, ())


def _smaller_compound(context: ExaminationContext, part: StandalonePart, source: str) -> str:
    """`part` and one phrase of a source that has nothing to do with it."""
    return f"{part.as_written}{_conjunction_for(context, part.as_written)}{companion_of(source, context.vocabulary)}"


def _conjunction_for(context: ExaminationContext, text: str) -> str:
    """A conjunction that does not occur in `text`, if there is one."""
    conjunctions = context.vocabulary.conjunctions
    return next((c for c in conjunctions if c.strip().casefold() not in text.casefold()), conjunctions[0])


def companion_of(source: str, vocabulary: Vocabulary) -> str:
    """A phrase of another source that has nothing to do with `source`; of any, where there is no such source."""
    apart = [s for s in vocabulary.sources if s != source and source not in vocabulary.stand_ins(s)]
    return vocabulary.sources[apart[0]][0] if apart else next(iter(vocabulary.sources.values()))[0]


def _is_framed_elsewhere(context: ExaminationContext, part: StandalonePart, source: str) -> bool:
    """Whether framing has brought the part to the encyclopedia, which without it goes to what stands in for that."""
    encyclopedia = context.vocabulary.encyclopedia
    stands_in = source != encyclopedia and source in context.vocabulary.stand_ins(encyclopedia)
    return stands_in and PartKind.DISCOURSE in part.kinds and encyclopedia in context.brought.sources


def _may_bring(context: ExaminationContext, part: StandalonePart, source: str) -> bool:
    """Whether items of `source` may be there because of `part`: it needs it, or one that it stands in for.

    Framing may rightly bring any source, not only the encyclopedia.
    """
    if PartKind.DISCOURSE in part.kinds:
        return True
    return any(not need.is_firm or source in context.vocabulary.stand_ins(need.source) for need in part.needs)


def _finding(context: ExaminationContext, found: Discrepancy) -> Finding:
    is_pair = all(PartKind.PAIR in part.kinds for part in found.parts)
    check = CheckName.PAIR_BROKEN if is_pair else CheckName.PART_DIFFERS
    parts = " or ".join(repr(part.as_written) for part in found.parts)
    promised = (
        "a pair brings among others what it brings alone"
        if is_pair
        else "a part brings among others what it brings alone"
    )
    summary = f"the section of {found.source} {SUMMARIES[found.kind].format(parts=parts)}"
    is_missing = found.kind in (DiscrepancyKind.NOTHING_OF_PART, *LESS)
    how = "alone, and not there" if is_missing else "there, and not so alone"
    seen = f"{how}:\n" + "\n".join(item.text for item in found.items)
    evidence = Evidence(
        found.kind,
        (found.source,),
        tuple(part.as_written for part in found.parts),
        tuple(item.text for item in found.items),
    )
    return context.finding(check, summary, promised, seen, [part.as_written for part in found.contributors], evidence)
