"""Further headers of a request, as lines of text. Decides which may be set; knows no request."""

import re

NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110: a token
# What the request itself or a column of its own decides; another value would break the request or its promises.
OURS = frozenset(
    {
        *("accept-encoding", "connection", "content-length", "content-type", "expect", "host", "te", "trailer"),
        *("transfer-encoding", "upgrade", "x-api-key", "x-selftest"),
    }
)
MAX_VALUE_LENGTH = 2000  # a long token; to look for longer ones in answers would take seconds to prepare


def checked_headers(column: str, text: str) -> tuple[tuple[str, str], ...]:
    """Name and value of each line "Name: value"; blank lines do not count.

    ValueError, beginning with `column`, for a line that is no header or may not be set. It never repeats a value.
    """
    found: dict[str, tuple[str, str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or not NAME.fullmatch(name):
            raise ValueError(f"{column}: line {number} must look like Name: value")
        if not (value.isascii() and value.isprintable() and value) or len(value) > MAX_VALUE_LENGTH:
            raise ValueError(
                f"{column}: the value of {name!r} must be printable ASCII, of {MAX_VALUE_LENGTH} characters at most"
            )
        if name.lower() in OURS:
            hint = "the API key has a field of its own" if name.lower() == "x-api-key" else "Gadfly sets it itself"
            raise ValueError(f"{column}: {name!r} cannot be set; {hint}")
        if name.lower() in found:
            raise ValueError(f"{column}: {name!r} is there twice")
        found[name.lower()] = (name, value)
    return tuple(found.values())
