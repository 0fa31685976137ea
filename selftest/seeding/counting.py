"""What each cycle adds to the counts when it ends, and whom its flags make suspect. As selftest.tallies and
selftest.suspicion do it for a real one, but in memory.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import combinations

from selftest import tallies
from selftest.core.checks import CheckName
from selftest.core.suspects import Accusation, Pair, Together, pair_of, ranked
from selftest.models import ANY_CHECK, CheckTally, IngredientTally, PairTally, Target
from selftest.seeding.queries import Queries
from selftest.seeding.stories import Story
from selftest.suspicion import SUSPECTED_ANEW, ingredient_ids


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
        self._pairs_before: dict[str, Counter[Pair]] = defaultdict(Counter)
        self._pairs_since: dict[str, Counter[Pair]] = defaultdict(Counter)
        self._pairs_in_cycle: dict[str, list[Pair]] = defaultdict(list)
        self._in_all_before: Counter[str] = Counter()  # by check
        self._in_all_since: Counter[str] = Counter()
        self._checks_in_cycle: list[str] = []
        self._know_what_was_before()

    def _know_what_was_before(self) -> None:
        target = self._target
        known = IngredientTally.objects.filter(target=target).order_by()
        for name, check, runs in known.values_list("ingredient__text", "check_name", "runs"):
            self._before[check][name] = runs
        self._in_all_before.update(dict(CheckTally.objects.filter(target=target).values_list("check_name", "runs")))
        names = dict(IngredientTally.objects.filter(target=target).values_list("ingredient", "ingredient__text"))
        pairs = PairTally.objects.filter(target=target).order_by()
        for lower, check, others in pairs.values_list("ingredient", "check_name", "runs"):
            self._pairs_before[check].update(
                {pair_of(names[lower], names[int(other)]): runs for other, runs in others.items()}
            )

    def note(self, recipe: str, ingredients: set[str], checks: Sequence[CheckName], is_novel: bool) -> None:
        """An answered run. checks: those that found fault with it."""
        pairs = list(combinations(sorted(ingredients), 2))
        for check in (ANY_CHECK, *(check.value for check in checks)):
            self._checks_in_cycle.append(check)
            self._pairs_in_cycle[check].extend(pairs)
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
        for check, pairs in self._pairs_in_cycle.items():
            self._pairs_since[check].update(pairs)
            pairs.clear()
        self._in_all_since.update(self._checks_in_cycle)
        self._checks_in_cycle.clear()
        self._recipes[day].update(self._recipes_in_cycle)
        self._flagged[day].update(self._flagged_in_cycle)
        self._novel[day].update(self._novel_in_cycle)
        for in_cycle in (self._recipes_in_cycle, self._flagged_in_cycle, self._novel_in_cycle):
            in_cycle.clear()

    def suspect_of(self, check: CheckName, ingredients: Iterable[str]) -> str:
        """The name of the ingredient, or of the two."""
        seen = {name: Together(self._runs(ANY_CHECK, name), self._runs(check.value, name)) for name in ingredients}
        whole = Together(self._in_all(ANY_CHECK), self._in_all(check.value))
        pairs = {
            pair: Together(self._pairs(ANY_CHECK, pair), flagged)
            for pair in combinations(sorted(seen), 2)
            if (flagged := self._pairs(check.value, pair))
        }
        return Accusation(ranked(whole, seen, pairs)).of(seen)

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

    def _pairs(self, check: str, pair: Pair) -> int:
        return self._pairs_before[check][pair] + self._pairs_since[check][pair]

    def _in_all(self, check: str) -> int:
        return self._in_all_before[check] + self._in_all_since[check]

    def write(self) -> None:
        for day, recipes in self._recipes.items():
            tallies.add_recipes(self._target, day, recipes, self._flagged[day], self._novel[day])
        ids = ingredient_ids({name for said in self._since.values() for name in said})
        more = tallies.Said()
        more.runs = self._in_all_since
        for check, said in self._since.items():
            more.singles[check].update({ids[name]: runs for name, runs in said.items()})
        for check, pairs in self._pairs_since.items():
            more.pairs[check].update({_in_order(ids[one], ids[other]): runs for (one, other), runs in pairs.items()})
        tallies.add_said(self._target, more)


def _in_order(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
