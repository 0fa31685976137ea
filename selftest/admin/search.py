"""The settings of search; ratings and alerts about its quality, read only."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from solo.admin import SingletonModelAdmin

from selftest.admin.history import HistoryAdmin
from selftest.admin.pages import AnyForm
from selftest.admin.readonly import ReadOnlyAdmin
from selftest.knowledge.models import Feedback, QualityAlert, SearchSettings
from selftest.knowledge.schedule import put_in_force
from selftest.models import Actor


@admin.register(SearchSettings)
class SearchSettingsAdmin(SingletonModelAdmin, HistoryAdmin):  # type: ignore[misc]  # the library is untyped
    """The one row of settings."""

    change_form_template = "admin/solo/change_form.html"
    fieldsets = (
        ("Finding", {"fields": ("fuzzy", "fuzzy_similarity", "encoder", "onnx_folder")}),
        ("Order", {"fields": ("popularity_boost", "popularity_weight", "role_bias", "freshness_boost")}),
        ("Composed answers", {"fields": ("compose_answers", "rephrase", "rephrase_timeout_ms")}),
        ("Documentation of targets", {"fields": ("documentation_hosts",)}),
        ("Quality", {"fields": ("monitor", "monitor_zero_share")}),
    )

    def save_model(self, request: HttpRequest, obj: SearchSettings, form: AnyForm, change: bool) -> None:
        """Puts the settings in force, with who changed them."""
        if form.has_changed():
            put_in_force(obj, Actor.person(request.user))

    def response_change(self, request: HttpRequest, obj: SearchSettings) -> HttpResponse:
        """Back to the form, with what is in force."""
        watched = "watched once a day" if obj.monitor else "not watched"
        self.message_user(request, f"Saved. The quality of searches is {watched}.")
        return HttpResponseRedirect(request.path)


@admin.register(Feedback)
class FeedbackAdmin(ReadOnlyAdmin):
    """What readers thought of results, with their comments."""

    list_display = ("id", "rating", "chunk_kind", "chunk_key", "actor", "comment", "at")
    list_filter = ("rating", "chunk_kind")
    search_fields = ("=id", "=chunk_key", "actor", "comment")
    search_help_text = "The number of a rating, the id of a result, or words of a name or a comment"


@admin.register(QualityAlert)
class QualityAlertAdmin(ReadOnlyAdmin):
    """What the monitor found wrong, also what no longer is."""

    list_display = ("id", "kind", "about", "opened_at", "closed_at")
    list_filter = ("kind",)
    search_fields = ("=id", "=about")
    search_help_text = "The number of an alert, the id of a result, or the SHA-256 of a query"
