"""How much of each recipe was asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from selftest.core.generation.generator import count_combinations
from selftest.core.generation.recipes import RECIPES
from selftest.models import Target, VocabularyVersion
from selftest.reading.recipes import recipe_figures
from selftest.storage.serialization import StoredVocabulary, vocabulary_of

KEPT_VOCABULARIES = 64  # whose counts this process remembers: a rich one costs tens of milliseconds


@dataclass(frozen=True)
class RecipeCoverage:
    """How much of one recipe was asked. possible: its combinations over the vocabulary in force, exactly."""

    recipe_name: str
    stresses: str
    possible: int
    tried: int


def coverage(target: Target) -> list[RecipeCoverage]:
    """One row per recipe; nothing where the target has no vocabulary. Raises VocabularyError, as cycles then do."""
    possible = possible_combinations(target)
    if not possible:
        return []
    figures = recipe_figures(target)
    return [
        RecipeCoverage(recipe.name, recipe.stresses, possible[recipe.name], figures[recipe.name].tried)
        for recipe in RECIPES.values()
    ]


def possible_combinations(target: Target) -> Mapping[str, int]:
    """By recipe, over the vocabulary in force; {} without one. Raises VocabularyError."""
    in_force = VocabularyVersion.objects.filter(target=target, in_force=True)
    version = in_force.only("sha256").first()
    return {} if version is None else combinations_of(version)


def combinations_of(version: VocabularyVersion) -> Mapping[str, int]:
    """How many each recipe can make of it. Raises VocabularyError."""
    return _counted(StoredVocabulary(version.sha256, version))


@lru_cache(KEPT_VOCABULARIES)
def _counted(stored: StoredVocabulary) -> Mapping[str, int]:
    """By recipe."""
    vocabulary = vocabulary_of(stored.row)
    return {recipe.name: count_combinations(recipe, vocabulary) for recipe in RECIPES.values()}
