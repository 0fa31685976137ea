"""Who is to blame for a check's flags: ingredients of queries, and pairs of them, what goes most with it first."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from review.contexts.causes import CausesPage, SuspectLine, check_choices
from review.contexts.choices import target_links
from review.filters import as_query, queue_filter
from review.page_urls import causes_url, page_url
from review.views.pages import Request, chosen_target, show, viewer
from selftest.core.insight.suspects import Suspect, Together
from selftest.models import ANY_CHECK
from selftest.reading import queue as lists
from selftest.reading import suspects as accusing
from selftest.reading.groups import queue_groups
from selftest.reading.queue import QueueFilter, QueueSnapshot, Tab
from selftest.reading.rows import ingredient_names

SHOWN_EVIDENT = 20
SHOWN_OTHERS = 10


@require_safe
@viewer
def causes(request: Request) -> HttpResponse:
    """What goes with a check's flags on a target, the evident causes first."""
    asked = queue_filter({name: request.GET.get(name, "") for name in ("check", "target")})
    target = chosen_target(asked.target)
    if target is None:
        empty = CausesPage.of("", (), (), "", Together(), (), (), 0, page_url("queue"))
        return show(request, "review/causes.html", empty)
    revision = lists.queue_revision()
    runs = dict(accusing.runs_by_check(target))
    in_all = runs.pop(ANY_CHECK, 0)
    runs = dict(sorted(runs.items(), key=lambda counted: (-counted[1], counted[0])))
    check = asked.check or next(iter(runs), "")
    filters = QueueFilter(check=lists.check_named(check), target=target.name if len(revision.targets) > 1 else "")
    put_down = _put_down(filters, revision) if check else {}
    found = accusing.suspects(target, check, put_down) if check else []
    lines = _Lines(filters, runs.get(check, 0), put_down)
    evident = [suspect for suspect in found if suspect.is_evident]
    others = [suspect for suspect in found if not suspect.is_evident]
    page = CausesPage.of(
        target=target.name,
        targets=target_links(revision.targets, target, lambda name: causes_url(name, check)),
        checks=check_choices(runs, check, lambda name: causes_url(asked.target, name)),
        check=check,
        counted=Together(in_all, runs.get(check, 0)),
        evident=lines.of(evident[:SHOWN_EVIDENT]),
        others=lines.of(others[:SHOWN_OTHERS]),
        left_out=len(evident[SHOWN_EVIDENT:]) + len(others[SHOWN_OTHERS:]),
        queue=_queue(filters),
    )
    return show(request, "review/causes.html", page)


class _Lines:
    """Suspects as the page shows them. filters: the flags of the check. still_open: by suspect, flags in the queue."""

    def __init__(self, filters: QueueFilter, flagged: int, still_open: dict[str, int]) -> None:
        self._wanted = filters
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


def _put_down(filters: QueueFilter, revision: lists.QueueRevision) -> dict[str, int]:
    """By suspect, how many of all that was flagged are put down to it and wait for a person."""
    snapshot = QueueSnapshot(replace(filters, tab=Tab.EVER), revision, timezone.now())
    groups = queue_groups(snapshot).groups
    names = ingredient_names(group.suspect for group in groups)
    return {names[group.suspect]: group.open for group in groups if group.suspect}


def _queue(filters: QueueFilter) -> str:
    return f"{page_url('queue')}?{as_query(filters)}"
