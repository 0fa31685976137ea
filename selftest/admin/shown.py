"""How values are shown on admin pages: always as text, never as markup."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

CELL_CHARACTERS = 100  # of a text in a list

Cell = Callable[[Any], SafeString | str]


def cell(name: str, title: str, show: Cell) -> Any:  # Django takes a callable as a field, its stubs only a name
    """A column of a list or a field of a page. name: for CSS; title: for people; show: gives the text for a row."""

    def shown(row: Any) -> SafeString | str:
        return show(row)

    shown.__name__ = name
    return admin.display(description=title)(shown)


def as_text(text: str | None) -> SafeString | str:
    """The whole text, escaped, with its lines and spaces; a dash for none."""
    return format_html('<pre class="raw" tabindex="0">{}</pre>', text) if text else "–"


def cut(text: str | None) -> str:
    """The beginning of a text, for a list; a dash for none."""
    return Truncator(text).chars(CELL_CHARACTERS) if text else "–"


def breakable(name: str) -> SafeString:
    """A long name for a narrow column: it may break after an underscore, and is copied without the break."""
    return format_html_join(mark_safe("_<wbr>"), "{}", ((word,) for word in name.split("_")))


def milliseconds(value: float | None) -> str:
    """`12 ms`; a dash for none."""
    return "–" if value is None else f"{value:.0f} ms"


def listing_link(model: str, words: str, **filters: object) -> SafeString:
    """A link to the list of `model`, filtered."""
    return format_html('<a href="{}">{}</a>', listing_url(model, filters), words)


def listing_url(model: str, filters: Mapping[str, object]) -> str:
    """The URL of the list of `model`, filtered."""
    return f"{reverse(f'admin:selftest_{model}_changelist')}?{urlencode(filters)}"
