"""A section is about the same thing as its parts alone; so pairs stay whole, and framing changes no subject.

Compared item by item, and only where the source answers the same from one request to the next: what is held against it
was asked after the query, and of a source not known to be steady a second answer has to agree.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

from selftest.core.generation.queries import PartKind
from selftest.core.judging.answers import Answer
from selftest.core.judging.content import AnswerItem, are_moved, unmatched_items
from selftest.core.judging.context import ALL_TURNS, Comparison, ExaminationContext, StandalonePart, content_of
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.relations.controls import (
    Decision,
    brought_by_all,
    found_no_room,
    has_only_what_all_bring,
    is_in_each_compound,
    is_right_in_control,
    is_whole_in_halves,
)
from selftest.core.judging.relations.discrepancies import (
    LESS,
    Discrepancy,
    Known,
    discrepancies,
    is_note,
    names_part,
    told_of,
)

STRAYED_SHARE = 0.5  # of the longer of two sections that share it
SELDOM = 4  # one query in so many is looked into for a kind of difference that nearly always turns out to be legal


@dataclass(frozen=True)
class Contents:
    """stability: source → whether two answers to a part agreed, for each source that was compared twice.

    decided: source and kind of each difference of which it could be told whether it is a finding, and whether it is.
    """

    findings: tuple[Finding, ...]
    stability: tuple[tuple[str, bool], ...]
    decided: tuple[tuple[str, str, bool], ...]


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


def contents(
    context: ExaminationContext, urgencies: Mapping[StandalonePart, Urgency]
) -> Generator[Probe, Answer | None, Contents]:
    """Holds parts against what they bring alone; those without an urgency as far as that is known."""
    in_order = sorted(context.parts, key=lambda part: hangs_on_text(context, part), reverse=True)
    known = yield from context.of_each({part: urgencies.get(part, Urgency.IF_KNOWN) for part in in_order})
    stability: list[tuple[str, bool]] = []
    decided: list[tuple[str, str, bool]] = []
    findings: dict[str, Finding] = {}
    is_seldoms_turn = context.turn < ALL_TURNS // SELDOM
    for found in discrepancies(context, known):
        if (found.source, False) in stability or found.source in findings:
            continue  # the same answers tell no more about the rest of its section
        if (found.source, found.kind) in context.seldom_confirmed and not is_seldoms_turn:
            continue
        refused = context.refused
        is_so = yield from _confirms(context, known, found, stability)
        if is_so or context.refused == refused:
            decided.append((found.source, found.kind, is_so))
        if is_so:
            findings[found.source] = _finding(context, found)
            context.look_into(findings.values())
    return Contents(tuple(findings.values()), tuple(stability), tuple(decided))


def differing_parts(context: ExaminationContext) -> Comparison:
    """The same as the only thing that is looked for: every part is worth a probe."""
    return (yield from contents(context, dict.fromkeys(context.parts, Urgency.SUSPECT))).findings


@dataclass(frozen=True)
class _Confirmation:
    """A discrepancy that still is there by what its contributors bring now. stability: noted as it is measured."""

    found: Discrepancy
    now: Known
    stability: list[tuple[str, bool]]


def _confirms(
    context: ExaminationContext, known: Known, found: Discrepancy, stability: list[tuple[str, bool]]
) -> Decision:
    """Whether it still is one by what is asked now, of a source that says the same when it is asked again."""
    if found.kind is DiscrepancyKind.ORDER_CHANGED and (yield from _others_may_bring(context, found)):
        return False
    asked_now = found.parts if found.kind is DiscrepancyKind.ORDER_CHANGED else found.contributors
    now = yield from context.of_each(dict.fromkeys(asked_now, Urgency.EXPLAIN), fresh=1)
    if now.keys() < set(asked_now):
        return False
    # What has another order at each asking has other items too, where there is no room for all.
    has_moved = any(are_moved(found.source, alone, known[part]) for part, alone in now.items())
    is_about_order = found.kind is DiscrepancyKind.ORDER_CHANGED
    if has_moved and (is_about_order or (yield from _is_another_section_again(context, found.source))):
        return False
    if not any(found.is_like(other) for other in discrepancies(context, {**known, **now})):
        return False
    if not (yield from CONFIRMED_BY[found.kind](context, _Confirmation(found, now, stability))):
        return False
    return is_about_order or (yield from _stands_again(context, known, found, now, stability))


def _stands_again(
    context: ExaminationContext, known: Known, found: Discrepancy, now: Known, stability: list[tuple[str, bool]]
) -> Decision:
    """Whether parts show the same when they are asked once more, unless the source is steady; for a loss the query too.

    Unless the target shows the same at each asking, a steady source may be late with some of it, and an open part may
    have gone elsewhere this once.
    """
    may_waver = not context.is_reproducible and _may_go_elsewhere(context, found)
    if found.source in context.steady and not may_waver:
        if context.is_reproducible or found.kind not in LESS:
            return True
        return (yield from _is_there_again(context, found, {**known, **now}, times=1))
    is_less = found.kind in (DiscrepancyKind.NOTHING_OF_PART, *LESS)  # too much is no delay
    times = 1 + may_waver if may_waver or is_less else 0
    later = now
    if found.kind is not DiscrepancyKind.ITEMS_MISSING:  # there the control that shows the part whole asked it again
        each = dict.fromkeys(now, Urgency.EXPLAIN)
        later = yield from context.of_each(each, fresh=2, ahead=_repetitions(context, times))
        agree = context.check_input.agree
        agreed = [agree(found.source, now[part], later[part], part.as_written) for part in later]
        stability += [(found.source, is_so) for is_so in agreed if is_so is not None]
        if None in agreed:
            return False  # one of them says of itself that it is not all
    if later.keys() < now.keys() or (found.source, False) in stability:
        return False
    known = {**known, **later}
    if times:
        return (yield from _is_there_again(context, found, known, times))
    return _is_there(context, context.check_input.answer, found, known)


def _may_go_elsewhere(context: ExaminationContext, found: Discrepancy) -> bool:
    """Whether another choice of the router may be why a section has nothing of a part, or another subject."""
    is_about_subject = found.kind in (DiscrepancyKind.NOTHING_OF_PART, DiscrepancyKind.FOREIGN_SUBJECT)
    return is_about_subject and any(part.is_open(context.vocabulary.encyclopedia) for part in found.contributors)


def _is_there_again(context: ExaminationContext, found: Discrepancy, known: Known, times: int) -> Decision:
    """Whether the query shows it each time that it is asked again."""
    probes = _repetitions(context, times)
    for place, probe in enumerate(probes):
        again = yield from context.ask(replace(probe, ahead=probes[place + 1 :]))
        if again is None or not _is_there(context, again, found, known):
            return False
    return True


def _repetitions(context: ExaminationContext, times: int) -> tuple[Probe, ...]:
    """The query, asked so many times more."""
    numbers = range(1, times + 1)
    return tuple(Probe(context.query.text, Purpose.AGAIN, Urgency.EXPLAIN, fresh=fresh) for fresh in numbers)


def _is_there(context: ExaminationContext, answer: Answer, found: Discrepancy, known: Known) -> bool:
    """Whether `answer` to the same query shows it too."""
    asked_again = replace(context, check_input=replace(context.check_input, answer=answer))
    return any(found.is_like(other) for other in discrepancies(asked_again, known))


def _confirms_slight(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """What is slight is held against a smaller compound, which asks its source a second time too."""
    if (yield from _comes_with_framing(context, pending.found)):
        return False
    return (yield from is_right_in_control(context, pending.found, pending.now))


def _confirms_order(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """Another order is one where a smaller compound has it right, and query and part have theirs at every asking.

    Each is asked three times more: a source that begins with another item each time agrees with itself by chance.
    """
    if not (yield from _confirms_slight(context, pending)):
        return False
    source = pending.found.source
    probes = _repetitions(context, times=3)
    for place, probe in enumerate(probes):
        again = yield from context.ask(replace(probe, ahead=probes[place + 1 :]))
        if again is None or are_moved(source, content_of(again, context.vocabulary), context.brought):
            return False
    for part in pending.found.parts:
        for fresh in (2, 3):
            once_more = yield from context.of(part.as_written, part, Urgency.EXPLAIN, fresh=fresh)
            if once_more is None or are_moved(source, once_more, pending.now[part]):
                return False
    return True


def _is_another_section_again(context: ExaminationContext, source: str) -> Decision:
    """Whether the query has other items of `source` when it is asked once more; also where that is unknown."""
    again = yield from context.ask(Probe(context.query.text, Purpose.AGAIN, Urgency.EXPLAIN, fresh=1))
    return again is None or context.differ(source, content_of(again, context.vocabulary), context.brought)


def _confirms_missing_items(context: ExaminationContext, pending: _Confirmation) -> Decision:
    among = len(context.brought.headed) - 1  # an answer may have room for so much in all
    is_right = (yield from is_right_in_control(context, pending.found, pending.now, among)) or (
        yield from is_whole_in_halves(context, pending.found, pending.now)
    )
    if not is_right or (yield from _has_its_share(context, pending)):
        return False
    return not (yield from _is_shared_with_framing(context, pending))


def _is_shared_with_framing(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """Whether what stands there beside the part comes with the framing of another, and may have taken its room."""
    source, part = pending.found.source, pending.found.parts[-1]
    beside = unmatched_items(context.items_of(source, context.brought), pending.now[part].by_source[source])
    others = tuple(other for other in context.parts if other is not part)
    brought = replace(pending.found, items=beside, contributors=others)
    return bool(beside) and (yield from _comes_with_framing(context, brought))


def _has_its_share(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """Whether the section holds what no other part brings there: it may show one item of each site.

    Another part may be there because its own source has nothing. What is left of a pair has to name both of its halves,
    or one of them may be lost.
    """
    source, part = pending.found.source, pending.found.parts[-1]
    others = [other for other in context.parts if other is not part and context.may_be_answered_by(other, source)]
    known = yield from context.of_each(dict.fromkeys(others, Urgency.EXPLAIN))
    if known.keys() < set(others):
        return True
    if not any(source in alone.sources for alone in known.values()):
        return False
    elsewhere = [item for alone in known.values() for item in context.items_of(source, alone)]
    items = told_of(context, part, pending.now[part], source)
    missing = unmatched_items(items, context.brought.by_source[source])
    own = unmatched_items([item for item in items if item not in missing], elsewhere)
    words = frozenset[str]().union(*(item.words for item in own))
    return bool(own) and all(AnswerItem(half).words & words for half in part.halves)


def _confirms_missing_half(context: ExaminationContext, pending: _Confirmation) -> Decision:
    return (yield from is_whole_in_halves(context, pending.found, pending.now))


def _confirms_loss(context: ExaminationContext, pending: _Confirmation) -> Decision:
    if context.may_be_cut(pending.found.source) and (yield from found_no_room(context, pending.found, pending.now)):
        return False
    if (yield from has_only_what_all_bring(context, pending.found, pending.now)):
        return False
    return not (yield from _was_chosen_otherwise(context, pending))


def _confirms_foreign_subject(context: ExaminationContext, pending: _Confirmation) -> Decision:
    if (yield from _comes_with_framing(context, pending.found)):
        return False
    may_be_note = not _has_nothing_else(context, pending)
    if may_be_note and (yield from is_in_each_compound(context, pending.found, pending.now)):
        return False
    return not (yield from _was_chosen_otherwise(context, pending))


def _has_nothing_else(context: ExaminationContext, pending: _Confirmation) -> bool:
    """Whether the section has nothing of what its parts bring alone, nor an item that names one of them."""
    found = pending.found
    section = context.brought.by_source[found.source]
    told = [told_of(context, part, pending.now[part], found.source) for part in found.parts]
    is_named = any(names_part(item, part) for item in found.items for part in found.parts)
    return not is_named and all(unmatched_items(items, section) == items for items in told)


def _was_chosen_otherwise(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """Whether an open part went to another source than it does alone: from the encyclopedia to a stand-in, or back."""
    found, vocabulary = pending.found, context.vocabulary
    is_loss = found.kind is DiscrepancyKind.NOTHING_OF_PART
    for part in found.contributors:
        if not part.is_open(vocabulary.encyclopedia):
            continue
        if is_loss and (yield from context.chosen_otherwise(part, found.source, Urgency.EXPLAIN)):
            return True
        may_go_there = found.source in vocabulary.stand_ins(vocabulary.encyclopedia) - pending.now[part].sources
        if not is_loss and may_go_there:
            by_name = yield from context.of(part.as_written, part, Urgency.EXPLAIN, only=found.source)
            items = () if by_name is None else context.items_of(found.source, by_name)
            if len(unmatched_items(found.items, items)) < len(found.items):
                return True
    return False


def _comes_with_framing(context: ExaminationContext, found: Discrepancy) -> Decision:
    """Whether a framed part brings some of it when it is asked with its framing; also where that is unknown.

    Framing may add a source, and bring a topic to the encyclopedia; to what that has on the topic it adds nothing.
    """
    for part in found.contributors:
        if PartKind.DISCOURSE not in part.kinds or part.framed == part.as_written:
            continue
        if found.source == context.vocabulary.encyclopedia:
            unframed = yield from context.alone(part, Urgency.EXPLAIN)
            if unframed is not None and found.source in unframed.sources:
                continue
        framed = yield from context.of(part.framed, part, Urgency.EXPLAIN)
        if framed is None:
            return True
        if len(unmatched_items(found.items, framed.by_source.get(found.source, ()))) < len(found.items):
            return True
    return False


CONFIRMED_BY: Mapping[DiscrepancyKind, Callable[[ExaminationContext, _Confirmation], Decision]] = MappingProxyType(
    {
        DiscrepancyKind.NOTHING_OF_PART: _confirms_loss,
        DiscrepancyKind.FOREIGN_SUBJECT: _confirms_foreign_subject,
        DiscrepancyKind.ITEMS_MISSING: _confirms_missing_items,
        DiscrepancyKind.HALF_MISSING: _confirms_missing_half,
        DiscrepancyKind.EXTRA_ITEMS: _confirms_slight,
        DiscrepancyKind.ORDER_CHANGED: _confirms_order,
    }
)


def _others_may_bring(context: ExaminationContext, found: Discrepancy) -> Generator[Probe, Answer | None, bool]:
    """Whether what moved may be there because of another part: all others that may bring it are asked at once."""
    others = [part for part in found.contributors if part not in found.parts]
    if not others:
        return False
    brought = yield from brought_by_all(context, others, found.source)
    return brought is None or bool({item.text for item in brought} & {item.text for item in found.items})


def sharing_parts(context: ExaminationContext) -> tuple[StandalonePart, ...]:
    """The parts of the only two sections that share something, and little, as if it had strayed; else none.

    Sections that share more, or more of them, may be of sources that hold the same.
    """
    items = {
        source: {item.text for item in context.items_of(source, context.brought) if not is_note(context, item)}
        for source in context.brought.by_source.keys() - context.volatile
    }
    shared = {
        (one, other): items[one] & items[other]
        for one, other in combinations(context.brought.by_source, 2)
        if one in items and other in items
    }
    pairs = [sources for sources, texts in shared.items() if texts]
    if len(pairs) != 1 or len(shared[pairs[0]]) > STRAYED_SHARE * max(len(items[source]) for source in pairs[0]):
        return ()
    return tuple(part for part in context.parts if any(context.may_bring(part, source) for source in pairs[0]))


def hangs_on_text(context: ExaminationContext, part: StandalonePart) -> tuple[bool, bool, int]:
    """What its source alone does not tell goes first: what is searched for, then what others ask the same source.

    Of others the last: an answer is rather cut at its end.
    """
    others = {need.source for other in context.parts if other is not part for need in other.needs}
    is_searched = not part.kinds <= {PartKind.INTENT, PartKind.MARK}
    return is_searched, any(need.source in others for need in part.needs), context.parts.index(part)


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
