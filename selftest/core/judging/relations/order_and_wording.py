"""The same asked once more: as it was, in another order, joined by other words. The sources must be the same."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field

from selftest.core.generation.queries import PartKind
from selftest.core.judging.answer_item import AnswerItem
from selftest.core.judging.answers import Answer
from selftest.core.judging.content import SourceContent, are_moved, has_own_remark, unmatched_items, without_frame
from selftest.core.judging.context import Comparison, ExaminationContext, StandalonePart, content_of, named
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.relations.query_variants import plain, rejoined, reordered

MOVED_SHARE = 0.5


def asked_twice(context: ExaminationContext) -> Comparison:
    """Asking twice gives the same structure, and a made-up query is in no cache."""
    answer = yield from context.ask(Probe(context.query.text, Purpose.AGAIN, Urgency.WORTHWHILE, fresh=1))
    if answer is None or answer.error is not None:
        return ()
    found = (_from_the_cache(context, answer), _otherwise(context, answer))
    return tuple(finding for finding in found if finding is not None)


def agreements(context: ExaminationContext) -> tuple[tuple[str, bool], ...]:
    """Of a query that was asked twice: which sources brought the same both times."""
    for probe, answer in context.asked.items():
        if probe.purpose is Purpose.AGAIN and not answer.cached:
            other = content_of(answer, context.vocabulary)
            return context.check_input.agreements(context.brought, other)
    return ()


def _from_the_cache(context: ExaminationContext, again: Answer) -> Finding | None:
    if context.check_input.answer.cached or not again.cached:
        return None
    return context.finding(
        CheckName.SYNTHETIC_QUERY_CACHED,
        "asked again, it comes from the cache, which a synthetic query must not fill",
        "a synthetic query leaves no trace in the router's cache",
        "not cached at first, cached when asked again",
        [context.query.text],
    )


def _otherwise(context: ExaminationContext, again: Answer) -> Finding | None:
    other = content_of(again, context.vocabulary)
    if other.sources == context.brought.sources:
        return None
    difference = _difference(context, context.brought, other)
    if not difference:
        return None
    return context.finding(
        CheckName.ASKED_TWICE_DIFFERS,
        f"asked again, {difference.sentence}",
        "the same sources for the same query",
        f"first {named(context.brought.sources)}, then {named(other.sources)}",
        [context.query.text],
        difference.evidence,
    )


def in_other_order(context: ExaminationContext) -> Comparison:
    """The order of independent parts does not matter."""
    if any(part.points_back for part in context.parts):
        return ()
    text = reordered(context.query)
    return (yield from _reworded(context, text, Purpose.ORDER, CheckName.ORDER_MATTERS, "in another order"))


def joined_otherwise(context: ExaminationContext) -> Comparison:
    """Which conjunction joins them does not matter."""
    text = rejoined(context.query, context.vocabulary)
    return _reworded(context, text, Purpose.CONJUNCTION, CheckName.CONJUNCTION_MATTERS, "joined by other words")


def in_plain_words(context: ExaminationContext) -> Comparison:
    """Framing, case, quotes and punctuation do not matter; quotes and signs may to what a source finds.

    Unless what stands after the framing joins no clauses elsewhere: then it goes with the framing.
    """
    conjunctions = {conjunction.strip(" ,").casefold() for conjunction in context.vocabulary.conjunctions}
    marks = {part.text.strip(" ,").casefold() for part in context.query.parts if part.kind is PartKind.MARK}
    if any(mark.isalpha() and mark not in conjunctions for mark in marks):
        return ()
    return (yield from _in_plain_words(context))


def _in_plain_words(context: ExaminationContext) -> Comparison:
    is_framed = any(part.kind is PartKind.DISCOURSE for part in context.query.parts)
    # What is wrong with signs or capitals is so alone too: nothing else shows it, and few queries are written so.
    urgency = Urgency.SUSPECT if any(part.style for part in context.query.parts) else Urgency.WORTHWHILE
    spared = frozenset[str]() if context.vocabulary.ignores_signs else _of_parts_with_signs(context)
    return _reworded(
        context, _plain(context), Purpose.PLAIN, CheckName.PART_DIFFERS, "in plain words", is_framed, urgency, spared
    )


def _of_parts_with_signs(context: ExaminationContext) -> frozenset[str]:
    """The sources of those, and what may stand in for them."""
    needed = {need.source for part in context.parts if part.has_signs for need in part.needs}
    return frozenset[str]().union(*map(context.vocabulary.stand_ins, needed))


def _depend_on_signs(context: ExaminationContext, sources: Iterable[str]) -> Generator[Probe, Answer | None, bool]:
    """Whether each has something on its part only with its signs or only without, or stands in for one of that kind."""
    unexplained = set(sources)
    for part in context.parts:
        needed = {need.source for need in part.needs} & unexplained
        if not (needed and part.has_signs):
            continue
        written = yield from context.of(part.as_written, part, Urgency.EXPLAIN)
        alone = yield from context.alone(part, Urgency.EXPLAIN)
        if written is None or alone is None:
            return True
        for source in needed:
            stand_ins = context.vocabulary.stand_ins(source)
            has, has_not = sorted((written, alone), key=lambda brought: source not in brought.sources)
            answered_by = has_not.sources or {has_not.said_by}
            if source in has.sources and source not in has_not.sources and answered_by <= stand_ins:
                unexplained -= stand_ins
    return not unexplained


def is_plain(context: ExaminationContext) -> bool:
    """Whether it is in plain words already."""
    return _plain(context) == context.query.text


def _plain(context: ExaminationContext) -> str:
    return plain(context.query, (part.alone for part in context.parts))


def _reworded(
    context: ExaminationContext,
    text: str,
    purpose: Purpose,
    check: CheckName,
    how: str,
    loses_framing: bool = False,
    urgency: Urgency = Urgency.WORTHWHILE,
    spared: frozenset[str] = frozenset(),
) -> Comparison:
    """What the same query brings in other words. A difference counts where each way stands by itself.

    spared: sources that may bring other items, and may come and go where a part alone tells that they do.
    """
    if text == context.query.text:
        return ()
    answer = yield from context.ask(Probe(text, purpose, urgency))
    if answer is None or answer.error is not None:
        return ()
    other = content_of(answer, context.vocabulary)
    encyclopedia = context.vocabulary.encyclopedia
    added = context.vocabulary.stand_ins(encyclopedia) - {encyclopedia} if loses_framing else None
    is_reordered = purpose is Purpose.ORDER

    def between(one: SourceContent, two: SourceContent) -> _Difference:
        return _difference(context, one, two, text, added, is_reordered, spared)

    difference = between(context.brought, other)
    if added is not None and encyclopedia in difference.others and (yield from _goes_elsewhere_unframed(context)):
        added |= {encyclopedia}
        difference = between(context.brought, other)
    if added is not None and difference.others - {encyclopedia}:
        brought = yield from context.brought_with_framing(Urgency.EXPLAIN)
        added |= (context.brought.sources if brought is None else brought) - {encyclopedia}
        difference = between(context.brought, other)
    if not difference or (is_reordered and (yield from _is_about_neighbours(context, difference, other))):
        return ()
    moved = difference.gone | difference.come
    if moved and moved <= spared and (yield from _depend_on_signs(context, moved)):
        return ()
    for fresh in (1, 2) if difference.others and not context.is_reproducible else (1,):
        again = yield from context.ask(Probe(context.query.text, Purpose.AGAIN, Urgency.SUSPECT, fresh=fresh))
        # The first with that text may be `answer`.
        once_more = yield from context.ask(Probe(text, purpose, Urgency.SUSPECT, fresh=fresh + 1))
        if again is None or once_more is None:
            return ()
        as_asked, otherwise = content_of(again, context.vocabulary), content_of(once_more, context.vocabulary)
        if _difference(context, context.brought, as_asked) or not difference.is_like(between(as_asked, otherwise)):
            return ()  # it is not the wording that makes the difference
        if any(are_moved(source, context.brought, as_asked) for source in difference.others):
            return ()  # it has another order at each asking, so other items where there is no room for all
    found = context.finding(
        check,
        f"{how}, {difference.sentence}",
        f"the same for the same parts {how}",
        f"as asked {named(context.brought.sources)}; {how} {named(other.sources)}",
        [text, context.query.text],
        difference.evidence,
    )
    return (found,)


def _is_about_neighbours(
    context: ExaminationContext, difference: "_Difference", other: SourceContent
) -> Generator[Probe, Answer | None, bool]:
    """Whether a part takes its subject from one before, which is another one in reverse."""
    if len(difference.others) != 1:
        return False
    (source,) = difference.others
    for parts, brought in ((context.parts, context.brought), (context.parts[::-1], other)):
        items = [item for item in difference.items if item in brought.by_source[source]]
        for part in parts:
            if part.source == source and (yield from context.takes_subject(part, parts, items)):
                return True
    return False


def _goes_elsewhere_unframed(context: ExaminationContext) -> Generator[Probe, Answer | None, bool]:
    """Whether a framed topic has nothing of the encyclopedia without its framing; also where that is unknown.

    A router may choose between the encyclopedia and what stands in for it, unless framing promises it.
    """
    for part in context.parts:
        if PartKind.DISCOURSE in part.kinds:
            alone = yield from context.alone(part, Urgency.EXPLAIN)
            if alone is None or context.vocabulary.encyclopedia not in alone.sources:
                return True
    return False


@dataclass(frozen=True)
class _Difference:
    """Between two answers. gone, come: sources. others: sources that are in both and bring other items.

    items: of these, those that only one of the two answers has.
    """

    gone: frozenset[str] = frozenset()
    come: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    items: tuple[AnswerItem, ...] = field(default=(), compare=False)

    def __bool__(self) -> bool:
        return bool(self.gone or self.come or self.others)

    def is_like(self, other: "_Difference") -> bool:
        """Whether it is one between the same sources, and has an item of the other's if it has any."""
        return self == other and (not self.items or len(unmatched_items(self.items, other.items)) < len(self.items))

    @property
    def sentence(self) -> str:
        words = {"is gone": self.gone, "is there": self.come, "brings something else": self.others}
        return " and ".join(f"{named(sources)} {verb}" for verb, sources in words.items() if sources)

    @property
    def evidence(self) -> Evidence:
        kind = DiscrepancyKind.ITEMS_DIFFER if self.others else DiscrepancyKind.SOURCES_DIFFER
        texts = tuple(item.text for item in self.items)
        return Evidence(kind, tuple(sorted(self.gone | self.come | self.others)), items=texts)


