"""Values as a reader wants them: times relative with the exact one beside it, figures with their units, shapes."""

from datetime import UTC, datetime
from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86400
NOT_KNOWN = mark_safe("–")
JUST_NOW_S = 45
RELATIVE_DAYS = 14  # older than this, a date says more than a number of days


@register.simple_tag
def ago(moment: datetime | None) -> SafeString:
    """`3 min ago` in a <time> that holds the exact moment, which is also shown on hover; a dash for none.

    Figures and our own words only, so that nothing needs escaping: a page may have hundreds.
    """
    if moment is None:
        return NOT_KNOWN
    exact = moment.astimezone(UTC)
    return mark_safe(  # noqa: S308 - see above
        f'<time datetime="{exact:%Y-%m-%dT%H:%M:%SZ}" title="{exact:%Y-%m-%d %H:%M:%S UTC}">'
        f"{relative(exact, timezone.now())}</time>"
    )


@register.simple_tag
def ago_between(first: datetime, last: datetime) -> SafeString:
    """`3 days ago – 2 min ago`, each as `ago` has it; the last alone where both would read alike."""
    now = timezone.now()
    if relative(first, now) == relative(last, now):
        return ago(last)
    return format_html("{} – {}", ago(first), ago(last))


def relative(moment: datetime, now: datetime) -> str:
    """`3 min ago`, or a date for what is long ago."""
    seconds = (now - moment).total_seconds()
    if abs(seconds) < JUST_NOW_S:
        return "just now" if seconds >= 0 else "in a moment"
    size = _size(abs(seconds))
    if size is None:
        return f"{moment.day} {moment:%b %Y}"
    return f"{size} ago" if seconds > 0 else f"in {size}"


def _size(duration_s: float) -> str | None:
    """In the unit that it fills once rounded; None where that would be too many days."""
    if (minutes := round(duration_s / MINUTE_S)) < 60:
        return f"{max(1, minutes)} min"
    if (hours := round(duration_s / HOUR_S)) < 24:
        return f"{hours} h"
    days = round(duration_s / DAY_S)
    return f"{days} day{'s' * (days != 1)}" if days <= RELATIVE_DAYS else None


@register.filter
def ms(latency_ms: float | None) -> str:
    """A latency with its unit; a dash for none."""
    return "–" if latency_ms is None else f"{latency_ms:.0f} ms"  # as the reasons write it


@register.filter
def seconds(duration_s: float | None) -> str:
    """A duration with its unit; a dash for none."""
    if duration_s is None:
        return "–"
    if duration_s < 10:
        return f"{duration_s:.1f} s"
    minutes, rest_s = divmod(round(duration_s), MINUTE_S)
    return f"{minutes} min {rest_s} s" if minutes else f"{rest_s} s"


@register.filter
def breakable(name: str) -> SafeString:
    """A name in snake case that a narrow column breaks after an underscore rather than inside a word."""
    return format_html_join(mark_safe("_<wbr>"), "{}", ((word,) for word in name.split("_")))


@register.filter
def figure(number: int) -> str:
    """A number with thousands told apart."""
    return f"{number:,}"


@register.simple_tag
@lru_cache(maxsize=64)
def shape(name: str) -> SafeString:
    """A symbol of static/shapes.svg. The word beside it says the same, so it is hidden from screen readers."""
    return format_html(
        '<svg class="shape" width="16" height="16" aria-hidden="true"><use href="{}#{}"></use></svg>',
        static("shapes.svg"),
        name,
    )
