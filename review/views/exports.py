"""Lists as files: all rows of a view of the queue or of the inbox, streamed in the view's order."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Literal

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from review.contexts.records import CAUSE_COLUMNS, FLAG_COLUMNS, Record, cause_record, flag_record
from review.filters import cause_filter, queue_filter
from review.row_files import csv_pieces, json_pieces
from review.views.pages import Request, viewer
from selftest.reading.causes import CauseFilter, ListedCause, in_full, listed_causes, shown_causes
from selftest.reading.exports import CHUNK_ROWS, exported_flags
from selftest.reading.queue import queue_revision

Kind = Literal["csv", "json"]
Records = Iterator[list[Record]]
CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@require_safe
@viewer
def flags(request: Request, kind: Kind) -> HttpResponseBase:
    """The queue, row by row, with its filters and order. Where the reader was in it is not asked for."""
    now, filters = timezone.now(), queue_filter(request.GET)
    chunks = ([flag_record(flag) for flag in found] for found in exported_flags(filters, now))
    name = f"flags-{filters.tab}{'-filtered' * filters.is_narrow}"
    return _file(request, kind, name, now, FLAG_COLUMNS, chunks)


@require_safe
@viewer
def causes(request: Request, kind: Kind) -> HttpResponseBase:
    """The list of causes with its filters."""
    now, filters = timezone.now(), cause_filter(request.GET)
    name = f"causes-{filters.state}{'-filtered' * (filters != CauseFilter(state=filters.state))}"
    chunks = _cause_records(listed_causes(filters, queue_revision(), now))
    return _file(request, kind, name, now, CAUSE_COLUMNS, chunks)


def _cause_records(listed: Sequence[ListedCause]) -> Records:
    for begin in range(0, len(listed), CHUNK_ROWS):
        yield [cause_record(one) for one in shown_causes(in_full(listed[begin : begin + CHUNK_ROWS]))]


def _file(
    request: Request, kind: Kind, name: str, now: datetime, columns: Sequence[str], chunks: Records
) -> HttpResponseBase:
    """A fault before the first row is a page of its own, as anywhere; one after it breaks the connection off.

    So what was received whole is the whole list.
    """
    rows = _begun(chunks) if request.method == "GET" else iter(())  # of HEAD, only the headers are sent
    pieces = csv_pieces(columns, rows) if kind == "csv" else json_pieces(rows)
    response = StreamingHttpResponse(pieces, content_type=CONTENT_TYPES[kind])
    response["Content-Disposition"] = f'attachment; filename="gadfly-{name}-{now:%Y%m%dT%H%M%SZ}.{kind}"'
    response["X-Content-Type-Options"] = "nosniff"
    patch_cache_control(response, no_store=True, private=True)
    return response


def _begun(chunks: Records) -> Records:
    """The same, with its first chunk read."""
    first = next(chunks, None)
    return chunks if first is None else chain([first], chunks)
