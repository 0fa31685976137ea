"""Read-only rows: no adding, changing or deleting, and lists that stay fast over millions of rows."""

from typing import Any

from django.contrib.admin import ShowFacets
from django.http import HttpRequest

from selftest.admin.pages import OwnAdmin
from selftest.admin.pagination import NewestRows


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
