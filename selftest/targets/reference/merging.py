"""What was found becomes one answer: no item twice in a section, no empty section. Knows headers, not routing."""

from collections.abc import Sequence

from selftest.targets.reference.steps import RULE, FoundItem, FoundSection, HeaderOf


def merge(found: Sequence[FoundSection]) -> tuple[FoundSection, ...]:
    """One section a source, in the order in which the sources first found something, each item once."""
    by_source: dict[str, dict[str, FoundItem]] = {}
    for section in found:
        for item in section.items:
            by_source.setdefault(section.source, {}).setdefault(item.key, item)
    return tuple(FoundSection(source, tuple(items.values())) for source, items in by_source.items())


def write_merged(sections: Sequence[FoundSection], header_of: HeaderOf) -> str:
    """Sections, each opened by its exact header, with a rule between them."""
    return RULE.join(f"{header_of(section.source)}\n{section.text}" for section in sections)
