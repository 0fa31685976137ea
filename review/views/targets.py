"""Targets: how each was when it was last asked, and the vocabulary that it routes by. Asks one only on a button."""

from collections.abc import Mapping

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from review.contexts.cycles import CycleLine
from review.contexts.suggestions import SuggestionsView
from review.contexts.targets import TargetLine, TargetPage, TargetsPage, TrialView, VersionLine, VocabularyView
from review.page_urls import numbered_url
from review.views.pages import Request, actor, number, reviewer, sentence, show, viewer
from selftest.evaluation import suggestion_acts
from selftest.evaluation import suggestion_reading as reading
from selftest.evaluation.models import Suggestion
from selftest.models import Target, VocabularyVersion
from selftest.operating import connection_test
from selftest.reading import listings
from selftest.reading.cycles import newest_cycles, progress_of
from selftest.reading.targets import (
    cycles_of_target,
    target_numbered,
    vocabularies_in_force,
    vocabulary_before,
    vocabulary_numbered,
    vocabulary_versions,
)
from selftest.reading.tuning import is_enabled
from selftest.reading.vocabulary_differences import differing_lines
from selftest.refusals import RefusedError

SHOWN_CYCLES = 10
SHOWN_VERSIONS = 20
SHOWN_DECISIONS = 10
ACTS = ACCEPT, ACCEPT_ALL, REFUSE = "accept", "accept-all", "refuse"  # of the form of suggestions
NOTHING_SENT: Mapping[int, str] = {}
State = Suggestion.State


@require_safe
@viewer
def targets(request: Request) -> HttpResponse:
    """All targets, and how each was when it was last asked."""
    newest = {cycle.target_id: cycle for cycle in newest_cycles()}
    in_force = {version.target_id: version for version in vocabularies_in_force()}
    rows = listings.targets().prefetch_related(None).defer("api_key", "secret_headers")
    page = TargetsPage(tuple(TargetLine.of(row, newest.get(row.pk), in_force.get(row.pk)) for row in rows))
    return show(request, "review/targets.html", page)


@require_safe
@viewer
def target(request: Request, pk: int) -> HttpResponse:
    """One target, its vocabularies and its newest cycles."""
    return _shown(request, _found(pk))


@require_http_methods(["GET", "HEAD", "POST"])
@viewer
def check(request: Request, pk: int) -> HttpResponseBase:
    """What came of one plain question. A GET, as after signing in again, leads to the button."""
    if request.method != "POST":
        return redirect("target", pk=pk)
    return _check(request, pk)


@reviewer
def _check(request: Request, pk: int) -> HttpResponse:
    found = _found(pk)
    try:
        return _shown(request, found, trial=TrialView.of(connection_test.check_now(found)))
    except RefusedError as refusal:
        return _shown(request, found, trouble=f"Nothing was asked: {refusal}.")


@require_http_methods(["GET", "HEAD", "POST"])
@viewer
def suggestions(request: Request, pk: int) -> HttpResponseBase:
    """Accepts or refuses the suggestions that were selected. A GET, as after signing in again, leads to the form."""
    return _decide(request, pk) if request.method == "POST" else redirect(suggestions_url(pk))


@reviewer
def _decide(request: Request, pk: int) -> HttpResponseBase:
    found, note, act = _found(pk), request.POST.get("note", "").strip(), request.POST.get("act", "")
    if act not in ACTS:
        raise BadRequest(f"act: {act!r} is not one of {', '.join(ACTS)}")
    is_all = act == ACCEPT_ALL
    numbers = [number(text, "selected") or 0 for text in request.POST.getlist("on-page" if is_all else "selected")]
    texts = {one: request.POST.get(f"text-{one}", "") for one in numbers}
    try:
        if act == REFUSE:
            decision = suggestion_acts.refuse(found, numbers, note, actor(request))
        else:
            decision = suggestion_acts.accept(found, texts, note, actor(request))
    except RefusedError as refusal:
        waiting = _suggestions(found, texts, note, sentence(refusal))
        return _shown(request, found, waiting=waiting)
    made = f"; vocabulary version {decision.version.number} is in force" if decision.version else ""
    messages.success(request, f"{decision}{made}.")
    return redirect(suggestions_url(pk))


def _suggestions(
    found: Target, sent: Mapping[int, str] = NOTHING_SENT, note: str = "", trouble: str = ""
) -> SuggestionsView:
    waiting, unfit = (reading.suggestions(found, state) for state in (State.OPEN, State.UNFIT))
    return SuggestionsView.of(waiting, unfit, reading.decisions(found)[:SHOWN_DECISIONS], sent, note, trouble)


def suggestions_url(pk: int) -> str:
    """The form of a target's suggestions, on its page."""
    return f"{numbered_url('target', pk)}#suggestions"


def _shown(
    request: Request,
    found: Target,
    trial: TrialView | None = None,
    trouble: str = "",
    waiting: SuggestionsView | None = None,
) -> HttpResponse:
    cycles = list(cycles_of_target(found)[:SHOWN_CYCLES])
    progress = progress_of(cycles)
    versions = list(vocabulary_versions(found)[:SHOWN_VERSIONS])
    wanted = number(request.GET.get("version", ""), "version")
    version = vocabulary_numbered(found, wanted)
    if wanted is not None and version is None:
        raise Http404("no such version")
    in_force = next((row for row in versions if row.in_force), None)
    page = TargetPage(
        target=TargetLine.of(found, cycles[0] if cycles else None, in_force),
        time_limit_s=found.time_limit_s,
        requests_at_once=found.requests_at_once,
        requests_per_second=found.requests_per_second,
        is_off=not is_enabled(found),
        trial=trial,
        trouble=trouble,
        vocabulary=_vocabulary(version) if version else None,
        versions=tuple(map(VersionLine.of, versions)),
        cycles=tuple(CycleLine.of(cycle, progress.get(cycle.pk)) for cycle in cycles),
        suggestions=waiting or _suggestions(found),
    )
    return show(request, "review/target.html", page, partial="trial")


def _vocabulary(version: VocabularyVersion) -> VocabularyView:
    before = vocabulary_before(version)
    return VocabularyView.of(version, before, differing_lines(before.content, version.content) if before else ())


def _found(pk: int) -> Target:
    found = target_numbered(pk)
    if found is None:
        raise Http404("no such target")
    return found
