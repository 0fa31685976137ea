"""Queries as pages write them: shortened, with their parts told apart, and with a mark on what no eye can tell."""

from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from review.contexts.parts import Chip
from review.query_text import Piece, cut, pieces, shortened

register = template.Library()

NAME_CHARACTERS = 80  # of a query in a name for screen readers, which is read out whole
LOOSE_KINDS = ("joint", "nosplit")  # of parts: what holds the ingredients together
NAMED_CODE_POINTS = 4  # in what a screen reader reads of a run; each character has its own on hover


@register.filter
def query(text: str) -> SafeString:
    """A query in a list or a heading: its beginning and end, with marks."""
    head, left_out, tail = cut(text)
    if not left_out:
        return whole_query(text)
    gap = format_html(' <span class="aside">… {} more characters …</span> ', f"{left_out:,}")
    return mark_safe(whole_query(head) + gap + whole_query(tail))  # noqa: S308 - each escaped by itself


@register.filter
def whole_query(text: str) -> SafeString:
    """All of a query, with marks."""
    return mark_safe("".join(map(_written, pieces(text))))  # noqa: S308 - each escaped by itself


@register.filter
def short_query(text: str) -> str:
    """A query where there is only text: in a name for screen readers, or a title."""
    return shortened(text, NAME_CHARACTERS)


@register.filter
def is_long_query(text: str) -> bool:
    return cut(text)[1] > 0


def _written(piece: Piece) -> str:
    if not piece.code_points:
        return escape(piece.text)
    marks = format_html_join(
        "", '<span class="odd" title="{1}">{0}</span>', zip(piece.text, piece.code_points, strict=True)
    )
    more = len(piece.code_points) - NAMED_CODE_POINTS
    named = ", ".join(piece.code_points[:NAMED_CODE_POINTS]) + (f" and {more} more" if more > 0 else "")
    # Not selected with the text around it, and left out by copy.js: a copy is the query and nothing else.
    return f'{marks}<span class="code-points"> ({named}) </span>'


@register.simple_tag
def query_parts(parts: Sequence[Chip], text: str) -> SafeString:
    """The query as it was written; what each part is there for shows on hover. `text` itself where that is unknown."""
    if not parts:
        return query(text)
    return mark_safe("".join(map(_marked, parts)))  # noqa: S308 - each escaped by itself


@lru_cache(maxsize=4096)  # pages are full of the same ingredients
def _marked(part: Chip) -> SafeString:
    if not part.label:
        return whole_query(part.text)
    return format_html('<span class="{}" title="{}">{}</span>', _classes(part), part.label, whole_query(part.text))


def _classes(part: Chip) -> str:
    loose = " query-part-loose" if part.kind in LOOSE_KINDS else ""
    broken = " query-part-broken" if part.is_broken else ""
    return f"query-part{loose}{broken}{' query-part-suspect' if part.is_suspect else ''}"
