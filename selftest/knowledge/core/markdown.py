"""Markdown as sections that search finds, and as a page that is safe to show. Pure: text in, values out.

A section begins at a heading of the first three levels, outside code, quotes and lists.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from selftest.knowledge.core.documents import MOST_MARKDOWN, DocumentRefusedError, printable, structure_of

SECTION_LEVELS = ("h1", "h2", "h3")
LONGEST_PARAGRAPH = 20_000  # characters; the time to read one may grow with its square
MOST_SQUARED = 3_000_000_000  # of all paragraphs' characters, each squared; a million in ones of 1,000 come to a third
LONGEST_LINE = 100_000  # characters; of a table's row or of code
LONGEST_RUN = 200_000  # characters without a blank line; the time to find its end may grow with its square
MOST_LINES = 50_000
MOST_SECTIONS = 5_000  # of one document
MOST_BLOCKS = 100_000  # paragraphs, rows, items and marks of one document
LONGEST_PIECE = 2_500  # characters of a section that are one piece; a longer one becomes several
DEEPEST_BLOCKS = 20  # quotes and lists inside each other; deeper ones are left as text
LONGEST_SLUG = 200  # characters; a heading may be a paragraph
ANCHOR_PREFIX = "doc-"  # so that no heading takes the name of a part of the page
OUTSIDE = frozenset({"http", "https", "mailto"})

_TAGS = re.compile(r"<[^<>]*>")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of a document.

    anchor: "" for the text before the first heading. path: the headings that it stands under, and its own.
    body: plain text. start, end: its lines, from 0, without the last. piece: of a section that is too long for one.
    """

    title: str
    anchor: str
    path: tuple[str, ...]
    body: str
    start: int
    end: int
    piece: int = 0


@dataclass(frozen=True, slots=True)
class MarkdownDocument:
    """A document in its sections. title: from the front matter or the first heading, else ""."""

    title: str
    language: str
    tags: tuple[str, ...]
    sections: tuple[Section, ...]


def read_markdown(text: str, name: str) -> MarkdownDocument:
    """`text` in its sections. Raises DocumentRefusedError for what is too large, or hostile."""
    front, text, before = _front_matter(_checked(text, name), name)
    blocks = _blocks(text, name)
    headings = list(_headings(blocks))
    sections: list[Section] = []
    above: list[str] = []
    starts = [(0, 0, "", "", 0)] if not headings or headings[0].at else []
    starts += [(one.at + 3, int(one.tag[1]), one.title, one.anchor, one.line) for one in headings]
    if len(starts) > MOST_SECTIONS:
        raise DocumentRefusedError(f"{name} has {len(starts):,} sections; {MOST_SECTIONS:,} can be read: split it")
    title = front.get("title") or (headings[0].title if headings else "")
    ends = [one.at for one in headings if one.at] + [len(blocks)]
    last_line = text.count("\n") + 1
    lines = [*[start[4] for start in starts][1:], last_line]
    for (at, level, heading, anchor, line), end, end_line in zip(starts, ends, lines, strict=True):
        if level:
            above = [*above[: level - 1], heading]
        path = tuple(one for one in above if one) if level else ()
        pieces = _pieces(_texts(blocks[at:end], before), line + before, end_line + before)
        for piece, (body, start, stop) in enumerate(pieces):
            if body or heading:
                sections.append(Section(heading or title, anchor, path, body, start, stop, piece))
    return MarkdownDocument(title, front.get("language", ""), tuple(front.get("tags", ())), tuple(sections))


