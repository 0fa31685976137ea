"""An answer of a target, and its sections split at exact header strings.

Pure; never looks for a source's name in free text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

EXCERPT_CHARACTERS = 300  # of an answer, as evidence; the whole answer is kept beside it
RULE = re.compile(r"^[^\S\n]*-{3,}[^\S\n]*(?:\n|\Z)", re.M)  # what parts two sections; belongs to neither
SHORT_STATEMENT_CHARACTERS = 60  # one that names its subject first: "The feed is not configured."
SHORT_STATEMENT_WORDS = 8
ADVICE_CHARACTERS = 160  # what may follow a failure in paragraphs of its own: "Please try again later."
LONG_STATEMENT_CHARACTERS = 600  # one that opens with the phrase may go on with the exception's own words
LIST_ITEM = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")
MARKED_LINE = re.compile(r"^\s*(?:[-*•–]\s|\d+[.)]\s|[#\[])", re.M)  # an item of a list, or anybody's header
PARAGRAPH_END = re.compile(r"\n\s*\n")
SECOND_SENTENCE = re.compile(r"[.!?…;]\s")
NO_WORD = re.compile(r"^\W+")
LEAD_IN = re.compile(r"^\W*(?:(?:[\w '’/-]|\.(?!\s)){1,40}[:,–—]\s+)?")  # "Error: …", "Sorry, …", "uptime — …"
BARE_LEAD_IN = re.compile(r"\W*[^\W\d]+(?: [^\W\d]+)?[^\w.]*")  # "Error", "# Search failed:" and no more


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
    return text if len(text) <= EXCERPT_CHARACTERS else f"{text[:EXCERPT_CHARACTERS]}…"


def failure_phrase(text: str, phrases: tuple[str, ...]) -> str | None:
    """The failure phrase that `text` *is*, or None where it is content that at most mentions one.

    A statement of one paragraph counts when it opens with the phrase (after "Error:" and kin), or is one short sentence
    that holds it and is no item of a list. A list of several counts when each item opens with a phrase. Several
    paragraphs count when the first, or the second after a bare "Error", opens with the phrase and no more than a little
    advice follows. News that tells of somebody who "could not connect" is content, and so is a report of which one
    sentence says so.

    Limits: nothing but signs and lengths is looked at. A long sentence that names its subject first is missed; content
    in one breath with a failure is taken for it ("All doors locked, garage sensor not configured.", "Garage sensor: not
    configured. All doors locked.").
    """
    statement = text.strip().casefold()
    if not statement or len(statement) > LONG_STATEMENT_CHARACTERS:
        return None
    return _failure_of(statement, phrases)


@lru_cache(maxsize=2048)  # each section is looked at by several checks
def _failure_of(statement: str, phrases: tuple[str, ...]) -> str | None:
    if not mentions_any(phrases).search(statement):
        return None
    if PARAGRAPH_END.search(statement):
        return _phrase_of_paragraphs(statement, phrases)
    lines = statement.splitlines()
    items = [line for line in lines if LIST_ITEM.match(line)]
    clauses = items if len(items) > 1 else [statement]
    opened_with = [_opening_phrase(LIST_ITEM.sub("", clause), phrases) for clause in clauses]
    if None not in opened_with:
        return opened_with[0]
    if len(lines) > 1 or items or not _is_short_sentence(statement):
        return None
    return next((phrase for phrase in phrases if _words(phrase).search(statement)), None)


def _phrase_of_paragraphs(statement: str, phrases: tuple[str, ...]) -> str | None:
    first, *others = (paragraph.strip() for paragraph in PARAGRAPH_END.split(statement))
    if BARE_LEAD_IN.fullmatch(first):
        first, *others = others
    advice = "\n".join(others)
    if len(advice) >= ADVICE_CHARACTERS or MARKED_LINE.search(advice) or LIST_ITEM.match(first):
        return None
    return _opening_phrase(first, phrases, then=r"(?!,)")  # "Nothing to report, said the master." begins a story


def _is_short_sentence(statement: str) -> bool:
    return (
        len(statement) <= SHORT_STATEMENT_CHARACTERS
        and len(statement.split()) <= SHORT_STATEMENT_WORDS
        and SECOND_SENTENCE.search(statement) is None
    )


@lru_cache(maxsize=64)
def mentions_any(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Finds no less than the phrases one by one do; nearly every section is told to be none of them at once."""
    opened_by = (NO_WORD.sub("", phrase) for phrase in phrases)
    return re.compile("|".join(_words(phrase).pattern for phrase in dict.fromkeys((*opened_by, *phrases))) or r"(?!)")


@lru_cache(maxsize=1024)  # every section is held against every phrase
def _words(phrase: str, then: str = "") -> re.Pattern[str]:
    spaced = r"\s+".join(map(re.escape, phrase.casefold().split()))
    return re.compile(rf"(?<!\w){spaced}(?!\w){then}")


def _opening_phrase(statement: str, phrases: tuple[str, ...], then: str = "") -> str | None:
    lead_in = LEAD_IN.match(statement)
    openings = [
        NO_WORD.sub("", opening) for opening in (statement, statement[lead_in.end() :] if lead_in else statement)
    ]
    for phrase in phrases:
        if any(_words(NO_WORD.sub("", phrase), then).match(opening) for opening in openings):
            return phrase
    return None
