"""How good the checks are: what people decided about the causes of each check's flags, and about single flags."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from django.db.models import Count, TextField, Value
from django.db.models.functions import Cast, Substr

from selftest.core.judging.findings import CheckName
from selftest.models import Cause
from selftest.reading.causes import CauseFilter, CauseState, listed_causes
from selftest.reading.given_verdicts import verdicts_since
from selftest.reading.queue import QueueFilter, QueueRevision, QueueSnapshot, Tab, check_named, in_tab, is_in
from selftest.reading.verdicts import OF_THE_CHECK, Month

Verdict = Cause.Verdict
MONTHS = 6  # that are told one by one


@dataclass(frozen=True)
class CausesAndFlags:
    """How many causes, and how many flags were judged by themselves: no judged cause shows in their queries."""

    causes: int = 0
    flags: int = 0

    def __add__(self, other: "CausesAndFlags") -> "CausesAndFlags":
        return CausesAndFlags(self.causes + other.causes, self.flags + other.flags)

    @property
    def both(self) -> int:
        """Verdicts in all."""
        return self.causes + self.flags


@dataclass(frozen=True)
class MonthOfVerdicts:
    """judged: whose verdict of this month says whether the check was right; false_alarms: it was not."""

    month: Month
    judged: CausesAndFlags = CausesAndFlags()
    false_alarms: CausesAndFlags = CausesAndFlags()


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
        """Verdicts that say whether the check was right: what the share of false alarms is of."""
        return sum(self.of(verdict).both for verdict in OF_THE_CHECK)


@dataclass(frozen=True)
class CountedVerdicts:
    """So many causes or flags of a check with this verdict. month: in which it was given; None where all are meant."""

    check: CheckName
    verdict: Cause.Verdict
    count: CausesAndFlags
    month: Month | None = None


def check_quality(target: str, revision: QueueRevision, now: datetime) -> Mapping[CheckName, CheckQuality]:
    """By check, of those with anything to tell. target: its name; empty: all that are switched on.

    A cause counts at each check that it shows in, as the inbox lists it for each of them; a flag that was judged by
    itself at the first check that its query failed.
    """
    rows = listed_causes(CauseFilter(state=CauseState.ALL, target=target), revision, now)
    checks_of = {one.row.pk: [check for check in map(check_named, one.row.checks) if check] for one in rows}
    one_cause = CausesAndFlags(causes=1)
    counted = [
        CountedVerdicts(check, Verdict(one.row.verdict), one_cause)
        for one in rows
        if one.row.verdict
        for check in checks_of[one.row.pk]
    ]
    waiting: dict[CheckName, int] = defaultdict(int)
    for one in rows:
        for check in checks_of[one.row.pk]:
            waiting[check] += one.is_in_inbox
    alone = judged_alone(QueueSnapshot(QueueFilter(Tab.DISMISSED, target=target, is_alone=True), revision, now))
    first = Month.of(now).earlier(MONTHS)
    given = [
        CountedVerdicts(check, one.verdict, one_cause, one.month)
        for one in verdicts_since(revision, first)
        for check in checks_of.get(one.cause, ())
    ]
    lately = [one for one in alone if one.month is not None and one.month.first_day >= first.first_day]
    verdicts, months = _by_verdict([*counted, *alone]), _by_month([*given, *lately])
    open_flags = open_flags_by_check(QueueSnapshot(QueueFilter(target=target), revision, now))
    return {
        check: CheckQuality(
            verdicts.get(check, {}), waiting.get(check, 0), open_flags.get(check, 0), months.get(check, ())
        )
        for check in CheckName
        if verdicts.get(check) or waiting.get(check) or open_flags.get(check)
    }


@lru_cache(maxsize=16)
def judged_alone(snapshot: QueueSnapshot) -> tuple[CountedVerdicts, ...]:
    """The flags that the filter leaves, by check, verdict and month, in one query."""
    # Both databases write a moment in UTC as text alike; to truncate it, SQLite would call Python for each row.
    month = Substr(Cast("dismissed_at", TextField()), 1, len("2026-11"))
    rows = in_tab(snapshot.filters, snapshot.now).annotate(month=month)
    # By target too, as below.
    counted = rows.values_list("target", "flagged_check", "verdict", "month").annotate(n=Count(Value(1)))
    return tuple(
        CountedVerdicts(check, Verdict(verdict), CausesAndFlags(flags=n), Month.of_text(month) if month else None)
        for _, name, verdict, month, n in counted
        if (check := check_named(name)) is not None
    )


@lru_cache(maxsize=16)
def open_flags_by_check(snapshot: QueueSnapshot) -> Mapping[str, int]:
    """How many rows the list of flags has for each check."""
    counts: Counter[str] = Counter()
    for bucket in snapshot.buckets:
        if is_in(snapshot.filters.tab, bucket.kind):
            counts[bucket.kind.check] += bucket.rows
    return counts


def _by_verdict(counted: Iterable[CountedVerdicts]) -> Mapping[CheckName, Mapping[Cause.Verdict, CausesAndFlags]]:
    found: dict[CheckName, dict[Cause.Verdict, CausesAndFlags]] = defaultdict(dict)
    for one in counted:
        found[one.check][one.verdict] = found[one.check].get(one.verdict, CausesAndFlags()) + one.count
    return found


def _by_month(counted: Iterable[CountedVerdicts]) -> Mapping[CheckName, tuple[MonthOfVerdicts, ...]]:
    """Of the verdicts that say whether the check was right."""
    found: dict[CheckName, dict[Month, MonthOfVerdicts]] = defaultdict(dict)
    for one in counted:
        if one.month is None or one.verdict not in OF_THE_CHECK:
            continue
        so_far = found[one.check].get(one.month, MonthOfVerdicts(one.month))
        false_alarms = one.count if one.verdict is Verdict.FALSE_ALARM else CausesAndFlags()
        found[one.check][one.month] = MonthOfVerdicts(
            one.month, so_far.judged + one.count, so_far.false_alarms + false_alarms
        )
    return {check: tuple(months[month] for month in sorted(months, key=str)) for check, months in found.items()}
