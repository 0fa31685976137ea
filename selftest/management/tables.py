"""Tables that commands print: fitted to a terminal, uncut where another program reads them."""

from collections.abc import Collection
from typing import Any

from rich.console import Console
from rich.table import Table

NO_LIMIT_CHARACTERS = 10_000  # wide enough for every row; a table is as wide as its widest row and no wider
LINE_CHARACTERS = 120  # of a reason, in a table; the run's page and the JSON have all of it


def console_on(stream: Any) -> Console:
    """A console on Django's own stream. A file or a pipe has no width: nothing may be cut there."""
    width = None if stream.isatty() else NO_LIMIT_CHARACTERS
    return Console(file=stream, highlight=False, markup=False, width=width)


def table_of(*columns: str, whole: Collection[str] = ()) -> Table:
    """An empty table. whole: columns of identifiers, which are neither cut nor wrapped."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in columns:
        if name in whole:
            table.add_column(name, no_wrap=True, overflow="ignore")
        else:
            table.add_column(name)
    return table


def one_line(text: str) -> str:
    """`text` on one line, cut with "…" at LINE_CHARACTERS."""
    line = " ".join(text.split())
    return line if len(line) <= LINE_CHARACTERS else line[: LINE_CHARACTERS - 1].rstrip() + "…"
