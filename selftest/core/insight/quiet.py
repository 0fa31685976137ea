"""Whether a cause went quiet, or came back, and how likely that is by chance: from its counts, cycle by cycle. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile
from math import exp, lgamma

UNLIKELY = 0.05  # where chance keeps as many queries clean more often than that, too few could have shown the cause
RECENT_CYCLES = 5  # in which it is news that a cause came back

CycleCounts = Sequence[tuple[int, int]]
"""Of each cycle, the oldest first: the queries that could have shown a cause, and those of them that did."""


@dataclass(frozen=True)
class QuietSpell:
    """Queries in a row that could have shown a cause and did not. chance: of that, had nothing changed."""

    runs: int
    chance: float


def quiet_spell(counts: CycleCounts, known: tuple[int, int]) -> QuietSpell | None:
    """The one that lasts; None where the newest queries show the cause, or where too few of them could have.

    known: the same two counts of all that is known, for a cause that none of `counts` shows.
    """
    return _spell_before(counts, len(counts), known)


def ended_spell(counts: CycleCounts, cycles: int = RECENT_CYCLES) -> QuietSpell | None:
    """The one that a query of the newest `cycles` ended; None where there was none."""
    for place in range(len(counts) - 1, max(-1, len(counts) - cycles - 1), -1):
        if counts[place][1] and any(flagged for _, flagged in counts[:place]):
            spell = _spell_before(counts, place, (0, 0))
            if spell is not None:
                return spell
    return None


def _spell_before(counts: CycleCounts, end: int, known: tuple[int, int]) -> QuietSpell | None:
    begin = end
    while begin and not counts[begin - 1][1]:
        begin -= 1
    runs = sum(could for could, _ in counts[begin:end])
    before = list(dropwhile(lambda count: not count[1], counts[:begin]))
    could, did = (sum(column) for column in zip(*before, strict=True)) if before else known
    chance = chance_of_none(runs, could, did)
    return QuietSpell(runs, chance) if runs and chance <= UNLIKELY else None


def chance_of_none(runs: int, could: int, did: int) -> float:
    """The chance that none of the next `runs` shows what `did` of `could` have shown before.

    Source: Laplace's rule of succession, repeated: the share is not known, and any is as likely before the first query.
    """
    clean = max(0, could - did) + 1
    every = clean + did + 1
    return exp(lgamma(clean + runs) - lgamma(clean) - lgamma(every + runs) + lgamma(every))
