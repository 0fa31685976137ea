"""Who is to blame for a check's flags on a target, as all runs that were counted tell."""

from collections.abc import Iterable, Mapping

from selftest.core.insight.suspects import Suspect, Together, members
from selftest.cycles.suspect_assignment import suspects_among
from selftest.models import ANY_CHECK, CheckTally, Combination, Ingredient, IngredientTally, PairTally, Target
from selftest.storage.serialization import fingerprint_sha256


def runs_by_check(target: Target) -> Mapping[str, int]:
    """How many runs of the target each check flagged; by ANY_CHECK, how many there were."""
    return dict(CheckTally.objects.filter(target=target).order_by().values_list("check_name", "runs"))


def suspects(target: Target, check: str, blamed: Iterable[str]) -> list[Suspect]:
    """All that was said in a run that the check flagged, most suspect first; of pairs those among `blamed`.

    blamed: the names of the suspects that flags are put down to.
    """
    flagged = IngredientTally.objects.filter(target=target, check_name=check, runs__gt=0).order_by()
    names = dict(flagged.values_list("ingredient", "ingredient__text"))
    pairs = {name: both for name in blamed if len(both := members(name)) == 2}
    paired = {name for both in pairs.values() for name in both}
    found = suspects_among(target.pk, check, names, {pk: name for pk, name in names.items() if name in paired})
    return [suspect for suspect in found if not suspect.is_pair or suspect.name in pairs]


def counted_of_suspect(combination: Combination) -> Together | None:
    """Of the ingredient that it suspects, or of the two together; None where it suspects none."""
    if combination.suspect is None:
        return None
    checks = [ANY_CHECK, combination.flagged_check]
    names = members(combination.suspect.text)
    if len(names) == 1:
        singles = IngredientTally.objects.filter(
            target=combination.target_id, check_name__in=checks, ingredient=combination.suspect_id
        )
        runs = dict(singles.order_by().values_list("check_name", "runs"))
        return Together(runs.get(ANY_CHECK, 0), runs.get(combination.flagged_check, 0))
    both = Ingredient.objects.filter(sha256__in=map(fingerprint_sha256, names)).order_by("pk")
    lower, higher = both.values_list("pk", flat=True)  # a pair is made of two that were counted
    pairs = PairTally.objects.filter(target=combination.target_id, check_name__in=checks, ingredient=lower)
    of_lower = dict(pairs.order_by().values_list("check_name", "runs"))
    return Together(*(of_lower.get(check, {}).get(str(higher), 0) for check in checks))
