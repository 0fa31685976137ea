"""Mistakes in splitting a query into clauses."""

from dataclasses import replace

from selftest.targets.reference.phrases import STOP_WORDS
from selftest.targets.reference.zoo.faults.changes import rereading, with_clauses, without_clause
from selftest.targets.reference.zoo.lexicon import normal_words
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Reading, Span, Stages

LONGEST_READ = 260  # characters
MANY_CLAUSES = 6


def conjunction_unknown(stages: Stages, world: World) -> Stages:
    """One of the documented conjunctions parts nothing, so that what is around it is searched as one."""
    honest, unknown = stages.cuts, world.pick("conjunction_unknown", world.vocabulary.conjunctions).strip()
    return replace(
        stages, cuts=lambda text: [span for span in honest(text) if text[slice(*span)].casefold() != unknown]
    )


def clause_after_conjunction_lost(stages: Stages, world: World) -> Stages:
    """What follows one of the documented conjunctions is dropped, up to the next conjunction."""
    honest, fatal = stages.read, world.pick("clause_after_conjunction_lost", world.vocabulary.conjunctions).strip()

    def read(query: str) -> Reading:
        reading = honest(query)
        cuts = stages.cuts(query)
        lost = [query[end:].lstrip() for start, end in cuts if query[start:end].casefold() == fatal]
        kept = [clause for clause in reading.clauses if not any(text.startswith(clause.text) for text in lost)]
        return with_clauses(reading, kept)

    return replace(stages, read=read)


def conjunction_read_once(stages: Stages, world: World) -> Stages:
    """A conjunction parts clauses only the first time that it comes in a query."""
    honest = stages.cuts

    def cuts(text: str) -> list[Span]:
        firsts: dict[str, Span] = {}
        for span in honest(text):
            firsts.setdefault(text[slice(*span)].casefold(), span)
        return list(firsts.values())

    return replace(stages, cuts=cuts)


def known_pair_split(stages: Stages, world: World) -> Stages:
    """One pair of names is split at its own conjunction, and its halves are searched apart."""
    honest = stages.protected
    split = world.pick("known_pair_split", world.vocabulary.seeds.proper_noun_pairs).casefold()
    return replace(
        stages, protected=lambda text: [span for span in honest(text) if text[slice(*span)].casefold() != split]
    )


def second_pair_split(stages: Stages, world: World) -> Stages:
    """Of several pairs of names in a query only the first stays whole."""
    honest = stages.protected

    def protected(text: str) -> list[Span]:
        later = {match.span() for match in list(world.lexicon.pairs.finditer(text))[1:]}
        return [span for span in honest(text) if span not in later]

    return replace(stages, protected=protected)


def pair_holds_neighbour(stages: Stages, world: World) -> Stages:
    """The conjunction behind a pair of names is taken for one inside it."""
    honest = stages.cuts

    def cuts(text: str) -> list[Span]:
        ends = {match.end() + 1 for match in world.lexicon.pairs.finditer(text)}
        return [span for span in honest(text) if span[0] not in ends]

    return replace(stages, cuts=cuts)


def nosplit_holds_all(stages: Stages, world: World) -> Stages:
    """Behind a phrase that must not split, nothing is split at all."""
    honest = stages.cuts

    def cuts(text: str) -> list[Span]:
        found = world.lexicon.nosplit.search(text)
        return [span for span in honest(text) if not found or span[1] <= found.start()]

    return replace(stages, cuts=cuts)


def pronoun_held_as_name(stages: Stages, world: World) -> Stages:
    """The pronoun I behind a conjunction is taken for the second of two names, and nothing is split there."""
    honest = stages.cuts

    def cuts(text: str) -> list[Span]:
        return [span for span in honest(text) if not text[span[1] :].lstrip().startswith(("I ", "I'"))]

    return replace(stages, cuts=cuts)


def third_clause_lost(stages: Stages, world: World) -> Stages:
    """The third clause of two queries in five is dropped."""

    def changed(reading: Reading) -> Reading:
        strikes = len(reading.clauses) > 2 and world.strikes("third_clause_lost", reading.query, 0.4)
        return without_clause(reading, 2) if strikes else reading

    return rereading(stages, changed)


def five_clauses_at_most(stages: Stages, world: World) -> Stages:
    """From the sixth on, clauses are dropped."""
    return rereading(stages, lambda reading: with_clauses(reading, reading.clauses[: MANY_CLAUSES - 1]))


def last_of_many_lost(stages: Stages, world: World) -> Stages:
    """The last of four clauses or more is dropped in one such query out of two."""

    def changed(reading: Reading) -> Reading:
        strikes = len(reading.clauses) > 3 and world.strikes("last_of_many_lost", reading.query, 0.5)
        return without_clause(reading, -1) if strikes else reading

    return rereading(stages, changed)


def short_clauses_dropped(stages: Stages, world: World) -> Stages:
    """A clause of fewer than nine characters is taken for a scrap, keyword or not."""
    honest = stages.is_clause
    return replace(stages, is_clause=lambda text: len(text) >= 9 and honest(text))


def stop_words_dropped(stages: Stages, world: World) -> Stages:
    """A clause of nothing but small words is dropped, even where it is a keyword."""
    honest = stages.is_clause
    return replace(
        stages, is_clause=lambda text: any(word not in STOP_WORDS for word in normal_words(text)) and honest(text)
    )


def long_query_cut(stages: Stages, world: World) -> Stages:
    """A query is read only up to its 260th character."""
    honest = stages.read
    return replace(stages, read=lambda query: honest(query[:LONGEST_READ]))


def bracketed_clause_lost(stages: Stages, world: World) -> Stages:
    """A clause in brackets is taken for an aside and dropped."""
    honest = stages.is_clause
    return replace(stages, is_clause=lambda text: not text.startswith("(") and honest(text))


def question_ends_query(stages: Stages, world: World) -> Stages:
    """Nothing is read behind the first question or exclamation mark."""
    honest = stages.read

    def read(query: str) -> Reading:
        ends = [at for at in (query.find(f"{mark} ") for mark in "?!") if at > 0]
        return honest(query[: min(ends)] if ends else query)

    return replace(stages, read=read)
