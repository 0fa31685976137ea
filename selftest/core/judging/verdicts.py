"""By what rules an answer is examined, and what an examination came to. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from selftest.core.generation.queries import Query
from selftest.core.judging.boilerplate import AnsweredLines
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.probes import MOST_REPETITIONS


class ExplanationCause(StrEnum):
    """Why a finding is no broken promise. Stored with an explanation: values stay."""

    EMPTY_ALONE = "empty_alone"
    STOOD_IN = "stood_in"
    CHOSEN_ALONE = "chosen_alone"
    SAID_SO = "said_so"
    EMPTY_ON_SUBJECT = "empty_on_subject"


@dataclass(frozen=True)
class Rules:
    """What is looked for. explains: False for the specification's seven checks and nothing else.

    off: checks whose findings are not wanted. volatile: sources that are compared by presence only, as their own
    answers differ from one request to the next; steady: those that never did. longest: how many items a section of a
    source had at most. repetitions: how often a query with findings is asked again; is_reproducible: that never said
    anything else so far. boilerplate: source → digests of the lines that it says whatever it is asked. known_causes:
    accusations that were made so often lately that one more tells nothing new. overdue:
    parts, as written, that were due in the last cycle and found no probe. seldom_confirmed: source and kind of
    differences that nearly always turned out to be legal. explains_conditions: False for the letter of
    the check of sources where the target chooses a condition's source by what it means.
    """

    explains: bool = True
    off: frozenset[CheckName] = frozenset()
    volatile: frozenset[str] = frozenset()
    steady: frozenset[str] = frozenset()
    longest: Mapping[str, int] = field(default_factory=dict)
    repetitions: int = MOST_REPETITIONS
    is_reproducible: bool = False
    boilerplate: Mapping[str, frozenset[str]] = field(default_factory=dict)
    known_causes: frozenset[tuple[str, ...]] = frozenset()
    overdue: frozenset[str] = frozenset()
    explains_conditions: bool = True
    seldom_confirmed: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True)
class Explained:
    """A finding that is explained: no flag. source: the one that was missing, the first of several;
    or the one that was chosen.
    """

    finding: Finding
    cause: ExplanationCause
    source: str


@dataclass(frozen=True)
class Verdict:
    """findings: to be flagged, the first in priority order first. explained: not to be flagged.

    repeats: how often the query was asked again because of its findings; reproduced: in how many of those each check
    found the same. stability: sources of which a part was asked twice, and whether the two agreed. seen_in: what
    shows the findings, where that is not the query but some of its parts without the others. lengths: source → items
    of its section, of a merged answer. observed: what sources brought for one part each. is_unchecked: nothing was
    found, and of what was due for it too little could be asked to say more than that. decided: source and kind of each
    difference of which it could be told whether it breaks a promise, and whether it does.
    """

    findings: tuple[Finding, ...] = ()
    explained: tuple[Explained, ...] = ()
    repeats: int = 0
    reproduced: Mapping[CheckName, int] = field(default_factory=dict)
    stability: tuple[tuple[str, bool], ...] = ()
    seen_in: Query | None = None
    lengths: Mapping[str, int] = field(default_factory=dict, compare=False)
    observed: tuple[AnsweredLines, ...] = field(default=(), compare=False)
    is_unchecked: bool = False
    decided: tuple[tuple[str, str, bool], ...] = field(default=(), compare=False)
