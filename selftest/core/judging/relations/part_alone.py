"""A part alone is answered as the vocabulary says: a pair as a whole, a request by the keyword that it holds.

What goes wrong there goes wrong among others in the same way, so that comparing the two shows nothing. These probes are
the same for every query with that part, so they are asked once in a while.
"""

from collections.abc import Callable, Generator, Sequence

from selftest.core.generation.queries import PartKind
from selftest.core.judging.answer_item import AnswerItem
from selftest.core.judging.answers import Answer
from selftest.core.judging.content import SourceContent, unmatched_items
from selftest.core.judging.context import Comparison, ExaminationContext, StandalonePart, named
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.core.judging.probes import Probe, Urgency

OTHER_SHARE = 0.5  # of what the encyclopedia has on a pair; some lines are alike whatever they are about

Found = Generator[Probe, Answer | None, Finding | None]


def misread_alone(context: ExaminationContext) -> Comparison:
    """What is wrong with the answer to a pair or a request alone, until something is that has no known cause."""
    findings: list[Finding] = []
    for kind, relation in ((PartKind.PAIR, _split), (PartKind.REQUEST, _misread)):
        for part in (part for part in context.parts if kind in part.kinds):
            found = yield from relation(context, part, Urgency.WORTHWHILE)
            if found is not None:
                findings.append(found)
                if context.is_news(found):
                    return tuple(findings)
    return tuple(findings)


def split_pairs(context: ExaminationContext) -> Comparison:
    """The same of pairs as the only thing that is looked for."""
    return (yield from _first(context, _split))


def misread_requests(context: ExaminationContext) -> Comparison:
    """The same of requests."""
    return (yield from _first(context, _misread))


def _first(
    context: ExaminationContext, relation: Callable[[ExaminationContext, StandalonePart, Urgency], Found]
) -> Comparison:
    for part in context.parts:
        found = yield from relation(context, part, Urgency.SUSPECT)
        if found is not None:
            return (found,)
    return ()


def _split(context: ExaminationContext, part: StandalonePart, urgency: Urgency) -> Found:
    """A pair that brings what its halves bring and no more, though the encyclopedia has something else on the whole.

    Or nothing, and the pair brings some of each half. The encyclopedia is asked by name first: where it says the same,
    its halves need not be asked.
    """
    source = context.vocabulary.encyclopedia
    if not part.halves or source in context.volatile:
        return None
    whole = yield from context.alone(part, urgency)
    if whole is None or source not in whole.sources:
        return None
    items = _told_of(context, part, whole)
    by_name = yield from context.alone(part, urgency, only=source)
    if by_name is None or not (by_name.empty_phrase or _says_something_else(_told_of(context, part, by_name), items)):
        return None
    halves: list[Sequence[AnswerItem]] = []
    for half in part.halves:
        brought = yield from context.of(half, part, Urgency.SUSPECT)
        halves.append(() if brought is None else context.items_of(source, brought))
    apart = [item for items in halves for item in items]
    again = None if unmatched_items(items, apart) else (yield from context.alone(part, Urgency.SUSPECT, fresh=1))
    if again is None or unmatched_items(_told_of(context, part, again), apart):
        return None
    are_both_there = all(_has_both(told, halves) for told in (items, _told_of(context, part, again)))
    of_whole: tuple[AnswerItem, ...] = ()
    for time in (1, 2):
        by_name = yield from context.alone(part, Urgency.SUSPECT, fresh=time, only=source)
        if by_name is None:
            return None
        of_whole = _told_of(context, part, by_name)
        has_nothing = bool(by_name.empty_phrase) and are_both_there
        if not (has_nothing or _says_something_else(of_whole, apart)):
            return None
    said = "\n".join(item.text for item in of_whole)
    named_halves = " and ".join(repr(half) for half in part.halves)
    return context.finding(
        CheckName.PAIR_BROKEN,
        f"alone {part.alone!r} brings no more than {named_halves}, each asked apart",
        "a pair is looked up as a whole",
        f"{source}, asked by name, " + (f"says something else:\n{said}" if said else "has nothing on it"),
        part.texts,
        Evidence(DiscrepancyKind.PAIR_SPLIT, (source,), (part.alone, *part.halves)),
    )


def _told_of(context: ExaminationContext, part: StandalonePart, brought: SourceContent) -> tuple[AnswerItem, ...]:
    """What the encyclopedia says of `part`, without lines that only repeat what was asked."""
    items = context.items_of(context.vocabulary.encyclopedia, brought)
    return tuple(item for item in items if not item.echoes(part.alone))


def _has_both(items: Sequence[AnswerItem], halves: Sequence[Sequence[AnswerItem]]) -> bool:
    """Whether each half has brought one of `items` that the other has not."""
    return all(
        set(unmatched_items(items, other)) - set(unmatched_items(items, half)) for half, other in (halves, halves[::-1])
    )


def _says_something_else(of_whole: Sequence[AnswerItem], known: Sequence[AnswerItem]) -> bool:
    return bool(of_whole) and len(unmatched_items(of_whole, known)) >= OTHER_SHARE * len(of_whole)


def _misread(context: ExaminationContext, part: StandalonePart, urgency: Urgency) -> Found:
    """A request that goes past the source of its keyword, and does not without its first word."""
    pointed = context.vocabulary.sources_named_in(part.shortened)
    promised = frozenset().union(*map(context.vocabulary.stand_ins, pointed))
    if not pointed:
        return None
    alone = yield from context.alone(part, urgency)
    if alone is None or not alone.sources or alone.sources & promised:
        return None
    shortened = yield from context.of(part.shortened, part, Urgency.SUSPECT)
    again = yield from context.alone(part, Urgency.SUSPECT, fresh=1)
    if shortened is None or again is None or not shortened.sources & pointed or again.sources & promised:
        return None
    return context.finding(
        CheckName.PART_LOST,
        f"{part.alone!r} is answered by {named(again.sources)}, {part.shortened!r} by {named(shortened.sources)}",
        f"what names {named(pointed)} is answered by it, whatever word comes first",
        f"content from: {named(again.sources)}",
        part.texts,
        Evidence(DiscrepancyKind.KEYWORD_PASSED_OVER, tuple(sorted(pointed)), (part.alone,)),
    )
