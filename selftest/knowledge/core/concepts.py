"""What a query asks for, one concept a word: as it was typed, with other words for it, with what may be meant. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from selftest.knowledge.core.queries import Query
from selftest.knowledge.core.ranking import SYNONYM, Concept, rarity
from selftest.knowledge.core.synonyms import alternatives, groups_of
from selftest.knowledge.core.words import LANGUAGES, STOP_WORDS, stem, words_of

MENDED = 0.9  # of a word's own weight, where another spelling stands for it
EVERY_LANGUAGE = (*LANGUAGES, "")


@dataclass(frozen=True, slots=True)
class Term:
    """One word of the query, or a phrase that synonyms know. ways: (phrase, weight), as typed first."""

    ways: tuple[tuple[tuple[str, ...], float], ...]
    having: int

    def phrases(self) -> list[tuple[str, ...]]:
        """Every way to say it."""
        return [phrase for phrase, _ in self.ways]


@dataclass(frozen=True, slots=True)
class Wording:
    """The query as terms, and what a piece is ranked by for them."""

    terms: tuple[Term, ...] = ()
    concepts: tuple[Concept, ...] = field(default=())


def stems_of(phrases: Sequence[tuple[str, ...]]) -> set[str]:
    """All stems of all words, in every language: what the index is asked about in one go."""
    return {stem(word, language) for phrase in phrases for word in phrase for language in EVERY_LANGUAGE}


@lru_cache
def stop_stems(language: str) -> frozenset[str]:
    """Of words that say little; those of synonyms' phrases are not marked in results."""
    return frozenset(stem(word, language) for word in STOP_WORDS.get(language, ()))


def as_typed(query: Query) -> list[list[tuple[tuple[str, ...], float]]]:
    """Each word by itself."""
    return [[((word,), 1.0)] for word in query.words]


def with_synonyms(query: Query) -> list[list[tuple[tuple[str, ...], float]]]:
    """Each word, or each phrase that stands in a group, with the other ways to say it."""
    words = words_of(query.text)
    wanted = set(query.words)
    found: list[list[tuple[tuple[str, ...], float]]] = []
    covered: set[int] = set()
    for start, end, numbers in groups_of(words, query.language):
        said = tuple(words[start:end])
        if len(said) == 1 and said[0] not in wanted:
            continue
        covered.update(range(start, end))
        found.append([(said, 1.0), *((phrase, SYNONYM) for phrase in alternatives(said, numbers))])
    if not found:
        return []
    rest = dict.fromkeys(word for place, word in enumerate(words) if place not in covered and word in wanted)
    typed: list[list[tuple[tuple[str, ...], float]]] = [[((word,), 1.0)] for word in rest]
    return [*typed, *found]


def with_mended(query: Query, mended: Mapping[str, Sequence[str]]) -> list[list[tuple[tuple[str, ...], float]]]:
    """Each word with what may be meant by it."""
    return [[((word,), 1.0), *(((other,), MENDED) for other in mended.get(word, ()))] for word in query.words]


def worded(
    ways: Sequence[Sequence[tuple[tuple[str, ...], float]]], pieces_of: Callable[[str, str], int], pieces: int
) -> Wording:
    """pieces_of: how many pieces have a stem, by language and stem. pieces: how many there are."""
    terms, concepts = [], []
    for each in ways:
        having = max(min(_having(word, pieces_of) for word in phrase) for phrase, _ in each)
        terms.append(Term(tuple(each), having))
        options = {
            language: tuple((tuple(stem(word, language) for word in phrase), weight) for phrase, weight in each)
            for language in EVERY_LANGUAGE
        }
        concepts.append(Concept(options, rarity(having, pieces)))
    return Wording(tuple(terms), tuple(concepts))


def _having(word: str, pieces_of: Callable[[str, str], int]) -> int:
    return sum(pieces_of(language, stem(word, language)) for language in EVERY_LANGUAGE)


def telling(wording: Wording, most: int) -> list[Term]:
    """The rarest terms that, together, are in about `most` pieces at most; one at least."""
    known = sorted((term for term in wording.terms if term.having), key=lambda term: (term.having, term.ways))
    found: list[Term] = []
    total = 0
    for term in known:
        if found and total + term.having > most:
            break
        found.append(term)
        total += term.having
    return found
