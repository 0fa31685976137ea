"""Goes through the cycles of a history in order and writes what each left, as a real one does."""

import random
from contextlib import closing
from datetime import datetime, timedelta

from selftest.cycles.lifecycle import SEED_BITS
from selftest.models import Combination, Cycle, Run, Target, Tuning, VocabularyVersion
from selftest.seeding.bulk import EPOCH, Rows, stamper
from selftest.seeding.causes import CauseWriter
from selftest.seeding.combinations import COMBINATION_COLUMNS, CombinationWriter
from selftest.seeding.counting import Counting
from selftest.seeding.draft import SECOND_US, Draft, LatestRuns, Retention
from selftest.seeding.plan import HistoryPlan, PlannedCycle
from selftest.seeding.queries import Queries
from selftest.seeding.request import ProgressBar, Seeded, SeedRequest
from selftest.seeding.review_events import EventWriter
from selftest.seeding.review_histories import flag_histories_of
from selftest.seeding.runs import RUN_COLUMNS, RunWriter
from selftest.storage.serialization import vocabulary_of
from selftest.storage.target_clients import open_target

TRIGGERS = (
    *[Cycle.Trigger.SCHEDULE] * 46,
    *[Cycle.Trigger.PAGE] * 2,
    Cycle.Trigger.API,
    Cycle.Trigger.COMMAND,
)
SEEDED_OWNER = "seed_history"  # where a real cycle names its process
CYCLE_COLUMNS = (
    "id target_id trigger state seed recipes queries_wanted vocabulary_id target_version queries_run flagged novel "
    "unchecked probes_at_most created_at started_at last_sign_at finished_at owner deaths note combination_id "
    "replay_of_id"
)


class CycleWriter:
    """Writes the cycles of a history, and all that comes with them."""

    def __init__(
        self,
        request: SeedRequest,
        version: VocabularyVersion,
        queries: Queries,
        plan: HistoryPlan,
        now: datetime,
        retention: Retention,
        bar: ProgressBar,
    ) -> None:
        self._bar = bar
        combinations, runs = Rows(Combination, COMBINATION_COLUMNS), Rows(Run, RUN_COLUMNS)
        self._draft = Draft(
            request=request,
            version=version,
            queries=queries,
            plan=plan,
            histories=flag_histories_of(request, plan),
            latest=LatestRuns(request.combinations),
            rng=random.Random(f"answers:{request.seed}"),
            stamp=stamper(),
            now_us=(now - EPOCH) // timedelta(microseconds=1),
            retention=retention,
            interval_us=Tuning.get_solo().interval_minutes * 60 * SECOND_US,
            first_combination=combinations.next_pk,
            first_run=runs.next_pk,
        )
        self._counting = Counting(request.target)
        self._cycles = Rows(Cycle, CYCLE_COLUMNS)
        self._events = EventWriter(self._draft)
        self._causes = CauseWriter(request.target, vocabulary_of(version), request.seed)
        self._runs = RunWriter(self._draft, runs, self._counting, self._events, self._causes)
        self._combinations = CombinationWriter(self._draft, combinations, bar)
        self._target_version = _target_version(request.target)

    def write(self) -> Seeded:
        """Goes through the cycles in order."""
        clock_us = self._draft.due_us(0)
        for number, planned in enumerate(self._draft.plan.cycles):
            begin_us = max(clock_us, self._draft.due_us(number)) + self._draft.rng.randrange(SECOND_US)
            self._events.write_until(begin_us)
            clock_us = self._write_cycle(number, planned, begin_us) + 1
            self._bar.advance(planned.planned)
        end_us = max(self._draft.now_us, clock_us)
        self._events.write_until(end_us)
        for rows in (self._cycles, self._runs, self._events):
            rows.flush()
        self._causes.write(EPOCH + timedelta(microseconds=end_us), self._events.people, self._target_version)
        self._counting.write()
        self._combinations.write()
        dismissed = sum(history.is_dismissed for history in self._draft.histories.values())
        since = EPOCH + timedelta(microseconds=self._draft.due_us(0))
        in_queue = len(self._draft.histories) - dismissed
        return Seeded(
            len(self._draft.plan.cycles), len(self._draft.queries), self._draft.request.runs, in_queue, dismissed, since
        )

    def _write_cycle(self, number: int, planned: PlannedCycle, created_us: int) -> int:
        """The cycle and its runs; returns when it was over."""
        rng, stamp = self._draft.rng, self._draft.stamp
        pk = self._cycles.next_pk
        self._cycles.next_pk += 1
        self._causes.begin_cycle(pk)
        started_us = created_us + rng.randrange(2_000, 20_000)
        planned_us = started_us + rng.randrange(5_000, 50_000)
        clock_us, flagged = planned_us, 0
        for position in range(planned.done):
            asked_us = clock_us + 500 + int(rng.random() * 4_000)
            clock_us, is_flagged = self._runs.write_answered(pk, planned, position, asked_us, planned_us)
            flagged += is_flagged
        state, note, over_us = self._end(number, planned, clock_us)
        for position in range(planned.done, planned.planned):
            self._runs.write_unanswered(pk, planned, position, clock_us, over_us, planned_us)
        self._counting.end_cycle((EPOCH + timedelta(microseconds=over_us)).date())
        reached = planned.planned > 0
        self._cycles.add(
            (
                pk,
                self._draft.target.pk,
                rng.choice(TRIGGERS),
                state,
                self._draft.request.seed if number == 0 else rng.getrandbits(SEED_BITS),
                "[]",
                planned.planned or self._draft.plan.batch_size,
                self._draft.version.pk if reached else None,
                self._target_version if reached else "",
                planned.done,
                flagged,
                min(planned.done, planned.novel_planned),
                0,
                None,
                stamp(created_us),
                None if planned.ending == "off" else stamp(started_us),
                None,  # a sign of life: these are over within seconds
                stamp(over_us),
                "" if planned.ending == "off" else SEEDED_OWNER,
                0,
                note,
                None,
                None,
            )
        )
        return over_us

    def _end(self, number: int, planned: PlannedCycle, clock_us: int) -> tuple[Cycle.State, str, int]:
        """How the cycle ended, why, and when."""
        match planned.ending:
            case "away" | "lost":
                over_us = clock_us + self._draft.rng.randrange(SECOND_US, 5 * SECOND_US)
                return Cycle.State.TARGET_UNAVAILABLE, _away_note(self._draft.target), over_us
            case "died":  # found by the next cycle
                over_us = max(clock_us, self._draft.due_us(number + 1)) + SECOND_US
                return Cycle.State.INTERRUPTED, "its worker died; what was recorded is kept", over_us
            case "off":
                return Cycle.State.INTERRUPTED, "switched off before it could start", clock_us
            case _:
                return Cycle.State.FINISHED, "", clock_us + self._draft.rng.randrange(1_000, 20_000)


def _target_version(target: Target) -> str:
    """What the target last called itself; the bundled one, which is in this process, can be asked."""
    if target.kind == Target.Kind.REFERENCE:
        with closing(open_target(target, None)) as opened:
            return opened.reach().version
    known = Cycle.objects.filter(target=target).exclude(target_version="").order_by("-id")
    return str(known.values_list("target_version", flat=True).first() or "")


def _away_note(target: Target) -> str:
    """What a real cycle says where the target does not answer."""
    if target.kind == Target.Kind.HTTP:
        return f"GET {target.base_url}{target.health_path}: [Errno 111] Connection refused"
    return "closed"
