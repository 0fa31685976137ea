"""What the makers of live pieces share: ids, identifiers and words of checks. Knows no rows."""

from collections.abc import Iterable

from selftest.guarantees import GUARANTEES
from selftest.knowledge.core.chunks import Kind, chunk_id

NAMES = {str(check): guarantee.name for check, guarantee in GUARANTEES.items()}
LONGEST_TITLE = 160  # characters


def key_of(kind: Kind, number: int) -> str:
    """The id of the piece that is made of this row."""
    return chunk_id(kind, number)


def identifiers_of(number: int, *words: str) -> tuple[str, ...]:
    """As a row is named in a query: `#12`, and `cause 12` for each word."""
    return f"#{number}", *(f"{word} {number}" for word in words)


def checks_in_words(names: Iterable[str]) -> str:
    """As pages name them; a check that is not there any more by its stored name."""
    return ", ".join(NAMES.get(name, name) for name in names)


def titled(text: str) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1].rstrip() + "…"


def lines(*said: str) -> str:
    """A line each; nothing for what is empty."""
    return "\n".join(line for line in said if line)


def labelled(label: str, text: str) -> str:
    """`Label: text`; nothing for no text."""
    return f"{label}: {text}" if text else ""
