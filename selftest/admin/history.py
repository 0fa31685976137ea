"""The history of a settings row or a target: who changed what and when. Read only."""

from typing import Any, NoReturn

from django.http import Http404, HttpRequest
from simple_history.admin import SimpleHistoryAdmin
from simple_history.template_utils import HistoricalRecordContextHelper

from selftest.admin.pages import OwnAdmin


class _Changes(HistoricalRecordContextHelper):  # type: ignore[misc]  # the library is untyped
    """Shows a list as its members, not as code."""

    def prepare_delta_change_value(self, change: Any, value: Any) -> Any:
        shown = super().prepare_delta_change_value(change, value)
        return ", ".join(map(str, shown)) if isinstance(shown, list) else shown


class HistoryAdmin(SimpleHistoryAdmin, OwnAdmin):  # type: ignore[misc]  # the library is untyped
    """Shows each change with its old and new values. Nothing is restored from there: changes are made on the form."""

    object_history_template = "admin/selftest/history.html"
    object_history_list_template = "admin/selftest/history_list.html"

    def revert_disabled(self, request: HttpRequest, obj: Any = None) -> bool:
        """Always: the form is the one place for changes."""
        return True

    def get_historical_record_context_helper(self, request: HttpRequest, historical_record: Any) -> _Changes:
        """The library's hook for how values are shown."""
        return _Changes(self.model, historical_record)

    def history_form_view(
        self, request: HttpRequest, object_id: str, version_id: str, extra_context: Any = None
    ) -> NoReturn:
        """No page for a single version: the list shows all values."""
        raise Http404("earlier values are in the list of changes")

    def history_view_title(self, request: HttpRequest, obj: Any) -> str:
        """The heading of the list."""
        return f"Changes of {obj}"
