"""Cycles and their runs, clean ones too; and asking for one now."""

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from review.contexts import CycleLine, CyclePage, CyclesPage, RunLine
from review.views.pages import Request, address_back, number, reviewer, show, viewer
from review.views.standing import standing
from selftest import selectors, services
from selftest.lifecycle import Wish
from selftest.models import Cycle

PAGE_CYCLES = 50
PAGE_RUNS = 100


@require_safe
@viewer
def cycles(request: Request) -> HttpResponse:
    rows = selectors.cycles()
    before = number(request.GET.get("before", ""), "before")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: PAGE_CYCLES + 1])
    shown = found[:PAGE_CYCLES]
    progress = selectors.progress_of(shown)
    page = CyclesPage(
        cycles=tuple(CycleLine.of(cycle, progress.get(cycle.pk)) for cycle in shown),
        older=f"{reverse('cycles')}?{urlencode({'before': shown[-1].pk})}" if len(found) > PAGE_CYCLES else "",
        standing=standing()[0],
    )
    return show(request, "review/cycles.html", page, partial="rows")


@require_safe
@viewer
def cycle(request: Request, pk: int) -> HttpResponse:
    found = selectors.cycles().filter(pk=pk).first()
    if found is None:
        raise Http404("no such cycle")
    runs = selectors.runs_of_cycle(found)
    first = number(request.GET.get("from", ""), "from")
    if first is not None:
        runs = runs.filter(place__gte=first)
    listed = list(runs[: PAGE_RUNS + 1])
    here = reverse("cycle", args=[pk])
    page = CyclePage(
        cycle=CycleLine.of(found, selectors.progress_of([found]).get(pk)),
        seed=found.seed,
        recipes=tuple(found.recipes),
        target_version=found.target_version,
        runs=tuple(map(RunLine.of, listed[:PAGE_RUNS])),
        more=f"{here}?{urlencode({'from': listed[PAGE_RUNS].place})}" if len(listed) > PAGE_RUNS else "",
        address=request.get_full_path(),
    )
    return show(request, "review/cycle.html", page, partial="progress")


@require_POST
@reviewer
def run_cycle(request: Request) -> HttpResponseBase:
    """Hands one to the worker and shows it; the page then follows it to its end."""
    back = address_back(request, reverse("queue"))
    try:
        queued = services.trigger_later(Wish(services.target_named(None), Cycle.Trigger.PAGE))
    except services.RefusedError as refusal:
        messages.error(request, f"Nothing was asked: {refusal}.")
        return redirect(back)
    if queued is None:
        messages.error(request, "Testing is switched off, so nothing was asked.")
        return redirect(back)
    return redirect("cycle", pk=queued.pk)
