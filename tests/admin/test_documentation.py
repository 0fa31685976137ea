"""Documentation of targets in the admin: added, read again, described otherwise, removed."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from selftest.knowledge.models import Chunk, Documentation
from selftest.models import Target
from tests.admin.conftest import text_of

ADD = "/admin/knowledge/documentation/add/"


def _add(client: Client, target: Target, name: str, content: bytes, **more: str) -> Any:
    form = {"target": target.pk, "name": "manual", "origin": "upload", "language": "en", **more}
    return client.post(ADD, {**form, "file": SimpleUploadedFile(name, content)}, follow=True)


def test_an_upload_is_read_at_once(admin_client: Client, target: Target) -> None:
    assert "1 pieces are new" in text_of(_add(admin_client, target, "a.md", b"# A\n\nText."))
    documentation = Documentation.objects.get()
    assert (documentation.location, documentation.target) == ("a.md", target)
    assert Chunk.objects.get().body == "Text."


def test_what_cannot_be_read_is_refused_with_the_reason(admin_client: Client, target: Target) -> None:
    text = text_of(_add(admin_client, target, "a.yaml", b"a: &a [*a]"))
    assert "Refused; nothing was changed. A.yaml: the alias" in text
    assert not Documentation.objects.exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [({"origin": "folder"}, "Say where the documentation is."), ({"origin": "url"}, "Say where the documentation is.")],
)
def test_what_is_missing_is_said(admin_client: Client, target: Target, more: dict[str, str], said: str) -> None:
    assert said in text_of(_add(admin_client, target, "a.md", b"# A", **more))


def test_a_newer_file_is_read_in_place_of_the_old(admin_client: Client, target: Target) -> None:
    _add(admin_client, target, "a.md", b"# A\n\nText.")
    again = reverse("admin:knowledge_documentation_again", args=[Documentation.objects.get().pk])
    assert admin_client.get(again).status_code == 200
    response = admin_client.post(again, {"file": SimpleUploadedFile("a.md", b"# A\n\nOther.")}, follow=True)
    assert "Read: 1 pieces are new, 0 changed, 1 are gone." in text_of(response) or "0 are gone" in text_of(response)
    assert Chunk.objects.get().body == "Other."


def test_what_is_said_of_it_is_said_of_its_pieces(admin_client: Client, target: Target) -> None:
    _add(admin_client, target, "a.md", b"# A\n\nText.")
    change = reverse("admin:knowledge_documentation_change", args=[Documentation.objects.get().pk])
    assert "Read again" in text_of(admin_client.get(change))
    admin_client.post(change, {"name": "manual", "version": "2.0", "language": "de"})
    piece = Chunk.objects.get()
    assert (piece.version, piece.language) == ("2.0", "de")


def test_removed_in_the_list_or_on_its_page_nothing_of_it_is_left(admin_client: Client, target: Target) -> None:
    _add(admin_client, target, "a.md", b"# A\n\nText.")
    pk = Documentation.objects.get().pk
    admin_client.post(reverse("admin:knowledge_documentation_delete", args=[pk]), {"post": "yes"})
    assert not Chunk.objects.exists()
    _add(admin_client, target, "a.md", b"# A\n\nText.")
    listed = reverse("admin:knowledge_documentation_changelist")
    chosen = {"action": "delete_selected", "_selected_action": [Documentation.objects.get().pk], "post": "yes"}
    admin_client.post(listed, chosen)
    assert not Documentation.objects.exists()
    assert not Chunk.objects.exists()
