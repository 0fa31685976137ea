"""Which answers of reports have been kept for long enough, and their deletion. What came of each pair stays."""

from datetime import datetime
from typing import Any

from selftest.evaluation.models import PairResult

BATCH_RESULTS = 200  # some hundred kilobytes each at most: read and written within a second


def forget_answers(kept_since: datetime, now: datetime) -> int:
    """Deletes a batch of answers of reports that ended before `kept_since`, and what graders quoted of them."""
    old = PairResult.objects.filter(answer_deleted_at=None, report__finished_at__lt=kept_since).exclude(result="")
    found = list(old.order_by("pk").only("pk", "scores")[:BATCH_RESULTS])
    for result in found:
        result.result, result.answer_deleted_at = "", now
        result.scores = [_without_quotes(score) for score in result.scores]
    PairResult.objects.bulk_update(found, ["result", "answer_deleted_at", "scores"])
    return len(found)


def _without_quotes(score: dict[str, Any]) -> dict[str, Any]:
    return {**score, "details": []}
