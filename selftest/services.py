"""What people and scripts do: dismiss, undo, trigger, tune, make keys. Each checks, changes and writes who did it."""

import hashlib
import hmac
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_q.models import Schedule
from django_q.tasks import async_task
from redis.exceptions import RedisError

from selftest.core.generation.recipes import recipes_named
from selftest.core.generation.vocabulary import Vocabulary
from selftest.cycles import lifecycle
from selftest.cycles import runner as cycles
from selftest.cycles.lifecycle import Wish
from selftest.cycles.runner import Outcome
from selftest.models import (
    ApiKey,
    Combination,
    Cycle,
    Installation,
    Reduction,
    ReviewEvent,
    Target,
    Tuning,
    VocabularyVersion,
)
from selftest.reviewing import minimising as reductions
from selftest.storage.serialization import fingerprint_sha256, open_target, put_vocabulary, storable, vocabulary_of

log = logging.getLogger(__name__)

SCHEDULE_NAME = "adversarial test cycle"
SCHEDULED_TASK = "selftest.tasks.scheduled_cycles"
PLANNED_TASK = "selftest.tasks.planned_cycle"
REDUCTION_TASK = "selftest.tasks.planned_reduction"
KEY_BYTES = 24
NOTE_CHARACTERS = 2_000
ASKINGS_AT_MOST = reductions.ASKINGS_AT_MOST  # of one search for a smallest query
MAX_TIMES = 20  # of one combination in a cycle: enough to see how often it breaks, and no burden on its target


class RefusedError(Exception):
    """What was asked for cannot be done as things stand. The message says why and what to do."""


class UnknownError(RefusedError):
    """The thing named does not exist."""


class OutdatedError(RefusedError):
    """Things have moved on since the caller looked."""


class BrokerAwayError(RefusedError):
    """The worker could not be told; nothing was handed over."""


