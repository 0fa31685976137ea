"""How the sections of an answer differ from what their parts bring alone, item by item. Pure: nothing is asked.

What is legal everywhere is left out: a section says why it is shorter, shows each site once, or shares its room out.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from selftest.core.generation.queries import PartKind
from selftest.core.judging.content import (
    AnswerItem,
    SourceContent,
    has_own_remark,
    moved_items,
    unmatched_items,
    without_remarks_on_items,
)
from selftest.core.judging.context import ExaminationContext, StandalonePart
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.core.judging.findings import DiscrepancyKind

LEAD_WORDS = 3  # "3 results below." heads an answer, and no item
SITE = re.compile(r"https?://([^\s/?#]+)([^\s?#]*)")
FEWEST_ADDRESSED = 2  # items with an address: those then tell whether a part is there
FEWEST_ALIKE = 2  # other sections with the same remark: it is about the answer
LOST_SHARE = 0.8  # of a part's items: a title that two of them share is no sign of it
FOREIGN_SHARE = 0.25  # of a section's items: a line of its own, such as a count or a note, is no other subject

Known = dict[StandalonePart, SourceContent]
Items = tuple[AnswerItem, ...]
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
        return is_habit and _repeated_sites(item for items in parts for item in items) > repeated


def discrepancies(context: ExaminationContext, known: Known) -> Iterable[Discrepancy]:
    """By section in the order of their sources' names, without those of volatile sources. known: the parts at hand."""
    for source, items in sorted(context.brought.by_source.items()):
        if source in context.volatile:
            continue
        parts = [
            part
            for part, alone in known.items()
            if source in alone.sources and not _is_framed_elsewhere(context, part, source)
        ]
        section = _Section(
            context,
            source,
            items,
            context.items_of(source, context.brought),
            {part: known[part].by_source[source] for part in parts},
            {part: told_of(context, part, known[part], source) for part in parts},
            tuple(part for part in context.parts if context.may_bring(part, source)),
        )
        if not parts or section.shows_each_site_once:
            continue  # which items of a part are there hangs on the others
        for part in parts:
            yield from _lacking(section, part)
        for part in parts:
            yield from _moved(section, part)
        if all(part in known for part in section.may_bring):
            yield from _foreign(section, known)


def _lacking(section: _Section, part: StandalonePart) -> Iterable[Discrepancy]:
    """What the section has not of all that `part` brings alone, if no limit or habit may be why."""
    items = section.brought[part]
    missing = unmatched_items(items, section.items)
    if _has_nothing_of(section, part):
        yield Discrepancy(DiscrepancyKind.NOTHING_OF_PART, section.source, (part,), (part,), missing)
        return
    telling = _telling_items(items)
    if not missing or unmatched_items(telling, section.items) == telling:
        return
    may_be_shared_out = _may_be_shared_out(section, part, missing)
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
    telling = _telling_items(section.brought[part])
    if unmatched_items(telling, section.items) != telling:
        return False
    of_others = section.of_others(part)
    is_framed = any(PartKind.DISCOURSE in other.kinds for other in section.may_bring if other is not part)
    further = unmatched_items(section.own, of_others) if of_others or is_framed else ()
    if any(names_part(item, part) for item in further) or section.says_why(part):
        return False
    return not (further and _may_be_another(section, part))


def _may_be_another(section: _Section, part: StandalonePart) -> bool:
    """Whether an item that no part brings may be one of `part` further down: neither a link nor a single item that it
    brings tells what its others are like.
    """
    items = section.brought[part]
    are_links = [item.is_address for item in items]
    if len(items) > 1 and not all(are_links):
        return False
    alone = [item for each in section.alone.values() for item in each]
    foreign = foreign_items(section.context, section.own, alone, ())
    return any(item.is_address if all(are_links) else len(item.words) > LEAD_WORDS for item in foreign)


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
    """What no part brings alone."""
    alone = [item for items in section.alone.values() for item in items]
    shares = tuple(section.brought) if len(section.brought) > 1 else ()
    foreign = foreign_items(section.context, section.own, alone, shares)
    is_more = any(_says_there_is_more(section.context, known[part], part, section.source) for part in section.brought)
    if foreign and not is_more:
        is_subject = len(foreign) >= FOREIGN_SHARE * len(section.own)
        kind = DiscrepancyKind.FOREIGN_SUBJECT if is_subject else DiscrepancyKind.EXTRA_ITEMS
        contributors = tuple(dict.fromkeys((*section.may_bring, *section.brought)))  # also what has no need of it
        yield Discrepancy(kind, section.source, tuple(section.brought), contributors, foreign)


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


