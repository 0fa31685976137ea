"""Mistakes in how a merged answer is written down: its headers, its rules, and what stands beside them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.faults.registry import Setting, fault
from selftest.targets.reference.merging import RULE, HeaderOf, Section
from selftest.targets.reference.steps import Steps

GREETING = "Sure, here is what I found for you:"


@fault("A merged answer greets its reader before the first header.")
def text_before_sections(steps: Steps, setting: Setting) -> Steps:
    return _rewriting(steps, lambda written: f"{GREETING}\n\n{written}")


@fault("Two rules with nothing between them part the sections of a merged answer.")
def rules_doubled(steps: Steps, setting: Setting) -> Steps:
    return _rewriting(steps, lambda written: written.replace(RULE, f"{RULE}{RULE.lstrip()}"))


@fault("A rule is left at the end of a merged answer.")
def rule_after_last_section(steps: Steps, setting: Setting) -> Steps:
    return _rewriting(steps, lambda written: f"{written}{RULE.rstrip()}")


def _rewriting(steps: Steps, changed: Callable[[str], str]) -> Steps:
    honest = steps.write_merged

    def write(sections: Sequence[Section], vocabulary: Vocabulary, header: HeaderOf) -> str:
        return changed(honest(sections, vocabulary, header))

    return replace(steps, write_merged=write)


@fault("The last header of a merged answer breaks off in its middle.")
def last_header_cut(steps: Steps, setting: Setting) -> Steps:
    honest = steps.write_merged

    def write(sections: Sequence[Section], vocabulary: Vocabulary, header: HeaderOf) -> str:
        def cut(source: str, vocabulary: Vocabulary) -> str:
            whole = header(source, vocabulary)
            return whole[: len(whole) // 2] if source == sections[-1].source else whole

        return honest(sections, vocabulary, cut)

    return replace(steps, write_merged=write)


@fault("The first two sections of a merged answer stand under each other's header.")
def headers_swapped(steps: Steps, setting: Setting) -> Steps:
    honest = steps.merge

    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        sections = honest(found)
        if len(sections) < 2:
            return sections
        first, second, *others = sections
        return (replace(first, source=second.source), replace(second, source=first.source), *others)

    return replace(steps, merge=merge)


@fault("The last section of a merged answer stands under the header of a source that was not asked.")
def header_of_another_source(steps: Steps, setting: Setting) -> Steps:
    honest = steps.merge

    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        sections = honest(found)
        there = {section.source for section in sections}
        others = [source for source in setting.vocabulary.headers if source not in there]
        if len(sections) < 2 or not others:
            return sections
        return (*sections[:-1], replace(sections[-1], source=others[-1]))

    return replace(steps, merge=merge)


@fault("The last section of a merged answer ends without its last item.")
def last_item_cut_off(steps: Steps, setting: Setting) -> Steps:
    honest = steps.merge

    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        sections = honest(found)
        if len(sections) < 2 or len(sections[-1].items) < 2:
            return sections
        return (*sections[:-1], replace(sections[-1], items=sections[-1].items[:-1]))

    return replace(steps, merge=merge)
