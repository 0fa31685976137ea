"""One combination: its findings, its answer, its story; and what a person does about it."""

from collections.abc import Sequence

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from review import toasts
from review.contexts import AnswerView, CombinationPage, RowAfter
from review.toasts import Toast
from review.views.pages import Request, actor, address_back, number, reviewer, show, viewer
from review.views.queue import row_of
from selftest import selectors, services
from selftest.models import Combination, Flag
from selftest.selectors import queue as queue_lists

SHOWN_RUNS = 25
SHOWN_EVENTS = 100
CONFLICT = 409


@require_safe
@viewer
def combination(request: Request, pk: int) -> HttpResponse:
    found = _found(pk)
    runs = selectors.runs_of(found).defer("result", "query")
    before = number(request.GET.get("before", ""), "before")
    if before is not None:
        runs = runs.filter(pk__lt=before)
    listed = list(runs[: SHOWN_RUNS + 1])
    shown = listed[:SHOWN_RUNS]
    here = reverse("combination", args=[pk])
    page = CombinationPage.of(
        combination=found,
        flags=_flags(found),
        answer=_answer(found),
        story=list(selectors.story_of(found)[:SHOWN_EVENTS]),
        runs=shown,
        older_runs=f"{here}?{urlencode({'before': shown[-1].pk})}#runs" if len(listed) > SHOWN_RUNS else "",
        row=row_of(pk, here),
    )
    return show(request, "review/combination.html", page)


@require_POST
@reviewer
def dismiss(request: Request, pk: int) -> HttpResponseBase:
    found = _found(pk)
    seen_run = number(request.POST.get("seen_run", ""), "seen_run")
    try:
        services.dismiss(found, actor(request), seen_run=seen_run)
    except services.OutdatedError:
        trouble = "It was flagged again since you looked. Nothing was dismissed; this is how it stands now."
        return _after(request, found, trouble)
    except services.RefusedError as refusal:
        return _after(request, found, _sentence(refusal))
    return _after(request, found)


@require_POST
@reviewer
def undismiss(request: Request, pk: int) -> HttpResponseBase:
    found = _found(pk)
    try:
        services.undismiss(found, actor(request))
    except services.RefusedError:
        return _after(request, found, "It is in the queue already: it was flagged again, or somebody else undid it.")
    return _after(request, found)


@require_POST
@reviewer
def run_again(request: Request, pk: int) -> HttpResponseBase:
    """Hands a cycle that asks this combination alone to the worker, and shows it."""
    found = _found(pk)
    times = number(request.POST.get("times", ""), "times") or 1
    try:
        queued = services.run_again(found, times, actor(request))
    except services.RefusedError as refusal:
        messages.error(request, f"Nothing was asked: {refusal}.")
        return redirect("combination", pk=pk)
    if queued is None:
        messages.error(request, "Testing is switched off, so nothing was asked.")
        return redirect("combination", pk=pk)
    return redirect("cycle", pk=queued.pk)


def _after(request: Request, found: Combination, trouble: str = "") -> HttpResponseBase:
    """The row as it stands now; without htmx, the page that the form was on. The toast says what was done."""
    back = address_back(request, reverse("queue"))
    row = row_of(found.pk, back)
    if row is None:
        raise BadRequest(trouble)
    name = f"combination-{found.pk}"
    if row.is_dismissed and not trouble:
        toasts.add(request, Toast(name, f"Dismissed: {row.query}", reverse("undismiss", args=[found.pk]), row.page))
    elif not row.is_dismissed:
        toasts.drop(request, name)
    if request.htmx:
        after = RowAfter(row, selectors.flagged().count(), len(queue_lists.target_names()) > 1, trouble)
        partial = "after_dismissal" if row.is_dismissed else "after_undo"
        return show(request, "review/queue.html", after, partial, status=CONFLICT if trouble else 200)
    if trouble:
        messages.error(request, trouble)
    elif not row.is_dismissed:
        messages.success(request, "Back in the queue.")
    return redirect(back)


def _found(pk: int) -> Combination:
    found = selectors.combination_numbered(pk)
    if found is None:
        raise Http404("no such combination")
    return found


def _flags(found: Combination) -> Sequence[Flag]:
    run = found.last_flagged_run_id
    return selectors.findings_of([run]).get(run, []) if run else []


def _answer(found: Combination) -> AnswerView | None:
    """What a reviewer wants to see: the answer that was flagged last, or else the last one."""
    pk = found.last_flagged_run_id or found.last_run_id
    run = selectors.run_numbered(pk) if pk else None
    return AnswerView.of(run, selectors.parts_of_answer(run)) if run else None


def _sentence(refusal: Exception) -> str:
    text = str(refusal)
    return f"{text[:1].upper()}{text[1:]}."
