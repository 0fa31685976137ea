"""One run: what was asked, what came back, whole."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from review.contexts.runs import RunPage
from review.contexts.scores import scores_of_run
from review.views.pages import Request, show, viewer
from selftest.models import Run
from selftest.reading.explained import explanations_of
from selftest.reading.queue import findings_of
from selftest.reading.run import days_kept, parts_of_answer, run_numbered, runs_beside

GONE = 410


@require_safe
@viewer
def run(request: Request, pk: int) -> HttpResponse:
    """One run with its whole answer."""
    found = _found(pk)
    flags = findings_of([pk]).get(pk, [])
    explained = explanations_of([pk])
    parts = parts_of_answer(found, flags)
    page = RunPage.of(found, flags, explained, parts, runs_beside(found), scores_of_run(pk))
    return show(request, "review/run.html", page, partial="answer")


@require_safe
@viewer
def answer(request: Request, pk: int) -> HttpResponse:
    """The answer as a file, 410 where it is no longer kept: text, and never anything that a browser would run."""
    found = _found(pk)
    days = days_kept(found)
    if days is not None:
        text = f"This answer is no longer kept: it was clean, and deleted after {days:,} days.\n"
        return HttpResponse(text, content_type="text/plain; charset=utf-8", status=GONE)
    response = HttpResponse(found.result, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="run-{pk}.txt"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _found(pk: int) -> Run:
    found = run_numbered(pk)
    if found is None:
        raise Http404("no such run")
    return found
