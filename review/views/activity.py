"""A feed of what people and scripts did, newest first."""

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from review.contexts.activity import ActivityPage, activity_url
from review.views.pages import Request, show, viewer
from selftest.evaluation import drift_reading
from selftest.evaluation.suggestion_reading import READERS as SUGGESTION_READERS
from selftest.findings.activity import READERS as FINDING_READERS
from selftest.reading import activity as activity_reading
from selftest.reading.activity import ActivityCursor, Source
from selftest.reading.queue import InvalidCursorError

PAGE_LINES = 50
WHO_CHARACTERS = 200  # as many as an event keeps of a name


@require_safe
@viewer
def activity(request: Request) -> HttpResponse:
    """What one person or script did, or all of them."""
    who, after = request.GET.get("who", ""), request.GET.get("after", "")
    if len(who) > WHO_CHARACTERS:
        raise BadRequest(f"who: longer than {WHO_CHARACTERS} characters")
    try:
        cursor = ActivityCursor.of_text(after)
    except InvalidCursorError as fault:
        raise BadRequest(f"after: {fault}") from fault
    found = activity_reading.activity(
        who, cursor, PAGE_LINES + 1, {**FINDING_READERS, **SUGGESTION_READERS, Source.DRIFT: drift_reading.feed}
    )
    shown = found[:PAGE_LINES]
    older = activity_url(who, cursor.after(shown).text) if len(found) > PAGE_LINES else ""
    people = User.objects.order_by("username").values_list("username", flat=True)
    page = ActivityPage.of(who, list(people), shown, older, is_first=not after)
    return show(request, "review/activity.html", page, partial="lines")
