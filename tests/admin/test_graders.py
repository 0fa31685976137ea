"""What people set of graders in the admin: thresholds with a reason, terms, the entailment model, the judge."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from selftest.evaluation.core.samples import Term
from selftest.evaluation.graders_in_force import NAMES, graders_of_batches, graders_of_runs
from selftest.evaluation.models import GraderSettings, TargetTerm, Threshold, terms_of, thresholds
from selftest.models import Target
from tests.admin.conftest import page_of, shown_values, text_of
from tests.evaluation.graders.tiny_model import write_model

pytestmark = pytest.mark.django_db

ADD_THRESHOLD, ADD_TERM = "admin:evaluation_threshold_add", "admin:evaluation_targetterm_add"
SETTINGS = "admin:evaluation_gradersettings_changelist"


def posted(client: Client, url: str, **changes: Any) -> Any:
    return client.post(url, {**shown_values(client.get(url)), **changes})


def test_a_threshold_is_set_and_its_history_says_who_and_why(admin_client: Client, admin_user: User) -> None:
    posted(admin_client, reverse(ADD_THRESHOLD), grader="faithfulness", value="0.8", why="as calibrated")
    row = Threshold.objects.get()
    assert thresholds() == {"faithfulness": 0.8}
    posted(admin_client, page_of(row), value="0.7", why="too many alarms")
    newest, oldest = row.history.all()
    assert (newest.value, newest.why, newest.history_user) == (0.7, "too many alarms", admin_user)
    assert (oldest.value, oldest.why) == (0.8, "as calibrated")
    listed = text_of(admin_client.get(reverse("admin:evaluation_threshold_history", args=[row.pk])))
    assert "too many alarms" in listed
    assert admin_user.username in listed


def test_a_change_needs_a_reason_of_its_own(admin_client: Client) -> None:
    row = Threshold.objects.create(grader="faithfulness", value=0.8, why="as calibrated")
    assert "This field is required" in text_of(posted(admin_client, page_of(row), value="0.7"))
    row.refresh_from_db()
    assert row.value == 0.8


@pytest.mark.parametrize("value", ["1.1", "-0.1", "much", "nan"])
def test_a_threshold_is_a_share(admin_client: Client, value: str) -> None:
    posted(admin_client, reverse(ADD_THRESHOLD), grader="faithfulness", value=value, why="why not")
    assert thresholds() == {}


def test_a_threshold_is_of_a_known_grader_and_there_is_one_for_each(admin_client: Client) -> None:
    posted(admin_client, reverse(ADD_THRESHOLD), grader="luck", value="0.5", why="why not")
    assert thresholds() == {}
    for value in ("0.5", "0.6"):
        posted(admin_client, reverse(ADD_THRESHOLD), grader="judge", value=value, why="why not")
    assert thresholds() == {"judge": 0.5}


def test_the_terms_of_a_target_are_its_dictionary(admin_client: Client, target: Target) -> None:
    rivals = " registry \r\n\r\nproduct   catalogue\r\nregistry"
    posted(admin_client, reverse(ADD_TERM), target=target.pk, name="item registry", rivals=rivals)
    assert terms_of(target.pk) == (Term("item registry", ("registry", "product catalogue")),)
    assert TargetTerm.history.count() == 1
    assert "registry, product catalogue" in text_of(admin_client.get(reverse("admin:evaluation_targetterm_changelist")))


@pytest.mark.parametrize("rivals", ["\n \n", "Item  Registry"])
def test_a_term_has_rivals_other_than_itself(admin_client: Client, target: Target, rivals: str) -> None:
    posted(admin_client, reverse(ADD_TERM), target=target.pk, name="item registry", rivals=rivals)
    assert not TargetTerm.objects.exists()


def test_the_judge_s_key_goes_in_and_never_comes_out(admin_client: Client) -> None:
    url = reverse(SETTINGS)
    posted(admin_client, url, judge_url="http://127.0.0.1:9/v1", judge_model="tiny", new_judge_key="very secret")
    assert GraderSettings.get_solo().judge_key == "very secret"
    page = text_of(admin_client.get(url))
    assert "very secret" not in page
    assert "One is set." in page
    posted(admin_client, url, judge_timeout_s="20")
    assert GraderSettings.get_solo().judge_key == "very secret"
    posted(admin_client, url, clear_judge_key="on")
    assert GraderSettings.get_solo().judge_key == ""


def test_a_judge_that_is_on_has_an_endpoint_and_a_model(admin_client: Client) -> None:
    assert not GraderSettings.get_solo().judge_is_on
    assert "switched on needs this" in text_of(posted(admin_client, reverse(SETTINGS), judge_is_on="on"))
    assert not GraderSettings.get_solo().judge_is_on


def test_a_folder_without_a_model_is_refused_at_once(admin_client: Client, tmp_path: Path) -> None:
    assert "config.json cannot be read" in text_of(posted(admin_client, reverse(SETTINGS), nli_folder=str(tmp_path)))
    assert GraderSettings.get_solo().nli_folder == ""


def test_what_is_set_decides_which_graders_look_at_a_batch(
    admin_client: Client, target: Target, tmp_path: Path
) -> None:
    names = [grader.name for grader in graders_of_runs(target)]
    assert [grader.name for grader in graders_of_batches(target)] == names
    folder = str(write_model(tmp_path / "model"))
    endpoint = {"judge_is_on": "on", "judge_url": "http://127.0.0.1:9/v1", "judge_model": "tiny"}
    posted(admin_client, reverse(SETTINGS), nli_folder=folder, **endpoint)
    assert [grader.name for grader in graders_of_batches(target)] == list(NAMES)
    assert [grader.name for grader in graders_of_runs(target)] == names
