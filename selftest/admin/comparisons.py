"""Comparisons of two targets, read only."""

from django.contrib import admin

from selftest.admin.readonly import ReadOnlyAdmin
from selftest.evaluation.models import Comparison


@admin.register(Comparison)
class ComparisonAdmin(ReadOnlyAdmin):
    """What was compared, and in what it differs."""

    list_display = ("id", "target", "against", "state", "compared", "differing", "actor", "created_at")
    list_filter = ("state", "target")
    list_select_related = ("target", "against")
    search_fields = ("=id",)
    search_help_text = "A comparison's number"
