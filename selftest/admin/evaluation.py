"""The settings of evaluation, golden sets, and pairs, versions and reports, read only."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from solo.admin import SingletonModelAdmin

from selftest.admin.history import HistoryAdmin
from selftest.admin.pages import AnyForm, OwnAdmin
from selftest.admin.readonly import ReadOnlyAdmin
from selftest.admin.shown import cell, cut
from selftest.evaluation.models import EvaluationSettings, GoldenPair, GoldenSet, PairVersion, Report
from selftest.evaluation.schedule import put_in_force
from selftest.models import Actor

QUERY = cell("query", "query", lambda row: cut(row.query))


@admin.register(EvaluationSettings)
class EvaluationSettingsAdmin(SingletonModelAdmin, HistoryAdmin):  # type: ignore[misc]  # the library is untyped
    """The one row of settings."""

    change_form_template = "admin/solo/change_form.html"
    fields = ("asks_every", "grades_runs")

    def save_model(self, request: HttpRequest, obj: EvaluationSettings, form: AnyForm, change: bool) -> None:
        """Puts the settings in force, with who changed them."""
        if form.has_changed():
            put_in_force(obj, Actor.person(request.user))

    def response_change(self, request: HttpRequest, obj: EvaluationSettings) -> HttpResponse:
        """Back to the form, with what is in force."""
        runs = "graded" if obj.grades_runs else "not graded"
        said = f"Saved. Golden sets are asked: {obj.get_asks_every_display().lower()}. Runs are {runs}."
        self.message_user(request, said)
        return HttpResponseRedirect(request.path)


@admin.register(GoldenSet)
class GoldenSetAdmin(OwnAdmin):
    """Sets are made here. One that holds pairs or has reports stays."""

    list_display = ("name", "description")
    search_fields = ("name", "description")


@admin.register(GoldenPair)
class GoldenPairAdmin(ReadOnlyAdmin):
    """Pairs, the archived ones too."""

    list_display = ("id", "name", "golden_set")
    list_filter = ("golden_set",)
    list_select_related = ("golden_set",)
    search_fields = ("=id", "name")
    search_help_text = "A pair's number, or words of its name"


@admin.register(PairVersion)
class PairVersionAdmin(ReadOnlyAdmin):
    """What pairs ever said."""

    list_display = ("id", "pair", "number", "act", QUERY, "actor", "at")
    list_filter = ("act", "kind")
    list_select_related = ("pair",)
    search_fields = ("=pair__id", "pair__name", "query")
    search_help_text = "A pair's number, or words of its name or query"


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """Reports; each has a page of its own outside the admin."""

    list_display = ("id", "golden_set", "target", "state", "pairs", "broken", "to_rebaseline", "actor", "started_at")
    list_filter = ("state", "golden_set", "target")
    list_select_related = ("golden_set", "target")
    search_fields = ("=id",)
    search_help_text = "A report's number"
