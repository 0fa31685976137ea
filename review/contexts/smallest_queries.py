"""The smallest query that still shows what was flagged, beside the whole one, and the search for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.findings import FindingView
from review.contexts.people import username
from review.contexts.shapes import ASKING, KEPT, STOPPED, WAITING
from selftest.models import Reduction
from selftest.reading.smallest_queries import ANSWER_START_CHARACTERS
from selftest.storage.serialization import query_of

SHAPES = {
    Reduction.State.PLANNED: WAITING,
    Reduction.State.RUNNING: ASKING,
    Reduction.State.FINISHED: KEPT,
    Reduction.State.NOT_SEEN_AGAIN: KEPT,
    Reduction.State.STOPPED: STOPPED,
}
OPEN = (Reduction.State.PLANNED, Reduction.State.RUNNING)
STATES = {Reduction.State.NOT_SEEN_AGAIN: "The finding was not reproduced"}  # in other words than the database
DEAD = "Its worker died; the next one begins again."


@dataclass(frozen=True)
class QueryPiece:
    """Neighbouring parts of the whole query that are all left in the smallest one, or all left out."""

    text: str
    is_left_out: bool

    @classmethod
    def all_of(cls, texts: Sequence[str], kept: Sequence[int]) -> "tuple[QueryPiece, ...]":
        """texts: of every part, in order. kept: the positions of those that are left in."""
        pieces: list[QueryPiece] = []
        for place, text in enumerate(texts):
            is_left_out = place not in kept
            if pieces and pieces[-1].is_left_out is is_left_out:
                pieces[-1] = cls(pieces[-1].text + text, is_left_out)
            else:
                pieces.append(cls(text, is_left_out))
        return tuple(pieces)


@dataclass(frozen=True)
class Earlier:
    """A search before the newest one, in a line. text: the smallest query that it found, "" for none."""

    pk: int
    text: str
    outcome: str
    at: datetime


@dataclass(frozen=True)
class SmallestQuery:
    """The newest search. text: the smallest query that it has, "" for none. pieces: the whole one.

    finding: what it looks for. by: who wanted it, "" for a script. is_cut: `answer` is only the beginning.
    address: where to look again while it runs.
    """

    pk: int
    state: str
    shape: str
    outcome: str
    is_open: bool
    is_waiting: bool
    text: str
    pieces: tuple[QueryPiece, ...]
    is_smaller: bool
    finding: str
    answer: str
    is_cut: bool
    source: str
    by: str
    at: datetime
    run: int
    address: str
    seen: str

    @property
    def has_left_out(self) -> bool:
        """Whether any part could be left out."""
        return any(piece.is_left_out for piece in self.pieces)

    @classmethod
    def of(cls, reduction: Reduction, is_given_up: bool, address: str) -> "SmallestQuery":
        """reduction: with the beginning of its answer as `excerpt`."""
        answer: str = reduction.excerpt  # type: ignore[attr-defined]  # annotated by `newest_reductions`
        parts = [part.text for part in query_of(reduction.run.document).parts]
        state = Reduction.State.PLANNED if is_given_up else Reduction.State(reduction.state)
        return cls(
            pk=reduction.pk,
            state=STATES.get(state, str(state.label)),
            shape=SHAPES[state],
            outcome=DEAD if is_given_up else outcome(reduction),
            is_open=state in OPEN,
            is_waiting=state == Reduction.State.PLANNED,
            text=reduction.smallest_text,
            pieces=QueryPiece.all_of(parts, reduction.kept) if reduction.smallest_text else (),
            is_smaller=reduction.smallest_text not in ("", reduction.run.text),
            finding=FindingView.of_reason(reduction.check_name).name,
            answer=answer,
            is_cut=len(answer) == ANSWER_START_CHARACTERS,
            source=reduction.source_used,
            by=username(reduction.requested_by),
            at=reduction.finished_at or reduction.created_at,
            run=reduction.run_id,
            address=address,
            seen=f"{reduction.state}-{reduction.askings}",
        )


def outcome(reduction: Reduction) -> str:
    """How far it is, or how it ended, in a sentence or two."""
    asked = f"{reduction.askings} request{'s' * (reduction.askings != 1)}"
    note = f"{reduction.note[:1].upper()}{reduction.note[1:]}." if reduction.note else ""
    match reduction.state:
        case Reduction.State.PLANNED:
            return "Waiting for the worker."
        case Reduction.State.RUNNING:
            return f"{asked} so far, {reduction.askings_at_most} at most."
        case Reduction.State.FINISHED if reduction.is_minimal:
            return f"{asked}; nothing more can be removed."
        case Reduction.State.FINISHED:
            return f"{asked}, the limit; more could perhaps be removed."
        case _ if reduction.smallest_text:
            return f"{note} Smallest so far, after {asked}."
        case _:
            return note


@dataclass(frozen=True)
class SmallestQueries:
    """All that a page shows of them. newest: None where there was never any. at_most: askings of a new one."""

    newest: SmallestQuery | None
    earlier: tuple[Earlier, ...]
    at_most: int

    @property
    def can_begin(self) -> bool:
        """Whether a new search may be asked for."""
        return self.newest is None or not self.newest.is_open
