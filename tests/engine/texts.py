"""What runs asked."""

from django.db.models import QuerySet

from selftest.models import Run


def texts_of(runs: QuerySet[Run]) -> list[str]:
    """Of each its text, in the order of their cycle."""
    return [run.text for run in runs.select_related("combination").order_by("place")]
