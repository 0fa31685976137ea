"""The worker's schedule and failures are looked at; the settings alone move the schedule."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_q.models import Schedule, Task

from selftest.operating.schedule import SCHEDULED_TASK, follow_tuning
from tests.admin.conftest import page_of, text_of

pytestmark = pytest.mark.django_db


def test_the_schedule_is_shown_and_not_changed_by_hand(admin_client: Client) -> None:
    follow_tuning()
    row = Schedule.objects.get()
    assert "60 min" in text_of(admin_client.get(page_of(row)))
    assert admin_client.post(page_of(row), {"func": "os.system", "minutes": "1"}).status_code == 403
    deletion = reverse("admin:django_q_schedule_delete", args=[row.pk])
    assert admin_client.post(deletion, {"post": "yes"}).status_code == 403
    assert admin_client.get(reverse("admin:django_q_schedule_add")).status_code == 403
    assert Schedule.objects.get().func == SCHEDULED_TASK


def test_a_failed_task_shows_why_as_text(admin_client: Client) -> None:
    now = timezone.now()
    task = Task.objects.create(
        id="f" * 32,
        name="cycle 7",
        func="selftest.tasks.planned_cycle",
        started=now,
        stopped=now,
        success=False,
        result="<b>DoesNotExist</b> : Traceback",
    )
    page = text_of(admin_client.get(reverse("admin:django_q_failure_change", args=[task.pk])))
    assert "&lt;b&gt;DoesNotExist&lt;/b&gt; : Traceback" in page
    listing = reverse("admin:django_q_failure_changelist")
    admin_client.post(listing, {"action": "resubmit_task", "_selected_action": [task.pk]})
    assert Task.objects.filter(pk=task.pk).exists()
