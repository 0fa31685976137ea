"""What recipes need of a vocabulary before they can make anything, by key. Knows no recipe. Pure."""

from selftest.core.generation.queries import PartKind
from selftest.core.generation.vocabulary import Requirement

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
