"""Health, for a person: what testing needs, what is wrong, what to do next. Scripts read /health."""

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from review.contexts.health import GivenUp, HealthPage, OwnFailure, answers_sign, signs, target_signs
from review.views.pages import Request, show, viewer
from review.views.status_line import current_status
from selftest.operating.health import TestingStatus
from selftest.reading import given_up
from selftest.reading.cycles import newest_cycles
from selftest.reading.housekeeping import kept_answers
from selftest.reading.own_failures import LOOKED_BACK_RUNS, own_failures
from selftest.reading.targets import LOOKED_BACK_CYCLES, all_targets, last_outages
from selftest.reading.waiting_work import overdue
from selftest.reading.worker import waiting_tasks, worker_clusters

SHOWN_FAILURES = 10
SHOWN_GIVEN_UP = 50


@require_safe
@viewer
def health(request: Request) -> HttpResponse:
    """What testing needs, and what is wrong."""
    status, testing = current_status()
    now = timezone.now()
    clusters = worker_clusters()
    abandoned = list(given_up.given_up()[: SHOWN_GIVEN_UP + 1])
    page = HealthPage(
        signs=signs(
            status,
            testing,
            clusters,
            waiting_tasks(),
            overdue(now) if testing.status is not TestingStatus.DISABLED else [],
            settings.ADVERSARIAL_TEST_ENABLED,
            answers_sign(kept_answers(), clusters, now),
        ),
        targets=target_signs(list(all_targets()), list(newest_cycles()), dict(last_outages())),
        failures=tuple(map(OwnFailure.of, own_failures()[:SHOWN_FAILURES])),
        runs_looked_at=LOOKED_BACK_RUNS,
        cycles_looked_at=LOOKED_BACK_CYCLES,
        given_up=tuple(map(GivenUp.of, abandoned[:SHOWN_GIVEN_UP])),
        more_given_up=len(abandoned) > SHOWN_GIVEN_UP,
        broken_off_times=given_up.MAX_BROKEN_OFF,
    )
    return show(request, "review/health.html", page, partial="signs")
