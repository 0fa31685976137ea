"""Which sources a clause is for, and what each of them is asked. Knows phrases, not what sources hold."""

from dataclasses import dataclass

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.phrases import content_words, holds, spans, straightened, without


@dataclass(frozen=True)
class Clause:
    """A part of a query that asks one thing, and the whole query it stands in."""

    text: str
    query: str


def named_sources(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The sources whose keywords stand in `text`, in the order in which they are first named."""
    firsts = {source: found[0] for source, phrases in vocabulary.sources.items() if (found := spans(text, phrases))}
    return tuple(sorted(firsts, key=lambda source: firsts[source]))


def is_framed(text: str, vocabulary: Vocabulary) -> bool:
    return holds(text, vocabulary.discourse_phrases)


def sources_of(clause: Clause, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The sources that `clause` is for: those its keywords name, and the encyclopedia for what is framed or names none.

    Discourse framing brings the encyclopedia in on every path, keywords or not.
    """
    named = named_sources(clause.text, vocabulary)
    if named and not is_framed(clause.text, vocabulary):
        return named
    return (vocabulary.encyclopedia, *(source for source in named if source != vocabulary.encyclopedia))


def search_text(clause: Clause, source: str, vocabulary: Vocabulary) -> str:
    """What `source` is asked for `clause`: its own words.

    To the encyclopedia without those that only frame a subject: "everyone keeps talking about" is no subject.
    """
    if source != vocabulary.encyclopedia:
        return straightened(clause.text)
    subject = without(clause.text, (*vocabulary.discourse_phrases, *vocabulary.nosplit_phrases))
    return subject if content_words(subject) else straightened(clause.text)
