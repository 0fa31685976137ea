"""A vocabulary document as it is pasted or uploaded: read as JSON here, checked by core."""

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from selftest.core.generation.vocabulary import VocabularyError
from selftest.models import Target
from selftest.reading.vocabulary_differences import pretty
from selftest.storage.target_clients import bundled_vocabulary
from selftest.storage.texts import storable

MAX_DOCUMENT_BYTES = 1024 * 1024  # a rich vocabulary is some 20 KiB; below what Django reads of a form at all


class VocabularyForm(forms.Form):
    """A file or a text; the file wins. The text begins with the document in force."""

    file = forms.FileField(
        label="A file", required=False, help_text="A JSON document. A file wins over the text below."
    )
    document = forms.CharField(
        label="Or its text",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 28, "class": "vLargeTextField document", "spellcheck": "false"}),
    )

    @classmethod
    def of(cls, target: Target, request: HttpRequest) -> "VocabularyForm":
        """The form as it was posted, or a new one with the document in force."""
        if request.method == "POST":
            return cls(request.POST, request.FILES)
        return cls(initial={"document": _beginning(target)})

    def clean(self) -> dict[str, Any]:
        """Adds `text` and `parsed`, the document as JSON."""
        cleaned = super().clean() or self.cleaned_data
        file = cleaned.get("file")
        field = "file" if file else "document"
        try:
            cleaned["text"] = _text_of(file) if file else cleaned.get("document", "")
            cleaned["parsed"] = _parsed(cleaned["text"])
        except ValidationError as fault:
            self.add_error(field, fault)
        return cleaned

    def with_its_text(self) -> "VocabularyForm":
        """The same document as text: a browser does not send a file twice."""
        form = VocabularyForm({"document": self.cleaned_data["text"]})
        form.full_clean()
        return form

    def listed(self, refusal: VocabularyError) -> list[dict[str, str]]:
        """The faults with their keys, in characters that every page can show."""
        return [{"key": storable(fault.key), "fault": storable(fault.fault)} for fault in refusal.faults]


def _beginning(target: Target) -> str:
    """The document in force, to be edited; for a bundled router without one, the one that it comes with."""
    version = target.vocabularies.filter(in_force=True).first()
    if version is not None:
        return pretty(version.content)
    return pretty(bundled_vocabulary()) if target.kind == Target.Kind.REFERENCE else ""


def _text_of(file: "UploadedFile[bytes]") -> str:
    if (file.size or 0) > MAX_DOCUMENT_BYTES:
        raise ValidationError(f"{file.size:,} bytes; a vocabulary has {MAX_DOCUMENT_BYTES:,} at most.")
    try:
        return bytes(file.read()).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise ValidationError(f"Not UTF-8 text: byte {fault.start} cannot be read.") from fault


def _parsed(text: str) -> object:
    if not text.strip():
        raise ValidationError("Give a file, or paste a document.")
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        raise ValidationError(f"Not JSON: line {fault.lineno}, column {fault.colno}: {fault.msg}.") from fault
    except RecursionError as fault:
        raise ValidationError("Nested too deeply to be a vocabulary.") from fault
    except ValueError as fault:  # a number of thousands of digits
        raise ValidationError(f"Not JSON that can be read: {fault}.") from fault
