"""Where the phrases of a vocabulary occur in a text. Compiled once a router; knows no routing."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.phrases import STOP_WORDS, straightened
from selftest.targets.reference.zoo.types import Span

NOTHING = re.compile(r"(?!)")
WORD = re.compile(r"\w+(?:'\w+)?")
OPENER = re.compile(r"(?:if|whenever|when|once|in case|as soon as)(?!\w)", re.IGNORECASE)
EDGE = " \t,;.!?"
SHORTEST_SCRAP = 4  # fewer characters that are no keyword ask nothing
CYRILLIC_FOLD = str.maketrans("асеорхуі", "aceopxyi")


def phrases_regex(phrases: Iterable[str]) -> re.Pattern[str]:
    """Any of `phrases` as whole words, in any case, the longest first."""
    longest_first = sorted({straightened(phrase) for phrase in phrases}, key=len, reverse=True)
    if not longest_first:
        return NOTHING
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def normal_words(text: str) -> list[str]:
    """The words of `text` in order, without case and signs."""
    return WORD.findall(straightened(text).casefold())


def folded_lookalikes(text: str) -> str:
    """`text` with full-width and look-alike Cyrillic letters replaced by the plain ones."""
    return unicodedata.normalize("NFKC", text).translate(CYRILLIC_FOLD)


class Lexicon:
    """The phrases of one vocabulary, ready to be looked for. Texts are straightened before."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        seeds = vocabulary.seeds
        self.by_source = {source: phrases_regex(phrases) for source, phrases in vocabulary.sources.items()}
        self.keywords = phrases_regex(phrase for phrases in vocabulary.sources.values() for phrase in phrases)
        self.discourse = phrases_regex(vocabulary.discourse_phrases)
        self.nosplit = phrases_regex(vocabulary.nosplit_phrases)
        self.pairs = phrases_regex(seeds.proper_noun_pairs)
        self.conditions = phrases_regex(seeds.conditions)
        self.consequences = phrases_regex(seeds.consequences)
        self.conjunctions = _conjunctions_regex(vocabulary.conjunctions)

    @cached_property
    def keyword_spans(self) -> Callable[[str], tuple[Span, ...]]:
        """Where the keywords of every source are in a text; those of two sources may overlap."""

        @lru_cache(maxsize=256)
        def spans(text: str) -> tuple[Span, ...]:
            return tuple(match.span() for regex in self.by_source.values() for match in regex.finditer(text))

        return spans

    def named(self, text: str) -> tuple[str, ...]:
        """The sources whose keywords `text` holds, in the order in which they come."""
        firsts = {source: found.start() for source, regex in self.by_source.items() if (found := regex.search(text))}
        return tuple(sorted(firsts, key=lambda source: firsts[source]))

    def protected(self, text: str) -> list[Span]:
        """What no conjunction may cut: keywords, framing, known pairs, conditions and consequences."""
        regexes = (self.discourse, self.pairs, self.conditions, self.consequences)
        return [*self.keyword_spans(text), *(match.span() for regex in regexes for match in regex.finditer(text))]

    def is_clause(self, text: str) -> bool:
        """Whether `text` asks anything."""
        if any(regex.search(text) for regex in (self.keywords, self.discourse, self.pairs)):
            return True
        return len(text) >= SHORTEST_SCRAP and any(word not in STOP_WORDS for word in normal_words(text))


def _conjunctions_regex(conjunctions: Iterable[str]) -> re.Pattern[str]:
    """Looks at the space before and behind without taking it: in "rss and also google" there are two."""
    longest_first = sorted(conjunctions, key=lambda conjunction: len(conjunction.strip()), reverse=True)
    alternatives = [
        (r"(?<=\s)" if conjunction[0].isspace() else "") + re.escape(" ".join(conjunction.split()))
        for conjunction in longest_first
    ]
    return re.compile(rf"(?:{'|'.join(alternatives)})(?=\s)", re.IGNORECASE) if alternatives else NOTHING


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    """Whether `span` shares a character with any of `others`."""
    return any(start < span[1] and span[0] < end for start, end in others)