def html_of(text: str, name: str, link: Callable[[str], str | None]) -> str:
    """`text` as HTML without a script, a style, an image or a tag of its own.

    link: where a relative address leads, None: nowhere, so that it is left as text. Headings are a level lower than
    they were, as the page has one of its own. Raises DocumentRefusedError.
    """
    _, text, _ = _front_matter(_checked(text, name), name)
    blocks = _blocks(text, name)
    for heading in _headings(blocks):
        blocks[heading.at].attrs["id"] = ANCHOR_PREFIX + heading.anchor
    for block in blocks:
        block.attrs.pop("style", None)  # of table cells: the content security policy forbids it
        if block.type in ("heading_open", "heading_close"):
            block.tag = f"h{min(6, int(block.tag[1]) + 1)}"
        if block.type == "inline":
            block.children = list(_safe(block.children or (), link))
    return str(_PARSER.renderer.render(blocks, _PARSER.options, {}))


def slug_of(heading: str) -> str:
    """As GitHub makes it: lower case, spaces as hyphens, no punctuation."""
    return _NOT_IN_SLUG.sub("", heading.strip().lower()).replace(" ", "-")[:LONGEST_SLUG]


# --- reading ---


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST_BLOCKS}).enable("table")
    parser.core.ruler.disable("inline")  # done by hand, once each paragraph's length is known
    return parser


_PARSER = _parser()


def _checked(text: str, name: str) -> str:
    """What is too large is refused before anything is read of it."""
    if len(text) > MOST_MARKDOWN:
        raise DocumentRefusedError(f"{name} has {len(text):,} characters; {MOST_MARKDOWN:,} can be read: split it")
    lines = printable(text).split("\n")
    if len(lines) > MOST_LINES:
        raise DocumentRefusedError(f"{name} has {len(lines):,} lines; {MOST_LINES:,} can be read: split it")
    run = 0
    for number, line in enumerate(lines, 1):
        run = run + len(line) if line.strip() else 0
        if len(line) > LONGEST_LINE or run > LONGEST_RUN:
            raise DocumentRefusedError(
                f"{name}: too many characters without a blank line, up to line {number}; split it"
            )
    return "\n".join(lines)


