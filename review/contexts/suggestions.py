"""The suggestions on a target's page, and what was decided about earlier ones."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from review.contexts.shapes import KEPT, STOPPED, WAITING
from selftest.evaluation.models import Suggestion, SuggestionDecision


@dataclass(frozen=True)
class SuggestionLine:
    """A suggestion that waits. tried: how the target took it. is_checked, text: as the form was sent."""

    pk: int
    kind: str
    text: str
    why: str
    origin: str
    shape: str
    tried: str
    latency_ms: float | None
    is_checked: bool

    @classmethod
    def of(cls, row: Suggestion, sent: Mapping[int, str]) -> "SuggestionLine":
        """sent: the texts of those that were selected."""
        shape, tried = _tried(row)
        return cls(
            pk=row.pk,
            kind=row.get_kind_display(),
            text=sent.get(row.pk, row.text),
            why=row.why,
            origin=row.get_origin_display(),
            shape=shape,
            tried=tried,
            latency_ms=row.latency_ms,
            is_checked=row.pk in sent,
        )


def _tried(row: Suggestion) -> tuple[str, str]:
    if not row.query:
        return WAITING, row.error or "Not tried"
    if row.error:
        return STOPPED, row.error
    return KEPT, f"Answered by {row.source_used}" if row.source_used else "Answered"


@dataclass(frozen=True)
class UnfitLine:
    """One that a check left out, and why."""

    kind: str
    text: str
    why: str


@dataclass(frozen=True)
class DecisionLine:
    """What was decided about some suggestions. version: that it made, None for a refusal."""

    what: str
    version: int | None
    note: str
    by: str
    at: datetime

    @classmethod
    def of(cls, row: SuggestionDecision) -> "DecisionLine":
        """In words."""
        return cls(str(row), row.version.number if row.version else None, row.note, row.actor, row.at)


@dataclass(frozen=True)
class SuggestionsView:
    """What waits, what was left out by the last round, and the last decisions. trouble: why nothing was done."""

    waiting: tuple[SuggestionLine, ...]
    unfit: tuple[UnfitLine, ...]
    decisions: tuple[DecisionLine, ...]
    note: str
    trouble: str

    @classmethod
    def of(
        cls,
        waiting: Iterable[Suggestion],
        unfit: Iterable[Suggestion],
        decisions: Iterable[SuggestionDecision],
        sent: Mapping[int, str],
        note: str = "",
        trouble: str = "",
    ) -> "SuggestionsView":
        """sent, note: the form as it was sent, where it was refused."""
        return cls(
            tuple(SuggestionLine.of(row, sent) for row in waiting),
            tuple(UnfitLine(row.get_kind_display(), row.text, row.why) for row in unfit),
            tuple(map(DecisionLine.of, decisions)),
            note,
            trouble,
        )
