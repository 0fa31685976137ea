"""The form of a target: its fields are checked together, and the API key goes in but never out."""

from typing import Any

from django import forms

from selftest.admin.pages import AnyForm
from selftest.models import Target
from selftest.operating.targets import InvalidTargetError, check_target
from selftest.storage.target_clients import bundled_faults

GENERAL = ("name", "kind", "enabled", "is_default", "time_limit_s", "requests_at_once", "requests_per_second")
HTTP = ("base_url", "path", "health_path", "headers")
HTTP_NAMES = ("query_field", "source_field", "result_field", "source_used_field")
HTTP_OPTIONAL_NAMES = ("success_field", "error_field", "cached_field")
PYTHON = ("dotted_path",)
REFERENCE = ("reference_empty_rate", "reference_faults")

KEY_SET = "A key is set. It is never shown; leave this empty to keep it."
KEY_NOT_SET = "No key is set."
HEADERS_SET = "Secret headers are set. They are never shown; leave this empty to keep them, or enter all of them."
HEADERS_NOT_SET = "One a line, as Name: value. Encrypted, never shown again, and hidden in answers. None is set."
# What is entered, deleted by which box, and kept in which column.
SECRETS = (
    ("new_api_key", "clear_api_key", "api_key"),
    ("new_secret_headers", "clear_secret_headers", "secret_headers"),
)


def _fault_choices() -> list[tuple[str, str]]:
    """Without backticks: a label shows its text as it is."""
    return [(name, f"{name}: {seen.replace('`', '')}") for name, seen in bundled_faults().items()]


class WriteOnlyTextarea(forms.Textarea):
    """What was entered is not sent back, not even with a refusal."""

    def format_value(self, value: Any) -> None:
        """Nothing."""


class TargetForm(AnyForm):
    """All kinds of target in one form; a script hides the fields of the other kinds."""

    new_api_key = forms.CharField(
        label="API key",
        required=False,
        max_length=500,
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password", "class": "vTextField"}),
    )
    clear_api_key = forms.BooleanField(label="Delete the key", required=False)
    new_secret_headers = forms.CharField(
        label="Secret headers",
        required=False,
        max_length=8000,
        widget=WriteOnlyTextarea(attrs={"rows": 3, "autocomplete": "off", "class": "vLargeTextField"}),
    )
    clear_secret_headers = forms.BooleanField(label="Delete the secret headers", required=False)
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
        widgets = {"headers": forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"})}
        labels = {"is_default": "Default target", "base_url": "Base URL", "reference_empty_rate": "Empty rate"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_api_key"].help_text = KEY_SET if self.instance.api_key else KEY_NOT_SET
        has_headers = bool(self.instance.secret_headers)
        self.fields["new_secret_headers"].help_text = HEADERS_SET if has_headers else HEADERS_NOT_SET

    def clean(self) -> dict[str, Any]:
        """Refuses a new key or new headers together with the deletion of the old ones."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("new_api_key") and cleaned.get("clear_api_key"):
            self.add_error("clear_api_key", "Either enter a new key or delete the old one, not both.")
        if cleaned.get("new_secret_headers") and cleaned.get("clear_secret_headers"):
            self.add_error("clear_secret_headers", "Either enter new headers or delete the old ones, not both.")
        return cleaned

    def _post_clean(self) -> None:
        """The row is filled in by now; if all fields are valid, the target is checked as a whole."""
        super()._post_clean()  # type: ignore[misc]  # Django's own hook, which the stubs leave out
        for entered, cleared, column in SECRETS:
            new = self.cleaned_data.get(entered)
            if new or self.cleaned_data.get(cleared):
                setattr(self.instance, column, new or "")
        if self.errors:
            return
        try:
            check_target(self.instance)
        except InvalidTargetError as fault:
            field = {column: entered for entered, _, column in SECRETS}.get(fault.field, fault.field)
            self.add_error(field if field in self.fields else None, str(fault))

    @property
    def key_change(self) -> str:
        """What happened to the key and the secret headers, for the history; never their values."""
        done = []
        for (entered, cleared, _), name in zip(SECRETS, ("API key", "Secret headers"), strict=True):
            if self.cleaned_data.get(cleared):
                done.append(f"{name} deleted")
            elif self.cleaned_data.get(entered):
                done.append(f"{name} set")
        return ", ".join(done)
