"""Who is to blame for a check's flags on a target, as all runs that were counted tell."""

from collections.abc import Collection, Iterable, Mapping

from selftest.core.insight.pair_names import Pair, members, pair_of
from selftest.core.insight.suspects import Suspect, Together, flags_to_beat, ranked
from selftest.models import (
    ANY_CHECK,
    CheckTally,
    Combination,
    Ingredient,
    IngredientTally,
    PairTally,
    Target,
)
from selftest.storage.chunks import CHUNK_ROWS
from selftest.storage.texts import sha256_hex


def runs_by_check(target: Target) -> Mapping[str, int]:
    """How many runs of the target each check flagged; by ANY_CHECK, how many there were."""
    return dict(CheckTally.objects.filter(target=target).order_by().values_list("check_name", "runs"))


def suspects(target: Target, check: str, blamed: Iterable[str]) -> list[Suspect]:
    """All ingredients of a run that the check flagged, most suspect first; of pairs those among `blamed`.

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
    both = Ingredient.objects.filter(sha256__in=map(sha256_hex, names)).order_by("pk")
    lower, higher = both.values_list("pk", flat=True)  # a pair is made of two that were counted
    pairs = PairTally.objects.filter(target=combination.target_id, check_name__in=checks, ingredient=lower)
    of_lower = dict(pairs.order_by().values_list("check_name", "runs"))
    return Together(*(of_lower.get(check, {}).get(str(higher), 0) for check in checks))


def suspects_among(
    target_id: int, check: str, names: Mapping[int, str], paired: Mapping[int, str] | None = None
) -> list[Suspect]:
    """These ingredients, by their keys, and what pairs of them are to blame; most suspect first.

    paired: those of which pairs are looked at, if not of all.
    """
    seen = _seen(target_id, check, names)
    pairs = _pairs(target_id, check, names if paired is None else paired, seen)
    return ranked(runs_in_all(target_id, check), seen, pairs)


def runs_in_all(target_id: int, check: str) -> Together:
    """All runs of the target, and those that the check flagged."""
    tallies = CheckTally.objects.filter(target=target_id, check_name__in=[ANY_CHECK, check])
    runs = dict(tallies.order_by().values_list("check_name", "runs"))
    return Together(runs.get(ANY_CHECK, 0), runs.get(check, 0))


def _seen(target_id: int, check: str, names: Mapping[int, str]) -> dict[str, Together]:
    """Of each of these, also of what was never counted."""
    counts: dict[int, dict[str, int]] = {pk: {} for pk in names}
    tallies = IngredientTally.objects.filter(target=target_id, check_name__in=[ANY_CHECK, check]).order_by()
    if len(counts) <= CHUNK_ROWS:  # of more than that all are read: most of what there is
        tallies = tallies.filter(ingredient__in=list(counts))
    for pk, of, runs in tallies.values_list("ingredient", "check_name", "runs"):
        if pk in counts:
            counts[pk][of] = runs
    return {names[pk]: Together(runs.get(ANY_CHECK, 0), runs.get(check, 0)) for pk, runs in counts.items()}


def _pairs(target_id: int, check: str, names: Mapping[int, str], seen: Mapping[str, Together]) -> dict[Pair, Together]:
    """Of the pairs among these, those that may tell more than either of their two: few, so little else is read."""
    needed = {str(pk): flags_to_beat(seen[name]) for pk, name in names.items()}
    flagged: dict[int, dict[str, int]] = {}
    for lower, runs in _runs_of_pairs(target_id, check, names):
        beats = needed[str(lower)]
        found = {other: runs[other] for other in runs.keys() & needed.keys() if runs[other] > max(beats, needed[other])}
        if found:
            flagged[lower] = found
    all_runs = dict(_runs_of_pairs(target_id, ANY_CHECK, flagged))
    return {
        pair_of(names[lower], names[int(other)]): Together(all_runs.get(lower, {}).get(other, 0), runs)
        for lower, others in flagged.items()
        for other, runs in others.items()
    }


def _runs_of_pairs(target_id: int, check: str, lower: Collection[int]) -> list[tuple[int, dict[str, int]]]:
    """Of each of these that others were counted with: the others' keys, as JSON has them, and the runs."""
    if not lower:
        return []
    tallies = PairTally.objects.filter(target=target_id, check_name=check).order_by()
    if len(lower) <= CHUNK_ROWS:
        tallies = tallies.filter(ingredient__in=list(lower))
    return [(pk, runs) for pk, runs in tallies.values_list("ingredient", "runs") if pk in lower]
