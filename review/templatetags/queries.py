"""A query with its parts told apart."""

from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from review.contexts.parts import Chip

register = template.Library()


@register.simple_tag
def query_parts(parts: Sequence[Chip], query: str) -> SafeString:
    """The query as it was said; what each part is there for shows on hover. `query` itself where that is unknown."""
    if not parts:
        return format_html("{}", query)
    return format_html_join("", "{}", ((_marked(part),) for part in parts))


@lru_cache(maxsize=4096)  # pages are full of the same ingredients
def _marked(part: Chip) -> SafeString:
    return format_html('<span class="{}" title="{}">{}</span>', _classes(part), part.label, part.text)


def _classes(part: Chip) -> str:
    if not part.label:
        return "mark-between"
    return f"part {part.kind}{' suspect' if part.is_suspect else ''}"
