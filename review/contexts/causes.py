"""`/blame`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from review.contexts.choices import PageLink
from review.contexts.findings import name_of_check, sentence_of_check
from review.contexts.parts import SuspectLabel
from selftest.core.insight import suspects
from selftest.core.insight.suspects import Together


@dataclass(frozen=True)
class SuspectLine:
    """An ingredient or pair linked with a check's flags, and how strongly. runs: all with it.

    coefficient: in 0 … 1, as a bar has it; in_words: as a reader has it.
    open: flags in the queue that are put down to it; queue: these. flags: all with it, also those put down to another.
    """

    suspect: SuspectLabel
    coefficient: str
    in_words: str
    runs: int
    flagged: int
    open: int
    queue: str
    flags: str

    @classmethod
    def of(
        cls, found: suspects.Suspect, flagged_in_all: int, still_open: int, queue: str, flags: str
    ) -> "SuspectLine | None":
        """None for a suspect without a name."""
        suspect = SuspectLabel.named(found.name)
        if suspect is None:
            return None
        coefficient = found.together.ochiai(flagged_in_all)
        return cls(
            suspect=suspect,
            coefficient=f"{coefficient:.3f}",
            in_words=f"{coefficient:.2f}",
            runs=found.together.runs,
            flagged=found.together.flagged,
            open=still_open,
            queue=queue,
            flags=flags,
        )


@dataclass(frozen=True)
class CausesPage:
    """`/blame`. flagged: runs that the check flagged, of `runs`. others: what may go with the flags by chance.

    left_out: how many more may. queue: all that waits of this check.
    """

    target: str
    targets: tuple[PageLink, ...]
    checks: tuple[PageLink, ...]
    shape: str
    name: str
    sentence: str
    runs: int
    flagged: int
    evident: tuple[SuspectLine, ...]
    others: tuple[SuspectLine, ...]
    left_out: int
    queue: str

    @classmethod
    def of(
        cls,
        target: str,
        targets: tuple[PageLink, ...],
        checks: tuple[PageLink, ...],
        check: str,
        counted: Together,
        evident: Sequence[SuspectLine],
        others: Sequence[SuspectLine],
        left_out: int,
        queue: str,
    ) -> "CausesPage":
        """With the check's name and sentence."""
        return cls(
            target=target,
            targets=targets,
            checks=checks,
            shape=check,
            name=name_of_check(check),
            sentence=sentence_of_check(check),
            runs=counted.runs,
            flagged=counted.flagged,
            evident=tuple(evident),
            others=tuple(others),
            left_out=left_out,
            queue=queue,
        )


def check_choices(runs: Mapping[str, int], chosen: str, address: Callable[[str], str]) -> tuple[PageLink, ...]:
    """runs: that each check flagged, most first."""
    return tuple(
        PageLink(f"{name_of_check(check)} {count:,}", address(check), check == chosen) for check, count in runs.items()
    )
