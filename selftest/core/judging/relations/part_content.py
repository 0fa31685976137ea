"""A section is about the same thing as its parts alone; so pairs stay whole, and framing changes no subject.

Compared item by item, and only where the source answers the same from one request to the next: what is held against it
was asked after the query, and of a source not known to be steady a second answer has to agree.
"""

import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, pairwise
from types import MappingProxyType

from selftest.core.generation.queries import PartKind
from selftest.core.judging.answer_item import AnswerItem, as_item
from selftest.core.judging.answers import Answer
from selftest.core.judging.content import (
    SourceContent,
    are_moved,
    has_own_remark,
    listed_by,
    missing_items,
    moved_items,
    unmatched_items,
    without_frame,
    without_remarks_on_items,
)
from selftest.core.judging.context import (
    ALL_TURNS,
    Comparison,
    ExaminationContext,
    StandalonePart,
    content_of,
    control_compound,
)
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.relations.query_variants import only

LEAD_WORDS = 3  # "3 results below." heads an answer, and no item
SITE = re.compile(r"https?://([^\s/?#]+)([^\s?#]*)")
NAMED_SITE = re.compile(r"\W{0,4}\w+:? (\w[\w-]*(?:\.[\w-]+)*\.[a-z]{2,})\W{0,4}")  # a line: "- from a.example"
FEWEST_ADDRESSED = 2  # items with an address: those then tell whether a part is there
FEWEST_ALIKE = 2  # other sections with the same remark: it is about the answer
LOST_SHARE = 0.8  # of a part's items: a title that two of them share is no sign of it
FOREIGN_SHARE = 0.25  # of a section's items: a line of its own, such as a count or a note, is no other subject
BOILERPLATE_SHARE = 0.5  # of what a part brings alone: where its own items are fewer, there may be no room for them
IN_PLACE_SHARE = 0.5  # of what is not there: so much else in its place shows that there was room
STRAYED_SHARE = 0.5  # of the longer of two sections that share it
COMPANIONS = 3  # some of them may have nothing to say
FEWEST_QUESTION_WORDS = 4  # before one of them may be the state that is asked for
SELDOM = 4  # one query in so many is looked into for a kind of difference that nearly always turns out to be legal

Known = dict[StandalonePart, SourceContent]
Items = tuple[AnswerItem, ...]
LESS = (DiscrepancyKind.ITEMS_MISSING, DiscrepancyKind.HALF_MISSING)
LOSSES = (DiscrepancyKind.NOTHING_OF_PART, *LESS)
Decision = Generator[Probe, Answer | None, bool]


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
    compared = (part for part in context.parts if not part.points_back)
    in_order = sorted(compared, key=lambda part: hangs_on_text(context, part), reverse=True)
    known = yield from context.of_each({part: urgencies.get(part, Urgency.IF_KNOWN) for part in in_order})
    stability: list[tuple[str, bool]] = []
    decided: list[tuple[str, str, bool]] = []
    findings: list[Finding] = []
    is_seldoms_turn = context.turn < ALL_TURNS // SELDOM
    for found in _discrepancies(context, known):
        if (found.source, False) in stability or _is_told(context, found, findings):
            continue  # the same answers tell no more about the rest of its section
        if (found.source, found.kind) in context.seldom_confirmed and not is_seldoms_turn:
            continue
        refused = context.refused
        is_so = yield from _confirms(context, known, found, stability)
        if is_so or context.refused == refused:
            decided.append((found.source, found.kind, is_so))
        if is_so:
            findings.append(_finding(context, found))
            context.look_into(findings)
    return Contents(tuple(findings), tuple(stability), tuple(decided))


def _is_told(context: ExaminationContext, found: Discrepancy, findings: Sequence[Finding]) -> bool:
    """Whether something is found in its section already: of its parts, of the same cause, or without a known one."""
    parts = {part.as_written for part in found.parts}
    return any(
        context.is_news(told)
        or not parts.isdisjoint(told.evidence.parts)
        or told.accusation == _finding(context, found).accusation
        for told in findings
        if found.source in told.evidence.sources
    )


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
    if (yield from _is_about_part_before(context, known, found)):
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
    if not any(found.is_like(other) for other in _discrepancies(context, {**known, **now})):
        return False
    if not (yield from CONFIRMED_BY[found.kind](context, _Confirmation(found, now, stability))):
        return False
    return is_about_order or (yield from _stands_again(context, known, found, now, stability))


