"""Mistakes in the written text: headers, rules, and what is cut or left in it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from selftest.targets.reference.zoo.faults.changes import reanswering
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Asking, Job, Outcome, Section, Stages

LONGEST_ANSWER = 1600  # characters
Written = Sequence[tuple[Section, str]]


def _rejoining(stages: Stages, world: World, name: str, share: float, changed: Callable[[str, Written], str]) -> Stages:
    """The text of a `share` of the merged answers `changed`: (text, sections with their own text) → text."""
    honest = stages.join

    def join(written: Written) -> str:
        text = honest(written)
        asked = " ".join(block.job.words for section, _ in written for block in section.blocks)
        return changed(text, written) if len(written) > 1 and world.strikes(name, asked, share) else text

    return replace(stages, join=join)


def _rule(stages: Stages, written: Written) -> str:
    """The rule between two sections as this router writes it."""
    (first, _), (second, other) = written[:2]
    header = stages.header_of(second.source)
    joined = stages.join([(first, "\0"), (second, other)])
    return joined[joined.index("\0") + 1 : joined.index(header, joined.index("\0"))]


def empty_section_left(stages: Stages, world: World) -> Stages:
    """One section in ten, other than the first, has its header and no text below it."""
    honest = stages.write_section

    def write_section(section: Section, asking: Asking, is_first: bool) -> str:
        strikes = not is_first and world.strikes("empty_section_left", f"{asking.query} {section.source}", 0.1)
        return "" if strikes else honest(section, asking, is_first)

    return replace(stages, write_section=write_section)


def header_miswritten(stages: Stages, world: World) -> Stages:
    """The header of one source has a wrong character in it."""
    honest = stages.header_of
    wrong = world.pick("header_miswritten", list(world.vocabulary.headers))

    def header_of(source: str) -> str:
        header = honest(source)
        return f"{header[: len(header) // 2]}_{header[len(header) // 2 + 1 :]}" if source == wrong else header

    return replace(stages, header_of=header_of)


def header_missing(stages: Stages, world: World) -> Stages:
    """The last section of one merged answer in seven has no header."""

    def changed(text: str, written: Written) -> str:
        header = stages.header_of(written[-1][0].source)
        at = text.rindex(header)
        return text[:at] + text[at + len(header) :].lstrip("\n")

    return _rejoining(stages, world, "header_missing", 0.15, changed)


def rule_missing(stages: Stages, world: World) -> Stages:
    """Between the last two sections of one merged answer in four there are neither rule nor header."""

    def changed(text: str, written: Written) -> str:
        *others, (_, last) = written
        head = stages.join(others)
        return f"{head}\n{last}"

    return _rejoining(stages, world, "rule_missing", 0.25, changed)


def rule_at_end(stages: Stages, world: World) -> Stages:
    """One merged answer in five ends with a rule."""
    return _rejoining(stages, world, "rule_at_end", 0.2, lambda text, written: f"{text}\n\n---")


def rule_doubled(stages: Stages, world: World) -> Stages:
    """Between the first two sections of one merged answer in eight there are two rules."""

    def changed(text: str, written: Written) -> str:
        rule = _rule(stages, written)
        return text.replace(rule, f"{rule}---{rule.split('---')[-1]}", 1)

    return _rejoining(stages, world, "rule_doubled", 0.13, changed)


def trace_before_sections(stages: Stages, world: World) -> Stages:
    """One merged answer in six opens with a line of the router's own log."""

    def changed(text: str, written: Written) -> str:
        names = ",".join(section.source for section, _ in written)
        return f"DEBUG route={names}\n{text}"

    return _rejoining(stages, world, "trace_before_sections", 0.17, changed)


def header_on_single(stages: Stages, world: World) -> Stages:
    """An answer of one source opens with its header in half of the cases."""
    honest = stages.compose

    def compose(sections: Sequence[Section], jobs: tuple[Job, ...], asking: Asking) -> Outcome:
        outcome = honest(sections, jobs, asking)
        alone = outcome.source_used != world.vocabulary.merged_source and not asking.source
        if not alone or not world.strikes("header_on_single", asking.query, 0.5):
            return outcome
        return replace(outcome, result=f"{stages.header_of(outcome.source_used)}\n{outcome.result}")

    return replace(stages, compose=compose)


def answer_cut_off(stages: Stages, world: World) -> Stages:
    """An answer ends at its 1600th character, in the middle of a word."""
    return reanswering(stages, lambda outcome, asking: replace(outcome, result=outcome.result[:LONGEST_ANSWER]))


def section_cut_in_half(stages: Stages, world: World) -> Stages:
    """The text of one section in eight, other than the first, breaks off half-way."""
    honest = stages.write_section

    def write_section(section: Section, asking: Asking, is_first: bool) -> str:
        text = honest(section, asking, is_first)
        strikes = not is_first and world.strikes("section_cut_in_half", f"{asking.query} {section.source}", 0.12)
        return text[: len(text) // 2] if strikes else text

    return replace(stages, write_section=write_section)


def placeholder_left(stages: Stages, world: World) -> Stages:
    """The text of one section in thirty is a template that was never filled in."""
    honest = stages.write_items

    def write_items(section: Section) -> list[str]:
        asked = " ".join(block.job.words for block in section.blocks)
        return ["{{ items }}"] if world.strikes("placeholder_left", asked, 0.03) else honest(section)

    return replace(stages, write_items=write_items)


def raw_object_shown(stages: Stages, world: World) -> Stages:
    """Next to other sources, one source's section shows the program's own notation instead of text."""
    honest = stages.write_section
    raw = world.pick("raw_object_shown", list(world.vocabulary.sources))

    def write_section(section: Section, asking: Asking, is_first: bool) -> str:
        if section.source != raw or len(asking.reading.clauses) == 1:
            return honest(section, asking, is_first)
        return f"[<Result object at 0x7f{len(section.items):010x}>]"

    return replace(stages, write_section=write_section)
