"""Which ingredient, or which two, each flagged combination is suspected for, by what was counted so far."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from selftest.core.suspects import Accusation, Pair, Suspect, Together, flags_to_beat, pair_of, ranked
from selftest.models import (
    ANY_CHECK,
    CheckTally,
    Combination,
    Ingredient,
    IngredientTally,
    Installation,
    PairTally,
    Target,
)
from selftest.models.combination import IN_QUEUE
from selftest.store import fingerprint_sha256

CHUNK_ROWS = 500  # below SQLite's limit of variables in a statement
SUSPECTED_ANEW = 5_000  # of a check's open combinations, the newest; older ones keep what was thought of them


def ingredient_ids(texts: Iterable[str]) -> dict[str, int]:
    """The rows that stand for these ingredients, made where they are missing."""
    by_sha256 = {fingerprint_sha256(text): text for text in texts}
    ids = _known(by_sha256)
    missing = {sha256: text for sha256, text in by_sha256.items() if text not in ids}
    if missing:
        rows = (Ingredient(text=text, sha256=sha256) for sha256, text in missing.items())
        Ingredient.objects.bulk_create(rows, ignore_conflicts=True)  # another target's cycle may make the same
        ids |= _known(missing)
    return ids


def _known(by_sha256: Mapping[str, str]) -> dict[str, int]:
    known: dict[str, int] = {}
    wanted = list(by_sha256)
    for first in range(0, len(wanted), CHUNK_ROWS):
        rows = Ingredient.objects.filter(sha256__in=wanted[first : first + CHUNK_ROWS]).order_by()
        known |= {by_sha256[sha256]: pk for sha256, pk in rows.values_list("sha256", "pk")}
    return known


def suspect_of(target_id: int, check: str, ids: Mapping[str, int]) -> int:
    """The row of the ingredient out of `ids`, or of the pair of them, that goes most strongly with `check` here."""
    name = Accusation(suspects_among(target_id, check, {pk: name for name, pk in ids.items()})).of(ids)
    return ids[name] if name in ids else ingredient_ids([name])[name]


def suspects_among(target_id: int, check: str, names: Mapping[int, str]) -> list[Suspect]:
    """These ingredients, by their keys, and what pairs of them are to blame; most suspect first."""
    seen = _seen(target_id, check, names)
    return ranked(runs_in_all(target_id, check), seen, _pairs(target_id, check, names, seen))


def runs_in_all(target_id: int, check: str) -> Together:
    """All runs of the target, and those that the check flagged."""
    tallies = CheckTally.objects.filter(target=target_id, check_name__in=[ANY_CHECK, check])
    runs = dict(tallies.order_by().values_list("check_name", "runs"))
    return Together(runs.get(ANY_CHECK, 0), runs.get(check, 0))


def _seen(target_id: int, check: str, names: Mapping[int, str]) -> dict[str, Together]:
    """Of each of these, also of what was never counted."""
    counts: dict[int, dict[str, int]] = {pk: {} for pk in names}
    wanted = list(names)
    for first in range(0, len(wanted), CHUNK_ROWS):
        tallies = IngredientTally.objects.filter(
            target=target_id, check_name__in=[ANY_CHECK, check], ingredient__in=wanted[first : first + CHUNK_ROWS]
        )
        for pk, of, runs in tallies.order_by().values_list("ingredient", "check_name", "runs"):
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
    said = dict(_runs_of_pairs(target_id, ANY_CHECK, flagged))
    return {
        pair_of(names[lower], names[int(other)]): Together(said.get(lower, {}).get(other, 0), runs)
        for lower, others in flagged.items()
        for other, runs in others.items()
    }


def _runs_of_pairs(target_id: int, check: str, lower: Iterable[int]) -> Iterator[tuple[int, dict[str, int]]]:
    """Of each of these that others were counted with: the others' keys, as JSON has them, and the runs."""
    wanted = list(lower)
    for first in range(0, len(wanted), CHUNK_ROWS):
        tallies = PairTally.objects.filter(
            target=target_id, check_name=check, ingredient__in=wanted[first : first + CHUNK_ROWS]
        )
        yield from tallies.order_by().values_list("ingredient", "runs")


def suspect_anew(target: Target, checks: Iterable[str]) -> None:
    """Thinks again about every open combination of these checks, newest first, as the counts now stand."""
    has_changed = False
    for check in checks:
        rows = Combination.objects.filter(IN_QUEUE, target=target, flagged_check=check)
        thought = dict(rows.order_by("-id").values_list("pk", "suspect")[:SUSPECTED_ANEW])
        made_of = _ingredients_of(thought)
        ids = {name: pk for found in made_of.values() for name, pk in found.items()}
        accusation = Accusation(suspects_among(target.pk, check, {pk: name for name, pk in ids.items()}))
        named = {combination: accusation.of(found) for combination, found in made_of.items()}
        ids |= ingredient_ids(set(named.values()) - ids.keys())  # the pairs
        changed: dict[int, list[int]] = defaultdict(list)
        for combination, name in named.items():
            if ids[name] != thought[combination]:
                changed[ids[name]].append(combination)
        has_changed = has_changed or bool(changed)
        for suspect, combinations in changed.items():
            for first in range(0, len(combinations), CHUNK_ROWS):
                chunk = combinations[first : first + CHUNK_ROWS]
                Combination.objects.filter(pk__in=chunk).update(suspect=suspect)
    if has_changed:
        Installation.queue_changed()


def _ingredients_of(combinations: Iterable[int]) -> dict[int, dict[str, int]]:
    """Combination → its ingredients by name; those that have any."""
    wanted = list(combinations)
    found: dict[int, dict[str, int]] = defaultdict(dict)
    links = Combination.ingredients.through.objects
    for first in range(0, len(wanted), CHUNK_ROWS):
        of_chunk = links.filter(combination__in=wanted[first : first + CHUNK_ROWS]).order_by()
        for combination, pk, name in of_chunk.values_list("combination", "ingredient", "ingredient__text"):
            found[combination][name] = pk
    return found
