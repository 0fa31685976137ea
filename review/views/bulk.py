"""Acts upon many combinations: selected rows, a group, or all of a list; each can be undone as a whole."""

from collections.abc import Mapping
from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from review import toasts, typed_fields
from review.contexts.bulk import BulkPage, done_words, toast_name
from review.contexts.queue_entries import group_after
from review.contexts.verdicts import JudgingForm
from review.filters import queue_filter
from review.page_urls import with_query
from review.toasts import Toast
from review.views.judging import Verdict, judgement, verdict_named
from review.views.pages import Request, actor, back_url, chosen_assignee, number, reviewer, show, viewer
from selftest.models import BulkAct, BulkItem
from selftest.reading.bulk_acts import act_numbered, checks_of, items, left_out, outcomes_of
from selftest.reading.queue import QueueFilter, queue_revision
from selftest.refusals import RefusedError
from selftest.reviewing import bulk_acts
from selftest.reviewing.bulk_acts import CountedRows

PAGE_ITEMS = 100
LEFT_OUT_NAMED = 200  # of a list that many others worked on meanwhile; the rest is in the list below
BACK = "bulk_back"  # in the session: the list that each frozen act came from


@require_POST
@reviewer
def rows(request: Request) -> HttpResponseBase:
    """Acts upon the rows that were selected, each as it was seen."""
    back = back_url(request, reverse("queue"))
    selected = [_seen(row) for row in request.POST.getlist("row")]
    seen = {pk: run for pk, run, _ in selected}
    verdicts = {pk: verdict for pk, _, verdict in selected if verdict}
    said = judgement(request, Verdict.DISMISSED)
    kind = _kind(request)
    assignee = chosen_assignee(request) if kind is BulkAct.Kind.ASSIGN else None
    try:
        act = bulk_acts.freeze_rows(kind, seen, actor(request), said, verdicts, assignee)
    except RefusedError as refusal:
        return _refused(request, refusal, back)
    return _apply(request, act, back)


@require_POST
@reviewer
def group(request: Request) -> HttpResponseBase:
    """Acts upon exactly the rows that the button counted, or upon none."""
    back = back_url(request, reverse("queue"))
    counted = CountedRows(*(_figure(request, name) for name in ("count", "key_sum", "seen_run")))
    filters, said = _list(request), judgement(request, Verdict.DISMISSED)
    try:
        act = bulk_acts.freeze_counted(_kind(request), filters, counted, actor(request), said)
    except RefusedError as refusal:
        if request.htmx:
            return _group_after(request, filters, back, f"Nothing was changed: {refusal}.")
        return _refused(request, refusal, back)
    if not request.htmx:
        return _apply(request, act, back)
    bulk_acts.apply(act, actor(request))
    outcomes = outcomes_of(act)
    done, skipped = outcomes[BulkItem.Outcome.DONE], outcomes[BulkItem.Outcome.SKIPPED]
    _tell(request, act, done)
    trouble = f"{skipped:,} had changed since the list was made and were skipped." if skipped else ""
    return _group_after(request, filters, back, trouble, act, done)


def _group_after(
    request: Request, filters: QueueFilter, back: str, trouble: str = "", act: BulkAct | None = None, changed: int = 0
) -> HttpResponseBase:
    """The row of the group, as it stands now."""
    after = group_after(filters, back, trouble, act, changed)
    return show(request, "review/queue.html", after, partial="after_group")


@require_POST
@reviewer
def freeze(request: Request) -> HttpResponseBase:
    """Writes down all that the list holds just now, and asks once."""
    back = back_url(request, reverse("queue"))
    try:
        act = bulk_acts.freeze_all(_kind(request), _list(request), actor(request))
    except RefusedError as refusal:
        return _refused(request, refusal, back)
    request.session[BACK] = {str(act.pk): back}
    return redirect("bulk", pk=act.pk)


@require_safe
@viewer
def bulk_act(request: Request, pk: int) -> HttpResponse:
    """The act before it is done, or what came of it."""
    act = _found(pk)
    after = number(request.GET.get("after", ""), "after") or 0
    listed = list(items(act, after)[: PAGE_ITEMS + 1])
    shown = listed[:PAGE_ITEMS]
    here = reverse("bulk", args=[pk])
    page = BulkPage.of(
        act,
        replace(JudgingForm.of_several(queue_revision().has_versions, of_flags=True), typed=typed_fields.take(request)),
        outcomes_of(act),
        shown,
        list(left_out(act)[:LEFT_OUT_NAMED]),
        older=with_query(here, {"after": shown[-1].pk}) if len(listed) > PAGE_ITEMS else "",
        back=_back(request, act),
    )
    return show(request, "review/bulk.html", page)


