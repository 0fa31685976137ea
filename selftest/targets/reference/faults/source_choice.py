"""Mistakes in which sources are asked, and for what. Each knows one step, and none knows another."""

import re
from collections.abc import Callable
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import marked_phrase
from selftest.targets.reference.phrases import holds, named_sources, straightened
from selftest.targets.reference.steps import ClauseInQuery, Steps

QUOTED = re.compile('["“«][^"”»]*["”»]')


def keywords_ignore_discourse(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """A discourse-framed query that holds any keyword is answered without the encyclopedia."""
    honest = steps.sources_of

    def sources_of(clause: ClauseInQuery) -> tuple[str, ...]:
        named = named_sources(clause.query, vocabulary.sources)
        return named if named and holds(clause.text, vocabulary.discourse_phrases) else honest(clause)

    return replace(steps, sources_of=sources_of)


def whole_query_to_every_source(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Every section is about the whole query, so the encyclopedia brings articles on words of the other intents."""
    honest = steps.search_text

    def search_text(clause: ClauseInQuery, source: str) -> str:
        return honest(ClauseInQuery(clause.query, clause.query), source)

    return replace(steps, search_text=search_text)


def discourse_words_searched(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """The encyclopedia brings articles on "everyone" and "talking" next to the subject, or instead of it."""
    return replace(steps, search_text=lambda clause, source: straightened(clause.text))


def first_source_asked_for_all(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """The source of the first clause is asked for all clauses, so its section also holds what belongs to the others."""
    honest = steps.search_text

    def search_text(clause: ClauseInQuery, source: str) -> str:
        named = named_sources(clause.query, vocabulary.sources)
        is_first = bool(named) and source == named[0]
        return honest(ClauseInQuery(clause.query, clause.query) if is_first else clause, source)

    return replace(steps, search_text=search_text)


def capitals_not_recognised(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """A keyword with a capital letter in it is mistaken for a subject of the encyclopedia."""
    return _misreading(steps, lambda text: re.sub(r"\w*[A-Z]\w*", " ", text))


def quoted_keyword_not_recognised(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """A keyword in quotes is mistaken for a subject of the encyclopedia."""
    return _misreading(steps, lambda text: QUOTED.sub(" ", text))


def _misreading(steps: Steps, misread: Callable[[str], str]) -> Steps:
    honest = steps.sources_of

    def sources_of(clause: ClauseInQuery) -> tuple[str, ...]:
        return honest(replace(clause, text=misread(clause.text)))

    return replace(steps, sources_of=sources_of)


def fallback_asked_instead(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """A fallback answers for its source, which has something to say itself."""

    def instead(source: str, text: str) -> str:
        fallbacks = vocabulary.fallbacks.get(source, ())
        return fallbacks[0] if fallbacks and source != vocabulary.encyclopedia else source

    return _diverting(steps, instead)


def keyword_sent_astray(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """One particular keyword is answered by a source that it does not belong to."""
    phrase = marked_phrase("keyword_sent_astray", vocabulary.sources)

    def instead(source: str, text: str) -> str:
        if not holds(text, (phrase,)) or phrase not in vocabulary.sources.get(source, ()):
            return source
        return next(other for other in vocabulary.sources if other not in vocabulary.stand_ins(source))

    return _diverting(steps, instead)


def _diverting(steps: Steps, instead: Callable[[str, str], str]) -> Steps:
    honest = steps.sources_of

    def sources_of(clause: ClauseInQuery) -> tuple[str, ...]:
        return tuple(dict.fromkeys(instead(source, clause.text) for source in honest(clause)))

    return replace(steps, sources_of=sources_of)
