"""Mistakes in who is asked, and for what."""

import re
from collections.abc import Callable
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference import framing
from selftest.targets.reference.faults.registry import Setting, fault, marked_phrase
from selftest.targets.reference.framing import Clause
from selftest.targets.reference.phrases import holds, straightened
from selftest.targets.reference.steps import Steps

QUOTED = re.compile('["“«][^"”»]*["”»]')


@fault("A discourse-framed query that holds any keyword is answered without the encyclopedia.")
def keywords_ignore_discourse(steps: Steps, setting: Setting) -> Steps:
    honest = steps.sources_of

    def sources_of(clause: Clause, vocabulary: Vocabulary) -> tuple[str, ...]:
        named = framing.named_sources(clause.query, vocabulary)
        return named if named and framing.is_framed(clause.text, vocabulary) else honest(clause, vocabulary)

    return replace(steps, sources_of=sources_of)


@fault("Every section is about the whole query, so the encyclopedia brings articles on words of the other intents.")
def whole_query_to_every_source(steps: Steps, setting: Setting) -> Steps:
    honest = steps.search_text

    def search_text(clause: Clause, source: str, vocabulary: Vocabulary) -> str:
        return honest(Clause(clause.query, clause.query), source, vocabulary)

    return replace(steps, search_text=search_text)


@fault('The encyclopedia brings articles on "everyone" and "talking" beside the subject, or in its place.')
def discourse_words_searched(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, search_text=lambda clause, source, vocabulary: straightened(clause.text))


@fault("The source of the first clause is asked for all clauses, so its section holds what belongs to others.")
def first_source_asked_for_all(steps: Steps, setting: Setting) -> Steps:
    honest = steps.search_text

    def search_text(clause: Clause, source: str, vocabulary: Vocabulary) -> str:
        named = framing.named_sources(clause.query, vocabulary)
        is_first = bool(named) and source == named[0]
        return honest(Clause(clause.query, clause.query) if is_first else clause, source, vocabulary)

    return replace(steps, search_text=search_text)


@fault("A keyword with a capital letter in it is taken for a subject of the encyclopedia.")
def capitals_not_recognised(steps: Steps, setting: Setting) -> Steps:
    return _misreading(steps, lambda text: re.sub(r"\w*[A-Z]\w*", " ", text))


@fault("A keyword in quotes is taken for a subject of the encyclopedia.")
def quoted_keyword_not_recognised(steps: Steps, setting: Setting) -> Steps:
    return _misreading(steps, lambda text: QUOTED.sub(" ", text))


def _misreading(steps: Steps, misread: Callable[[str], str]) -> Steps:
    honest = steps.sources_of

    def sources_of(clause: Clause, vocabulary: Vocabulary) -> tuple[str, ...]:
        return honest(replace(clause, text=misread(clause.text)), vocabulary)

    return replace(steps, sources_of=sources_of)


@fault("A fallback answers for its source, which has something to say itself.")
def fallback_asked_instead(steps: Steps, setting: Setting) -> Steps:
    def instead(source: str, text: str) -> str:
        fallbacks = setting.vocabulary.fallbacks.get(source, ())
        return fallbacks[0] if fallbacks and source != setting.vocabulary.encyclopedia else source

    return _diverting(steps, instead)


@fault("One certain keyword is answered by a source that it does not belong to.")
def keyword_sent_astray(steps: Steps, setting: Setting) -> Steps:
    vocabulary = setting.vocabulary
    phrase = marked_phrase("keyword_sent_astray", vocabulary)

    def instead(source: str, text: str) -> str:
        if not holds(text, (phrase,)) or phrase not in vocabulary.sources.get(source, ()):
            return source
        return next(other for other in vocabulary.sources if other not in vocabulary.stand_ins(source))

    return _diverting(steps, instead)


def _diverting(steps: Steps, instead: Callable[[str, str], str]) -> Steps:
    honest = steps.sources_of

    def sources_of(clause: Clause, vocabulary: Vocabulary) -> tuple[str, ...]:
        return tuple(dict.fromkeys(instead(source, clause.text) for source in honest(clause, vocabulary)))

    return replace(steps, sources_of=sources_of)
