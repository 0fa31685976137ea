"""Which ingredient, or which two, each flagged combination is suspected for, by what was counted so far."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from selftest.core.insight.suspects import (
    Accusation,
    Pair,
    Suspect,
    Together,
    flags_to_beat,
    pair_of,
    ranked,
    widespread,
)
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
from selftest.storage.serialization import fingerprint_sha256

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
    """The row of the ingredient out of `ids`, or of the pair of them, that goes most strongly with `check` here.

    A pair only where others are put down to it already: whether several are is looked at when a cycle has ended.
    """
    found = suspects_among(target_id, check, {pk: name for name, pk in ids.items()})
    pairs = _pairs_blamed(target_id, check, [suspect.name for suspect in found if suspect.is_pair])
    name = Accusation(suspect for suspect in found if not suspect.is_pair or suspect.name in pairs).of(ids)
    return ids[name] if name in ids else pairs[name]


def _pairs_blamed(target_id: int, check: str, names: Sequence[str]) -> dict[str, int]:
    """The rows of those pairs of this name that something is put down to."""
    if not names:
        return {}
    ids = _known({fingerprint_sha256(name): name for name in names})
    put_down = Combination.objects.filter(
        ever_flagged=True, target=target_id, flagged_check=check, suspect__in=ids.values()
    )
    blamed = set(put_down.order_by().values_list("suspect", flat=True).distinct())
    return {name: pk for name, pk in ids.items() if pk in blamed}


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
    said = dict(_runs_of_pairs(target_id, ANY_CHECK, flagged))
    return {
        pair_of(names[lower], names[int(other)]): Together(said.get(lower, {}).get(other, 0), runs)
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


def suspect_anew(target: Target, checks: Iterable[str]) -> None:
    """Thinks again about every open combination of these checks, newest first, as the counts now stand."""
    has_changed = False
    for check in checks:
        rows = Combination.objects.filter(IN_QUEUE, target=target, flagged_check=check)
        thought = dict(rows.order_by("-id").values_list("pk", "suspect")[:SUSPECTED_ANEW])
        made_of = _ingredients_of(thought)
        ids = {name: pk for found in made_of.values() for name, pk in found.items()}
        suspects = suspects_among(target.pk, check, {pk: name for name, pk in ids.items()})
        accusation = Accusation(widespread(suspects, made_of.values()))
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
