"""The settings, on one page; what a change would do can be tried there before it is saved."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.helpers import AdminForm
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from solo.admin import SingletonModelAdmin

from selftest.admin.history import HistoryAdmin
from selftest.admin.pages import AnyForm
from selftest.admin.tuning_form import TuningForm
from selftest.admin.what_if import BUTTON, WhatIf
from selftest.core.settings import ENABLED_VARIABLE
from selftest.models import Actor, Tuning
from selftest.operating.tuning import tune
from selftest.reading.schedule import schedule
from selftest.reading.what_if.changes import what_if_tuned


@admin.register(Tuning)
class TuningAdmin(SingletonModelAdmin, HistoryAdmin):  # type: ignore[misc]  # the library is untyped
    """The one row of settings."""

    form = TuningForm
    change_form_template = "admin/selftest/tuning.html"
    object_history_template = "admin/selftest/tuning_history.html"
    fieldsets = (
        (None, {"fields": ("enabled", "interval_minutes", "batch_size")}),
        (
            "When an answer counts as too slow",
            {"fields": ("latency_outlier_multiplier", "latency_outlier_floor_ms", "latency_outlier_min_samples")},
        ),
        (
            "Relations and explanations",
            {"fields": ("explains", "explains_conditions", "probes_per_query", "probe_hours", "smallest_queries")},
        ),
        ("Checks that are on", {"fields": ("specified_checks", "other_checks")}),
        ("What is kept", {"fields": ("keep_answers_days",)}),
        ("Access", {"fields": ("open_reads",)}),
    )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The form, with the schedule; or with what a change would do, where that button was pressed."""
        context = {
            "title": "Settings",
            "subtitle": None,
            "switched_off_by": None if settings.ADVERSARIAL_TEST_ENABLED else f"{ENABLED_VARIABLE}=false",
            "schedule": schedule(),
            "now": timezone.now(),
            "whatif_button": BUTTON,
        } | (extra_context or {})
        if request.method == "POST" and BUTTON in request.POST:
            return self._what_if_view(request, object_id, form_url, context)
        response: HttpResponse = super().change_view(request, object_id, form_url, context)
        return response

    def _what_if_view(
        self, request: HttpRequest, object_id: str, form_url: str, context: dict[str, Any]
    ) -> HttpResponse:
        """The form as it was entered, and below it what saving it would do. Nothing is saved.

        Invalid values are refused as they are on saving.
        """
        in_force = Tuning.get_solo()
        if not self.has_change_permission(request, in_force):
            raise PermissionDenied
        fieldsets: Any = self.get_fieldsets(request, in_force)
        form_class = self.get_form(request, in_force, change=True, fields=flatten_fieldsets(fieldsets))
        form = form_class(request.POST, instance=Tuning.get_solo())
        if not form.is_valid():
            response: HttpResponse = super().change_view(request, object_id, form_url, context)
            return response
        shown = AdminForm(form, list(fieldsets), {}, self.get_readonly_fields(request, in_force), model_admin=self)
        page = self.admin_site.each_context(request) | {
            "adminform": shown,
            "object_id": object_id,
            "original": in_force,
            "is_popup": False,
            "to_field": None,
            "media": self.media + shown.media,
            "inline_admin_formsets": [],
            "errors": None,
            "preserved_filters": self.get_preserved_filters(request),
            "whatif": WhatIf.of(what_if_tuned(form.instance), _not_replayed(form)),
        }
        return self.render_change_form(request, page | context, change=True, obj=in_force, form_url=form_url)

    def save_model(self, request: HttpRequest, obj: Tuning, form: AnyForm, change: bool) -> None:
        """Puts the settings in force, with who changed them."""
        if form.has_changed():  # else the history would show a change without any
            tune(obj, Actor.person(request.user))

    def response_change(self, request: HttpRequest, obj: Tuning) -> HttpResponse:
        """Back to the form, with what the change does."""
        self.message_user(request, f"Saved. {_effect(obj)}")
        return HttpResponseRedirect(request.path)


def _not_replayed(form: AnyForm) -> tuple[str, ...]:
    """The parts of the change that no replay can show."""
    if {"probes_per_query", "probe_hours"} & set(form.changed_data):
        return ("The number of probes changes what is asked; that cannot be told from stored answers.",)
    return ()


def _effect(tuning: Tuning) -> str:
    if not settings.ADVERSARIAL_TEST_ENABLED:
        return f"Testing stays off: {ENABLED_VARIABLE}=false in the environment wins."
    if not tuning.enabled:
        return "Testing is switched off: nothing is scheduled and nothing is asked."
    return f"A cycle of {tuning.batch_size} runs every {tuning.interval_minutes} min."
