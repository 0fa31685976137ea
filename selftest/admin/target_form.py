"""The form of a target: its fields are checked together, and the API key goes in but never out."""

from typing import Any

from django import forms

from selftest.admin.pages import AnyForm
from selftest.models import Target
from selftest.operating.targets import InvalidTargetError, check_target
from selftest.storage.target_clients import bundled_faults

GENERAL = ("name", "kind", "enabled", "is_default", "time_limit_s", "requests_at_once")
HTTP = ("base_url", "path", "health_path")
HTTP_NAMES = ("query_field", "source_field", "result_field", "source_used_field")
HTTP_OPTIONAL_NAMES = ("success_field", "error_field", "cached_field")
PYTHON = ("dotted_path",)
REFERENCE = ("reference_empty_rate", "reference_faults")

KEY_SET = "A key is set. It is never shown; leave this empty to keep it."
KEY_NOT_SET = "No key is set."


def _fault_choices() -> list[tuple[str, str]]:
    """Without backticks: a label shows its text as it is."""
    return [(name, f"{name}: {seen.replace('`', '')}") for name, seen in bundled_faults().items()]


class TargetForm(AnyForm):
    """All kinds of target in one form; a script hides the fields of the other kinds."""

    new_api_key = forms.CharField(
        label="API key",
        required=False,
        max_length=500,
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password", "class": "vTextField"}),
    )
    clear_api_key = forms.BooleanField(label="Delete the key", required=False)
    reference_faults = forms.MultipleChoiceField(
        label="Faults to switch on",
        required=False,
        choices=_fault_choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "The bundled router has no fault named “%(value)s”."},
    )

    class Meta:
        model = Target
        fields = (*GENERAL, *HTTP, *HTTP_NAMES, *HTTP_OPTIONAL_NAMES, *PYTHON, *REFERENCE)
        labels = {"is_default": "Default target", "base_url": "Base URL", "reference_empty_rate": "Empty rate"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_api_key"].help_text = KEY_SET if self.instance.api_key else KEY_NOT_SET

    def clean(self) -> dict[str, Any]:
        """Refuses a new key together with the deletion of the old one."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("new_api_key") and cleaned.get("clear_api_key"):
            self.add_error("clear_api_key", "Either enter a new key or delete the old one, not both.")
        return cleaned

    def _post_clean(self) -> None:
        """The row is filled in by now; if all fields are valid, the target is checked as a whole."""
        super()._post_clean()  # type: ignore[misc]  # Django's own hook, which the stubs leave out
        new_key = self.cleaned_data.get("new_api_key")
        if new_key or self.cleaned_data.get("clear_api_key"):
            self.instance.api_key = new_key or ""
        if self.errors:
            return
        try:
            check_target(self.instance)
        except InvalidTargetError as fault:
            field = {"api_key": "new_api_key"}.get(fault.field, fault.field)
            self.add_error(field if field in self.fields else None, str(fault))

    @property
    def key_change(self) -> str:
        """What happened to the key, for the history; never its value."""
        if self.cleaned_data.get("clear_api_key"):
            return "API key deleted"
        if self.cleaned_data.get("new_api_key"):
            return "API key set"
        return ""
