"""Addresses of numbered pages, for lists that name many of them: to look each up would take most of a page's time."""

from functools import lru_cache

from django.urls import get_script_prefix, reverse

ANY = 987_654_321  # stands in an address where the number goes; no other part of one has such digits


def numbered(name: str, number: int) -> str:
    """The address of the page of this name and number; like reverse(name, args=[number])."""
    before, after = _around(name, get_script_prefix())
    return f"{before}{number}{after}"


def plain(name: str) -> str:
    """The address of the page of this name; like reverse(name)."""
    return _plain(name, get_script_prefix())


@lru_cache(maxsize=128)
def _plain(name: str, script_prefix: str) -> str:
    return reverse(name)


@lru_cache(maxsize=128)
def _around(name: str, script_prefix: str) -> tuple[str, str]:
    before, _, after = reverse(name, args=[ANY]).partition(str(ANY))
    return before, after
