"""Mistakes in who is asked, and for what."""

from dataclasses import replace

from selftest.core.vocabulary import Vocabulary
from selftest.targets.reference import framing
from selftest.targets.reference.faults.base import Setting, fault
from selftest.targets.reference.framing import Clause
from selftest.targets.reference.phrases import straightened
from selftest.targets.reference.steps import Steps


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
