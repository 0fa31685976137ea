"""Saying why something was decided, in the toast that tells of it."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from review import toasts
from review.views.pages import Request, actor, back_url, reviewer
from selftest.reading.bulk_acts import act_numbered
from selftest.reading.causes import cause_numbered
from selftest.reading.combination import combination_numbered
from selftest.refusals import RefusedError
from selftest.reviewing import reasons

CONFLICT = 409


@require_POST
@reviewer
def combination(request: Request, pk: int) -> HttpResponseBase:
    """Why this one was dismissed."""
    found = combination_numbered(pk)
    if found is None:
        raise Http404("no such combination")
    return _explain(request, lambda reason: reasons.explain_dismissal(found, actor(request), reason))


@require_POST
@reviewer
def bulk_act(request: Request, pk: int) -> HttpResponseBase:
    """Why so many were."""
    found = act_numbered(pk)
    if found is None:
        raise Http404("no such bulk action")
    return _explain(request, lambda reason: reasons.explain_act(found, actor(request), reason))


@require_POST
@reviewer
def causes(request: Request, pks: Sequence[int]) -> HttpResponseBase:
    """Why these were judged."""
    rows = [row for row in map(cause_numbered, pks) if row is not None]
    if not rows:
        raise Http404("no such cause")
    return _explain(request, lambda reason: reasons.explain_verdicts(rows, actor(request), reason))


def _explain(request: Request, explain: Callable[[str], None]) -> HttpResponseBase:
    reason = request.POST.get("reason", "").replace("\r\n", "\n")
    back = back_url(request, reverse("inbox"))
    try:
        explain(reason)
    except RefusedError as refusal:
        words = f"{str(refusal)[:1].upper()}{str(refusal)[1:]}."
        if request.htmx:  # bare words: app.js shows them as they are
            return HttpResponse(words, status=CONFLICT, content_type="text/plain; charset=utf-8")
        messages.error(request, words)
        return redirect(back)
    toasts.tell_reason(request, request.POST.get("name", ""), reason.strip())
    if request.htmx:
        return render(request, "shared/toasts_alone.html", {"here": back})
    return redirect(back)
