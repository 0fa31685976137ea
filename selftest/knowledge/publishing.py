"""Puts documents and their pieces in place of what is searched now, as a difference, in one transaction.

Until it is committed, search answers from what was there before.
"""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from selftest.knowledge.index.writing import Written, drop, put_all, wait_alone
from selftest.knowledge.ingestion import ReadDocument
from selftest.knowledge.models import Chunk, Document, Documentation
from selftest.knowledge.promises import note_promises

Place = tuple[int | None, str]
"""The documentation of a document, and its path there."""


def publish(documents: Sequence[ReadDocument], of: Documentation | None = None, kept: Iterable[Place] = ()) -> Written:
    """These documents, and no others. of: of this documentation alone; None: all that there are.

    kept: those that could not be read this time, and stay as they are.
    """
    with transaction.atomic():
        wait_alone()
        scope = Document.objects.all() if of is None else Document.objects.filter(documentation=of)
        present = {_place_of(row): row for row in scope.defer("content")}
        stays = {present[place].pk for place in kept if place in present}
        rows = {_place(one): _put_document(one, present.get(_place(one))) for one in documents}
        pieces = Chunk.objects.filter(document__in=scope).exclude(document__in=stays)
        before = set(pieces.values_list("key", flat=True))
        written = put_all((chunk, rows[_place(one)]) for one in documents for chunk in one.chunks)
        kept_keys = {chunk.id for one in documents for chunk in one.chunks}
        written += Written(removed=drop(before - kept_keys))
        scope.exclude(Q(pk__in=[row.pk for row in rows.values()]) | Q(pk__in=stays)).delete()
        note_promises((rows[_place(one)].pk, one) for one in documents if one.documentation is not None)
    return written


def withdraw(documentation: Documentation) -> int:
    """Takes all of a documentation out of the index; how many pieces it had. Its row may be deleted afterwards."""
    with transaction.atomic():
        wait_alone()
        pieces = Chunk.objects.filter(document__documentation=documentation)
        return drop(set(pieces.values_list("key", flat=True)))


def _place(document: ReadDocument) -> Place:
    return (document.documentation.pk if document.documentation else None, document.path)


def _place_of(row: Document) -> Place:
    return (row.documentation_id, row.path)


def _put_document(document: ReadDocument, row: Document | None) -> Document:
    """Its row, written where it has changed."""
    if row is None:
        row = Document(path=document.path, documentation=document.documentation)
    elif (row.sha256, row.title, row.language, row.media_type) == (
        document.sha256, document.title, document.language, document.media_type,
    ):  # fmt: skip
        return row
    row.media_type, row.title, row.language = document.media_type, document.title, document.language
    row.sha256, row.content, row.read_at = document.sha256, document.content, timezone.now()
    row.save()
    return row
