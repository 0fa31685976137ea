"""Cycles and their runs, clean ones too; and asking for one now."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from review.contexts.cycles import CycleLine, CyclePage, CyclesPage, command_of, seen
from review.contexts.runs import RunLine
from review.page_urls import with_query
from review.views.pages import Request, actor, back_url, number, reviewer, show, viewer
from review.views.status_line import current_status
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.triggering import trigger_later
from selftest.models import Cycle
from selftest.reading import listings
from selftest.reading.cycles import cycle_numbered, listed_cycles, probes_of, progress_of, replays_of, runs_of_cycle
from selftest.reading.targets import target_named
from selftest.refusals import RefusedError
from selftest.reviewing import run_again_and_replay

PAGE_CYCLES = 50
PAGE_RUNS = 100
PAGE_REPLAYS = 20
NOTHING_NEW = 204


@require_safe
@viewer
def cycles(request: Request) -> HttpResponse:
    """The list, the newest first."""
    target = number(request.GET.get("target", ""), "target")
    state = _state(request.GET.get("state", ""))
    before = number(request.GET.get("before", ""), "before")
    targets = list(listings.targets())
    if target is not None and target not in {known.pk for known in targets}:
        raise BadRequest("target: unknown number")
    rows = listed_cycles(target, state)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: PAGE_CYCLES + 1])
    shown = found[:PAGE_CYCLES]
    progress = progress_of(shown)
    held_to = {name: value for name, value in (("target", target), ("state", state)) if value is not None}
    older = {**held_to, "before": shown[-1].pk} if len(found) > PAGE_CYCLES else {}
    page = CyclesPage(
        cycles=tuple(CycleLine.of(cycle, progress.get(cycle.pk)) for cycle in shown),
        targets=CyclesPage.targets_of(targets, target),
        states=CyclesPage.states_of(state),
        is_filtered=bool(held_to),
        older=with_query(reverse("cycles"), older) if older else "",
        address=request.get_full_path(),
        status=current_status(),
    )
    return show(request, "review/cycles.html", page, partial="rows")


def _state(text: str) -> Cycle.State | None:
    try:
        return Cycle.State(text) if text else None
    except ValueError as fault:
        raise BadRequest(f"state: one of {', '.join(Cycle.State.values)}") from fault


@require_safe
@viewer
def line(request: Request, pk: int) -> HttpResponseBase:
    """One line of the list, for following a cycle there; nothing where it is as the list has it."""
    if not request.htmx:
        return redirect("cycle", pk=pk)
    found = _found(pk)
    shown = CycleLine.of(found, progress_of([found]).get(pk))
    if request.GET.get("seen") == seen(shown):
        return HttpResponse(status=NOTHING_NEW)
    return show(request, "review/cycles.html", shown, partial="line")


@require_safe
@viewer
def cycle(request: Request, pk: int) -> HttpResponse:
    """One cycle with its runs."""
    found = _found(pk)
    runs = runs_of_cycle(found)
    first = number(request.GET.get("from", ""), "from")
    if first is not None:
        runs = runs.filter(place__gte=first)
    listed = list(runs[: PAGE_RUNS + 1])
    here = reverse("cycle", args=[pk])
    shown = CycleLine.of(found, progress_of([found]).get(pk))
    page = CyclePage(
        cycle=shown,
        seed=found.seed,
        recipes=tuple(found.recipes),
        target_version=found.target_version,
        vocabulary=found.vocabulary.number if found.vocabulary else None,
        replays=tuple(replay.pk for replay in replays_of(found)[:PAGE_REPLAYS]),
        command=command_of(found),
        probes=CyclePage.words_of(probes_of(found), found.probes_at_most, shown.unchecked),
        runs=tuple(map(RunLine.of, listed[:PAGE_RUNS])),
        more=with_query(here, {"from": listed[PAGE_RUNS].place}) if len(listed) > PAGE_RUNS else "",
        address=with_query(here, {} if first is None else {"from": first}),
    )
    if request.htmx and request.GET.get("seen") == page.seen:
        return HttpResponse(status=NOTHING_NEW)
    return show(request, "review/cycle.html", page, partial="progress")


def _found(pk: int) -> Cycle:
    found = cycle_numbered(pk)
    if found is None:
        raise Http404("no such cycle")
    return found


@require_POST
@reviewer
def run_cycle(request: Request) -> HttpResponseBase:
    """Hands one to the worker and shows it; the page then follows it to its end."""
    back = back_url(request, reverse("inbox"))
    try:
        queued = trigger_later(CycleRequest(target_named(None), Cycle.Trigger.PAGE))
    except RefusedError as refusal:
        messages.error(request, f"Nothing was asked: {refusal}.")
        return redirect(back)
    if queued is None:
        messages.error(request, "Testing is switched off, so nothing was asked.")
        return redirect(back)
    return redirect("cycle", pk=queued.pk)


@require_POST
@reviewer
def replay(request: Request, pk: int) -> HttpResponseBase:
    """Hands the worker a cycle that asks the same once more, and shows that one."""
    try:
        queued = run_again_and_replay.replay(_found(pk), actor(request))
    except RefusedError as refusal:
        messages.error(request, f"Nothing was asked: {refusal}.")
        return redirect("cycle", pk=pk)
    if queued is None:
        messages.error(request, "Testing is switched off, so nothing was asked.")
        return redirect("cycle", pk=pk)
    return redirect("cycle", pk=queued.pk)
