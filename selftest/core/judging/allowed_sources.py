"""Which sources may answer a query. Pure."""

from selftest.core.generation.queries import ENCYCLOPEDIA_KINDS, FREE_KINDS, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary


def allowed_sources(query: Query, vocabulary: Vocabulary) -> frozenset[str]:
    """The sources that may answer `query` by the vocabulary's word: those it points at and those standing in for them.

    Pairs, topics and discourse framing belong to the encyclopedia, and so does a clause that no keyword points from.
    """
    pointed = {*query.intended_sources, *vocabulary.sources_named_in(query.text)}
    for part in query.parts:
        free = part.kind in FREE_KINDS and not vocabulary.sources_named_in(part.text)
        if part.kind in ENCYCLOPEDIA_KINDS or free or part.kind is PartKind.LOOKALIKE:  # no router need see through one
            pointed.add(vocabulary.encyclopedia)
    return frozenset({vocabulary.merged_source}).union(*map(vocabulary.stand_ins, pointed))
