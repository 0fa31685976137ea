"""Asking a query with findings again, to see how often each is reproduced. Pure."""

from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import dataclass, replace

from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName
from selftest.core.judging.probes import MOST_REPETITIONS, Probe, Purpose, Urgency


@dataclass(frozen=True)
class Reproductions:
    """repeats: how often the query was asked again. reproduced: in how many of them each check found the same."""

    repeats: int
    reproduced: Mapping[CheckName, int]

    @property
    def agreements(self) -> tuple[bool, ...]:
        """Of each repetition, as far as counts tell: whether every check found the same in it."""
        agreed = min(self.reproduced.values(), default=0)
        return (True,) * agreed + (False,) * (self.repeats - agreed)


def reproduce(
    text: str,
    checks: Collection[CheckName],
    found_in: Callable[[Answer], Collection[CheckName]],
    most: int = MOST_REPETITIONS,
    first: Urgency = Urgency.SUSPECT,
) -> Generator[Probe, Answer | None, Reproductions]:
    """Asks `text` up to `most` times more, and fewer where an answer is not to be had.

    The first repetition says most, so it comes before what is compared as routine, unless `first` says otherwise;
    the second comes after that, unless the first disagrees. The third yields to queries that nothing was checked of.
    checks: those with a finding. found_in: the checks that find something in another answer to it.
    """
    repeats = 0
    reproduced = dict.fromkeys(checks, 0)
    for number in range(1, MOST_REPETITIONS + 1):
        agrees = min(reproduced.values(), default=0) == repeats
        if number > most and agrees:
            break
        ahead = tuple(_repetition(text, later, True, first) for later in range(number + 1, most + 1))
        again = yield replace(_repetition(text, number, agrees, first), ahead=ahead)
        if again is None:
            break
        repeats += 1
        for check in found_in(again):
            if check in reproduced:
                reproduced[check] += 1
    return Reproductions(repeats, reproduced)


def _repetition(text: str, number: int, agrees: bool, first: Urgency) -> Probe:
    if number == 1:
        urgency = first
    elif number == MOST_REPETITIONS:
        urgency = Urgency.SPARE
    else:
        urgency = Urgency.WORTHWHILE if agrees else Urgency.SUSPECT
    return Probe(text, Purpose.AGAIN, urgency, fresh=number)
