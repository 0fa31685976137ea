"""What a target's own documentation says about the promise of a check: found when it is read, shown beside evidence."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.core.documents import MOST_MARKDOWN
from selftest.knowledge.core.markdown import ANCHOR_PREFIX
from selftest.knowledge.core.promises import Passage, promises_in
from selftest.knowledge.ingestion import ReadDocument, page_of
from selftest.knowledge.models import Promise
from selftest.storage.texts import storable


@dataclass(frozen=True)
class PromiseSource:
    """text: a sentence as it stands in `document`, a path. url: of the section, in the product."""

    text: str
    document: str
    anchor: str
    url: str


def note_promises(numbered: Iterable[tuple[int, ReadDocument]]) -> None:
    """Finds the promises of targets' documents, each with the number of its row. In the caller's transaction."""
    documents = list(numbered)
    found = [
        Promise(document_id=number, check_name=check, text=storable(one.text)[:500], anchor=one.anchor, score=one.score)
        for number, document in documents
        for check, one in promises_in(_passages(document)).items()
    ]
    with transaction.atomic():
        Promise.objects.filter(document__in=[number for number, _ in documents]).delete()
        Promise.objects.bulk_create(found)


def promise_sources(target_id: int, checks: Iterable[str]) -> dict[str, PromiseSource]:
    """By check, the best sentence of a target's documentation; no entry where it has none."""
    rows = (
        Promise.objects.filter(document__documentation__target=target_id, check_name__in=set(checks))
        .select_related("document__documentation")
        .order_by("-score", "document__documentation__name", "document__path")
    )
    found: dict[str, PromiseSource] = {}
    for row in rows:
        found.setdefault(row.check_name, _source(row))
    return found


def _source(row: Promise) -> PromiseSource:
    page = page_of(row.document.path, row.document.documentation)
    url = f"{page}#{ANCHOR_PREFIX}{row.anchor}" if row.anchor else page
    return PromiseSource(row.text, row.document.path, row.anchor, url)


def _passages(document: ReadDocument) -> list[Passage]:
    """Of Markdown alone, and in English; other languages have no words here."""
    if document.documentation is None or document.language != "en" or len(document.content) > MOST_MARKDOWN:
        return []
    return [
        Passage(one.body, one.section_path, one.anchor) for one in document.chunks if one.kind is Kind.DOCS
    ]  # fmt: skip