def _difference(
    context: ExaminationContext,
    before: SourceContent,
    after: SourceContent,
    reworded: str = "",
    added: frozenset[str] | None = None,
    is_reordered: bool = False,
    spared: frozenset[str] = frozenset(),
) -> _Difference:
    """Sources first; where they are the same, what those bring that are not volatile. reworded: the other wording.

    added: where `after` lacks the framing, the sources to which that may have added; with the encyclopedia among them,
    it may have moved a topic there. spared: sources that may bring other items.
    """
    encyclopedia = context.vocabulary.encyclopedia
    open_to = _to_choose_from(context, is_unframed=added is not None)
    gone, come = before.sources - after.sources, after.sources - before.sources
    if gone or come:
        is_framing = added is not None and come <= added - {encyclopedia}
        is_spared = is_framing or _is_a_choice(context, before, after, open_to)
        return _Difference() if is_spared else _Difference(gone, come)
    may_differ = spared | (added or frozenset())
    only = {
        source: (
            _lacking(context, source, before, after, reworded),
            _lacking(context, source, after, before, reworded),
        )
        for source in sorted(before.sources - context.volatile)
    }
    changed: dict[str, tuple[AnswerItem, ...]] = {}
    for source, (only_before, only_after) in only.items():
        # Framing may bring more, and take a topic to the encyclopedia from what stands in for it or adds to it.
        if source in may_differ:
            continue
        if added is not None and source == encyclopedia and not only_before and _begins_alike(context, before, after):
            continue  # framing may leave less of the same article
        if is_reordered and _is_shared_out(context, source, before, after, len(only_before), len(only_after)):
            continue
        if _says_why_it_is_less(context, source, before, after, only_before, only_after, added or frozenset()):
            continue
        if (only_before or only_after) and not _are_at_a_limit(context, source, after):
            changed[source] = (*only_before, *only_after)
    are_several = len(changed) > 1 or bool(open_to & context.volatile)
    if are_several and changed.keys() <= open_to:
        return _Difference()  # a part went from one to the other
    items = tuple(item for of_source in changed.values() for item in of_source)
    return _Difference(others=frozenset(changed), items=items)


