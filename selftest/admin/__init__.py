"""The Django admin: settings, targets, vocabularies and keys are changed here; records are only read.

Changes go through `selftest.operating`. Its pages must work under the strict CSP: no inline style or script.
"""

from django.contrib import admin

from selftest.admin import (
    comparisons,
    documentation,
    drift,
    evaluation,
    findings,
    graders,
    keys,
    notices,
    records,
    search,
    suggestions,
    target,
    tuning,
    vocabulary,
    worker,
)

__all__ = [
    "comparisons",
    "documentation",
    "drift",
    "evaluation",
    "findings",
    "graders",
    "keys",
    "notices",
    "records",
    "search",
    "suggestions",
    "target",
    "tuning",
    "vocabulary",
    "worker",
]

admin.site.site_header = "Gadfly"
admin.site.site_title = "Gadfly"
admin.site.index_title = "Settings and records"
admin.site.enable_nav_sidebar = False  # lists of queries and reasons need the width; the index page leads everywhere
