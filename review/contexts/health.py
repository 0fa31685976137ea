"""`/status`: what testing needs, and for each thing that is wrong, what to do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.template.defaultfilters import filesizeformat, pluralize

from review.contexts.shapes import ASKING, AWAY, KEPT, STOPPED, WAITING
from review.contexts.status_line import StatusLine
from selftest.models import Combination, Cycle, Reduction, Run, Target
from selftest.operating.health import TestingHealth, TestingStatus
from selftest.reading.housekeeping import KeptAnswers
from selftest.reading.waiting_work import Overdue

SHOWN_LATE = 5
MANY_WAITING = 10  # tasks: a worker that keeps up has none or few


LATE_HOUSEKEEPING = timedelta(hours=3)  # it is due every hour, and may wait behind long cycles


@dataclass(frozen=True)
class Sign:
    """One thing that testing needs, in words, and since when or until when. next_step: "" where nothing is wrong."""

    name: str
    shape: str
    words: str
    at: datetime | None = None
    detail: str = ""
    next_step: str = ""
    address: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether a person has to do something about it."""
        return bool(self.next_step)


def testing_sign(is_on: bool, is_on_in_environment: bool) -> Sign:
    """Whether testing is switched on, and where it was switched off."""
    if is_on:
        return Sign("Testing", KEPT, "Switched on")
    if is_on_in_environment:
        step = "Nothing is asked until an admin switches it on under Settings."
        return Sign("Testing", STOPPED, "Switched off in the settings", next_step=step)
    step = "Nothing is asked until Gadfly is restarted with ADVERSARIAL_TEST_ENABLED=true."
    return Sign("Testing", STOPPED, "Switched off by the environment", next_step=step)


def worker_sign(clusters: int | None, is_on: bool) -> Sign:
    """clusters: with a fresh heartbeat; None: it cannot be told."""
    if clusters is None:
        step = "Its heartbeat cannot be read. Check that Redis or the database is running, then reload."
        return Sign("Worker", AWAY, "Unknown", next_step=step)
    if clusters:
        return Sign("Worker", KEPT, "Running" if clusters == 1 else f"{clusters} running")
    if not is_on:
        return Sign("Worker", STOPPED, "Not running", detail="not needed while testing is off")
    return Sign("Worker", AWAY, "Not running", next_step="No cycle runs until you start one: manage.py qcluster.")


def schedule_sign(status: StatusLine, is_on: bool) -> Sign:
    """When the next cycle is due."""
    every = f"every {status.interval_minutes} min" if status.interval_minutes else ""
    if not is_on:
        return Sign("Schedule", STOPPED, "None", detail="nothing is scheduled while testing is off")
    if status.next_run is None:
        step = "Save the settings in the admin, or run manage.py start: either creates the schedule again."
        return Sign("Schedule", AWAY, "None, though testing is on", next_step=step)
    if status.is_overdue:
        step = "The worker has not started it. Check that it is running and not busy with a long cycle."
        return Sign("Schedule", AWAY, "Overdue: the next cycle was due", status.next_run, every, step)
    if status.is_due:
        return Sign("Schedule", WAITING, "Next cycle in a moment", detail=every)
    return Sign("Schedule", WAITING, "Next cycle", status.next_run, every)


def freshness_sign(health: TestingHealth) -> Sign:
    """When the last cycle finished."""
    match health.status:
        case TestingStatus.STALE:
            step = "Cycles no longer finish. Check the newest ones."
            return Sign(
                "Finished cycles",
                AWAY,
                "Late: the last one finished",
                health.last_run,
                next_step=step,
                address="cycles",
            )
        case TestingStatus.NEVER_RAN:
            step = "No cycle has finished yet. Wait for the next one, or run one from the list of cycles."
            return Sign("Finished cycles", WAITING, "None yet", next_step=step, address="cycles")
        case _ if health.last_run is None:
            return Sign("Finished cycles", STOPPED, "None yet")
        case _:
            return Sign("Finished cycles", KEPT, "The last one finished", health.last_run)


def queue_sign(waiting: int | None, clusters: int | None) -> Sign:
    """waiting: tasks that no worker has taken; None: it cannot be told."""
    if waiting is None:
        step = "Cycles cannot reach the worker. Check that Redis or the database is running."
        return Sign("Tasks waiting", AWAY, "Unknown", next_step=step)
    words = f"{waiting:,}" if waiting else "None"
    if waiting and clusters == 0:
        step = "They are waiting for a worker. Start one: manage.py qcluster."
        return Sign("Tasks waiting", AWAY, words, next_step=step)
    if waiting > MANY_WAITING:
        step = "The worker cannot keep up. Ask fewer queries per cycle, or leave more time between cycles."
        return Sign("Tasks waiting", AWAY, words, next_step=step)
    return Sign("Tasks waiting", ASKING if waiting else KEPT, words)


