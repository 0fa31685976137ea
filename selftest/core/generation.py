"""Which combination comes next: what is new in the vocabulary first, nothing twice while something is new. Pure.

Each layer of each recipe is walked by its own seeded permutation, so a place in the walk is all there is to remember:
novelty costs the same at the first query and at the millionth, and no look-up.
"""

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from selftest.core.combinations import Layer, Permutation
from selftest.core.queries import Part, Query
from selftest.core.recipes import RECIPES, Recipe
from selftest.core.vocabulary import Vocabulary

Births = Mapping[str, int]  # ingredient → the version since which the vocabulary has held it without a gap


@dataclass(frozen=True)
class Place:
    """How far one layer was walked. key: what its permutation was seeded with. position: how many are behind it."""

    key: int
    position: int


def ingredients_of(vocabulary: Vocabulary) -> frozenset[str]:
    """Every ingredient that some recipe can use of `vocabulary`."""
    return frozenset(
        part.ingredient
        for recipe in RECIPES.values()
        for product in recipe.space(vocabulary)
        for choose in product
        for group in choose.groups
        for part in group
    )


def births_of(vocabulary: Vocabulary, version: int, before: Births) -> dict[str, int]:
    """The births of `vocabulary` as version `version`, where `before` are those of the version in force until then."""
    return {ingredient: before.get(ingredient, version) for ingredient in sorted(ingredients_of(vocabulary))}


class Walk:
    """One layer of one recipe on its way from the first combination to the last."""

    def __init__(self, recipe: Recipe, layer: Layer, age: int, place: Place) -> None:
        self.recipe = recipe
        self.identity = layer.identity
        self.age = age
        self.size = layer.size
        self.place = place
        self._layer = layer
        self._permutation = Permutation(layer.size, place.key)

    @property
    def is_open(self) -> bool:
        return self.place.position < self.size

    def step(self) -> Query:
        """The next combination, said in one of its ways; the same way whenever this place is stepped on."""
        index = self._permutation.at(self.place.position)
        rng = random.Random(f"{self.place.key}:{index}")
        self.place = Place(self.place.key, self.place.position + 1)
        return self.recipe.query(self._layer.at(index), rng)


class Generator:
    """Draws queries never drawn before, the recipes in turn; those with something new in the vocabulary go first.

    places: by layer identity, what the walks of `walked()` held after the last batch; a layer not in it starts at its
    beginning, seeded from `seed`. The same seed on no places gives the same queries.
    """

    def __init__(
        self, vocabulary: Vocabulary, births: Births, recipes: Sequence[Recipe], places: Mapping[str, Place], seed: int
    ) -> None:
        walks = [w for recipe in recipes for w in _walks(recipe, vocabulary, births, places, seed)]
        self._open = [w for w in walks if w.is_open]
        self._walked: dict[str, Walk] = {}
        self._turns: list[str] = []
        self._rng = random.Random(seed)

    def draw(self, count: int) -> list[Query]:
        """The next `count` queries; fewer where every combination has been drawn."""
        queries: list[Query] = []
        while len(queries) < count and self._open:
            walk = self._next_walk()
            queries.append(walk.step())
            self._walked[walk.identity] = walk
            if not walk.is_open:
                self._open.remove(walk)
        return queries

    def _next_walk(self) -> Walk:
        """Each recipe that has something left once a round, its youngest layer first."""
        youngest: dict[str, Walk] = {}
        for walk in self._open:
            best = youngest.get(walk.recipe.name)
            if best is None or walk.age > best.age:
                youngest[walk.recipe.name] = walk
        self._turns = [name for name in self._turns if name in youngest]
        if not self._turns:
            shuffled = self._rng.sample(sorted(youngest), len(youngest))
            self._turns = sorted(shuffled, key=lambda name: -youngest[name].age)
        return youngest[self._turns.pop(0)]

    def walked(self) -> tuple[Walk, ...]:
        """The walks that were stepped on; their identity and place are what to remember."""
        return tuple(self._walked.values())


def _walks(
    recipe: Recipe, vocabulary: Vocabulary, births: Births, places: Mapping[str, Place], seed: int
) -> Iterable[Walk]:
    def age(part: Part) -> int:
        return births.get(part.ingredient, 0)  # 0: of a recipe that came after the vocabulary was imported

    space = recipe.space(vocabulary)
    ages = {age(part) for product in space for choose in product for group in choose.groups for part in group}
    for layer_age in sorted(ages):
        layer = Layer(recipe.name, space, age, layer_age)
        if layer.size:
            place = places.get(layer.identity) or Place(_key(seed, layer.identity), 0)
            yield Walk(recipe, layer, layer_age, place)


def _key(seed: int, identity: str) -> int:
    """A walk's own key, so that no two recipes are shuffled alike; 63 bits, which every database holds as a number."""
    digest = hashlib.blake2b(f"{seed}:{identity}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def count_combinations(recipe: Recipe, vocabulary: Vocabulary) -> int:
    """How many combinations the recipe has over `vocabulary`, exactly."""
    return Layer(recipe.name, recipe.space(vocabulary), lambda part: 0, 0).size
