"""The form of the settings. Checks are check boxes, in two groups; the row keeps those that are off."""

from typing import Any

from django import forms

from selftest.admin.pages import AnyForm
from selftest.core.judging.findings import SPECIFIED, CheckName
from selftest.guarantees import GUARANTEES
from selftest.models import Tuning

OTHERS = tuple(check for check in CheckName if check not in SPECIFIED)


def _boxes(label: str, checks: tuple[CheckName, ...], help_text: str) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label,
        required=False,
        choices=[(str(check), f"{GUARANTEES[check].name}: {GUARANTEES[check].sentence}") for check in checks],
        widget=forms.CheckboxSelectMultiple(attrs={"class": "check-boxes"}),
        help_text=help_text,
    )


class TuningForm(AnyForm):
    """All settings, with labels that need no manual."""

    specified_checks = _boxes(
        "The specification's", SPECIFIED, "Not ticked: its findings are ignored from the next cycle on."
    )
    other_checks = _boxes(
        "The others", OTHERS, "They need relations and explanations, which can be switched off above."
    )

    class Meta:
        model = Tuning
        fields = "__all__"  # which ones are shown: the fieldsets
        labels = {
            "interval_minutes": "Minutes between cycles",
            "batch_size": "Queries in a cycle",
            "latency_outlier_multiplier": "Times its p95",
            "latency_outlier_floor_ms": "Never slow below (ms)",
            "latency_outlier_min_samples": "Runs needed before judging",
            "explains": "Relations and explanations",
            "explains_conditions": "Explain chosen sources of conditions",
            "probes_per_query": "Probes for each query",
            "probe_hours": "Hours that probes are reused",
            "keep_answers_days": "Days that clean answers are kept",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        off = self.instance.checks_off
        for name, checks in (("specified_checks", SPECIFIED), ("other_checks", OTHERS)):
            self.initial[name] = [str(check) for check in checks if check not in off]

    def clean(self) -> dict[str, Any]:
        """Sets `checks_off` to the checks that are not ticked."""
        cleaned = super().clean() or self.cleaned_data
        on = {*cleaned.get("specified_checks", ()), *cleaned.get("other_checks", ())}
        self.instance.checks_off = [str(check) for check in CheckName if check not in on]
        return cleaned
