"""One document as a page: Gadfly's own from its file, a target's as it was kept."""

import posixpath
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from selftest.knowledge.core.documents import DocumentRefusedError, decoded, structure_of
from selftest.knowledge.core.markdown import ANCHOR_PREFIX, html_of, read_markdown
from selftest.knowledge.core.openapi import Operation, read_api
from selftest.knowledge.ingestion import MARKDOWN, page_of
from selftest.knowledge.models import Document, Documentation
from selftest.knowledge.sources import source_files
from selftest.refusals import UnknownError
from selftest.storage.texts import storable


@dataclass(frozen=True)
class ShownDocument:
    """html: safe to show as it is, "" of a description of an API, whose operations are shown instead."""

    title: str
    path: str
    html: str
    operations: tuple[Operation, ...] = ()
    documentation: Documentation | None = None
    read_at: datetime | None = None


def own_document(path: str) -> ShownDocument:
    """One of those that come with Gadfly, and of these alone. Raises UnknownError."""
    files = {file.path: file.file for file in source_files()}
    if path not in files:
        raise UnknownError(f"there is no document {path}")
    try:
        text = decoded(files[path].read_bytes(), path)
        title = read_markdown(text, path).title or path
        return ShownDocument(title, path, _html(text, path, files.keys(), None))
    except (DocumentRefusedError, OSError) as fault:
        raise UnknownError(f"{path} cannot be read") from fault


def target_document(documentation: int, path: str) -> ShownDocument:
    """One of a target's documentation. Raises UnknownError."""
    rows = Document.objects.select_related("documentation__target")
    of = Documentation.objects.filter(pk=documentation)  # none for a number that no database can hold
    row = rows.filter(documentation__in=of, path=storable(path)).first()
    if row is None or row.documentation is None:
        raise UnknownError(f"there is no document {path}")
    if row.media_type != MARKDOWN:
        api = read_api(structure_of(row.content, path), path)
        return ShownDocument(row.title, path, "", api.operations, row.documentation, row.read_at)
    paths = set(rows.filter(documentation=documentation).values_list("path", flat=True))
    html = _html(row.content, path, paths, row.documentation)
    return ShownDocument(row.title, path, html, (), row.documentation, row.read_at)


def _html(text: str, path: str, paths: Collection[str], documentation: Documentation | None) -> str:
    """paths: of the documents that a link may lead to."""

    def link(address: str) -> str | None:
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), address))
        return page_of(joined, documentation) if joined in paths else None

    return html_of(text, path, link)


def anchor_of(operation: Operation) -> str:
    """Its id on the page."""
    return ANCHOR_PREFIX + operation.anchor
