"""Targets: how each was when it was last asked, and the vocabulary that it routes by. Asks one only on a button."""

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from review.contexts.cycles import CycleLine
from review.contexts.targets import TargetLine, TargetPage, TargetsPage, TrialView, VersionLine, VocabularyView
from review.views.pages import Request, number, reviewer, show, viewer
from selftest import connection, selectors, services
from selftest.core.differences import differing_lines
from selftest.models import Target, VocabularyVersion

SHOWN_CYCLES = 10
SHOWN_VERSIONS = 20


@require_safe
@viewer
def targets(request: Request) -> HttpResponse:
    newest = {cycle.target_id: cycle for cycle in selectors.newest_cycles()}
    in_force = {version.target_id: version for version in selectors.vocabularies_in_force()}
    rows = selectors.targets().prefetch_related(None).defer("api_key")
    page = TargetsPage(tuple(TargetLine.of(row, newest.get(row.pk), in_force.get(row.pk)) for row in rows))
    return show(request, "review/targets.html", page)


@require_safe
@viewer
def target(request: Request, pk: int) -> HttpResponse:
    return _shown(request, _found(pk))


@require_http_methods(["GET", "HEAD", "POST"])
@viewer
def check(request: Request, pk: int) -> HttpResponseBase:
    """The result of one plain query. By its address, as after signing in again, one lands at the button."""
    if request.method != "POST":
        return redirect("target", pk=pk)
    return _check(request, pk)


@reviewer
def _check(request: Request, pk: int) -> HttpResponse:
    found = _found(pk)
    try:
        return _shown(request, found, trial=TrialView.of(connection.check_now(found)))
    except services.RefusedError as refusal:
        return _shown(request, found, trouble=f"Nothing was asked: {refusal}.")


def _shown(request: Request, found: Target, trial: TrialView | None = None, trouble: str = "") -> HttpResponse:
    cycles = list(selectors.cycles_of_target(found)[:SHOWN_CYCLES])
    progress = selectors.progress_of(cycles)
    versions = list(selectors.vocabulary_versions(found)[:SHOWN_VERSIONS])
    wanted = number(request.GET.get("version", ""), "version")
    version = selectors.vocabulary_numbered(found, wanted)
    if wanted is not None and version is None:
        raise Http404("no such version")
    in_force = next((row for row in versions if row.in_force), None)
    page = TargetPage(
        target=TargetLine.of(found, cycles[0] if cycles else None, in_force),
        time_limit_s=found.time_limit_s,
        requests_at_once=found.requests_at_once,
        is_off=not selectors.is_enabled(found),
        trial=trial,
        trouble=trouble,
        vocabulary=_vocabulary(version) if version else None,
        versions=tuple(map(VersionLine.of, versions)),
        cycles=tuple(CycleLine.of(cycle, progress.get(cycle.pk)) for cycle in cycles),
    )
    return show(request, "review/target.html", page, partial="trial")


def _vocabulary(version: VocabularyVersion) -> VocabularyView:
    before = selectors.vocabulary_before(version)
    return VocabularyView.of(version, before, differing_lines(before.content, version.content) if before else ())


def _found(pk: int) -> Target:
    found = selectors.target_numbered(pk)
    if found is None:
        raise Http404("no such target")
    return found
