"""Whether cycles are scheduled, handed over, taken by a worker, and come to their end."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db import connection
from django.template.defaultfilters import filesizeformat

from selftest.models import Channel, Chunk, Cycle
from selftest.operating.doctor.diagnosis import Diagnosis, Situation, State
from selftest.operating.doctor.pages import page
from selftest.operating.health import TargetNow, TestingStatus, grace_minutes
from selftest.operating.notices.sending import mail_trouble, sends_mail
from selftest.reading.given_up import MAX_BROKEN_OFF, given_up
from selftest.reading.housekeeping import kept_answers
from selftest.reading.notices import failing_channels
from selftest.reading.own_failures import LOOKED_BACK_RUNS, own_failures
from selftest.reading.schedule import schedule as found_schedule
from selftest.reading.tuning import settings_in_force
from selftest.reading.waiting_work import Work, overdue

START_WORKER = "manage.py qcluster"
SWITCH_ON = "ADVERSARIAL_TEST_ENABLED=true manage.py start"
READ_LOG = "journalctl -u gadfly"  # the unit in selftest/operating/deployment
SHOWN_LATE = 5
MANY_WAITING = 10  # tasks: a worker that keeps up has none or few
DUE_SOON = timedelta(seconds=30)
WORKER_TAKES_AT_MOST = timedelta(minutes=1)  # it looks for what is due every few seconds
LOG_BEFORE = timedelta(minutes=1)  # what led to it is in the log before the time of its end
MINUTE = timedelta(minutes=1)
LATE_HOUSEKEEPING = timedelta(hours=3)  # it is due every hour, and may wait behind long cycles


def switched_on(situation: Situation) -> Sequence[Diagnosis]:
    """Whether testing is switched on, and where it was switched off."""
    if situation.is_on:
        return [Diagnosis(State.OK, "Switched on")]
    if settings.ADVERSARIAL_TEST_ENABLED:
        step = "Nothing is asked until an admin switches it on under Settings."
        command = page("admin:selftest_tuning_changelist")
        return [Diagnosis(State.OFF, "Switched off in the settings", next_step=step, command=command)]
    step = "Nothing is asked until Gadfly is restarted with ADVERSARIAL_TEST_ENABLED=true."
    return [Diagnosis(State.OFF, "Switched off by the environment", next_step=step)]


def broker(situation: Situation) -> Sequence[Diagnosis]:
    """Whether the queue of tasks can be reached, and is not too long."""
    waiting = situation.waiting_tasks
    if waiting is None:
        return [_broker_away("Cycles cannot reach the worker.")]
    words = f"{waiting:,}" if waiting else "None"
    if waiting and situation.clusters == 0:
        step = "They are waiting for a worker. Start one."
        return [Diagnosis(State.WRONG, words, next_step=step, command=START_WORKER)]
    if waiting > MANY_WAITING:
        step = (
            "The worker cannot keep up. Start another, ask fewer queries per cycle, or leave more time between cycles."
        )
        return [Diagnosis(State.WRONG, words, next_step=step)]
    return [Diagnosis(State.WAITING if waiting else State.OK, words)]


def worker(situation: Situation) -> Sequence[Diagnosis]:
    """Whether a cluster gives signs of life."""
    if situation.clusters is None:
        return [_no_heartbeats()]
    if situation.clusters:
        return [Diagnosis(State.OK, "Running" if situation.clusters == 1 else f"{situation.clusters} running")]
    if not situation.is_on:
        return [Diagnosis(State.OFF, "Not running", detail="not needed while testing is off")]
    step = "No cycle runs until you start one."
    return [Diagnosis(State.WRONG, "Not running", next_step=step, command=START_WORKER)]


def _no_heartbeats() -> Diagnosis:
    """They are in a table that a start creates, and no migration: a database may answer and lack it."""
    if _lacks_cache_table():
        step = "Its heartbeat cannot be read: the table for it is missing. Start Gadfly, which creates it."
        return Diagnosis(State.UNKNOWN, "Unknown", next_step=step, command="manage.py start")
    return _broker_away("Its heartbeat cannot be read.")


def _lacks_cache_table() -> bool:
    cache = settings.CACHES["default"]
    if "db.DatabaseCache" not in cache["BACKEND"]:
        return False
    try:
        return cache["LOCATION"] not in connection.introspection.table_names()
    except AnyDatabaseError:
        return False  # it does not answer, which is another problem


def _broker_away(effect: str) -> Diagnosis:
    """The broker is Redis where REDIS_URL is set, else the database."""
    name, command = "the database", "manage.py doctor --only GF001"
    if settings.ENVIRONMENT.redis_url:
        name, command = "Redis", _ping_redis(settings.ENVIRONMENT.redis_url)
    return Diagnosis(State.UNKNOWN, "Unknown", next_step=f"{effect} Check that {name} is running.", command=command)


def _ping_redis(redis_url: str) -> str:
    """Shows whether the server of this URL answers: one that wants a password says so, which is never repeated."""
    url = urlsplit(redis_url)
    if url.scheme == "unix":
        return shlex.join(["redis-cli", "-s", unquote(url.path), "ping"])
    where = [*(["-h", url.hostname] if url.hostname else []), *(["-p", str(url.port)] if url.port else [])]
    return shlex.join(["redis-cli", *where, *(["--tls"] if url.scheme == "rediss" else []), "ping"])


def schedule(situation: Situation) -> Sequence[Diagnosis]:
    """Whether the next cycle is due, and not overdue."""
    if not situation.is_on:
        return [Diagnosis(State.OFF, "None", detail="nothing is scheduled while testing is off")]
    row = found_schedule()
    if row is None:
        step = "Save the settings in the admin, or start Gadfly again: either creates the schedule."
        return [Diagnosis(State.WRONG, "None, though testing is on", next_step=step, command="manage.py start")]
    every = f"every {row.minutes} min" if row.minutes else ""
    next_run = row.next_run or situation.now
    if next_run < situation.now - WORKER_TAKES_AT_MOST:
        step = "The worker has not started it. Start one, or another if it is busy with a long cycle."
        words = "Overdue: the next cycle was due"
        return [Diagnosis(State.WRONG, words, next_run, every, next_step=step, command=START_WORKER)]
    if next_run < situation.now + DUE_SOON:
        return [Diagnosis(State.WAITING, "Next cycle in a moment", detail=every)]
    return [Diagnosis(State.WAITING, "Next cycle", next_run, every)]


def finished_cycles(situation: Situation) -> Sequence[Diagnosis]:
    """Whether cycles come to their end: of each target that is switched on, where there are several."""
    targets = situation.testing.targets
    if not targets:
        return [Diagnosis(State.OFF, "No target is switched on", command=page("admin:selftest_target_changelist"))]
    found = [_of_target(target, situation.now) for target in targets]
    return found if len(found) > 1 else [replace(found[0], subject="", target=None)]


def _of_target(target: TargetNow, now: datetime) -> Diagnosis:
    """Its command names the target, as without a name the default one is asked, which may be switched off."""
    found = _of_cycles(target.status, target.last_run, target.first_requested, now)
    command = shlex.join(["manage.py", "run_cycle", "--target", target.name]) if found.is_problem else ""
    return replace(found, subject=target.name, target=target.pk, command=command)


def _of_cycles(status: TestingStatus, last_run: datetime | None, first: datetime | None, now: datetime) -> Diagnosis:
    """first: when the first of them was requested."""
    match status:
        case TestingStatus.STALE:
            step = "Cycles no longer finish. Check the newest ones."
            return Diagnosis(State.WRONG, "Late: the last one finished", last_run, next_step=step)
        case TestingStatus.NEVER_RAN if first and (now - first) / MINUTE > grace_minutes(settings_in_force()):
            step = "Cycles do not finish. Check the newest ones."
            return Diagnosis(State.WRONG, "None since the first was requested", first, next_step=step)
        case TestingStatus.NEVER_RAN:
            return Diagnosis(State.WAITING, "None yet", detail="wait for the next one, or run one")
        case _ if last_run is None:
            return Diagnosis(State.OFF, "None yet")
        case _:
            return Diagnosis(State.OK, "The last one finished", last_run)


def stranded(situation: Situation) -> Sequence[Diagnosis]:
    """What was requested and is not started within a minute: of each of the first; nothing where testing is off."""
    late = overdue(situation.now) if situation.is_on else []
    if not late:
        return [Diagnosis(State.OK, "None")]
    step = "Start a worker."
    if situation.clusters != 0:
        step = "Start another worker if long cycles keep the first busy. It is handed over again every minute."
    found = [
        Diagnosis(State.WRONG, f"{_words_of(item.work)}, since", item.since, next_step=step, command=START_WORKER)
        for item in late[:SHOWN_LATE]
    ]
    if len(late) > SHOWN_LATE:
        found.append(Diagnosis(State.WRONG, f"{len(late) - SHOWN_LATE} more", next_step=step, command=START_WORKER))
    return found


def answers(situation: Situation) -> Sequence[Diagnosis]:
    """For how long clean answers are kept, when that was last seen to, and how much there is."""
    kept = kept_answers()
    size = f"database {filesizeformat(kept.database_bytes)}"
    words = f"Clean ones kept for {kept.days:,} day{'s' * (kept.days != 1)}" if kept.days else "All kept"
    step = "The worker should check them every hour. See its failures in the admin, or do it now."
    if kept.looked_through_at is None:
        words = f"{words}, not checked yet"
        if _is_housekeeping_late(situation, min(situation.requested, default=situation.now)):
            return [Diagnosis(State.WRONG, words, detail=size, next_step=step)]
        return [Diagnosis(State.WAITING, words, detail=size)]
    newer = f"{kept.runs:,} newer run{'s' * (kept.runs != 1)}"
    detail = f"{kept.deleted:,} deleted, {newer}, {size}" if kept.days else size
    words = f"{words}, checked"
    if _is_housekeeping_late(situation, kept.looked_through_at):
        return [Diagnosis(State.WRONG, words, kept.looked_through_at, detail, next_step=step)]
    return [Diagnosis(State.OK, words, kept.looked_through_at, detail)]


def _is_housekeeping_late(situation: Situation, since: datetime) -> bool:
    """since: its last end; before the first, since when there is something to look through."""
    return bool(situation.clusters) and situation.now - since > LATE_HOUSEKEEPING


def notices(situation: Situation) -> Sequence[Diagnosis]:
    """Whether each channel's last notice could be delivered."""
    step = "Correct its address or secret in the admin, and send a test. What waits is tried again for a day."
    failing = [
        Diagnosis(
            State.WRONG, f"Failed, {one.waiting:,} waiting", one.tried_at, one.error, one.name, step, _channel(one.pk)
        )
        for one in failing_channels(situation.now)
    ]
    return failing or [Diagnosis(State.OK, "No channel failed")]


