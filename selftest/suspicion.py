"""Which ingredient each flagged combination is suspected for, by what was counted so far."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from selftest.core.suspects import Together, most_suspect
from selftest.models import ANY_CHECK, Combination, Ingredient, IngredientTally, Installation, Target
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
    """The row of the ingredient, out of `ids`, that goes most strongly with `check` on this target."""
    return ids[most_suspect(ids, _seen(target_id, check, ids))]


def _seen(target_id: int, check: str, ids: Mapping[str, int]) -> dict[str, Together]:
    names = {pk: name for name, pk in ids.items()}
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    wanted = list(names)
    for first in range(0, len(wanted), CHUNK_ROWS):
        tallies = IngredientTally.objects.filter(
            target=target_id, check_name__in=[ANY_CHECK, check], ingredient__in=wanted[first : first + CHUNK_ROWS]
        )
        for pk, of, runs in tallies.order_by().values_list("ingredient", "check_name", "runs"):
            counts[names[pk]][of] = runs
    return {name: Together(runs.get(ANY_CHECK, 0), runs.get(check, 0)) for name, runs in counts.items()}


def suspect_anew(target: Target, checks: Iterable[str]) -> None:
    """Thinks again about every open combination of these checks, newest first, as the counts now stand."""
    has_changed = False
    for check in checks:
        rows = Combination.objects.filter(IN_QUEUE, target=target, flagged_check=check)
        thought = dict(rows.order_by("-id").values_list("pk", "suspect")[:SUSPECTED_ANEW])
        made_of = _ingredients_of(thought)
        ids = {name: pk for found in made_of.values() for name, pk in found.items()}
        seen = _seen(target.pk, check, ids)
        changed: dict[int, list[int]] = defaultdict(list)
        for combination, found in made_of.items():
            suspect = found[most_suspect(found, seen)]
            if suspect != thought[combination]:
                changed[suspect].append(combination)
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
