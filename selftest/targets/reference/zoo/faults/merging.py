"""Mistakes in putting blocks together into sections and sections into an answer."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Asking, Block, Section, Stages

Sections = tuple[Section, ...]


def _regathering(
    stages: Stages, world: World, name: str, share: float, changed: Callable[[Sections], Sections]
) -> Stages:
    """The sections of a `share` of the merged answers, `changed`."""
    honest = stages.gather

    def gather(blocks: Sequence[Block], asking: Asking) -> Sections:
        sections = honest(blocks, asking)
        return changed(sections) if len(sections) > 1 and world.strikes(name, asking.query, share) else sections

    return replace(stages, gather=gather)


def last_section_lost(stages: Stages, world: World) -> Stages:
    """The last section of one merged answer in three is missing."""
    return _regathering(stages, world, "last_section_lost", 0.33, lambda sections: sections[:-1])


def section_repeated(stages: Stages, world: World) -> Stages:
    """The first section of one merged answer in three comes again at the end."""
    return _regathering(stages, world, "section_repeated", 0.33, lambda sections: (*sections, sections[0]))


def headers_swapped(stages: Stages, world: World) -> Stages:
    """The first two sections of one merged answer in three are under each other's header."""

    def swapped(sections: Sections) -> Sections:
        first, second, *others = sections
        return (replace(first, source=second.source), replace(second, source=first.source), *others)

    return _regathering(stages, world, "headers_swapped", 0.33, swapped)


def empty_section_left(stages: Stages, world: World) -> Stages:
    """The last section of one merged answer in four has its header and no text below it."""
    honest = stages.write_section

    def write_section(section: Section, asking: Asking, is_first: bool) -> str:
        strikes = not is_first and world.strikes("empty_section_left", f"{asking.query} {section.source}", 0.2)
        return "" if strikes else honest(section, asking, is_first)

    return replace(stages, write_section=write_section)


def last_item_lost(stages: Stages, world: World) -> Stages:
    """The last section of half of the merged answers ends one item early, where it has several."""

    def shortened(sections: Sections) -> Sections:
        *others, last = sections
        if len(last.items) < 2:
            return sections
        *blocks, block = last.blocks
        return (*others, replace(last, blocks=(*blocks, replace(block, items=block.items[:-1]))))

    return _regathering(stages, world, "last_item_lost", 0.5, shortened)
