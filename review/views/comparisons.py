"""Comparisons of two targets: requested by a person, run by the worker."""

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from review.contexts.comparisons_page import ComparisonLine, ComparisonPage, ComparisonsPage, comparison_form
from review.page_urls import page_url, with_query
from review.views.pages import Request, actor, number, reviewer, sentence, show, viewer
from selftest.evaluation import comparison_requests
from selftest.evaluation.comparison_requests import Wanted
from selftest.evaluation.models import Comparison
from selftest.evaluation.models.comparison import DEFAULT_QUERIES
from selftest.evaluation.reading import set_named, sets
from selftest.reading.targets import target_named, target_names
from selftest.refusals import RefusedError, UnknownError
from selftest.storage.texts import storable

PAGE_LINES = 30
NOTHING_NEW = 204
FIELDS = ("target", "against", "queries", "at_most", "before", "set")


@require_http_methods(["GET", "HEAD", "POST"])
@viewer
def comparisons(request: Request) -> HttpResponseBase:
    """All of them, newest first, and the form of a new one; sent, it is requested."""
    return _request(request) if request.method == "POST" else _shown(request)


@reviewer
def _request(request: Request) -> HttpResponseBase:
    try:
        planned = comparison_requests.request(_wanted(request), actor(request))
    except RefusedError as refusal:
        return _shown(request, sentence(refusal))
    return redirect("comparison", pk=planned.pk)


def _wanted(request: Request) -> Wanted:
    sent = request.POST
    try:
        queries = Comparison.Queries(sent.get("queries", Comparison.Queries.LAST))
        at_most = int(sent.get("at_most", "") or DEFAULT_QUERIES)
    except ValueError as fault:
        raise RefusedError(f"not to be compared: {fault}") from fault
    against = sent.get("against", "")
    return Wanted(
        target_named(sent.get("target") or None),
        target_named(against) if against else None,
        queries,
        at_most,
        storable(sent.get("before", "").strip()),
        set_named(sent.get("set", "")) if queries == Comparison.Queries.SET else None,
    )


def _shown(request: Request, trouble: str = "") -> HttpResponse:
    rows = comparison_requests.comparisons()
    before = number(request.GET.get("before", ""), "before")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    listed = list(rows[: PAGE_LINES + 1])
    fields = {name: request.POST[name] for name in FIELDS if name in request.POST}
    older = with_query(page_url("comparisons"), {"before": listed[PAGE_LINES - 1].pk}) if listed[PAGE_LINES:] else ""
    page = ComparisonsPage(
        tuple(map(ComparisonLine.of, listed[:PAGE_LINES])),
        comparison_form(fields, (name for _, name in target_names()), (one.name for one in sets()), trouble),
        older,
    )
    return show(request, "review/comparisons.html", page, partial="rows")


@require_safe
@viewer
def comparison(request: Request, pk: int) -> HttpResponse:
    """What differs, or how far it is."""
    page = ComparisonPage.of(_found(pk))
    if request.htmx and request.GET.get("seen") == page.seen:
        return HttpResponse(status=NOTHING_NEW)
    return show(request, "review/comparison.html", page, partial="result")


@require_POST
@reviewer
def stop(request: Request, pk: int) -> HttpResponseBase:
    """What was compared until then is kept."""
    comparison_requests.stop(_found(pk))
    return redirect("comparison", pk=pk)


def _found(pk: int) -> Comparison:
    try:
        return comparison_requests.comparison_numbered(pk)
    except UnknownError as unknown:
        raise Http404("no such comparison") from unknown
