"""Health, for a person: what testing needs, what is wrong, what to do next. Scripts read /health."""

from django.conf import settings
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from review.contexts.status import GivenUp, OwnFailure, StatusPage, signs, target_signs
from review.views.pages import Request, show, viewer
from review.views.testing_status import current_status
from selftest.reading import internal_failures
from selftest.reading.cycles import newest_cycles
from selftest.reading.internal_failures import LOOKED_BACK_RUNS, MAX_BROKEN_OFF, own_failures
from selftest.reading.targets import LOOKED_BACK_CYCLES, all_targets, last_outages
from selftest.reading.worker import waiting_tasks, worker_clusters

SHOWN_FAILURES = 10
SHOWN_GIVEN_UP = 50


@require_safe
@viewer
def status(request: Request) -> HttpResponse:
    """What testing needs, and what is wrong."""
    status, health = current_status()
    given_up = list(internal_failures.given_up()[: SHOWN_GIVEN_UP + 1])
    page = StatusPage(
        signs=signs(
            status,
            health,
            worker_clusters(),
            waiting_tasks(),
            settings.ADVERSARIAL_TEST_ENABLED,
        ),
        targets=target_signs(list(all_targets()), list(newest_cycles()), dict(last_outages())),
        failures=tuple(map(OwnFailure.of, own_failures()[:SHOWN_FAILURES])),
        runs_looked_at=LOOKED_BACK_RUNS,
        cycles_looked_at=LOOKED_BACK_CYCLES,
        given_up=tuple(map(GivenUp.of, given_up[:SHOWN_GIVEN_UP])),
        more_given_up=len(given_up) > SHOWN_GIVEN_UP,
        broken_off_times=MAX_BROKEN_OFF,
    )
    return show(request, "review/status.html", page, partial="signs")
