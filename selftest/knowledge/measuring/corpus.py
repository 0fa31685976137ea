"""What is measured on: the product's own documents, and documentation of invented products in five languages."""

from collections.abc import Sequence
from pathlib import Path

from selftest.knowledge.core.chunks import Chunk, Kind, chunk_id
from selftest.knowledge.core.markdown import read_markdown
from selftest.knowledge.ingestion import documents
from selftest.knowledge.measuring.queries import MeasuredQuery, made_of, read_queries

FOLDER = Path(__file__).with_name("corpus")
WRITTEN = Path(__file__).with_name("queries.jsonl")


def pieces() -> list[Chunk]:
    """All of them, in the order of their documents."""
    own = [chunk for document in documents().documents if document.documentation is None for chunk in document.chunks]
    return [*own, *invented()]


def invented() -> list[Chunk]:
    """Of products that do not exist."""
    return [chunk for path in sorted(FOLDER.glob("*.md")) for chunk in _sections(path)]


def queries(found: Sequence[Chunk]) -> list[MeasuredQuery]:
    """Made of pieces, and written by hand in words that the pieces do not use."""
    return [*made_of(found), *read_queries(WRITTEN)]


def _sections(path: Path) -> list[Chunk]:
    document = read_markdown(path.read_text(encoding="utf-8"), path.name)
    return [
        Chunk(
            chunk_id(Kind.DOCS, path.name, one.anchor, one.start, one.piece),
            Kind.DOCS,
            one.title,
            one.body,
            document.language or "en",
            path.name,
            one.anchor,
            one.path,
            product=path.stem,
        )
        for one in document.sections
    ]
