"""What is watched for drift, and what came of it, read only: what is done about it is done on its page."""

from django.contrib import admin

from selftest.admin.readonly import ReadOnlyAdmin
from selftest.evaluation.models import DriftAlert, DriftEvent, DriftProposal, DriftSeries


@admin.register(DriftSeries)
class DriftSeriesAdmin(ReadOnlyAdmin):
    """Each metric of each recipe, with its reference."""

    list_display = ("id", "target", "recipe_name", "metric", "cached", "last_verdict", "reference_at", "last_at")
    list_filter = ("target", "metric", "cached", "last_verdict")
    list_select_related = ("target",)
    search_fields = ("=id", "recipe_name")
    search_help_text = "The number of a series, or words of its recipe"


@admin.register(DriftAlert)
class DriftAlertAdmin(ReadOnlyAdmin):
    """Times of drift, those that have ended too."""

    list_display = ("id", "series", "target", "distance", "p_value", "began_at", "ended_at", "end")
    list_filter = ("target", "end")
    list_select_related = ("series", "target")
    search_fields = ("=id", "=series__id")
    search_help_text = "The number of an alert or of its series"


@admin.register(DriftProposal)
class DriftProposalAdmin(ReadOnlyAdmin):
    """New references that were proposed."""

    list_display = ("id", "target", "what", "state", "created_at")
    list_filter = ("target", "state")
    list_select_related = ("target",)
    search_fields = ("=id", "version")
    search_help_text = "The number of a proposal, or words of its version"


@admin.register(DriftEvent)
class DriftEventAdmin(ReadOnlyAdmin):
    """What happened, by whom and why."""

    list_display = ("id", "kind", "target", "series", "actor", "note", "at")
    list_filter = ("kind", "target")
    list_select_related = ("target", "series")
    search_fields = ("=id", "=series__id", "actor")
    search_help_text = "The number of an event or of a series, or words of a name"
