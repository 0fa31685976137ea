"""All recipes by name: the specification's seven first, in its order."""

from collections.abc import Iterable

from selftest.core.generation.recipes.base import Recipe
from selftest.core.generation.recipes.composed import COMPOSED
from selftest.core.generation.recipes.specified import SPECIFIED
from selftest.core.generation.recipes.unusual_shapes import AWKWARD
from selftest.core.generation.recipes.unusual_spellings import WRITTEN

RECIPES: dict[str, Recipe] = {recipe.name: recipe for recipe in (*SPECIFIED, *AWKWARD, *WRITTEN, *COMPOSED)}


class UnknownRecipeError(ValueError):
    """A name that is no recipe's; the message lists those that are."""


def recipes_named(names: Iterable[str]) -> list[Recipe]:
    """The recipes of these names, all of them for none. Raises UnknownRecipeError."""
    wanted = list(names)
    unknown = [name for name in wanted if name not in RECIPES]
    if unknown:
        raise UnknownRecipeError(f"unknown recipe {unknown[0]!r}; known are {', '.join(RECIPES)}")
    return [recipe for recipe in RECIPES.values() if not wanted or recipe.name in wanted]
