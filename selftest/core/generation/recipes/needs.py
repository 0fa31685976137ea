"""What a recipe needs of a vocabulary before it can make anything. Knows no recipe. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from selftest.core.generation.queries import PartKind
from selftest.core.generation.vocabulary import Vocabulary


@dataclass(frozen=True)
class Need:
    """At least `least` items in one key of the vocabulary document.

    key: a path such as `seeds.conditions`. item and items: what one and several of them are called. usable: how many of
    them a recipe can use.
    """

    key: str
    item: str
    items: str
    usable: Callable[[Vocabulary], int]
    least: int = 1

    def times(self, least: int) -> "Need":
        """The same with another number."""
        return replace(self, least=least)

    def missing(self, vocabulary: Vocabulary) -> int:
        """How many more are needed; 0: enough."""
        return max(0, self.least - self.usable(vocabulary))


Alternatives = tuple[tuple[Need, ...], ...]  # of which one has to be met whole


@dataclass(frozen=True)
class Shortage:
    """A need that is not met, as a sentence. missing: how many more are needed, at least 1."""

    need: Need
    missing: int

    def __str__(self) -> str:
        more = f"one more {self.need.item}" if self.missing == 1 else f"{self.missing} more {self.need.items}"
        return f"needs {more} in {self.need.key}"


def shortages(alternatives: Alternatives, vocabulary: Vocabulary) -> tuple[Shortage, ...]:
    """What the alternative that is closest to being met lacks; nothing where one is met."""
    return min((_shortages(needs, vocabulary) for needs in alternatives), key=_size)


def _shortages(needs: Sequence[Need], vocabulary: Vocabulary) -> tuple[Shortage, ...]:
    return tuple(Shortage(need, missing) for need in needs if (missing := need.missing(vocabulary)))


def _size(found: Sequence[Shortage]) -> int:
    return sum(shortage.missing for shortage in found)


CONJUNCTION = Need("conjunctions", "conjunction", "conjunctions", lambda v: len(v.conjunctions))
NOSPLIT = Need(
    "nosplit_phrases", "phrase that must not split", "phrases that must not split", lambda v: len(v.nosplit_phrases)
)
FRAMING = Need("discourse_phrases", "discourse phrase", "discourse phrases", lambda v: len(v.discourse_phrases))
SOURCE = Need("sources", "source", "sources", lambda v: len(v.sources))
PHRASE = Need("sources", "keyword phrase", "keyword phrases", lambda v: sum(map(len, v.sources.values())))
PHRASE_OF_ANOTHER_SOURCE = Need(
    "sources",
    "keyword phrase of a source other than the encyclopedia",
    "keyword phrases of sources other than the encyclopedia",
    lambda v: sum(len(phrases) for source, phrases in v.sources.items() if source != v.encyclopedia),
)
PAIR = Need("seeds.proper_noun_pairs", "pair", "pairs", lambda v: len(v.seeds.proper_noun_pairs))
CONDITION = Need("seeds.conditions", "condition", "conditions", lambda v: len(v.seeds.conditions))
CONSEQUENCE = Need("seeds.consequences", "consequence", "consequences", lambda v: len(v.seeds.consequences))
REQUEST = Need("seeds.pronoun_requests", "request", "requests", lambda v: len(v.seeds.pronoun_requests))
DISCOURSE_TOPIC = Need(
    "seeds.discourse_topics",
    "topic without a keyword",
    "topics without a keyword",
    lambda v: sum(not v.sources_named_in(topic) for topic in v.seeds.discourse_topics),
)
OPEN_TOPIC = Need(
    "seeds.open_topics",
    "topic without a keyword",
    "topics without a keyword",
    lambda v: sum(not v.sources_named_in(topic) for topic in v.seeds.open_topics),
)
NEED_OF_KIND = {
    PartKind.PAIR: PAIR,
    PartKind.REQUEST: REQUEST,
    PartKind.CONDITION: CONDITION,
    PartKind.CONSEQUENCE: CONSEQUENCE,
    PartKind.NOSPLIT: NOSPLIT,
    PartKind.DISCOURSE: FRAMING,
    PartKind.TOPIC: DISCOURSE_TOPIC,
    PartKind.INTENT: PHRASE_OF_ANOTHER_SOURCE,
}  # where a query is made of several shapes
