"""What each recipe can make of a vocabulary, and what is missing where it can make nothing. Pure."""

from dataclasses import dataclass

from selftest.core.generation.generator import count_combinations
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import Shortage, Vocabulary, shortages


@dataclass(frozen=True)
class Supply:
    """combinations: how many the recipe can make. missing: what would have to be added, where that is 0."""

    recipe: str
    combinations: int
    missing: tuple[Shortage, ...]


def supplies(vocabulary: Vocabulary) -> list[Supply]:
    """One for each recipe, in their order."""
    return [
        Supply(name, count_combinations(recipe, vocabulary), shortages(recipe.needs, vocabulary))
        for name, recipe in RECIPES.items()
    ]
