"""Health, for a person: what testing needs, what is wrong, what to do next. Scripts read /health."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from review.contexts.health import GivenUp, HealthPage, OwnFailure, signs
from review.views.pages import Request, show, viewer
from selftest.operating.doctor.checks import examine
from selftest.operating.doctor.diagnosis import Situation
from selftest.reading import given_up
from selftest.reading.own_failures import LOOKED_BACK_RUNS, own_failures

SHOWN_FAILURES = 10
SHOWN_GIVEN_UP = 50


@require_safe
@viewer
def health(request: Request) -> HttpResponse:
    """What an installation needs, and what is wrong; nothing is sent to a target for it."""
    abandoned = list(given_up.given_up()[: SHOWN_GIVEN_UP + 1])
    page = HealthPage(
        signs=signs(examine(Situation(timezone.now()))),
        failures=tuple(map(OwnFailure.of, own_failures()[:SHOWN_FAILURES])),
        runs_looked_at=LOOKED_BACK_RUNS,
        given_up=tuple(map(GivenUp.of, abandoned[:SHOWN_GIVEN_UP])),
        more_given_up=len(abandoned) > SHOWN_GIVEN_UP,
        broken_off_times=given_up.MAX_BROKEN_OFF,
    )
    return show(request, "review/health.html", page, partial="signs")
