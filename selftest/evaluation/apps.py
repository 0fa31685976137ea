"""Evaluation as a Django application."""

from collections.abc import Sequence

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "selftest.evaluation"
    label = "evaluation"
    verbose_name = "Evaluation"

    def ready(self) -> None:
        """What quotes an answer goes with it."""
        from selftest.operating.retention import answers_deleted  # once all applications are loaded

        answers_deleted.connect(_forget_quotes, dispatch_uid="evaluation")


def _forget_quotes(runs: Sequence[int], **_: object) -> None:
    """Scores stay, as values over time say something without the answers."""
    from selftest.evaluation.models import GraderScore

    GraderScore.objects.filter(run__in=runs).exclude(details=[]).update(details=[])