def _begins_alike(context: ExaminationContext, framed: SourceContent, plain: SourceContent) -> bool:
    """Whether the encyclopedia is there for one part only, and begins with the same in both."""
    encyclopedia = context.vocabulary.encyclopedia
    items, known = context.items_of(encyclopedia, plain), framed.by_source[encyclopedia]
    return len(context.contributors(encyclopedia)) == 1 and not unmatched_items(items[:1], known)


def _says_why_it_is_less(
    context: ExaminationContext,
    source: str,
    before: SourceContent,
    after: SourceContent,
    only_before: tuple[AnswerItem, ...],
    only_after: tuple[AnswerItem, ...],
    added: frozenset[str],
) -> bool:
    """Whether one of the two only lacks something, and says of itself what the other does not, or has more sections.

    An answer may have room for so many items in all, and a section that says there is nothing has its share. added: the
    sources that framing may have added.
    """
    if bool(only_before) == bool(only_after):
        return False
    less, more = (after, before) if only_before else (before, after)
    has_less_room = bool(less.headed - more.headed) and less.headed - more.headed <= added
    return has_less_room or has_own_remark(less.by_source[source], more.by_source[source], context.query.text)


def _is_shared_out(
    context: ExaminationContext, source: str, before: SourceContent, after: SourceContent, gone: int, come: int
) -> bool:
    """Whether several parts share a section in another way: what comes first leaves less room for what comes later.

    gone, come: how many items only one of the two has. Half of a section and nothing instead is a part that is lost,
    nothing in common is one that has overwritten the other, unless there is an item for each part: it may be one of
    another site then.
    """
    parts = sum(_may_share(context, part, source, before) for part in context.parts)
    if parts < 2:
        return False
    items = len(context.items_of(source, before)), len(context.items_of(source, after))
    shares = gone / items[0], come / items[1]
    if min(shares) == 1:
        return items == (parts, parts)
    return 0 < min(shares) <= max(shares) < 1 or max(shares) < MOVED_SHARE


