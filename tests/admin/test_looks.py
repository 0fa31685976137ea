"""How the admin looks: times as the pages write them, one choice of colours, and the ways back to the pages."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from selftest.models import Cycle
from tests.admin.conftest import page_of, text_of

AFTERNOON = datetime(2026, 3, 9, 15, 4, 5, tzinfo=UTC)


def test_times_have_24_hours_and_their_zone(admin_client: Client, history: Cycle) -> None:
    Cycle.objects.filter(pk=history.pk).update(started_at=AFTERNOON, finished_at=AFTERNOON)
    for path in ("/admin/selftest/cycle/", page_of(history)):
        text = text_of(admin_client.get(path))
        assert "2026-03-09 15:04:05 UTC" in text, path
        assert "p.m." not in text, path


def test_the_story_of_a_user_has_such_times_too(admin_client: Client, admin_user: User) -> None:
    User.objects.filter(pk=admin_user.pk).update(date_joined=AFTERNOON)
    assert "2026-03-09 15:04:05 UTC" in text_of(admin_client.get(f"/admin/auth/user/{admin_user.pk}/change/"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_choice_of_the_profile_holds_here(admin_client: Client, theme: str) -> None:
    assert '<meta name="color-scheme" content="light dark">' in text_of(admin_client.get("/admin/"))
    admin_client.post("/profile", {"theme": theme, "keyboard": "on"})
    for path in ("/admin/", "/admin/auth/user/add/", "/admin/selftest/tuning/"):
        markup = text_of(admin_client.get(path, follow=True))
        assert f'<meta name="color-scheme" content="{theme}">' in markup, path
        assert "theme.js" not in markup, path  # Django's own choice, which the pages know nothing of
        assert "dark_mode.css" not in markup, path


def test_it_leads_back_to_the_inbox_and_to_ones_profile(admin_client: Client) -> None:
    markup = text_of(admin_client.get("/admin/"))
    assert '<a href="/">Back to the inbox</a>' in markup
    assert '<a href="/profile"' in markup
