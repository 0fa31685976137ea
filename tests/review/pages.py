"""What tests of pages look for in a response."""

import html
import re

from django.http import HttpResponse

SCRIPT = "<script>alert(1)</script>"


def text_of(response: HttpResponse) -> str:
    """The words of a page on one line, as a reader has them."""
    markup = re.sub(r"<(script|style|title|template)\b.*?</\1>", " ", response.content.decode(), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def is_whole(response: HttpResponse) -> bool:
    return b"<!doctype html>" in response.content


def assert_escaped(response: HttpResponse) -> None:
    assert SCRIPT not in response.content.decode()
    assert html.escape(SCRIPT) in response.content.decode()
