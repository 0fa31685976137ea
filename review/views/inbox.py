"""The inbox: what waits for a person, a row for each cause."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from review import toasts, typed_fields
from review.contexts.assignees import assignable
from review.contexts.file_links import file_links
from review.contexts.inbox import InboxPage
from review.contexts.inbox_rows import MOST_AT_ONCE, PAGE_ROWS, cause_filters, cause_rows, cause_tabs
from review.contexts.news import News
from review.contexts.verdicts import JudgingForm
from review.filters import as_query, cause_filter, cause_query
from review.page_urls import Numbers, inbox_url, page_url, queue_url, with_query
from review.roles import MAY_REVIEW, reviewers
from review.toasts import Toast
from review.views.judging import judgement, verdict_named
from review.views.pages import Request, actor, back_url, chosen_assignee, number, reviewer, show, viewer
from review.views.status_line import current_status, is_worker_missing
from selftest.models import Cause
from selftest.reading.causes import (
    CauseFilter,
    CauseState,
    cause_numbered,
    cause_to_act_on,
    causes_by_state,
    causes_of_page,
    listed_causes,
    without_cause,
)
from selftest.reading.queue import NO_CAUSE, QueueFilter, newest_flagged_run, queue_revision
from selftest.refusals import RefusedError
from selftest.reviewing.causes import assign_cause, judge, reopen, undo_verdict

TEMPLATE = "review/inbox.html"
JUDGED = "judged"  # in an address: the events whose verdicts an undo takes back
FORMER = "former"  # in an address: whose each cause was before, NO_ONE of those that were no one's
GIVEN = "given"  # in an address: whose they all became
NO_ONE = 0
ASSIGN = "assign"  # in a form: what is done instead of judging
FROM = "from"  # in an address: how many rows stand on the pages before
ALL = "all"  # in an address: all that match are shown, and selected


@require_safe
@viewer
def inbox(request: Request) -> HttpResponse:
    """The causes that wait for a person, with tabs and filters."""
    now, revision = timezone.now(), queue_revision()
    filters = cause_filter(request.GET)
    begin = number(request.GET.get(FROM, ""), FROM) or 0
    by_state = causes_by_state(filters, revision, now)
    found = by_state[filters.state]
    selects_all = ALL in request.GET
    end = begin + (MOST_AT_ONCE if selects_all else PAGE_ROWS)
    query = cause_query(filters)
    rows = cause_rows(causes_of_page(tuple(found[begin:end]), revision), filters)
    waiting = by_state[CauseState.INBOX]
    if filters != CauseFilter(filters.state, filters.target):
        waiting = listed_causes(CauseFilter(target=filters.target), revision, now)
    status = current_status()
    people = [user.get_username() for user in reviewers()]
    page = InboxPage(
        count=len(waiting),
        tabs=cause_tabs(filters, by_state),
        filters=cause_filters(filters, revision, people, request.user),
        rows=rows,
        judging=replace(JudgingForm.of_several(revision.has_versions), typed=typed_fields.take(request)),
        people=assignable(people, request.user.get_username()),
        names_targets=len(revision.targets) > 1,
        has_broken=any(chip.is_broken for row in rows for chip in row.parts),
        has_suspects=any(chip.is_suspect for row in rows for chip in row.parts),
        older=inbox_url(cause_query(filters, **{FROM: str(end)})) if len(found) > end else "",
        selects_all=selects_all,
        all_matching="" if selects_all or len(rows) == len(found) else inbox_url(cause_query(filters, **{ALL: "1"})),
        matching=len(found),
        most_at_once=MOST_AT_ONCE,
        back=inbox_url(query),
        flags=page_url("queue"),
        without_cause=without_cause(revision),
        waiting=queue_url(as_query(QueueFilter(group=NO_CAUSE))),
        files=file_links("causes", query),
        status=status,
        is_worker_missing=is_worker_missing(status),
        news=News.of("", newest_flagged_run(revision), 0, status, of_causes=True),
        may_review=request.user.has_perm(MAY_REVIEW),
    )
    return show(request, TEMPLATE, page, partial="rows")


@require_POST
@reviewer
def judge_several(request: Request) -> HttpResponseBase:
    """One verdict on all causes that were selected; what has changed since they were listed is left alone.

    Or they are assigned to a person, or to no one.
    """
    back = back_url(request, page_url("inbox"))
    if request.POST.get("act"):
        return _assign_several(request, back)
    said = judgement(request)
    selected = [_selected(value) for value in request.POST.getlist("row")]
    if not selected:
        messages.error(request, "No cause is selected, so nothing was judged.")
        return redirect(back)
    done, refused = dict[int, int](), []
    for pk, seen_flags, seen in selected:
        try:
            if (row := cause_to_act_on(pk)) is not None:
                done[pk] = judge(row, said, actor(request), seen_flags, seen).pk
        except RefusedError as refusal:
            refused.append(_said_of(pk, refusal))
    if done:
        pks = list(done)
        undo = with_query(reverse("reopen-causes", args=[pks]), {JUDGED: Numbers().to_url(list(done.values()))})
        reason_at = "" if said.reason else reverse("explain-causes", args=[pks])
        words = f"{said.verdict.label}: {len(done)} cause{'s' * (len(done) != 1)}"
        judged = inbox_url(cause_query(CauseFilter(CauseState.JUDGED)))
        toasts.add(request, Toast(_toast_name(pks), words, undo, judged, reason_at))
    elif refused:
        typed_fields.keep(request)
    for words in refused:
        messages.error(request, f"Left alone: {words}.")
    return redirect(back)


def _assign_several(request: Request, back: str) -> HttpResponseBase:
    act = request.POST["act"]
    if act != ASSIGN:
        raise BadRequest(f"act: {act!r} is unknown; known is {ASSIGN}")
    assignee = chosen_assignee(request)
    rows = [cause_numbered(pk) for pk, _, _ in map(_selected, request.POST.getlist("row"))]
    if not rows:
        messages.error(request, "No cause is selected, so nothing was assigned.")
        return redirect(back)
    held_before = {row.pk: row.held_by_id or NO_ONE for row in rows if row is not None}
    done = [row.pk for row in rows if row is not None and assign_cause(row, actor(request), assignee)]
    name = "you" if assignee == request.user else assignee.get_username() if assignee else "no one"
    if not done:
        messages.success(request, f"All were assigned to {name} already.")
        return redirect(back)
    former = Numbers().to_url([held_before[pk] for pk in done])
    undo = {FORMER: former, GIVEN: str(assignee.pk if assignee else NO_ONE)}
    toast = Toast(
        _assigned_name(done),
        f"{len(done):,} cause{'s' * (len(done) != 1)} assigned to {name}",
        with_query(reverse("assign-causes-back", args=[done]), undo),
        inbox_url(cause_query(CauseFilter(assignee=assignee.get_username()))) if assignee else "",
    )
    toasts.add(request, toast)
    return redirect(back)


@require_POST
@reviewer
def assign_back(request: Request, pks: Sequence[int]) -> HttpResponseBase:
    """Assigns them to those whose they were before, as the address names these; without names, to no one.

    What is someone else's by now is left alone.
    """
    given, former = number(request.GET.get(GIVEN, ""), GIVEN), _numbers(request.GET.get(FORMER, ""), FORMER)
    if former and len(former) != len(pks):
        raise BadRequest(f"{FORMER}: one for each cause")
    people = User.objects.in_bulk(former)
    for pk, holder in zip_longest(pks, former, fillvalue=NO_ONE):
        row = cause_numbered(pk)
        if row is None:
            continue
        if given is None or (row.held_by_id or NO_ONE) == given:
            assign_cause(row, actor(request), people.get(holder))
        else:
            messages.error(request, f"Left alone: {row.sentence}: it was assigned to someone else since.")
    toasts.drop(request, _assigned_name(pks))
    return redirect(back_url(request, page_url("inbox")))


@require_POST
@reviewer
def reopen_several(request: Request, pks: Sequence[int]) -> HttpResponseBase:
    """Takes the verdicts back that were given at once, which the address names; without names, those of now."""
    judged = _numbers(request.GET.get(JUDGED, ""), JUDGED)
    if judged and len(judged) != len(pks):
        raise BadRequest(f"{JUDGED}: one for each cause")
    for pk, event in zip_longest(pks, judged):
        try:
            row = cause_to_act_on(pk)
            if row is not None and event is None:
                reopen(row, actor(request))
            elif row is not None:
                undo_verdict(row, actor(request), event)
        except RefusedError as refusal:
            messages.error(request, f"Left alone: {_said_of(pk, refusal)}.")
    toasts.drop(request, _toast_name(pks))
    return redirect(back_url(request, page_url("inbox")))


def _said_of(pk: int, refusal: RefusedError) -> str:
    row = cause_numbered(pk)
    return f"{row.sentence}: {refusal}" if row else str(refusal)


def _numbers(text: str, name: str) -> Sequence[int]:
    if text and not re.fullmatch(Numbers.regex, text):
        raise BadRequest(f"{name}: not numbers with commas between them")
    return Numbers().to_python(text) if text else []


def _assigned_name(pks: Sequence[int]) -> str:
    return f"assigned-{'-'.join(map(str, pks))}"


def _toast_name(pks: Sequence[int]) -> str:
    return f"causes-{'-'.join(map(str, pks))}"


def _selected(value: str) -> tuple[int, int, Cause.Verdict | None]:
    """`5:17:accepted`: cause 5, of which 17 flags were seen, and that it was accepted."""
    pk, _, seen = value.partition(":")
    seen_flags, _, verdict = seen.partition(":")
    row, flags = number(pk, "row"), number(seen_flags, "row")
    if row is None or flags is None:
        raise BadRequest("row: not a cause and the number of its flags")
    return row, flags, verdict_named(verdict)
