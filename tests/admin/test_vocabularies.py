"""Vocabularies: refused whole or in force, compared with the one before, put in force again, never changed."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from selftest.models import Target, VocabularyVersion
from selftest.operating.vocabularies import import_vocabulary
from selftest.reading.queue import queue_revision
from tests.admin.conftest import page_of, text_of
from tests.vocabularies import example_document


def _import(client: Client, target: Target, document: object, **more: Any) -> Any:
    text = document if isinstance(document, str) else json.dumps(document)
    url = reverse("admin:selftest_target_vocabulary", args=[target.pk])
    return client.post(url, {"document": text, **more}, follow=True)


def _again(version: VocabularyVersion) -> str:
    return reverse("admin:selftest_vocabularyversion_again", args=[version.pk])


def _changed() -> dict[str, Any]:
    document = example_document()
    document["sources"]["news"].append("<i>latest</i> bulletins")
    return document


def _numbers_in_force(target: Target) -> list[int]:
    return list(target.vocabularies.filter(in_force=True).values_list("number", flat=True))


def test_a_document_that_holds_is_in_force_at_once(admin_client: Client, admin_user: User, target: Target) -> None:
    response = _import(admin_client, target, _changed())
    assert "Version 2 is in force." in text_of(response)
    assert _numbers_in_force(target) == [2]
    assert target.vocabularies.get(number=2).created_by == admin_user


def test_the_same_document_changes_nothing_and_says_so(admin_client: Client, target: Target) -> None:
    reordered = dict(reversed(example_document().items()))
    response = _import(admin_client, target, reordered)
    assert "Version 1 was in force already" in text_of(response)
    assert target.vocabularies.count() == 1


def test_what_lists_remember_is_read_again_under_another_document_only(target: Target) -> None:
    before = queue_revision()
    import_vocabulary(target, example_document())
    assert queue_revision() == before
    import_vocabulary(target, _changed())
    assert queue_revision() != before


def test_a_document_that_does_not_hold_is_refused_with_each_fault_by_its_key(
    admin_client: Client, target: Target
) -> None:
    document = example_document()
    document["sources"]["news"][3] = "  "
    del document["headers"]["web"]
    document["nosplit_phrase"] = []
    page = text_of(_import(admin_client, target, document))
    assert "Refused: 3 faults." in page
    assert "Version 1 stays in force." in page
    assert "<code>sources.news[3]</code></th><td>empty phrase" in page
    assert "<code>headers.web</code>" in page
    assert "<code>nosplit_phrase</code></th><td>unknown key; did you mean &#x27;nosplit_phrases&#x27;?" in page
    assert _numbers_in_force(target) == [1]
    assert target.vocabularies.count() == 1


def test_what_was_typed_is_there_to_be_mended(admin_client: Client, target: Target) -> None:
    page = text_of(_import(admin_client, target, '{"name": "</textarea><b>half done</b>"}'))
    assert "half done&lt;/b&gt;" in page


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("", "Give a file, or paste a document."),
        ('{"name": ', "Not JSON: line 1, column 10"),
        ("[" * 100_000, "Nested too deeply"),
        ("1" * 5_000, "Not JSON that can be read"),
        ("[]", "an object is needed, not a list"),
        ("NaN", "an object is needed, not a number"),
        ('{"\\ud800": 1}', "unknown key"),
    ],
)
def test_what_is_no_document_is_refused_and_said_why(
    admin_client: Client, target: Target, document: str, said: str
) -> None:
    response = _import(admin_client, target, document)
    assert response.status_code == 200
    assert said in text_of(response)
    assert _numbers_in_force(target) == [1]


def test_a_file_wins_over_the_text(admin_client: Client, target: Target) -> None:
    file = SimpleUploadedFile("vocabulary.json", b"\xef\xbb\xbf" + json.dumps(_changed()).encode())
    _import(admin_client, target, example_document(), file=file)
    assert target.vocabularies.get(in_force=True).content == _changed()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xff\xfe{", "Not UTF-8 text: byte 0"), (b" " * (1024 * 1024 + 1), "a vocabulary has 1,048,576 at most")],
)
def test_a_file_that_cannot_be_read_is_refused(admin_client: Client, target: Target, content: bytes, said: str) -> None:
    response = _import(admin_client, target, "", file=SimpleUploadedFile("vocabulary.json", content))
    assert said in text_of(response)


def test_the_form_begins_with_what_is_in_force(admin_client: Client, target: Target, http_target: Target) -> None:
    page = admin_client.get(reverse("admin:selftest_target_vocabulary", args=[target.pk]))
    assert json.loads(page.context["form"]["document"].value()) == example_document()
    empty = admin_client.get(reverse("admin:selftest_target_vocabulary", args=[http_target.pk]))
    assert empty.context["form"]["document"].value() == ""
    assert "No version is in force yet." in text_of(empty)


def test_a_bundled_target_without_one_is_offered_its_own(admin_client: Client, db: None) -> None:
    bare = Target.objects.create(name="bare", kind=Target.Kind.REFERENCE)
    url = reverse("admin:selftest_target_vocabulary", args=[bare.pk])
    offered = admin_client.get(url).context["form"]["document"].value()
    _import(admin_client, bare, offered)
    assert _numbers_in_force(bare) == [1]


def test_a_version_shows_what_it_changed_with_signs_and_as_text(admin_client: Client, target: Target) -> None:
    version, _ = import_vocabulary(target, _changed())
    page = text_of(admin_client.get(page_of(version)))
    assert '<tr class="added"><td class="sign">+</td>' in page
    assert "&lt;i&gt;latest&lt;/i&gt; bulletins" in page
    assert "<i>latest</i>" not in page
    assert "bundled vocabulary 1 (−) → bundled vocabulary 2 (+)" in page


def test_the_first_version_has_nothing_to_be_compared_with(admin_client: Client, target: Target) -> None:
    assert "none: it is the first version" in text_of(admin_client.get(page_of(target.vocabularies.get())))


def test_an_earlier_version_is_put_in_force_again_as_a_new_one(
    admin_client: Client, admin_user: User, target: Target
) -> None:
    first = target.vocabularies.get()
    import_vocabulary(target, _changed())
    asked = text_of(admin_client.get(_again(first)))
    assert '<tr class="removed"><td class="sign">-</td>' in asked
    assert _numbers_in_force(target) == [2]  # looking changes nothing
    response = admin_client.post(_again(first), follow=True)
    assert "Version 3 is in force, with the content of version 1." in text_of(response)
    third = target.vocabularies.get(in_force=True)
    assert (third.number, third.content, third.created_by) == (3, first.content, admin_user)
    assert target.vocabularies.count() == 3


def test_the_version_in_force_is_not_put_in_force_twice(admin_client: Client, target: Target) -> None:
    version = target.vocabularies.get()
    assert "This version is already in force" in text_of(admin_client.get(_again(version)))
    assert "nothing changed" in text_of(admin_client.post(_again(version), follow=True))
    assert target.vocabularies.count() == 1


def test_an_earlier_version_that_no_longer_holds_is_refused(admin_client: Client, target: Target) -> None:
    first = target.vocabularies.get()
    import_vocabulary(target, _changed())
    VocabularyVersion.objects.filter(pk=first.pk).update(content={"name": "of another time"})
    response = admin_client.post(_again(first), follow=True)
    assert "Refused; the one in force stays." in text_of(response)
    assert _numbers_in_force(target) == [2]


def test_a_version_is_never_edited_added_or_deleted_by_hand(admin_client: Client, target: Target) -> None:
    version = target.vocabularies.get()
    assert admin_client.post(page_of(version), {"number": "9"}).status_code == 403
    assert admin_client.get(reverse("admin:selftest_vocabularyversion_add")).status_code == 403
    deletion = reverse("admin:selftest_vocabularyversion_delete", args=[version.pk])
    assert admin_client.post(deletion, {"post": "yes"}).status_code == 403
    version.refresh_from_db()
    assert version.number == 1


def test_the_list_says_which_is_in_force_for_which_target(admin_client: Client, target: Target) -> None:
    import_vocabulary(target, _changed())
    listing = admin_client.get(reverse("admin:selftest_vocabularyversion_changelist"), {"in_force__exact": "1"})
    assert [row.number for row in listing.context["cl"].result_list] == [2]
