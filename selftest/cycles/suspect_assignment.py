"""Which ingredient, or which two, each flagged combination is suspected for, by what was counted so far."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from selftest.core.insight.suspects import (
    Accusation,
    widespread,
)
from selftest.models import (
    Combination,
    Ingredient,
    Installation,
    Target,
)
from selftest.models.combination import IN_QUEUE
from selftest.reading.suspects import suspects_among
from selftest.storage.chunks import chunks
from selftest.storage.texts import sha256_hex

SUSPECTED_ANEW = 5_000  # of a check's open combinations, the newest; older ones keep what was thought of them


def ingredient_ids(texts: Iterable[str]) -> dict[str, int]:
    """The rows that stand for these ingredients, made where they are missing."""
    by_sha256 = {sha256_hex(text): text for text in texts}
    ids = _known(by_sha256)
    missing = {sha256: text for sha256, text in by_sha256.items() if text not in ids}
    if missing:
        rows = (Ingredient(text=text, sha256=sha256) for sha256, text in missing.items())
        Ingredient.objects.bulk_create(rows, ignore_conflicts=True)  # another target's cycle may make the same
        ids |= _known(missing)
    return ids


def _known(by_sha256: Mapping[str, str]) -> dict[str, int]:
    known: dict[str, int] = {}
    for chunk in chunks(by_sha256):
        rows = Ingredient.objects.filter(sha256__in=chunk).order_by()
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
    ids = _known({sha256_hex(name): name for name in names})
    put_down = Combination.objects.filter(
        ever_flagged=True, target=target_id, flagged_check=check, suspect__in=ids.values()
    )
    blamed = set(put_down.order_by().values_list("suspect", flat=True).distinct())
    return {name: pk for name, pk in ids.items() if pk in blamed}


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
            for chunk in chunks(combinations):
                Combination.objects.filter(pk__in=chunk).update(suspect=suspect)
    if has_changed:
        Installation.queue_changed()


def _ingredients_of(combinations: Iterable[int]) -> dict[int, dict[str, int]]:
    """Combination → its ingredients by name; those that have any."""
    found: dict[int, dict[str, int]] = defaultdict(dict)
    links = Combination.ingredients.through.objects
    for chunk in chunks(combinations):
        of_chunk = links.filter(combination__in=chunk).order_by()
        for combination, pk, name in of_chunk.values_list("combination", "ingredient", "ingredient__text"):
            found[combination][name] = pk
    return found
