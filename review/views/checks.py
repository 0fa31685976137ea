"""How good the checks are: verdicts by check, and the share of false alarms among them."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from review.contexts.checks import ChecksPage
from review.contexts.choices import PageLink
from review.filters import cause_filter
from review.page_urls import page_url, with_query
from review.views.pages import Request, chosen_target, show, viewer
from selftest.reading.check_quality import check_quality
from selftest.reading.queue import queue_revision
from selftest.reading.tuning import checks_switched_off


@require_safe
@viewer
def checks(request: Request) -> HttpResponse:
    """What people decided about each check's flags, of one target or of all that are switched on."""
    target = cause_filter({"target": request.GET.get("target", "")}).target
    has_target = chosen_target(target) is not None
    revision = queue_revision()
    here = page_url("checks")
    names = [name for _, name in revision.targets]
    targets = [
        PageLink("All switched on", here, not target),
        *(PageLink(name, with_query(here, {"target": name}), name == target) for name in names),
    ]
    page = ChecksPage.of(
        check_quality(target, revision, timezone.now()),
        checks_switched_off(),
        target,
        tuple(targets) if len(names) > 1 else (),
        has_target,
    )
    return show(request, "review/checks.html", page)
