"""The golden set and its reports: lists, a pair, its form, and what a person does with it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from review import toasts
from review.contexts.cause_names import title_of
from review.contexts.evaluation import evaluation_page, pair_page, pair_url
from review.contexts.pair_form import PairFields, fields_of, pair_form
from review.contexts.reports import (
    ALL,
    FAILING,
    HELD,
    ReportView,
    report_page,
    reports_page,
    results_page,
)
from review.filters import pair_filter
from review.page_urls import cause_url, combination_url
from review.query_text import shortened
from review.roles import MAY_REVIEW
from review.toasts import Toast
from review.views.pages import Request, actor, number, reviewer, sentence, show, viewer
from selftest.evaluation import reading, saving
from selftest.evaluation.core.pairs import PairError
from selftest.evaluation.models import GoldenPair, GoldenSet, PairVersion, Report
from selftest.evaluation.promoting import Draft, draft_of_cause, draft_of_combination
from selftest.evaluation.saving import default_set, ground_of
from selftest.models import Actor
from selftest.reading.causes import cause_numbered
from selftest.reading.combination import combination_numbered
from selftest.reading.targets import target_named, target_names
from selftest.refusals import RefusedError, UnknownError

SHOWN_OTHERS = 50
Around = tuple[str, str, str] | tuple[()]
Change = Callable[[GoldenPair, Actor, str, int], PairVersion]


@require_safe
@viewer
def pairs(request: Request) -> HttpResponse:
    """The golden set."""
    before = number(request.GET.get("before", ""), "before")
    page = evaluation_page(pair_filter(request.GET), before, request.user.has_perm(MAY_REVIEW))
    return show(request, "review/evaluation.html", page, partial="rows")


@require_safe
@viewer
def pair(request: Request, pk: int) -> HttpResponse:
    """One pair with its versions."""
    return show(request, "review/pair.html", pair_page(_pair(pk), request.user.has_perm(MAY_REVIEW)))


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer
def new(request: Request) -> HttpResponseBase:
    """The form, filled in from the cause or the combination that its address names; sent, what it saves."""
    is_sent = request.method == "POST"
    params = request.POST if is_sent else request.GET
    cause, combination = (number(params.get(name, ""), name) for name in ("cause", "combination"))
    try:
        draft, around = _draft(cause, combination), _around(cause, combination)
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
        return redirect(cause_url(cause) if cause else combination_url(combination or 0, ""))
    fields = _sent(request, cause, combination) if is_sent else _prefilled(draft, cause, combination)
    trouble = ""
    if is_sent:
        try:
            return _promoted(request, fields, draft)
        except (PairError, RefusedError) as refusal:
            trouble = sentence(refusal)
    names = [one.name for one in reading.sets()] or [reading.DEFAULT_SET]
    form = pair_form(fields, names, target_names(), around, draft, trouble)
    return show(request, "review/pair_form.html", form)


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer
def edit(request: Request, pk: int) -> HttpResponseBase:
    """The form of a pair; sent, its next version."""
    row = _pair(pk)
    current = row.current
    assert current is not None  # noqa: S101 - a pair is made with its first version
    fields = fields_of(reading.content_of_version(current), seen=current.number)
    trouble = ""
    if request.method == "POST":
        fields = _sent(request, None, None)
        try:
            saving.edit(row, fields.content(), actor(request), fields.why, fields.seen or 0)
        except (PairError, RefusedError) as refusal:
            trouble = sentence(refusal)
        else:
            toasts.add(request, Toast(f"pair-{pk}", f"Saved: {row.name}", page=pair_url(pk)))
            return redirect(pair_url(pk))
    return show(request, "review/pair_form.html", pair_form(fields, (), (), trouble=trouble, pair=(pk, row.name)))


@require_POST
@reviewer
def archive(request: Request, pk: int) -> HttpResponseBase:
    """It is not asked any more."""
    return _change(request, pk, saving.archive, "Archived")


@require_POST
@reviewer
def restore(request: Request, pk: int) -> HttpResponseBase:
    """It is asked again."""
    return _change(request, pk, saving.restore, "In use again")


@require_POST
@reviewer
def rebaseline(request: Request, pk: int) -> HttpResponseBase:
    """It expects the same of its target as that is now."""
    return _change(request, pk, saving.rebaseline, "Rebaselined")


@require_safe
@viewer
def reports(request: Request) -> HttpResponse:
    """All reports, newest first."""
    return show(request, "review/reports.html", reports_page(number(request.GET.get("before", ""), "before")))


@require_safe
@viewer
def report(request: Request, pk: int) -> HttpResponse:
    """One report, held against the one before it or the one that the address names."""
    found = _report(pk)
    view = _view(request, found)
    if request.htmx and not request.htmx.history_restore_request and view.is_held is not None:
        part = results_page(found, view.is_held, view.after)
        return show(request, "review/report.html", part, partial="results")
    other = number(request.GET.get("against", ""), "against")
    against = reading.report_before(found) if other is None else _report(other)
    others = reading.reports().filter(state=Report.State.FINISHED).exclude(pk=pk)[:SHOWN_OTHERS]
    return show(request, "review/report.html", report_page(found, view, against, list(others)))


def _view(request: Request, row: Report) -> ReportView:
    """What the address asks for. Raises BadRequest, and Http404 for a result that is not of this report."""
    shown, differences = request.GET.get("show", ""), request.GET.get("differences", "")
    for name, value, known in (("show", shown, (FAILING, HELD)), ("differences", differences, (ALL,))):
        if value and value not in known:
            raise BadRequest(f"{name}: {value!r} is not one of {', '.join(known)}")
    result = number(request.GET.get("result", ""), "result")
    try:
        alone = None if result is None else reading.result_numbered(row, result)
    except UnknownError as unknown:
        raise Http404("no such result") from unknown
    after = number(request.GET.get("after", ""), "after")
    if after is not None and not shown:
        raise BadRequest("after: it needs show, which says after which of the two")
    return ReportView(shown == HELD if shown else None, after, alone, differences == ALL)


def _change(request: Request, pk: int, change: Change, words: str) -> HttpResponseBase:
    row = _pair(pk)
    seen = number(request.POST.get("seen", ""), "seen") or 0
    try:
        change(row, actor(request), request.POST.get("why", ""), seen)
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
    else:
        toasts.add(request, Toast(f"pair-{pk}", f"{words}: {row.name}", page=pair_url(pk)))
    return redirect(pair_url(pk))


def _promoted(request: Request, fields: PairFields, draft: Draft | None) -> HttpResponseBase:
    content = fields.content()
    if draft is None:
        ground = ground_of(_target(fields.target))
    else:
        is_same = content.query == draft.content.query
        ground = draft.ground if is_same else ground_of(draft.ground.target)
    row = saving.promote(_set(fields.golden_set), fields.name, content, ground, actor(request), fields.why)
    toasts.add(request, Toast(f"pair-{row.pk}", f"Promoted: {row.name}", page=pair_url(row.pk)))
    return redirect(pair_url(row.pk))


def _set(name: str) -> GoldenSet:
    """Without a name, or before there is any set, the default one."""
    if not name or (name == reading.DEFAULT_SET and not reading.sets().exists()):
        return default_set()
    return reading.set_named(name)


def _target(name: str) -> Any:
    try:
        return target_named(name or None)
    except UnknownError as unknown:
        raise BadRequest(f"target: {unknown}") from unknown


def _draft(cause: int | None, combination: int | None) -> Draft | None:
    if combination is not None:
        found = combination_numbered(combination)
        if found is None:
            raise Http404("no such combination")
        return draft_of_combination(found)
    if cause is not None:
        row = cause_numbered(cause)
        if row is None:
            raise Http404("no such cause")
        return draft_of_cause(row)
    return None


def _around(cause: int | None, combination: int | None) -> Around:
    if combination is not None:
        found = combination_numbered(combination)
        return ("combination", shortened(found.last_query_text), combination_url(combination, "")) if found else ()
    row = None if cause is None else cause_numbered(cause)
    return ("cause", title_of(row), cause_url(row.pk)) if row else ()


def _prefilled(draft: Draft | None, cause: int | None, combination: int | None) -> PairFields:
    if draft is None:
        return PairFields(golden_set=reading.DEFAULT_SET)
    more = {"name": draft.name, "golden_set": reading.DEFAULT_SET, "cause": cause, "combination": combination}
    return fields_of(draft.content, **more)


def _sent(request: Request, cause: int | None, combination: int | None) -> PairFields:
    """As it was typed: forms send every line end as two characters, and people count one."""

    def text(name: str) -> str:
        return request.POST.get(name, "").replace("\r\n", "\n").replace("\x00", "")

    return PairFields(
        name=text("name").strip(),
        golden_set=text("set"),
        target=text("target"),
        query=text("query"),
        kind=text("kind"),
        sources=text("sources"),
        headers=text("headers"),
        headers_ordered=bool(text("headers_ordered")),
        parts=text("parts"),
        absent=text("absent"),
        latency=text("latency"),
        refuses=bool(text("refuses")),
        keyphrases=text("keyphrases"),
        reference=text("reference"),
        why=text("why"),
        cause=cause,
        combination=combination,
        seen=number(text("seen"), "seen"),
    )


def _pair(pk: int) -> GoldenPair:
    try:
        return reading.pair_numbered(pk)
    except UnknownError as unknown:
        raise Http404("no such pair") from unknown


def _report(pk: int) -> Report:
    try:
        return reading.report_numbered(pk)
    except UnknownError as unknown:
        raise Http404("no such report") from unknown
