"""What changes the index: pieces put, rewritten and dropped, in the caller's transaction."""

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from selftest.knowledge.core.chunks import Chunk, Kind, chunk_id
from selftest.knowledge.core.queries import identifier_key
from selftest.knowledge.core.ranking import Counts, counted
from selftest.knowledge.core.words import LANGUAGES, LONGEST_WORD, stem, words_of, words_of_name
from selftest.knowledge.index import encoding, words
from selftest.knowledge.models import Chunk as Row
from selftest.knowledge.models import Document, Identifier, IndexState
from selftest.storage.texts import storable

BATCH = 500  # pieces that are written by one statement; SQLite binds some 32,000 values at most
LOOKED_UP = 900  # keys in one statement
LONGEST_TITLE = 500
LONGEST_BODY_BYTES = 64 * 1024  # of one piece; a longer section is found by its beginning


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
    """Writes pieces that are new or say something else than before; of one id twice, the last stands.

    document: where they were read from; None: they are live.
    """
    written = Written()
    for batch in _batches(chunks):
        with transaction.atomic():
            written += _put({chunk.id: _storable(chunk) for chunk in batch}, document)
    return written


def drop(keys: Collection[str]) -> int:
    """Takes pieces out, by their ids; how many there were."""
    dropped = 0
    ordered = sorted(keys)
    for start in range(0, len(ordered), LOOKED_UP):
        with transaction.atomic():
            rows = list(Row.objects.filter(key__in=ordered[start : start + LOOKED_UP]))
            if rows:
                _next_write()
            forget(rows)
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
    list(IndexState.objects.select_for_update().filter(pk=1).values_list("pk"))


def forget(rows: Sequence[Row]) -> None:
    """What pieces are found by is gone, before their rows are."""
    if not rows:
        return
    words.drop([row.pk for row in rows])
    _count((_terms(as_chunk(row)) for row in rows), -1)
    _note(-len(rows), -sum(row.length for row in rows))


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


def _batches(chunks: Iterable[Chunk]) -> Iterator[list[Chunk]]:
    batch: list[Chunk] = []
    for chunk in chunks:
        batch.append(chunk)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _put(chunks: dict[str, Chunk], document: Document | None) -> Written:
    known = {row.key: row for row in Row.objects.filter(key__in=sorted(chunks))}
    wanted = None if document is None else document.pk
    hashes = {key: chunk.sha256() for key, chunk in chunks.items()}
    same = {key for key, row in known.items() if row.sha256 == hashes[key]}
    moved = [row.pk for key, row in known.items() if key in same and row.document_id != wanted]
    if moved:
        Row.objects.filter(pk__in=moved).update(document=document)
    changed = [known[key] for key in sorted(known.keys() - same)]
    new = [chunks[key] for key in sorted(chunks.keys() - known.keys())]
    if not changed and not new:
        return Written(unchanged=len(same))
    number = _next_write()
    forget(changed)
    Identifier.objects.filter(chunk__in=changed).delete()
    rewritten = [chunks[row.key] for row in changed]
    made = [_filled(Row(key=chunk.id), chunk, hashes[chunk.id], document) for chunk in new]
    for row, chunk in zip(changed, rewritten, strict=True):
        _filled(row, chunk, hashes[chunk.id], document)
    encoder = encoding.of_index()
    texts = [encoding.texts_of(row) for row in (*made, *changed)]
    for row, vector in zip((*made, *changed), encoding.vectors_of(encoder, texts), strict=True):
        row.vector, row.written = vector, number
    Row.objects.bulk_create(made, batch_size=BATCH)
    for row in changed:
        row.save()
    entries = [(row.pk, chunks[row.key]) for row in (*made, *changed)]
    words.put(entries)
    Identifier.objects.bulk_create(
        [Identifier(chunk_id=pk, value=value) for pk, chunk in entries for value in _names(chunk)], batch_size=BATCH
    )
    _count((_terms(chunk) for _, chunk in entries), 1)
    _note(len(entries), sum(row.length for row in (*made, *changed)), "" if encoder is None else encoder.name)
    return Written(added=len(made), changed=len(changed), unchanged=len(same))


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


def _terms(chunk: Chunk) -> set[tuple[str, str]]:
    """Its words, each with its language."""
    language = chunk.language if chunk.language in LANGUAGES else ""
    found = {*words_of(chunk.title), *words_of(chunk.body)}
    found.update(word for name in (*chunk.identifiers, *chunk.tags) for word in words_of_name(name))
    return {(language, word) for word in found if 2 <= len(word) < LONGEST_WORD}


def _count(pieces: Iterable[set[tuple[str, str]]], by: int) -> None:
    """Counts words of pieces up or down. In one order, so that two who do it at once cannot block each other."""
    counts: Counter[tuple[str, str]] = Counter()
    for terms in pieces:
        counts.update(terms)
    rows = [
        (language, word, stem(word, language)[:60], by * count) for (language, word), count in sorted(counts.items())
    ]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO knowledge_term (language, word, stem, pieces) VALUES (%s, %s, %s, %s) "
            "ON CONFLICT (language, word) DO UPDATE SET pieces = knowledge_term.pieces + excluded.pieces",
            rows,
        )
        if connection.vendor == "sqlite" and by > 0:
            _note_trigrams(sorted({word for _, word, _, _ in rows}))


def _note_trigrams(found: Sequence[str]) -> None:
    """New words only: a word that no piece has any more stays, and counts as none."""
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO knowledge_trigrams (rowid, word) SELECT id, word FROM knowledge_term WHERE word = %s "
            "AND id = (SELECT min(id) FROM knowledge_term WHERE word = %s) "
            "AND NOT EXISTS (SELECT 1 FROM knowledge_trigrams WHERE rowid = knowledge_term.id)",
            [(word, word) for word in found],
        )


def _next_write() -> int:
    """Its number. Until the transaction ends, another write waits: numbers grow in the order of what is seen."""
    IndexState.objects.get_or_create(pk=1)
    IndexState.objects.filter(pk=1).update(writes=F("writes") + 1)
    return IndexState.objects.values_list("writes", flat=True).get(pk=1)


def _note(pieces: int, length: float, encoder: str = "") -> None:
    """encoder: of the first pieces of an empty index. Later ones are encoded again as a whole where it changed."""
    IndexState.objects.filter(pk=1, pieces=0).update(encoder=encoder)
    IndexState.objects.filter(pk=1).update(pieces=F("pieces") + pieces, total_length=F("total_length") + length)