def mail(situation: Situation) -> Sequence[Diagnosis]:
    """Whether the mail server of each channel that sends mail takes it. Connects, where it may; sends nothing."""
    channels = [channel for channel in Channel.objects.filter(enabled=True) if sends_mail(channel)]
    if not channels:
        return [Diagnosis(State.OFF, "No channel sends mail")]
    if not situation.asks_targets:
        return [Diagnosis(State.OFF, "Asked by the command alone", command="manage.py doctor")]
    return [_of_mail(channel, mail_trouble(channel)) for channel in channels]


def _channel(pk: int) -> str:
    return page("admin:selftest_channel_change", pk)


def _of_mail(channel: Channel, trouble: str) -> Diagnosis:
    if not trouble:
        return Diagnosis(State.OK, "Takes mail", subject=channel.name)
    step = "Start the server, or correct the channel's URL in the admin: its host, port, user and password."
    return Diagnosis(State.WRONG, "Takes no mail", None, trouble, channel.name, step, _channel(channel.pk))


def own_faults(situation: Situation) -> Sequence[Diagnosis]:
    """Whether Gadfly itself failed lately."""
    failed = own_failures()
    if not failed:
        return [Diagnosis(State.OK, f"None in the newest {LOOKED_BACK_RUNS} runs")]
    words = f"{len(failed)} in the newest {LOOKED_BACK_RUNS} runs"
    step = "See what they have in common in the worker's log, and report it."
    at, why = failed[0].finished_at, failed[0].own_error[:200]
    command = f'{READ_LOG} --since "{at - LOG_BEFORE:%Y-%m-%d %H:%M} UTC"' if at else READ_LOG
    return [Diagnosis(State.WRONG, words, at, why, next_step=step, command=command)]


def abandoned(situation: Situation) -> Sequence[Diagnosis]:
    """Whether queries stop the worker again and again."""
    keys = list(given_up().values_list("pk", flat=True))
    if not keys:
        return [Diagnosis(State.OK, f"None was interrupted {MAX_BROKEN_OFF} times")]
    step = "Open one to see its runs. A query that stops its worker is worth reporting to the target's maintainers."
    words, command = f"{len(keys):,} no longer asked", page("combination", keys[0])
    return [Diagnosis(State.WRONG, words, next_step=step, command=command)]


def _words_of(work: Work) -> str:
    match work:
        case Cycle():
            return f"Cycle {work.pk} on {work.target}"
        case Chunk():
            return f"The rest of cycle {work.cycle_id} on {work.cycle.target}"
    return f"The search for a smallest query of combination {work.combination_id}"
