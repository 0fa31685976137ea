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

MODELS = (Cycle, Combination, Combination.ingredients.through, Run, Flag, ReviewEvent, Walk)
US = timedelta(microseconds=1)

AfterPart = Callable[[SeedRequest, datetime, datetime], None]


def seed_history(
    request: SeedRequest, now: datetime, progress: Progress | None = None, after_part: AfterPart | None = None
) -> Seeded:
    """Writes the history in parts, each of them whole or not at all: broken off, it leaves a shorter one.

    after_part: adds what belongs to a part, of which it is told from when to when that is, in its transaction.

    Raises SeedRefused where it cannot be made.
    """
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
    end_abandoned(request.target)
    bar = ProgressBar(progress, 2 * request.combinations + request.runs)
    parts = _parts(request, now)
    keep = kept_for()
    retention = Retention(None if keep is None else keep // US, (now - EPOCH) // US)
    seeded = Seeded(0, 0, 0, 0, 0, parts[0].begins_at)
    while parts:
        counted = _queries_counted(request.target)
        maker = QueryMaker(request.target, version)
        with closing(queries_of_parts(maker, [part.request for part in parts])) as supply:
            for made in supply:
                part = parts[0]
                if len(made.queries) < part.request.combinations:
                    left = seeded.combinations + len(made.queries)
                    raise SeedRefused(
                        f"{request.combinations} combinations are too many: {left} are left on {request.target}"
                    )
                with transaction.atomic():
                    make_room(MODELS)
                    if Cycle.objects.filter(target=request.target, state=Cycle.State.RUNNING).exists():
                        raise SeedRefused(f"a cycle is running on {request.target}; try again when it is over")
                    if _queries_counted(request.target) != counted:
                        break  # a cycle asked something new meanwhile, so others are new now
                    bar.advance(len(made.queries))
                    seeded += _write_part(part, made, version, retention, bar)
                    if after_part is not None:
                        after_part(part.request, part.begins_at, part.ends_at)
                    Installation.queue_changed()
                counted += len(made.queries)
                del parts[0]
    full_text.optimize()
    _tidy()
    return seeded


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


def _write_part(
    part: _Part, made: PartQueries, version: VocabularyVersion, retention: Retention, bar: ProgressBar
) -> Seeded:
    newest = Flag.objects.order_by("-id").values_list("pk", flat=True).first() or 0
    made.progress.save()
    seeded = CycleWriter(part.request, version, made.queries, part.plan, part.ends_at, retention, bar).write()
    follow_keys(MODELS)
    follow_flags(Flag.objects.filter(pk__gt=newest).values_list("pk", flat=True))
    return seeded


def _tidy() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite" and not connection.in_atomic_block:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # else the log stays as large as the history
        # A table that has grown a thousandfold needs new query plans, which read its indexes alone, without its rows.
        may_vacuum = connection.vendor == "postgresql" and not connection.in_atomic_block
        cursor.execute("VACUUM (ANALYZE)" if may_vacuum else "ANALYZE")
