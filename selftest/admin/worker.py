"""The worker's schedule and failures, read only.

django-q2's own pages would let an admin edit the schedule against the settings that define it, name any function to be
called, or resubmit and delete the task of a cycle. Its successes are not a history (it keeps the last 250) and its
queue is pickled; the cycles tell more.
"""

from typing import Any

import django_q.admin  # noqa: F401 - registers its pages first, so that they can be unregistered
from django.contrib import admin
from django_q.models import Failure, OrmQ, Schedule, Success

from selftest.admin.readonly import ReadOnlyAdmin
from selftest.admin.shown import as_text, cell

FAILURE = cell("why", "why it failed", lambda row: as_text(str(row.result or "")))

for model in (Schedule, Success, Failure, OrmQ):
    if admin.site.is_registered(model):  # the queue is registered only where the database is the broker
        admin.site.unregister(model)


@admin.register(Schedule)
class ScheduleAdmin(ReadOnlyAdmin):
    """When cycles start; the settings decide it."""

    list_display = ("name", "every", "next_run")
    fields = ("name", "every", "next_run", "func")
    readonly_fields = ("every",)

    @admin.display(description="every")
    def every(self, row: Any) -> str:
        """The interval."""
        return f"{row.minutes} min" if row.minutes else row.get_schedule_type_display()


@admin.register(Failure)
class FailureAdmin(ReadOnlyAdmin):
    """Tasks that failed, with the traceback."""

    list_display = ("name", "func", "started", "stopped")
    ordering = ("-started",)
    fields = ("name", "func", "started", "stopped", FAILURE)
    readonly_fields = (FAILURE,)
