"""Examples of what a recipe makes: one query of each of its shapes. Pure; `rng` decides which."""

import random

from selftest.core.generation.combination_space import Layer
from selftest.core.generation.queries import Product, Query
from selftest.core.generation.recipes.base import Recipe
from selftest.core.generation.vocabulary import Vocabulary

Shape = tuple[int, ...]  # values in each factor of a product: tells a chain of three from one of five


def examples(recipe: Recipe, vocabulary: Vocabulary, rng: random.Random) -> list[Query]:
    """A query of each shape that has any over `vocabulary`, in the order in which the recipe lists them."""
    of_shape: dict[Shape, list[Product]] = {}
    for product in recipe.space(vocabulary):
        of_shape.setdefault(tuple(choose.k for choose in product), []).append(product)
    layers = [Layer(recipe.name, tuple(products), lambda part: 0, 0) for products in of_shape.values()]
    return [recipe.query(layer.at(rng.randrange(layer.size)), rng) for layer in layers if layer.size]
