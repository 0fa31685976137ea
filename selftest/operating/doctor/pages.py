"""Addresses of pages where something is mended. Where no command does it, a check names one of them."""

from django.conf import settings
from django.urls import reverse


def page(name: str, *keys: int) -> str:
    """The whole address of the page of this name, to be opened from a terminal as well."""
    return f"{settings.PUBLIC_URL}{reverse(name, args=keys)}"
