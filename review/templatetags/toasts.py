"""The region of a page that says what was just done."""

from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import reverse

from review import toasts as kept
from review.page_urls import shown_page_url

register = template.Library()


@register.inclusion_tag("shared/toasts.html", takes_context=True)
def toasts(context: dict[str, Any], oob: bool = False) -> dict[str, Any]:
    """All that wait to be used, the newest in sight. oob: as a part of htmx's answer, which replaces the region."""
    request = context["request"]
    newest_first = kept.shown(request)[::-1]
    return {
        "newest": newest_first[0] if newest_first else None,
        "earlier": newest_first[1:],
        "oob": oob,
        "here": context.get("here") or _page_of(request),
        "csrf_token": context.get("csrf_token"),
        "request": request,
    }


def _page_of(request: HttpRequest) -> str:
    """Where a form comes back to: the page that is looked at, which an act's own address is not."""
    if shown := shown_page_url(request):
        return shown
    return request.get_full_path() if request.method in ("GET", "HEAD") else reverse("inbox")
