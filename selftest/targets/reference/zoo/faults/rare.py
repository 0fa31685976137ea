"""Mistakes that strike one query in thirty or fewer: easy to miss, and easy to take for chance."""

from dataclasses import replace

from selftest.targets.reference.zoo.faults.changes import (
    Sections,
    reanswering,
    regathering,
    rereading,
    rewording,
    with_clauses,
)
from selftest.targets.reference.zoo.lexicon import phrases_regex
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Asking, Clause, Outcome, Reading, Stages


def rarely_without_encyclopedia(stages: Stages, world: World) -> Stages:
    """One merged answer in forty lacks the encyclopedia's section."""

    def changed(sections: Sections) -> Sections:
        return tuple(s for s in sections if s.source != world.vocabulary.encyclopedia) or sections

    return regathering(stages, world, "rarely_without_encyclopedia", 0.025, changed)


def rarely_cut_short(stages: Stages, world: World) -> Stages:
    """One answer in sixty ends after half of its text."""

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        strikes = world.strikes("rarely_cut_short", asking.query, 0.016)
        return replace(outcome, result=outcome.result[: len(outcome.result) // 2]) if strikes else outcome

    return reanswering(stages, changed)


def two_keywords_collide(stages: Stages, world: World) -> Stages:
    """In a query with two particular keywords of different sources the second one is dropped."""
    sources = world.vocabulary.sources
    one = world.pick("two_keywords_collide", list(sources))
    other = world.pick("two_keywords_collide too", [source for source in sources if source != one])
    first, second = (phrases_regex([world.pick("two_keywords_collide", sources[source])]) for source in (one, other))

    def changed(reading: Reading) -> Reading:
        if not first.search(reading.query):
            return reading
        return with_clauses(reading, [c for c in reading.clauses if first.search(c.text) or not second.search(c.text)])

    return rereading(stages, changed)


def pair_and_source_collide(stages: Stages, world: World) -> Stages:
    """Next to one particular source, one particular pair of names is dropped."""
    source = world.pick("pair_and_source_collide", list(world.vocabulary.sources))
    pair = phrases_regex([world.pick("pair_and_source_collide", world.vocabulary.seeds.proper_noun_pairs)])

    def changed(reading: Reading) -> Reading:
        beside = any(source in world.lexicon.named(clause.text) for clause in reading.clauses)
        return with_clauses(reading, [c for c in reading.clauses if not beside or not pair.search(c.text)])

    return rereading(stages, changed)


def ellipsis_searched(stages: Stages, world: World) -> Stages:
    """A keyword with an ellipsis behind it is searched for without its last letter."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        return words.rstrip("…")[:-1] if words.endswith("…") else words

    return rewording(stages, changed)


def framed_request_lost(stages: Stages, world: World) -> Stages:
    """With one particular discourse phrase in a query, requests in the first person are dropped."""
    regex = phrases_regex([world.pick("framed_request_lost", world.vocabulary.discourse_phrases)])

    def changed(reading: Reading) -> Reading:
        framed = regex.search(reading.query)
        kept = [clause for clause in reading.clauses if not framed or not clause.text.startswith(("I ", "I'"))]
        return with_clauses(reading, kept)

    return rereading(stages, changed)
