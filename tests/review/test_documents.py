"""`/knowledge/docs/…` and `/knowledge/documentation/…`: documents for reading; and a target's words beside evidence."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.knowledge.documentation_acts import add
from selftest.knowledge.ingestion import documents
from selftest.knowledge.models import Document, Documentation
from selftest.models import Cause, Target
from tests.review import factory
from tests.roles import give

pytestmark = pytest.mark.django_db

SAID = "A query is routed by its keywords: the first keyword decides which source answers."


@pytest.fixture
def viewer(client: Client) -> Client:
    client.force_login(give(User.objects.create_user("vera"), "viewer"))
    return client


def put(target: Target, name: str, text: str) -> str:
    """The address of a document of a target."""
    documentation = Documentation(target=target, name=name, origin="upload", location=name)
    add(documentation, text.encode())
    return f"/knowledge/documentation/{documentation.pk}/{name}"


def test_a_readme_is_a_page_whose_headings_search_leads_to(viewer: Client) -> None:
    response = viewer.get("/knowledge/docs/selftest/README.md")
    assert response.status_code == 200
    text = response.content.decode()
    assert "<h1>The engine: a map</h1>" in text
    assert 'id="doc-where-to-add"' in text
    assert "default-src" in response.headers["Content-Security-Policy"]


def test_every_address_of_an_own_section_is_on_its_page(viewer: Client) -> None:
    for document in documents().documents:
        for chunk in document.chunks:
            if chunk.url.startswith("/knowledge/"):
                page, _, anchor = chunk.url.partition("#")
                text = viewer.get(page).content.decode()
                assert not anchor or f'id="{anchor}"' in text


def test_every_address_of_a_doctor_check_is_on_the_page_of_health(viewer: Client) -> None:
    text = viewer.get("/status").content.decode()
    [doctor] = [one for one in documents().documents if one.path == "doctor"]
    for chunk in doctor.chunks:
        assert text.count(f' id="{chunk.url.partition("#")[2]}"') <= 1
    assert 'id="GF001"' in text


@pytest.mark.parametrize(
    "path", ["manage.py", "../etc/passwd", "%2e%2e/etc/passwd", "no.md", "selftest/knowledge/seeds/doctor.en.json"]
)
def test_nothing_else_of_this_machine_is_a_page(viewer: Client, path: str) -> None:
    assert viewer.get(f"/knowledge/docs/{path}").status_code == 404


def test_a_targets_document_is_a_page_without_anything_of_its_own_that_runs(viewer: Client) -> None:
    hostile = '# A <script>alert("t")</script>\n\n<script>alert(1)</script> ![x](https://evil.example/x.png)'
    address = put(factory.a_target(), "a.md", hostile)
    text = viewer.get(address).content.decode()
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert "evil.example" not in text


def test_a_description_of_an_api_is_a_page_of_its_operations(viewer: Client) -> None:
    hostile = '{"openapi": "3", "paths": {"/<script>alert(1)": {"get": {"summary": "<script>alert(2)</script>"}}}}'
    address = put(factory.a_target(), "a.json", hostile)
    text = viewer.get(address).content.decode()
    assert 'id="doc-get-script-alert-1"' in text
    assert "<script>alert" not in text


def test_links_between_documents_of_a_target_stay_there(viewer: Client) -> None:
    address = put(factory.a_target(), "a.md", "[self](a.md#x) [own](README.md)")
    text = viewer.get(address).content.decode()
    assert f'href="{address}#doc-x"' in text
    assert "README.md</a>" not in text


def test_a_document_that_is_gone_is_not_found(viewer: Client) -> None:
    address = put(factory.a_target(), "a.md", "# A")
    Document.objects.all().delete()
    assert viewer.get(address).status_code == 404


@pytest.mark.parametrize("place", ["99999999999999999999/a.md", "1/nul%00.md"])
def test_what_no_database_can_hold_is_not_found(viewer: Client, place: str) -> None:
    assert viewer.get(f"/knowledge/documentation/{place}").status_code == 404


def test_only_reading_is_allowed_and_only_to_those_with_a_role(client: Client, viewer: Client) -> None:
    assert viewer.post("/knowledge/docs/README.md").status_code == 405
    client.force_login(User.objects.create_user("nell"))
    assert client.get("/knowledge/docs/README.md").status_code == 403


def test_the_targets_own_words_stand_beside_the_evidence(viewer: Client) -> None:
    combination = factory.flagged("tell me about comets", factory.finding(CheckName.SOURCE_MISMATCH))
    page = f"/combinations/{combination.pk}"
    assert 'class="promise"' not in viewer.get(page).content.decode()
    put(combination.target, "reference.md", f"# Routing\n\n{SAID}")
    text = viewer.get(page).content.decode()
    assert SAID in text
    assert "/reference.md#doc-routing" in text


def test_a_cause_cites_them_on_its_page_and_in_the_api(viewer: Client) -> None:
    combination = factory.flagged("tell me about comets", factory.finding(CheckName.SOURCE_MISMATCH))
    assign_causes(combination.target, timezone.now())
    cause = Cause.objects.get()
    address = put(combination.target, "reference.md", f"# Routing\n\n{SAID}")
    assert SAID in viewer.get(f"/causes/{cause.pk}").content.decode()
    assert viewer.get(f"/api/v1/causes/{cause.pk}").json()["promise_source"] == {
        "text": SAID,
        "document": "reference.md",
        "anchor": "routing",
        "url": f"{address}#doc-routing",
    }
