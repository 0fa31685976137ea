"""Which dismissal of a combination stands: who made it, when, with which verdict and why."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from selftest.models import Cause, CauseEvent, ReviewEvent

Kind = ReviewEvent.Kind
DISMISSALS = (Kind.DISMISSED, Kind.REJUDGED)
# After these a row is no longer what it was before. A note or a clean run changes nothing.
CHANGES = (*DISMISSALS, Kind.UNDISMISSED, Kind.RESURFACED, Kind.DUE, Kind.ASSIGNED, Kind.UNASSIGNED)


@dataclass(frozen=True)
class Dismissal:
    """event: who, when and with which verdict. reason: as it was given then or, where it was said later, as of then."""

    event: ReviewEvent
    reason: str


def former_verdict(event: ReviewEvent | CauseEvent) -> Cause.Verdict | None:
    """Of a changed verdict the one before; None of any other event."""
    return None if event.before is None else Cause.Verdict(event.before["verdict"] or Cause.Verdict.DISMISSED)


def newest_dismissals(keys: Iterable[int]) -> Mapping[int, Dismissal]:
    """By combination, who dismissed it last, or changed the verdict last, and why."""
    return _standing(keys, (*DISMISSALS, Kind.CHANGED_BACK, Kind.REASONED))


def newest_dismissal(combination: int) -> Dismissal | None:
    """The same of one."""
    return newest_dismissals([combination]).get(combination)


def newest_changes(keys: Iterable[int]) -> Mapping[int, ReviewEvent]:
    """By combination, what changed it last."""
    return {key: last.event for key, last in _standing(keys, (*CHANGES, Kind.CHANGED_BACK)).items()}


def _standing(keys: Iterable[int], kinds: Iterable[ReviewEvent.Kind]) -> Mapping[int, Dismissal]:
    """The last of these events; no query for no combinations.

    A change of verdict that was undone is left out: what was before it stands again, with its reason.
    """
    wanted = list(keys)
    events = ReviewEvent.objects.filter(combination__in=wanted, kind__in=list(kinds)).order_by("id")
    found: dict[int, list[Dismissal]] = defaultdict(list)
    for event in events if wanted else ():
        of_one = found[event.combination_id]
        match event.kind:
            case Kind.REJUDGED:
                of_one.append(Dismissal(event, event.note))
            case Kind.CHANGED_BACK:
                del of_one[max(1, len(of_one) - 1) :]
            case Kind.REASONED:
                of_one[-1:] = [replace(last, reason=event.note) for last in of_one[-1:]]
            case _:
                of_one[:] = [Dismissal(event, event.note)]
    return {key: of_one[-1] for key, of_one in found.items() if of_one}
