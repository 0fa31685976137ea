"""From an answer to a verdict: which extra askings are worth it, and what is found once they are answered.

Pure: an examination is a generator that yields the probes that it wants and is sent their answers, so that whoever
drives it decides whom to ask, from what to remember and how much to spend.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field

from selftest.core.answers import Answer
from selftest.core.checks import Asking, CheckName, Finding, findings
from selftest.core.probes import Probe


@dataclass(frozen=True)
class Rules:
    """What is looked for. explains: False for the specification's seven checks and nothing else.

    off: checks whose findings are not wanted. volatile: sources that are compared by presence only, as their own
    answers differ from one asking to the next.
    """

    explains: bool = True
    off: frozenset[CheckName] = frozenset()
    volatile: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Explained:
    """A finding with an innocent cause. source: the source that was missing. cause: empty_alone or stood_in."""

    finding: Finding
    cause: str
    source: str


@dataclass(frozen=True)
class Verdict:
    """findings: to be flagged, the first in priority order first. explained: with an innocent cause, not to be flagged.

    asked_again: how often the query was asked again because of its findings; seen_again: in how many of those each
    check found the same.
    """

    findings: tuple[Finding, ...] = ()
    explained: tuple[Explained, ...] = ()
    asked_again: int = 0
    seen_again: Mapping[CheckName, int] = field(default_factory=dict)


Examination = Generator[Probe, Answer | None, Verdict]


def examine(asking: Asking, rules: Rules, reproduces: bool = True) -> Examination:
    """Examines one answer. To each probe that it yields it is sent the answer, or None where that is not to be had.

    reproduces: whether a query with findings is asked again, up to three times.
    """
    return Verdict(tuple(found for found in findings(asking) if found.check not in rules.off))
    yield
