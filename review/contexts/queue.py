"""`/`: its rows, and a row after somebody acted on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.findings import Finding, found_by
from review.contexts.standing import Standing
from selftest.models import Combination, Flag, ReviewEvent


@dataclass(frozen=True)
class Row:
    """A combination in the queue. finding: of its last flagged run; others: what else that run did not keep.

    seen_run: what a dismissal acts on. back: where a form without JavaScript comes back to.
    """

    pk: int
    query: str
    recipe: str
    target: str
    is_flagged_now: bool
    is_dismissed: bool
    finding: Finding
    others: tuple[str, ...]
    source: str
    latency_ms: float | None
    times: int
    first_flagged: datetime | None
    last_run: datetime | None
    seen_run: int | None
    flagged_run: int | None
    excerpt: str
    back: str

    @classmethod
    def of(cls, combination: Combination, flags: Sequence[Flag], back: str) -> "Row":
        finding, *others = found_by(flags, combination.last_flagged_reason or combination.first_flagged_reason)
        return cls(
            pk=combination.pk,
            query=combination.last_query_text,
            recipe=combination.recipe_name,
            target=combination.target.name,
            is_flagged_now=combination.currently_flagged,
            is_dismissed=combination.review_status == Combination.ReviewStatus.DISMISSED,
            finding=finding,
            others=tuple(other.name for other in others),
            source=combination.last_source_used or "",
            latency_ms=combination.last_latency_ms,
            times=combination.times_generated,
            first_flagged=combination.first_flagged_timestamp,
            last_run=combination.last_run_timestamp,
            seen_run=combination.last_run_id,
            flagged_run=combination.last_flagged_run_id,
            excerpt=combination.last_flagged_result_excerpt or "",
            back=back,
        )


@dataclass(frozen=True)
class Dismissal:
    """One that may still be undone. by: who dismissed it, as they were called then."""

    pk: int
    query: str
    by: str
    at: datetime

    @classmethod
    def of(cls, event: ReviewEvent) -> "Dismissal":
        return cls(event.combination_id, event.combination.last_query_text, event.actor, event.at)


@dataclass(frozen=True)
class QueuePage:
    """`/`. older: the address of what comes after these rows. dismissed: the row that a form just took off.

    names_targets: there is more than one, so each row says whose it is. lately: the newest dismissals that stand.
    """

    count: int
    rows: tuple[Row, ...]
    older: str
    is_continuation: bool
    standing: Standing
    names_targets: bool
    was_ever_flagged: bool
    dismissed: Row | None = None
    lately: tuple[Dismissal, ...] = ()


@dataclass(frozen=True)
class RowAfter:
    """A row after somebody acted on it. count: of the queue now. trouble: why nothing was done, "" if it was."""

    row: Row
    count: int
    names_targets: bool
    trouble: str = ""
