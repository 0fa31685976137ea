"""One cause: what it shows in, how often and since when, and what a person decides about it."""

from collections.abc import Callable
from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from review import toasts, typed_fields
from review.contexts.cause import CausePage
from review.contexts.cause_names import title_of
from review.contexts.cause_page import ListedFlags, page_of
from review.contexts.inbox_rows import row_after
from review.contexts.learnt import leave_url
from review.filters import cause_filter, cause_query
from review.page_urls import cause_url, numbered_url, page_url, with_query
from review.roles import MAY_REVIEW, reviewers
from review.toasts import Toast
from review.views.judging import TEACHING, judgement, seen_verdict
from review.views.pages import Request, actor, back_url, chosen_assignee, number, reviewer, sentence, show, viewer
from selftest.findings.filters import MemoryFilter
from selftest.models import Cause
from selftest.reading.causes import ALL_SAID, cause_numbered, cause_to_act_on, finding_predicate, flags_of
from selftest.reading.queue import queue_revision
from selftest.refusals import RefusedError
from selftest.reviewing import causes as reviewing

TEMPLATE, LIST_TEMPLATE = "review/cause.html", "review/inbox.html"
JUDGED = "judged"  # in an address: the event whose verdict an undo takes back


@require_safe
@viewer
def cause(request: Request, pk: int) -> HttpResponseBase:
    """The page of one cause; beside the list only what it is about."""
    found = _found(pk)
    if found.pk != pk:  # it was merged: the address of what it became
        return redirect(cause_url(found.pk, request.GET.urlencode()))
    return show(request, TEMPLATE, _page(request, found), partial="cause")


@require_POST
@reviewer
def judge(request: Request, pk: int) -> HttpResponseBase:
    """From a row of the inbox, or from the page of the cause."""
    said = judgement(request)
    try:
        judged = reviewing.judge(_found_as_seen(pk), said, actor(request), _seen_flags(request), seen_verdict(request))
    except RefusedError as refusal:
        return _refused(request, pk, sentence(refusal))
    words = f"{judged.get_verdict_display()}: {title_of(judged.cause)}"
    undo = with_query(numbered_url("reopen-cause", pk), {JUDGED: judged.pk})
    reason_at = "" if judged.note else reverse("explain-causes", args=[[pk]])
    learnt = leave_url(MemoryFilter(cause=pk)) if judged.verdict in TEACHING else ""
    toasts.add(request, Toast(_toast_name(pk), words, undo, cause_url(pk), reason_at, learnt))
    return _after(request, pk, undo=undo)


@require_POST
@reviewer
def reopen(request: Request, pk: int) -> HttpResponseBase:
    """Takes the verdict back; of one that the address names, the former one is back."""
    trouble = ""
    judged = number(request.GET.get(JUDGED, ""), JUDGED)
    try:
        found = _found_as_seen(pk)
        if judged is None:
            reviewing.reopen(found, actor(request), _text(request, "reason"))
        else:
            reviewing.undo_verdict(found, actor(request), judged)
    except RefusedError as refusal:
        trouble = sentence(refusal)
    toasts.drop(request, _toast_name(pk))
    return _after(request, pk, trouble)


@require_POST
@reviewer
def assign(request: Request, pk: int) -> HttpResponseBase:
    """Assigns it to the one who is named, or to no one."""
    found = _found(pk)
    assignee = chosen_assignee(request)
    return _act(request, pk, lambda: reviewing.assign_cause(found, actor(request), assignee))


@require_POST
@reviewer
def note(request: Request, pk: int) -> HttpResponseBase:
    """Adds a note to its story."""
    found = _found(pk)
    return _act(request, pk, lambda: reviewing.note_cause(found, actor(request), _text(request, "note")))


@require_POST
@reviewer
def merge(request: Request, pk: int) -> HttpResponseBase:
    """Puts all its flags down to another one, now and later."""
    into = number(request.POST.get("into", ""), "into")
    other = None if into is None else cause_numbered(into)
    if other is None:
        raise BadRequest("into: no such cause")
    found = _found(pk)
    try:
        reviewing.merge(found, other, actor(request))
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
        return redirect(_here(request, pk))
    messages.success(request, f"Merged into {title_of(other)}{_what_follows(found, other)}.")
    return redirect(_here(request, other.pk))


