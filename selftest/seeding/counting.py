"""What each cycle adds to the counts when it ends, and whom its flags make suspect. As selftest.tallies and
selftest.suspicion do it for a real one, but in memory.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from selftest import tallies
from selftest.core.checks import CheckName
from selftest.core.suspects import Together, most_suspect
from selftest.models import ANY_CHECK, IngredientTally, Target
from selftest.seeding.queries import Queries
from selftest.seeding.stories import Story
from selftest.suspicion import SUSPECTED_ANEW


class Counting:
    """The counts of one target, with all that it had before."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._before: dict[str, Counter[str]] = defaultdict(Counter)  # by check: ingredient → runs
        self._since: dict[str, Counter[str]] = defaultdict(Counter)
        self._in_cycle: dict[str, list[str]] = defaultdict(list)  # by check: each run's ingredients
        self._recipes_in_cycle: list[tuple[str, str]] = []
        self._flagged_in_cycle: list[str] = []
        self._novel_in_cycle: list[str] = []
        self._recipes: dict[date, Counter[tuple[str, str]]] = defaultdict(Counter)
        self._flagged: dict[date, Counter[str]] = defaultdict(Counter)
        self._novel: dict[date, Counter[str]] = defaultdict(Counter)
        known = IngredientTally.objects.filter(target=target).order_by()
        for name, check, runs in known.values_list("ingredient__text", "check_name", "runs"):
            self._before[check][name] = runs

    def note(self, recipe: str, ingredients: set[str], checks: Sequence[CheckName], is_novel: bool) -> None:
        """An answered run. checks: those that found fault with it."""
        for check in (ANY_CHECK, *(check.value for check in checks)):
            self._in_cycle[check].extend(ingredients)
            self._recipes_in_cycle.append((recipe, check))
        if checks:
            self._flagged_in_cycle.append(recipe)
        if is_novel:
            self._novel_in_cycle.append(recipe)

    def end_cycle(self, day: date) -> None:
        """Only now do its runs count."""
        for check, said in self._in_cycle.items():
            self._since[check].update(said)
            said.clear()
        self._recipes[day].update(self._recipes_in_cycle)
        self._flagged[day].update(self._flagged_in_cycle)
        self._novel[day].update(self._novel_in_cycle)
        for in_cycle in (self._recipes_in_cycle, self._flagged_in_cycle, self._novel_in_cycle):
            in_cycle.clear()

    def suspect_of(self, check: CheckName, ingredients: Iterable[str]) -> str:
        seen = {name: Together(self._runs(ANY_CHECK, name), self._runs(check.value, name)) for name in ingredients}
        return most_suspect(seen, seen)

    def suspect_anew(self, stories: Mapping[int, Story], queries: Queries) -> None:
        """Thinks again about what is open at the end, as the last cycles with each check's flags did."""
        is_open = (index for index, story in stories.items() if story.check and not story.is_dismissed)
        thought: Counter[str] = Counter()
        for index in sorted(is_open, reverse=True):
            story = stories[index]
            if story.check is not None and thought[story.check] < SUSPECTED_ANEW:
                thought[story.check] += 1
                story.suspect = self.suspect_of(story.check, queries.ingredients(index))

    def _runs(self, check: str, name: str) -> int:
        return self._before[check][name] + self._since[check][name]

    def write(self) -> None:
        for day, recipes in self._recipes.items():
            tallies.add_recipes(self._target, day, recipes, self._flagged[day], self._novel[day])
        said = Counter({(name, check): runs for check, of in self._since.items() for name, runs in of.items()})
        tallies.add_ingredients(self._target, said)
