"""A large history as real cycles would have left it, made without asking anybody. Only adds: rows, and to the counts.

Three steps: draw new combinations by the generator that cycles use, lay out which cycle asks which of them how it
ends, then go through the cycles in order and write what each left. Findings are those of the real checks.

One liberty is taken: cycles repeat an old combination only when nothing is new, and this history repeats some all
along, as if the vocabulary had grown a little before each cycle.
"""

from datetime import datetime

from django.db import connection, transaction

from selftest.core.generation.generator import count_combinations
from selftest.core.generation.recipes import RECIPES
from selftest.cycles.lifecycle import end_abandoned
from selftest.models import Combination, Cycle, Flag, Installation, ReviewEvent, Run, Walk
from selftest.seeding.bulk import follow_keys, make_room
from selftest.seeding.layout import lay_out
from selftest.seeding.queries import draw
from selftest.seeding.request import Progress, ProgressBar, SeedRefused, SeedRequest
from selftest.seeding.writing import Seeded, Writer
from selftest.storage import full_text
from selftest.storage.serialization import vocabulary_of

MODELS = (Cycle, Combination, Combination.ingredients.through, Run, Flag, ReviewEvent, Walk)


def seed_history(wish: SeedRequest, now: datetime, progress: Progress | None = None) -> Seeded:
    """Writes the history, all of it or nothing. Raises SeedRefused where it cannot be made."""
    if wish.runs < wish.combinations:
        raise SeedRefused(f"{wish.runs} runs are too few: each of the {wish.combinations} combinations is asked once")
    version = wish.target.vocabularies.filter(in_force=True).first()
    if version is None:
        raise SeedRefused(f"{wish.target} has no vocabulary; import one with `manage.py vocabulary import FILE`")
    vocabulary = vocabulary_of(version)
    possible = sum(count_combinations(recipe, vocabulary) for recipe in RECIPES.values())
    if possible < wish.combinations:
        raise SeedRefused(
            f"{wish.combinations} combinations are too many: the vocabulary of {wish.target} makes {possible}"
        )
    end_abandoned(wish.target)
    bar = ProgressBar(progress, 2 * wish.combinations + wish.runs)
    with transaction.atomic():
        make_room(MODELS)
        if Cycle.objects.filter(target=wish.target, state=Cycle.State.RUNNING).exists():
            raise SeedRefused(f"a cycle is running on {wish.target}; try again when it is over")
        queries = draw(wish, version, bar)
        seeded = Writer(wish, version, queries, lay_out(wish), now, bar).write()
        follow_keys(MODELS)
        Installation.queue_changed()
        full_text.settle()
    _tidy()
    return seeded


def _tidy() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite" and not connection.in_atomic_block:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # else the log stays as large as the history
        # A table that has grown a thousandfold is planned for anew, and its indexes read alone, without its rows.
        may_vacuum = connection.vendor == "postgresql" and not connection.in_atomic_block
        cursor.execute("VACUUM (ANALYZE)" if may_vacuum else "ANALYZE")
