"""What runs asked, read along with them."""

from django.db.models import QuerySet

from selftest.models import Combination, Run

# Columns that a run's text is not read from.
UNREAD_OF_COMBINATION = tuple(
    f"combination__{column.name}" for column in Combination._meta.concrete_fields if column.name not in ("id", "query")
)


def with_text(runs: QuerySet[Run]) -> QuerySet[Run]:
    """These, each with what its text is read from, and nothing else of its combination."""
    return runs.select_related("combination").defer(*UNREAD_OF_COMBINATION)
