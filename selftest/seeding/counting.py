"""Adds to the statistics what each cycle adds when it ends, as selftest.cycles does. In memory."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date

from selftest.core.judging.findings import CheckName
from selftest.cycles import statistics
from selftest.models import ANY_CHECK, Target


class Counting:
    """What is added to the statistics of one target."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._recipes_in_cycle: list[tuple[str, str]] = []
        self._flagged_in_cycle: list[str] = []
        self._novel_in_cycle: list[str] = []
        self._recipes: dict[date, Counter[tuple[str, str]]] = defaultdict(Counter)
        self._flagged: dict[date, Counter[str]] = defaultdict(Counter)
        self._novel: dict[date, Counter[str]] = defaultdict(Counter)

    def note(self, recipe: str, checks: Sequence[CheckName], is_novel: bool) -> None:
        """An answered run. checks: those that flagged it."""
        self._recipes_in_cycle += [(recipe, check) for check in (ANY_CHECK, *(check.value for check in checks))]
        if checks:
            self._flagged_in_cycle.append(recipe)
        if is_novel:
            self._novel_in_cycle.append(recipe)

    def end_cycle(self, day: date) -> None:
        """Only now its runs count."""
        self._recipes[day].update(self._recipes_in_cycle)
        self._flagged[day].update(self._flagged_in_cycle)
        self._novel[day].update(self._novel_in_cycle)
        for in_cycle in (self._recipes_in_cycle, self._flagged_in_cycle, self._novel_in_cycle):
            in_cycle.clear()

    def write(self) -> None:
        """Saves what was added."""
        for day, recipes in self._recipes.items():
            statistics.add_recipes(self._target, day, recipes, self._flagged[day], self._novel[day])
