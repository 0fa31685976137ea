"""Pages of a list in the admin: the newest rows only, so that a page stays fast over millions of them."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.db.models import QuerySet

if TYPE_CHECKING:
    AnyPaginator = Paginator[Any]
else:
    AnyPaginator = Paginator

REACHABLE_ROWS = 5_000  # counted and paged through; COUNT and OFFSET are slow beyond, and no one pages that far


class NewestRows(AnyPaginator):
    """Pages over the first REACHABLE_ROWS of a list; filters and search lead to the others."""

    @cached_property
    def count(self) -> int:
        """The rows that can be paged through."""
        return min(self._found, REACHABLE_ROWS)

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than that."""
        return self._found > REACHABLE_ROWS

    @cached_property
    def _found(self) -> int:
        rows = self.object_list
        if not isinstance(rows, QuerySet):
            return len(rows)
        return rows.order_by()[: REACHABLE_ROWS + 1].count()
