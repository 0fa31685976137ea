"""The settings of findings, and findings, acts, proposals and examples, read only."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from solo.admin import SingletonModelAdmin

from selftest.admin.history import HistoryAdmin
from selftest.admin.pages import AnyForm
from selftest.admin.readonly import ReadOnlyAdmin
from selftest.admin.shown import cell, cut
from selftest.findings.models import Act, Example, ExampleCheck, Finding, FindingSettings, Proposal
from selftest.findings.schedule import put_in_force
from selftest.models import Actor

CONTENT = cell("content", "finding", lambda row: cut(row.content))


class FindingSettingsForm(AnyForm):
    """The model's key goes in but never out."""

    new_model_key = forms.CharField(
        label="Model's API key",
        required=False,
        max_length=500,
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password", "class": "vTextField"}),
    )
    model_url = forms.URLField(
        label="Model's base URL",
        required=False,
        assume_scheme="https",
        help_text="Of an OpenAI-compatible endpoint: https://host/v1. Empty: no language model is asked.",
    )
    clear_model_key = forms.BooleanField(label="Delete the key", required=False)

    class Meta:
        model = FindingSettings
        exclude = ("model_key",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        is_set = "One is set. It is never shown; leave this empty to keep it."
        self.fields["new_model_key"].help_text = is_set if self.instance.model_key else "None is set. It is encrypted."

    def clean(self) -> dict[str, Any]:
        """Puts the new key on the row, or takes the old one off."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("model_url") and not cleaned.get("model_name"):
            self.add_error("model_name", "Name the model that the endpoint is asked for.")
        if new := cleaned.get("new_model_key"):
            self.instance.model_key = new.strip()
        elif cleaned.get("clear_model_key"):
            self.instance.model_key = ""
        return cleaned


@admin.register(FindingSettings)
class FindingSettingsAdmin(SingletonModelAdmin, HistoryAdmin):  # type: ignore[misc]  # the library is untyped
    """The one row of settings."""

    form = FindingSettingsForm
    change_form_template = "admin/solo/change_form.html"
    fieldsets = (
        (None, {"fields": ("profile", "sweeps", "example_requests")}),
        (
            "Language model",
            {
                "fields": (
                    "model_url",
                    "model_name",
                    "new_model_key",
                    "clear_model_key",
                    "model_timeout_s",
                    "model_characters",
                ),
                "description": "Asked by the sweep alone. It is sent claims and feedback; what it says is proposed.",
            },
        ),
    )

    def save_model(self, request: HttpRequest, obj: FindingSettings, form: AnyForm, change: bool) -> None:
        """Puts the settings in force, with who changed them."""
        if form.has_changed():
            put_in_force(obj, Actor.person(request.user))

    def response_change(self, request: HttpRequest, obj: FindingSettings) -> HttpResponse:
        """Back to the form, with what is in force."""
        sweeps = "swept once a day" if obj.sweeps else "not swept"
        checks = "are checked once a day" if obj.example_requests else "are not checked"
        said = f"Saved. Findings are compared by {obj.profile} and {sweeps}; the examples of claims {checks}."
        self.message_user(request, said)
        return HttpResponseRedirect(request.path)


@admin.register(Finding)
class FindingAdmin(ReadOnlyAdmin):
    """Findings, the superseded ones too."""

    list_display = ("id", CONTENT, "category", "is_correction", "superseded_by_id", "actor", "created_at")
    list_filter = ("is_correction", "target")
    search_fields = ("=id", "content", "category")
    search_help_text = "A finding's number, or words of it or of its category"


@admin.register(Act)
class ActAdmin(ReadOnlyAdmin):
    """What became of findings."""

    list_display = ("id", "kind", "number", "other_number", "profile", "actor", "at")
    list_filter = ("kind",)
    search_fields = ("=number", "=other_number")
    search_help_text = "A finding's number"


@admin.register(Proposal)
class ProposalAdmin(ReadOnlyAdmin):
    """What was proposed, and what became of it."""

    list_display = ("id", "loser_id", "winner_id", "content", "origin", "state", "actor", "created_at")
    list_filter = ("state", "origin")
    search_fields = ("=loser__id", "=winner__id")
    search_help_text = "A finding's number"


@admin.register(Example)
class ExampleAdmin(ReadOnlyAdmin):
    """What claims are checked by, and what came of it last."""

    list_display = (
        "id",
        "finding_id",
        "target",
        "query_text",
        "expect",
        "named",
        "outcome",
        "times_checked",
        "checked_at",
    )
    list_filter = ("outcome", "target")
    search_fields = ("=finding__id", "query_text")
    search_help_text = "A finding's number, or words of the query"


@admin.register(ExampleCheck)
class ExampleCheckAdmin(ReadOnlyAdmin):
    """Each time that an example was asked."""

    list_display = ("id", "example_id", "outcome", "held", "tries", "version", "note", "at")
    list_filter = ("outcome",)
    search_fields = ("=example__finding__id",)
    search_help_text = "A finding's number"
