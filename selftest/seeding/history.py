"""A large history as real cycles would have left it, made without asking any target. Adds rows and statistics only.

Three steps: plan which cycle asks which combinations and how it ends, make these with the generator that cycles use,
then go through the cycles in order and write what each left. Findings are those of the real checks. A large history is
written in parts, one after the other in time, so that it needs the memory of one part, and none is left half written.

Two things differ. Cycles repeat an old combination only when nothing is new, but this history repeats some all along,
though none of an earlier part, as if the vocabulary had grown a little before each cycle. And its causes are told by
symptom and recipe; the next real cycle looks for what explains the newest flags.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Sum

from selftest.core.generation.generator import count_combinations
from selftest.core.generation.recipes import RECIPES
from selftest.cycles.lifecycle import end_abandoned
from selftest.models import (
    Combination,
    Coverage,
    Cycle,
    Flag,
    Installation,
    ReviewEvent,
    Run,
    Target,
    Tuning,
    VocabularyVersion,
    Walk,
)
from selftest.reading.housekeeping import kept_for
from selftest.seeding.bulk import EPOCH, follow_keys, make_room
from selftest.seeding.cycles import CycleWriter
from selftest.seeding.draft import Retention
from selftest.seeding.plan import HistoryPlan, batch_size_for, plan_history
from selftest.seeding.request import Progress, ProgressBar, Seeded, SeedRefused, SeedRequest
from selftest.seeding.supply import PartQueries, QueryMaker, queries_of_parts
from selftest.storage import full_text
from selftest.storage.leading_causes import follow_flags
from selftest.storage.serialization import vocabulary_of

# Run before Combination, in which order a worker that records an answer locks them.
MODELS = (Cycle, Run, Combination, Combination.ingredients.through, Flag, ReviewEvent, Walk)
US = timedelta(microseconds=1)

AfterPart = Callable[[SeedRequest, datetime, datetime], None]


def seed_history(
    request: SeedRequest, now: datetime, progress: Progress | None = None, after_part: AfterPart | None = None
) -> Seeded:
    """Writes the history in parts, each of them whole or not at all: broken off, it leaves a shorter one.

    after_part: adds what belongs to a part, of which it is told from when to when that is, in its transaction.

    Raises SeedRefused where it cannot be made.
    """
    version = _vocabulary_for(request)
    end_abandoned(request.target)
    left = _parts(request, now)
    writer = _Writer(request, version, Seeded(0, 0, 0, 0, 0, left[0].begins_at), now, progress, after_part)
    while left:
        left = writer.write(left)
    full_text.optimize()
    _tidy()
    return writer.seeded


def _vocabulary_for(request: SeedRequest) -> VocabularyVersion:
    if request.runs < request.combinations:
        raise SeedRefused(
            f"{request.runs} runs are too few: each of the {request.combinations} combinations is asked once"
        )
    version = request.target.vocabularies.filter(in_force=True).first()
    if version is None:
        raise SeedRefused(f"{request.target} has no vocabulary; import one with `manage.py vocabulary import FILE`")
    vocabulary = vocabulary_of(version)
    possible = sum(count_combinations(recipe, vocabulary) for recipe in RECIPES.values())
    if possible < request.combinations:
        raise SeedRefused(
            f"{request.combinations} combinations are too many: the vocabulary of {request.target} makes {possible}"
        )
    return version


@dataclass(frozen=True)
class _Part:
    request: SeedRequest
    plan: HistoryPlan
    begins_at: datetime
    ends_at: datetime


def _parts(request: SeedRequest, now: datetime) -> list[_Part]:
    """One after the other in time; the last is over now."""
    batch_size = batch_size_for(request.runs)
    interval = timedelta(minutes=Tuning.get_solo().interval_minutes)
    parts: list[_Part] = []
    ends_at = now
    for part in reversed(list(request.parts())):
        plan = plan_history(part, batch_size)
        begins_at = ends_at - len(plan.cycles) * interval
        parts.append(_Part(part, plan, begins_at, ends_at))
        ends_at = begins_at
    return parts[::-1]


def _queries_counted(target: Target) -> int:
    counted: int = Coverage.objects.filter(target=target).aggregate(counted=Sum("queries", default=0))["counted"]
    return counted


class _Writer:
    """Writes parts, each in a transaction of its own. seeded: what was written so far."""

    def __init__(
        self,
        request: SeedRequest,
        version: VocabularyVersion,
        seeded: Seeded,
        now: datetime,
        progress: Progress | None,
        after_part: AfterPart | None,
    ) -> None:
        self.seeded = seeded
        self._request = request
        self._target = request.target
        self._version = version
        keep = kept_for()
        self._retention = Retention(None if keep is None else keep // US, (now - EPOCH) // US)
        self._bar = ProgressBar(progress, 2 * request.combinations + request.runs)
        self._after_part = after_part

    def write(self, parts: list[_Part]) -> list[_Part]:
        """Returns those that are left where a cycle asked something new meanwhile: their queries are others now."""
        counted = _queries_counted(self._target)
        maker = QueryMaker(self._target, self._version)
        with closing(queries_of_parts(maker, [part.request for part in parts])) as supply:
            for done, (part, made) in enumerate(zip(parts, supply, strict=True)):
                if len(made.queries) < part.request.combinations:
                    possible = self.seeded.combinations + len(made.queries)
                    raise SeedRefused(
                        f"{self._request.combinations} combinations are too many: {possible} are left on {self._target}"
                    )
                with transaction.atomic():
                    if not self._write_if_new(part, made, counted):
                        return parts[done:]
                counted += len(made.queries)
        return []

    def _write_if_new(self, part: _Part, made: PartQueries, counted: int) -> bool:
        make_room(MODELS)
        if Cycle.objects.filter(target=self._target, state=Cycle.State.RUNNING).exists():
            raise SeedRefused(f"a cycle is running on {self._target}; try again when it is over")
        if _queries_counted(self._target) != counted:
            return False
        self._bar.advance(len(made.queries))
        newest = Flag.objects.order_by("-id").values_list("pk", flat=True).first() or 0
        made.progress.save()
        cycles = CycleWriter(
            part.request, self._version, made.queries, part.plan, part.ends_at, self._retention, self._bar
        )
        self.seeded += cycles.write()
        follow_keys(MODELS)
        follow_flags(Flag.objects.filter(pk__gt=newest).values_list("pk", flat=True))
        if self._after_part is not None:
            self._after_part(part.request, part.begins_at, part.ends_at)
        Installation.queue_changed()
        return True


def _tidy() -> None:
    if connection.in_atomic_block:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A table that has grown a thousandfold needs new query plans, which read its indexes alone.
            cursor.execute("VACUUM (ANALYZE)")
        else:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # else the log stays as large as the history
