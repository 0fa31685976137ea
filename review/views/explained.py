"""Findings with an innocent cause: what each source has nothing on, and the findings that this explains."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from review.contexts.choices import target_links
from review.contexts.explained import ExplainedLine, ExplainedPage, SourceLine
from review.contexts.findings import explained_url
from review.filters import queue_filter
from review.views.pages import Request, chosen_target, number, show, viewer
from selftest.reading import explained as explained_reading
from selftest.reading.explained import LATELY_PROBES, sources_alone
from selftest.reading.sources import sources_of
from selftest.reading.targets import target_names
from selftest.reading.tuning import settings_in_force

PAGE_EXPLAINED = 25  # each with what it rests on


@require_safe
@viewer
def explained(request: Request) -> HttpResponse:
    """The findings that had an innocent cause, and what each source answers alone."""
    filters = queue_filter({name: request.GET.get(name, "") for name in ("source", "check", "target")})
    before = number(request.GET.get("before", ""), "before")
    is_off = not settings_in_force().explains
    target = chosen_target(filters.target)
    if target is None:
        return show(request, "review/explained.html", ExplainedPage.of_nobody(is_off))
    rows = explained_reading.explained(target, filters.source, filters.check).order_by("-id")
    found = list((rows if before is None else rows.filter(pk__lt=before))[: PAGE_EXPLAINED + 1])
    shown = found[:PAGE_EXPLAINED]
    sources = sources_of(target)
    check = str(filters.check or "")
    older = ""
    if len(found) > len(shown):
        older = explained_url(target.name, filters.source, check=check, before=shown[-1].pk)
    page = ExplainedPage(
        target=target.name,
        targets=target_links(target_names(), target, explained_url),
        is_off=is_off,
        sums=tuple(SourceLine.of(each, target.name, filters.source) for each in sources_alone(target, sources)),
        lately=LATELY_PROBES,
        sources=ExplainedPage.sources_of(sources, filters.source),
        checks=ExplainedPage.checks_of(filters.check),
        found=tuple(ExplainedLine.of(row, target.name) for row in shown),
        is_filtered=bool(filters.source or filters.check),
        all_address=explained_url(target.name),
        older=older,
    )
    return show(request, "review/explained.html", page, partial="rows")
