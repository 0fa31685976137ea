"""Causes of a check's flags: ingredients of queries, and pairs of them, what goes most with it first."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from review.addresses import blame_address, plain
from review.contexts.blame import BlamePage, SuspectLine, check_choices
from review.filters import as_query, queue_filter
from review.views.pages import Request, chosen_target, show, target_choices, viewer
from selftest.core.suspects import Suspect, Together
from selftest.models import ANY_CHECK
from selftest.selectors import blame as accusing
from selftest.selectors import queue as lists
from selftest.selectors.fold import fold
from selftest.selectors.queue import QueueFilter, Tab
from selftest.selectors.rows import ingredient_names

SHOWN_EVIDENT = 20
SHOWN_OTHERS = 10


@require_safe
@viewer
def blame(request: Request) -> HttpResponse:
    asked = queue_filter({name: request.GET.get(name, "") for name in ("check", "target")})
    target = chosen_target(asked.target)
    if target is None:
        empty = BlamePage.of("", (), (), "", Together(), (), (), 0, plain("queue"))
        return show(request, "review/blame.html", empty)
    at = lists.version()
    runs = dict(accusing.runs_by_check(target))
    in_all = runs.pop(ANY_CHECK, 0)
    runs = dict(sorted(runs.items(), key=lambda counted: (-counted[1], counted[0])))
    check = asked.check or next(iter(runs), "")
    wanted = QueueFilter(check=lists.check_named(check), target=target.name if len(at.targets) > 1 else "")
    put_down = _put_down(wanted, at) if check else {}
    found = accusing.suspects(target, check, put_down) if check else []
    lines = _Lines(wanted, runs.get(check, 0), put_down)
    evident = [suspect for suspect in found if suspect.is_evident]
    others = [suspect for suspect in found if not suspect.is_evident]
    page = BlamePage.of(
        target=target.name,
        targets=target_choices(at.targets, target, lambda name: blame_address(name, check)),
        checks=check_choices(runs, check, lambda name: blame_address(asked.target, name)),
        check=check,
        counted=Together(in_all, runs.get(check, 0)),
        evident=lines.of(evident[:SHOWN_EVIDENT]),
        others=lines.of(others[:SHOWN_OTHERS]),
        left_out=len(evident[SHOWN_EVIDENT:]) + len(others[SHOWN_OTHERS:]),
        queue=_queue(wanted),
    )
    return show(request, "review/blame.html", page)


class _Lines:
    """Suspects as the page shows them. wanted: the flags of the check. still_open: by suspect, flags in the queue."""

    def __init__(self, wanted: QueueFilter, flagged: int, still_open: dict[str, int]) -> None:
        self._wanted = wanted
        self._flagged = flagged
        self._open = still_open

    def of(self, suspects: list[Suspect]) -> list[SuspectLine]:
        return [line for line in map(self._line, suspects) if line is not None]

    def _line(self, suspect: Suspect) -> SuspectLine | None:
        return SuspectLine.of(
            suspect,
            self._flagged,
            self._open.get(suspect.name, 0),
            queue=_queue(replace(self._wanted, suspect=suspect.name)),
            flags=_queue(replace(self._wanted, tab=Tab.EVER, ingredient=suspect.name)),
        )


def _put_down(wanted: QueueFilter, at: lists.Version) -> dict[str, int]:
    """By suspect, how many of all that was flagged are put down to it and wait for a person."""
    heaps = fold(replace(wanted, tab=Tab.EVER), timezone.now(), at).heaps
    names = ingredient_names(heap.suspect for heap in heaps)
    return {names[heap.suspect]: heap.open for heap in heaps if heap.suspect}


def _queue(wanted: QueueFilter) -> str:
    return f"{plain('queue')}?{as_query(wanted)}"
