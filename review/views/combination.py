"""One combination: what is known of it, and what a person does about it, there or in a row of the queue."""

from collections.abc import Callable
from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from review import toasts, typed_fields
from review.contexts.assignees import assignable
from review.contexts.combination import ComparisonPage
from review.contexts.combination_page import (
    CombinationPage,
    after_again,
    flags_of,
    page_of,
    place_in_list,
)
from review.contexts.comparison import compare
from review.contexts.findings import FindingView
from review.contexts.learnt import leave_url
from review.contexts.queue_entries import row_after, row_of
from review.filters import as_query, queue_filter
from review.page_urls import combination_url, queue_url, shown_page_url, with_query
from review.query_text import shortened
from review.roles import reviewers
from review.toasts import Toast
from review.views.judging import TEACHING, Verdict, judgement, seen_verdict
from review.views.pages import Request, actor, back_url, chosen_assignee, number, reviewer, sentence, show, viewer
from selftest.findings.filters import MemoryFilter
from selftest.models import Combination, Run
from selftest.reading import combination as of_one
from selftest.reading.combination import combination_numbered
from selftest.reading.cursors import entry_next_to
from selftest.reading.cycles import cycles
from selftest.reading.dismissals import newest_dismissal
from selftest.reading.queue import QueueFilter
from selftest.reading.run import days_kept, run_numbered
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing import assignment, dismissal, run_again_and_replay
from selftest.reviewing.notes import add_note
from selftest.storage.texts import storable

NO_CONTENT = 204
TEMPLATE = "review/combination.html"
DISMISSAL = "dismissal"  # in an address: the event that an undo takes back
LIST = "list"  # in a form of this page: the list that the reader came from, as an address has it


@require_safe
@viewer
def combination(request: Request, pk: int) -> HttpResponse:
    """The page of one combination."""
    return show(request, TEMPLATE, _page(request, pk), partial="page")


@require_safe
@viewer
def diff(request: Request, pk: int) -> HttpResponse:
    """The last flagged answer beside the latest clean one."""
    found = _found(pk)
    place = place_in_list(found, queue_filter(request.GET))
    flagged = run_numbered(found.last_flagged_run_id) if found.last_flagged_run_id else None
    clean = of_one.latest_clean_run(found)
    trouble = _why_incomparable(flagged, clean)
    if flagged is None or clean is None or trouble:
        page = ComparisonPage(pk, found.last_query_text, place, None, trouble=f"{trouble} There is nothing to compare.")
    else:
        page = ComparisonPage(
            pk,
            flagged.text,
            place,
            compare(clean.result, flagged.result),
            clean.pk,
            clean.finished_at,
            flagged.pk,
            flagged.finished_at,
        )
    return show(request, "review/combination_diff.html", page, partial="comparison")


def _why_incomparable(flagged: Run | None, clean: Run | None) -> str:
    if flagged is None:
        return "It was never flagged."
    if clean is None:
        return "No run has come back clean so far."
    days = days_kept(clean)
    if days is not None:
        return f"The latest clean answer, of run {clean.pk}, is no longer kept: it was deleted after {days:,} days."
    return ""


@require_safe
@viewer
def following(request: Request, pk: int, backwards: bool = False) -> HttpResponseBase:
    """On to what stands beside it in the list just now. Looked for when asked: no page waits for it in vain."""
    found = _found(pk)
    filters = queue_filter(request.GET)
    beside = entry_next_to(found, filters, timezone.now(), backwards)
    if beside is None:
        messages.info(request, f"This is the {'first' if backwards else 'last'} in the list.")
    return redirect(combination_url(beside or pk, as_query(filters)))


@require_safe
@viewer
def asked_again(request: Request, pk: int, cycle: int) -> HttpResponseBase:
    """How far the run is; empty where the page already shows it."""
    found = _found(pk)
    filters = queue_filter(request.GET)
    requested = cycles().filter(pk=cycle, combination=found).first()
    if requested is None:
        raise Http404("no such run of this combination")
    if not request.htmx:
        return redirect(with_query(combination_url(pk, as_query(filters)), {"again": cycle}))
    after = after_again(found, requested, filters, number(request.GET.get("since", ""), "since") or 0)
    if request.GET.get("seen") == after.again.seen:
        return HttpResponse(status=NO_CONTENT)
    return show(request, TEMPLATE, after, partial="after_again")


# --- acts ---


