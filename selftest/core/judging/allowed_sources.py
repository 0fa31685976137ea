"""Which sources may answer a query. Pure."""

from selftest.core.generation.queries import ENCYCLOPEDIA_KINDS, FREE_KINDS, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary


def allowed_sources(query: Query, vocabulary: Vocabulary) -> frozenset[str]:
    """The sources that may answer `query` by the vocabulary's word: those it points at and those standing in for them.

    Pairs, topics and discourse framing belong to the encyclopedia, and so does a clause that no keyword points from.
    A keyword in other letters may be taken for its phrase or not, so with one every source may answer.
    """
    pointed = {*query.intended_sources, *vocabulary.sources_named_in(query.text)}
    for part in query.parts:
        free = part.kind in FREE_KINDS and not vocabulary.sources_named_in(part.text)
        if part.kind in ENCYCLOPEDIA_KINDS or free:
            pointed.add(vocabulary.encyclopedia)
        if part.kind is PartKind.LOOKALIKE:
            pointed |= {vocabulary.encyclopedia, *vocabulary.sources}
    return frozenset({vocabulary.merged_source}).union(*map(vocabulary.stand_ins, pointed))
