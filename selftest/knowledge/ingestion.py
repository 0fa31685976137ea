"""Documents as they are read now, each with its pieces: Gadfly's own, and those of targets as they were kept.

Reads files and rows, changes nothing. Same input, same pieces, whatever the order.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import quote

from django.conf import settings
from django.utils.module_loading import import_string

from selftest.knowledge.core.chunks import Chunk, Kind, chunk_id
from selftest.knowledge.core.doctor_seeds import chunks_of
from selftest.knowledge.core.documents import DocumentRefusedError, decoded, structure_of
from selftest.knowledge.core.markdown import ANCHOR_PREFIX, MarkdownDocument, read_markdown
from selftest.knowledge.core.openapi import ApiDescription, Operation, is_description, read_api
from selftest.knowledge.models import Document, Documentation
from selftest.knowledge.sources import SourceFile, doctor_checks, source_files

MARKDOWN, OPENAPI, DOCTOR = "text/markdown", "application/openapi", "application/doctor"
MARKDOWN_NAMES, STRUCTURED_NAMES = (".md", ".markdown"), (".json", ".yaml", ".yml")
LANGUAGES = frozenset({"en", "de", "fr", "es", "ru"})  # that full text knows
OWN_PRODUCT = "gadfly"
OWN_PAGES = "/knowledge/docs/"
TARGETS_PAGES = "/knowledge/documentation/"
OWN_API_PATH = "api/openapi.json"
OWN_API_PAGE = "/api/v1/docs#/"
DOCTOR_PATH = "doctor"


@dataclass(frozen=True)
class ReadDocument:
    """A document with its pieces. content: kept with its row, of a target's alone; ours is read from its file."""

    path: str
    media_type: str
    title: str
    language: str
    sha256: str
    chunks: tuple[Chunk, ...]
    content: str = ""
    documentation: Documentation | None = None


Source = tuple[tuple[int | None, str], Callable[[], ReadDocument]]
"""Where a document stands, by documentation and path, and how it is read."""


@dataclass(frozen=True)
class ReadDocuments:
    """refused: in a line each, what could not be read; not_read: where that stands, by documentation and path."""

    documents: tuple[ReadDocument, ...]
    refused: tuple[str, ...] = ()
    not_read: tuple[tuple[int | None, str], ...] = ()


def documents() -> ReadDocuments:
    """All that is searched and is no row: READMEs, guarantees, our API, checks of the doctor, targets' documents."""
    read: list[ReadDocument] = []
    refused: list[str] = []
    not_read: list[tuple[int | None, str]] = []
    for place, one in (*_files(), ((None, OWN_API_PATH), _own_api), ((None, DOCTOR_PATH), _doctor), *_kept()):
        try:
            read.append(one())
        except DocumentRefusedError as fault:
            refused.append(str(fault))
            not_read.append(place)
    return ReadDocuments(tuple(read), tuple(refused), tuple(not_read))


def read_for(documentation: Documentation, path: str, content: str) -> ReadDocument:
    """A document of a target. Raises DocumentRefusedError, also where it is of no kind that is read."""
    name = path.lower()
    if name.endswith(MARKDOWN_NAMES):
        return _markdown(path, content, documentation)
    if name.endswith(STRUCTURED_NAMES):
        return _api(path, content, documentation)
    names = ", ".join(MARKDOWN_NAMES + STRUCTURED_NAMES)
    raise DocumentRefusedError(f"{path} is of no kind that can be read; give one of {names}")


def is_readable(path: str) -> bool:
    """Whether its name is one of Markdown, JSON or YAML."""
    return path.lower().endswith(MARKDOWN_NAMES + STRUCTURED_NAMES)


def page_of(path: str, documentation: Documentation | None = None) -> str:
    """Where a document is read in the product."""
    top = OWN_PAGES if documentation is None else f"{TARGETS_PAGES}{documentation.pk}/"
    return top + quote(path)


# --- the product's own ---


def _files() -> Iterator[Source]:
    for file in source_files():
        yield (None, file.path), partial(_own_file, file)


def _own_file(file: SourceFile) -> ReadDocument:
    try:
        content = file.file.read_bytes()
    except OSError as fault:
        raise DocumentRefusedError(f"{file.path} cannot be read: {fault.strerror}") from fault
    return _own_markdown(file.path, file.kind, decoded(content, file.path))


def _own_markdown(path: str, kind: Kind, text: str) -> ReadDocument:
    document = read_markdown(text, path)
    page = page_of(path)
    if kind is Kind.GUARANTEE:
        chunks = [_guarantee(path, document, page)]
    else:
        chunks = list(_sections(path, document, page, Chunk("", Kind.DOCS, "", "", product=OWN_PRODUCT), ("docs",)))
    return ReadDocument(path, MARKDOWN, document.title or path, "en", _sha256(text), tuple(chunks))


