"""Read-only rows: no adding, changing or deleting, and lists that stay fast over millions of rows."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.contrib.admin import ShowFacets
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

from selftest.admin.pages import OwnAdmin

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


class ReadOnlyAdmin(OwnAdmin):
    """Newest first and in no other order: sorting by a column without an index would read the whole table."""

    ordering = ("-id",)
    sortable_by = ()
    paginator = NewestRows
    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    change_list_template = "admin/selftest/records_list.html"
    change_form_template = "admin/selftest/record.html"
    view_on_site = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False