@require_POST
@reviewer
def dismiss(request: Request, pk: int) -> HttpResponseBase:
    """With a verdict or none, from a row of the queue, or from the combination's page, which shows the next one.

    What is dismissed already gets another verdict, where the form was made on that one.
    """
    found = _found(pk)
    seen_run = number(request.POST.get("seen_run", ""), "seen_run")
    if seen_run is None:
        raise BadRequest("seen_run: is missing; a dismissal says which run it was made on")
    filters = _list_of(request)
    # Before it is dismissed: many a list does not hold it any more after that.
    after = entry_next_to(found, filters, timezone.now()) if filters is not None else None
    try:
        said, seen = judgement(request, Verdict.DISMISSED), seen_verdict(request)
        if seen is not None:
            dismissal.change_verdict(found, said, actor(request), seen)
        elif not dismissal.judge_combination(found, said, actor(request), seen_run):
            return _refused(request, found, filters, _someone_was_first(request, found))
    except OutdatedError as refusal:
        found.refresh_from_db()
        is_open = found.review_status is None
        return _refused(request, found, filters, _what_is_new(found) if is_open else sentence(refusal))
    except RefusedError as refusal:
        return _refused(request, found, filters, sentence(refusal))
    return _after_row(request, found) if filters is None else _to_next(request, found, filters, after)


@require_POST
@reviewer
def undismiss(request: Request, pk: int) -> HttpResponseBase:
    """Takes back the dismissal that the URL names, or the last one."""
    found = _found(pk)
    filters = _list_of(request)
    try:
        dismissal.undismiss(found, actor(request), dismissal=number(request.GET.get(DISMISSAL, ""), DISMISSAL))
    except OutdatedError as refusal:
        toasts.drop(request, _toast_name(found))
        return _refused(request, found, filters, sentence(refusal))
    except RefusedError:
        toasts.drop(request, _toast_name(found))
        trouble = "Already in the queue: it was flagged again, or someone else undid the dismissal."
        return _refused(request, found, filters, trouble)
    toasts.drop(request, _toast_name(found))
    return _after_row(request, found) if filters is None else redirect(combination_url(pk, as_query(filters)))


@require_POST
@reviewer
def assign(request: Request, pk: int) -> HttpResponseBase:
    """Assigns it to the one who is named, or to the reader."""
    found = _found(pk)
    assignee = chosen_assignee(request)
    return _act(request, found, lambda: assignment.assign(found, actor(request), assignee))


@require_POST
@reviewer
def unassign(request: Request, pk: int) -> HttpResponseBase:
    """Takes it from its assignee."""
    found = _found(pk)
    return _act(request, found, lambda: assignment.unassign(found, actor(request)))


@require_POST
@reviewer
def note(request: Request, pk: int) -> HttpResponseBase:
    """Adds a note to its activity."""
    found = _found(pk)
    return _act(request, found, lambda: add_note(found, actor(request), _note(request)))


def _act(request: Request, found: Combination, act: Callable[[], object]) -> HttpResponseBase:
    """The page as it is after the act, or with why nothing was done."""
    try:
        act()
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
    return _stay(request, found)


@require_POST
@reviewer
def run_again(request: Request, pk: int) -> HttpResponseBase:
    """Hands a cycle that asks this combination alone to the worker; its page shows how far that is."""
    found = _found(pk)
    times = number(request.POST.get("times", ""), "times")
    try:
        queued = run_again_and_replay.run_again(found, 1 if times is None else times, actor(request))
    except RefusedError as refusal:
        messages.error(request, f"Nothing was asked: {refusal}.")
        return _stay(request, found)
    if queued is None:
        messages.error(request, "Testing is switched off, so nothing was asked.")
        return _stay(request, found)
    return redirect(with_query(combination_url(pk, as_query(_list_of(request) or QueueFilter())), {"again": queued.pk}))


def _page(request: Request, pk: int) -> CombinationPage:
    before = number(request.GET.get("before", ""), "before")
    again = number(request.GET.get("again", ""), "again")
    page = page_of(_found(pk), queue_filter(request.GET), before, again)
    people = assignable([user.get_username() for user in reviewers()], request.user.get_username(), or_no_one=False)
    return replace(page, judging=replace(page.judging, typed=typed_fields.take(request)), people=people)


def _found(pk: int) -> Combination:
    found = combination_numbered(pk)
    if found is None:
        raise Http404("no such combination")
    return found


def _list_of(request: Request) -> QueueFilter | None:
    """The list that a form of the combination's page carries; None for the forms of the queue."""
    query = request.POST.get(LIST)
    if query is None:
        query = request.GET.get(LIST)
    return None if query is None else queue_filter(QueryDict(query))


def _note(request: Request) -> str:
    """As it was typed: forms send every line end as two characters, and people count one."""
    return storable(request.POST.get("note", "").replace("\r\n", "\n")).strip()


def _toast_name(found: Combination) -> str:
    return f"combination-{found.pk}"


def _done_words(found: Combination, query: str) -> str:
    """`Accepted: rss and weather`, for a toast."""
    found.refresh_from_db()
    return f"{Verdict(found.verdict or Verdict.DISMISSED).label}: {query}"


