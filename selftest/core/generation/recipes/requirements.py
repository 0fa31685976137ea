"""What a recipe needs of a vocabulary before it can make anything. Knows no recipe. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from selftest.core.generation.queries import PartKind
from selftest.core.generation.vocabulary import Vocabulary


@dataclass(frozen=True)
class Requirement:
    """At least `least` items in one key of the vocabulary document.

    key: a path such as `seeds.conditions`. item and items: what one and several of them are called. usable: how many of
    them a recipe can use.
    """

    key: str
    item: str
    items: str
    usable: Callable[[Vocabulary], int]
    least: int = 1

    def times(self, least: int) -> "Requirement":
        """The same with another number."""
        return replace(self, least=least)

    def missing(self, vocabulary: Vocabulary) -> int:
        """How many more are needed; 0: enough."""
        return max(0, self.least - self.usable(vocabulary))


Alternatives = tuple[tuple[Requirement, ...], ...]  # of which one has to be met whole


@dataclass(frozen=True)
class Shortage:
    """A requirement that is not met, as a sentence. missing: how many more are needed, at least 1."""

    requirement: Requirement
    missing: int

    def __str__(self) -> str:
        more = (
            f"one more {self.requirement.item}"
            if self.missing == 1
            else f"{self.missing} more {self.requirement.items}"
        )
        return f"needs {more} in {self.requirement.key}"


def shortages(alternatives: Alternatives, vocabulary: Vocabulary) -> tuple[Shortage, ...]:
    """What the alternative that is closest to being met lacks; nothing where one is met."""
    return min((_shortages(requirements, vocabulary) for requirements in alternatives), key=_size)


def _shortages(requirements: Sequence[Requirement], vocabulary: Vocabulary) -> tuple[Shortage, ...]:
    return tuple(
        Shortage(requirement, missing) for requirement in requirements if (missing := requirement.missing(vocabulary))
    )


def _size(found: Sequence[Shortage]) -> int:
    return sum(shortage.missing for shortage in found)


CONJUNCTION = Requirement("conjunctions", "conjunction", "conjunctions", lambda v: len(v.conjunctions))
NOSPLIT = Requirement(
    "nosplit_phrases", "phrase that must not split", "phrases that must not split", lambda v: len(v.nosplit_phrases)
)
FRAMING = Requirement("discourse_phrases", "discourse phrase", "discourse phrases", lambda v: len(v.discourse_phrases))
SOURCE = Requirement("sources", "source", "sources", lambda v: len(v.sources))
PHRASE = Requirement("sources", "keyword phrase", "keyword phrases", lambda v: sum(map(len, v.sources.values())))
PHRASE_OF_ANOTHER_SOURCE = Requirement(
    "sources",
    "keyword phrase of a source other than the encyclopedia",
    "keyword phrases of sources other than the encyclopedia",
    lambda v: sum(len(phrases) for source, phrases in v.sources.items() if source != v.encyclopedia),
)
PAIR = Requirement("seeds.proper_noun_pairs", "pair", "pairs", lambda v: len(v.seeds.proper_noun_pairs))
CONDITION = Requirement("seeds.conditions", "condition", "conditions", lambda v: len(v.seeds.conditions))
CONSEQUENCE = Requirement("seeds.consequences", "consequence", "consequences", lambda v: len(v.seeds.consequences))
REQUEST = Requirement("seeds.pronoun_requests", "request", "requests", lambda v: len(v.seeds.pronoun_requests))
DISCOURSE_TOPIC = Requirement(
    "seeds.discourse_topics",
    "topic without a keyword",
    "topics without a keyword",
    lambda v: sum(not v.sources_named_in(topic) for topic in v.seeds.discourse_topics),
)
OPEN_TOPIC = Requirement(
    "seeds.open_topics",
    "topic without a keyword",
    "topics without a keyword",
    lambda v: sum(not v.sources_named_in(topic) for topic in v.seeds.open_topics),
)
REQUIREMENT_OF_KIND = {
    PartKind.PAIR: PAIR,
    PartKind.REQUEST: REQUEST,
    PartKind.CONDITION: CONDITION,
    PartKind.CONSEQUENCE: CONSEQUENCE,
    PartKind.NOSPLIT: NOSPLIT,
    PartKind.DISCOURSE: FRAMING,
    PartKind.TOPIC: DISCOURSE_TOPIC,
    PartKind.INTENT: PHRASE_OF_ANOTHER_SOURCE,
}  # where a query is made of several shapes
