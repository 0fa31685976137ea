"""Which sources a clause is for, and what each of them is asked. Knows phrases, not what sources hold."""

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.phrases import content_words, holds, named_sources, straightened, without
from selftest.targets.reference.steps import ClauseInQuery


def sources_of(clause: ClauseInQuery, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The sources that `clause` is for: those its keywords name, and the encyclopedia for what is framed or names none.

    Discourse framing brings the encyclopedia in on every path, keywords or not.
    """
    named = named_sources(clause.text, vocabulary.sources)
    if named and not holds(clause.text, vocabulary.discourse_phrases):
        return named
    return (vocabulary.encyclopedia, *(source for source in named if source != vocabulary.encyclopedia))


def search_text(clause: ClauseInQuery, source: str, vocabulary: Vocabulary) -> str:
    """What `source` is asked for `clause`: its own words.

    To the encyclopedia without those that only frame a subject: "everyone keeps talking about" is no subject.
    """
    if source != vocabulary.encyclopedia:
        return straightened(clause.text)
    subject = without(clause.text, (*vocabulary.discourse_phrases, *vocabulary.nosplit_phrases))
    return subject if content_words(subject) else straightened(clause.text)
