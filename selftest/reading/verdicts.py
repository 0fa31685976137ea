"""Verdicts as lists are filtered by them, and when what was put off comes back."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from django.db.models import Q

from selftest.models import Cause, Combination

Verdict = Cause.Verdict
# The verdicts that say whether the check was right.
OF_THE_CHECK = (Verdict.CONFIRMED, Verdict.FALSE_ALARM, Verdict.ACCEPTED)


class JudgedAs(StrEnum):
    """What a list of what was judged can be filtered by."""

    CONFIRMED = "confirmed"
    FALSE_ALARM = "false_alarm"
    ACCEPTED = "accepted"
    LATER = "later"
    DISMISSED = "dismissed"  # of flags: without a verdict
    OF_THE_CHECK = "of_the_check"  # any of those that say whether the check was right

    @property
    def verdicts(self) -> tuple[Cause.Verdict, ...]:
        """Those that it means."""
        return OF_THE_CHECK if self is JudgedAs.OF_THE_CHECK else (Verdict(self.value),)


def dismissed_as(meant: JudgedAs) -> Q:
    """The combinations that were dismissed so and still are."""
    if meant is JudgedAs.DISMISSED:
        return Q(review_status=Combination.ReviewStatus.DISMISSED, verdict__isnull=True)
    return Q(review_status=Combination.ReviewStatus.DISMISSED, verdict__in=meant.verdicts)


@dataclass(frozen=True)
class Month:
    """A month of a year, in UTC."""

    year: int
    month: int

    @classmethod
    def of(cls, day: date) -> "Month":
        """The one that this day, or moment, is in."""
        return cls(day.year, day.month)

    @classmethod
    def of_text(cls, text: str) -> "Month":
        """As `str` writes it: 2026-06. Raises ValueError for anything else."""
        first_day = date.fromisoformat(f"{text}-01")
        if len(text) != len("2026-06") or first_day.year >= date.max.year:
            raise ValueError(f"not a month: {text!r}")
        return cls.of(first_day)

    def __str__(self) -> str:
        return f"{self.year:04}-{self.month:02}"

    @property
    def first_day(self) -> date:
        """The day it begins with."""
        return date(self.year, self.month, 1)

    @property
    def begin(self) -> datetime:
        """The moment it begins."""
        return datetime(self.year, self.month, 1, tzinfo=UTC)

    def earlier(self, months: int) -> "Month":
        """The one so many months before; after, below zero."""
        number = self.year * 12 + self.month - 1 - months
        return Month(number // 12, number % 12 + 1)


@dataclass(frozen=True)
class PutOff:
    """Until when something was put off: any of these. version: awaited; "" for none. version_then: when it was judged.

    Where the version that is awaited is the one that the target had, any other one is.
    """

    until: date | None = None
    version: str = ""
    version_then: str = ""

    def is_due(self, today: date, version: str) -> bool:
        """Whether any of it has come. version: that the target answers with now."""
        if self.until is not None and today >= self.until:
            return True
        if not self.version:
            return False
        return version != self.version_then if self.version == self.version_then else version == self.version
