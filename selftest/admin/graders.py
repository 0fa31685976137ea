"""What people set of graders: thresholds, the terms of a target, and the models that some graders ask."""

from pathlib import Path
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from solo.admin import SingletonModelAdmin

from selftest.admin.history import HistoryAdmin
from selftest.admin.pages import AnyForm
from selftest.evaluation.graders_in_force import NAMES
from selftest.evaluation.models import GraderSettings, TargetTerm, Threshold
from selftest.evaluation.onnx_model import ModelFolderError, model_in


class ThresholdForm(AnyForm):
    """A reason belongs to each change, so it is asked for again."""

    grader = forms.ChoiceField(choices=[(name, name) for name in NAMES])

    class Meta:
        model = Threshold
        fields = ("grader", "value", "why")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["why"] = ""
        if self.instance.why:
            self.fields["why"].help_text = f"Why this value. So far: {self.instance.why}"


@admin.register(Threshold)
class ThresholdAdmin(HistoryAdmin):
    """One row for each grader that has a threshold; the history says who set which, when and why."""

    form = ThresholdForm
    list_display = ("grader", "value", "why")


@admin.register(TargetTerm)
class TargetTermAdmin(HistoryAdmin):
    """The dictionaries of all targets."""

    list_display = ("name", "target", "shown_rivals")
    list_filter = ("target",)
    search_fields = ("name", "rivals")
    list_select_related = ("target",)
    fields = ("target", "name", "rivals")

    @admin.display(description="rivals")
    def shown_rivals(self, term: TargetTerm) -> str:
        """On one line."""
        return ", ".join(term.rivals.splitlines())


class GraderSettingsForm(AnyForm):
    """The judge's key goes in but never out."""

    new_judge_key = forms.CharField(
        label="Judge's API key",
        required=False,
        max_length=500,
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password", "class": "vTextField"}),
    )
    clear_judge_key = forms.BooleanField(label="Delete the key", required=False)
    judge_url = forms.URLField(
        label="Judge's base URL",
        required=False,
        assume_scheme="https",
        help_text="Of an OpenAI-compatible endpoint: https://host/v1.",
    )

    class Meta:
        model = GraderSettings
        exclude = ("judge_key",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        is_set = "One is set. It is never shown; leave this empty to keep it."
        self.fields["new_judge_key"].help_text = is_set if self.instance.judge_key else "None is set. It is encrypted."

    def clean_nli_folder(self) -> str:
        """Loads the model once: a folder that holds none is refused here, not at night."""
        folder = str(self.cleaned_data["nli_folder"]).strip()
        if folder:
            try:
                model_in(Path(folder))
            except ModelFolderError as fault:
                raise forms.ValidationError(str(fault)) from fault
        return folder

    def clean(self) -> dict[str, Any]:
        """Puts the new key on the row, or takes the old one off. A judge that is on has an endpoint and a model."""
        cleaned = super().clean() or self.cleaned_data
        for name in ("judge_url", "judge_model"):
            if cleaned.get("judge_is_on") and not cleaned.get(name) and name not in self.errors:
                self.add_error(name, "A judge that is switched on needs this.")
        if new := cleaned.get("new_judge_key"):
            self.instance.judge_key = new.strip()
        elif cleaned.get("clear_judge_key"):
            self.instance.judge_key = ""
        return cleaned


@admin.register(GraderSettings)
class GraderSettingsAdmin(SingletonModelAdmin, HistoryAdmin):  # type: ignore[misc]  # the library is untyped
    """The one row of settings."""

    form = GraderSettingsForm
    change_form_template = "admin/solo/change_form.html"
    fieldsets = (
        (
            "Entailment",
            {"fields": ("nli_folder",), "description": "A model on the server that compares single sentences."},
        ),
        (
            "Judge",
            {
                "fields": (
                    "judge_is_on",
                    "judge_url",
                    "judge_model",
                    "new_judge_key",
                    "clear_judge_key",
                    "judge_rubric",
                    "judge_timeout_s",
                    "judge_characters",
                ),
                "description": "A language model that is sent queries, answers and what the sources brought. "
                "What it says is advice.",
            },
        ),
    )

    def response_change(self, request: HttpRequest, obj: GraderSettings) -> HttpResponse:
        """Back to the form, with what is in force."""
        judge = f"{obj.judge_model} judges" if obj.judge_is_on else "no language model judges"
        self.message_user(request, f"Saved: {judge}.")
        return HttpResponseRedirect(request.path)
