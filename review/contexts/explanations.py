"""A finding with an innocent cause, wherever one is told of."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.http import urlencode

from review.contexts.findings import Finding
from selftest.models import Explanation


@dataclass(frozen=True)
class ExplainedFinding:
    """A finding with an innocent cause. of_source: where all of its source's stand."""

    pk: int
    finding: Finding
    cause: str
    source: str
    of_source: str
    run: int
    at: datetime

    @classmethod
    def of(cls, row: Explanation, target: str) -> "ExplainedFinding":
        """target: its name."""
        return cls(
            pk=row.pk,
            finding=Finding.of_evidence(row),
            cause=row.get_cause_display(),
            source=row.source,
            of_source=address_of(target, row.source),
            run=row.run_id,
            at=row.created_at,
        )


def address_of(target: str, source: str = "", **more: str | int) -> str:
    """The page, held to a target and a source."""
    held_to = {"target": target, "source": source, **more}
    return f"{reverse('explained')}?{urlencode({name: value for name, value in held_to.items() if value})}"
