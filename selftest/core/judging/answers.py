"""An answer of a target, and its sections split at exact header strings.

Pure; never looks for a source's name in free text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

EVIDENCE_CHARACTERS = 300  # of an answer, as evidence; the whole answer is kept beside it
RULE = re.compile(r"^[^\S\n]*-{3,}[^\S\n]*(?:\n|\Z)", re.M)  # what parts two sections; belongs to neither


@dataclass(frozen=True)
class Answer:
    """What came back from one request.

    result: the text, "" where there was none. error: why there is no usable answer, the target's crash spelled out,
    or None. latency_ms: wall time of the request. http_status: None for a target in process. length_bytes and sha256
    are of all that came, also where `result` was cut; where the target has a secret, sha256 is that of the text
    without it. unreadable: where the answer is good JSON without the fields that its target is said to have, the names
    of those that it has; None for every other answer.
    """

    result: str
    source_used: str
    latency_ms: float
    http_status: int | None = None
    cached: bool = False
    error: str | None = None
    length_bytes: int | None = None
    sha256: str | None = None
    unreadable: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Section:
    """One part of a merged answer. source None: text before the first header. line: 1-based, of the header."""

    source: str | None
    text: str
    line: int


def split_sections(result: str, headers: Mapping[str, str]) -> tuple[Section, ...]:
    """The sections of `result`, in order; one with source None where text stands before any header.

    headers: source → exact header. A header counts at the start of a line and as a whole: a label may itself hold a
    second dash, so no general bracket pattern could tell where it ends. A line ends at a line feed and at nothing else.
    """
    return _split(result, tuple(headers.items()))


@lru_cache(maxsize=64)  # every check of an answer asks for its sections, and for those of the parts alone
def _split(result: str, headers: tuple[tuple[str, str], ...]) -> tuple[Section, ...]:
    sections: list[Section] = []
    source: str | None = None
    line, start = 1, 0

    def close(end: int) -> None:
        text = RULE.sub("", result[start:end]).strip()
        if source is not None or text:
            sections.append(Section(source, text, line))

    names = {header: name for name, header in headers}
    for opened in _openings(tuple(names)).finditer(result) if names else ():
        close(opened.start())
        line += result.count("\n", start, opened.start())
        source, start = names[opened["header"]], opened.end()
    close(len(result))
    return tuple(sections)


@lru_cache(maxsize=64)
def _openings(headers: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(headers, key=len, reverse=True)
    return re.compile(rf"^[^\S\n]*(?P<header>{'|'.join(map(re.escape, longest_first))})(?=\s|\Z)", re.M)


def sources_with_header(result: str, headers: Mapping[str, str]) -> frozenset[str]:
    """The sources that opened a section of `result`."""
    return frozenset(s.source for s in split_sections(result, headers) if s.source is not None)


def excerpt(text: str) -> str:
    """As much of `text` as evidence shows, with … where it was cut."""
    return text if len(text) <= EVIDENCE_CHARACTERS else f"{text[:EVIDENCE_CHARACTERS]}…"
