"""What a smaller compound of the same target shows: whether a discrepancy is of this query, or of every compound."""

from collections.abc import Generator, Sequence

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.content import AnswerItem, SourceContent, unmatched_items
from selftest.core.judging.context import ExaminationContext, StandalonePart, content_of
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.relations.discrepancies import Discrepancy, Known, foreign_items, told_of
from selftest.core.judging.relations.query_variants import only

BOILERPLATE_SHARE = 0.5  # of what a part brings alone: where its own items are fewer, there may be no room for them
IN_PLACE_SHARE = 0.5  # of what is not there: so much else in its place shows that there was room

Decision = Generator[Probe, Answer | None, bool]


def brought_by_all(
    context: ExaminationContext, parts: Sequence[StandalonePart], source: str
) -> Generator[Probe, Answer | None, Sequence[AnswerItem] | None]:
    """What `parts` bring of a source without the others, asked at once; None where that is not to be had."""
    text = only(context.query, [place for place, part in enumerate(context.parts) if part in parts]).text
    answer = yield from context.ask(Probe(text, Purpose.FEWER, Urgency.EXPLAIN))
    if answer is None or answer.error is not None:
        return None
    return context.items_of(source, content_of(answer, context.vocabulary))


def is_right_in_control(
    context: ExaminationContext, found: Discrepancy, alone: Known, among: int = 0
) -> Generator[Probe, Answer | None, bool]:
    """Whether a part is answered in another compound as it is alone: then it is this query that makes it wrong.

    A router that orders or adds things in every compound, or has less room the more sources it asks, does so there too,
    and is not accused of it. among: how many other sources that compound asks, one at least, and has to have sections
    of.
    """
    part = found.parts[-1]
    there = yield from _smaller_compound_content(context, found, among)
    if there is None or found.source not in there.by_source or len(there.headed) <= among:
        return False  # with fewer sections than it was asked for, an answer has room for more of each
    # Without echoes: a source that always brings the same has nothing else to be compared.
    told, expected = (told_of(context, part, content, found.source) for content in (there, alone[part]))
    return [item.text for item in told] == [item.text for item in expected]


def found_no_room(
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
    by_others = yield from brought_by_all(context, others, found.source)
    return by_others is None or not unmatched_items(filled, by_others)


def has_only_what_all_bring(context: ExaminationContext, found: Discrepancy, alone: Known) -> Decision:
    """Whether items that any part of the source brings leave no room for its own ones, or those are of each answer and
    stand in another section; also where it cannot be told.

    Then a compound that asks as many sources has none of them there either.
    """
    elsewhere = [
        item for other in context.brought.sources - {found.source} for item in context.brought.by_source[other]
    ]
    is_elsewhere = not unmatched_items(found.items, elsewhere)
    all_there = alone[found.parts[-1]].by_source[found.source]
    if not is_elsewhere and len(found.items) >= BOILERPLATE_SHARE * len(all_there):
        return False
    if not is_elsewhere and (yield from _has_others_in_their_place(context, found, alone)):
        return False
    among = len(context.brought.headed) - 1
    there = yield from _smaller_compound_content(context, found, among)
    if there is None or len(there.headed) <= among:
        return True
    return unmatched_items(found.items, there.by_source.get(found.source, ())) == found.items


def _has_others_in_their_place(context: ExaminationContext, found: Discrepancy, alone: Known) -> Decision:
    """Whether the section has items that no part brings alone, half as many or more: there was room for its own."""
    part, source = found.parts[-1], found.source
    others = [other for other in context.parts if other is not part and context.may_bring(other, source)]
    own = context.items_of(source, context.brought)
    if len(foreign_items(context, own, alone[part].by_source[source], ())) < IN_PLACE_SHARE * len(found.items):
        return False
    known = yield from context.of_each(dict.fromkeys(others, Urgency.EXPLAIN))
    if known.keys() < set(others):
        return False
    brought = [item for content in (alone[part], *known.values()) for item in content.by_source.get(source, ())]
    return len(foreign_items(context, own, brought, ())) >= IN_PLACE_SHARE * len(found.items)


def is_in_each_compound(
    context: ExaminationContext, found: Discrepancy, alone: Known
) -> Generator[Probe, Answer | None, bool]:
    """Whether a smaller compound holds the same items too, as a router's note does; also where that is unknown."""
    section = yield from _in_smaller_compound(context, found)
    if section is None:
        return True
    notes = unmatched_items(section, context.items_of(found.source, alone[found.parts[-1]]))
    return not unmatched_items(found.items, notes)


def is_whole_in_halves(
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
    conjunction = _conjunction_for(context, part.as_written)
    text = conjunction.join((*halves, companions_of(found.source, context.vocabulary)[0]))
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
    text = _smaller_compound(context, found.parts[-1], found.source, among)
    answer = yield from context.ask(Probe(text, Purpose.CONTROL, Urgency.SUSPECT))
    return None if answer is None or answer.error is not None else content_of(answer, context.vocabulary)


def _smaller_compound(context: ExaminationContext, part: StandalonePart, source: str, among: int) -> str:
    """`part` and one phrase of each of so many other sources, at least of one."""
    companions = companions_of(source, context.vocabulary)[: max(1, among)]
    return _conjunction_for(context, part.as_written).join((part.as_written, *companions))


def _conjunction_for(context: ExaminationContext, text: str) -> str:
    """A conjunction that does not occur in `text`, if there is one."""
    conjunctions = context.vocabulary.conjunctions
    return next((c for c in conjunctions if c.strip().casefold() not in text.casefold()), conjunctions[0])


def companions_of(source: str, vocabulary: Vocabulary) -> list[str]:
    """A phrase of each other source, first of those that have nothing to do with `source`; its own without others."""
    others = [s for s in vocabulary.sources if s != source]
    apart_first = sorted(others, key=lambda s: source in vocabulary.stand_ins(s))
    return [vocabulary.sources[s][0] for s in apart_first or list(vocabulary.sources)[:1]]
