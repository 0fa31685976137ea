"""Addresses of numbered pages, for lists that name many of them: to look each up would take most of a page's time.

And of the page that is looked at while htmx asks for a part of it.
"""

from functools import lru_cache

from django.http import HttpRequest
from django.urls import get_script_prefix, reverse
from django.utils.http import urlencode

ANY = 987_654_321  # stands in an address where the number goes; no other part of one has such digits


def numbered(name: str, number: int) -> str:
    """The address of the page of this name and number; like reverse(name, args=[number])."""
    before, after = _around(name, get_script_prefix())
    return f"{before}{number}{after}"


def plain(name: str) -> str:
    """The address of the page of this name; like reverse(name)."""
    return _plain(name, get_script_prefix())


def blame_address(target: str, check: str) -> str:
    """The causes of this check's flags on this target; "": on the default one, or of the check with most."""
    asked = {name: value for name, value in (("target", target), ("check", check)) if value}
    return plain("blame") + (f"?{urlencode(asked)}" if asked else "")


def page_shown(request: HttpRequest) -> str | None:
    """Path and query of the page from which htmx asks; None where it does not, or names none of ours."""
    try:
        shown: str | None = request.htmx.current_url_abs_path  # type: ignore[attr-defined]  # the middleware sets it
    except (AttributeError, ValueError):  # no such middleware ran yet; an address that is none
        return None
    return shown


@lru_cache(maxsize=128)
def _plain(name: str, script_prefix: str) -> str:
    return reverse(name)


@lru_cache(maxsize=128)
def _around(name: str, script_prefix: str) -> tuple[str, str]:
    before, _, after = reverse(name, args=[ANY]).partition(str(ANY))
    return before, after
