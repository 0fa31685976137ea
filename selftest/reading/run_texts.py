"""What runs asked, read along with them."""

from django.db.models import QuerySet

from selftest.models import Combination, Run

# Of its combination all that a run's text is not read from.
NOT_ASKED = tuple(
    f"combination__{column.name}" for column in Combination._meta.concrete_fields if column.name not in ("id", "query")
)


def with_text(runs: QuerySet[Run]) -> QuerySet[Run]:
    """These, each with what its text is read from, and nothing else of its combination."""
    return runs.select_related("combination").defer(*NOT_ASKED)
