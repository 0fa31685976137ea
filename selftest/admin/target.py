"""Targets: their settings by kind, the connection test, and the import of a vocabulary."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from selftest.admin import target_form
from selftest.admin.history import HistoryAdmin
from selftest.admin.target_form import TargetForm
from selftest.admin.vocabulary_import import VocabularyForm
from selftest.admin.what_if import BUTTON, WhatIf
from selftest.core.generation.vocabulary import VocabularyError
from selftest.models import Actor, Target, VocabularyVersion
from selftest.operating.connection_test import try_connections
from selftest.operating.targets import is_removable, remove_target, save_target
from selftest.operating.vocabularies import import_vocabulary
from selftest.reading.what_if.changes import what_if_imported
from selftest.refusals import RefusedError

SECRET_FIELDS = tuple(name for entered, cleared, _ in target_form.SECRETS for name in (entered, cleared))


@admin.register(Target)
class TargetAdmin(HistoryAdmin):
    """The form of a target, and the pages that lead from it."""

    form = TargetForm
    change_form_template = "admin/selftest/target.html"
    list_display = ("name", "kind", "enabled", "default", "vocabulary")
    list_filter = ("kind", "enabled")
    search_fields = ("name", "base_url", "dotted_path")
    actions = ("test_the_connection",)
    fieldsets = (
        (None, {"fields": target_form.GENERAL}),
        (
            "HTTP search API",
            {"classes": ("of-kind-http",), "fields": (*target_form.HTTP, *SECRET_FIELDS)},
        ),
        (
            "Field names in its JSON",
            {
                "classes": ("of-kind-http",),
                "fields": (target_form.HTTP_NAMES, target_form.HTTP_OPTIONAL_NAMES),
                "description": "For a nested field of the answer, join names with dots: data.answer",
            },
        ),
        ("Python function", {"classes": ("of-kind-python",), "fields": target_form.PYTHON}),
        ("Bundled reference router", {"classes": ("of-kind-reference",), "fields": target_form.REFERENCE}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Target]:
        """Targets, with the number of the vocabulary in force."""
        in_force = VocabularyVersion.objects.filter(target=OuterRef("pk"), in_force=True).values("number")[:1]
        rows: QuerySet[Target] = super().get_queryset(request)
        return rows.annotate(vocabulary_number=Subquery(in_force))

    @admin.display(description="vocabulary in force")
    def vocabulary(self, row: Any) -> str:
        """Its version, or what to do where there is none."""
        return f"version {row.vocabulary_number}" if row.vocabulary_number else "none: import one"

    @admin.display(description="default", boolean=True, ordering="is_default")
    def default(self, row: Target) -> bool:
        """Whether it is the default target."""
        return row.is_default

    def get_fieldsets(self, request: HttpRequest, obj: Target | None = None) -> Any:
        """What is not set cannot be deleted."""
        absent = {cleared for _, cleared, column in target_form.SECRETS if obj is None or not getattr(obj, column)}
        return [
            (title, {**options, "fields": tuple(name for name in options["fields"] if name not in absent)})
            for title, options in super().get_fieldsets(request, obj)
        ]

    # --- saving and removing ---

    def save_model(self, request: HttpRequest, obj: Target, form: TargetForm, change: bool) -> None:
        """Saves with who and why; a form without changes leaves no entry in the history."""
        if form.has_changed() or not change:
            save_target(obj, Actor.person(request.user), form.key_change)

    def delete_model(self, request: HttpRequest, obj: Target) -> None:
        """Deletes with who, or refuses where there is a history."""
        remove_target(obj, Actor.person(request.user))

    def has_delete_permission(self, request: HttpRequest, obj: Target | None = None) -> bool:
        """Only a target without a history can be deleted."""
        allowed: bool = super().has_delete_permission(request, obj)
        return allowed and (obj is None or is_removable(obj))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without the bulk deletion: targets are deleted one at a time, from their own page."""
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """The vocabularies of a target that was never asked are deleted with it, and never by themselves."""
        to_delete, counts, forbidden, protected = super().get_deleted_objects(objs, request)
        return to_delete, counts, forbidden - {VocabularyVersion._meta.verbose_name}, protected

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Asks for confirmation and deletes; a refusal leads back to the target."""
        try:
            response: HttpResponse = super().delete_view(request, object_id, extra_context)
        except RefusedError as refusal:  # it was asked for the first time while its page was open
            self.message_user(request, str(refusal), messages.ERROR)
            return HttpResponseRedirect(self._page_of(object_id))
        return response

    # --- further pages ---

    def get_urls(self) -> list[URLPattern]:
        """Adds the connection test and the import."""
        view = self.admin_site.admin_view
        own = [
            path("<path:object_id>/connection/", view(self.connection_view), name="selftest_target_connection"),
            path("<path:object_id>/vocabulary/", view(self.vocabulary_view), name="selftest_target_vocabulary"),
        ]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The form, with what its notice and links need."""
        target = self.get_object(request, unquote(object_id))
        context: dict[str, Any] = {"subtitle": None, "may_import": self._may_import(request)}
        if target is not None:
            context["title"] = f"Target {target}"
            context["in_force"] = target.vocabularies.filter(in_force=True).first()
            context["is_removable"] = is_removable(target)
        response: HttpResponse = super().change_view(request, object_id, form_url, context | (extra_context or {}))
        return response

    def connection_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Tests the target as it is saved. Only by POST, as it sends a query to another server.

        A GET, as after signing in again, leads back to the form with the button.
        """
        if request.method != "POST":
            return HttpResponseRedirect(self._page_of(object_id))
        target = self._target(request, object_id)
        if not self.has_change_permission(request, target):
            raise PermissionDenied
        return self._trials(request, [target])

    @admin.action(description="Test the connection", permissions=["change"])
    def test_the_connection(self, request: HttpRequest, chosen: QuerySet[Target]) -> HttpResponse:
        """Tests all selected targets at once."""
        return self._trials(request, list(chosen))

    def _trials(self, request: HttpRequest, targets: list[Target]) -> HttpResponse:
        return self.own_page(request, "connection.html", "Connection test", trials=try_connections(targets))

    def vocabulary_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Imports a vocabulary: puts it in force, or refuses it with a list of its faults.

        The button *What would change?* judges stored answers by it instead, and imports nothing.
        """
        target = self._target(request, object_id)
        if not self._may_import(request):
            raise PermissionDenied
        form = VocabularyForm.of(target, request)
        faults: list[dict[str, str]] = []
        whatif: WhatIf | None = None
        if form.is_bound and form.is_valid():
            try:
                if BUTTON not in request.POST:
                    return self._imported(request, target, form.cleaned_data["parsed"])
                whatif = WhatIf.of(what_if_imported(target, form.cleaned_data["parsed"]))
                form = form.with_its_text()
            except VocabularyError as refusal:
                faults = form.listed(refusal)
        in_force = target.vocabularies.filter(in_force=True).first()
        return self.own_page(
            request,
            "vocabulary_import.html",
            f"Import a vocabulary for {target}",
            target=target,
            form=form,
            faults=faults,
            in_force=in_force,
            whatif=whatif,
            whatif_button=BUTTON,
        )

    def _imported(self, request: HttpRequest, target: Target, document: object) -> HttpResponse:
        version, is_new = import_vocabulary(target, document, user=request.user)
        outcome = "is in force" if is_new else "was in force already; nothing changed"
        level = messages.SUCCESS if is_new else messages.INFO
        self.message_user(request, f"Version {version.number} {outcome}.", level)
        return HttpResponseRedirect(reverse("admin:selftest_vocabularyversion_change", args=[version.pk]))

    def _target(self, request: HttpRequest, object_id: str) -> Target:
        target: Target | None = self.get_object(request, unquote(object_id))
        if target is None:
            raise Http404(f"there is no target {object_id}")
        return target

    def _may_import(self, request: HttpRequest) -> bool:
        return request.user.has_perm("selftest.add_vocabularyversion")

    def _page_of(self, object_id: str) -> str:
        return reverse("admin:selftest_target_change", args=[object_id])
