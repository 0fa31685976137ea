"""The vocabulary versions of targets: read, compared, and put in force again. Never edited, never deleted."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString

from selftest.admin.readonly import ReadOnlyAdmin
from selftest.admin.shown import as_text
from selftest.admin.what_if import BUTTON, WhatIf
from selftest.core.generation.vocabulary import VocabularyError
from selftest.models import VocabularyVersion
from selftest.operating.vocabularies import import_vocabulary
from selftest.reading.vocabulary_differences import differing_lines, pretty
from selftest.reading.what_if.changes import what_if_imported


@admin.register(VocabularyVersion)
class VocabularyAdmin(ReadOnlyAdmin):
    """Versions with their document and what they changed."""

    change_form_template = "admin/selftest/vocabulary.html"
    list_display = ("version", "target", "in_force", "created_at", "by", "sources")
    list_filter = ("target", "in_force")
    list_select_related = ("target", "created_by")
    search_fields = ("target__name", "sha256")
    fieldsets = (
        (None, {"fields": ("target", "number", "in_force", "created_at", "by", "sha256")}),
        (None, {"fields": ("changes", "document")}),
    )
    readonly_fields = ("by", "changes", "document")

    @admin.display(description="version")
    def version(self, row: VocabularyVersion) -> str:
        """Target and number."""
        return f"{row.target} {row.number}"

    @admin.display(description="imported by")
    def by(self, row: VocabularyVersion) -> str:
        """The person, or what imported it without one."""
        return str(row.created_by or "a command or the first start")

    @admin.display(description="sources")
    def sources(self, row: VocabularyVersion) -> int:
        """How many sources it has."""
        return len(row.content.get("sources", ()))

    @admin.display(description="document")
    def document(self, row: VocabularyVersion) -> SafeString | str:
        """The whole document."""
        return as_text(pretty(row.content))

    @admin.display(description="changes since the previous version")
    def changes(self, row: VocabularyVersion) -> SafeString | str:
        """The lines that differ from the previous version."""
        earlier = row.target.vocabularies.filter(number__lt=row.number).order_by("-number").first()
        return "none: it is the first version" if earlier is None else _shown_changes(earlier, row)

    def get_urls(self) -> list[URLPattern]:
        """Adds the page that puts a version in force again."""
        view = self.admin_site.admin_view(self.again_view)
        return [path("<path:object_id>/again/", view, name="selftest_vocabularyversion_again"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The page of a version."""
        context = {"subtitle": None, "may_import": _may_import(request)}
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    def again_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Puts the content of an earlier version in force, as a new version; first shows what that would change.

        The button *What would change?* judges stored answers by it instead, and imports nothing.
        """
        version = self.get_object(request, unquote(object_id))
        if version is None:
            raise Http404(f"there is no vocabulary version {object_id}")
        if not _may_import(request):
            raise PermissionDenied
        if request.method == "POST" and BUTTON not in request.POST:
            return self._put_in_force_again(request, version)
        whatif: WhatIf | None = None
        if request.method == "POST":
            try:
                whatif = WhatIf.of(what_if_imported(version.target, version.content))
            except VocabularyError as refusal:
                self.message_user(request, f"It would be refused. {refusal}", messages.ERROR)
        in_force = version.target.vocabularies.filter(in_force=True).first()
        changes = _shown_changes(in_force, version) if in_force else "no version is in force"
        title = f"Put {version} in force again"
        return self.own_page(
            request,
            "vocabulary_again.html",
            title,
            version=version,
            in_force=in_force,
            changes=changes,
            whatif=whatif,
            whatif_button=BUTTON,
        )

    def _put_in_force_again(self, request: HttpRequest, version: VocabularyVersion) -> HttpResponse:
        try:
            new, is_new = import_vocabulary(version.target, version.content, user=request.user)
        except VocabularyError as refusal:
            self.message_user(request, f"Refused; the one in force stays. {refusal}", messages.ERROR)
            return HttpResponseRedirect(_page_of(version))
        if is_new:
            self.message_user(
                request, f"Version {new.number} is in force, with the content of version {version.number}."
            )
        else:
            self.message_user(request, "It is in force already; nothing changed.", messages.INFO)
        return HttpResponseRedirect(_page_of(new))


def _shown_changes(before: VocabularyVersion, after: VocabularyVersion) -> SafeString | str:
    lines = differing_lines(before.content, after.content)
    return render_to_string("admin/selftest/changes.html", {"before": before, "after": after, "lines": lines})


def _page_of(version: VocabularyVersion) -> str:
    return reverse("admin:selftest_vocabularyversion_change", args=[version.pk])


def _may_import(request: HttpRequest) -> bool:
    return request.user.has_perm("selftest.add_vocabularyversion")
