"""The smallest query of a combination: have it looked for, and see how far that is."""

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from review.contexts.combination_page import after_minimising
from review.filters import as_query, queue_filter
from review.page_urls import combination_url
from review.views.pages import Request, actor, reviewer, show, viewer
from selftest.models import Combination
from selftest.reading.combination import combination_numbered
from selftest.reading.smallest_queries import reductions_of
from selftest.refusals import RefusedError
from selftest.reviewing.smallest_query_request import minimise

TEMPLATE = "review/combination.html"
NO_CONTENT = 204
PLACE = "#smallest"  # on the combination's page


@require_POST
@reviewer
def start(request: Request, pk: int) -> HttpResponseBase:
    """Hands the search to the worker; the combination's page shows how far it is."""
    found = _found(pk)
    filters = queue_filter(QueryDict(request.POST.get("list", "")))
    try:
        if minimise(found, actor(request)) is None:
            messages.error(request, "Testing is switched off, so nothing was asked.")
    except RefusedError as refusal:
        messages.error(request, f"Nothing was asked: {refusal}.")
    return redirect(combination_url(pk, as_query(filters)) + PLACE)


@require_safe
@viewer
def progress(request: Request, pk: int, number: int) -> HttpResponseBase:
    """How far the newest search is; nothing where that is as the page has it."""
    found = _found(pk)
    if not reductions_of(found).filter(pk=number).exists():
        raise Http404("no such search")
    filters = queue_filter(request.GET)
    if not request.htmx:
        return redirect(combination_url(pk, as_query(filters)) + PLACE)
    after = after_minimising(found, filters)
    newest = after.smallest_queries.newest
    if newest is not None and newest.seen == request.GET.get("seen"):
        return HttpResponse(status=NO_CONTENT)
    return show(request, TEMPLATE, after, partial="after_minimising")


def _found(pk: int) -> Combination:
    found = combination_numbered(pk)
    if found is None:
        raise Http404("no such combination")
    return found