def _is_about_part_before(context: ExaminationContext, known: Known, found: Discrepancy) -> Decision:
    """Whether a part takes its subject from one before: so are what it lacks and what is foreign."""
    section = context.items_of(found.source, context.brought)
    brought = [item for alone in known.values() for item in alone.by_source.get(found.source, ())]
    items = unmatched_items(section, brought) if found.kind in LOSSES else found.items
    for part in found.contributors:
        if part.source == found.source and (yield from context.takes_subject(part, context.parts, items)):
            return True
    return False


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
    is_less = found.kind in LOSSES  # too much is no delay
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
    return any(found.is_like(other) for other in _discrepancies(asked_again, known))


def _confirms_slight(context: ExaminationContext, pending: _Confirmation, among: int = 0) -> Decision:
    """What is slight is held against a smaller compound, which asks its source a second time too."""
    if (yield from _comes_with_framing(context, pending.found)):
        return False
    return (yield from _is_right_in_control(context, pending.found, pending.now, among))


def _confirms_extra(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """Where the section lacks something too, there may be less room in as many sections, and another line for that."""
    if (yield from _is_brought_among_others(context, pending)):
        return False
    if (yield from _is_note_on_several_sources(context, pending.found)):
        return False
    source, section = pending.found.source, context.brought.by_source[pending.found.source]
    told = [_told_of(context, part, pending.now[part], source) for part in pending.found.parts]
    is_less = any(unmatched_items(items, section) for items in told)
    among = len(context.asked_sources) - 1 if is_less else 0
    return (yield from _confirms_slight(context, pending, among))


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
    among = len(context.asked_sources) - 1  # an answer may have room for so much in all
    is_right = (yield from _is_right_in_control(context, pending.found, pending.now, among)) or (
        yield from _is_whole_in_halves(context, pending.found, pending.now)
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
    items = _told_of(context, part, pending.now[part], source)
    missing = unmatched_items(items, context.brought.by_source[source])
    own = unmatched_items([item for item in items if item not in missing], elsewhere)
    words = frozenset[str]().union(*(item.words for item in own))
    return bool(own) and all(as_item(half).words & words for half in part.halves)


def _confirms_missing_half(context: ExaminationContext, pending: _Confirmation) -> Decision:
    return (yield from _is_whole_in_halves(context, pending.found, pending.now))


def _confirms_loss(context: ExaminationContext, pending: _Confirmation) -> Decision:
    if context.may_be_cut(pending.found.source) and (yield from _found_no_room(context, pending.found, pending.now)):
        return False
    if (yield from _has_only_what_all_bring(context, pending.found, pending.now)):
        return False
    if (yield from _is_not_owed(context, pending)):
        return False
    return not (yield from _was_chosen_otherwise(context, pending))


def _is_not_owed(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """Whether the source only adds to what the part needs, and that is there; or only stood in for one that has nothing
    on it, or may have nothing: here it has a section of its own.
    """
    part, source = pending.found.parts[-1], pending.found.source
    needed, sources = {need.source for need in part.needs}, pending.now[part].sources
    if source in needed:
        return False
    if needed & sources:
        return needed <= context.brought.sources
    need = next((need for need in part.needs if source in context.vocabulary.stand_ins(need.source)), None)
    if need is None:
        return False
    by_name = yield from context.alone(part, Urgency.EXPLAIN, only=need.source)
    return by_name is None or not by_name.sources or bool(context.failure_line(by_name))


def _confirms_foreign_subject(context: ExaminationContext, pending: _Confirmation) -> Decision:
    if (yield from _comes_with_framing(context, pending.found)):
        return False
    if (yield from _is_brought_among_others(context, pending)):
        return False
    may_be_note = not _has_nothing_else(context, pending)
    if may_be_note and (yield from _is_in_each_compound(context, pending.found, pending.now)):
        return False
    if may_be_note and (yield from _is_note_on_several_sources(context, pending.found)):
        return False
    return not (yield from _was_chosen_otherwise(context, pending))


def _is_note_on_several_sources(context: ExaminationContext, found: Discrepancy) -> Decision:
    """Whether it is there as well where the same sources are asked for something else: "Dry at your next event".

    Also where that is unknown. What another section holds too has strayed from there.
    """
    others = context.asked_sources - {found.source}
    elsewhere = [item for source in others for item in context.brought.by_source.get(source, ())]
    if unmatched_items(found.items, elsewhere) != found.items:
        return False
    asked = {text.casefold() for part in context.parts for text in part.texts}
    phrases = (
        [each for each in context.vocabulary.sources.get(source, ()) if each.casefold() not in asked]
        for source in sorted(others)
    )
    companions = [unasked[0] for unasked in phrases if unasked]
    if not companions:
        return False
    text = control_compound(found.parts[-1].as_written, companions, context.vocabulary)
    answer = yield from context.ask(Probe(text, Purpose.CONTROL, Urgency.SUSPECT))
    if answer is None:
        return True
    return not unmatched_items(found.items, content_of(answer, context.vocabulary).by_source.get(found.source, ()))


def _is_brought_among_others(context: ExaminationContext, pending: _Confirmation) -> Decision:
    """Whether a part that brings nothing alone brings some of it in another compound, as the closest that there is.

    Also where that is unknown.
    """
    found = pending.found
    for part in found.contributors:
        alone = pending.now[part]
        brings_something = alone.sources and not context.failure_line(alone)
        if brings_something or not context.may_be_answered_by(part, found.source):
            continue
        there = yield from _smaller_compound_content(context, replace(found, parts=(part,)), among=COMPANIONS)
        if there is None or not there.sources - {found.source}:
            return True  # no compound: they have nothing to say either
        if len(unmatched_items(found.items, there.by_source.get(found.source, ()))) < len(found.items):
            return True
    return False


def _has_nothing_else(context: ExaminationContext, pending: _Confirmation) -> bool:
    """Whether the section has nothing of what its parts bring alone, nor an item that names one of them."""
    found = pending.found
    section = context.brought.by_source[found.source]
    if any(part.is_named_by(item) for item in found.items for part in found.parts):
        return False
    told = {part: _told_of(context, part, pending.now[part], found.source) for part in found.parts}
    return all(
        missing_items(items, section, pending.now[part].by_source[found.source]) == items
        for part, items in told.items()
    )


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
        DiscrepancyKind.EXTRA_ITEMS: _confirms_extra,
        DiscrepancyKind.ORDER_CHANGED: _confirms_order,
    }
)


def _others_may_bring(context: ExaminationContext, found: Discrepancy) -> Generator[Probe, Answer | None, bool]:
    """Whether what moved may be there because of another part: all others that may bring it are asked at once."""
    others = [part for part in found.contributors if part not in found.parts]
    if not others:
        return False
    brought = yield from _brought_by_all(context, others, found.source)
    return brought is None or bool({item.text for item in brought} & {item.text for item in found.items})


def sharing_parts(context: ExaminationContext) -> tuple[StandalonePart, ...]:
    """The parts of the only two sections that share something, and little, as if it had strayed; else none.

    Sections that share more, or more of them, may be of sources that hold the same.
    """
    items = {
        source: {item.text for item in context.items_of(source, context.brought) if not _is_note(context, item)}
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
    is_missing = found.kind in LOSSES
    how = "alone, and not there" if is_missing else "there, and not so alone"
    seen = f"{how}:\n" + "\n".join(item.text for item in found.items)
    evidence = Evidence(
        found.kind,
        (found.source,),
        tuple(part.as_written for part in found.parts),
        tuple(item.text for item in found.items),
    )
    return context.finding(check, summary, promised, seen, [part.as_written for part in found.contributors], evidence)


# --- how a section differs from what its parts bring alone: nothing is asked ---


@dataclass(frozen=True)
class _Section:
    """One section of the answer, and the parts that bring something of its source alone.

    items: all of it; own: without boilerplate. alone: all that each part brings of the source; brought: what tells
    something of it. may_bring: the parts that it may be there for.
    """

    context: ExaminationContext
    source: str
    items: Items
    own: Items
    alone: Mapping[StandalonePart, Items]
    brought: Mapping[StandalonePart, Items]
    may_bring: tuple[StandalonePart, ...]

    def of_others(self, part: StandalonePart) -> list[AnswerItem]:
        """What all but `part` bring."""
        return [item for other, items in self.brought.items() if other is not part for item in items]

    def says_why(self, part: StandalonePart) -> bool:
        """Whether it has a remark on itself that `part` alone has not."""
        remarks = without_remarks_on_items(self.items, list(self.alone.values()))
        of_section = _without_remarks_of_all(self.context, self.source, remarks)
        return has_own_remark(of_section, self.alone[part], self.context.query.text)

    @property
    def shows_each_site_once(self) -> bool:
        """Whether several parts bring more from one site than it shows, but for one item of each part.

        Where a part brings two of one site alone, the source has no such habit.
        """
        repeated, parts = _repeated_sites(self.items), self.alone.values()
        is_habit = 1 < len(parts) > repeated and not any(map(_repeated_sites, parts))
        if is_habit and _repeated_sites(item for items in parts for item in items) > repeated:
            return True
        if len(parts) < 2 or len(_named_sites(self.items)) < FEWEST_ADDRESSED:
            return False
        named = [_named_sites(items) for items in parts]
        return all(named) and sum(map(len, named)) > len(frozenset().union(*named))


def _discrepancies(context: ExaminationContext, known: Known) -> Iterable[Discrepancy]:
    """By section in the order of their sources' names, without those of volatile sources. known: the parts at hand."""
    left_out = context.left_out
    for source, items in sorted(context.brought.by_source.items()):
        if source in context.volatile:
            continue
        parts = [
            part
            for part, alone in known.items()
            if source in alone.sources
            and part not in left_out
            and not _is_framed_elsewhere(context, part, source)
            and not context.failure_line(alone)
        ]
        section = _Section(
            context,
            source,
            items,
            context.items_of(source, context.brought),
            {part: known[part].by_source[source] for part in parts},
            {part: _told_of(context, part, known[part], source) for part in parts},
            tuple(part for part in context.parts if context.may_bring(part, source)),
        )
        said = tuple(item for item in items if item not in context.brought.closing)
        if not parts or context.failure_line(SourceContent({source: said})):
            continue
        if section.shows_each_site_once:
            continue  # which items of a part are there hangs on the others
        # The closest match to a part that alone is left to a fallback may take the room of others.
        has_closest = _is_left_to_others(section, known) and bool(_foreign_of(section))
        for part in parts:
            yield from _lacking(section, part, has_closest)
        for part in parts:
            yield from _moved(section, part)
        if all(part in known for part in section.may_bring):
            yield from _foreign(section, known)


def _lacking(section: _Section, part: StandalonePart, has_closest: bool) -> Iterable[Discrepancy]:
    """What the section has not of all that `part` brings alone, if no limit or habit may be why.

    has_closest: it holds something else, which may be the closest match to another part.
    """
    items = section.brought[part]
    missing = missing_items(items, section.items, section.alone[part])
    if not has_closest and _has_nothing_of(section, part):
        yield Discrepancy(DiscrepancyKind.NOTHING_OF_PART, section.source, (part,), (part,), missing)
        return
    telling = _telling_items(items, section.items)
    if not missing or unmatched_items(telling, section.items) == telling:
        return
    may_be_shared_out = has_closest or _may_be_shared_out(section, part, missing)
    if may_be_shared_out and not _has_less_room(part, missing, section.brought, section.items):
        return  # each part of a section may have room for its first item only
    context, source = section.context, section.source
    elsewhere = [item for other in context.brought.sources - {source} for item in context.brought.by_source[other]]
    if section.says_why(part) or not unmatched_items(missing, elsewhere):
        return
    # No limit to the length of a section is to blame where alone it is longer.
    is_shorter = len(section.own) < len(items) or len(missing) >= LOST_SHARE * len(items)
    if is_shorter and not may_be_shared_out:
        yield Discrepancy(DiscrepancyKind.ITEMS_MISSING, source, (part,), (part,), missing)
    elif PartKind.PAIR in part.kinds:
        yield Discrepancy(DiscrepancyKind.HALF_MISSING, source, (part,), (part,), missing)


def _has_nothing_of(section: _Section, part: StandalonePart) -> bool:
    """Whether nothing of `part` is there, nor an item that may be one of it further down, nor a reason."""
    telling = _telling_items(section.brought[part], section.items)
    if missing_items(telling, section.items, section.alone[part]) != telling:
        return False
    if _has_statement_of(section, part):
        return False
    of_others = section.of_others(part)
    is_framed = any(PartKind.DISCOURSE in other.kinds for other in section.may_bring if other is not part)
    further = unmatched_items(section.own, of_others) if of_others or is_framed else ()
    if any(part.is_named_by(item) for item in further) or section.says_why(part):
        return False
    return not (further and _may_be_another(section, part))


def _has_statement_of(section: _Section, part: StandalonePart) -> bool:
    """Whether it has a line of `part` that names it and is no learned lead-in: an article may begin so, and be cut.

    Or one word of what was asked, which is the state where the part brings only one line beside it: "up".
    """
    context, alone = section.context, section.alone[part]
    named = [
        item
        for item in context.check_input.items_of(section.source, SourceContent({section.source: alone}))
        if (item.is_statement or item.is_cut) and context.check_input.frames(item, alone)
    ]
    if len(section.brought[part]) == 1:
        named += [item for item in alone if _is_one_word(item) and _echoes(item, part)]
    own = unmatched_items(
        named, [item for other, items in section.alone.items() if other is not part for item in items]
    )
    return len(unmatched_items(own, section.items)) < len(own)


def _may_be_another(section: _Section, part: StandalonePart) -> bool:
    """Whether an item that no part brings may be one of `part` further down: neither a link nor a single item that it
    brings tells what its others are like.
    """
    items = section.brought[part]
    are_links = [item.is_address for item in items]
    if len(items) > 1 and not all(are_links):
        return False
    return any(item.is_address if all(are_links) else len(item.words) > LEAD_WORDS for item in _foreign_of(section))


def _foreign_of(section: _Section) -> Items:
    """What no part brings of this source alone."""
    alone = [item for each in section.alone.values() for item in each]
    return _foreign_items(section.context, section.source, alone, ())


def _may_be_shared_out(section: _Section, part: StandalonePart, missing: Items) -> bool:
    """Whether several parts may share the room, and `part` has its share."""
    items = section.brought[part]
    first = next((item for item in items if len(item.words) > LEAD_WORDS), items[0])
    return len(section.may_bring) > 1 and (
        first not in missing
        or _all_lack(section.brought, section.items)
        or _holds_unasked(section.may_bring, section.brought, section.own)
    )


def _moved(section: _Section, part: StandalonePart) -> Iterable[Discrepancy]:
    """A pair whose items are there in another order."""
    others = (items for other, items in section.brought.items() if other is not part)
    moved = moved_items(section.brought[part], section.items, others)
    if moved and PartKind.PAIR in part.kinds:
        contributors = (*(other for other in section.may_bring if other is not part), part)
        yield Discrepancy(DiscrepancyKind.ORDER_CHANGED, section.source, (part,), contributors, moved)


def _foreign(section: _Section, known: Known) -> Iterable[Discrepancy]:
    """What no part brings alone, under whatever header: what several sources have may be listed with any of them."""
    alone = [item for part in section.alone for items in known[part].by_source.values() for item in items]
    shares = tuple(section.brought) if len(section.brought) > 1 else ()
    foreign = _foreign_items(section.context, section.source, alone, shares)
    is_more = any(_says_there_is_more(section.context, known[part], part, section.source) for part in section.brought)
    if foreign and not is_more and not _is_left_to_others(section, known):
        is_subject = len(foreign) >= FOREIGN_SHARE * len(section.own)
        kind = DiscrepancyKind.FOREIGN_SUBJECT if is_subject else DiscrepancyKind.EXTRA_ITEMS
        contributors = tuple(dict.fromkeys((*section.may_bring, *section.brought)))  # also what has no need of it
        yield Discrepancy(kind, section.source, tuple(section.brought), contributors, foreign)


def _is_left_to_others(section: _Section, known: Known) -> bool:
    """Whether a part has its source here, and alone only what stands in for that: what it would bring is not known."""
    alone = [known[part].sources for part in section.may_bring if part.source == section.source and part in known]
    stand_ins = section.context.vocabulary.stand_ins(section.source) - {section.source}
    return any(sources and sources <= stand_ins for sources in alone)


def _without_remarks_of_all(context: ExaminationContext, source: str, items: Collection[AnswerItem]) -> Items:
    """`items` without remarks that each other section has too, as "(2 of 5)" may: they tell nothing of this one."""
    others = [section for other, section in context.brought.by_source.items() if other != source]
    if len(others) < FEWEST_ALIKE:
        return tuple(items)
    return tuple(
        item
        for item in items
        if not (item.is_remark and all(any(o.is_remark and item.is_like(o) for o in other) for other in others))
    )


def _telling_items(items: Items, section: Items) -> Items:
    """Those with an address, where there are several: others may well be like one of another part. Else all, and in a
    section that shows no address.
    """
    addressed = tuple(item for item in items if SITE.search(item.text))
    is_addressed = len(addressed) >= FEWEST_ADDRESSED and any(SITE.search(item.text) for item in section)
    return addressed if is_addressed else items


def _foreign_items(
    context: ExaminationContext, source: str, alone: Collection[AnswerItem], shares: Collection[StandalonePart]
) -> tuple[AnswerItem, ...]:
    """What no part brings alone of its section, without notes and what stands by an item of a part that shares it."""
    whole, own = context.brought.by_source[source], context.items_of(source, context.brought)
    others = set(unmatched_items(whole, alone))
    runs = [tuple(lines) for is_other, lines in groupby(own, lambda item: item in others) if is_other]
    apart = [run for run in runs if not any(part.is_named_by(item) for item in run for part in shares)]
    matched = set(whole) - others
    foreign = [item for run in apart for item in without_frame(run, whole, matched) if not _is_note(context, item)]
    foreign = [item for item in foreign if not listed_by(item, alone)]
    if all(context.check_input.frames(item, whole) for item in foreign):
        return ()
    if len(apart) < len(runs):
        foreign = [item for item in foreign if not item.is_address]  # perhaps the one of that item, in a footnote
    if len(foreign) == 1 and (foreign[0].sums_up(own, alone) or _counts_parts(foreign[0], whole, len(shares))):
        return ()
    return tuple(foreign)


def _counts_parts(item: AnswerItem, section: Items, parts: int) -> bool:
    """Whether it heads a section that so many parts share, with their number."""
    return parts > 1 and item is section[0] and item.counts(parts)


def _says_there_is_more(context: ExaminationContext, alone: SourceContent, part: StandalonePart, source: str) -> bool:
    """Whether all that the part brings alone is in the section, and says of itself that there is more."""
    section = context.brought.by_source[source]
    told = _told_of(context, part, alone, source)
    return not unmatched_items(told, section) and has_own_remark(alone.by_source[source], section, part.as_written)


def _holds_unasked(may_bring: Iterable[StandalonePart], brought: Collection[StandalonePart], own: Items) -> bool:
    """Whether a part that brings nothing of this source alone has an item here, as where framing adds a source."""
    return any(part.is_named_by(item) for part in may_bring if part not in brought for item in own)


def _repeated_sites(items: Iterable[AnswerItem]) -> int:
    """How many addresses are of a site that an earlier one is of."""
    addresses = {found for item in items for found in SITE.findall(item.text)}
    return len(addresses) - len({site for site, _ in addresses})


def _named_sites(items: Sequence[AnswerItem]) -> frozenset[str]:
    """The sites of the items, where each has as many lines and then its own site, another one each time; else none.

    A line that is there once more is no item, so two items of one site are not as far apart. Fewer lines may end it.
    """
    sites = {place: found[1] for place, item in enumerate(items) if (found := NAMED_SITE.fullmatch(item.text))}
    distances = {place - before for before, place in pairwise((-1, *sites))}
    is_regular = len(distances) == 1 and 1 not in distances and len(items) - 1 - max(sites) < max(distances)
    return frozenset(sites.values()) if is_regular and len({*sites.values()}) == len(sites) else frozenset()


def _all_lack(brought: Mapping[StandalonePart, Items], section: Items) -> bool:
    """Whether none of several parts is there as a whole: what was left out was not chosen by the parts."""
    return len(brought) > 1 and all(unmatched_items(items, section) for items in brought.values())


def _has_less_room(
    part: StandalonePart,
    missing: Sequence[AnswerItem],
    brought: Mapping[StandalonePart, tuple[AnswerItem, ...]],
    section: Sequence[AnswerItem],
) -> bool:
    """Whether another part is there as a whole, with more than what is left of this one."""
    left = len(brought[part]) - len(missing)
    others = (items for other, items in brought.items() if other is not part)
    return any(len(items) > left and not unmatched_items(items, section) for items in others)


def _is_note(context: ExaminationContext, item: AnswerItem) -> bool:
    """Whether it only says what was asked, that there is nothing for it, or how it came about; or closes the answer."""
    heads = item.text.endswith(":") and len(item.words) <= LEAD_WORDS
    says_nothing = failure_phrase(item.text, context.vocabulary.empty_phrases) is not None
    is_of_answer = item.is_blank or item.is_remark or context.closes(item, context.brought)
    return is_of_answer or says_nothing or heads or item.echoes(context.query.text)


def _told_of(context: ExaminationContext, part: StandalonePart, alone: SourceContent, source: str) -> Items:
    """What `alone` has of `source`, without boilerplate, echoes of the part and remarks, as far as that leaves any."""
    telling, every = context.items_of(source, alone), alone.by_source[source]
    for items in (telling, every):
        told = tuple(
            item
            for item in items
            if not (item.is_remark or _echoes(item, part) or context.check_input.frames(item, every))
        )
        if told:
            return told
    return every


def _echoes(item: AnswerItem, part: StandalonePart) -> bool:
    """Whether it only says what was asked; one word of a long question may be the state that it asks for: "locked"."""
    is_state = _is_one_word(item) and len(as_item(part.as_written).words) >= FEWEST_QUESTION_WORDS
    return not is_state and item.echoes(part.as_written)


def _is_one_word(item: AnswerItem) -> bool:
    return len(item.words) == 1 and item.form == "line"


def _is_framed_elsewhere(context: ExaminationContext, part: StandalonePart, source: str) -> bool:
    """Whether framing has brought the part to the encyclopedia, which without it goes to what stands in for that."""
    encyclopedia = context.vocabulary.encyclopedia
    stands_in = source != encyclopedia and source in context.vocabulary.stand_ins(encyclopedia)
    return stands_in and PartKind.DISCOURSE in part.kinds and encyclopedia in context.brought.sources


# --- what a smaller compound of the same target shows ---


def _brought_by_all(
    context: ExaminationContext, parts: Sequence[StandalonePart], source: str
) -> Generator[Probe, Answer | None, Sequence[AnswerItem] | None]:
    """What `parts` bring of a source without the others, asked at once; None where that is not to be had."""
    text = only(context.query, [place for place, part in enumerate(context.parts) if part in parts]).text
    answer = yield from context.ask(Probe(text, Purpose.FEWER, Urgency.EXPLAIN))
    if answer is None or answer.error is not None:
        return None
    return context.items_of(source, content_of(answer, context.vocabulary))


def _is_right_in_control(
    context: ExaminationContext, found: Discrepancy, alone: Known, among: int = 0
) -> Generator[Probe, Answer | None, bool]:
    """Whether a part is answered in another compound as it is alone: then it is this query that makes it wrong.

    A router that orders or adds things in every compound, or has less room the more sources it asks, does so there too,
    and is not accused of it. among: how many other sources that compound asks, one at least, and has to have sections
    of.
    """
    part = found.parts[-1]
    there = yield from _smaller_compound_content(context, found, among)
    if there is None or found.source not in there.by_source or _answering_sections(context, there) <= among:
        return False  # with fewer sections than it was asked for, an answer has room for more of each
    # Without echoes: a source that always brings the same has nothing else to be compared.
    told, expected = (_told_of(context, part, content, found.source) for content in (there, alone[part]))
    return [item.text for item in told] == [item.text for item in expected]


def _answering_sections(context: ExaminationContext, there: SourceContent) -> int:
    """How many sections bring something: an empty one may be kept, and leave its room to the others."""
    told = (context.items_of(source, there) for source in there.by_source)
    return sum(bool(items) and not context.failure_line(SourceContent({"": items})) for items in told)


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
    items = context.items_of(found.source, alone[found.parts[-1]])
    filled = context.items_of(found.source, context.brought)
    if unmatched_items(items, section) == items or len(section) > len(filled):
        return False
    others = [part for part in context.contributors(found.source) if part not in found.parts]
    by_others = yield from _brought_by_all(context, others, found.source)
    return by_others is None or not unmatched_items(filled, by_others)


def _has_only_what_all_bring(context: ExaminationContext, found: Discrepancy, alone: Known) -> Decision:
    """Whether items that any part of the source brings leave no room for its own ones, or those are of each answer and
    stand in another section; also where it cannot be told.

    Then a compound that asks as many sources has none of them there either.
    """
    elsewhere = [
        item for other in context.brought.sources - {found.source} for item in context.brought.by_source[other]
    ]
    is_elsewhere = not unmatched_items(found.items, elsewhere)
    all_there = alone[found.parts[-1]].by_source[found.source]
    own, half = len(found.items), BOILERPLATE_SHARE * len(all_there)
    if not is_elsewhere and (own > half or own == half == 1):
        return False
    if not is_elsewhere and (yield from _has_others_in_their_place(context, found, alone)):
        return False
    among = len(context.asked_sources) - 1
    there = yield from _smaller_compound_content(context, found, among)
    if there is None or len(there.headed) <= among:
        return True
    return unmatched_items(found.items, there.by_source.get(found.source, ())) == found.items


def _has_others_in_their_place(context: ExaminationContext, found: Discrepancy, alone: Known) -> Decision:
    """Whether the section has items that no part brings alone, half as many or more: there was room for its own."""
    part, source = found.parts[-1], found.source
    others = [other for other in context.parts if other is not part and context.may_bring(other, source)]
    if len(_foreign_items(context, source, alone[part].by_source[source], ())) < IN_PLACE_SHARE * len(found.items):
        return False
    known = yield from context.of_each(dict.fromkeys(others, Urgency.EXPLAIN))
    if known.keys() < set(others):
        return False
    brought = [item for content in (alone[part], *known.values()) for item in content.by_source.get(source, ())]
    return len(_foreign_items(context, source, brought, ())) >= IN_PLACE_SHARE * len(found.items)


def _is_in_each_compound(
    context: ExaminationContext, found: Discrepancy, alone: Known
) -> Generator[Probe, Answer | None, bool]:
    """Whether a smaller compound holds the same items too, as a router's note does; also where that is unknown."""
    section = yield from _in_smaller_compound(context, found)
    if section is None:
        return True
    notes = unmatched_items(section, context.items_of(found.source, alone[found.parts[-1]]))
    return not unmatched_items(found.items, notes)


def _is_whole_in_halves(
    context: ExaminationContext, found: Discrepancy, alone: Known
) -> Generator[Probe, Answer | None, bool]:
    """Whether a pair that a smaller compound halves too is whole where its halves are asked apart in one.

    Then no limit to what a compound brings is to blame.
    """
    part = found.parts[-1]
    items = context.items_of(found.source, alone[part])
    halves = part.halves
    section = yield from _in_smaller_compound(context, found)
    if not halves or section is None or not unmatched_items(items, section):
        return False
    companion = context.vocabulary.companions_of(found.source)[0]
    text = context.vocabulary.conjunction_for(part.as_written).join((*halves, companion))
    answer = yield from context.ask(Probe(text, Purpose.CONTROL, Urgency.SUSPECT))
    if answer is None or answer.error is not None:
        return False
    return not unmatched_items(items, content_of(answer, context.vocabulary).by_source.get(found.source, ()))


def _in_smaller_compound(
    context: ExaminationContext, found: Discrepancy
) -> Generator[Probe, Answer | None, Sequence[AnswerItem] | None]:
    """The section that it is about, with one of its parts only; None where that is not to be had."""
    content = yield from _smaller_compound_content(context, found)
    return None if content is None else context.items_of(found.source, content)


def _smaller_compound_content(
    context: ExaminationContext, found: Discrepancy, among: int = 0
) -> Generator[Probe, Answer | None, SourceContent | None]:
    """What one of its parts and a phrase of each of so many other sources bring; None where that is not to be had."""
    companions = context.vocabulary.companions_of(found.source)[: max(1, among)]
    text = control_compound(found.parts[-1].as_written, companions, context.vocabulary)
    answer = yield from context.ask(Probe(text, Purpose.CONTROL, Urgency.SUSPECT))
    return None if answer is None or answer.error is not None else content_of(answer, context.vocabulary)
