"""A WSGI application whose file breaks off in the middle, as when the database goes away. `/whole` comes to its end."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from review.row_files import Row, csv_pieces


def _chunks(breaks_off: bool) -> Iterator[list[Row]]:
    yield [{"id": 1}]
    if breaks_off:
        raise RuntimeError("the database went away")
    yield [{"id": 2}]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "text/csv; charset=utf-8")])
    return csv_pieces(["id"], _chunks(environ["PATH_INFO"] != "/whole"))
