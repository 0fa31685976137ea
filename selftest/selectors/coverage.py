"""How much of each recipe was asked."""

from dataclasses import dataclass

from selftest.core.generation import count_combinations
from selftest.core.recipes import RECIPES
from selftest.models import Combination, Target, VocabularyVersion
from selftest.store import vocabulary_of


@dataclass(frozen=True)
class Coverage:
    """How much of one recipe was asked. possible: its combinations over the vocabulary in force, exactly."""

    recipe_name: str
    stresses: str
    possible: int
    tried: int


def coverage(target: Target) -> list[Coverage]:
    """One row per recipe; nothing where the target has no vocabulary."""
    version = VocabularyVersion.objects.filter(target=target, in_force=True).first()
    if version is None:
        return []
    vocabulary = vocabulary_of(version)
    return [
        Coverage(
            recipe.name,
            recipe.stresses,
            count_combinations(recipe, vocabulary),
            Combination.objects.filter(target=target, recipe_name=recipe.name, times_generated__gt=0).count(),
        )
        for recipe in RECIPES.values()
    ]