# --- what comes after an act ---


def _stay(request: Request, found: Combination) -> HttpResponseBase:
    return redirect(combination_url(found.pk, as_query(_list_of(request) or QueueFilter())))


def _to_next(request: Request, found: Combination, filters: QueueFilter, after: int | None) -> HttpResponseBase:
    """To the next combination of the list; back to the list after the last."""
    query = as_query(filters)
    undo = _undo_at(found, {LIST: query})
    _tell(request, found, found.last_query_text, undo, combination_url(found.pk, query))
    if after is None:
        messages.success(request, "Done: that was the last in this list.")
    address = queue_url(query) if after is None else combination_url(after, query)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def _tell(request: Request, found: Combination, query: str, undo_at: str, page: str) -> None:
    """Shows that it was dismissed, with room for the reason where none was given."""
    made = newest_dismissal(found.pk)
    reason_at = "" if made and made.reason else reverse("explain-dismissal", args=[found.pk])
    words = _done_words(found, query)
    learnt = leave_url(MemoryFilter(combination=found.pk)) if found.verdict in TEACHING else ""
    toasts.add(request, Toast(_toast_name(found), words, undo_at, page, reason_at, learnt))


def _undo_at(found: Combination, more: dict[str, str]) -> str:
    """Where the dismissal that was just made is undone, and no later one of anyone else."""
    made = newest_dismissal(found.pk)
    named = {DISMISSAL: str(made.event.pk)} if made else {}
    return f"{reverse('undismiss', args=[found.pk])}?{urlencode(more | named)}"


def _was_changed(found: Combination) -> bool:
    """Whether an undo gives a former verdict back."""
    made = newest_dismissal(found.pk)
    return made is not None and made.event.before is not None


def _someone_was_first(request: Request, found: Combination) -> str:
    """Who dismissed it meanwhile, and why; what the reader wrote as their own reason is kept as a note."""
    made = newest_dismissal(found.pk)
    message = f"{made.event.actor if made else 'Someone'} has already dismissed it"
    if made and made.reason:
        message += f": “{made.reason}”"
    if reason := judgement(request, Verdict.DISMISSED).checked().reason:
        add_note(found, actor(request), reason)
        return f"{message}. Your reason was kept as a note."
    return f"{message}."


def _refused(request: Request, found: Combination, filters: QueueFilter | None, trouble: str) -> HttpResponseBase:
    """Nothing was done: the page, or the row, as it stands now, and why."""
    if filters is None:
        return _after_row(request, found, trouble)
    messages.error(request, trouble)
    if not request.htmx:  # which keeps what was typed
        typed_fields.keep(request)
        return redirect(combination_url(found.pk, as_query(filters)))
    request.GET = QueryDict(as_query(filters))  # of the page that is shown, not of the form
    return show(request, TEMPLATE, _page(request, found.pk), partial="page")


def _what_is_new(found: Combination) -> SafeString:
    """The flag that the reader has not seen, in words, with a link to its run."""
    flags = flags_of(found)
    finding = FindingView.of_flag(flags[0]) if flags else None
    return format_html(
        'Flagged again since you looked, by <a href="{}">run {}</a>: {}. '
        "Nothing was dismissed; this is the current state.",
        reverse("run", args=[found.last_flagged_run_id]),
        found.last_flagged_run_id,
        f"{finding.name}, {finding.title}" if finding else "see there",
    )


def _after_row(request: Request, found: Combination, trouble: str = "") -> HttpResponseBase:
    """The row as it stands now; without htmx, the page that the form was on. The toast says what was done."""
    back = back_url(request, reverse("queue"))
    row = row_of(found.pk, back)
    if row is None:  # never flagged, so there is no row to show
        if request.htmx:
            raise BadRequest(trouble)
        messages.error(request, trouble)
        return redirect(back)
    name = _toast_name(found)
    if row.is_dismissed:
        row = replace(row, undismiss_at=_undo_at(found, {}), was_changed=_was_changed(found))
    if row.is_dismissed and not trouble:
        _tell(request, found, row.query, _undo_at(found, {}), row.page)
    elif not row.is_dismissed:
        toasts.drop(request, name)
    if request.htmx:
        found.refresh_from_db()
        group_page = (shown_page_url(request) or back) if "in_group" in request.POST else None
        after = row_after(found, row, back, trouble, group_page)
        partial = "after_dismissal" if row.is_dismissed else "after_restoring"
        return show(request, "review/queue.html", after, partial)
    if trouble:
        messages.error(request, trouble)
    elif not row.is_dismissed:
        messages.success(request, f"Back in the queue: {shortened(row.query)}")
    return redirect(back)
