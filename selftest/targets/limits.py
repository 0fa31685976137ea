"""How long and how large an answer may be, and the words for one that was not. Knows no way of asking."""

import math

DEFAULT_TIME_LIMIT_S = 60.0  # the contract's own example; a fan-out over slow sources takes some 12 s
MAX_TIME_LIMIT_S = 3600.0  # above an hour a typing error is likelier than a wish, and a worker is held all that time
MAX_ANSWER_BYTES = 4 * 1024 * 1024  # some hundred times a long merged answer; what is more is a fault, and never held
FIRST_BYTES = 2000  # kept of an answer that could not be read: enough to recognise an error page
EXCERPT_CHARACTERS = 200  # of the same inside a reason, which is read in a list


def checked_time_limit_s(time_limit_s: float) -> float:
    """`time_limit_s` itself; ValueError unless it lies above 0 and at most at MAX_TIME_LIMIT_S."""
    if not math.isfinite(time_limit_s) or not 0 < time_limit_s <= MAX_TIME_LIMIT_S:
        raise ValueError(f"time_limit_s: must be above 0 and at most {MAX_TIME_LIMIT_S:g} s, not {time_limit_s!r}")
    return float(time_limit_s)


def no_answer_within(time_limit_s: float) -> str:
    """The contract's words for an answer that did not come in time: `no answer within 60 s`."""
    return f"no answer within {str(float(time_limit_s)).removesuffix('.0')} s"


def over_the_limit(unit: str) -> str:
    """The reason for an answer of more than MAX_ANSWER_BYTES of `unit` ("bytes", "characters")."""
    return f"the answer is over the limit of {MAX_ANSWER_BYTES} {unit} (4 MiB)"


def first_text(body: bytes | bytearray) -> str:
    """The first bytes of `body` as text; what is no UTF-8 becomes U+FFFD."""
    return bytes(body[:FIRST_BYTES]).decode("utf-8", errors="replace")


def one_line(text: str) -> str:
    """The beginning of `text` on one line of printable characters, "…" where more followed."""
    beginning = text[: EXCERPT_CHARACTERS * 2]
    words = "".join(c if c.isprintable() else " " for c in beginning).split()
    line = " ".join(words)
    if len(line) > EXCERPT_CHARACTERS or len(text) > len(beginning):
        return line[:EXCERPT_CHARACTERS].rstrip() + "…"
    return line
