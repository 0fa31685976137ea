"""Probes and explained findings in the admin: read only, whole and as text."""

import pytest
from django.test import Client
from django.urls import reverse

from selftest.models import Explanation, Probe, Run
from tests.admin.conftest import page_of, text_of
from tests.review import factory

pytestmark = pytest.mark.django_db
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def run() -> Run:
    return factory.ask(factory.make_combination("are the services up and what is new"))


def test_a_probe_stands_there_with_its_whole_answer(admin_client: Client, run: Run) -> None:
    probe = factory.probe(run, f"are the services up {SCRIPT}", "uptime", "could not connect")
    Probe.objects.update(result=f"Could not connect.\n{SCRIPT}")
    listing = text_of(
        admin_client.get(reverse("admin:selftest_probe_changelist"), {"q": "=services", "purpose": "part"})
    )
    assert "uptime" in text_of(admin_client.get(reverse("admin:selftest_probe_changelist")))
    page = text_of(admin_client.get(page_of(probe)))
    assert "Could not connect.\n&lt;script&gt;" in page
    assert SCRIPT not in page + listing


def test_an_explained_finding_stands_there_with_what_it_rests_on(admin_client: Client, run: Run) -> None:
    row = factory.explanation(run, seen=SCRIPT)
    assert "uptime" in text_of(admin_client.get(reverse("admin:selftest_explanation_changelist")))
    page = text_of(admin_client.get(page_of(row)))
    assert "are the services up" in page
    assert "Could not connect." in page
    assert SCRIPT not in page


def test_neither_is_changed_added_or_deleted(admin_client: Client, run: Run) -> None:
    for row in (factory.probe(run, "are the services up", "uptime"), factory.explanation(run)):
        name = f"admin:selftest_{row._meta.model_name}"
        assert admin_client.post(page_of(row), {"source": "x"}).status_code == 403
        assert admin_client.post(reverse(f"{name}_add"), {}).status_code == 403
        assert admin_client.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert (Probe.objects.get().source, Explanation.objects.get().source) == ("uptime", "uptime")
