"""The verdicts that were given on causes, by month."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from selftest.models import Cause, CauseEvent
from selftest.reading.verdicts import Month

Kind = CauseEvent.Kind


@dataclass(frozen=True)
class GivenVerdict:
    """A verdict that was not undone; of several in one month the last."""

    cause: int
    month: Month
    verdict: Cause.Verdict


@lru_cache(maxsize=16)
def verdicts_since(revision: Hashable, first: Month) -> Sequence[GivenVerdict]:
    """All that were given from this month on. revision: read once for as long as it stays the same."""
    kinds = [Kind.JUDGED, Kind.REOPENED, Kind.CHANGED_BACK]
    events = CauseEvent.objects.filter(kind__in=kinds, at__gte=first.begin).order_by("id")
    given: dict[int, list[GivenVerdict]] = defaultdict(list)
    for cause, kind, verdict, at in events.values_list("cause", "kind", "verdict", "at"):
        of_cause = given[cause]
        if kind == Kind.JUDGED:
            of_cause.append(GivenVerdict(cause, Month.of(at), Cause.Verdict(verdict)))
        elif kind == Kind.CHANGED_BACK:
            del of_cause[-1:]
        elif of_cause:
            given[cause] = [one for one in of_cause if one.month != of_cause[-1].month]
    by_month = {(one.cause, one.month): one for of_cause in given.values() for one in of_cause}
    return tuple(by_month.values())


def verdicts_of(revision: Hashable, month: Month) -> Mapping[int, Cause.Verdict]:
    """By cause, the one that was given in this month."""
    return {one.cause: one.verdict for one in verdicts_since(revision, month) if one.month == month}