def _what_follows(merged: Cause, into: Cause) -> str:
    """What a merge does to a verdict, as the end of a sentence."""
    if into.verdict is not None:
        return f", with its verdict: {into.get_verdict_display()}"
    return ", which is not judged: flags that were dismissed wait again" if merged.act_id else ""


@require_POST
@reviewer
def move(request: Request, pk: int) -> HttpResponseBase:
    """Puts the flags that were selected down to another cause, or to one of their own."""
    found = _found(pk)
    into = number(request.POST.get("into", ""), "into")
    other = None if into is None else cause_numbered(into)
    if into is not None and other is None:
        raise BadRequest("into: no such cause")
    selected = [number(value, "flag") for value in request.POST.getlist("flag")]
    mine = flags_of(found).filter(pk__in=[flag for flag in selected if flag is not None]).values_list("pk", flat=True)
    try:
        moved_to = reviewing.move_flags(list(mine), other, actor(request))
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
        return redirect(_here(request, pk))
    messages.success(request, f"{len(mine)} flag{'s' * (len(mine) != 1)} moved here from {title_of(found)}.")
    return redirect(_here(request, moved_to.pk))


def _act(request: Request, pk: int, act: Callable[[], object]) -> HttpResponseBase:
    try:
        act()
    except RefusedError as refusal:
        messages.error(request, sentence(refusal))
    return redirect(_here(request, pk))


def _refused(request: Request, pk: int, trouble: str) -> HttpResponseBase:
    """The row, or the page that the form was on, with what was typed in its fields."""
    if request.htmx or "reason" not in request.POST:
        return _after(request, pk, trouble)
    messages.error(request, trouble)
    typed_fields.keep(request)
    listed = QueryDict(back_url(request, page_url("inbox")).partition("?")[2])
    return redirect(cause_url(pk, cause_query(cause_filter(listed))))


def _after(request: Request, pk: int, trouble: str = "", undo: str = "") -> HttpResponseBase:
    """The row as it stands now; without htmx, the page that the form was on. undo: of what was done just now."""
    back = back_url(request, page_url("inbox"))
    if request.htmx:
        after = row_after(_found(pk), back, queue_revision(), timezone.now(), trouble, undo)
        return show(request, LIST_TEMPLATE, after, partial="after")
    if trouble:
        messages.error(request, trouble)
    return redirect(back)


def _page(request: Request, found: Cause) -> CausePage:
    filters = cause_filter(request.GET)
    page = page_of(
        found,
        filters,
        [user.get_username() for user in reviewers()],
        timezone.now(),
        may_review=request.user.has_perm(MAY_REVIEW),
        wanted=_listed_flags(request.GET),
    )
    return replace(page, judging=replace(page.judging, typed=typed_fields.take(request)))


def _seen_flags(request: Request) -> int:
    seen = number(request.POST.get("seen_flags", ""), "seen_flags")
    if seen is None:
        raise BadRequest("seen_flags: is missing; a verdict says how many flags it is about")
    return seen


def _text(request: Request, name: str) -> str:
    return request.POST.get(name, "").replace("\r\n", "\n")


def _found(pk: int) -> Cause:
    found = cause_numbered(pk)
    if found is None:
        raise Http404("no such cause")
    return found


def _found_as_seen(pk: int) -> Cause:
    """Raises OutdatedError for one that was merged into another: a verdict is about what was seen."""
    return cause_to_act_on(pk) or _found(pk)


def _here(request: Request, pk: int) -> str:
    """Its page, in the list that the form was in."""
    return cause_url(pk, cause_query(cause_filter(QueryDict(request.POST.get("list", "")))))


def _toast_name(pk: int) -> str:
    return f"cause-{pk}"


def _listed_flags(query: QueryDict) -> ListedFlags:
    before, text = number(query.get("before", ""), "before"), query.get("said", "")
    said = finding_predicate(text)
    if text and said is None and text != ALL_SAID:
        raise BadRequest("said: what a finding says, as the links beside the flags have it")
    return ListedFlags(before, bool(text), said)
