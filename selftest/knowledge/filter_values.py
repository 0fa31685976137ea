"""Which products, versions, services and tags there are: a filter by anything else is refused, and never made wider.

Looked up only where a search finds nothing: whatever is found has them.
"""

from collections.abc import Iterator

from django.db.models import QuerySet

from selftest.core.generation.recipes import RECIPES
from selftest.core.judging.findings import CheckName
from selftest.knowledge.core.answers import Filters
from selftest.knowledge.models import Chunk
from selftest.models import Run

MOST_NAMED = 20  # known values that a refusal names
TAGS_OF_ROWS = frozenset({*RECIPES, *CheckName, *Run.State.values})  # of combinations and runs, which are no pieces
COLUMNS = ("product", "version", "service")


class UnknownFilterValueError(ValueError):
    """No piece has this value. known: the first of those that pieces have."""

    def __init__(self, name: str, value: str, known: list[str]) -> None:
        super().__init__(f"{name}: {value!r} is unknown; known are: {', '.join(known) or 'none yet'}")
        self.name, self.value, self.known = name, value, known


def refuse_unknown(filters: Filters, for_admin: bool) -> None:
    """Raises UnknownFilterValueError, by what this reader may find."""
    there = Chunk.objects.order_by() if for_admin else Chunk.objects.order_by().filter(for_admins=False)
    for name in COLUMNS:
        value = getattr(filters, name)
        if value and not there.filter(**{name: value}).exists():
            known = there.exclude(**{name: ""}).values_list(name, flat=True).distinct().order_by(name)[:MOST_NAMED]
            raise UnknownFilterValueError(name, value, list(known))
    for tag in sorted(filters.tags):
        plain = tag.casefold()
        if plain not in TAGS_OF_ROWS and not there.filter(tag_line__contains=f"\n{plain}\n").exists():
            raise UnknownFilterValueError("tags", tag, sorted(set(_tags(there)))[:MOST_NAMED])


def _tags(there: QuerySet[Chunk]) -> Iterator[str]:
    for line in there.exclude(tag_line="").values_list("tag_line", flat=True).distinct().iterator():
        yield from filter(None, line.split("\n"))
