"""An answer of a target, and its sections split at exact header strings.

Pure; never looks for a source's name in free text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from selftest.core.vocabulary import Vocabulary

RULE = re.compile(r"^\s*-{3,}\s*$")  # what parts two sections; belongs to neither
SHORT_STATEMENT_CHARACTERS = (
    160  # a failure that names its subject first ("The feed is not configured.") fits on a line
)
LONG_STATEMENT_CHARACTERS = 600  # one that opens with the phrase may go on with the exception's own words
LIST_ITEM = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")
LEAD_IN = re.compile(r"^\W*(?:[\w .'’/-]{1,40}[:,–—]\s+)?")  # "Error: …", "Sorry, …", "uptime — …"


@dataclass(frozen=True)
class Answer:
    """What came back from one asking.

    result: the text, "" where there was none. error: why there is no usable answer, the target's crash spelled out,
    or None. latency_ms: wall time of the asking. http_status: None for a target in process. length_bytes and sha256
    are of all that came, also where `result` was cut.
    """

    result: str
    source_used: str
    latency_ms: float
    http_status: int | None = None
    cached: bool = False
    error: str | None = None
    length_bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class Section:
    """One part of a merged answer. source None: text before the first header. line: 1-based, of the header."""

    source: str | None
    text: str
    line: int


def split_sections(result: str, headers: Mapping[str, str]) -> tuple[Section, ...]:
    """The sections of `result`, in order; one with source None where text stands before any header.

    headers: source → exact header. A header counts at the start of a line and as a whole: a label may itself hold a
    second dash, so no general bracket pattern could tell where it ends.
    """
    longest_first = sorted(headers.items(), key=lambda item: -len(item[1]))
    sections: list[Section] = []
    source: str | None = None
    start = 1
    lines: list[str] = []

    def close() -> None:
        text = "\n".join(lines).strip()
        if source is not None or text:
            sections.append(Section(source, text, start))

    for number, line in enumerate(result.splitlines(), start=1):
        opened = next(((name, header) for name, header in longest_first if _opens(line, header)), None)
        if opened is not None:
            close()
            source, start = opened[0], number
            lines = [line.strip()[len(opened[1]) :]]
        elif not RULE.match(line):
            lines.append(line)
    close()
    return tuple(sections)


def _opens(line: str, header: str) -> bool:
    line = line.strip()
    return line.startswith(header) and (len(line) == len(header) or line[len(header)].isspace())


def sources_with_header(result: str, vocabulary: Vocabulary) -> frozenset[str]:
    """The sources that opened a section of `result`."""
    return frozenset(s.source for s in split_sections(result, vocabulary.headers) if s.source is not None)


def failure_phrase(text: str, vocabulary: Vocabulary) -> str | None:
    """The failure phrase that `text` *is*, or None where it is content that at most mentions one.

    A statement of one paragraph counts when it opens with the phrase (after "Error:" and kin), or is one short line
    that holds it and is no item of a list. News that tells of somebody who "could not connect" is content.
    """
    statement = text.strip().casefold()
    if not statement or len(statement) > LONG_STATEMENT_CHARACTERS or re.search(r"\n\s*\n", statement):
        return None
    lines = statement.splitlines()
    for phrase in vocabulary.empty_phrases:
        needle = phrase.casefold()
        if _opens_with(LIST_ITEM.sub("", statement), needle):
            return phrase
        one_short_line = len(lines) == 1 and len(statement) <= SHORT_STATEMENT_CHARACTERS
        if (
            one_short_line
            and not LIST_ITEM.match(statement)
            and re.search(rf"(?<!\w){re.escape(needle)}(?!\w)", statement)
        ):
            return phrase
    return None


def _opens_with(statement: str, needle: str) -> bool:
    lead_in = LEAD_IN.match(statement)
    after_lead_in = statement[lead_in.end() :] if lead_in else statement
    return any(re.match(rf"\W*{re.escape(needle)}(?!\w)", opening) for opening in (statement, after_lead_in))
