"""Evaluation as a Django application."""

from collections.abc import Sequence
from datetime import datetime

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "selftest.evaluation"
    label = "evaluation"
    verbose_name = "Evaluation"

    def ready(self) -> None:
        """What quotes an answer goes with it."""
        from selftest.operating import retention  # once all applications are loaded

        retention.answers_deleted.connect(_forget_quotes, dispatch_uid="evaluation")
        retention.other_answers_outdated.connect(_forget_answers, dispatch_uid="evaluation")


def _forget_quotes(runs: Sequence[int], **_: object) -> None:
    """Scores stay, as values over time say something without the answers."""
    from selftest.evaluation.models import GraderScore

    GraderScore.objects.filter(run__in=runs).exclude(details=[]).update(details=[])


def _forget_answers(kept_since: datetime, now: datetime, **_: object) -> int:
    """Of reports: outcomes and scores stay."""
    from selftest.evaluation.report_retention import forget_answers

    return forget_answers(kept_since, now)
