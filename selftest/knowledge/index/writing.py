"""What changes the index: pieces put, rewritten and dropped, in the caller's transaction."""

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from selftest.knowledge.core.chunks import Chunk, Kind, chunk_id
from selftest.knowledge.core.queries import identifier_key
from selftest.knowledge.core.ranking import Counts, counted
from selftest.knowledge.index import encoding, words
from selftest.knowledge.index.totals import Write, one_write
from selftest.knowledge.models import Chunk as Row
from selftest.knowledge.models import Document, Identifier, IndexState
from selftest.storage.locks import locked
from selftest.storage.texts import storable

BATCH = 500  # pieces that are written by one statement; SQLite binds some 32,000 values at most
LOOKED_UP = 900  # keys in one statement
LONGEST_TITLE = 500
LONGEST_BODY_BYTES = 64 * 1024  # of one piece; a longer section is found by its beginning

Piece = tuple[Chunk, Document | None]  # and where it was read from; None: it is live


@dataclass(frozen=True, slots=True)
class Written:
    """What became of pieces."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0

    def __add__(self, other: "Written") -> "Written":
        return Written(
            self.added + other.added,
            self.changed + other.changed,
            self.removed + other.removed,
            self.unchanged + other.unchanged,
        )


def put(chunks: Iterable[Chunk], document: Document | None = None) -> Written:
    """Writes pieces that are new or say something else than before, in one transaction; of one id twice, the last
    stands.

    document: where they were read from; None: they are live.
    """
    return put_all((chunk, document) for chunk in chunks)


def put_all(pieces: Iterable[Piece]) -> Written:
    """As `put`, of several documents."""
    written = Written()
    with one_write() as write:
        for batch in _batches(pieces):
            written += _put({chunk.id: (_storable(chunk), document) for chunk, document in batch}, write)
    return written


def drop(keys: Collection[str]) -> int:
    """Takes pieces out, by their ids, in one transaction; how many there were."""
    dropped = 0
    ordered = sorted(keys)
    with one_write() as write:
        for start in range(0, len(ordered), LOOKED_UP):
            rows = list(Row.objects.filter(key__in=ordered[start : start + LOOKED_UP]).defer("stems", "vector"))
            _forget(rows, write)
            Row.objects.filter(pk__in=[row.pk for row in rows]).delete()
            dropped += len(rows)
    return dropped


def replace(scope: QuerySet[Row], chunks: Iterable[Chunk], document: Document | None = None) -> Written:
    """Makes `chunks` all that there is in `scope`, in one transaction: a search finds the old ones or the new ones."""
    with transaction.atomic():
        before = set(scope.values_list("key", flat=True))
        named: set[str] = set()

        def noted() -> Iterator[Chunk]:
            for chunk in chunks:
                named.add(chunk.id)
                yield chunk

        written = put(noted(), document)
        return written + Written(removed=drop(before - named))


def wait_alone() -> None:
    """Until the transaction ends, no other process writes live pieces; waits for one that does. For a rebuild's start.

    Raises TransactionManagementError outside a transaction.
    """
    IndexState.objects.get_or_create(pk=1)
    list(locked(IndexState.objects).filter(pk=1).values_list("pk"))


def as_chunk(row: Row) -> Chunk:
    """A row as the piece that it was made of."""
    return Chunk(
        row.key,
        Kind(row.kind),
        row.title,
        row.body,
        row.language,
        row.path,
        row.anchor,
        tuple(row.section_path),
        tuple(row.tags),
        tuple(row.identifiers),
        row.product,
        row.version,
        row.service,
        row.target_id,
        row.url,
        row.details,
        row.for_admins,
    )


def _batches(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    batch: list[Piece] = []
    for piece in pieces:
        batch.append(piece)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _put(given: Mapping[str, Piece], write: Write) -> Written:
    known = {row.key: row for row in Row.objects.filter(key__in=sorted(given)).defer("stems", "vector")}
    hashes = {key: chunk.sha256() for key, (chunk, _) in given.items()}
    same = {key for key, row in known.items() if row.sha256 == hashes[key]}
    _move([(known[key].pk, given[key][1]) for key in sorted(same) if known[key].document_id != _pk(given[key][1])])
    changed = [known[key] for key in sorted(known.keys() - same)]
    new = sorted(given.keys() - known.keys())
    if not changed and not new:
        return Written(unchanged=len(same))
    number = write.begin()
    _forget(changed, write)
    made = [Row(key=key) for key in new]
    rows = [*made, *changed]
    for row in rows:
        chunk, document = given[row.key]
        _filled(row, chunk, hashes[row.key], document)
    encoder = encoding.of_index()
    texts = [encoding.texts_of(row) for row in rows]
    for row, vector in zip(rows, encoding.vectors_of(encoder, texts), strict=True):
        row.vector, row.written = vector, number
    _insert(made)
    for row in changed:
        row.save()
    entries = [(row.pk, given[row.key][0]) for row in rows]
    words.put(entries)
    Identifier.objects.bulk_create(
        [Identifier(chunk_id=pk, value=value) for pk, chunk in entries for value in _names(chunk)], batch_size=BATCH
    )
    for row in rows:
        write.add(given[row.key][0], row.length, "" if encoder is None else encoder.name)
    return Written(added=len(made), changed=len(changed), unchanged=len(same))


def _insert(rows: Sequence[Row]) -> None:
    """New rows, with keys of their own afterwards. PostgreSQL takes them as a stream: as one statement, their 13,000
    values are parsed by its driver and again by the server.
    """
    if connection.vendor != "postgresql":
        Row.objects.bulk_create(rows, batch_size=BATCH)
        return
    fields = Row._meta.concrete_fields
    quoted = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence('knowledge_chunk', 'id')) FROM generate_series(1, %s)", [len(rows)]
        )
        for row, (pk,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk = pk
        with cursor.copy(f"COPY knowledge_chunk ({quoted}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row([field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields])


def _move(moved: Sequence[tuple[int, Document | None]]) -> None:
    """Pieces, by their rows, that say the same as before in another document."""
    of_document: dict[int | None, list[int]] = {}
    for pk, document in moved:
        of_document.setdefault(_pk(document), []).append(pk)
    for document_pk, pks in of_document.items():
        Row.objects.filter(pk__in=pks).update(document_id=document_pk)


def _pk(document: Document | None) -> int | None:
    return None if document is None else document.pk


def _forget(rows: Sequence[Row], write: Write) -> None:
    """What pieces are found by is gone, before their rows are or say something else."""
    if not rows:
        return
    write.begin()
    words.drop([row.pk for row in rows])
    Identifier.objects.filter(chunk__in=rows).delete()
    for row in rows:
        write.remove(as_chunk(row), row.length)


def _storable(chunk: Chunk) -> Chunk:
    """As every database can hold it."""
    return dataclasses.replace(
        chunk,
        title=storable(chunk.title)[:LONGEST_TITLE],
        body=storable(chunk.body, LONGEST_BODY_BYTES),
        path=storable(chunk.path)[:500],
        anchor=storable(chunk.anchor)[:300],
    )


def _filled(row: Row, chunk: Chunk, sha256: str, document: Document | None) -> Row:
    row.kind, row.domain, row.document = chunk.kind, chunk.domain, document
    row.title, row.body, row.language, row.path, row.anchor = (
        chunk.title,
        chunk.body,
        chunk.language,
        chunk.path,
        chunk.anchor,
    )
    row.section_path, row.tags, row.identifiers = list(chunk.section_path), list(chunk.tags), list(chunk.identifiers)
    row.product, row.version, row.service = chunk.product[:100], chunk.version[:100], chunk.service[:100]
    row.target_id, row.url, row.details, row.for_admins = (
        chunk.target_id,
        chunk.url,
        dict(chunk.details),
        chunk.for_admins,
    )
    row.sha256, row.changed_at = sha256, timezone.now()
    row.tag_line = "".join(f"\n{tag.casefold()}\n" for tag in chunk.tags)
    row.same_as = _same_as(chunk)
    counts = counted(chunk)
    row.stems = Counts.of(counts).text
    row.length = sum(counts.values())
    return row


def _same_as(chunk: Chunk) -> str:
    """What is one result: a check in any language, and a section of a document however many pieces it has."""
    if chunk.kind == Kind.DOCTOR and chunk.identifiers:
        return f"{chunk.kind} {chunk.identifiers[0]}"[:120]
    if chunk.kind in (Kind.DOCS, Kind.GUARANTEE) and chunk.path:
        return chunk_id("section", chunk.target_id, chunk.url, chunk.path, chunk.anchor)
    return chunk.id


def _names(chunk: Chunk) -> list[str]:
    return sorted({identifier_key(each) for each in (chunk.id, *chunk.identifiers)} - {""})
