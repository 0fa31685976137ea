"""Asking a query with findings again, to see how often each is reproduced. Pure."""

from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import dataclass

from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName
from selftest.core.judging.probes import Probe, Purpose, Urgency

MOST_REPRODUCTIONS = 3


@dataclass(frozen=True)
class Reproductions:
    """repeats: how often the query was asked again. reproduced: in how many of them each check found the same."""

    repeats: int
    reproduced: Mapping[CheckName, int]


def reproduce(
    text: str, checks: Collection[CheckName], found_in: Callable[[Answer], Collection[CheckName]]
) -> Generator[Probe, Answer | None, Reproductions]:
    """Asks `text` up to three times more, and fewer where an answer is not to be had.

    checks: those with a finding. found_in: the checks that find something in another answer to it.
    """
    repeats = 0
    reproduced = dict.fromkeys(checks, 0)
    for number in range(1, MOST_REPRODUCTIONS + 1):
        again = yield Probe(text, Purpose.AGAIN, Urgency.SUSPECT, fresh=number)
        if again is None:
            break
        repeats += 1
        for check in found_in(again):
            if check in reproduced:
                reproduced[check] += 1
    return Reproductions(repeats, reproduced)
