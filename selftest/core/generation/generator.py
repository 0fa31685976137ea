"""Which combination comes next: what is new in the vocabulary first, nothing twice while something is new. Pure.

First the combinations that cover pairs of ingredients never used together. Then each layer of each recipe is walked by
its own seeded permutation, so the position of the walk is all there is to remember: a new combination costs the same at
the first query and at the millionth, without a look-up.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from selftest.core.generation.combination_space import Layer, Permutation
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.pair_coverage import MOST_VALUES, PairCoverage
from selftest.core.generation.pair_covering import Covering, Pairs
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.recipes.base import Recipe
from selftest.core.generation.vocabulary import Vocabulary

IntroducedIn = Mapping[str, int]  # ingredient → the version since which the vocabulary has held it without a gap
EARLY_SHARE = 0.25  # of the first round: by then each recipe has had its first turn, as much breaks in one shape only
NEW_STYLES_PACE = EARLY_SHARE / 2  # from one turn to the next of a recipe that has ways of writing never used


@dataclass(frozen=True)
class WalkState:
    """How far one layer was walked. key: the seed of its permutation. position: how many combinations are behind it."""

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


def introductions(vocabulary: Vocabulary, version: int, before: IntroducedIn) -> dict[str, int]:
    """Which version introduced each ingredient of `vocabulary`, the version `version`.

    before: the same of the version in force until then.
    """
    return {ingredient: before.get(ingredient, version) for ingredient in sorted(ingredients_of(vocabulary))}


class LayerWalk:
    """One layer of one recipe on its way from the first combination to the last."""

    def __init__(self, recipe: Recipe, layer: Layer, age: int, state: WalkState) -> None:
        self.recipe = recipe
        self.identity = layer.identity
        self.age = age
        self.size = layer.size
        self.state = state
        self._layer = layer
        self._permutation = Permutation(layer.size, state.key)

    @property
    def is_open(self) -> bool:
        """Whether a combination is left."""
        return self.state.position < self.size

    def step(self) -> Query:
        """The next combination in one of its wordings; always the same wording at the same position."""
        index = self._permutation.at(self.state.position)
        rng = random.Random(f"{self.state.key}:{index}")
        self.state = WalkState(self.state.key, self.state.position + 1)
        return self.recipe.query(self._layer.at(index), rng)


class RecipeSpace:
    """One recipe over one vocabulary: its layers that hold anything, and the pairs that it can cover.

    pairs: None where there are too many values to keep track of; the recipe is then only walked.
    """

    def __init__(self, recipe: Recipe, vocabulary: Vocabulary, introduced_in: IntroducedIn) -> None:
        def age(part: Part) -> int:
            return introduced_in.get(part.ingredient, 0)  # 0: of a recipe newer than the vocabulary's import

        space = recipe.space(vocabulary)
        values = {part for product in space for choose in product for group in choose.groups for part in group}
        layers = [(of_age, Layer(recipe.name, space, age, of_age)) for of_age in sorted(set(map(age, values)))]
        self.recipe = recipe
        self.layers = [(of_age, layer) for of_age, layer in layers if layer.size]
        self.most_values = max((sum(choose.k for choose in product) for product in space), default=0)
        self.styles = {part.style for part in values} - {""}
        self.pairs = Pairs(space) if len(values) <= MOST_VALUES else None
        ages = [age(part) for part in self.pairs.parts] if self.pairs else []
        # As bits, the values of the pairs that are of an age or older, and those of exactly this age.
        self.up_to_age = {at: sum(1 << n for n, of_age in enumerate(ages) if of_age <= at) for at in set(ages)}
        self.of_age = {at: sum(1 << n for n, of_age in enumerate(ages) if of_age == at) for at in set(ages)}


class RecipeSpaces:
    """What follows from a vocabulary alone, made when first needed. Worth keeping: it costs more than many queries."""

    def __init__(self, vocabulary: Vocabulary, introduced_in: IntroducedIn) -> None:
        self._vocabulary = vocabulary
        self._introduced_in = introduced_in
        self._made: dict[str, RecipeSpace] = {}

    def of(self, recipe: Recipe) -> RecipeSpace:
        """The space of one recipe."""
        if recipe.name not in self._made:
            self._made[recipe.name] = RecipeSpace(recipe, self._vocabulary, self._introduced_in)
        return self._made[recipe.name]


class Generator:
    """Makes queries, the recipes in turn; those with something new in the vocabulary go first.

    As long as a recipe has pairs that were never used together, its next query is one that covers many of them; after
    that, its walks continue. A walk skips what was made to cover pairs in this batch, but not what earlier batches
    made: the caller filters out what is known.

    walk_states: by layer identity, what the walks of `walked()` held after the last batch; a layer not in it starts at
    its beginning, seeded from `seed`. coverage: by recipe, what was covered until now; it is added to. The same seed
    without walk states and coverage gives the same queries.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        introduced_in: IntroducedIn,
        recipes: Sequence[Recipe],
        walk_states: Mapping[str, WalkState],
        seed: int,
        coverage: Mapping[str, PairCoverage] | None = None,
        spaces: RecipeSpaces | None = None,
    ) -> None:
        spaces = spaces or RecipeSpaces(vocabulary, introduced_in)
        self._spaces = {recipe.name: spaces.of(recipe) for recipe in recipes}
        self._coverage = dict(coverage or {})
        self._used = {value for name, of in self._coverage.items() if not _hides(name) for value in of.values}
        self._used_styles = {
            part.style
            for space in self._spaces.values()
            if space.styles and space.pairs
            for part in space.pairs.parts
            if part.ingredient in self._used
        }
        self._open = [
            walk for space in self._spaces.values() for walk in _walks(space, walk_states, seed) if walk.is_open
        ]
        self._seed = seed
        self._walked: dict[str, LayerWalk] = {}
        self._coverings: dict[str, Covering] = {}
        self._covered: set[str] = set()  # recipes of which a query was made
        self._made: set[str] = set()
        self._turns = _turns(recipes, self._coverage)
        self._weights = {recipe.name: recipe.weight for recipe in recipes}
        shuffled = random.Random(seed).sample(sorted(self._spaces), len(self._spaces))
        by_size = sorted(shuffled, key=lambda name: -self._spaces[name].most_values)
        says_much = [name for name in by_size if not any(self._says_less(name))]
        in_order = [*_from_both_ends(says_much), *(name for name in by_size if name not in says_much)]
        in_order.sort(key=self._says_less)
        self._begins = {name: (position + 0.5) / len(in_order) for position, name in enumerate(in_order)}

    def next_queries(self, count: int) -> list[Query]:
        """The next `count` queries; fewer where every combination has been made."""
        queries: list[Query] = []
        while len(queries) < count and self._open:
            walk = self._next_walk()
            query = self._covering_query(walk) or self._next_step(walk)
            if not walk.is_open:
                self._open.remove(walk)
            if query is not None:
                self._count(query)
                queries.append(query)
        return queries

    def uncount(self, known: Iterable[Query]) -> None:
        """Some of the queries made were known before, so the coverage had counted them already."""
        for query in known:
            self._coverage_of(query.recipe).queries -= 1

    def _next_walk(self) -> LayerWalk:
        """Of each recipe that has something left, as often in a round as it weighs, its youngest layer.

        In a round what is new goes first, then the recipe that uses the most values: so much is covered early.
        """
        youngest: dict[str, LayerWalk] = {}
        for walk in self._open:
            best = youngest.get(walk.recipe.name)
            if best is None or walk.age > best.age:
                youngest[walk.recipe.name] = walk
        return min(youngest.values(), key=self._when)

    def _when(self, walk: LayerWalk) -> tuple[int, int, float]:
        """The round, and when in it: the turns of a recipe that has several are spread over it.

        In the first round every recipe has a turn early, and more where it has ways of writing that were never used.
        """
        name = walk.recipe.name
        turn, weight = self._turns[name], self._weights[name]
        pace = 1 / weight
        if not turn:
            pace = min(EARLY_SHARE, pace)
        elif turn < weight and self._has_new_style(name):
            pace = min(NEW_STYLES_PACE, pace)
        return turn // weight, -walk.age, (turn + self._begins[name]) * pace

    def _says_less(self, name: str) -> tuple[bool, bool]:
        """Greater for a recipe whose first query says less: its shape comes elsewhere too, or its parts hide losses."""
        recipe = self._spaces[name].recipe
        return recipe.is_in_megaqueries, recipe.hides

    def _has_new_style(self, name: str) -> bool:
        """Whether its values are written in ways of which one was never used."""
        return not self._spaces[name].styles <= self._used_styles

    def _covering_query(self, walk: LayerWalk) -> Query | None:
        """One that covers pairs never used together; None where none is found."""
        name = walk.recipe.name
        space, coverage = self._spaces[name], self._coverage_of(name)
        if space.pairs is None:
            return None
        if name not in self._coverings:
            self._coverings[name] = Covering(space.pairs, coverage)
        rng = random.Random(f"{self._seed}:{name}:{coverage.queries}")
        picks = self._coverings[name].best(space.up_to_age[walk.age], space.of_age[walk.age], self._used, rng)
        return None if picks is None else walk.recipe.query(picks, rng)

    def _next_step(self, walk: LayerWalk) -> Query | None:
        """The next of the walk that was not made in this batch; None at its end."""
        self._walked[walk.identity] = walk
        while walk.is_open:
            query = walk.step()
            if fingerprint_of(query) not in self._made:
                return query
        return None

    def _count(self, query: Query) -> None:
        coverage = self._coverage_of(query.recipe)
        self._turns[query.recipe] += 1
        coverage.turn = self._turns[query.recipe]
        coverage.add(query)
        self._covered.add(query.recipe)
        if query.recipe in self._coverings:
            self._coverings[query.recipe].note(query.ingredients)
        self._used.update(_unhidden(query))
        self._used_styles |= {part.style for part in query.parts}
        self._made.add(fingerprint_of(query))

    def _coverage_of(self, recipe: str) -> PairCoverage:
        return self._coverage.setdefault(recipe, PairCoverage())

    def walked(self) -> tuple[LayerWalk, ...]:
        """The walks that moved; their identity and state are what to remember."""
        return tuple(self._walked.values())

    def covered(self) -> dict[str, PairCoverage]:
        """By recipe, the coverage of those of which a query was made."""
        return {name: self._coverage[name] for name in self._spaces if name in self._covered}


