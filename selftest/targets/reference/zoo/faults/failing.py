"""Crashes, failures shown as content, and answers that take too long."""

from collections.abc import Sequence
from dataclasses import replace

from selftest.targets.reference.zoo.faults.changes import reanswering, refinding
from selftest.targets.reference.zoo.lexicon import phrases_regex
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Asking, Block, Item, Job, Outcome, Reading, Section, Stages

SLOW_MS, VERY_SLOW_MS = 2500.0, 9000.0  # far above what any healthy answer takes
MANY_CLAUSES = 8
LONG_CHARACTERS = 900
TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "/srv/router/backend.py", line 88, in fetch\n'
    "    return rows[0]\n"
    "IndexError: list index out of range"
)


def _as_item(text: str) -> Item:
    return Item(text, text, text)


def crash_on_keyword(stages: Stages, world: World) -> Stages:
    """A query with one particular keyword in it ends in an exception."""
    phrases = [phrase for of_source in world.vocabulary.sources.values() for phrase in of_source]
    regex = phrases_regex([world.pick("crash_on_keyword", phrases)])
    honest = stages.read

    def read(query: str) -> Reading:
        if regex.search(query):
            raise KeyError("backend")
        return honest(query)

    return replace(stages, read=read)


def crash_on_many_clauses(stages: Stages, world: World) -> Stages:
    """A query of eight clauses or more ends in an exception."""
    honest = stages.read

    def read(query: str) -> Reading:
        reading = honest(query)
        if len(reading.clauses) >= MANY_CLAUSES:
            raise IndexError("list index out of range")
        return reading

    return replace(stages, read=read)


def crash_on_guillemets(stages: Stages, world: World) -> Stages:
    """A query with a guillemet in it ends in an exception."""
    honest = stages.straighten

    def straighten(query: str) -> str:
        if "«" in query:
            raise ValueError("unbalanced quotation mark")
        return honest(query)

    return replace(stages, straighten=straighten)


def crash_on_long_query(stages: Stages, world: World) -> Stages:
    """A query of 900 characters or more ends in an exception."""
    honest = stages.straighten

    def straighten(query: str) -> str:
        if len(query) >= LONG_CHARACTERS:
            raise RecursionError("maximum recursion depth exceeded")
        return honest(query)

    return replace(stages, straighten=straighten)


def crash_on_two_empty_parts(stages: Stages, world: World) -> Stages:
    """A query on two parts of which a source has nothing itself ends in an exception."""
    honest = stages.gather

    def gather(blocks: Sequence[Block], asking: Asking) -> tuple[Section, ...]:
        if sum(block.source != block.job.source or not block.items for block in blocks) > 1:
            raise ZeroDivisionError("division by zero")
        return honest(blocks, asking)

    return replace(stages, gather=gather)


def traceback_shown(stages: Stages, world: World) -> Stages:
    """For one part in thirty a source brings the traceback of its failure."""

    def changed(items: tuple[Item, ...], job: Job, asking: Asking) -> tuple[Item, ...]:
        return (
            (_as_item(TRACEBACK),) if world.strikes("traceback_shown", f"{asking.query} {job.words}", 0.03) else items
        )

    return refinding(stages, changed)


def failure_shown_as_content(stages: Stages, world: World) -> Stages:
    """For one part in twenty-five a source brings an empty phrase as if it were content, though it has some."""
    phrase = world.pick("failure_shown_as_content", world.vocabulary.empty_phrases)

    def changed(items: tuple[Item, ...], job: Job, asking: Asking) -> tuple[Item, ...]:
        strikes = items and world.strikes("failure_shown_as_content", f"{asking.query} {job.words}", 0.04)
        return (_as_item(f"{phrase.capitalize()}."),) if strikes else items

    return refinding(stages, changed)


def third_source_times_out(stages: Stages, world: World) -> Stages:
    """Asked after two others, a source fails for one part in seven and says so in its section."""
    phrase = world.pick("third_source_times_out", world.vocabulary.empty_phrases)

    def changed(items: tuple[Item, ...], job: Job, asking: Asking) -> tuple[Item, ...]:
        is_late = job.clause in asking.reading.clauses[2:]
        strikes = is_late and items and world.strikes("third_source_times_out", f"{asking.query} {job.words}", 0.15)
        return (_as_item(f"{phrase.capitalize()} ({job.source})"),) if strikes else items

    return refinding(stages, changed)


def one_failure_takes_all(stages: Stages, world: World) -> Stages:
    """Next to two other clauses or more, one in eight queries gets an empty phrase for its whole answer."""
    phrase = world.pick("one_failure_takes_all", world.vocabulary.empty_phrases)

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        several = len(asking.reading.clauses) > 2
        strikes = several and world.strikes("one_failure_takes_all", asking.query, 0.12)
        return replace(outcome, result=f"{phrase.capitalize()}.") if strikes else outcome

    return reanswering(stages, changed)


def answer_blank(stages: Stages, world: World) -> Stages:
    """One query in twenty-five gets an answer with no text."""

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        return replace(outcome, result="") if world.strikes("answer_blank", asking.query, 0.04) else outcome

    return reanswering(stages, changed)


def rarely_slow(stages: Stages, world: World) -> Stages:
    """One query in fifty takes two and a half seconds longer."""

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        strikes = world.strikes("rarely_slow", asking.query, 0.02)
        return replace(outcome, latency_ms=outcome.latency_ms + SLOW_MS) if strikes else outcome

    return reanswering(stages, changed)


def slow_on_pair(stages: Stages, world: World) -> Stages:
    """A query with one particular pair of names takes nine seconds longer."""
    regex = phrases_regex([world.pick("slow_on_pair", world.vocabulary.seeds.proper_noun_pairs)])

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        slow = regex.search(asking.query)
        return replace(outcome, latency_ms=outcome.latency_ms + VERY_SLOW_MS) if slow else outcome

    return reanswering(stages, changed)


def slow_keyword(stages: Stages, world: World) -> Stages:
    """One keyword makes any answer two and a half seconds slower."""
    phrases = [phrase for of_source in world.vocabulary.sources.values() for phrase in of_source]
    regex = phrases_regex([world.pick("slow_keyword", phrases)])

    def changed(outcome: Outcome, asking: Asking) -> Outcome:
        slow = regex.search(asking.query)
        return replace(outcome, latency_ms=outcome.latency_ms + SLOW_MS) if slow else outcome

    return reanswering(stages, changed)
