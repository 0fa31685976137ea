"""The region of a page that says what was just done."""

from typing import Any

from django import template

from review import toasts as kept

register = template.Library()


@register.inclusion_tag("shared/toasts.html", takes_context=True)
def toasts(context: dict[str, Any], oob: bool = False) -> dict[str, Any]:
    """All that wait to be used. oob: as a part of htmx's answer, which replaces the region of the page."""
    request = context["request"]
    return {
        "toasts": kept.shown(request),
        "oob": oob,
        "here": context.get("here") or request.get_full_path(),
        "csrf_token": context.get("csrf_token"),
        "request": request,
    }