def _front_matter(text: str, name: str) -> tuple[dict[str, Any], str, int]:
    """What stands between two lines of `---` at the beginning, the text after it, and how many lines it has."""
    found = re.match(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", text, re.S)
    if found is None:
        return {}, text, 0
    try:
        given = structure_of(found[1], name)
    except DocumentRefusedError:
        return {}, text, 0  # two rules, and text between them
    if not isinstance(given, dict):
        return {}, text, 0
    tags = given.get("tags") or ()
    tags = re.split(r"[,\s]+", tags) if isinstance(tags, str) else tags if isinstance(tags, list) else ()
    front = {
        "title": str(given.get("title") or "")[:500],
        "language": str(given.get("language") or given.get("lang") or "")[:2].lower(),
        "tags": [str(tag).strip().lower()[:100] for tag in tags if str(tag).strip()][:50],
    }
    return front, text[found.end() :], text[: found.end()].count("\n")


def _blocks(text: str, name: str) -> list[Token]:
    env: dict[str, Any] = {}
    blocks = _PARSER.parse(text, env)
    if len(blocks) > MOST_BLOCKS:
        raise DocumentRefusedError(f"{name} has {len(blocks):,} blocks; {MOST_BLOCKS:,} can be read: split it")
    if sum(len(block.content) ** 2 for block in blocks if block.type == "inline") > MOST_SQUARED:
        raise DocumentRefusedError(f"{name} has too many long paragraphs; break them into several, or split it")
    for block in blocks:
        if block.type != "inline":
            continue
        if len(block.content) > LONGEST_PARAGRAPH:
            line = (block.map or [0])[0] + 1
            raise DocumentRefusedError(
                f"{name}: the paragraph at line {line} has {len(block.content):,} characters; break it into several"
            )
        _PARSER.inline.parse(block.content, _PARSER, env, block.children if block.children is not None else [])
    return blocks


@dataclass(frozen=True, slots=True)
class _Heading:
    at: int
    tag: str
    title: str
    anchor: str
    line: int


def _headings(blocks: Sequence[Token]) -> Iterator[_Heading]:
    """Those that begin a section, each with an anchor of its own."""
    slugs = _Slugs()
    for at, block in enumerate(blocks):
        if block.type != "heading_open" or block.level:
            continue
        title = " ".join(_inline_text(blocks[at + 1].children or ()).split())
        anchor = slugs.next(title)  # deeper headings count as well, as they do on GitHub
        if block.tag in SECTION_LEVELS:
            yield _Heading(at, block.tag, title, anchor, (block.map or [0])[0])


@dataclass
class _Slugs:
    seen: dict[str, int] = field(default_factory=dict)

    def next(self, heading: str) -> str:
        """The slug, with -1, -2 … where it was given before."""
        slug = unique = slug_of(heading) or "section"
        while unique in self.seen:
            self.seen[slug] += 1
            unique = f"{slug}-{self.seen[slug]}"
        self.seen[unique] = 0
        return unique


def _texts(blocks: Sequence[Token], before: int) -> Iterator[tuple[str, int]]:
    """The text of each block, with the line that it begins at; a row of a table is one. before: lines before them."""
    row: list[str] | None = None
    line = before
    for block in blocks:
        line = block.map[0] + before if block.map else line
        if block.type == "tr_open":
            row = []
        elif block.type == "tr_close" and row is not None:
            yield " | ".join(row), line
            row = None
        elif block.type == "inline":
            text = _inline_text(block.children or ())
            if row is None:
                yield text, line
            else:
                row.append(text)
        elif block.type in ("fence", "code_block"):
            yield block.content.rstrip("\n"), line


def _inline_text(tokens: Sequence[Token]) -> str:
    said = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            said.append("\n" if token.type == "hardbreak" else " ")
        elif token.type == "image":
            said.append(_inline_text(token.children or ()))
        elif token.type == "text":
            said.append(_TAGS.sub("", token.content) if "<" in token.content else token.content)
        else:
            said.append(token.content)
    return "".join(said)


def _pieces(texts: Iterator[tuple[str, int]], start: int, end: int) -> list[tuple[str, int, int]]:
    """Texts, each with its line, joined to pieces that are not too long; one that is empty where there is no text."""
    pieces: list[tuple[str, int, int]] = []
    held: list[str] = []
    length, first = 0, start
    for text, line in _cut(texts):
        if held and length + len(text) > LONGEST_PIECE:
            pieces.append(("\n".join(held), first, max(line, first)))
            held, length, first = [], 0, max(line, first)
        held.append(text)
        length += len(text) + 1
    pieces.append(("\n".join(held).strip(), first, end))
    return pieces


def _cut(texts: Iterator[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    for text, line in texts:
        for at in range(0, len(text), LONGEST_PIECE):
            yield text[at : at + LONGEST_PIECE], line


# --- showing ---


def _safe(tokens: Sequence[Token], link: Callable[[str], str | None]) -> Iterator[Token]:
    """Without images, whose words stay; without links that lead nowhere."""
    kept: list[bool] = []
    for token in tokens:
        if token.type == "image":
            said = Token("text", "", 0)
            said.content = _inline_text(token.children or ()) or "image"
            yield said
        elif token.type == "link_open":
            href = _href(str(token.attrs.get("href", "")), link)
            kept.append(href is not None)
            if href is not None:
                token.attrs = {"href": href, "rel": "noopener noreferrer nofollow"}
                yield token
        elif token.type == "link_close":
            if kept.pop():
                yield token
        else:
            yield token


def _href(address: str, link: Callable[[str], str | None]) -> str | None:
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme or parts.netloc:
        return address if parts.scheme in OUTSIDE else None
    if not parts.path:
        return f"#{ANCHOR_PREFIX}{parts.fragment}" if parts.fragment else None
    page = link(parts.path)
    return None if page is None else page + (f"#{ANCHOR_PREFIX}{parts.fragment}" if parts.fragment else "")
