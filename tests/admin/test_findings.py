"""Findings in the admin: the settings in force, and records that no one changes."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django_q.models import Schedule

from selftest.findings.models import Act, Finding, FindingSettings, Proposal
from selftest.findings.schedule import EXAMPLES, SWEEP, follow_settings
from tests.admin.conftest import page_of, shown_values, text_of
from tests.findings.conftest import ALWAYS, NEVER, VERA, save

pytestmark = pytest.mark.django_db

SETTINGS = "admin:findings_findingsettings_changelist"


def saved(client: Client, **changes: Any) -> Any:
    url = reverse(SETTINGS)
    return client.post(url, {**shown_values(client.get(url)), **changes})


def test_the_sweep_is_switched_off_with_its_schedule(admin_client: Client) -> None:
    follow_settings()
    assert Schedule.objects.filter(name=SWEEP).exists()
    form = shown_values(admin_client.get(reverse(SETTINGS)))
    form.pop("sweeps")
    admin_client.post(reverse(SETTINGS), form)
    assert not Schedule.objects.filter(name=SWEEP).exists()
    assert not FindingSettings.get_solo().sweeps


def test_the_checks_of_examples_are_switched_off_with_0_and_too_few_requests_are_refused(admin_client: Client) -> None:
    follow_settings()
    assert "0, or at least 10" in text_of(saved(admin_client, example_requests="9"))
    assert "are not checked" in text_of(admin_client.get(saved(admin_client, example_requests="0").url))
    assert not Schedule.objects.filter(name=EXAMPLES).exists()


def test_the_profile_is_chosen_and_the_history_says_by_whom(admin_client: Client, admin_user: User) -> None:
    saved(admin_client, profile="v1")
    assert FindingSettings.get_solo().profile == "v1"
    assert FindingSettings.history.latest().history_user == admin_user


def test_the_model_s_key_goes_in_and_never_comes_out(admin_client: Client) -> None:
    saved(admin_client, model_url="http://127.0.0.1:9/v1", model_name="tiny", new_model_key="very secret")
    assert FindingSettings.get_solo().model_key == "very secret"
    page = text_of(admin_client.get(reverse(SETTINGS)))
    assert "very secret" not in page
    assert "One is set." in page
    saved(admin_client, profile="v1")
    assert FindingSettings.get_solo().model_key == "very secret"
    saved(admin_client, clear_model_key="on")
    assert FindingSettings.get_solo().model_key == ""


def test_an_endpoint_without_a_model_is_refused(admin_client: Client) -> None:
    assert "Name the model" in text_of(saved(admin_client, model_url="http://127.0.0.1:9/v1"))
    assert FindingSettings.get_solo().model_url == ""


def test_records_have_pages(admin_client: Client) -> None:
    loser, winner = save(ALWAYS).finding, save(NEVER).finding
    Proposal.objects.create(loser=loser, winner=winner, origin="model", created_at=winner.created_at, actor=VERA.name)
    for model in (Finding, Act, Proposal):
        listing = admin_client.get(reverse(f"admin:findings_{model._meta.model_name}_changelist"))
        assert listing.status_code == 200, model
        for row in model._default_manager.all():
            assert admin_client.get(page_of(row)).status_code == 200, row