def _may_share(context: ExaminationContext, part: StandalonePart, source: str, brought: SourceContent) -> bool:
    """Whether the section of `source` may have items of `part`: also where its own source is not there."""
    return any(
        source == need.source
        or not need.is_firm
        or (source in context.vocabulary.stand_ins(need.source) and need.source not in brought.sources)
        for need in part.needs
    )


def _to_choose_from(context: ExaminationContext, is_unframed: bool) -> frozenset[str]:
    """The encyclopedia and what stands in for it, where a part may go to either, at each asking; else none."""
    encyclopedia = context.vocabulary.encyclopedia
    is_open = any(
        part.is_open(encyclopedia) or (is_unframed and PartKind.DISCOURSE in part.kinds) for part in context.parts
    )
    return context.vocabulary.stand_ins(encyclopedia) if is_open else frozenset()


def _is_a_choice(
    context: ExaminationContext, before: SourceContent, after: SourceContent, open_to: frozenset[str]
) -> bool:
    """Whether the sources differ in what such a part went to: a stand-in came, went, differs or is there for it.

    One that another part needs anyway comes and goes for no such part.
    """
    stand_ins, moved = open_to - {context.vocabulary.encyclopedia}, before.sources ^ after.sources
    if not moved <= open_to:
        return False
    if moved & stand_ins:
        return not any(context.is_firmly_needed(source) for source in moved & stand_ins)
    return any(
        context.differ(source, before, after) or not context.is_firmly_needed(source)
        for source in stand_ins & before.sources & after.sources
    )


def _lacking(
    context: ExaminationContext, source: str, one: SourceContent, other: SourceContent, reworded: str
) -> tuple[AnswerItem, ...]:
    """The items of one that are in no section of the other, and do not only say what was asked.

    A line that heads the first section, whichever that is, moves with it. Where half of a section has moved, it is the
    section that is another one. "Quick answer: …" in each section tells of whichever item stands first there. Where
    both were cut for their length, one may end in the line that the other has before its last.
    """
    items, others = context.items_of(source, one), other.by_source.get(source, ())
    section = one.by_source[source]
    unmatched = set(unmatched_items(section, others))
    elsewhere = [item for s in other.sources - {source} for item in other.by_source[s]]
    missing = tuple(
        item
        for item in without_frame(filter(unmatched.__contains__, items), section, set(section) - unmatched)
        if not (item.is_remark or context.closes(item, one) or item.echoes(context.query.text) or item.echoes(reworded))
        and not (item.has_label_of_one_of(elsewhere) or context.check_input.frames(item, section))
        and not (item.is_cut and _begins_at_a_cut(item, items, others))
    )
    if len(missing) >= MOVED_SHARE * len(items):
        return missing
    return unmatched_items(missing, elsewhere)


def _begins_at_a_cut(item: AnswerItem, items: Sequence[AnswerItem], others: Iterable[AnswerItem]) -> bool:
    """Whether the other section was cut where `item` begins: in the line before it, which is whole here."""
    place = items.index(item)
    before = items[place - 1] if place else item
    return any(one.is_cut and one.text != before.text and one.is_like(before) for one in others)


def _are_at_a_limit(context: ExaminationContext, source: str, other: SourceContent) -> bool:
    """Whether both sections may be as long as a limit lets them be: then which items are there says nothing."""
    return context.may_be_cut(source) and len(other.by_source[source]) == len(context.brought.by_source.get(source, ()))
