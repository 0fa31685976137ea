"""`/combinations`: every combination, and what is looked for among them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from review.contexts.choices import SelectOption
from review.contexts.findings import GUARANTEE_OF
from review.contexts.shapes import CLEAN, CLEAN_UNCHECKED, KEPT, WAITING, is_last_run_unchecked
from selftest.models import Combination
from selftest.reading.combination_search import SearchState

FLAGGED_NOW, WAS_FLAGGED = "flagged", "was_flagged"
STATES = {
    SearchState.QUEUE: "Waits for review",
    SearchState.FLAGGED_NOW: "Flagged now",
    SearchState.EVER_FLAGGED: "Ever flagged",
    SearchState.DISMISSED: "Dismissed",
    SearchState.NEVER_FLAGGED: "Never flagged",
    SearchState.NOT_ASKED: "Not asked yet",
}


@dataclass(frozen=True)
class CombinationLine:
    """A combination in the list. check: in words, what its last flagged run did not keep."""

    pk: int
    shape: str
    state: str
    is_open: bool
    check: str
    query: str
    recipe: str
    target: str
    source: str
    latency_ms: float | None
    times: int
    times_flagged: int
    first_seen: datetime
    last_run: datetime | None

    @classmethod
    def of(cls, combination: Combination, target_names: Mapping[int, str]) -> "CombinationLine":
        """target_names: by key."""
        shape, state = _state(combination)
        guarantee = GUARANTEE_OF.get(combination.flagged_check)
        is_dismissed = combination.review_status == Combination.ReviewStatus.DISMISSED
        return cls(
            pk=combination.pk,
            shape=shape,
            state=state,
            is_open=combination.ever_flagged and not is_dismissed,
            check=guarantee.name if guarantee else "",
            query=combination.last_query_text,
            recipe=combination.recipe_name,
            target=target_names.get(combination.target_id, ""),
            source=combination.last_source_used or "",
            latency_ms=combination.last_latency_ms,
            times=combination.times_generated,
            times_flagged=combination.times_flagged,
            first_seen=combination.first_seen_timestamp,
            last_run=combination.last_run_timestamp,
        )


def _state(combination: Combination) -> tuple[str, str]:
    if combination.review_status == Combination.ReviewStatus.DISMISSED:
        return KEPT, "Dismissed"
    if combination.currently_flagged:
        return FLAGGED_NOW, "Flagged now"
    if combination.ever_flagged:
        return WAS_FLAGGED, "Was flagged"
    if not combination.times_generated:
        return WAITING, "Not asked yet"
    return CLEAN_UNCHECKED if is_last_run_unchecked(combination) else CLEAN


@dataclass(frozen=True)
class CombinationsPage:
    """`/combinations`. filters: what narrows the list, in words; none: nothing does.

    older, newest: the addresses of what comes after these, and of the first page. is_continuation: this is not that.
    searched_to: how far back was looked, where the list ends there. wider, wider_words: the link that finds more.
    nothing: why an exact search found nothing, or that a text has no word. has_any: there is a combination at all.
    names_targets: there is more than one, so each line says whose it is.
    """

    lines: tuple[CombinationLine, ...]
    text: str
    stages: tuple[SelectOption, ...]
    recipes: tuple[SelectOption, ...]
    targets: tuple[SelectOption, ...]
    filters: tuple[str, ...]
    older: str
    newest: str
    searched_to: datetime | None
    wider: str
    wider_words: str
    nothing: str
    has_any: bool
    names_targets: bool
    is_continuation: bool
