"""Adds to the statistics what each cycle adds when it ends, and finds suspects, as selftest.cycles does. In memory."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import combinations

from selftest.core.insight.pair_names import Pair, pair_of
from selftest.core.insight.suspects import Accusation, Together, ranked, widespread
from selftest.core.judging.findings import CheckName
from selftest.cycles import statistics
from selftest.cycles.ingredients import ingredient_ids
from selftest.cycles.suspect_assignment import MOST_UPDATED
from selftest.models import ANY_CHECK, CheckTally, IngredientTally, PairTally, Target
from selftest.seeding.queries import Queries
from selftest.seeding.review_histories import FlagHistory


class Counting:
    """The statistics of one target, including all that it had before."""

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
        self._load_statistics()

    def _load_statistics(self) -> None:
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
        """An answered run. checks: those that flagged it."""
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
        """Only now its runs count."""
        for check, used in self._in_cycle.items():
            self._since[check].update(used)
            used.clear()
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
        """The name of the ingredient; pairs are considered when all is counted."""
        singles = self._singles(check, ingredients)
        return Accusation(ranked(self._whole(check), singles, {})).of(singles)

    def update_suspects(self, histories: Mapping[int, FlagHistory], queries: Queries) -> None:
        """Decides again about what is open at the end, as the last cycles with each check's flags did."""
        is_open = (index for index, history in histories.items() if history.check and not history.is_dismissed)
        made_of: dict[CheckName, dict[int, set[str]]] = defaultdict(dict)
        for index in sorted(is_open, reverse=True):
            check = histories[index].check
            if check is not None and len(made_of[check]) < MOST_UPDATED:
                made_of[check][index] = queries.ingredients(index)
        for check, found in made_of.items():
            singles = self._singles(check, set[str]().union(*found.values()))
            suspects = ranked(self._whole(check), singles, self._pairs_of(check, singles))
            accusation = Accusation(widespread(suspects, found.values()))
            for index, ingredients in found.items():
                histories[index].suspect = accusation.of(ingredients)

    def _whole(self, check: CheckName) -> Together:
        before, since = self._in_all_before, self._in_all_since
        return Together(*(before[of] + since[of] for of in (ANY_CHECK, check.value)))

    def _singles(self, check: CheckName, names: Iterable[str]) -> dict[str, Together]:
        return {name: Together(self._runs(ANY_CHECK, name), self._runs(check.value, name)) for name in names}

    def _pairs_of(self, check: CheckName, singles: Mapping[str, Together]) -> dict[Pair, Together]:
        """Of the pairs among these, all that the check ever flagged."""
        flagged = self._pairs_before[check.value] + self._pairs_since[check.value]
        before, since = self._pairs_before[ANY_CHECK], self._pairs_since[ANY_CHECK]
        return {
            pair: Together(before[pair] + since[pair], runs)
            for pair, runs in flagged.items()
            if singles.keys() >= set(pair)
        }

    def _runs(self, check: str, name: str) -> int:
        return self._before[check][name] + self._since[check][name]

    def write(self) -> None:
        """Saves what was added."""
        for day, recipes in self._recipes.items():
            statistics.add_recipes(self._target, day, recipes, self._flagged[day], self._novel[day])
        ids = ingredient_ids({name for used in self._since.values() for name in used})
        more = statistics.IngredientCounts()
        more.runs = self._in_all_since
        for check, used in self._since.items():
            more.singles[check].update({ids[name]: runs for name, runs in used.items()})
        for check, pairs in self._pairs_since.items():
            more.pairs[check].update({_in_order(ids[one], ids[other]): runs for (one, other), runs in pairs.items()})
        statistics.add_ingredients(self._target, more)


def _in_order(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