def _guarantee(path: str, document: MarkdownDocument, page: str) -> Chunk:
    """One piece, as its headings are the same on every page."""
    check = PurePosixPath(path).stem
    bodies = (f"{one.title}: {one.body}" if at else one.body for at, one in enumerate(document.sections))
    return Chunk(
        id=chunk_id(Kind.GUARANTEE, path),
        kind=Kind.GUARANTEE,
        title=document.title,
        body="\n".join(bodies),
        path=path,
        section_path=(document.title,),
        tags=("guarantee", "check"),
        identifiers=(check,),
        product=OWN_PRODUCT,
        url=page,
        details={"check": check},
    )


def _own_api() -> ReadDocument:
    """As the running API describes itself."""
    described = json.dumps(import_string(settings.API_DESCRIBED).get_openapi_schema(), sort_keys=True, default=str)
    api = read_api(structure_of(described, OWN_API_PATH), OWN_API_PATH)
    like = Chunk("", Kind.API, "", "", product=OWN_PRODUCT, version=api.version, service="api")
    chunks = tuple(
        _operation(
            one,
            OWN_API_PATH,
            like,
            f"{OWN_API_PAGE}{quote(one.tags[0] if one.tags else 'default')}/{one.operation_id}",
            (),
        )
        for one in api.operations
    )
    return ReadDocument(OWN_API_PATH, OPENAPI, api.title, "en", _sha256(described), chunks)


def _doctor() -> ReadDocument:
    chunks = tuple(chunks_of(doctor_checks()))
    return ReadDocument(DOCTOR_PATH, DOCTOR, "Doctor", "en", _sha256("".join(one.sha256() for one in chunks)), chunks)


# --- of targets ---


def _kept() -> Iterator[Source]:
    rows = Document.objects.exclude(documentation=None).select_related("documentation__target").order_by("pk")
    for row in rows:
        if row.documentation is not None:
            yield (row.documentation_id, row.path), partial(read_for, row.documentation, row.path, row.content)


def _like(documentation: Documentation, kind: Kind, language: str = "", version: str = "") -> Chunk:
    """What all pieces of a target's documentation have in common."""
    return Chunk(
        id="",
        kind=kind,
        title="",
        body="",
        language=language if language in LANGUAGES else documentation.language,
        product=documentation.product,
        version=documentation.version or version,
        service=documentation.service,
        target_id=documentation.target_id,
    )


def _names(documentation: Documentation | None) -> tuple[str, ...]:
    """What tells its pieces from those of another documentation with the same paths."""
    return () if documentation is None else (documentation.target.name, documentation.name)


def _markdown(path: str, text: str, documentation: Documentation) -> ReadDocument:
    document = read_markdown(text, path)
    like = _like(documentation, Kind.DOCS, document.language)
    names = _names(documentation)
    chunks = tuple(_sections(path, document, page_of(path, documentation), like, ("docs", *names)))
    title = document.title or path
    return ReadDocument(path, MARKDOWN, title[:500], like.language, _sha256(text), chunks, text, documentation)


def _api(path: str, text: str, documentation: Documentation) -> ReadDocument:
    value = structure_of(text, path)
    if not is_description(value):
        raise DocumentRefusedError(f"{path} describes no API: it lacks openapi or swagger, or paths; leave it out")
    api: ApiDescription = read_api(value, path)
    like = _like(documentation, Kind.API, version=api.version)
    page, names = page_of(path, documentation), _names(documentation)
    chunks = tuple(
        _operation(one, path, like, f"{page}#{ANCHOR_PREFIX}{quote(one.anchor)}", names) for one in api.operations
    )
    title = (api.title or path)[:500]
    return ReadDocument(path, OPENAPI, title, like.language, _sha256(text), chunks, text, documentation)


# --- pieces ---


def _sections(path: str, document: MarkdownDocument, page: str, like: Chunk, names: Sequence[str]) -> Iterator[Chunk]:
    tags = tuple(dict.fromkeys((*document.tags, *_tags_of(path))))
    for one in document.sections:
        yield replace(
            like,
            id=chunk_id(*names, path, one.anchor, one.start, one.end, one.piece),
            title=one.title or document.title or path,
            body=one.body,
            path=path,
            anchor=one.anchor,
            section_path=one.path,
            tags=tags,
            url=f"{page}#{ANCHOR_PREFIX}{quote(one.anchor)}" if one.anchor else page,
        )


def _operation(one: Operation, path: str, like: Chunk, url: str, names: Iterable[str]) -> Chunk:
    named = (one.operation_id, f"{one.method} {one.path}", one.path)
    return replace(
        like,
        id=chunk_id(Kind.API, *names, path, one.method, one.path),
        title=one.title,
        body=one.text,
        path=path,
        anchor=one.anchor,
        section_path=tuple(one.tags[:1]),
        tags=tuple(dict.fromkeys(("api", *(tag.lower() for tag in one.tags)))),
        identifiers=tuple(name for name in named if name),
        url=url[:1000],
        details=one.details,
    )


def _tags_of(path: str) -> list[str]:
    """Its folders and its name."""
    parts = PurePosixPath(path)
    return [part.lower() for part in (*parts.parent.parts, parts.stem) if part.strip("./")]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
