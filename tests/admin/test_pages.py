"""Every page is there, with rows behind it, and holds to the strict CSP."""

import re

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django_q.models import Failure, Schedule

from selftest.models import (
    ApiKey,
    Channel,
    Combination,
    Cycle,
    Delivery,
    Flag,
    Notice,
    ReviewEvent,
    Run,
    Target,
    Tuning,
    VocabularyVersion,
)
from selftest.operating.keys import make_api_key
from selftest.operating.notices.events import Event, tell
from selftest.operating.schedule import follow_tuning
from tests.admin.conftest import page_of, text_of
from tests.engine.conftest import NOW

RECORDS = (Cycle, Run, Combination, Flag, ReviewEvent)
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=\"|<script(?![^>]*\ssrc=)", re.I)


def _holds_to_the_csp(html: str) -> bool:
    return INLINE.search(re.sub(r"<pre.*?</pre>", "", html, flags=re.S)) is None


def test_every_list_and_every_row_has_a_page(admin_client: Client, history: Cycle, http_target: Target) -> None:
    make_api_key("nightly script")
    follow_tuning()
    Channel.objects.create(name="team", kind="apprise", url="json://127.0.0.1:9/", created_at=NOW)
    tell(Event(Notice.Kind.CAUSE_NEW, "event", "New cause", "/", NOW), NOW)
    for model in (*RECORDS, Channel, Delivery, Target, VocabularyVersion, ApiKey, Schedule):
        listing = admin_client.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"))
        assert listing.status_code == 200, model
        assert _holds_to_the_csp(text_of(listing)), model
        rows = model._default_manager.all()
        assert rows, f"no {model.__name__} to look at"
        for row in rows:
            page = admin_client.get(page_of(row))
            assert page.status_code == 200, row
            assert _holds_to_the_csp(text_of(page)), row


@pytest.mark.django_db
def test_every_list_has_a_page_before_anything_was_recorded(admin_client: Client) -> None:
    for model in (*RECORDS, Channel, Delivery, Target, VocabularyVersion, ApiKey, Schedule, Failure):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        assert admin_client.get(reverse(name)).status_code == 200, model


def test_pages_of_changes_and_forms_hold_to_the_csp(admin_client: Client, target: Target) -> None:
    for url in (
        reverse("admin:index"),
        reverse("admin:selftest_tuning_changelist"),
        reverse("admin:selftest_tuning_history", args=[Tuning.get_solo().pk]),
        reverse("admin:selftest_target_add"),
        reverse("admin:selftest_channel_add"),
        reverse("admin:selftest_target_history", args=[target.pk]),
        reverse("admin:selftest_target_vocabulary", args=[target.pk]),
        reverse("admin:selftest_apikey_add"),
    ):
        page = admin_client.get(url)
        assert page.status_code == 200, url
        assert _holds_to_the_csp(text_of(page)), url
        assert "script-src 'self'" in page["Content-Security-Policy"]


def test_no_model_is_left_with_a_page_that_can_break_the_schedule() -> None:
    registered = {model.__name__ for model in admin.site._registry}
    assert {"Success", "OrmQ"}.isdisjoint(registered)
    assert {"Schedule", "Failure", "Tuning", "Target"} <= registered
