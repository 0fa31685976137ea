"""Evaluation in the admin: the settings in force, sets, and records that no one changes."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django_q.models import Schedule

from selftest.evaluation.models import EvaluationSettings, GoldenSet
from tests.admin.conftest import shown_values, text_of
from tests.evaluation.pairs import made_pair
from tests.review.factory import make_target

pytestmark = pytest.mark.django_db

SETTINGS = "admin:evaluation_evaluationsettings_changelist"
SETS = "admin:evaluation_goldenset"


def test_sets_are_asked_as_often_as_the_settings_say_and_the_history_says_by_whom(
    admin_client: Client, admin_user: User
) -> None:
    url = reverse(SETTINGS)
    form = shown_values(admin_client.get(url))
    assert form["asks_every"] == "never"
    answer = admin_client.post(url, {**form, "asks_every": "week"}, follow=True)
    assert "Golden sets are asked: every week. Runs are graded." in text_of(answer)
    assert Schedule.objects.get().schedule_type == Schedule.WEEKLY
    assert EvaluationSettings.history.latest().history_user == admin_user
    admin_client.post(url, {**form, "asks_every": "never"})
    assert not Schedule.objects.exists()


def test_an_admin_makes_a_set(admin_client: Client) -> None:
    admin_client.post(reverse(f"{SETS}_add"), {"name": "release", "description": "before each release"})
    assert GoldenSet.objects.get().name == "release"


def test_a_set_that_holds_pairs_stays(admin_client: Client) -> None:
    pair = made_pair("weather", make_target())
    admin_client.post(reverse(f"{SETS}_delete", args=[pair.golden_set_id]), {"post": "yes"})
    assert GoldenSet.objects.count() == 1


@pytest.mark.parametrize("model", ["goldenpair", "pairversion", "report"])
def test_records_are_listed_and_searched(admin_client: Client, model: str) -> None:
    made_pair("weather", make_target())
    assert admin_client.get(reverse(f"admin:evaluation_{model}_changelist"), {"q": "1"}).status_code == 200
