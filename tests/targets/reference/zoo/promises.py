"""What the documentation promises of one answer, written apart from the zoo's own code."""

import re

from selftest.core.generation.queries import PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer

RULE = re.compile(r"\n+---\n+")
OF_ENCYCLOPEDIA = {PartKind.PAIR, PartKind.TOPIC, PartKind.DISCOURSE}
FREE = {PartKind.CONDITION, PartKind.REQUEST, PartKind.LOOKALIKE}


def sections_of(answer: Answer, vocabulary: Vocabulary, may_stand_apart: bool = False) -> dict[str, str]:
    """source → text. Fails on a header that is not documented and on a source that comes twice.

    may_stand_apart: a stand-in may; its text is that of all its sections, with rules between them.
    """
    result = answer.result.replace("\r\n", "\n")
    if answer.source_used != vocabulary.merged_source:
        assert answer.source_used in vocabulary.headers
        assert not any(header in result.split("\n") for header in vocabulary.headers.values())
        return {answer.source_used: result}
    if vocabulary.opens_with_text:
        result = result.partition("\n\n")[2]
    sources = {header: source for source, header in vocabulary.headers.items()}
    stand_ins = {stand_in for each in vocabulary.fallbacks.values() for stand_in in each if may_stand_apart}
    found: dict[str, str] = {}
    for part in RULE.split(result):
        header, _, text = part.partition("\n")
        assert header in sources, f"no header: {header!r}"
        source = sources[header]
        assert source not in found or source in stand_ins, f"twice: {header!r}"
        found[source] = f"{found[source]}\n\n---\n\n{text}" if source in found else text
    return found


def promised(query: Query, vocabulary: Vocabulary) -> set[frozenset[str]]:
    """Sets of sources of each of which one has to take part."""
    needs = {frozenset((source,)) for source in query.intended_sources}
    kinds = {part.kind for part in query.parts}
    if kinds & {PartKind.PAIR, PartKind.DISCOURSE}:
        needs.add(frozenset((vocabulary.encyclopedia,)))
    elif PartKind.TOPIC in kinds and query.recipe == "no_intent_fallthrough":
        needs.add(vocabulary.stand_ins(vocabulary.encyclopedia))
    for part in query.parts:
        if part.kind in FREE - {PartKind.LOOKALIKE}:
            needs |= {frozenset((source,)) for source in vocabulary.sources_named_in(part.text)}
    return needs


def allowed(query: Query, vocabulary: Vocabulary) -> set[str]:
    """Sources that may take part, stand-ins with them."""
    named = set(query.intended_sources)
    for part in query.parts:
        named |= vocabulary.sources_named_in(part.text)
        if part.kind is PartKind.LOOKALIKE:
            named |= set(vocabulary.sources)
        if part.kind in OF_ENCYCLOPEDIA | FREE or query.recipe == "very_long_input":
            named.add(vocabulary.encyclopedia)
    return {stand_in for source in named for stand_in in vocabulary.stand_ins(source)}


def check_promises(
    query: Query, answer: Answer, vocabulary: Vocabulary, may_be_empty: bool = False, may_stand_apart: bool = False
) -> None:
    """Fails where the answer breaks a promise. may_be_empty: sources have nothing on some words, stand-ins answer."""
    assert answer.error is None, query.text
    assert not answer.cached, query.text
    assert answer.latency_ms > 0
    sections = sections_of(answer, vocabulary, may_stand_apart)
    assert set(sections) <= allowed(query, vocabulary), query.text
    for text in (text for of_source in sections.values() for text in RULE.split(of_source)):
        assert text.strip(), query.text
        lines = [line.strip() for line in text.split("\n") if len(line.split()) > 7 and "CC BY" not in line]
        assert len(lines) == len(set(lines)), query.text
    if not may_be_empty:
        for needs in promised(query, vocabulary):
            assert needs & set(sections), f"{query.text}: none of {sorted(needs)}"
    if query.recipe == "conditional_with_remainder" and not may_be_empty:
        assert answer.source_used == vocabulary.merged_source, query.text
