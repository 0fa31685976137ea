"""Mistakes in how the answer is put together and signed."""

import threading
from collections.abc import Sequence
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference import framing
from selftest.targets.reference.faults.registry import Setting, fault, is_afflicted
from selftest.targets.reference.merging import RULE, HeaderOf, Section, body
from selftest.targets.reference.sources.base import Item
from selftest.targets.reference.steps import Routed, Steps


@fault("The first section of a merged answer comes again at its end.")
def section_twice(steps: Steps, setting: Setting) -> Steps:
    honest = steps.merge

    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        sections = honest(found)
        return (*sections, sections[0]) if len(sections) > 1 else sections

    return replace(steps, merge=merge)


@fault("Every line of a section comes twice.")
def items_twice(steps: Steps, setting: Setting) -> Steps:
    honest = steps.merge

    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        return tuple(replace(section, items=section.items * 2) for section in honest(found))

    return replace(steps, merge=merge)


@fault("What two clauses find in one source comes twice there.")
def doubles_kept(steps: Steps, setting: Setting) -> Steps:
    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        by_source: dict[str, tuple[Item, ...]] = {}
        for section in found:
            by_source[section.source] = (*by_source.get(section.source, ()), *section.items)
        return tuple(Section(source, items) for source, items in by_source.items())

    return replace(steps, merge=merge)


@fault("The last section of a merged answer has its header and nothing below it.")
def empty_section_kept(steps: Steps, setting: Setting) -> Steps:
    honest = steps.merge

    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        sections = honest(found)
        return (*sections[:-1], replace(sections[-1], items=())) if len(sections) > 1 else sections

    return replace(steps, merge=merge)


@fault("Sections are opened by headers that no documentation lists.")
def made_up_header(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, header_of=lambda source, vocabulary: f"[{source.upper()} — ASSORTED FINDINGS]")


@fault("The sections of a merged answer stand without any header.")
def merged_without_headers(steps: Steps, setting: Setting) -> Steps:
    def write(sections: Sequence[Section], vocabulary: Vocabulary, header: HeaderOf) -> str:
        return RULE.join(map(body, sections))

    return replace(steps, write_merged=write)


@fault("An answer from one source says that it is from another, which nothing in the query names.")
def source_swapped(steps: Steps, setting: Setting) -> Steps:
    honest, vocabulary = steps.sign, setting.vocabulary

    def sign(routed: Routed, query: str) -> Routed:
        signed = honest(routed, query)
        meant = {vocabulary.encyclopedia, *framing.named_sources(query, vocabulary)}
        allowed = frozenset[str]().union(*(vocabulary.stand_ins(source) for source in meant))
        others = [source for source in vocabulary.sources if source not in allowed]
        if signed.source_used == vocabulary.merged_source or not others:
            return signed
        return replace(signed, source_used=others[0])

    return replace(steps, sign=sign)


@fault("About one query in four gets an answer with no text at all.")
def empty_answer(steps: Steps, setting: Setting) -> Steps:
    honest = steps.sign

    def sign(routed: Routed, query: str) -> Routed:
        signed = honest(routed, query)
        return replace(signed, result="") if is_afflicted("empty_answer", query) else signed

    return replace(steps, sign=sign)


@fault("Every other time that a query is asked, the last section of its answer is missing.")
def last_section_comes_and_goes(steps: Steps, setting: Setting) -> Steps:
    honest = steps.sign
    lock, asked_once = threading.Lock(), set[str]()

    def sign(routed: Routed, query: str) -> Routed:
        signed = honest(routed, query)
        with lock:
            is_second = query in asked_once
            asked_once.symmetric_difference_update({query})
        return replace(signed, result=signed.result.rsplit(RULE, 1)[0]) if is_second else signed

    return replace(steps, sign=sign)


@fault("A synthetic query fills the cache: asked again, it comes back at once and as cached.")
def cache_not_suppressed(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, cache_is_suppressed=lambda: False)
