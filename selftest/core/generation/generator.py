"""Which combination comes next: what is new in the vocabulary first, nothing twice while something is new. Pure.

First those that cover pairs of ingredients never said together. Then each layer of each recipe is walked by its own
seeded permutation, so a place in the walk is all there is to remember: novelty costs the same at the first query and at
the millionth, and no look-up.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from selftest.core.generation.combinations import Layer, Permutation
from selftest.core.generation.coverage import MOST_VALUES, Coverage
from selftest.core.generation.covering import Covering, Pairs
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.recipes import RECIPES, Recipe
from selftest.core.generation.vocabulary import Vocabulary

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


class _Laid:
    """One recipe over one vocabulary: its layers that hold anything, and the pairs that it can say.

    pairs: None where there are too many values to keep account of; the recipe is then only walked.
    """

    def __init__(self, recipe: Recipe, vocabulary: Vocabulary, births: Births) -> None:
        def age(part: Part) -> int:
            return births.get(part.ingredient, 0)  # 0: of a recipe that came after the vocabulary was imported

        space = recipe.space(vocabulary)
        values = {part for product in space for choose in product for group in choose.groups for part in group}
        layers = [(born, Layer(recipe.name, space, age, born)) for born in sorted(set(map(age, values)))]
        self.recipe = recipe
        self.layers = [(born, layer) for born, layer in layers if layer.size]
        self.most_said = max((sum(choose.k for choose in product) for product in space), default=0)
        self.pairs = Pairs(space) if len(values) <= MOST_VALUES else None
        ages = [age(part) for part in self.pairs.parts] if self.pairs else []
        # As bits, the values of the pairs that are of an age or older, and those of just this age.
        self.until = {at: sum(1 << n for n, born in enumerate(ages) if born <= at) for at in set(ages)}
        self.born_at = {at: sum(1 << n for n, born in enumerate(ages) if born == at) for at in set(ages)}


class Layout:
    """What follows from a vocabulary and its births alone: worth keeping, as it costs more than many queries."""

    def __init__(self, vocabulary: Vocabulary, births: Births) -> None:
        self._vocabulary = vocabulary
        self._births = births
        self._laid: dict[str, _Laid] = {}

    def of(self, recipe: Recipe) -> _Laid:
        if recipe.name not in self._laid:
            self._laid[recipe.name] = _Laid(recipe, self._vocabulary, self._births)
        return self._laid[recipe.name]


class Generator:
    """Draws queries, the recipes in turn; those with something new in the vocabulary go first.

    As long as a recipe has pairs that were never said together, its next query is one that covers many of them; then
    its walks go on. A walk passes by what was made to cover pairs in this batch, not by what earlier batches made:
    whoever draws leaves out what is known.

    places: by layer identity, what the walks of `walked()` held after the last batch; a layer not in it starts at its
    beginning, seeded from `seed`. coverage: by recipe, what was covered until now; it is added to. The same seed on no
    places and no coverage gives the same queries.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        births: Births,
        recipes: Sequence[Recipe],
        places: Mapping[str, Place],
        seed: int,
        coverage: Mapping[str, Coverage] | None = None,
        layout: Layout | None = None,
    ) -> None:
        layout = layout or Layout(vocabulary, births)
        self._laid = {recipe.name: layout.of(recipe) for recipe in recipes}
        self._coverage = dict(coverage or {})
        self._said = {value for name, of in self._coverage.items() if not _hides(name) for value in of.values}
        self._open = [walk for laid in self._laid.values() for walk in _walks(laid, places, seed) if walk.is_open]
        self._seed = seed
        self._walked: dict[str, Walk] = {}
        self._coverings: dict[str, Covering] = {}
        self._covered: set[str] = set()  # recipes of which a query was drawn
        self._made: set[str] = set()
        self._turns = _turns(recipes, self._coverage)
        self._weights = {recipe.name: recipe.weight for recipe in recipes}
        shuffled = random.Random(seed).sample(sorted(self._laid), len(self._laid))
        in_order = sorted(shuffled, key=lambda name: -self._laid[name].most_said)
        self._begins = {name: (place + 0.5) / len(in_order) for place, name in enumerate(in_order)}

    def draw(self, count: int) -> list[Query]:
        """The next `count` queries; fewer where every combination has been drawn."""
        queries: list[Query] = []
        while len(queries) < count and self._open:
            walk = self._next_walk()
            query = self._covering_query(walk) or self._next_step(walk)
            if not walk.is_open:
                self._open.remove(walk)
            if query is not None:
                self._note(query)
                queries.append(query)
        return queries

    def take_back(self, known: Iterable[Query]) -> None:
        """Of what was drawn these were known, so they were counted already."""
        for query in known:
            self._of(query.recipe).queries -= 1

    def _next_walk(self) -> Walk:
        """Of each recipe that has something left, as often in a round as it weighs, its youngest layer.

        In a round what is new goes first, then the recipe that says the most at once: so much is met early.
        """
        youngest: dict[str, Walk] = {}
        for walk in self._open:
            best = youngest.get(walk.recipe.name)
            if best is None or walk.age > best.age:
                youngest[walk.recipe.name] = walk
        return min(youngest.values(), key=self._when)

    def _when(self, walk: Walk) -> tuple[int, int, float]:
        """The round, and when in it: the turns of a recipe that has several are spread over it."""
        name = walk.recipe.name
        rounds = (self._turns[name] + self._begins[name]) / self._weights[name]
        return int(rounds), -walk.age, rounds

    def _covering_query(self, walk: Walk) -> Query | None:
        """One that covers pairs never said together; None where none is found."""
        name = walk.recipe.name
        laid, coverage = self._laid[name], self._of(name)
        if laid.pairs is None:
            return None
        if name not in self._coverings:
            self._coverings[name] = Covering(laid.pairs, coverage)
        rng = random.Random(f"{self._seed}:{name}:{coverage.queries}")
        picks = self._coverings[name].best(laid.until[walk.age], laid.born_at[walk.age], self._said, rng)
        return None if picks is None else walk.recipe.query(picks, rng)

    def _next_step(self, walk: Walk) -> Query | None:
        """The next of the walk that was not drawn in this batch; None at its end."""
        self._walked[walk.identity] = walk
        while walk.is_open:
            query = walk.step()
            if query.fingerprint not in self._made:
                return query
        return None

    def _note(self, query: Query) -> None:
        coverage = self._of(query.recipe)
        self._turns[query.recipe] += 1
        coverage.turn = self._turns[query.recipe]
        coverage.add(query)
        self._covered.add(query.recipe)
        if query.recipe in self._coverings:
            self._coverings[query.recipe].note(query.ingredients)
        self._said.update(_heard(query))
        self._made.add(query.fingerprint)

    def _of(self, recipe: str) -> Coverage:
        return self._coverage.setdefault(recipe, Coverage())

    def walked(self) -> tuple[Walk, ...]:
        """The walks that were stepped on; their identity and place are what to remember."""
        return tuple(self._walked.values())

    def covered(self) -> dict[str, Coverage]:
        """By recipe, the coverage of those of which a query was drawn."""
        return {name: self._coverage[name] for name in self._laid if name in self._covered}