@require_POST
@reviewer
def apply(request: Request, pk: int) -> HttpResponseBase:
    """Does to every row what the act says, with the verdict and the reason of the form that asked once."""
    act = _found(pk)
    try:
        if "reason" in request.POST:
            bulk_acts.give_judgement(act, judgement(request, Verdict.DISMISSED))
        return _apply(request, act, _back(request, act))
    except RefusedError as refusal:
        return _refused(request, refusal, reverse("bulk", args=[pk]))


@require_POST
@reviewer
def undo(request: Request, pk: int) -> HttpResponseBase:
    """Gives every row back what it was before."""
    act = _found(pk)
    back = back_url(request, reverse("bulk", args=[pk]))
    toasts.drop(request, toast_name(act))
    if request.htmx:
        return _undo_in_place(request, act, back)
    try:
        if not bulk_acts.undo(act, actor(request)):
            messages.error(request, "Nothing was changed: it was already undone. This is the result.")
            return redirect("bulk", pk=pk)
    except RefusedError as refusal:
        return _refused(request, refusal, back)
    outcomes = outcomes_of(act)
    undone, kept = outcomes[BulkItem.Outcome.UNDONE], outcomes[BulkItem.Outcome.KEPT]
    if kept:
        messages.warning(
            request,
            f"Undone for {undone:,} of {undone + kept:,}; {kept:,} had changed since and were skipped. "
            "They are listed below.",
        )
        return redirect("bulk", pk=pk)
    messages.success(request, f"Undone: {undone:,} flag{'s' * (undone != 1)} as before.")
    return redirect(back)


def _undo_in_place(request: Request, act: BulkAct, back: str) -> HttpResponseBase:
    """From the row of a group, which then stands as it was."""
    try:
        bulk_acts.undo(act, actor(request))
    except RefusedError as refusal:
        return _group_after(request, _list(request), back, f"Nothing was changed: {refusal}.")
    kept = outcomes_of(act)[BulkItem.Outcome.KEPT]
    trouble = f"{kept:,} had changed since and were skipped." if kept else ""
    return _group_after(request, _list(request), back, trouble)


def _apply(request: Request, act: BulkAct, back: str) -> HttpResponseBase:
    page = reverse("bulk", args=[act.pk])
    if not bulk_acts.apply(act, actor(request)):
        messages.error(request, "Someone else had already done it. This is the result.")
        return redirect(page)
    outcomes = outcomes_of(act)
    skipped, done = outcomes[BulkItem.Outcome.SKIPPED], outcomes[BulkItem.Outcome.DONE]
    _tell(request, act, done)
    if skipped:
        messages.warning(
            request, f"{skipped:,} had changed since the list was made and were skipped. They are listed below."
        )
        return redirect(page)
    return redirect(back)


def _tell(request: Request, act: BulkAct, done: int) -> None:
    """Shows what was done to so many rows, with its undo and room for a reason."""
    if not done:
        return
    undo_at, page = reverse("undo-bulk", args=[act.pk]), reverse("bulk", args=[act.pk])
    can_explain = act.kind == BulkAct.Kind.DISMISS and not act.note
    reason_at = reverse("explain-bulk", args=[act.pk]) if can_explain else ""
    toasts.add(request, Toast(toast_name(act), done_words(act, done, checks_of(act)), undo_at, page, reason_at))


def _back(request: Request, act: BulkAct) -> str:
    kept: Mapping[str, str] = request.session.get(BACK, {})
    return kept.get(str(act.pk), reverse("queue"))


def _refused(request: Request, refusal: RefusedError, back: str) -> HttpResponseBase:
    messages.error(request, f"Nothing was changed: {refusal}.")
    typed_fields.keep(request)
    return redirect(back)


def _list(request: Request) -> QueueFilter:
    """The list whose rows are meant, as an address has it: its fields would be taken for those of a verdict."""
    return queue_filter(QueryDict(request.POST.get("list", "")))


def _found(pk: int) -> BulkAct:
    act = act_numbered(pk)
    if act is None:
        raise Http404("no such act")
    return act


def _kind(request: Request) -> BulkAct.Kind:
    value = request.POST.get("act", BulkAct.Kind.DISMISS if request.POST.get("verdict") else "")
    if value not in BulkAct.Kind.values:
        raise BadRequest(f"act: {value!r} is unknown; known are {', '.join(BulkAct.Kind.values)}")
    return BulkAct.Kind(value)


def _seen(row: str) -> tuple[int, int, Verdict | None]:
    """`5:17:accepted`: combination 5, of which run 17 was the last that was seen, and that it was accepted."""
    pk, _, seen = row.partition(":")
    run, _, verdict = seen.partition(":")
    combination, seen_run = number(pk, "row"), number(run, "row")
    if combination is None or seen_run is None:
        raise BadRequest("row: needs the combination and the run that was seen of it")
    return combination, seen_run, verdict_named(verdict)


def _figure(request: Request, name: str) -> int:
    figure = number(request.POST.get(name, ""), name)
    if figure is None:
        raise BadRequest(f"{name}: is missing")
    return figure
