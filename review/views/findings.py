"""What was learnt: its list, one finding, and what a person does with findings and proposals."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from review import toasts
from review.contexts.cause_names import title_of
from review.contexts.finding_page import FindingFields, finding_form, finding_page
from review.contexts.findings_page import findings_page
from review.contexts.learnt import AboutLink, finding_url, undo_url
from review.filters import memory_filter
from review.page_urls import cause_url, combination_url, page_url
from review.query_text import shortened
from review.roles import MAY_REVIEW
from review.toasts import Toast
from review.views.pages import Request, actor, back_url, number, reviewer, sentence, show, viewer
from selftest.core.judging.findings import CheckName
from selftest.findings import listing, reading, saving
from selftest.findings.models import Finding, Proposal
from selftest.findings.models.finding import SOURCE_CHARACTERS
from selftest.findings.saving import About, Draft, Saved
from selftest.models import Cause, Combination
from selftest.reading.causes import cause_numbered, example_queries
from selftest.reading.combination import combination_numbered
from selftest.reading.dismissals import newest_dismissal
from selftest.reading.queue import findings_of
from selftest.reading.targets import target_named, target_names
from selftest.refusals import RefusedError, UnknownError

TOAST_CHARACTERS = 80  # of a finding


@require_safe
@viewer
def findings(request: Request) -> HttpResponse:
    """What was learnt, newest first, beside its categories; or what awaits a decision."""
    filters = memory_filter(request.GET)
    around = _around(_cause(filters.cause), _combination(filters.combination))
    before = number(request.GET.get("before", ""), "before")
    page = findings_page(filters, around, before, request.user.has_perm(MAY_REVIEW))
    return show(request, "review/findings.html", page, partial="rows")


@require_safe
@viewer
def finding(request: Request, pk: int) -> HttpResponse:
    """One finding: its text, what became of it and why."""
    return show(request, "review/finding.html", finding_page(_found(pk), request.user.has_perm(MAY_REVIEW)))


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer
def new(request: Request) -> HttpResponseBase:
    """The form, filled in from the cause or the combination that its address names; sent, what it saves."""
    fields = _sent(request) if request.method == "POST" else _prefilled(request)
    trouble = ""
    if request.method == "POST":
        try:
            saved = saving.save_finding(_draft(fields), actor(request))
        except RefusedError as refusal:
            trouble = sentence(refusal)
        else:
            toasts.add(request, _toast_of(saved))
            return redirect(finding_url(saved.finding.pk))
    around = _around(_cause(fields.cause), _combination(fields.combination))
    form = finding_form(fields, around, target_names(), saving.CONTENT_CHARACTERS, trouble)
    return show(request, "review/finding_form.html", form)


@require_POST
@reviewer
def delete(request: Request, pk: int) -> HttpResponseBase:
    """For good; what it superseded is active again."""
    row = _found(pk)
    freed = saving.delete_finding(row, actor(request))
    toasts.drop(request, _toast_name(pk))
    words = f"Deleted: {_quoted(row)}"
    if freed:
        words = f"{words}. What it superseded is free again"
    toasts.add(request, Toast(f"deleted-{pk}", words))
    return redirect(page_url("findings"))


@require_POST
@reviewer
def undo(request: Request, pks: Sequence[int]) -> HttpResponseBase:
    """Takes back these supersessions and no others: what was superseded is active again."""
    acts = listing.acts_numbered(pks)
    if not acts:
        raise Http404("no such supersession")
    for number_of_one in {one for act in acts for one in (act.number, act.other_number or 0)}:
        toasts.drop(request, _toast_name(number_of_one))
    try:
        undone = saving.undo_acts(acts, actor(request))
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
    else:
        free = "1 finding. Both" if len(undone) == 1 else f"{len(undone)} findings. All"
        messages.success(request, f"Active again: {free} are kept now.")
    return redirect(back_url(request, page_url("findings")))


@require_POST
@reviewer
def accept(request: Request, pk: int) -> HttpResponseBase:
    """Does what is proposed; its undo is offered."""

    def decide(proposal: Proposal) -> Toast:
        act = saving.accept(proposal, actor(request))
        words = f"Superseded: {_quoted(proposal.loser)}"
        return Toast(_toast_name(proposal.loser_id), words, undo_url([act.pk]), finding_url(proposal.loser_id))

    return _decide(request, pk, decide)


@require_POST
@reviewer
def refuse(request: Request, pk: int) -> HttpResponseBase:
    """Both findings hold; the pair is not proposed again."""

    def decide(proposal: Proposal) -> Toast:
        saving.refuse(proposal, actor(request))
        words = f"Refused: {_quoted(proposal.loser)} stays beside the other one"
        return Toast(_toast_name(proposal.loser_id), words, page=finding_url(proposal.loser_id))

    return _decide(request, pk, decide)


def _decide(request: Request, pk: int, decide: Callable[[Proposal], Toast]) -> HttpResponseBase:
    try:
        toasts.add(request, decide(reading.proposal_numbered(pk)))
    except UnknownError as unknown:
        raise Http404("no such proposal") from unknown
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
    return redirect(back_url(request, page_url("findings")))


def _found(pk: int) -> Finding:
    try:
        return reading.finding_numbered(pk)
    except UnknownError as unknown:
        raise Http404("no such finding") from unknown


# --- what a finding is about ---


def _cause(pk: int | None) -> Cause | None:
    found = None if pk is None else cause_numbered(pk)
    if pk is not None and found is None:
        raise Http404("no such cause")
    return found


def _combination(pk: int | None) -> Combination | None:
    found = None if pk is None else combination_numbered(pk)
    if pk is not None and found is None:
        raise Http404("no such combination")
    return found


def _around(cause: Cause | None, combination: Combination | None) -> AboutLink | None:
    if combination is not None:
        return AboutLink("combination", shortened(combination.last_query_text), combination_url(combination.pk, ""))
    return None if cause is None else AboutLink("cause", title_of(cause), cause_url(cause.pk))


# --- the form ---


def _prefilled(request: Request) -> FindingFields:
    """By the cause or the combination that is named, with the reason of its verdict as the text."""
    filters = memory_filter(request.GET)
    cause, combination = _cause(filters.cause), _combination(filters.combination)
    if combination is not None:
        run = combination.last_flagged_run_id
        flags = findings_of([run]).get(run, []) if run else []
        around = listing.around_combination(combination, flags)
        dismissal = newest_dismissal(combination.pk)
        content = dismissal.reason if dismissal else ""
    elif cause is not None:
        around, content = listing.around_cause(cause, example_queries([cause]).get(cause.pk)), cause.reason
    else:
        return FindingFields(category=filters.category)
    check, source = next(iter(around.checks), ""), around.sources[0] if len(around.sources) == 1 else ""
    return FindingFields(
        content=content,
        category=f"claim/capability/{around.target_name}/{source or check or 'answers'}",
        target=around.target_name,
        source=source,
        check=check,
        cause=cause.pk if cause else None,
        combination=combination.pk if combination else None,
    )


def _sent(request: Request) -> FindingFields:
    """As it was typed: forms send every line end as two characters, and people count one."""

    def text(name: str) -> str:
        return request.POST.get(name, "").replace("\r\n", "\n")

    return FindingFields(
        content=text("content"),
        category=text("category").strip(),
        tags=text("tags"),
        target=text("target"),
        source=text("source").strip(),
        check=text("check"),
        cause=number(text("cause"), "cause"),
        combination=number(text("combination"), "combination"),
    )


def _draft(fields: FindingFields) -> Draft:
    try:
        target = target_named(fields.target) if fields.target else None
    except UnknownError as unknown:
        raise BadRequest(f"target: {unknown}") from unknown
    if fields.check and fields.check not in list(CheckName):
        raise BadRequest(f"check: {fields.check!r} is unknown; known are {', '.join(CheckName)}")
    if len(fields.source) > SOURCE_CHARACTERS:
        raise BadRequest(f"source: longer than {SOURCE_CHARACTERS} characters")
    tags = tuple(tag.strip() for tag in fields.tags.split(",") if tag.strip())
    cause, combination = _cause(fields.cause), _combination(fields.combination)
    about = About(target, fields.source, fields.check, cause, combination)
    return Draft(fields.category, fields.content, tags, about)


# --- what is said of it ---


def _toast_of(saved: Saved) -> Toast:
    """What the save did, with the undo of just that."""
    pk = saved.finding.pk
    losers = [act.finding for act in saved.acts if act.finding is not None and act.number != pk]
    words = f"Saved: {_quoted(saved.finding)}"
    if saved.finding.superseded_by is not None:
        words = f"Saved, but superseded at once by a correction: {_quoted(saved.finding.superseded_by)}"
    elif len(losers) == 1:
        words = f"Saved. It superseded {_quoted(losers[0])}"
    elif losers:
        words = f"Saved. It superseded {len(losers)} findings, as {_quoted(losers[0])}"
    undo_at = undo_url([act.pk for act in saved.acts]) if saved.acts else ""
    return Toast(_toast_name(pk), words, undo_at, finding_url(pk))


def _toast_name(pk: int) -> str:
    return f"finding-{pk}"


def _quoted(row: Finding) -> str:
    return f"“{shortened(' '.join(row.content.split()), TOAST_CHARACTERS)}”"
