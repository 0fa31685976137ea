"""Which encoder makes the vectors of the index, and finding pieces by them: cosine by numpy, in batches.

On PostgreSQL as well: pgvector, which finds the same in the same order where it looks at every row, takes some 60 ms of
the server for each search of 100,000 pieces, and numpy 1 to 8; its indexes of neighbours find not quite the same.
"""

import logging
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import cast

import numpy
from django.db import connection, transaction
from django.db.models import F
from numpy.typing import NDArray

from selftest.evaluation.onnx_model import ModelFolderError
from selftest.knowledge.core.vectors import Encoder, HashEncoder
from selftest.knowledge.models import Chunk, IndexState, SearchSettings

LOG = logging.getLogger(__name__)
BATCH_NUMBERS = 256 * 1024  # that are multiplied at once: 1 MB as float32, which a cache holds
READ_AT_ONCE = 2_000  # rows, of the database
ENCODING_LIMIT = "10min"  # that PostgreSQL lets a transaction idle: a sentence encoder takes minutes for so many


@dataclass(frozen=True, slots=True)
class _Matrix:
    """All vectors as of one write of the index, one a column. Rows that were deleted since may still be in it."""

    writes: int
    encoder: str
    keys: NDArray[numpy.int64]
    columns: NDArray[numpy.int8]


_kept: dict[str, _Matrix] = {}
_loaded: dict[str, Encoder | None] = {}
_unusable: dict[str, str] = {}
_reading = Lock()


def of_index(settings: SearchSettings | None = None) -> Encoder | None:
    """The encoder that the settings name; None: words alone."""
    settings = settings or SearchSettings.get_solo()
    if settings.encoder == SearchSettings.Encoder.NONE:
        return None
    if settings.encoder == SearchSettings.Encoder.ONNX:
        return _sentence_encoder(settings.onnx_folder)
    return _hash_encoder()


def problem_with(folder: str) -> str:
    """Why a folder cannot be used as a sentence encoder; "" where it can."""
    _sentence_encoder(folder)
    return _unusable.get(folder, "")


def _sentence_encoder(folder: str) -> Encoder | None:
    """Loaded once a process; None, and said once in the log, where it cannot be: search does without vectors."""
    if folder in _loaded:
        return _loaded[folder]
    from selftest.knowledge.index.sentence_encoder import SentenceEncoder  # most installations have none

    try:
        _loaded[folder] = SentenceEncoder(Path(folder))
    except ModelFolderError as fault:
        LOG.warning("search does without vectors: %s", fault)
        _loaded[folder], _unusable[folder] = None, str(fault)
    return _loaded[folder]


@lru_cache(maxsize=1)
def _hash_encoder() -> Encoder:
    return HashEncoder()


def nearest(text: str, language: str, state: IndexState, encoder: Encoder, most: int) -> list[tuple[int, float]]:
    """Rows by how alike their vectors are to that of `text`, the likest first, with the cosine.

    Nothing where the vectors of the index are another encoder's: a rebuild makes them this one's.
    """
    if state.encoder != encoder.name:
        return []
    matrix = _matrix(state)
    asked = numpy.asarray(encoder.encode([text], [language])[0], dtype=numpy.float32)
    if not len(matrix.keys) or not asked.any():
        return []
    alike = numpy.empty(len(matrix.keys), dtype=numpy.float32)
    told = numpy.flatnonzero(asked)  # of a few words' hashes most places are 0
    weights, batch = asked[told], BATCH_NUMBERS // len(told)
    for start in range(0, len(alike), batch):
        some = matrix.columns[told, start : start + batch].astype(numpy.float32)
        alike[start : start + batch] = numpy.einsum("i,ij->j", weights, some)  # `@` would wait for threads of its own
    alike /= 127
    found = numpy.flatnonzero(alike >= encoder.least_alike)
    if len(found) > most:
        bound = numpy.partition(alike[found], len(found) - most)[len(found) - most]
        found = found[alike[found] >= bound]  # all that tie: their order is decided later
    return [(int(matrix.keys[place]), round(float(alike[place]), 4)) for place in found]


def encode_again(encoder: Encoder | None) -> int:
    """Makes every vector by this encoder, in several transactions; how many. Until the end none is searched by."""
    IndexState.objects.filter(pk=1).update(encoder="")
    done, last = 0, 0
    while True:
        with transaction.atomic():
            rows = list(Chunk.objects.filter(pk__gt=last).order_by("pk")[:READ_AT_ONCE])
            if not rows:
                break
            for row, vector in zip(rows, vectors_of(encoder, [texts_of(row) for row in rows]), strict=True):
                row.vector = vector
            Chunk.objects.bulk_update(rows, ["vector"], batch_size=500)
        done, last = done + len(rows), rows[-1].pk
    with transaction.atomic():
        IndexState.objects.filter(pk=1).update(encoder="" if encoder is None else encoder.name, writes=F("writes") + 1)
    return done


def texts_of(row: Chunk) -> tuple[str, str]:
    """What a piece's vector is made of, and its language."""
    return f"{row.title} {row.title} {' '.join(row.section_path)} {row.body}", row.language


def vectors_of(encoder: Encoder | None, texts: Sequence[tuple[str, str]]) -> list[bytes | None]:
    """Vectors as the rows keep them: each number as a whole one of -127 to 127. Called in a transaction."""
    if encoder is None:
        return [None] * len(texts)
    if not encoder.is_by_words and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{ENCODING_LIMIT}'")
    rows = encoder.encode([text for text, _ in texts], [language for _, language in texts])
    return [array("b", (round(value * 127) for value in row)).tobytes() for row in rows]


def forget() -> None:
    """What this process has read of the index, or of a folder, is read again."""
    _kept.clear()
    _loaded.clear()
    _unusable.clear()


def _matrix(state: IndexState) -> _Matrix:
    """A process keeps one, and reads what was written since. Several threads that need it wait for one of them."""
    kept = _kept.get("now")
    if _is_current(kept, state):
        return cast(_Matrix, kept)
    with _reading:
        kept = _kept.get("now")
        if kept is None or not _is_current(kept, state):
            if kept is not None and (kept.encoder != state.encoder or kept.writes > state.writes):
                kept = None  # another encoder, or another database
            _kept["now"] = kept = _read(state, kept)
        return kept


def _is_current(kept: _Matrix | None, state: IndexState) -> bool:
    return kept is not None and (kept.writes, kept.encoder) == (state.writes, state.encoder)


def _read(state: IndexState, kept: _Matrix | None) -> _Matrix:
    keys: list[int] = []
    vectors: list[bytes] = []
    rows = Chunk.objects.filter(vector__isnull=False, written__gt=0 if kept is None else kept.writes)
    for pk, vector in rows.order_by("pk").values_list("pk", "vector").iterator(chunk_size=READ_AT_ONCE):
        if vector is not None:
            keys.append(pk)
            vectors.append(bytes(vector))
    width = len(vectors[0]) if vectors else 1
    new_keys = numpy.array(keys, dtype=numpy.int64)
    new = numpy.frombuffer(b"".join(vectors), dtype=numpy.int8).reshape(len(keys), width).T
    if kept is None or not len(kept.keys):
        return _Matrix(state.writes, state.encoder, new_keys, numpy.ascontiguousarray(new))
    if not len(keys):
        return _Matrix(state.writes, state.encoder, kept.keys, kept.columns)
    old = ~numpy.isin(kept.keys, new_keys)
    return _Matrix(
        state.writes,
        state.encoder,
        numpy.concatenate([kept.keys[old], new_keys]),
        numpy.concatenate([kept.columns[:, old], new], axis=1),
    )
