"""The settings of the specification, on one page."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from solo.admin import SingletonModelAdmin

from selftest import services
from selftest.admin.history import HistoryAdmin
from selftest.admin.pages import AnyForm
from selftest.core.tunables import ENABLED_VARIABLE
from selftest.models import Tuning
from selftest.selectors import schedule
from selftest.services import Actor


class TuningForm(AnyForm):
    class Meta:
        model = Tuning
        fields = "__all__"  # which ones are shown: the fieldsets
        labels = {
            "interval_minutes": "Minutes between cycles",
            "batch_size": "Queries in a cycle",
            "latency_outlier_multiplier": "Times its p95",
            "latency_outlier_floor_ms": "Never slow below (ms)",
            "latency_outlier_min_samples": "Runs needed before judging",
        }


@admin.register(Tuning)
class TuningAdmin(SingletonModelAdmin, HistoryAdmin):  # type: ignore[misc]  # the library is untyped
    form = TuningForm
    change_form_template = "admin/selftest/tuning.html"
    object_history_template = "admin/selftest/tuning_history.html"
    fieldsets = (
        (None, {"fields": ("enabled", "interval_minutes", "batch_size")}),
        (
            "When an answer counts as too slow",
            {"fields": ("latency_outlier_multiplier", "latency_outlier_floor_ms", "latency_outlier_min_samples")},
        ),
        ("Access", {"fields": ("open_reads",)}),
    )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {
            "title": "Settings",
            "subtitle": None,
            "switched_off_by": None if settings.ADVERSARIAL_TEST_ENABLED else f"{ENABLED_VARIABLE}=false",
            "schedule": schedule(),
            "now": timezone.now(),
        }
        response: HttpResponse = super().change_view(request, object_id, form_url, context | (extra_context or {}))
        return response

    def save_model(self, request: HttpRequest, obj: Tuning, form: AnyForm, change: bool) -> None:
        if form.has_changed():  # else the history would show changes that are none
            services.tune(obj, Actor.person(request.user))

    def response_change(self, request: HttpRequest, obj: Tuning) -> HttpResponse:
        self.message_user(request, f"Saved. {_effect(obj)}")
        return HttpResponseRedirect(request.path)


def _effect(tuning: Tuning) -> str:
    if not settings.ADVERSARIAL_TEST_ENABLED:
        return f"Testing stays off: {ENABLED_VARIABLE}=false in the environment wins."
    if not tuning.enabled:
        return "Testing is switched off: nothing is scheduled and nothing is asked."
    return f"A cycle of {tuning.batch_size} runs every {tuning.interval_minutes} min."
