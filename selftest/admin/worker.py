"""What the worker does, to be looked at: its schedule and its failures.

django-q2's own pages would let an admin edit the schedule by hand, against the settings that it follows, name any
function to be called, or resubmit and delete tasks behind the back of a cycle. Its successes are no history (it keeps
the last 250) and its queue is pickled; the cycles tell more.
"""

from typing import Any

import django_q.admin  # noqa: F401 - registers its pages first, so that they can be taken away
from django.contrib import admin
from django.utils.safestring import SafeString
from django_q.models import Failure, OrmQ, Schedule, Success

from selftest.admin.readonly import ReadOnlyAdmin
from selftest.admin.shown import as_text

for model in (Schedule, Success, Failure, OrmQ):
    if admin.site.is_registered(model):  # the queue is there only where the database is the broker
        admin.site.unregister(model)


@admin.register(Schedule)
class ScheduleAdmin(ReadOnlyAdmin):
    list_display = ("name", "every", "next_run")
    fields = ("name", "every", "next_run", "func")
    readonly_fields = ("every",)

    @admin.display(description="every")
    def every(self, row: Any) -> str:
        return f"{row.minutes} min" if row.minutes else row.get_schedule_type_display()


@admin.register(Failure)
class FailureAdmin(ReadOnlyAdmin):
    list_display = ("name", "func", "started", "stopped")
    ordering = ("-started",)
    fields = ("name", "func", "started", "stopped", "why")
    readonly_fields = ("why",)

    @admin.display(description="why it failed")
    def why(self, row: Any) -> SafeString | str:
        return as_text(str(row.result or ""))
