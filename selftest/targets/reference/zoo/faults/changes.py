"""How a fault wraps one stage: the honest stage runs, then its result is changed. Knows no fault."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Asking, Block, Clause, Item, Job, Outcome, Reading, Section, Stages

Sections = tuple[Section, ...]


def with_clauses(reading: Reading, clauses: Sequence[Clause]) -> Reading:
    """`reading` with other clauses; as it was where none is left."""
    return replace(reading, clauses=tuple(clauses)) if clauses else reading


def without_clause(reading: Reading, position: int) -> Reading:
    """`reading` without the clause at `position`, which may count from the end; as it was where it is the only one."""
    left = list(reading.clauses)
    del left[position]
    return with_clauses(reading, left)


def rereading(stages: Stages, changed: Callable[[Reading], Reading]) -> Stages:
    """Every reading `changed`."""
    honest = stages.read
    return replace(stages, read=lambda query: changed(honest(query)))


def resourcing(stages: Stages, changed: Callable[[Clause, Reading, tuple[str, ...]], tuple[str, ...]]) -> Stages:
    """The sources of every clause `changed`; the honest ones where that leaves none."""
    honest = stages.sources_of

    def sources_of(clause: Clause, reading: Reading) -> tuple[str, ...]:
        sources = honest(clause, reading)
        return tuple(dict.fromkeys(changed(clause, reading, sources))) or sources

    return replace(stages, sources_of=sources_of)


def rewording(stages: Stages, changed: Callable[[str, Clause, str, Reading], str]) -> Stages:
    """What is searched `changed`: (words, clause, source, reading) → words; the honest ones where that leaves none."""
    honest = stages.words_for

    def words_for(clause: Clause, source: str, reading: Reading) -> str:
        words = honest(clause, source, reading)
        return changed(words, clause, source, reading).strip() or words

    return replace(stages, words_for=words_for)


def replanning(stages: Stages, changed: Callable[[tuple[Job, ...]], Sequence[Job]]) -> Stages:
    """The jobs of every reading `changed`."""
    honest = stages.plan
    return replace(stages, plan=lambda reading: tuple(changed(honest(reading))))


def refinding(stages: Stages, changed: Callable[[tuple[Item, ...], Job, Asking], tuple[Item, ...]]) -> Stages:
    """What a source brings for a job `changed`; not where a source was named to answer alone."""
    honest = stages.search

    def search(job: Job, asking: Asking) -> tuple[Item, ...]:
        items = honest(job, asking)
        return items if asking.source else changed(items, job, asking)

    return replace(stages, search=search)


def regathering(
    stages: Stages, world: World, name: str, share: float, changed: Callable[[Sections], Sections], fewest: int = 2
) -> Stages:
    """The sections of a `share` of the answers with at least `fewest` sections, `changed`."""
    honest = stages.gather

    def gather(blocks: Sequence[Block], asking: Asking) -> Sections:
        sections = honest(blocks, asking)
        strikes = len(sections) >= fewest and world.strikes(name, asking.query, share)
        return changed(sections) if strikes else sections

    return replace(stages, gather=gather)


def reanswering(stages: Stages, changed: Callable[[Outcome, Asking], Outcome]) -> Stages:
    """Every routed answer `changed`; not where a source was named to answer alone."""
    honest = stages.finish

    def finish(outcome: Outcome, asking: Asking) -> Outcome:
        finished = honest(outcome, asking)
        return finished if asking.source else changed(finished, asking)

    return replace(stages, finish=finish)