def answers_sign(kept: KeptAnswers, clusters: int | None, now: datetime) -> Sign:
    """For how long clean answers are kept, when that was last seen to, and how much there is."""
    size = f"database {filesizeformat(kept.database_bytes)}"
    words = f"Clean ones kept for {kept.days:,} day{pluralize(kept.days)}" if kept.days else "All kept"
    if kept.looked_through_at is None:
        return Sign("Raw answers", WAITING, f"{words}, not checked yet", detail=size)
    detail = f"{kept.deleted:,} deleted, {kept.runs:,} newer run{pluralize(kept.runs)}, {size}" if kept.days else size
    is_late = now - kept.looked_through_at > LATE_HOUSEKEEPING and clusters
    step = "The worker should check them every hour. See its failures in the admin." if is_late else ""
    return Sign("Raw answers", AWAY if is_late else KEPT, f"{words}, checked", kept.looked_through_at, detail, step)


def late_signs(late: Sequence[Overdue], clusters: int | None) -> tuple[Sign, ...]:
    """What was requested and is not started within a minute: a line for each of the first."""
    step = (
        "Start a worker: manage.py qcluster."
        if clusters == 0
        else "Check that the worker is not busy with long cycles. It is handed over again every minute."
    )
    lines = [
        Sign("Waiting too long", AWAY, f"{_words_of(item.work)}, since", item.since, next_step=step)
        for item in late[:SHOWN_LATE]
    ]
    if len(late) > SHOWN_LATE:
        lines.append(Sign("Waiting too long", AWAY, f"{len(late) - SHOWN_LATE} more", next_step=step))
    return tuple(lines)


def _words_of(work: Cycle | Reduction) -> str:
    if isinstance(work, Cycle):
        return f"Cycle {work.pk} on {work.target}"
    return f"The search for a smallest query of combination {work.combination_id}"


@dataclass(frozen=True)
class TargetSign:
    """A target, and when it was away last. outage: the cycle that found it so."""

    pk: int
    name: str
    shape: str
    words: str
    was_asked: bool
    outage: int | None
    outage_at: datetime | None
    outage_note: str
    next_step: str

    @classmethod
    def of(cls, target: Target, newest: Cycle | None, outage: Cycle | None) -> "TargetSign":
        """As its newest cycle found it."""
        is_away = newest is not None and newest.state == Cycle.State.TARGET_UNAVAILABLE
        shape, words, step = KEPT, "Reached when last asked", ""
        if not target.enabled:
            shape, words = STOPPED, "Switched off"  # on purpose: nothing to see to
        elif is_away:
            shape, words = AWAY, "Away when last asked"
            step = "Start it or correct its address in the admin, then check it here. Cycles keep trying it."
        elif newest is None:
            shape, words = WAITING, "Not asked yet"
        return cls(
            pk=target.pk,
            name=target.name,
            shape=shape,
            words=words,
            was_asked=newest is not None,
            outage=outage.pk if outage else None,
            outage_at=(outage.finished_at or outage.created_at) if outage else None,
            outage_note=outage.note if outage else "",
            next_step=step,
        )


@dataclass(frozen=True)
class OwnFailure:
    """A run on which Gadfly itself failed."""

    run: int
    cycle: int
    query: str
    why: str
    at: datetime | None

    @classmethod
    def of(cls, run: Run) -> "OwnFailure":
        """As the run has it."""
        return cls(run.pk, run.cycle_id, run.query_text, run.own_error, run.finished_at)


@dataclass(frozen=True)
class GivenUp:
    """A combination that is never asked again."""

    pk: int
    query: str
    recipe: str
    target: str
    since: datetime

    @classmethod
    def of(cls, combination: Combination) -> "GivenUp":
        """As the row has it."""
        return cls(
            combination.pk,
            combination.last_query_text,
            combination.recipe_name,
            combination.target.name,
            combination.first_seen_timestamp,
        )


@dataclass(frozen=True)
class HealthPage:
    """`/status`. wrong: how many things are. more_given_up: there are more than are listed."""

    signs: tuple[Sign, ...]
    targets: tuple[TargetSign, ...]
    failures: tuple[OwnFailure, ...]
    runs_looked_at: int
    cycles_looked_at: int
    given_up: tuple[GivenUp, ...]
    more_given_up: bool
    broken_off_times: int

    @property
    def wrong(self) -> int:
        """How many things have to be dealt with."""
        steps = [sign.next_step for sign in self.signs] + [target.next_step for target in self.targets]
        return sum(map(bool, steps)) + (not self.targets)


def signs(
    status: StatusLine,
    health: TestingHealth,
    clusters: int | None,
    waiting: int | None,
    late: Sequence[Overdue],
    is_on_in_environment: bool,
    answers: Sign,
) -> tuple[Sign, ...]:
    """Everything that testing needs, in the order of the page."""
    is_on = health.status is not TestingStatus.DISABLED
    return (
        testing_sign(is_on, is_on_in_environment),
        worker_sign(clusters, is_on),
        schedule_sign(status, is_on),
        freshness_sign(health),
        queue_sign(waiting, clusters),
        *late_signs(late, clusters),
        answers,
    )


def target_signs(
    targets: Sequence[Target], newest: Sequence[Cycle], outages: dict[int, Cycle]
) -> tuple[TargetSign, ...]:
    """Each target, in the order of the list."""
    newest_of = {cycle.target_id: cycle for cycle in newest}
    return tuple(TargetSign.of(target, newest_of.get(target.pk), outages.get(target.pk)) for target in targets)
