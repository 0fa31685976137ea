"""The settings on one page: bounds, effect on the schedule, and who changed what."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_q.models import Schedule

from selftest.core.judging.findings import CheckName
from selftest.models import Tuning
from selftest.operating.schedule import follow_tuning
from tests.admin.conftest import Submit, text_of

pytestmark = pytest.mark.django_db
PAGE = "/admin/selftest/tuning/"


def test_all_settings_of_the_specification_stand_on_one_page(admin_client: Client) -> None:
    page = text_of(admin_client.get(PAGE))
    for name in (
        "enabled",
        "interval_minutes",
        "batch_size",
        "latency_outlier_multiplier",
        "latency_outlier_floor_ms",
        "latency_outlier_min_samples",
    ):
        assert f'name="{name}"' in page
    assert "Minutes from one cycle to the next: a whole number from 1 to 10080." in page
    for label in (
        "Minutes between cycles",
        "Queries in a cycle",
        "Times its p95",
        "Never slow below (ms)",
        "Runs needed before judging",
    ):
        assert f"{label}:</label>" in page


def test_open_reading_says_what_is_read_without_a_key(admin_client: Client) -> None:
    page = text_of(admin_client.get(PAGE))
    assert "excerpts of answers stay empty" in page
    assert "synthetic queries only" not in page


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("interval_minutes", "0", "greater than or equal to 1"),
        ("interval_minutes", "10081", "less than or equal to 10080"),
        ("interval_minutes", "soon", "Enter a whole number"),
        ("batch_size", "0", "greater than or equal to 1"),
        ("batch_size", "1001", "less than or equal to 1000"),
        ("latency_outlier_multiplier", "0.9", "greater than or equal to 1.0"),
        ("latency_outlier_multiplier", "nan", "Enter a number"),
        ("latency_outlier_multiplier", "inf", "Enter a number"),
        ("latency_outlier_floor_ms", "-1", "greater than or equal to 0"),
        ("latency_outlier_min_samples", "51", "less than or equal to 50"),
        ("latency_outlier_min_samples", "", "required"),
        ("probes_per_query", "21", "less than or equal to 20"),
        ("keep_answers_days", "3651", "less than or equal to 3650"),
        ("probe_hours", "-1", "greater than or equal to 0"),
    ],
)
def test_a_value_out_of_bounds_is_refused_and_changes_nothing(
    submit: Submit, field: str, value: str, said: str
) -> None:
    before = Tuning.get_solo()
    response = submit(PAGE, **{field: value})
    assert said in text_of(response)
    assert getattr(Tuning.get_solo(), field) == getattr(before, field)
    assert Tuning.history.count() == 1


def test_a_changed_interval_moves_the_schedule(submit: Submit) -> None:
    follow_tuning()
    response = submit(PAGE, interval_minutes="15")
    assert "A cycle of 8 runs every 15 min." in text_of(response)
    assert Schedule.objects.get().minutes == 15


def test_a_shorter_interval_brings_the_next_cycle_forward(submit: Submit) -> None:
    follow_tuning()
    Schedule.objects.update(next_run=timezone.now() + timedelta(minutes=60))
    submit(PAGE, interval_minutes="1")
    assert Schedule.objects.get().next_run <= timezone.now() + timedelta(minutes=1)


def test_switching_off_takes_the_schedule_away_and_switching_on_brings_it_back(submit: Submit) -> None:
    follow_tuning()
    off = submit(PAGE, enabled=None)
    assert "nothing is scheduled and nothing is asked" in text_of(off)
    assert not Schedule.objects.exists()
    submit(PAGE, enabled="on")
    assert Schedule.objects.get().minutes == 60


def test_the_environment_wins_and_the_page_says_so(submit: Submit, admin_client: Client, settings: Any) -> None:
    settings.ADVERSARIAL_TEST_ENABLED = False
    page = text_of(admin_client.get(PAGE))
    assert "ADVERSARIAL_TEST_ENABLED=false" in page
    assert "overrides this page" in page
    saved = submit(PAGE, enabled="on", interval_minutes="5")
    assert "Testing stays off" in text_of(saved)
    assert not Schedule.objects.exists()


def test_the_history_says_who_changed_what_from_which_value_to_which(
    submit: Submit, admin_client: Client, admin_user: User
) -> None:
    submit(PAGE, batch_size="12", latency_outlier_multiplier="2.5")
    newest = Tuning.history.latest()
    assert newest.history_user == admin_user
    page = " ".join(text_of(admin_client.get(f"{PAGE}history/")).split())
    assert "<td>admin</td>" in page
    assert "<strong>Batch size</strong>: 8 → 12" in page
    assert "<strong>Latency outlier multiplier</strong>: 1.5 → 2.5" in page


def test_every_check_has_a_box_and_one_that_is_cleared_is_kept_as_switched_off(
    submit: Submit, admin_client: Client
) -> None:
    page = text_of(admin_client.get(PAGE))
    for check in CheckName:
        assert f'value="{check}"' in page
    assert page.count('name="specified_checks"') == 7
    assert page.count('name="other_checks"') == 16
    on = [str(check) for check in list(CheckName)[7:] if check != CheckName.PART_LOST]
    submit(PAGE, specified_checks=[str(check) for check in list(CheckName)[:7]], other_checks=on)
    assert Tuning.get_solo().checks_off == ["part_lost"]
    submit(PAGE, other_checks=[str(check) for check in list(CheckName)[7:]])
    assert Tuning.get_solo().checks_off == []


def test_checks_switched_off_read_as_names_in_the_history(submit: Submit, admin_client: Client) -> None:
    submit(PAGE, specified_checks=["crash", "source_mismatch", "part_count_mismatch"])
    page = " ".join(text_of(admin_client.get(f"{PAGE}history/")).split())
    assert "<strong>Checks switched off</strong>: (empty) → discourse_framing_dropped_kiwix, conditional" in page


def test_relations_and_extra_askings_are_tuned_there_too(submit: Submit) -> None:
    submit(PAGE, explains=None, probes_per_query="0.5", probe_hours="48")
    tuning = Tuning.get_solo()
    assert (tuning.explains, tuning.probes_per_query, tuning.probe_hours) == (False, 0.5, 48.0)


def test_two_people_are_told_apart_in_the_history(submit: Submit, admin_client: Client) -> None:
    submit(PAGE, batch_size="12")
    other = User.objects.create_superuser("second-admin")
    admin_client.force_login(other)
    submit(PAGE, batch_size="13")
    names = [str(record.history_user) for record in Tuning.history.order_by("-history_id")[:2]]
    assert names == ["second-admin", "admin"]


def test_saving_without_a_change_adds_nothing_to_the_history(submit: Submit) -> None:
    submit(PAGE)
    assert Tuning.history.count() == 1


def test_an_earlier_value_cannot_be_put_back_past_the_form(admin_client: Client, submit: Submit) -> None:
    submit(PAGE, batch_size="12")
    version = Tuning.history.earliest().pk
    url = reverse("admin:selftest_tuning_simple_history", args=[1, version])
    assert admin_client.get(url).status_code == 404
    assert admin_client.post(url, {"batch_size": "8"}).status_code == 404
    assert Tuning.get_solo().batch_size == 12


def test_there_is_no_second_row_and_none_is_deleted(admin_client: Client) -> None:
    Tuning.get_solo()
    assert admin_client.get(f"{PAGE}add/").status_code == 403
    assert admin_client.post(f"{PAGE}1/delete/", {"post": "yes"}).status_code == 403
    assert Tuning.objects.count() == 1


def test_a_failing_schedule_leaves_the_settings_as_they_were(submit: Submit, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("no schedule")

    Tuning.get_solo()
    monkeypatch.setattr("selftest.operating.tuning.follow_tuning", fail)
    with pytest.raises(RuntimeError):
        submit(PAGE, interval_minutes="15")
    assert Tuning.get_solo().interval_minutes == 60
