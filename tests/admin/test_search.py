"""Search in the admin: the settings in force with their history, and ratings and alerts that no one changes."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_q.models import Schedule

from selftest.knowledge.models import Feedback, QualityAlert, SearchSettings
from tests.admin.conftest import page_of, shown_values, text_of

pytestmark = pytest.mark.django_db

SETTINGS = "admin:knowledge_searchsettings_changelist"


def test_what_an_admin_sets_is_in_force_and_the_history_says_by_whom(admin_client: Client, admin_user: User) -> None:
    url = reverse(SETTINGS)
    form = shown_values(admin_client.get(url))
    assert (form["monitor"], "popularity_boost" in form) == ("on", False)
    answer = admin_client.post(url, {**form, "popularity_boost": "on", "popularity_weight": "0.2"}, follow=True)
    assert "The quality of searches is watched once a day." in text_of(answer)
    assert SearchSettings.get_solo().popularity_weight == 0.2
    assert Schedule.objects.get().func == "selftest.tasks.watch_searches"
    assert SearchSettings.history.latest().history_user == admin_user
    del form["monitor"]
    answer = admin_client.post(url, form, follow=True)
    assert "The quality of searches is not watched." in text_of(answer)
    assert not Schedule.objects.exists()


def test_a_similarity_that_makes_no_sense_is_refused(admin_client: Client) -> None:
    url = reverse(SETTINGS)
    form = shown_values(admin_client.get(url))
    answer = admin_client.post(url, {**form, "fuzzy_similarity": "1.5"})
    assert "less than or equal to 1.0" in text_of(answer)
    assert SearchSettings.get_solo().fuzzy_similarity == 0.3


def test_a_rating_and_an_alert_are_shown_as_text(admin_client: Client) -> None:
    now = timezone.now()
    rating = Feedback.objects.create(
        at=now, actor="otto", query_sha256="a" * 64, chunk_key="docs:1", chunk_kind="docs", rating="down",
        comment="<script>alert(1)</script>",
    )  # fmt: skip
    alert = QualityAlert.objects.create(kind="slow", opened_at=now)
    assert "<script>alert(1)" not in text_of(admin_client.get(page_of(rating)))
    assert "&lt;script&gt;alert(1)" in text_of(admin_client.get(page_of(rating)))
    assert "Searches are slow" in text_of(admin_client.get(page_of(alert)))


def test_the_key_of_a_model_goes_in_and_never_out(admin_client: Client) -> None:
    url = reverse(SETTINGS)
    form = shown_values(admin_client.get(url))
    refused = admin_client.post(url, {**form, "rephrase": "on"})
    assert "A language model that is switched on needs this." in text_of(refused)
    model = {
        "rephrase": "on",
        "model_url": "https://model.example/v1",
        "model_name": "m",
        "new_model_key": "sesame-4711",
    }
    answer = admin_client.post(url, {**form, **model}, follow=True)
    assert "sesame-4711" not in text_of(answer)
    assert SearchSettings.get_solo().model_key == "sesame-4711"
    admin_client.post(url, {**form, "clear_model_key": "on"})
    assert SearchSettings.get_solo().model_key == ""


def test_an_encoder_needs_its_folder(admin_client: Client) -> None:
    url = reverse(SETTINGS)
    answer = admin_client.post(url, {**shown_values(admin_client.get(url)), "encoder": "onnx"})
    assert "Name the folder that holds the encoder." in text_of(answer)


def test_a_folder_that_holds_no_encoder_is_refused_with_the_reason(admin_client: Client, tmp_path: Path) -> None:
    url = reverse(SETTINGS)
    form = {**shown_values(admin_client.get(url)), "encoder": "onnx", "onnx_folder": str(tmp_path)}
    assert f"{tmp_path} has no model.onnx." in text_of(admin_client.post(url, form))
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_text("{}")
    assert f"{tmp_path} cannot be used: " in text_of(admin_client.post(url, form))
    assert SearchSettings.get_solo().encoder == "hash"
