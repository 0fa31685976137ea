"""The settings of search; ratings and alerts about its quality, read only."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from solo.admin import SingletonModelAdmin

from selftest.admin.history import HistoryAdmin
from selftest.admin.pages import AnyForm
from selftest.admin.readonly import ReadOnlyAdmin
from selftest.knowledge.index import encoding
from selftest.knowledge.models import Feedback, QualityAlert, SearchSettings
from selftest.knowledge.schedule import put_in_force
from selftest.models import Actor


class SearchSettingsForm(AnyForm):
    """The model's key goes in but never out."""

    new_model_key = forms.CharField(
        label="Model's API key",
        required=False,
        max_length=500,
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password", "class": "vTextField"}),
    )
    clear_model_key = forms.BooleanField(label="Delete the key", required=False)
    model_url = forms.URLField(
        label="Model's base URL",
        required=False,
        assume_scheme="https",
        help_text="Of an OpenAI-compatible endpoint: https://host/v1. Empty: no language model is asked.",
    )

    class Meta:
        model = SearchSettings
        exclude = ("model_key",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        is_set = "One is set. It is never shown; leave this empty to keep it."
        self.fields["new_model_key"].help_text = is_set if self.instance.model_key else "None is set. It is encrypted."

    def clean(self) -> dict[str, Any]:
        """Puts the new key on the row, or takes the old one off. What is switched on has what it needs."""
        cleaned = super().clean() or self.cleaned_data
        for name in ("model_url", "model_name"):
            if cleaned.get("rephrase") and not cleaned.get(name) and name not in self.errors:
                self.add_error(name, "A language model that is switched on needs this.")
        is_read = cleaned.get("encoder") == SearchSettings.Encoder.ONNX and "onnx_folder" not in self.errors
        if is_read and (problem := _problem_with(cleaned.get("onnx_folder", ""))):
            self.add_error("onnx_folder", problem)
        if new := cleaned.get("new_model_key"):
            self.instance.model_key = new.strip()
        elif cleaned.get("clear_model_key"):
            self.instance.model_key = ""
        return cleaned


def _problem_with(folder: str) -> str:
    """Why no encoder can be read from a folder, as a sentence."""
    if not folder:
        return "Name the folder that holds the encoder."
    encoding.forget()  # what could not be read may have been mended
    problem = encoding.problem_with(folder)
    return f"{problem[:1].upper()}{problem[1:]}." if problem else ""


@admin.register(SearchSettings)
class SearchSettingsAdmin(SingletonModelAdmin, HistoryAdmin):  # type: ignore[misc]  # the library is untyped
    """The one row of settings."""

    form = SearchSettingsForm
    change_form_template = "admin/solo/change_form.html"
    fieldsets = (
        ("Finding", {"fields": ("fuzzy", "fuzzy_similarity", "encoder", "onnx_folder")}),
        ("Order", {"fields": ("popularity_boost", "popularity_weight", "role_bias", "freshness_boost")}),
        ("Composed answers", {"fields": ("compose_answers",)}),
        (
            "Language model",
            {
                "fields": (
                    "rephrase",
                    "model_url",
                    "model_name",
                    "new_model_key",
                    "clear_model_key",
                    "rephrase_timeout_ms",
                ),
                "description": "It is sent the query and what an answer cites, once a search is whole, and not while "
                "it is typed.",
            },
        ),
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
