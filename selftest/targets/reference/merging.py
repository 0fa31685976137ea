"""What was found becomes one answer: sections without doubles, empty ones dropped. Knows headers, not routing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.sources.base import Item

RULE = "\n\n---\n\n"


@dataclass(frozen=True)
class Section:
    source: str
    items: tuple[Item, ...]


HeaderOf = Callable[[str, Vocabulary], str]


def merge(found: Sequence[Section]) -> tuple[Section, ...]:
    """One section a source, in the order in which the sources first found something, each thing once."""
    by_source: dict[str, dict[str, Item]] = {}
    for section in found:
        for item in section.items:
            by_source.setdefault(section.source, {}).setdefault(item.key, item)
    return tuple(Section(source, tuple(items.values())) for source, items in by_source.items())


def header_of(source: str, vocabulary: Vocabulary) -> str:
    return vocabulary.headers[source]


def body(section: Section) -> str:
    return "\n".join(item.text for item in section.items)


def write_merged(sections: Sequence[Section], vocabulary: Vocabulary, header: HeaderOf) -> str:
    """Sections, each opened by its exact header and parted by a rule."""
    return RULE.join(f"{header(section.source, vocabulary)}\n{body(section)}" for section in sections)
