"""URLs of pages, for lists that link to many of them: to reverse each would take most of a page's time.

And the URL of the page that a reader looks at while htmx asks for a part of it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.http import HttpRequest
from django.urls import get_script_prefix, reverse
from django.utils.http import urlencode

ANY = 987_654_321  # is put where the number goes; no other part of a URL has such digits


def numbered_url(name: str, number: int) -> str:
    """The URL of the page of this name and number; like reverse(name, args=[number])."""
    before, after = _around(name, get_script_prefix())
    return f"{before}{number}{after}"


def page_url(name: str) -> str:
    """The URL of the page of this name; like reverse(name)."""
    return _plain(name, get_script_prefix())


class Numbers:
    """Several keys in a path, with commas between them."""

    regex = r"[0-9]{1,18}(?:,[0-9]{1,18}){0,999}"

    def to_python(self, value: str) -> list[int]:
        """As a view has them."""
        return [int(number) for number in value.split(",")]

    def to_url(self, value: Sequence[int]) -> str:
        """As an address has them."""
        return ",".join(map(str, value))


def with_query(url: str, query: str | Mapping[str, str | int] | Sequence[tuple[str, str]]) -> str:
    """`url` with this query added to the one that it may have; as it is where there is nothing to add."""
    added = query if isinstance(query, str) else urlencode(query)
    if not added:
        return url
    return f"{url}&{added}" if "?" in url else f"{url}?{added}"


def cause_flags_url(cause: int, tab: str, target: str = "") -> str:
    """A tab of the queue with the combinations of a cause. target: where lists leave that one out."""
    query: dict[str, str | int] = {"tab": tab, "cause": cause}
    return queue_url(urlencode(query | {"target": target} if target else query))


def queue_url(query: str) -> str:
    """The queue with these filters, which `query` holds as a URL has them."""
    return with_query(page_url("queue"), query)


def combination_url(pk: int, query: str, name: str = "combination") -> str:
    """The page of a combination, or the one of this name, in the list of this query."""
    return with_query(numbered_url(name, pk), query)


def inbox_url(query: str) -> str:
    """The list of causes with these filters."""
    return with_query(page_url("inbox"), query)


def cause_url(pk: int, query: str = "") -> str:
    """The page of a cause, in the list of this query."""
    return with_query(numbered_url("cause", pk), query)


def shown_page_url(request: HttpRequest) -> str | None:
    """Path and query of the page from which htmx asks; None where it does not, or names none of ours."""
    try:
        shown: str | None = request.htmx.current_url_abs_path  # type: ignore[attr-defined]  # the middleware sets it
    except (AttributeError, ValueError):  # no such middleware ran yet; not a URL
        return None
    return shown


@lru_cache(maxsize=128)
def _plain(name: str, script_prefix: str) -> str:
    return reverse(name)


@lru_cache(maxsize=128)
def _around(name: str, script_prefix: str) -> tuple[str, str]:
    before, _, after = reverse(name, args=[ANY]).partition(str(ANY))
    return before, after