def _telling_items(items: Items) -> Items:
    """Those with an address, where there are several: others may well be like one of another part. Else all."""
    addressed = tuple(item for item in items if SITE.search(item.text))
    return addressed if len(addressed) >= FEWEST_ADDRESSED else items


def foreign_items(
    context: ExaminationContext, own: Items, alone: Collection[AnswerItem], shares: Iterable[StandalonePart]
) -> tuple[AnswerItem, ...]:
    """What of a section no part brings alone, without notes and all that stands by an item of a part that shares it."""
    others = set(unmatched_items(own, alone))
    runs = [tuple(lines) for is_other, lines in groupby(own, lambda item: item in others) if is_other]
    apart = [run for run in runs if not any(names_part(item, part) for item in run for part in shares)]
    foreign = [item for run in apart for item in run if not is_note(context, item)]
    if len(apart) < len(runs):
        foreign = [item for item in foreign if not item.is_address]  # perhaps the one of that item, in a footnote
    is_summary = len(foreign) == 1 and foreign[0].sums_up(own, alone)
    return () if is_summary else tuple(foreign)


def _says_there_is_more(context: ExaminationContext, alone: SourceContent, part: StandalonePart, source: str) -> bool:
    """Whether all that the part brings alone is in the section, and says of itself that there is more."""
    section = context.brought.by_source[source]
    told = told_of(context, part, alone, source)
    return not unmatched_items(told, section) and has_own_remark(alone.by_source[source], section, part.as_written)


def _holds_unasked(may_bring: Iterable[StandalonePart], brought: Collection[StandalonePart], own: Items) -> bool:
    """Whether a part that brings nothing of this source alone has an item here, as where framing adds a source."""
    return any(names_part(item, part) for part in may_bring if part not in brought for item in own)


def names_part(item: AnswerItem, part: StandalonePart) -> bool:
    """Whether it has all words of the part: one of its items further down, in a section that several parts share.

    A site may be shown once in a section, so what a part brings there hangs on the parts before it. Of a condition its
    words but the first tell: "if the door is locked, let me know" may have items below "The door is locked:".
    """
    condition = next((each.text.partition(" ")[2] for each in part.clause.parts if each.kind is PartKind.CONDITION), "")
    texts = part.halves or (condition or part.alone,)
    words = frozenset[str]().union(*(AnswerItem(text).words for text in texts))
    return bool(words) and words <= item.words


def _repeated_sites(items: Iterable[AnswerItem]) -> int:
    """How many addresses are of a site that an earlier one is of."""
    addresses = {found for item in items for found in SITE.findall(item.text)}
    return len(addresses) - len({site for site, _ in addresses})


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


def is_note(context: ExaminationContext, item: AnswerItem) -> bool:
    """Whether it only says what was asked, that there is nothing for it, or how it came about."""
    says_nothing = failure_phrase(item.text, context.vocabulary.empty_phrases) is not None
    return says_nothing or item.is_remark or item.echoes(context.query.text)


def told_of(context: ExaminationContext, part: StandalonePart, alone: SourceContent, source: str) -> Items:
    """What `alone` has of `source`, without boilerplate, echoes of the part and remarks, as far as that leaves any."""
    telling, every = context.items_of(source, alone), alone.by_source[source]
    for items in (telling, every):
        told = tuple(item for item in items if not (item.is_remark or item.echoes(part.as_written)))
        if told:
            return told
    return every


def _is_framed_elsewhere(context: ExaminationContext, part: StandalonePart, source: str) -> bool:
    """Whether framing has brought the part to the encyclopedia, which without it goes to what stands in for that."""
    encyclopedia = context.vocabulary.encyclopedia
    stands_in = source != encyclopedia and source in context.vocabulary.stand_ins(encyclopedia)
    return stands_in and PartKind.DISCOURSE in part.kinds and encyclopedia in context.brought.sources
