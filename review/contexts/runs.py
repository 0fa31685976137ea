"""Runs in tables, a run's page, and raw answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.findings import ExplainedFinding, FindingView, found_by
from review.contexts.scores import RunScores
from review.contexts.shapes import ASKING, CLEAN, CLEAN_UNCHECKED, STOPPED, WAITING
from selftest.models import Explanation, Flag, Run
from selftest.reading.run import AnswerPart, days_kept
from selftest.storage.serialization import evidence_of
from selftest.storage.texts import KEPT_RESULT_BYTES


@dataclass(frozen=True)
class RunLine:
    """A run in a table. shape and words: what came of it; is_flagged: a promise was not kept.

    scores: what graders said, in one line, "" where they are not shown.
    """

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
    scores: str = ""

    @classmethod
    def of(cls, run: Run, scores: str = "") -> "RunLine":
        """As the row has it."""
        shape, words = _outcome(run)
        return cls(
            pk=run.pk,
            place=run.place + 1,
            combination=run.combination_id,
            cycle=run.cycle_id,
            query=run.text,
            recipe=run.recipe_name,
            source=run.source_used,
            latency_ms=run.latency_ms,
            is_cached=run.cached,
            is_flagged=run.reason is not None,
            shape=shape,
            words=words,
            at=run.finished_at or run.asked_at,
            scores=scores,
        )


def _outcome(run: Run) -> tuple[str, str]:
    if run.reason is not None:
        finding = FindingView.of_reason(run.reason)
        return finding.shape, finding.name
    match run.state:
        case Run.State.DONE:
            return CLEAN_UNCHECKED if run.unchecked else CLEAN
        case Run.State.PLANNED:
            return WAITING, "Planned"
        case Run.State.ASKING:
            return ASKING, "Asking"
        case Run.State.SKIPPED:
            return STOPPED, "Skipped"
        case _:
            return STOPPED, "Gadfly failed" if run.own_error else "Interrupted"


LONGEST_CHARACTER_BYTES = 4  # none is cut in two


@dataclass(frozen=True)
class AnswerView:
    """The raw answer of a run, in its sections. kept_bytes: of its text. length_bytes: of all that came.
    days_kept: after so many it was deleted; None where it was not.

    name: what the ids of its places begin with. is_…_marked: a finding points there.
    """

    run: int
    parts: tuple[AnswerPart, ...]
    error: str
    own_error: str
    kept_bytes: int
    length_bytes: int
    days_kept: int | None
    is_answered: bool
    source: str
    latency_ms: float | None
    http_status: int | None
    is_cached: bool
    sha256: str
    is_source_marked: bool
    is_latency_marked: bool

    @property
    def name(self) -> str:
        """What the ids of its places begin with."""
        return f"answer-{self.run}"

    @property
    def is_less(self) -> bool:
        """Whether more came than is kept."""
        return self.kept_bytes < self.length_bytes

    @property
    def is_whole_text(self) -> bool:
        """Whether the text was all kept, and the rest that came is the response around it."""
        is_cut = bool(self.error) or self.kept_bytes > KEPT_RESULT_BYTES - LONGEST_CHARACTER_BYTES
        return self.http_status is not None and not is_cut

    @property
    def has_sections(self) -> bool:
        """Whether any part of it has a header."""
        return any(part.source is not None for part in self.parts)

    @classmethod
    def of(cls, run: Run, parts: Sequence[AnswerPart], flags: Sequence[Flag] = ()) -> "AnswerView":
        """flags: those of this run that are to be marked, as in `parts`."""
        kept_bytes = len(run.result.encode())
        places = [flag.evidence["where"] for flag in flags]
        return cls(
            run=run.pk,
            parts=tuple(parts),
            error=run.error,
            own_error=run.own_error,
            kept_bytes=kept_bytes,
            length_bytes=run.result_length_bytes if run.result_length_bytes is not None else kept_bytes,
            days_kept=days_kept(run),
            is_answered=run.state == Run.State.DONE,
            source=run.source_used,
            latency_ms=run.latency_ms,
            http_status=run.http_status,
            is_cached=run.cached,
            sha256=run.result_sha256,
            is_source_marked=any("source_used" in place for place in places),
            is_latency_marked="latency_ms" in places,
        )

    def place_of(self, flag: Flag) -> str:
        """The id of what the evidence of `flag` points at; of the answer as a whole where nothing in it is marked."""
        where = flag.evidence["where"]
        if "source_used" in where:
            return f"{self.name}-source"
        if where == "latency_ms":
            return f"{self.name}-latency"
        if where == "error" and self.error:
            return f"{self.name}-error"
        line = evidence_of(flag.evidence).line
        marked = [piece for part in self.parts for piece in part.pieces if piece.is_marked]
        for piece in marked:
            if line == piece.line or (where == "headers" and piece.is_header):
                return f"{self.name}-line-{piece.line}"
        return self.name


@dataclass(frozen=True)
class FindingLink:
    """A finding of a run, and where in its answer to look."""

    finding: FindingView
    href: str


@dataclass(frozen=True)
class RunPage:
    """`/runs/<id>`. before, after: the runs of the same combination beside it."""

    line: RunLine
    state: str
    target: str
    asked_at: datetime | None
    broken: tuple[FindingLink, ...]
    explained: tuple[ExplainedFinding, ...]
    answer: AnswerView
    before: int | None
    after: int | None
    scores: RunScores

    @classmethod
    def of(
        cls,
        run: Run,
        flags: Sequence[Flag],
        explanations: Sequence[Explanation],
        parts: Sequence[AnswerPart],
        beside: tuple[int | None, int | None],
        scores: RunScores,
    ) -> "RunPage":
        """beside: the runs before and after it."""
        answer = AnswerView.of(run, parts, flags)
        broken = [FindingLink(FindingView.of_flag(flag), f"#{answer.place_of(flag)}") for flag in flags]
        if not broken:  # a run that only its reason tells of
            broken = [FindingLink(finding, f"#{answer.name}") for finding in found_by((), run.reason)]
        return cls(
            line=RunLine.of(run),
            state=run.get_state_display(),
            target=run.target.name,
            asked_at=run.asked_at,
            broken=tuple(broken),
            explained=tuple(ExplainedFinding.of(row, run.target.name) for row in explanations),
            answer=answer,
            before=beside[0],
            after=beside[1],
            scores=scores,
        )
