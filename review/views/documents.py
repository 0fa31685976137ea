"""Documents that search finds, for reading."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from review.contexts.document import DocumentPage
from review.views.pages import Request, show, viewer
from selftest.knowledge.reading import own_document, target_document
from selftest.refusals import UnknownError


@require_safe
@viewer
def own(request: Request, path: str) -> HttpResponse:
    """One that came with Gadfly."""
    try:
        shown = own_document(path)
    except UnknownError as unknown:
        raise Http404(str(unknown)) from unknown
    return show(request, "review/document.html", DocumentPage.of(shown))


@require_safe
@viewer
def of_target(request: Request, pk: int, path: str) -> HttpResponse:
    """One of a target's own documentation."""
    try:
        shown = target_document(pk, path)
    except UnknownError as unknown:
        raise Http404(str(unknown)) from unknown
    return show(request, "review/document.html", DocumentPage.of(shown))
