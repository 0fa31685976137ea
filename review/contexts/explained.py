"""`/explained`."""

from collections.abc import Sequence
from dataclasses import dataclass

from review.contexts.choices import PageLink, SelectOption
from review.contexts.findings import ExplainedFinding, explained_url
from selftest.core.judging.check_table import EXPLAINABLE
from selftest.core.judging.findings import CheckName
from selftest.guarantees import GUARANTEES
from selftest.models import Explanation
from selftest.reading.explained import SourceAlone


@dataclass(frozen=True)
class ExplainedLine:
    """A row of the list. query: of the run that it was found in."""

    found: ExplainedFinding
    query: str
    combination: int

    @classmethod
    def of(cls, row: Explanation, target: str) -> "ExplainedLine":
        """target: its name."""
        return cls(ExplainedFinding.of(row, target), row.run.text, row.combination_id)


@dataclass(frozen=True)
class SourceLine:
    """What a source answers to parts alone. words: how many it has nothing on, phrase by phrase."""

    source: str
    address: str
    is_chosen: bool
    words: str
    empty: int
    asked: int

    @classmethod
    def of(cls, figures: SourceAlone, target: str, chosen: str) -> "SourceLine":
        """chosen: the source that the list is limited to."""
        is_chosen = figures.source == chosen
        return cls(
            source=figures.source,
            address=explained_url(target, "" if is_chosen else figures.source),
            is_chosen=is_chosen,
            words=_words(figures),
            empty=figures.empty,
            asked=figures.asked,
        )


def _words(figures: SourceAlone) -> str:
    if not figures.phrases:
        return f"answers {'all' if figures.asked > 1 else 'the only'} {_of(figures.asked)}"
    replies = [f"“{phrase}” to {count:,}" for phrase, count in figures.phrases.items()]
    together = " and ".join([", ".join(replies[:-1]), replies[-1]] if len(replies) > 1 else replies)
    return f"answers {together} of {figures.asked:,}"


def _of(count: int) -> str:
    return f"{count:,}" if count > 1 else "one"


@dataclass(frozen=True)
class ExplainedPage:
    """`/explained`. targets: () where there is one. lately: of how many askings of each source the sums are.

    older: the address of those before these. is_off: nothing is explained just now.
    """

    target: str
    targets: tuple[PageLink, ...]
    is_off: bool
    sums: tuple[SourceLine, ...]
    lately: int
    sources: tuple[SelectOption, ...]
    checks: tuple[SelectOption, ...]
    found: tuple[ExplainedLine, ...]
    is_filtered: bool
    all_address: str
    older: str

    @classmethod
    def of_nobody(cls, is_off: bool) -> "ExplainedPage":
        """Where there is no target yet."""
        return cls("", (), is_off, (), 0, (), (), (), is_filtered=False, all_address="", older="")

    @staticmethod
    def sources_of(sources: Sequence[str], chosen: str) -> tuple[SelectOption, ...]:
        """What was chosen stays to be seen, also where the vocabulary does not hold it any more."""
        names = [*sources, *({chosen} - {"", *sources})]
        return tuple(SelectOption(name, name, name == chosen) for name in names)

    @staticmethod
    def checks_of(chosen: CheckName | None) -> tuple[SelectOption, ...]:
        """The checks whose findings can have an innocent cause, and the chosen one."""
        checks = [check for check in CheckName if check in EXPLAINABLE or check == chosen]
        return tuple(SelectOption(check, GUARANTEES[check].name, check == chosen) for check in checks)
