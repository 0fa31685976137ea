"""Where a list is had as a file, as it is filtered."""

from dataclasses import dataclass

from review.page_urls import page_url, with_query


@dataclass(frozen=True)
class FileLinks:
    """A list as CSV and as JSON."""

    csv: str
    json: str


def file_links(name: str, query: str) -> FileLinks:
    """name: that the addresses of this list's files begin with. query: its filter as an address has it."""
    return FileLinks(*(with_query(page_url(f"{name}-{kind}"), query) for kind in ("csv", "json")))
