"""Mistakes in which source is asked."""

from collections.abc import Callable
from itertools import pairwise

from selftest.targets.reference.zoo.faults.changes import replanning, resourcing
from selftest.targets.reference.zoo.lexicon import phrases_regex
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Clause, Job, Reading, Stages

MOST_JOBS = 4


def _elsewhere(world: World, source: str) -> str:
    """A source that neither is `source` nor stands in for it."""
    vocabulary = world.vocabulary
    others = [other for other in vocabulary.sources if other not in vocabulary.stand_ins(source)]
    return world.pick(f"elsewhere {source}", others)


def keyword_misrouted(stages: Stages, world: World) -> Stages:
    """One keyword is sent to a source that it does not belong to."""
    owners = {phrase: source for source, phrases in world.vocabulary.sources.items() for phrase in phrases}
    phrase = world.pick("keyword_misrouted", list(owners))
    regex, owner = phrases_regex([phrase]), owners[phrase]

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        if not regex.search(clause.text):
            return sources
        return tuple(_elsewhere(world, owner) if source == owner else source for source in sources)

    return resourcing(stages, changed)


def framing_yields_to_keyword(stages: Stages, world: World) -> Stages:
    """Discourse framing does not bring the encyclopedia in where a keyword is framed."""

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        named = world.lexicon.named(clause.text)
        return named if named and world.lexicon.discourse.search(clause.text) else sources

    return resourcing(stages, changed)


def framing_phrase_unknown(stages: Stages, world: World) -> Stages:
    """One discourse phrase brings its topic to a source that has nothing to do with it."""
    regex = phrases_regex([world.pick("framing_phrase_unknown", world.vocabulary.discourse_phrases)])
    encyclopedia = world.vocabulary.encyclopedia

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        if not regex.search(clause.text):
            return sources
        return tuple(source for source in sources if source != encyclopedia) or (_elsewhere(world, encyclopedia),)

    return resourcing(stages, changed)


def framed_keyword_dropped(stages: Stages, world: World) -> Stages:
    """A keyword inside discourse framing is answered by the encyclopedia alone."""

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        framed = world.lexicon.discourse.search(clause.text)
        return (world.vocabulary.encyclopedia,) if framed else sources

    return resourcing(stages, changed)


def framing_spreads(stages: Stages, world: World) -> Stages:
    """Beside a framed clause, every other one is given to the encyclopedia as well, and to no other source."""

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        first = reading.clauses[0]
        framed = clause is not first and world.lexicon.discourse.search(first.text)
        return (world.vocabulary.encyclopedia,) if framed else sources

    return resourcing(stages, changed)


def capitals_unknown(stages: Stages, world: World) -> Stages:
    """A keyword that is written in capitals is taken for a topic."""
    return _unread(stages, world, lambda text: text.isupper())


def mixed_case_misread(stages: Stages, world: World) -> Stages:
    """A keyword with a small letter before a capital is taken for a topic."""
    return _unread(stages, world, lambda text: any(a.islower() and b.isupper() for a, b in pairwise(text)))


def quotes_hide_keyword(stages: Stages, world: World) -> Stages:
    """A keyword in typographic quotes is taken for a topic."""
    return _unread(stages, world, lambda text: text.startswith(("“", "«")))


def _unread(stages: Stages, world: World, is_unread: Callable[[str], bool]) -> Stages:
    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        return (world.vocabulary.encyclopedia,) if is_unread(clause.text) else sources

    return resourcing(stages, changed)


def request_taken_for_topic(stages: Stages, world: World) -> Stages:
    """A request in the first person goes to the encyclopedia, whatever keyword it holds."""

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        return (world.vocabulary.encyclopedia,) if clause.text.startswith(("I ", "I'")) else sources

    return resourcing(stages, changed)


def pair_misrouted(stages: Stages, world: World) -> Stages:
    """One pair of names, and one in four of the others, go to a source that has nothing to do with them."""
    encyclopedia = world.vocabulary.encyclopedia
    one = world.pick("pair_misrouted", world.vocabulary.seeds.proper_noun_pairs).casefold()

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        pair = world.lexicon.pairs.search(clause.text)
        if not pair or not (pair[0].casefold() == one or world.strikes("pair_misrouted", pair[0], 0.25)):
            return sources
        return (_elsewhere(world, encyclopedia),)

    return resourcing(stages, changed)


def topic_follows_neighbour(stages: Stages, world: World) -> Stages:
    """A clause without keyword goes to the source of the clause before it."""

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        at = next((n for n, other in enumerate(reading.clauses) if other is clause), 0)
        before = world.lexicon.named(reading.clauses[at - 1].text) if at else ()
        return sources if world.lexicon.named(clause.text) else before

    return resourcing(stages, changed)


def second_mention_ignored(stages: Stages, world: World) -> Stages:
    """A source that two clauses need is asked for the first of them only."""

    def changed(jobs: tuple[Job, ...]) -> list[Job]:
        firsts: dict[str, Job] = {}
        for job in jobs:
            firsts.setdefault(job.source, job)
        return list(firsts.values())

    return replanning(stages, changed)


def four_jobs_at_most(stages: Stages, world: World) -> Stages:
    """Of all that is to be asked, what comes fifth or later is not asked."""
    return replanning(stages, lambda jobs: jobs[:MOST_JOBS])


def source_left_out_of_chains(stages: Stages, world: World) -> Stages:
    """One source is not asked where three others are."""
    left_out = world.pick("source_left_out_of_chains", list(world.vocabulary.sources))

    def changed(jobs: tuple[Job, ...]) -> list[Job]:
        several = len({job.source for job in jobs} - {left_out}) > 2
        return [job for job in jobs if not several or job.source != left_out]

    return replanning(stages, changed)


def first_source_for_all(stages: Stages, world: World) -> Stages:
    """In one query of seven the source of the first clause is asked for all of them."""

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        named = world.lexicon.named(reading.clauses[0].text)
        return named[:1] if world.strikes("first_source_for_all", reading.query, 0.15) else sources

    return resourcing(stages, changed)
