"""New combinations of a target: a generator that goes on where the last one stopped, and what it leaves behind."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from selftest.core.generation.coverage import Coverage as Covered
from selftest.core.generation.generator import Generator, Layout, Place
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import Recipe
from selftest.core.generation.vocabulary import Vocabulary
from selftest.models import Combination, Coverage, Target, VocabularyVersion, Walk
from selftest.storage.chunks import CHUNK_ROWS
from selftest.storage.serialization import coverage_of, sha256_hex, vocabulary_of

KEPT_LAYOUTS = 8  # vocabularies laid out in this process: each costs some fifty milliseconds, more than its cycle


@dataclass(frozen=True)
class _Version:
    """A vocabulary by what its layout hangs on."""

    sha256: str
    births: frozenset[tuple[str, int]]
    row: VocabularyVersion = field(compare=False)


def generator_for(target: Target, version: VocabularyVersion, recipes: Sequence[Recipe], seed: int) -> Generator:
    """Knows how far the walks of `target` have come and what its recipes have covered."""
    names = [recipe.name for recipe in recipes]
    walks = Walk.objects.filter(target=target, recipe_name__in=names)
    places = {walk.identity: Place(walk.key, walk.position) for walk in walks}
    rows = Coverage.objects.filter(target=target, recipe_name__in=names)
    covered = {row.recipe_name: coverage_of(row) for row in rows}
    vocabulary, layout = _laid_out(_Version(version.sha256, frozenset(version.births.items()), version))
    return Generator(vocabulary, version.births, recipes, places, seed, covered, layout)


@lru_cache(KEPT_LAYOUTS)
def _laid_out(version: _Version) -> tuple[Vocabulary, Layout]:
    vocabulary = vocabulary_of(version.row)
    return vocabulary, Layout(vocabulary, version.row.births)


def new_queries(target: Target, generator: Generator, count: int) -> list[Query]:
    """So many that no row of `target` stands for; fewer where there are no more."""
    fresh: list[Query] = []
    while len(fresh) < count and (drawn := generator.draw(min(count - len(fresh), CHUNK_ROWS))):
        known = _known(target, drawn)
        generator.take_back(query for query in drawn if query.fingerprint in known)
        fresh += [query for query in drawn if query.fingerprint not in known]
    return fresh


def _known(target: Target, drawn: Sequence[Query]) -> set[str]:
    """The fingerprints that a row stands for: made to cover pairs before, or of a value that left and came back.

    One look-up for the whole batch, whatever its size and however much was recorded.
    """
    by_sha256 = {sha256_hex(query.fingerprint): query.fingerprint for query in drawn}
    # In no order: for the model's own, SQLite would go through all rows of the target.
    known = Combination.objects.filter(target=target, fingerprint_sha256__in=by_sha256).order_by()
    return {by_sha256[sha256] for sha256 in known.values_list("fingerprint_sha256", flat=True)}


def remember(target: Target, generator: Generator) -> None:
    """How far its walks have come and what it has covered, so that the next one goes on there."""
    Walk.objects.bulk_create(
        [
            Walk(
                target=target,
                identity=walk.identity,
                recipe_name=walk.recipe.name,
                key=walk.place.key,
                position=walk.place.position,
            )
            for walk in generator.walked()
        ],
        update_conflicts=True,
        unique_fields=["target", "identity"],
        update_fields=["position"],
    )
    Coverage.objects.bulk_create(
        [_row(target, name, of_recipe) for name, of_recipe in generator.covered().items()],
        update_conflicts=True,
        unique_fields=["target", "recipe_name"],
        update_fields=["values", "pairs", "triples", "queries", "turn"],
    )


def _row(target: Target, recipe_name: str, covered: Covered) -> Coverage:
    return Coverage(
        target=target,
        recipe_name=recipe_name,
        values=covered.values,
        pairs=covered.packed_pairs,
        triples=covered.packed_triples,
        queries=covered.queries,
        turn=covered.turn,
    )
