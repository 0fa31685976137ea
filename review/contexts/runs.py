"""Runs in tables, a run's page, and raw answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.findings import Finding, found_by
from review.contexts.shapes import ASKING, KEPT, STOPPED, WAITING
from selftest.models import Flag, Run
from selftest.selectors import AnswerPart


@dataclass(frozen=True)
class RunLine:
    """A run in a table. shape and words: what came of it; is_flagged: a promise was not kept."""

    pk: int
    place: int
    combination: int
    cycle: int
    query: str
    recipe: str
    source: str
    latency_ms: float | None
    is_cached: bool
    is_flagged: bool
    shape: str
    words: str
    at: datetime | None

    @classmethod
    def of(cls, run: Run) -> "RunLine":
        shape, words = _outcome(run)
        return cls(
            pk=run.pk,
            place=run.place + 1,
            combination=run.combination_id,
            cycle=run.cycle_id,
            query=run.query_text,
            recipe=run.recipe_name,
            source=run.source_used,
            latency_ms=run.latency_ms,
            is_cached=run.cached,
            is_flagged=run.reason is not None,
            shape=shape,
            words=words,
            at=run.finished_at or run.asked_at,
        )


def _outcome(run: Run) -> tuple[str, str]:
    if run.reason is not None:
        finding = Finding.of_reason(run.reason)
        return finding.shape, finding.name
    match run.state:
        case Run.State.DONE:
            return KEPT, "Clean"
        case Run.State.PLANNED:
            return WAITING, "Planned"
        case Run.State.ASKING:
            return ASKING, "Asking"
        case Run.State.SKIPPED:
            return STOPPED, "Skipped"
        case _:
            return STOPPED, "Gadfly failed" if run.own_error else "Interrupted"


@dataclass(frozen=True)
class AnswerView:
    """The raw answer of a run. parts: headers told apart. kept_bytes is less than length_bytes where it was cut."""

    run: int
    parts: tuple[AnswerPart, ...]
    error: str
    own_error: str
    kept_bytes: int
    length_bytes: int
    is_answered: bool

    @property
    def is_cut(self) -> bool:
        return self.kept_bytes < self.length_bytes

    @classmethod
    def of(cls, run: Run, parts: Sequence[AnswerPart]) -> "AnswerView":
        kept_bytes = len(run.result.encode())
        return cls(
            run=run.pk,
            parts=tuple(parts),
            error=run.error,
            own_error=run.own_error,
            kept_bytes=kept_bytes,
            length_bytes=run.result_length_bytes if run.result_length_bytes is not None else kept_bytes,
            is_answered=run.state == Run.State.DONE,
        )


@dataclass(frozen=True)
class RunPage:
    """`/runs/<id>`."""

    line: RunLine
    state: str
    target: str
    http_status: int | None
    asked_at: datetime | None
    sha256: str
    findings: tuple[Finding, ...]
    answer: AnswerView

    @classmethod
    def of(cls, run: Run, flags: Sequence[Flag], parts: Sequence[AnswerPart]) -> "RunPage":
        return cls(
            line=RunLine.of(run),
            state=run.get_state_display(),
            target=run.target.name,
            http_status=run.http_status,
            asked_at=run.asked_at,
            sha256=run.result_sha256,
            findings=found_by(flags, run.reason),
            answer=AnswerView.of(run, parts),
        )
