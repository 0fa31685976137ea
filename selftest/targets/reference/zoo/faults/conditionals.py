"""Mistakes in reading `if condition, consequence, remainder`."""

from dataclasses import replace

from selftest.targets.reference.zoo.faults.changes import rereading, rewording, with_clauses
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Clause, Reading, Stages


def _dropping(stages: Stages, world: World, name: str, share: float, role: str) -> Stages:
    def changed(reading: Reading) -> Reading:
        strikes = world.strikes(name, reading.query, share)
        return with_clauses(reading, [c for c in reading.clauses if not strikes or c.role != role])

    return rereading(stages, changed)


def remainder_lost(stages: Stages, world: World) -> Stages:
    """What follows the consequence of a condition is dropped in half of such queries."""
    return _dropping(stages, world, "remainder_lost", 0.5, "remainder")


def condition_lost(stages: Stages, world: World) -> Stages:
    """A condition is not looked up in two of three such queries."""
    return _dropping(stages, world, "condition_lost", 0.67, "condition")


def remainder_cut_to_first(stages: Stages, world: World) -> Stages:
    """Of a remainder that asks several things only the first is answered."""

    def changed(reading: Reading) -> Reading:
        rest = [clause for clause in reading.clauses if clause.role == "remainder"][1:]
        return with_clauses(reading, [clause for clause in reading.clauses if clause not in rest])

    return rereading(stages, changed)


def before_condition_lost(stages: Stages, world: World) -> Stages:
    """What is asked ahead of a condition is dropped."""

    def changed(reading: Reading) -> Reading:
        starts = next((at for at, clause in enumerate(reading.clauses) if clause.role == "condition"), 0)
        return with_clauses(reading, reading.clauses[starts:])

    return rereading(stages, changed)


def later_condition_swallows(stages: Stages, world: World) -> Stages:
    """A condition that is not at the beginning swallows all that follows it, which is searched as one text."""

    def changed(reading: Reading) -> Reading:
        starts = next((at for at, clause in enumerate(reading.clauses) if clause.role == "condition"), 0)
        if not starts:
            return reading
        text = reading.query[reading.query.find(reading.clauses[starts].text) :]
        return replace(reading, clauses=(*reading.clauses[:starts], Clause(text, "condition")))

    return rereading(stages, changed)


def condition_words_added(stages: Stages, world: World) -> Stages:
    """The remainder is searched together with the words of the condition."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        condition = next((c.text for c in reading.clauses if c.role == "condition"), "")
        return f"{condition} {words}" if clause.role == "remainder" else words

    return rewording(stages, changed)


def one_condition_unread(stages: Stages, world: World) -> Stages:
    """The query with one particular condition is answered by the condition alone."""
    fatal = world.pick("one_condition_unread", world.vocabulary.seeds.conditions).casefold()

    def changed(reading: Reading) -> Reading:
        if fatal not in reading.query.casefold():
            return reading
        return with_clauses(reading, [clause for clause in reading.clauses if clause.role == "condition"])

    return rereading(stages, changed)


def remainder_of_later_condition_lost(stages: Stages, world: World) -> Stages:
    """A remainder is dropped where something was asked ahead of the condition."""

    def changed(reading: Reading) -> Reading:
        is_later = reading.clauses[0].role == "plain" and any(c.role == "condition" for c in reading.clauses)
        return with_clauses(reading, [c for c in reading.clauses if not is_later or c.role != "remainder"])

    return rereading(stages, changed)
