"""What a worker tidies up once an hour: what was kept for long enough, expired sessions, all but the newest failures.

One worker at a time is at it. Each batch is a transaction that also notes how far it came, so one that is lost in the
middle is continued there.
"""

import secrets
from collections.abc import Iterable
from datetime import timedelta
from enum import StrEnum
from importlib import import_module
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django_q.models import Failure

from selftest.models import Housekeeping
from selftest.operating.idempotency import forget_old_calls
from selftest.operating.retention import (
    OldAnswers,
    delete_answers,
    next_old_answers,
    other_answers_outdated,
    without_findings,
)
from selftest.reading.housekeeping import CLAIM, housekeeping, kept_for
from selftest.storage.database_clock import time_for_sure

# After this the rest waits for the next sweep: cycles need the worker too.
BUDGET_S = 300.0
KEPT_FAILURES = 1_000  # of tasks; the library keeps all of them, and of successes the last 250


class Outcome(StrEnum):
    """How a call for it ended."""

    DONE = "done"
    MORE = "more is left"
    BUSY = "another worker is at it"


def keep_house(budget_s: float = BUDGET_S) -> Outcome:
    """Does what there is to do, or as much as there is time for."""
    claim = secrets.token_hex(16)
    if not _take(claim):
        return Outcome.BUSY
    outcome = None
    try:
        _clear_sessions()
        _forget_failures()
        forget_old_calls()
        outcome = _delete_old_answers(claim, monotonic() + budget_s)
    finally:
        done = {"finished_at": timezone.now()} if outcome is Outcome.DONE else {}
        Housekeeping.objects.filter(claim=claim).update(claim="", claimed_until=None, **done)
    return outcome


def _take(claim: str) -> bool:
    Housekeeping.get_solo()  # creates the row
    now = timezone.now()
    # One that is too long is of a clock that was ahead.
    is_free = Q(claimed_until=None) | Q(claimed_until__lt=now) | Q(claimed_until__gt=now + CLAIM)
    taken: int = Housekeeping.objects.filter(is_free).update(claim=claim, claimed_until=now + CLAIM)
    return taken == 1


def _delete_old_answers(claim: str, until_s: float) -> Outcome:
    keep = kept_for()
    if keep is None:
        return Outcome.DONE
    while monotonic() < until_s:
        now = time_for_sure()
        found = next_old_answers(housekeeping().through_run, now - keep, now)
        if found is None:
            return _delete_other_answers(claim, keep, until_s)
        if not _delete(found, claim):
            return Outcome.BUSY
    return Outcome.MORE


def _delete_other_answers(claim: str, keep: timedelta, until_s: float) -> Outcome:
    """Those that are kept apart from runs, a batch of each kind at a time."""
    while monotonic() < until_s:
        now = time_for_sure()
        ours = Housekeeping.objects.filter(claim=claim)
        with transaction.atomic():
            if not ours.update(claimed_until=timezone.now() + CLAIM):
                return Outcome.BUSY
            said: Iterable[tuple[Any, Any]] = other_answers_outdated.send(Housekeeping, kept_since=now - keep, now=now)
            deleted = sum(count for _, count in said)
            if not deleted:
                return Outcome.DONE
            ours.update(answers_deleted=F("answers_deleted") + deleted)
    return Outcome.MORE


def _delete(found: OldAnswers, claim: str) -> bool:
    """One batch; nothing is done where the claim was lost meanwhile."""
    now = timezone.now()
    ours = Housekeeping.objects.filter(claim=claim)
    with transaction.atomic():
        # The claim first: its row is locked until the end, so that no other worker deletes at the same time.
        if not ours.update(through_run=found.through, claimed_until=now + CLAIM):
            return False
        if needless := without_findings(found.runs):  # looked at again: a note may have come meanwhile
            ours.update(answers_deleted=F("answers_deleted") + delete_answers(needless, now))
    return True


def _clear_sessions() -> None:
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()


def _forget_failures() -> None:
    newest = Failure.objects.order_by("-stopped").values_list("pk", flat=True)[:KEPT_FAILURES]
    Failure.objects.exclude(pk__in=list(newest)).delete()
