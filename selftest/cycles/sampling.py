"""New combinations of a target: a generator that continues where the last one stopped, and what it leaves behind."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.generator import Generator, RecipeSpaces, WalkState
from selftest.core.generation.pair_coverage import PairCoverage
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes.base import Recipe
from selftest.core.generation.vocabulary import Vocabulary
from selftest.models import Combination, Coverage, Target, VocabularyVersion, Walk
from selftest.storage.chunks import CHUNK_ROWS
from selftest.storage.serialization import coverage_of, vocabulary_of
from selftest.storage.texts import sha256_hex

KEPT_SPACES = 8  # vocabularies prepared in this process: each costs some fifty milliseconds, more than its cycle


@dataclass(frozen=True)
class _Version:
    """A vocabulary, equal to another one where the same follows from both."""

    sha256: str
    introduced_in: frozenset[tuple[str, int]]
    row: VocabularyVersion = field(compare=False)


@dataclass(frozen=True)
class GeneratorState:
    """How far the walks of a target are, by layer identity, and what its recipes have covered."""

    walks: Mapping[str, WalkState]
    coverage: Mapping[str, PairCoverage]


def saved_state(target: Target, recipes: Sequence[Recipe]) -> GeneratorState:
    """As it was saved last."""
    names = [recipe.name for recipe in recipes]
    walks = Walk.objects.filter(target=target, recipe_name__in=names)
    rows = Coverage.objects.filter(target=target, recipe_name__in=names)
    return GeneratorState(
        {walk.identity: WalkState(walk.key, walk.position) for walk in walks},
        {row.recipe_name: coverage_of(row) for row in rows},
    )


def generator_for(target: Target, version: VocabularyVersion, recipes: Sequence[Recipe], seed: int) -> Generator:
    """A generator that continues the walks of `target` and what its recipes have covered."""
    return generator_from(saved_state(target, recipes), version, recipes, seed)


def generator_from(
    state: GeneratorState, version: VocabularyVersion, recipes: Sequence[Recipe], seed: int
) -> Generator:
    """A generator that continues there. Reads no row."""
    introduced_in = version.births
    vocabulary, spaces = _prepared(_Version(version.sha256, frozenset(introduced_in.items()), version))
    return Generator(vocabulary, introduced_in, recipes, state.walks, seed, state.coverage, spaces)


@lru_cache(KEPT_SPACES)
def _prepared(version: _Version) -> tuple[Vocabulary, RecipeSpaces]:
    vocabulary = vocabulary_of(version.row)
    return vocabulary, RecipeSpaces(vocabulary, version.row.births)


def new_queries(target: Target, generator: Generator, count: int) -> list[Query]:
    """`count` queries of combinations that `target` has no row of; fewer where there are no more."""
    return unknown_queries(generator, count, partial(_known, target))


def unknown_queries(
    generator: Generator, count: int, known: Callable[[Sequence[Query]], Container[str]]
) -> list[Query]:
    """`count` queries; fewer where there are no more. known: which fingerprints of these are to be left out."""
    fresh: list[Query] = []
    while len(fresh) < count and (made := generator.next_queries(min(count - len(fresh), CHUNK_ROWS))):
        left_out = known(made)
        generator.uncount(query for query in made if fingerprint_of(query) in left_out)
        fresh += [query for query in made if fingerprint_of(query) not in left_out]
    return fresh


def _known(target: Target, queries: Sequence[Query]) -> set[str]:
    """The fingerprints that have a row: made to cover pairs before, or of a value that was removed and added again.

    One look-up for the whole batch, independent of its size and of how much was recorded.
    """
    by_sha256 = {sha256_hex(fingerprint_of(query)): fingerprint_of(query) for query in queries}
    # Without an order: for the model's own, SQLite would go through all rows of the target.
    known = Combination.objects.filter(target=target, fingerprint_sha256__in=by_sha256).order_by()
    return {by_sha256[sha256] for sha256 in known.values_list("fingerprint_sha256", flat=True)}


def remember(target: Target, generator: Generator) -> None:
    """Saves how far the walks are and what is covered, so that the next generator continues there."""
    WalkProgress.of(target, generator).save()


@dataclass(frozen=True)
class WalkProgress:
    """What a generator moved: the rows to save."""

    walks: Sequence[Walk]
    coverage: Sequence[Coverage]

    @classmethod
    def of(cls, target: Target, generator: Generator) -> "WalkProgress":
        """Of all that it has made."""
        walks = [
            Walk(
                target_id=target.pk,
                identity=walk.identity,
                recipe_name=walk.recipe.name,
                key=walk.state.key,
                position=walk.state.position,
            )
            for walk in generator.walked()
        ]
        return cls(walks, [_row(target, name, covered) for name, covered in generator.covered().items()])

    def save(self) -> None:
        """Over what was saved before."""
        Walk.objects.bulk_create(
            self.walks, update_conflicts=True, unique_fields=["target", "identity"], update_fields=["position"]
        )
        Coverage.objects.bulk_create(
            self.coverage,
            update_conflicts=True,
            unique_fields=["target", "recipe_name"],
            update_fields=["values", "pairs", "triples", "queries", "turn"],
        )


def _row(target: Target, recipe_name: str, covered: PairCoverage) -> Coverage:
    return Coverage(
        target_id=target.pk,
        recipe_name=recipe_name,
        values=covered.values,
        pairs=covered.packed_pairs,
        triples=covered.packed_triples,
        queries=covered.queries,
        turn=covered.turn,
    )