class InvalidTargetError(RefusedError):
    """A target's settings do not make sense. field: the column at fault, "" where it is none alone."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Actor:
    """Who does it, as the story will name them."""

    name: str
    user: User | None = None

    @classmethod
    def person(cls, user: Any) -> "Actor":
        return cls(user.get_username(), user)


def target_named(name: str | None) -> Target:
    """The target of this name, or the default one for None. Raises UnknownError."""
    targets = Target.objects.all()
    if name:
        found = targets.filter(name=storable(name)).first()
        if found is None:
            known = ", ".join(targets.values_list("name", flat=True)) or "none"
            raise UnknownError(f"unknown target {name!r}; known are: {known}")
        return found
    found = targets.filter(is_default=True).first() or targets.order_by("id").first()
    if found is None:
        raise UnknownError("there is no target yet; `manage.py start` makes the bundled one, the admin makes others")
    return found


def combination_of(fingerprint: str, target: Target) -> Combination:
    """Raises UnknownError."""
    found = Combination.objects.filter(target=target, fingerprint_sha256=fingerprint_sha256(fingerprint)).first()
    if found is None:
        raise UnknownError(f"unknown fingerprint {fingerprint!r}; give the exact string of a flagged row")
    return found


def dismiss(combination: Combination, actor: Actor, note: str = "", seen_run: int | None = None) -> bool:
    """Closes the review of a flagged combination; whether that changed anything.

    seen_run: the last run that the caller saw; where a newer one was flagged, nothing is dismissed.
    Raises RefusedError where it was never flagged, OutdatedError where it was flagged again since.
    """
    seen = Q() if seen_run is None else Q(last_flagged_run__lte=seen_run)
    with transaction.atomic():
        changed = Combination.objects.filter(
            seen, pk=combination.pk, ever_flagged=True, review_status__isnull=True
        ).update(review_status=Combination.ReviewStatus.DISMISSED)
        if changed:
            _tell(combination, ReviewEvent.Kind.DISMISSED, actor, note)
            Installation.queue_changed()
            return True
    combination.refresh_from_db()
    if not combination.ever_flagged:
        raise RefusedError("this combination was never flagged; there is nothing to dismiss")
    if combination.review_status is None:
        newest = combination.last_flagged_run_id
        raise OutdatedError(f"flagged again since you looked, by run {newest}; look again first")
    return False


def undismiss(combination: Combination, actor: Actor, note: str = "", dismissal: int | None = None) -> None:
    """Opens the review again. dismissal: the event that is undone, and none that somebody made after it.

    Raises RefusedError where it is not dismissed, OutdatedError where it is by a later dismissal.
    """
    with transaction.atomic():
        changed = Combination.objects.filter(
            pk=combination.pk, review_status=Combination.ReviewStatus.DISMISSED
        ).update(review_status=None)
        if not changed:
            raise RefusedError("this combination is not dismissed; there is nothing to undo")
        made = combination.events.filter(kind=ReviewEvent.Kind.DISMISSED).order_by("-id").first()
        if dismissal is not None and made is not None and made.pk != dismissal:
            raise OutdatedError(f"{made.actor} has dismissed it again since; look again first")
        _tell(combination, ReviewEvent.Kind.UNDISMISSED, actor, note)
        Installation.queue_changed()


def take(combination: Combination, actor: Actor) -> bool:
    """Says that `actor`, a person, looks into it; whether that changed anything.

    Raises OutdatedError where somebody else said so first.
    """
    with transaction.atomic():
        free = Combination.objects.filter(pk=combination.pk, held_by__isnull=True)
        if free.update(held_by=actor.user, held_at=timezone.now()):
            _tell(combination, ReviewEvent.Kind.TAKEN, actor, "")
            return True
    combination.refresh_from_db()
    if combination.held_by is not None and combination.held_by != actor.user:
        raise OutdatedError(f"{combination.held_by.get_username()} has taken it already; they can release it")
    return False


def release(combination: Combination, actor: Actor) -> None:
    """Whoever held it no longer does. Raises RefusedError where nobody did."""
    with transaction.atomic():
        held = Combination.objects.filter(pk=combination.pk, held_by__isnull=False)
        if not held.update(held_by=None, held_at=None):
            raise RefusedError("nobody holds this combination; there is nothing to release")
        _tell(combination, ReviewEvent.Kind.RELEASED, actor, "")


def note(combination: Combination, actor: Actor, text: str) -> None:
    """Puts a note into the story. Raises RefusedError for an empty one or one that is too long."""
    text = storable(text).strip()
    if not text:
        raise RefusedError("the note is empty; write something, or leave it")
    if len(text) > NOTE_CHARACTERS:
        raise RefusedError(f"the note has {len(text)} characters; {NOTE_CHARACTERS} are kept at most")
    _tell(combination, ReviewEvent.Kind.NOTED, actor, text)


def _tell(combination: Combination, kind: ReviewEvent.Kind, actor: Actor, note: str) -> None:
    combination.refresh_from_db()
    ReviewEvent.objects.create(
        combination=combination,
        kind=kind,
        user=actor.user,
        actor=actor.name,
        note=note,
        run_id=combination.last_run_id,
        at=timezone.now(),
    )


def trigger(wish: Wish) -> Outcome:
    """Runs one cycle now and comes back when it is over."""
    recipes_named(wish.recipes)
    return cycles.run_cycle(wish)


def trigger_later(wish: Wish) -> Cycle | None:
    """Hands one cycle to the worker; None where testing is switched off and nothing was handed over.

    Raises BrokerAwayError, in an open transaction at its end; the cycle is withdrawn then.
    """
    recipes_named(wish.recipes)
    if not lifecycle.is_enabled(wish.target):
        return None
    cycle = lifecycle.prepare(wish)
    cycle.save()
    transaction.on_commit(lambda: _hand_over(cycle))
    return cycle


def run_again(combination: Combination, times: int, actor: Actor) -> Cycle | None:
    """Hands the worker a cycle that asks `combination` alone, `times` times; None where testing is switched off.

    Raises RefusedError where that is no number of times, or where it is being asked again already.
    """
    if not 1 <= times <= MAX_TIMES:
        raise RefusedError(f"a combination is asked again 1 to {MAX_TIMES} times, not {times}")
    lifecycle.end_abandoned(combination.target)  # what a dead worker left open must not stand in the way
    with transaction.atomic():
        Combination.objects.select_for_update().get(pk=combination.pk)  # of two clicks at once, one sees the other's
        _refuse_if_open(Cycle.objects.filter(combination=combination), "this combination is being asked again")
        queued = trigger_later(Wish(combination.target, Cycle.Trigger.PAGE, times, combination=combination))
    log.info("%s has combination %s asked again %d times: %s", actor.name, combination.pk, times, queued)
    return queued


def reduce(combination: Combination, actor: Actor) -> Reduction | None:
    """Hands the worker the search for the smallest query that still shows what was flagged last.

    None where testing is switched off. Raises RefusedError where it was never flagged, or where that is looked for
    already; BrokerAwayError, in an open transaction at its end; the search is stopped then.
    """
    lifecycle.end_abandoned(combination.target)  # what a dead worker left open must not stand in the way
    combination.refresh_from_db()
    if combination.last_flagged_run_id is None:
        raise RefusedError("no flagged run of this combination is kept; there is nothing to look for")
    if not lifecycle.is_enabled(combination.target):
        return None
    try:
        with transaction.atomic():
            planned = Reduction.objects.create(
                combination=combination,
                run_id=combination.last_flagged_run_id,
                check_name=combination.flagged_check,
                askings_at_most=ASKINGS_AT_MOST,
                requested_by=actor.user,
                created_at=timezone.now(),
            )
    except IntegrityError as already:  # one_open_reduction
        raise RefusedError("its smallest query is being looked for already; look at what that finds first") from already
    transaction.on_commit(lambda: _hand_over_reduction(planned))
    log.info("%s has the smallest query of combination %s looked for", actor.name, combination.pk)
    return planned


def _hand_over_reduction(planned: Reduction) -> None:
    try:
        async_task(REDUCTION_TASK, planned.pk, task_name=f"reduction {planned.pk}")
    except (RedisError, OSError) as failure:
        log.exception("Reduction %s could not be handed to the worker", planned.pk)
        lifecycle.end_reduction(planned, f"it could not be handed to the worker: {failure}")
        raise BrokerAwayError(
            "the broker between here and the worker is away, so nothing was begun; try again when Redis is back"
        ) from failure


def replay(cycle: Cycle, actor: Actor) -> Cycle | None:
    """Hands the worker a cycle that asks the queries of `cycle` once more; None where testing is switched off.

    Raises RefusedError where that one is not over or had no query, or where it is being replayed already.
    """
    if cycle.state in lifecycle.OPEN_STATES:
        raise RefusedError(f"{cycle} is not over; replay it when it is")
    count = cycle.runs.count()
    if not count:
        raise RefusedError(f"{cycle} ended before it had chosen any query, so there is nothing to replay")
    lifecycle.end_abandoned(cycle.target)
    with transaction.atomic():
        Cycle.objects.select_for_update().get(pk=cycle.pk)
        _refuse_if_open(Cycle.objects.filter(replay_of=cycle), f"{cycle} is being replayed")
        queued = trigger_later(Wish(cycle.target, Cycle.Trigger.PAGE, count, cycle.seed, replay_of=cycle))
    log.info("%s has %s replayed: %s", actor.name, cycle, queued)
    return queued


def _refuse_if_open(repetitions: QuerySet[Cycle], what: str) -> None:
    already = repetitions.filter(state__in=lifecycle.OPEN_STATES).first()
    if already is not None:
        raise RefusedError(f"{what} already, by {already}; look at what it finds first")


def _hand_over(cycle: Cycle) -> None:
    try:
        async_task(PLANNED_TASK, cycle.pk, task_name=f"cycle {cycle.pk}")
    except (RedisError, OSError) as failure:
        log.exception("%s could not be handed to the worker", cycle)
        lifecycle.withdraw(cycle, f"it could not be handed to the worker: {failure}")
        raise BrokerAwayError(
            "the broker between here and the worker is away, so no cycle was queued; try again when Redis is back"
        ) from failure


def tune(tuning: Tuning, actor: Actor) -> None:
    """Puts these settings in force and makes the schedule follow, both or neither; the history names `actor`."""
    tuning._history_user = actor.user  # read by the history
    with transaction.atomic():
        tuning.save()
        follow_tuning()


def follow_tuning() -> None:
    """Makes the schedule say what the settings say: present when on, absent when off, at the interval in force."""
    tuning = Tuning.get_solo()
    if not (settings.ADVERSARIAL_TEST_ENABLED and tuning.enabled):
        Schedule.objects.filter(name=SCHEDULE_NAME).delete()
        return
    wanted = {
        "func": SCHEDULED_TASK,
        "schedule_type": Schedule.MINUTES,
        "minutes": tuning.interval_minutes,
        "repeats": -1,
    }
    schedule = Schedule.objects.filter(name=SCHEDULE_NAME).first()
    if schedule is None:
        Schedule.objects.create(name=SCHEDULE_NAME, next_run=_next_run(tuning), **wanted)
    elif schedule.minutes != tuning.interval_minutes:
        Schedule.objects.filter(pk=schedule.pk).update(next_run=_next_run(tuning), **wanted)


def _next_run(tuning: Tuning) -> datetime:
    """One interval after the last cycle was called for, or now where that has passed."""
    last = Cycle.objects.order_by("-id").values_list("created_at", flat=True).first()
    now = timezone.now()
    return now if last is None else max(now, last + timedelta(minutes=tuning.interval_minutes))


def check_target(target: Target) -> None:
    """Opens what the row describes, as a cycle would. Raises InvalidTargetError where that cannot be."""
    try:
        open_target(target, None).close()
    except ValueError as fault:
        message = str(fault)
        field, separator, rest = message.partition(": ")
        if separator and field in {column.name for column in Target._meta.get_fields()}:
            raise InvalidTargetError(field, rest) from fault
        raise InvalidTargetError("", message) from fault


def save_target(target: Target, actor: Actor, reason: str = "") -> None:
    """Keeps a checked target. The history names `actor` and `reason`, and never the API key."""
    target._history_user = actor.user  # type: ignore[attr-defined]  # read by the history, which is untyped
    target._change_reason = reason or None  # type: ignore[attr-defined]
    target.save()


def is_removable(target: Target) -> bool:
    """Whether nothing was ever asked of it: history is never deleted along with its target."""
    return not (target.cycles.exists() or target.combinations.exists())


def remove_target(target: Target, actor: Actor) -> None:
    """Raises RefusedError where the target has a history."""
    target._history_user = actor.user  # type: ignore[attr-defined]  # read by the history, which is untyped
    with transaction.atomic():
        if not is_removable(target):
            raise RefusedError(f"{target} has a history, which is kept; switch it off instead, and it is asked nothing")
        target.delete()


def import_vocabulary(target: Target, document: object, user: Any = None) -> tuple[VocabularyVersion, bool]:
    """Puts `document` in force, and whether that changed anything. Raises VocabularyError; the old one then stays."""
    return put_vocabulary(target, document, timezone.now(), user)


def vocabulary_in_force(target: Target) -> Vocabulary:
    """Raises UnknownError where the target has none."""
    version = target.vocabularies.filter(in_force=True).first()
    if version is None:
        raise UnknownError(f"{target} has no vocabulary; import one with `manage.py vocabulary import FILE`")
    return vocabulary_of(version)


def make_api_key(name: str) -> str:
    """A new key, which is shown this once: only its hash is kept."""
    key = secrets.token_urlsafe(KEY_BYTES)
    ApiKey.objects.create(name=name, sha256=_sha256(key), created_at=timezone.now())
    return key


def revoke_api_key(key: ApiKey) -> bool:
    """Ends what the key may do, for good; whether that changed anything."""
    return ApiKey.objects.filter(pk=key.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()) == 1


def owner_of_key(key: str) -> Actor | None:
    """Who calls with this key, or None. Every comparison takes the same time, whatever the key."""
    given = _sha256(key)
    found: str | None = None
    for known in settings.API_KEYS:
        if hmac.compare_digest(given, _sha256(known)):
            found = "key of the environment"
    for row in ApiKey.objects.filter(revoked_at__isnull=True):
        if hmac.compare_digest(given, row.sha256):
            found = f"key {row.name}"
    return None if found is None else Actor(found)


def _sha256(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()
