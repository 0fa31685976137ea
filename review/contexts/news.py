"""What came since a list was looked at, which its page asks for again and again."""

from dataclasses import dataclass

from django.utils.http import urlencode

from review.contexts.status_line import StatusLine
from review.page_urls import inbox_url, page_url, queue_url, with_query


@dataclass(frozen=True)
class News:
    """What the page knows already, and what came since. flagged: combinations of this list flagged by newer runs.

    address: where to ask again. show: the list as it is now.
    """

    flagged: int
    address: str
    show: str
    status: StatusLine

    @classmethod
    def of(cls, query: str, since: int, flagged: int, status: StatusLine, of_causes: bool = False) -> "News":
        """query: of the list. since: the newest run that the page knows. of_causes: the page is the inbox."""
        seen = cls.seen(flagged, status)
        asked = urlencode({"since": str(since), "seen": seen} | ({"of": "causes"} if of_causes else {}))
        return cls(
            flagged=flagged,
            address=with_query(with_query(page_url("news"), query), asked),
            show=inbox_url("") if of_causes else queue_url(query),
            status=status,
        )

    @staticmethod
    def seen(flagged: int, status: StatusLine) -> str:
        """A token of all that the polled part of the page shows."""
        outages = ",".join(str(outage.cycle) for outage in status.outages)
        return f"{flagged}.{status.open_cycle or 0}.{status.asked}.{status.last_run or 0}.{outages}"
