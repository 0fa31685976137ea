"""How a value stands on a page: as text, whatever it holds."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

CELL_CHARACTERS = 100  # of a text in a list


def as_text(text: str | None) -> SafeString | str:
    """Whole and as it came: escaped, its lines and spaces kept."""
    return format_html('<pre class="raw" tabindex="0">{}</pre>', text) if text else "–"


def cut(text: str | None) -> str:
    return Truncator(text).chars(CELL_CHARACTERS) if text else "–"


def breakable(name: str) -> SafeString:
    """A long name in a narrow column: broken after an underscore, and copied without any break."""
    return format_html_join(mark_safe("_<wbr>"), "{}", ((word,) for word in name.split("_")))


def milliseconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f} ms"


def listing_link(model: str, words: str, **filters: object) -> SafeString:
    """A link to the list of `model`, narrowed down."""
    return format_html('<a href="{}">{}</a>', listing_url(model, filters), words)


def listing_url(model: str, filters: Mapping[str, object]) -> str:
    return f"{reverse(f'admin:selftest_{model}_changelist')}?{urlencode(filters)}"
