"""Rows as a file, CSV or JSON, written piece by piece. Knows neither what the rows are nor where they come from."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any

Row = Mapping[str, Any]
Chunks = Iterable[Sequence[Row]]

# Excel takes a CSV without it for the local code page, and queries with look-alike letters are what Gadfly makes.
BYTE_ORDER_MARK = "\ufeff"

# What a spreadsheet takes for a formula, also behind spaces, and in the wide letters of East Asian keyboards; and what
# ends a cell in a reader that does not know quotes. Source: OWASP, CSV Injection.
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|\s*[\t\r\n]")


def csv_pieces(columns: Sequence[str], chunks: Chunks) -> Iterator[bytes]:
    """The names of the columns, then a piece for each chunk. Lists and objects stand in their cell as JSON."""
    yield (BYTE_ORDER_MARK + _lines([columns])).encode()
    for rows in chunks:
        yield _lines([_cell(row[name]) for name in columns] for row in rows).encode()


def json_pieces(chunks: Chunks) -> Iterator[bytes]:
    """One array, of which no chunk is empty. Only what came to its end has the closing bracket."""
    yield b"["
    before = "\n"
    for rows in chunks:
        yield (before + ",\n".join(map(_document, rows))).encode()
        before = ",\n"
    yield b"\n]\n"


def utc_text(moment: datetime) -> str:
    """A moment as files and the API write it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _lines(rows: Iterable[Iterable[str]]) -> str:
    out = StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return f"'{value}" if FORMULA.match(value) else value
        case datetime():
            return utc_text(value)
        case _:
            return _document(value)


def _document(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=utc_text)
