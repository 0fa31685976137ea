"""`/checks`: how good each check is, by what people decided about its flags."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from review.contexts.choices import PageLink
from review.contexts.verdicts import month_name
from review.filters import as_query, cause_query
from review.page_urls import inbox_url, queue_url
from selftest.core.insight.intervals import wilson_interval
from selftest.core.judging.findings import GROUPS, CheckName
from selftest.guarantees import GUARANTEES
from selftest.models import Cause
from selftest.reading.causes import CauseFilter, CauseState
from selftest.reading.check_quality import CheckQuality, MonthOfVerdicts
from selftest.reading.queue import QueueFilter, Tab
from selftest.reading.verdicts import JudgedAs, Month

Verdict = Cause.Verdict
IN_ORDER = tuple(check for group in GROUPS.values() for check in group)
COLUMNS = {
    Verdict.CONFIRMED: "Confirmed",
    Verdict.FALSE_ALARM: "False alarms",
    Verdict.ACCEPTED: "Accepted",
    Verdict.LATER: "Later",
    Verdict.DISMISSED: "Dismissed",
}


@dataclass(frozen=True)
class Figure:
    """How many, and the list of them."""

    count: int
    address: str


@dataclass(frozen=True)
class VerdictCell:
    """How many causes have this verdict, and how many flags that have it by themselves."""

    name: str
    causes: Figure
    flags: Figure


@dataclass(frozen=True)
class FalseAlarmShare:
    """Of all verdicts. between: the bounds of its interval, in words."""

    false_alarms: int
    judged: int
    percent: str
    between: str

    @classmethod
    def of(cls, quality: CheckQuality) -> "FalseAlarmShare | None":
        """None while nothing is judged."""
        if not quality.judged:
            return None
        false_alarms = quality.of(Verdict.FALSE_ALARM).both
        least, most = wilson_interval(false_alarms, quality.judged)
        percent = f"{100 * false_alarms / quality.judged:.0f} %"
        return cls(false_alarms, quality.judged, percent, f"{100 * least:.0f} to {100 * most:.0f} %")


@dataclass(frozen=True)
class MonthLine:
    """name: of the month, with its year. of_causes, of_flags: false alarms, and all that was judged; None for none."""

    name: str
    of_causes: tuple[Figure, Figure] | None
    of_flags: tuple[Figure, Figure] | None


@dataclass(frozen=True)
class CheckLine:
    """A check. open: causes that wait, waiting: where; open_flags: rows of the list of flags, flags: that list."""

    shape: str
    name: str
    sentence: str
    is_off: bool
    open: int
    waiting: str
    open_flags: int
    flags: str
    cells: tuple[VerdictCell, ...]
    share: FalseAlarmShare | None
    months: tuple[MonthLine, ...]

    @classmethod
    def of(cls, check: CheckName, quality: CheckQuality, target: str, is_off: bool) -> "CheckLine":
        """target: the one that was chosen, "" for all."""
        guarantee = GUARANTEES[check]
        return cls(
            shape=check,
            name=guarantee.name,
            sentence=guarantee.sentence,
            is_off=is_off,
            open=quality.open,
            waiting=inbox_url(cause_query(CauseFilter(target=target, check=check))),
            open_flags=quality.open_flags,
            flags=queue_url(as_query(QueueFilter(target=target, check=check))),
            cells=tuple(_cell(check, verdict, quality, target) for verdict in COLUMNS),
            share=FalseAlarmShare.of(quality),
            months=tuple(_month_line(check, month, target) for month in quality.months),
        )


def _cell(check: CheckName, verdict: Verdict, quality: CheckQuality, target: str) -> VerdictCell:
    judged = CauseFilter(state=CauseState.JUDGED, target=target, check=check, verdict=JudgedAs(verdict))
    counted = quality.of(verdict)
    return VerdictCell(
        COLUMNS[verdict],
        Figure(counted.causes, inbox_url(cause_query(judged))),
        Figure(counted.flags, _flags_alone(check, JudgedAs(verdict), target)),
    )


def _month_line(check: CheckName, month: MonthOfVerdicts, target: str) -> MonthLine:
    of_causes, of_flags = [], []
    for meant, counted in ((JudgedAs.FALSE_ALARM, month.false_alarms), (JudgedAs.OF_THE_CHECK, month.judged)):
        given = CauseFilter(CauseState.ALL, target, check, meant, month.month)
        of_causes.append(Figure(counted.causes, inbox_url(cause_query(given))))
        of_flags.append(Figure(counted.flags, _flags_alone(check, meant, target, month.month)))
    return MonthLine(
        month_name(month.month),
        (of_causes[0], of_causes[1]) if month.judged.causes else None,
        (of_flags[0], of_flags[1]) if month.judged.flags else None,
    )


def _flags_alone(check: CheckName, meant: JudgedAs, target: str, month: Month | None = None) -> str:
    filters = QueueFilter(Tab.DISMISSED, check, target=target, verdict=meant, month=month, is_alone=True)
    return queue_url(as_query(filters))


@dataclass(frozen=True)
class QuietCheck:
    """A check without a flag that waits or was judged."""

    shape: str
    name: str
    is_off: bool


@dataclass(frozen=True)
class ChecksPage:
    """lines: the checks with anything to tell, in order of priority."""

    has_target: bool
    targets: tuple[PageLink, ...]
    columns: tuple[str, ...]
    lines: tuple[CheckLine, ...]
    quiet: tuple[QuietCheck, ...]

    @classmethod
    def of(
        cls,
        qualities: Mapping[CheckName, CheckQuality],
        switched_off: Collection[CheckName],
        target: str,
        targets: tuple[PageLink, ...],
        has_target: bool,
    ) -> "ChecksPage":
        """target: the one that was chosen, "" for all."""
        return cls(
            has_target=has_target,
            targets=targets,
            columns=tuple(COLUMNS.values()),
            lines=tuple(
                CheckLine.of(check, qualities[check], target, check in switched_off)
                for check in IN_ORDER
                if check in qualities
            ),
            quiet=tuple(
                QuietCheck(check, GUARANTEES[check].name, check in switched_off)
                for check in IN_ORDER
                if check not in qualities
            ),
        )
