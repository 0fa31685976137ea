"""How long and how large an answer may be, how many requests may be open, and the words for an answer over a limit.

The one place for these numbers: the rows, the forms and the clients take them from here. Must not know how a target is
asked.
"""

import math

MIN_TIME_LIMIT_S = 0.1  # a network alone may take as long
DEFAULT_TIME_LIMIT_S = 60.0  # the contract's own example; a fan-out over slow sources takes some 12 s
MAX_TIME_LIMIT_S = 600  # a query that hangs keeps a worker busy all that time
DEFAULT_REQUESTS_AT_ONCE = 4  # as a few people at the same time
MAX_REQUESTS_AT_ONCE = 32  # a thread each; more would test how the target bears load, not what it promises
MIN_REQUESTS_PER_SECOND = 0.02  # with as many probes a cycle of 8 takes some 13 minutes, and has 15
MAX_REQUESTS_PER_SECOND = 1000.0
MAX_ANSWER_BYTES = 4 * 1024 * 1024  # some hundred times a long merged answer; more is a fault, and never kept in memory
FIRST_BYTES = 2000  # kept of an answer that could not be read: enough to recognise an error page
REASON_CHARACTERS = 200  # of the same inside a reason, which is read in a list


def checked_time_limit_s(time_limit_s: float) -> float:
    """`time_limit_s` itself; ValueError unless it is from MIN_TIME_LIMIT_S to MAX_TIME_LIMIT_S."""
    if not math.isfinite(time_limit_s) or not MIN_TIME_LIMIT_S <= time_limit_s <= MAX_TIME_LIMIT_S:
        limits = f"from {MIN_TIME_LIMIT_S:g} to {MAX_TIME_LIMIT_S:g} s"
        raise ValueError(f"time_limit_s: must be {limits}, not {time_limit_s!r}")
    return float(time_limit_s)


def checked_requests_at_once(requests_at_once: int) -> int:
    """`requests_at_once` itself; ValueError unless it is from 1 to MAX_REQUESTS_AT_ONCE."""
    if not 1 <= requests_at_once <= MAX_REQUESTS_AT_ONCE:
        raise ValueError(f"requests_at_once: must be from 1 to {MAX_REQUESTS_AT_ONCE}, not {requests_at_once}")
    return requests_at_once


def no_answer_within(time_limit_s: float) -> str:
    """The contract's words for an answer that did not come in time: `no answer within 60 s`."""
    return f"no answer within {str(float(time_limit_s)).removesuffix('.0')} s"


def over_the_limit(unit: str) -> str:
    """The reason for an answer of more than MAX_ANSWER_BYTES of `unit` ("bytes", "characters")."""
    return f"the answer is over the limit of {MAX_ANSWER_BYTES} {unit} (4 MiB)"


def first_text(body: bytes | bytearray) -> str:
    """The first FIRST_BYTES of `body` as text; U+FFFD for bytes that are not UTF-8."""
    return bytes(body[:FIRST_BYTES]).decode("utf-8", errors="replace")


def one_line(text: str) -> str:
    """The first REASON_CHARACTERS of `text` on one line of printable characters, "…" where more followed."""
    beginning = text[: REASON_CHARACTERS * 2]
    words = "".join(c if c.isprintable() else " " for c in beginning).split()
    line = " ".join(words)
    if len(line) > REASON_CHARACTERS or len(text) > len(beginning):
        return line[:REASON_CHARACTERS].rstrip() + "…"
    return line