def _heard(query: Query) -> Iterable[str]:
    """The ingredients whose loss would show: no intent beside another of its source, which would hide it."""
    asked = Counter(part.source for part in query.parts if part.kind is PartKind.INTENT)
    return (part.ingredient for part in query.parts if asked[part.source] <= 1)


def _hides(name: str) -> bool:
    return name in RECIPES and RECIPES[name].hides


def _turns(recipes: Sequence[Recipe], coverage: Mapping[str, Coverage]) -> dict[str, int]:
    """Who sat out for long has one round more than the others, not all those that it missed."""
    had = {recipe.name: coverage[recipe.name].turn if recipe.name in coverage else 0 for recipe in recipes}
    weights = {name: recipe.weight for name, recipe in RECIPES.items()}
    latest = max((of.turn // weights.get(name, 1) for name, of in coverage.items()), default=0)
    return {recipe.name: max(had[recipe.name], (latest - 1) * recipe.weight) for recipe in recipes}


def _walks(laid: _Laid, places: Mapping[str, Place], seed: int) -> Iterable[Walk]:
    for age, layer in laid.layers:
        yield Walk(laid.recipe, layer, age, places.get(layer.identity) or Place(_key(seed, layer.identity), 0))


def _key(seed: int, identity: str) -> int:
    """A walk's own key, so that no two recipes are shuffled alike; 63 bits, which every database holds as a number."""
    digest = hashlib.blake2b(f"{seed}:{identity}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def count_combinations(recipe: Recipe, vocabulary: Vocabulary) -> int:
    """How many combinations the recipe has over `vocabulary`, exactly."""
    return Layer(recipe.name, recipe.space(vocabulary), lambda part: 0, 0).size