def _from_both_ends(by_size: Sequence[str]) -> list[str]:
    """The largest, the smallest, the second largest, …: much is covered early, and what only one source answers too."""
    first, last = by_size[: (len(by_size) + 1) // 2], by_size[: (len(by_size) - 1) // 2 : -1]
    return [name for both in zip_longest(first, last) for name in both if name is not None]


def _unhidden(query: Query) -> Iterable[str]:
    """The ingredients whose loss would show: not an intent next to another of its source, which would hide it."""
    asked = Counter(part.source for part in query.parts if part.kind is PartKind.INTENT)
    return (part.ingredient for part in query.parts if asked[part.source] <= 1)


def _hides(name: str) -> bool:
    return name in RECIPES and RECIPES[name].hides


def _turns(recipes: Sequence[Recipe], coverage: Mapping[str, PairCoverage]) -> dict[str, int]:
    """A recipe that sat out for long is one round ahead of the others, not all those that it missed."""
    had = {recipe.name: coverage[recipe.name].turn if recipe.name in coverage else 0 for recipe in recipes}
    weights = {name: recipe.weight for name, recipe in RECIPES.items()}
    latest = max((of.turn // weights.get(name, 1) for name, of in coverage.items()), default=0)
    return {recipe.name: max(had[recipe.name], (latest - 1) * recipe.weight) for recipe in recipes}


def _walks(space: RecipeSpace, states: Mapping[str, WalkState], seed: int) -> Iterable[LayerWalk]:
    for age, layer in space.layers:
        state = states.get(layer.identity) or WalkState(_key(seed, layer.identity), 0)
        yield LayerWalk(space.recipe, layer, age, state)


def _key(seed: int, identity: str) -> int:
    """A walk's own key, so that no two recipes are shuffled alike; 63 bits, which every database holds as a number."""
    digest = hashlib.blake2b(f"{seed}:{identity}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def count_combinations(recipe: Recipe, vocabulary: Vocabulary) -> int:
    """How many combinations the recipe has over `vocabulary`, exactly."""
    return Layer(recipe.name, recipe.space(vocabulary), lambda part: 0, 0).size
