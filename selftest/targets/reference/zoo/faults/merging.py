"""Mistakes in putting blocks together into sections and sections into an answer."""

from collections.abc import Sequence
from dataclasses import replace

from selftest.targets.reference.zoo.content import content
from selftest.targets.reference.zoo.domains import DOMAINS
from selftest.targets.reference.zoo.faults.changes import Sections, reanswering, regathering
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Asking, Block, Clause, Item, Job, Outcome, Section, Stages


def with_items(section: Section, items: Sequence[Item]) -> Section:
    """`section` with these items in its first block, and no other."""
    return replace(section, blocks=(replace(section.blocks[0], items=tuple(items)),)) if section.blocks else section


def last_section_lost(stages: Stages, world: World) -> Stages:
    """The last section of one merged answer in five is missing."""
    return regathering(stages, world, "last_section_lost", 0.2, lambda sections: sections[:-1])


def middle_section_lost(stages: Stages, world: World) -> Stages:
    """The second of three sections or more is missing in one such answer out of four."""
    return regathering(stages, world, "middle_section_lost", 0.25, lambda s: (s[0], *s[2:]), fewest=3)


def fourth_section_lost(stages: Stages, world: World) -> Stages:
    """No merged answer has more than three sections."""
    return regathering(stages, world, "fourth_section_lost", 1.0, lambda sections: sections[:3], fewest=4)


def section_repeated(stages: Stages, world: World) -> Stages:
    """The first section of one merged answer in eight comes again at the end."""
    return regathering(stages, world, "section_repeated", 0.13, lambda sections: (*sections, sections[0]))


def source_in_two_sections(stages: Stages, world: World) -> Stages:
    """A source that answers two parts has a section for each, under the same header."""

    def changed(sections: Sections) -> Sections:
        return tuple(
            replace(section, blocks=(block,)) for section in sections for block in section.blocks if block.items
        )

    return regathering(stages, world, "source_in_two_sections", 1.0, changed)


def headers_swapped(stages: Stages, world: World) -> Stages:
    """The first two sections of one merged answer in ten are under each other's header."""

    def changed(sections: Sections) -> Sections:
        first, second, *others = sections
        return (replace(first, source=second.source), replace(second, source=first.source), *others)

    return regathering(stages, world, "headers_swapped", 0.1, changed)


def headers_shifted(stages: Stages, world: World) -> Stages:
    """In one answer in four with three sections or more each section is under the header of the next."""

    def changed(sections: Sections) -> Sections:
        sources = [section.source for section in sections]
        shifted = [*sources[1:], sources[0]]
        return tuple(replace(s, source=source) for s, source in zip(sections, shifted, strict=True))

    return regathering(stages, world, "headers_shifted", 0.25, changed, fewest=3)


def header_of_source_not_asked(stages: Stages, world: World) -> Stages:
    """The last section of one merged answer in seven is under the header of a source that was not asked."""

    def changed(sections: Sections) -> Sections:
        present = {section.source for section in sections}
        others = [source for source in world.vocabulary.headers if source not in present]
        return (*sections[:-1], replace(sections[-1], source=others[-1])) if others else sections

    return regathering(stages, world, "header_of_source_not_asked", 0.15, changed)


def section_not_asked_for(stages: Stages, world: World) -> Stages:
    """One merged answer in nine ends with a section of a source that nothing in the query points at."""
    kinds = DOMAINS[world.manner.domain].kinds

    def changed(sections: Sections) -> Sections:
        present = {section.source for section in sections}
        stand_ins = {other for source in present for other in world.vocabulary.stand_ins(source)}
        others = [source for source in world.vocabulary.sources if source not in present | stand_ins]
        if not others:
            return sections
        job = Job(others[0], "recommended", Clause("recommended"))
        items = content(kinds[others[0]], others[0], "recommended", world.seed, "recommended")
        return (*sections, Section(others[0], (Block(others[0], job, items[:2]),)))

    return regathering(stages, world, "section_not_asked_for", 0.11, changed)


def later_part_overwrites(stages: Stages, world: World) -> Stages:
    """Where a source answers two parts, only the later one is in its section."""
    honest = stages.gather

    def gather(blocks: Sequence[Block], asking: Asking) -> Sections:
        latest = {block.source: block for block in blocks if block.items}
        return honest([block for block in blocks if latest.get(block.source, block) is block], asking)

    return replace(stages, gather=gather)


def sections_trade_items(stages: Stages, world: World) -> Stages:
    """The first items of the first two sections of one merged answer in six are in each other's place."""

    def changed(sections: Sections) -> Sections:
        first, second, *others = sections
        if not first.items or not second.items:
            return sections
        swapped = (
            with_items(first, (second.items[0], *first.items[1:])),
            with_items(second, (first.items[0], *second.items[1:])),
        )
        return (*swapped, *others)

    return regathering(stages, world, "sections_trade_items", 0.17, changed)


def neighbours_item_leaks_in(stages: Stages, world: World) -> Stages:
    """The second section of one merged answer in five begins with the last item of the first."""

    def changed(sections: Sections) -> Sections:
        first, second, *others = sections
        leaked = (*first.items[-1:], *second.items)
        return (first, with_items(second, leaked), *others)

    return regathering(stages, world, "neighbours_item_leaks_in", 0.2, changed)


def item_repeated(stages: Stages, world: World) -> Stages:
    """The first item of a section comes again as its last, in one answer out of five."""

    def changed(sections: Sections) -> Sections:
        first, *others = sections
        return (with_items(first, (*first.items, *first.items[:1])), *others)

    return regathering(stages, world, "item_repeated", 0.2, changed, fewest=1)


def last_item_lost(stages: Stages, world: World) -> Stages:
    """The last section of two merged answers in five ends one item early, where it has several."""

    def changed(sections: Sections) -> Sections:
        last = sections[-1]
        return (*sections[:-1], with_items(last, last.items[:-1])) if len(last.items) > 1 else sections

    return regathering(stages, world, "last_item_lost", 0.4, changed)


def first_item_lost(stages: Stages, world: World) -> Stages:
    """Every section but the first of one merged answer in three begins with its second item, where it has one."""

    def changed(sections: Sections) -> Sections:
        return (sections[0], *(with_items(s, s.items[1:]) if len(s.items) > 1 else s for s in sections[1:]))

    return regathering(stages, world, "first_item_lost", 0.33, changed)


def merged_signed_by_first(stages: Stages, world: World) -> Stages:
    """One merged answer in three says that it is from the source of its first section."""

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        merged = outcome.source_used == world.vocabulary.merged_source
        strikes = merged and world.strikes("merged_signed_by_first", asking.query, 0.33)
        return replace(outcome, source_used=outcome.asked[0].source) if strikes else outcome

    return reanswering(stages, changed)


def single_signed_merged(stages: Stages, world: World) -> Stages:
    """An answer of one source without a header says that it is a merged one."""

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        return replace(outcome, source_used=world.vocabulary.merged_source)

    return reanswering(stages, changed)


def single_signed_by_other(stages: Stages, world: World) -> Stages:
    """Two in three answers of one source say that they are from another, which the query does not point at."""

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        source = outcome.source_used
        strikes = source in world.vocabulary.headers and world.strikes("single_signed_by_other", asking.query, 0.67)
        others = [s for s in world.vocabulary.sources if s not in world.vocabulary.stand_ins(source)]
        return replace(outcome, source_used=world.pick("single_signed_by_other", others)) if strikes else outcome

    return reanswering(stages, changed)
