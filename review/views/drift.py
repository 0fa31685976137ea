"""Drift: whether answers are what they were, and a person's decisions on what they are held against."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from review.contexts.drift import drift_page, series_page, series_url
from review.page_urls import page_url
from review.roles import MAY_RESET_DRIFT
from review.views.pages import Request, actor, back_url, chosen_target, drift_admin, sentence, show, viewer
from selftest.evaluation import drift_acts, drift_reading
from selftest.evaluation.models import DriftProposal, DriftSeries
from selftest.refusals import RefusedError, UnknownError


@require_safe
@viewer
def drift(request: Request) -> HttpResponse:
    """All series of a target, its alerts, and a proposal of new references."""
    cached = request.GET.get("cached", "")
    if cached not in ("", "yes"):
        raise BadRequest("cached: yes or left out")
    target = chosen_target(request.GET.get("target", ""))
    page = drift_page(target, cached == "yes", request.user.has_perm(MAY_RESET_DRIFT))
    return show(request, "review/drift.html", page)


@require_safe
@viewer
def series(request: Request, pk: int) -> HttpResponse:
    """One series with its windows."""
    return show(request, "review/drift_series.html", series_page(_series(pk), request.user.has_perm(MAY_RESET_DRIFT)))


@require_POST
@drift_admin
def reset(request: Request, pk: int) -> HttpResponseBase:
    """Drops the reference of a series, with a reason."""
    row = _series(pk)
    try:
        drift_acts.reset(row, request.POST.get("reason", ""), actor(request))
        messages.success(request, "The reference was reset. The next values make another one.")
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
    return redirect(back_url(request, series_url(pk)))


@require_POST
@drift_admin
def accept(request: Request, pk: int) -> HttpResponseBase:
    """Drops all references of a target, as it is another version."""
    proposal = _proposal(pk)
    try:
        dropped = drift_acts.accept(proposal, request.POST.get("reason", ""), actor(request))
        messages.success(request, f"{dropped} references were dropped. The next values make others.")
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
    return redirect(back_url(request, page_url("drift")))


@require_POST
@drift_admin
def refuse(request: Request, pk: int) -> HttpResponseBase:
    """Keeps the references."""
    proposal = _proposal(pk)
    try:
        drift_acts.refuse(proposal, request.POST.get("reason", ""), actor(request))
        messages.success(request, "The references stay.")
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
    return redirect(back_url(request, page_url("drift")))


def _series(pk: int) -> DriftSeries:
    try:
        return drift_reading.series_numbered(pk)
    except UnknownError as unknown:
        raise Http404("no such series") from unknown


def _proposal(pk: int) -> DriftProposal:
    try:
        return drift_reading.proposal_numbered(pk)
    except UnknownError as unknown:
        raise Http404("no such proposal") from unknown
