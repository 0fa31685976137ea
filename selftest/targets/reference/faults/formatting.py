"""Mistakes in how a merged answer is written: its headers, its rules, and the text next to them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.steps import RULE, FoundSection, HeaderOf, Steps

GREETING = "Sure, here is what I found for you:"


def text_before_sections(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """A merged answer greets its reader before the first header."""
    return _rewriting(steps, lambda written: f"{GREETING}\n\n{written}")


def rules_doubled(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Two rules with nothing between them separate the sections of a merged answer."""
    return _rewriting(steps, lambda written: written.replace(RULE, f"{RULE}{RULE.lstrip()}"))


def rule_after_last_section(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """A rule is left at the end of a merged answer."""
    return _rewriting(steps, lambda written: f"{written}{RULE.rstrip()}")


def _rewriting(steps: Steps, changed: Callable[[str], str]) -> Steps:
    honest = steps.write_merged

    def write(sections: Sequence[FoundSection], header_of: HeaderOf) -> str:
        return changed(honest(sections, header_of))

    return replace(steps, write_merged=write)


def last_header_cut(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """The last header of a merged answer is cut in the middle."""
    honest = steps.write_merged

    def write(sections: Sequence[FoundSection], header_of: HeaderOf) -> str:
        def cut(source: str) -> str:
            whole = header_of(source)
            return whole[: len(whole) // 2] if source == sections[-1].source else whole

        return honest(sections, cut)

    return replace(steps, write_merged=write)


def headers_swapped(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """The first two sections of a merged answer are under each other's header."""
    honest = steps.merge

    def merge(found: Sequence[FoundSection]) -> tuple[FoundSection, ...]:
        sections = honest(found)
        if len(sections) < 2:
            return sections
        first, second, *others = sections
        return (replace(first, source=second.source), replace(second, source=first.source), *others)

    return replace(steps, merge=merge)


def header_of_another_source(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """The last section of a merged answer is under the header of a source that was not asked."""
    honest = steps.merge

    def merge(found: Sequence[FoundSection]) -> tuple[FoundSection, ...]:
        sections = honest(found)
        present = {section.source for section in sections}
        others = [source for source in vocabulary.headers if source not in present]
        if len(sections) < 2 or not others:
            return sections
        return (*sections[:-1], replace(sections[-1], source=others[-1]))

    return replace(steps, merge=merge)


def last_item_cut_off(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """The last section of a merged answer ends without its last item."""
    honest = steps.merge

    def merge(found: Sequence[FoundSection]) -> tuple[FoundSection, ...]:
        sections = honest(found)
        if len(sections) < 2 or len(sections[-1].items) < 2:
            return sections
        return (*sections[:-1], replace(sections[-1], items=sections[-1].items[:-1]))

    return replace(steps, merge=merge)
