"""The documentation of targets: added, read again and removed here. Its documents themselves are never edited."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from selftest.admin.pages import AnyForm, OwnAdmin
from selftest.knowledge import documentation_acts
from selftest.knowledge.index.writing import Written
from selftest.knowledge.models import Documentation
from selftest.models import Target

Origin = Documentation.Origin
MOST_BYTES = 5 * 1024 * 1024  # more is refused when it is read; this keeps it from being held twice
LANGUAGES = (("en", "English"), ("de", "German"), ("fr", "French"), ("es", "Spanish"), ("ru", "Russian"))


class DescribedForm(AnyForm):
    """What is said of a documentation; its documents come from where they were read."""

    language = forms.ChoiceField(choices=LANGUAGES, initial="en", help_text="Of documents that do not name their own.")

    class Meta:
        model = Documentation
        fields = ("name", "product", "version", "service", "language")


class AddForm(DescribedForm):
    """A new documentation: a folder, a file or an address."""

    file = forms.FileField(label="A file", required=False, help_text="Of an upload: .md, .json, .yaml or .zip.")

    class Meta:
        model = Documentation
        fields = ("target", "name", "origin", "location", "product", "version", "service", "language")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].queryset = Target.objects.order_by("name")  # type: ignore[attr-defined]
        self.fields["location"].help_text = (
            "Of a folder: its path below DATA_DIR/documentation. Of an address: https://…, on one of the hosts "
            "in the settings of search. Of an upload: nothing."
        )

    def clean(self) -> dict[str, Any]:
        """What its origin needs is there."""
        cleaned = super().clean() or self.cleaned_data
        file = cleaned.get("file")
        if cleaned.get("origin") == Origin.UPLOAD:
            if file is None:
                self.add_error("file", "Choose a file.")
            else:
                _check_size(self, file)
                cleaned["location"] = file.name[:1000]
        elif not cleaned.get("location"):
            self.add_error("location", "Say where the documentation is.")
        return cleaned


class AgainForm(forms.Form):
    """A newer file of an upload."""

    file = forms.FileField(
        label="A newer file", required=False, help_text="Without one, what was uploaded is read again."
    )

    def clean(self) -> dict[str, Any]:
        """Not larger than can be read."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("file"):
            _check_size(self, cleaned["file"])
        return cleaned


def _check_size(form: forms.BaseForm, file: Any) -> None:
    if file.size > MOST_BYTES:
        form.add_error("file", ValidationError(f"{file.size:,} bytes; {MOST_BYTES:,} can be read."))


@admin.register(Documentation)
class DocumentationAdmin(OwnAdmin):
    """What targets say of themselves."""

    change_form_template = "admin/selftest/documentation.html"
    list_display = ("name", "target", "origin", "location", "read_at", "problem")
    list_filter = ("target", "origin")
    list_select_related = ("target",)
    search_fields = ("name", "location", "product")
    search_help_text = "Words of its name, its place or its product"

    def get_form(
        self, request: HttpRequest, obj: Documentation | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """One form to add, another to describe."""
        return super().get_form(request, obj, change, **{"form": DescribedForm if obj else AddForm, **kwargs})

    def get_fields(self, request: HttpRequest, obj: Documentation | None = None) -> Any:
        """Where it was read, to be seen only; the file last where one is added."""
        if obj is None:
            return ("target", "name", "origin", "location", "file", "product", "version", "service", "language")
        return (
            "target",
            "origin",
            "location",
            "read_at",
            "problem",
            "name",
            "product",
            "version",
            "service",
            "language",
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Documentation | None = None) -> Any:
        """What only reading changes."""
        return ("target", "origin", "location", "read_at", "problem") if obj else ()

    def _changeform_view(self, request: HttpRequest, *args: Any) -> HttpResponse:
        """A refusal is told above the form, and nothing is saved."""
        try:
            return super()._changeform_view(request, *args)  # type: ignore[misc, no-any-return]
        except documentation_acts.DocumentationRefusedError as refused:
            self.message_user(request, f"Refused; nothing was changed. {_sentence(refused)}", messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def save_model(self, request: HttpRequest, obj: Documentation, form: AnyForm, change: bool) -> None:
        """Reads what is new; what is described otherwise is found by that at once."""
        if change:
            written = documentation_acts.describe(obj)
        else:
            file = form.cleaned_data.get("file") if obj.origin == Origin.UPLOAD else None
            if file is not None:
                obj.location = file.name[:1000]
            written = documentation_acts.add(obj, file.read() if file is not None else b"")
        self.message_user(request, _told(written), messages.INFO)

    def delete_model(self, request: HttpRequest, obj: Documentation) -> None:
        """With all that was found by it."""
        documentation_acts.remove(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Documentation]) -> None:
        """Each with all that was found by it."""
        for obj in queryset:
            documentation_acts.remove(obj)

    def get_urls(self) -> list[URLPattern]:
        """Adds the page that reads it again."""
        view = self.admin_site.admin_view(self.again_view)
        return [path("<path:object_id>/again/", view, name="knowledge_documentation_again"), *super().get_urls()]

    def again_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Reads it from where it is, or from a newer file."""
        documentation = self.get_object(request, unquote(object_id))
        if documentation is None:
            raise Http404(f"there is no documentation {object_id}")
        if not self.has_change_permission(request, documentation):
            raise PermissionDenied
        form = AgainForm(request.POST, request.FILES) if request.method == "POST" else AgainForm()
        if request.method == "POST" and form.is_valid():
            return self._read_again(request, documentation, form.cleaned_data.get("file"))
        is_upload = documentation.origin == Origin.UPLOAD
        title = f"Read {documentation} again"
        return self.own_page(
            request, "documentation_again.html", title, documentation=documentation, form=form if is_upload else None
        )

    def _read_again(self, request: HttpRequest, documentation: Documentation, file: Any) -> HttpResponse:
        try:
            if file is not None and documentation.origin == Origin.UPLOAD:
                written = documentation_acts.read_again(documentation, file.name, file.read())
            else:
                written = documentation_acts.read_again(documentation)
        except documentation_acts.DocumentationRefusedError as refused:
            self.message_user(request, f"Refused; what was read before stays. {_sentence(refused)}", messages.ERROR)
        else:
            self.message_user(request, _told(written))
        return HttpResponseRedirect(reverse("admin:knowledge_documentation_change", args=[documentation.pk]))


def _told(written: Written) -> str:
    return f"Read: {written.added:,} pieces are new, {written.changed:,} changed, {written.removed:,} are gone."


def _sentence(refused: Exception) -> str:
    text = str(refused)
    return f"{text[:1].upper()}{text[1:]}."
