"""A large history as real cycles would have left it, made without asking any target. Adds rows and statistics only.

Three steps: plan which cycle asks which combinations and how it ends, make these with the generator that cycles use,
then go through the cycles in order and write what each left. Findings are those of the real checks. A large history is
written in parts, one after the other in time, so that it needs the memory of one part, and none is left half written.

Two things differ. Cycles repeat an old combination only when nothing is new, but this history repeats some all along,
though none of an earlier part, as if the vocabulary had grown a little before each cycle. And its causes are told by
symptom and recipe; the next real cycle looks for what explains the newest flags.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection, transaction

from selftest.core.generation.generator import count_combinations
from selftest.core.generation.recipes import RECIPES
from selftest.cycles.lifecycle import end_abandoned
from selftest.cycles.sampling import generator_for, new_queries, remember
from selftest.models import Combination, Cycle, Flag, Installation, ReviewEvent, Run, Tuning, VocabularyVersion, Walk
from selftest.seeding.bulk import follow_keys, make_room
from selftest.seeding.cycles import CycleWriter
from selftest.seeding.plan import HistoryPlan, batch_size_for, plan_history
from selftest.seeding.queries import Queries
from selftest.seeding.request import Progress, ProgressBar, Seeded, SeedRefused, SeedRequest
from selftest.storage import full_text
from selftest.storage.leading_causes import follow_flags
from selftest.storage.serialization import vocabulary_of

MADE_AT_ONCE = 500  # queries, between two steps of the progress bar
MODELS = (Cycle, Combination, Combination.ingredients.through, Run, Flag, ReviewEvent, Walk)


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
    batch_size = batch_size_for(request.runs)
    planned = [(part, plan_history(part, batch_size)) for part in request.parts()]
    interval = _interval()
    later = sum(len(plan.cycles) for _, plan in planned)
    seeded = Seeded(0, 0, 0, 0, 0, now - later * interval)
    for part, plan in planned:
        later -= len(plan.cycles)
        seeded += _write_part(part, plan, version, now - later * interval, bar, after_part)
    full_text.optimize()
    _tidy()
    return seeded


def _interval() -> timedelta:
    return timedelta(minutes=Tuning.get_solo().interval_minutes)


def _write_part(
    part: SeedRequest,
    plan: HistoryPlan,
    version: VocabularyVersion,
    now: datetime,
    bar: ProgressBar,
    after_part: AfterPart | None,
) -> Seeded:
    """now: when this part is over."""
    with transaction.atomic():
        make_room(MODELS)
        if Cycle.objects.filter(target=part.target, state=Cycle.State.RUNNING).exists():
            raise SeedRefused(f"a cycle is running on {part.target}; try again when it is over")
        queries = _make_queries(part, version, bar)
        newest = Flag.objects.order_by("-id").values_list("pk", flat=True).first() or 0
        seeded = CycleWriter(part, version, queries, plan, now, bar).write()
        follow_keys(MODELS)
        follow_flags(Flag.objects.filter(pk__gt=newest).values_list("pk", flat=True))
        if after_part is not None:
            after_part(part, now - len(plan.cycles) * _interval(), now)
        Installation.queue_changed()
    return seeded


def _make_queries(request: SeedRequest, version: VocabularyVersion, bar: ProgressBar) -> Queries:
    """As many new combinations as requested; how far the walks are is saved."""
    generator = generator_for(request.target, version, list(RECIPES.values()), request.seed)
    queries = Queries(RECIPES)
    while missing := request.combinations - len(queries):
        made = new_queries(request.target, generator, min(missing, MADE_AT_ONCE))
        if not made:
            raise SeedRefused(
                f"{request.combinations} combinations are too many: {len(queries)} are left on {request.target}"
            )
        for query in made:
            queries.add(query)
        bar.advance(len(made))
    remember(request.target, generator)
    return queries


def _tidy() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite" and not connection.in_atomic_block:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # else the log stays as large as the history
        # A table that has grown a thousandfold needs new query plans, which read its indexes alone, without its rows.
        may_vacuum = connection.vendor == "postgresql" and not connection.in_atomic_block
        cursor.execute("VACUUM (ANALYZE)" if may_vacuum else "ANALYZE")
