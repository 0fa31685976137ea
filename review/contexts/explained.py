"""`/explained`."""

from collections.abc import Sequence
from dataclasses import dataclass

from review.contexts.cycles import Option
from review.contexts.explanations import ExplainedFinding, address_of
from review.contexts.recipes import Choice
from selftest.core.checks import CheckName
from selftest.core.examination import EXPLAINABLE
from selftest.guarantees import GUARANTEES
from selftest.models import Explanation
from selftest.selectors import SourceAlone

# Of which checks a finding can have an innocent cause: where something seems to be missing or empty.
EXPLAINED_CHECKS = tuple(
    check for check in CheckName if check in {*EXPLAINABLE, CheckName.UNEXPECTED_EMPTY, CheckName.PART_LOST}
)


@dataclass(frozen=True)
class ExplainedLine:
    """A row of the list. query: of the run that it was found in."""

    found: ExplainedFinding
    query: str
    combination: int

    @classmethod
    def of(cls, row: Explanation, target: str) -> "ExplainedLine":
        return cls(ExplainedFinding.of(row, target), row.run.query_text, row.combination_id)


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
        is_chosen = figures.source == chosen
        return cls(
            source=figures.source,
            address=address_of(target, "" if is_chosen else figures.source),
            is_chosen=is_chosen,
            words=_words(figures),
            empty=figures.empty,
            asked=figures.asked,
        )


def _words(figures: SourceAlone) -> str:
    if not figures.phrases:
        return f"answers {'all' if figures.asked > 1 else 'the only'} {_of(figures.asked)}"
    said = [f"“{phrase}” to {count:,}" for phrase, count in figures.phrases.items()]
    together = " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
    return f"answers {together} of {figures.asked:,}"


def _of(count: int) -> str:
    return f"{count:,}" if count > 1 else "one"


@dataclass(frozen=True)
class ExplainedPage:
    """`/explained`. targets: () where there is one. lately: of how many askings of each source the sums are.

    older: the address of those before these. is_off: nothing is explained just now.
    """

    target: str
    targets: tuple[Choice, ...]
    is_off: bool
    sums: tuple[SourceLine, ...]
    lately: int
    sources: tuple[Option, ...]
    checks: tuple[Option, ...]
    found: tuple[ExplainedLine, ...]
    is_filtered: bool
    all_address: str
    older: str

    @classmethod
    def of_nobody(cls, is_off: bool) -> "ExplainedPage":
        """Where there is no target yet."""
        return cls("", (), is_off, (), 0, (), (), (), is_filtered=False, all_address="", older="")

    @staticmethod
    def sources_of(sources: Sequence[str], chosen: str) -> tuple[Option, ...]:
        """What was chosen stays to be seen, also where the vocabulary does not hold it any more."""
        names = [*sources, *({chosen} - {"", *sources})]
        return tuple(Option(name, name, name == chosen) for name in names)

    @staticmethod
    def checks_of(chosen: CheckName | None) -> tuple[Option, ...]:
        checks = [check for check in CheckName if check in EXPLAINED_CHECKS or check == chosen]
        return tuple(Option(check, GUARANTEES[check].name, check == chosen) for check in checks)
