"""Causes in words, as all pages name them."""

from dataclasses import dataclass

from review.contexts.findings import name_of_check
from review.page_urls import cause_flags_url, cause_url
from selftest.models import Cause
from selftest.reading.queue import Tab

SHOWN_CHECKS = 2  # by name


def title_of(row: Cause) -> str:
    """What it shows in and what the queries have in common, in one line."""
    return f"{checks_of(row)}: {row.sentence}"


def checks_of(row: Cause) -> str:
    """The names of its checks, most flags first."""
    names = [name_of_check(check) for check in row.checks]
    more = len(names) - SHOWN_CHECKS
    return ", ".join(names[:SHOWN_CHECKS]) + (f" and {more} more" if more > 0 else "")


def list_of(row: Cause, tab: Tab) -> str:
    """The list of its combinations."""
    target = "" if row.target.enabled else row.target.name  # lists leave it out unless they name it
    return cause_flags_url(row.pk, tab, target)


@dataclass(frozen=True)
class CauseLink:
    """A cause that flags elsewhere are put down to. shape: of the check that it shows in most. page: its own."""

    pk: int
    shape: str
    checks: str
    sentence: str
    page: str

    @classmethod
    def of(cls, row: Cause | None) -> "CauseLink | None":
        """None for None."""
        if row is None:
            return None
        return cls(row.pk, row.checks[0] if row.checks else "", checks_of(row), row.sentence, cause_url(row.pk))
