"""Mistakes in how the answer is put together and signed. Each knows one step, and none knows another."""

import threading
from collections.abc import Sequence
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import is_afflicted
from selftest.targets.reference.phrases import named_sources, straightened
from selftest.targets.reference.steps import RULE, FoundItem, FoundSection, HeaderOf, Routed, Steps


def section_twice(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """The first section of a merged answer is repeated at its end."""
    honest = steps.merge

    def merge(found: Sequence[FoundSection]) -> tuple[FoundSection, ...]:
        sections = honest(found)
        return (*sections, sections[0]) if len(sections) > 1 else sections

    return replace(steps, merge=merge)


def items_twice(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Every line of a section appears twice."""
    honest = steps.merge

    def merge(found: Sequence[FoundSection]) -> tuple[FoundSection, ...]:
        return tuple(replace(section, items=section.items * 2) for section in honest(found))

    return replace(steps, merge=merge)


def doubles_kept(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """What two clauses find in the same source appears twice there."""

    def merge(found: Sequence[FoundSection]) -> tuple[FoundSection, ...]:
        by_source: dict[str, tuple[FoundItem, ...]] = {}
        for section in found:
            by_source[section.source] = (*by_source.get(section.source, ()), *section.items)
        return tuple(FoundSection(source, items) for source, items in by_source.items())

    return replace(steps, merge=merge)


def empty_section_kept(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """The last section of a merged answer has its header and nothing below it."""
    honest = steps.merge

    def merge(found: Sequence[FoundSection]) -> tuple[FoundSection, ...]:
        sections = honest(found)
        return (*sections[:-1], replace(sections[-1], items=())) if len(sections) > 1 else sections

    return replace(steps, merge=merge)


def made_up_header(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Sections are opened by headers that no documentation lists."""
    return replace(steps, header_of=lambda source: f"[{source.upper()} — ASSORTED FINDINGS]")


def merged_without_headers(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """The sections of a merged answer have no headers."""

    def write(sections: Sequence[FoundSection], header_of: HeaderOf) -> str:
        return RULE.join(section.text for section in sections)

    return replace(steps, write_merged=write)


def source_swapped(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """An answer from one source says that it is from another, which nothing in the query names."""
    honest = steps.sign

    def sign(routed: Routed, query: str) -> Routed:
        signed = honest(routed, query)
        meant = {vocabulary.encyclopedia, *named_sources(query, vocabulary.sources)}
        allowed = frozenset[str]().union(*(vocabulary.stand_ins(source) for source in meant))
        others = [source for source in vocabulary.sources if source not in allowed]
        if signed.source_used == vocabulary.merged_source or not others:
            return signed
        return replace(signed, source_used=others[0])

    return replace(steps, sign=sign)


def empty_answer(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """About one query in four gets an answer with no text at all."""
    honest = steps.sign

    def sign(routed: Routed, query: str) -> Routed:
        signed = honest(routed, query)
        return replace(signed, result="") if is_afflicted("empty_answer", straightened(query)) else signed

    return replace(steps, sign=sign)


def last_section_comes_and_goes(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Every other time that a query is asked, the last section of its answer is missing."""
    honest = steps.sign
    lock, asked_once = threading.Lock(), set[str]()

    def sign(routed: Routed, query: str) -> Routed:
        signed = honest(routed, query)
        with lock:
            is_second = query in asked_once
            asked_once.symmetric_difference_update({query})
        return replace(signed, result=signed.result.rsplit(RULE, 1)[0]) if is_second else signed

    return replace(steps, sign=sign)


def cache_not_suppressed(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """A synthetic query fills the cache: asked again, it is answered at once and from the cache."""
    return replace(steps, cache_is_suppressed=lambda: False)
