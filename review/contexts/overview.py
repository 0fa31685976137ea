"""`/overview`: a few large figures, readable from across a room."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.charts.days import Bars
from review.contexts.findings import FindingView
from review.contexts.status_line import StatusLine
from selftest.models import Flag
from selftest.operating.health import TestingHealth, TestingStatus, is_late


@dataclass(frozen=True)
class Alarm:
    """What everyone in the room has to see. words: large; more: beside it."""

    shape: str
    words: str
    more: str
    since: datetime | None = None


@dataclass(frozen=True)
class NewFlag:
    """One of the newest flags."""

    pk: int
    combination: int
    finding: FindingView
    query: str
    at: datetime

    @classmethod
    def of(cls, flag: Flag) -> "NewFlag":
        """As the row has it."""
        return cls(
            flag.pk, flag.combination_id, FindingView.of_flag(flag), flag.combination.last_query_text, flag.created_at
        )


@dataclass(frozen=True)
class OverviewPage:
    """`/overview`. leaves_out: targets that are switched off, with their flags."""

    alarms: tuple[Alarm, ...]
    to_review: int
    flagged_now: int
    tried: int
    last_run: datetime | None
    days: Bars
    newest: tuple[NewFlag, ...]
    leaves_out: bool

    @classmethod
    def of(
        cls,
        status: StatusLine,
        health: TestingHealth,
        flagged_now: int,
        clusters: int | None,
        days: Bars,
        newest: Sequence[Flag],
        leaves_out: bool,
    ) -> "OverviewPage":
        """clusters: workers with a fresh heartbeat; None: not known."""
        return cls(
            alarms=tuple(_alarms(status, health, clusters)),
            to_review=health.flagged_for_review,
            flagged_now=flagged_now,
            tried=health.total_combinations_tried,
            last_run=health.last_run,
            days=days,
            newest=tuple(map(NewFlag.of, newest)),
            leaves_out=leaves_out,
        )


def _alarms(status: StatusLine, health: TestingHealth, clusters: int | None) -> list[Alarm]:
    """Switched off: nothing but that is shown, as nothing else is missing then."""
    if not status.has_target:
        return [Alarm("stopped", "No target", "nothing to ask yet")]
    if health.status is TestingStatus.DISABLED:
        return [Alarm("stopped", "Switched off", "nothing is asked")]
    alarms = [Alarm("away", f"{outage.target} is away", "not reached", outage.since) for outage in status.outages]
    if clusters == 0:
        alarms.append(Alarm("away", "No worker", "nothing is asked until one runs"))
    if clusters is None:
        alarms.append(Alarm("away", "Worker not known", "its heartbeat cannot be read"))
    if is_late(health):
        alarms.append(Alarm("waiting", "Late", "the last cycle finished", health.last_run))
    return alarms
