"""Mistakes that need two things in one query, each of which is handled well without the other."""

from dataclasses import replace

from selftest.targets.reference.zoo.faults.changes import rereading, resourcing, rewording, with_clauses
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Clause, Reading, Stages


def _is_request(clause: Clause) -> bool:
    return clause.text.startswith(("I ", "I'"))


def framing_hides_condition(stages: Stages, world: World) -> Stages:
    """In a query with discourse framing a condition is dropped."""

    def changed(reading: Reading) -> Reading:
        framed = world.lexicon.discourse.search(reading.query)
        return with_clauses(reading, [c for c in reading.clauses if not framed or c.role != "condition"])

    return rereading(stages, changed)


def request_after_pair_lost(stages: Stages, world: World) -> Stages:
    """A request in the first person right behind a pair of names is dropped."""

    def changed(reading: Reading) -> Reading:
        behind = zip(reading.clauses, reading.clauses[1:], strict=False)
        lost = [clause for pair, clause in behind if _is_request(clause) and world.lexicon.pairs.search(pair.text)]
        return with_clauses(reading, [clause for clause in reading.clauses if clause not in lost])

    return rereading(stages, changed)


def pair_after_request_lost(stages: Stages, world: World) -> Stages:
    """A pair of names somewhere behind a request in the first person is dropped."""

    def changed(reading: Reading) -> Reading:
        starts = next((at for at, clause in enumerate(reading.clauses) if _is_request(clause)), len(reading.clauses))
        kept = [c for at, c in enumerate(reading.clauses) if at < starts or not world.lexicon.pairs.search(c.text)]
        return with_clauses(reading, kept)

    return rereading(stages, changed)


def keyword_between_pairs_lost(stages: Stages, world: World) -> Stages:
    """A clause between two that each hold a pair of names is dropped."""

    def changed(reading: Reading) -> Reading:
        holds = [bool(world.lexicon.pairs.search(clause.text)) for clause in reading.clauses]
        lost = [at for at in range(1, len(holds) - 1) if holds[at - 1] and holds[at + 1] and not holds[at]]
        return with_clauses(reading, [clause for at, clause in enumerate(reading.clauses) if at not in lost])

    return rereading(stages, changed)


def clause_after_odd_letters_lost(stages: Stages, world: World) -> Stages:
    """A clause behind one with letters or signs beyond ASCII is dropped."""

    def changed(reading: Reading) -> Reading:
        odd = [not clause.text.isascii() for clause in reading.clauses]
        return with_clauses(reading, [c for at, c in enumerate(reading.clauses) if not at or not odd[at - 1]])

    return rereading(stages, changed)


def two_sources_confused(stages: Stages, world: World) -> Stages:
    """Where two particular sources are asked in one query, the second gets the words of the first."""
    one = world.pick("two_sources_confused", list(world.vocabulary.sources))
    other = world.pick("two_sources_confused too", [s for s in world.vocabulary.sources if s != one])

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        first = next((c.text for c in reading.clauses if one in world.lexicon.named(c.text)), "")
        return first if source == other and first else words

    return rewording(stages, changed)


def same_source_twice_in_row_lost(stages: Stages, world: World) -> Stages:
    """Of two neighbouring clauses for one source both are dropped, where there are others."""

    def changed(reading: Reading) -> Reading:
        named = [world.lexicon.named(clause.text) for clause in reading.clauses]
        twins = {at for at in range(1, len(named)) if named[at] and named[at] == named[at - 1]}
        lost = twins | {at - 1 for at in twins}
        return with_clauses(reading, [clause for at, clause in enumerate(reading.clauses) if at not in lost])

    return rereading(stages, changed)


def condition_source_not_asked_again(stages: Stages, world: World) -> Stages:
    """A source that the condition needs is not asked for any other clause."""

    def changed(reading: Reading) -> Reading:
        of_condition = {
            source for c in reading.clauses if c.role == "condition" for source in world.lexicon.named(c.text)
        }
        kept = [
            c for c in reading.clauses if c.role == "condition" or not of_condition & set(world.lexicon.named(c.text))
        ]
        return with_clauses(reading, kept)

    return rereading(stages, changed)


def framing_and_pair_merged(stages: Stages, world: World) -> Stages:
    """In a query with discourse framing, pairs of names go to the source of the first keyword."""

    def changed(clause: Clause, reading: Reading, sources: tuple[str, ...]) -> tuple[str, ...]:
        framed = world.lexicon.discourse.search(reading.query)
        return world.lexicon.named(reading.query)[:1] if framed and world.lexicon.pairs.search(clause.text) else sources

    return resourcing(stages, changed)


def nosplit_and_condition(stages: Stages, world: World) -> Stages:
    """In a query with a condition, a phrase that must not split lets its pair of names be split."""

    def changed(reading: Reading) -> Reading:
        if all(clause.role != "condition" for clause in reading.clauses):
            return reading
        return with_clauses(reading, [half for clause in reading.clauses for half in halves(clause)])

    def halves(clause: Clause) -> list[Clause]:
        held, pair = world.lexicon.nosplit.search(clause.text), world.lexicon.pairs.search(clause.text)
        joint = world.lexicon.conjunctions.search(clause.text, *pair.span()) if held and pair else None
        if joint is None:
            return [clause]
        texts = (clause.text[: joint.start()], clause.text[joint.end() :])
        return [replace(clause, text=text.strip()) for text in texts]

    return rereading(stages, changed)


def chains_of_four_cut_in_half(stages: Stages, world: World) -> Stages:
    """Of four clauses exactly, the first two are answered."""

    def changed(reading: Reading) -> Reading:
        if len(reading.clauses) != 4:
            return reading
        return replace(reading, clauses=reading.clauses[:2])

    return rereading(stages, changed)
