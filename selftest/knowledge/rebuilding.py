"""The index as a whole, read from its sources once more: documents and live rows, as a difference."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count

from selftest.knowledge.index import encoding
from selftest.knowledge.index.writing import replace
from selftest.knowledge.ingestion import documents
from selftest.knowledge.live.draining import read_all
from selftest.knowledge.models import Chunk, IndexState
from selftest.knowledge.publishing import publish


@dataclass(frozen=True)
class RebuildSummary:
    """What a rebuild came to. kinds: how many pieces of each kind there are now. refused: what could not be read."""

    kinds: Mapping[str, int]
    documents: int
    added: int
    changed: int
    removed: int
    seconds: float
    refused: tuple[str, ...]


def rebuild() -> RebuildSummary:
    """Reads every source, and puts what differs in force in one transaction. Nothing is fetched for it.

    Vectors of another encoder than the one that is set are made again afterwards; until then words alone are searched.
    """
    began = time.monotonic()
    read = documents()
    with transaction.atomic():
        written = publish(read.documents, kept=read.not_read)
        written += replace(Chunk.objects.filter(document=None), read_all())
    _encode_where_changed()
    kinds = dict(Chunk.objects.order_by("kind").values_list("kind").annotate(Count("pk")))
    return RebuildSummary(
        kinds=kinds,
        documents=len(read.documents),
        added=written.added,
        changed=written.changed,
        removed=written.removed,
        seconds=round(time.monotonic() - began, 3),
        refused=read.refused,
    )


def _encode_where_changed() -> None:
    encoder = encoding.of_index()
    wanted = "" if encoder is None else encoder.name
    if IndexState.objects.exclude(encoder=wanted).exists():
        encoding.encode_again(encoder)
