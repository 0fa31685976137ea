"""Which vocabularies grow by a model's proposals, and the suggestions, read only."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from selftest.admin.history import HistoryAdmin
from selftest.admin.pages import AnyForm
from selftest.admin.readonly import ReadOnlyAdmin
from selftest.evaluation.models import Suggestion, VocabularyGrowth
from selftest.evaluation.schedule import follow_growth


class VocabularyGrowthForm(AnyForm):
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
        assume_scheme="https",
        help_text="Of an OpenAI-compatible endpoint: https://host/v1. It is sent the vocabulary.",
    )

    class Meta:
        model = VocabularyGrowth
        exclude = ("model_key",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        is_set = "One is set. It is never shown; leave this empty to keep it."
        self.fields["new_model_key"].help_text = is_set if self.instance.model_key else "None is set. It is encrypted."

    def clean(self) -> dict[str, Any]:
        """Puts the new key on the row, or takes the old one off."""
        cleaned = super().clean() or self.cleaned_data
        if new := cleaned.get("new_model_key"):
            self.instance.model_key = new.strip()
        elif cleaned.get("clear_model_key"):
            self.instance.model_key = ""
        return cleaned


@admin.register(VocabularyGrowth)
class VocabularyGrowthAdmin(HistoryAdmin):
    """One row for each target whose vocabulary may grow by itself."""

    form = VocabularyGrowthForm
    list_display = ("target", "is_on", "model_name")
    list_select_related = ("target",)
    fields = (
        "target",
        "is_on",
        "model_url",
        "model_name",
        "new_model_key",
        "clear_model_key",
        "model_timeout_s",
        "model_characters",
    )

    def save_model(self, request: HttpRequest, obj: VocabularyGrowth, form: AnyForm, change: bool) -> None:
        """The schedule follows."""
        super().save_model(request, obj, form, change)
        follow_growth()

    def delete_model(self, request: HttpRequest, obj: VocabularyGrowth) -> None:
        """The schedule follows."""
        super().delete_model(request, obj)
        follow_growth()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[VocabularyGrowth]) -> None:
        """The schedule follows."""
        super().delete_queryset(request, queryset)
        follow_growth()


@admin.register(Suggestion)
class SuggestionAdmin(ReadOnlyAdmin):
    """Decided about on the page of their target."""

    list_display = ("id", "target", "kind", "text", "origin", "state", "created_at")
    list_filter = ("state", "kind", "origin", "target")
    list_select_related = ("target",)
    search_fields = ("=id", "text")
    search_help_text = "A suggestion's number, or words of it"
