"""What is kept from one query to the next and should not be. Each keeps its own state, guarded by a lock."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from selftest.targets.reference.zoo.faults.changes import Sections, reanswering, refinding
from selftest.targets.reference.zoo.lexicon import normal_words
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Asking, Block, Clause, Item, Job, Outcome, Reading, Stages

MOST_KEPT = 2000
EVERY = 15  # queries from one hiccup to the next


def _cached_by(stages: Stages, key_of: Callable[[Asking], str | None]) -> Stages:
    """Answers kept by a key that several queries share; None: not kept."""
    kept: dict[str, Outcome] = {}
    lock = threading.Lock()

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        key = key_of(asking)
        if key is None:
            return outcome
        with lock:
            first = kept.setdefault(key, outcome) if len(kept) < MOST_KEPT else kept.get(key, outcome)
        return replace(first, latency_ms=outcome.latency_ms)

    return reanswering(stages, changed)


def cached_by_beginning(stages: Stages, world: World) -> Stages:
    """A query gets the answer of an earlier one that begins with the same six words."""
    return _cached_by(stages, lambda asking: " ".join(normal_words(asking.query)[:6]))


def results_cached_by_length(stages: Stages, world: World) -> Stages:
    """A source brings what it brought for earlier words of the same length that begin with the same letter."""
    kept: dict[tuple[str, int, str], tuple[Item, ...]] = {}
    lock = threading.Lock()

    def changed(items: tuple[Item, ...], job: Job, asking: Asking) -> tuple[Item, ...]:
        words = " ".join(normal_words(job.words))
        with lock:
            return kept.setdefault((job.source, len(words), words[:1]), items)

    return refinding(stages, changed)


def cached_by_sources(stages: Stages, world: World) -> Stages:
    """A query of two or three clauses gets the answer of an earlier one whose clauses name the same sources."""

    def key_of(asking: Asking) -> str | None:
        clauses = asking.reading.clauses
        named = sorted("+".join(world.lexicon.named(clause.text)) for clause in clauses)
        return "|".join(named) if len(clauses) in (2, 3) else None

    return _cached_by(stages, key_of)


def synthetic_queries_cached(stages: Stages, world: World) -> Stages:
    """Asked again, a query is answered from the cache, and the answer says so."""
    asked, lock = Counter[str](), threading.Lock()

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        with lock:
            asked[asking.query] += 1
            again = asked[asking.query] > 1
        return replace(outcome, cached=True, latency_ms=1.0) if again else outcome

    return reanswering(stages, changed)


def framing_lingers(stages: Stages, world: World) -> Stages:
    """After a query with discourse framing, the next one without is answered by the encyclopedia alone."""
    lock, framed = threading.Lock(), [False]
    honest = stages.read

    def read(query: str) -> Reading:
        reading = honest(query)
        with lock:
            before, framed[0] = framed[0], bool(world.lexicon.discourse.search(query))
        if not before or framed[0]:
            return reading
        return replace(reading, clauses=(Clause(f"{world.vocabulary.discourse_phrases[0]} {query}"),))

    return replace(stages, read=read)


def earlier_items_kept(stages: Stages, world: World) -> Stages:
    """In every third merged answer, the first section ends with an item of the query before."""
    lock, kept = threading.Lock(), list[Block]()
    count = Counter[str]()
    honest = stages.gather

    def gather(blocks: Sequence[Block], asking: Asking) -> Sections:
        sections = honest(blocks, asking)
        if asking.source or len(sections) < 2:
            return sections
        with lock:
            earlier = [block for block in kept if block.items]
            kept[:] = blocks
            count["asked"] += 1
            strikes = count["asked"] % 3 == 0
        if not strikes or not earlier or not sections[0].items:
            return sections
        first = sections[0]
        return (
            replace(first, blocks=(*first.blocks, replace(earlier[-1], items=earlier[-1].items[-1:]))),
            *sections[1:],
        )

    return replace(stages, gather=gather)


def loses_section_when_asked_again(stages: Stages, world: World) -> Stages:
    """Every second time that a query is asked, and one time in nine at first, its last section is missing."""
    honest = stages.gather

    def gather(blocks: Sequence[Block], asking: Asking) -> Sections:
        sections = honest(blocks, asking)
        at_first = asking.tick == 0 and world.strikes("loses_section_when_asked_again", asking.query, 0.11)
        strikes = len(sections) > 1 and not asking.source and (asking.tick % 2 == 1 or at_first)
        return sections[:-1] if strikes else sections

    return replace(stages, gather=gather)


def hiccups(stages: Stages, world: World) -> Stages:
    """Every fifteenth query gets an empty phrase for its answer."""
    count, lock = Counter[str](), threading.Lock()
    phrase = world.pick("hiccups", world.vocabulary.empty_phrases)

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        with lock:
            count["asked"] += 1
            strikes = count["asked"] % EVERY == 0
        return replace(outcome, result=f"{phrase.capitalize()}.") if strikes else outcome

    return reanswering(stages, changed)
