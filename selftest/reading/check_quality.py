"""How good the checks are: what people decided about the causes of each check's flags."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import lru_cache

from django.db.models import Count, Value

from selftest.core.judging.findings import CheckName
from selftest.models import Cause, CauseEvent, Flag
from selftest.reading.causes import CauseFilter, CauseState, listed_causes
from selftest.reading.queue import QueueFilter, QueueRevision, QueueSnapshot, check_named, in_tab

Kind = CauseEvent.Kind
# The verdicts that say whether the check was right.
OF_THE_CHECK = (Cause.Verdict.CONFIRMED, Cause.Verdict.FALSE_ALARM, Cause.Verdict.ACCEPTED)
MONTHS = 6  # that are told one by one


@dataclass(frozen=True)
class CausesAndFlags:
    """How many causes, and how many flags of one check are put down to them."""

    causes: int = 0
    flags: int = 0

    def __add__(self, other: "CausesAndFlags") -> "CausesAndFlags":
        return CausesAndFlags(self.causes + other.causes, self.flags + other.flags)


@dataclass(frozen=True)
class MonthOfVerdicts:
    """judged: causes whose verdict of this month says whether the check was right; false_alarms: it was not."""

    first_day: date
    judged: int
    false_alarms: int


@dataclass(frozen=True)
class CheckQuality:
    """The causes that a check shows in. open: causes that wait for a person. open_flags: combinations that do.

    A judged cause with new flags is among both. months: those with a verdict, the oldest first.
    """

    by_verdict: Mapping[Cause.Verdict, CausesAndFlags] = field(default_factory=dict)
    open: int = 0
    open_flags: int = 0
    months: tuple[MonthOfVerdicts, ...] = ()

    def of(self, verdict: Cause.Verdict) -> CausesAndFlags:
        """Those with this verdict."""
        return self.by_verdict.get(verdict, CausesAndFlags())

    @property
    def judged(self) -> int:
        """Causes whose verdict says whether the check was right: what the share of false alarms is of."""
        return sum(self.of(verdict).causes for verdict in OF_THE_CHECK)


def check_quality(target: str, revision: QueueRevision, now: datetime) -> Mapping[CheckName, CheckQuality]:
    """By check, of those with anything to tell. target: its name; empty: all that are switched on.

    A cause counts at each check that it shows in, as the inbox lists it for each of them.
    """
    rows = listed_causes(CauseFilter(state=CauseState.ALL, target=target), revision, now)
    checks_of = {one.row.pk: [check for check in map(check_named, one.row.checks) if check] for one in rows}
    flags = flags_by_cause(revision)
    verdicts: dict[CheckName, dict[Cause.Verdict, CausesAndFlags]] = defaultdict(dict)
    waiting: dict[CheckName, int] = defaultdict(int)
    for one in rows:
        for check in checks_of[one.row.pk]:
            waiting[check] += one.is_in_inbox
            if one.row.verdict:
                verdict = Cause.Verdict(one.row.verdict)
                before = verdicts[check].get(verdict, CausesAndFlags())
                verdicts[check][verdict] = before + CausesAndFlags(1, flags.get((one.row.pk, check), 0))
    open_flags = open_flags_by_check(QueueSnapshot(QueueFilter(target=target), revision, now))
    months = _months(checks_of, verdicts_since(revision, _first_month(now)))
    told = {check for check in CheckName if verdicts.get(check) or waiting.get(check) or open_flags.get(check)}
    return {
        check: CheckQuality(
            verdicts.get(check, {}), waiting.get(check, 0), open_flags.get(check, 0), months.get(check, ())
        )
        for check in CheckName
        if check in told
    }


@lru_cache(maxsize=4)
def flags_by_cause(revision: QueueRevision) -> Mapping[tuple[int, str], int]:
    """By cause and check; counted once for as long as nothing has changed. revision: of now."""
    rows = Flag.objects.filter(cause__isnull=False).order_by().values_list("cause", "check_name")
    return {(cause, check): n for cause, check, n in rows.annotate(n=Count(Value(1)))}


@lru_cache(maxsize=16)
def open_flags_by_check(snapshot: QueueSnapshot) -> Mapping[str, int]:
    """How many rows the list of flags has for each check, in one query."""
    # By target too: in that order the narrow index has them, and SQLite takes it for no other.
    rows = in_tab(snapshot.filters, snapshot.now).values_list("target", "flagged_check")
    counts: Counter[str] = Counter()
    for _, check, count in rows.annotate(n=Count(Value(1))):
        counts[check] += count
    return counts


@dataclass(frozen=True)
class GivenVerdict:
    """A verdict that was not undone; of several in one month the last."""

    cause: int
    month: date
    verdict: Cause.Verdict


@lru_cache(maxsize=4)
def verdicts_since(revision: QueueRevision, since: datetime) -> Sequence[GivenVerdict]:
    """All that were given since then, read once for as long as nothing has changed."""
    events = CauseEvent.objects.filter(kind__in=[Kind.JUDGED, Kind.REOPENED], at__gte=since).order_by("id")
    given: dict[int, list[GivenVerdict]] = defaultdict(list)
    for cause, kind, verdict, at in events.values_list("cause", "kind", "verdict", "at"):
        month = at.date().replace(day=1)
        of_cause = given[cause]
        if of_cause and (kind == Kind.REOPENED or of_cause[-1].month == month):
            of_cause.pop()
        if kind == Kind.JUDGED:
            of_cause.append(GivenVerdict(cause, month, Cause.Verdict(verdict)))
    return tuple(one for of_cause in given.values() for one in of_cause)


def _months(
    checks_of: Mapping[int, Sequence[CheckName]], given: Sequence[GivenVerdict]
) -> Mapping[CheckName, tuple[MonthOfVerdicts, ...]]:
    found: dict[CheckName, dict[date, MonthOfVerdicts]] = defaultdict(dict)
    for one in given:
        if one.verdict not in OF_THE_CHECK:
            continue
        for check in checks_of.get(one.cause, ()):
            month = found[check].setdefault(one.month, MonthOfVerdicts(one.month, 0, 0))
            false_alarms = month.false_alarms + (one.verdict is Cause.Verdict.FALSE_ALARM)
            found[check][one.month] = replace(month, judged=month.judged + 1, false_alarms=false_alarms)
    return {check: tuple(months[day] for day in sorted(months)) for check, months in found.items()}


def _first_month(now: datetime) -> datetime:
    """When the oldest of the months began that are told."""
    months = now.year * 12 + now.month - MONTHS
    return now.replace(year=months // 12, month=months % 12 + 1, day=1, hour=0, minute=0, second=0, microsecond=0)
