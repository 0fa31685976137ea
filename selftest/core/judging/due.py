"""What was due for a query and could not be asked: how much it says that nothing was found. Pure."""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TypeVar

from selftest.core.judging.answers import Answer
from selftest.core.judging.probes import Probe, Purpose, Urgency

Result = TypeVar("Result")
Asking = Generator[Probe, Answer | None, Result]
DECIDING = (Urgency.EXPLAIN, Urgency.SUSPECT)  # without these something stays open


@dataclass
class DueProbes:
    """The probes of one examination by what became of them. answered: what for, also by what was known already."""

    answered: set[Purpose] = field(default_factory=set)
    refused: list[Probe] = field(default_factory=list)

    def watch(self, asking: Asking[Result]) -> Asking[Result]:
        """The same as `asking`, and what becomes of its probes is noted."""
        try:
            probe = next(asking)
            while True:
                answer = yield probe
                self.note(probe, answer)
                probe = asking.send(answer)
        except StopIteration as end:
            result: Result = end.value
            return result

    def note(self, probe: Probe, answer: Answer | None) -> None:
        """One more probe, and its answer; None where that was not to be had."""
        if answer is not None:
            self.answered.add(probe.purpose)
        elif probe.urgency is not Urgency.IF_KNOWN:  # what is not worth a request was not due
            self.refused.append(probe)

    @property
    def are_unmet(self) -> bool:
        """Whether something stayed open, no part was compared though parts were due, or nothing was that was due."""
        if any(probe.urgency in DECIDING for probe in self.refused):
            return True
        purposes = {probe.purpose for probe in self.refused}
        return (Purpose.PART in purposes - self.answered) or bool(purposes and not self.answered)
