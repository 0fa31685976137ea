"""Which ingredient, or which pair of them, is the suspect of each flagged combination, by the statistics so far."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from selftest.core.insight.suspects import Accusation, widespread
from selftest.cycles.ingredients import ingredient_ids, known_ids
from selftest.models import Combination, Installation, Target
from selftest.models.combination import IN_QUEUE
from selftest.reading.suspects import suspects_among
from selftest.storage.chunks import chunks
from selftest.storage.texts import sha256_hex

MOST_UPDATED = 5_000  # of a check's open combinations, the newest; older ones keep their suspect


def suspect_of(target_id: int, check: str, ids: Mapping[str, int]) -> int:
    """The row of the ingredient out of `ids`, or of the pair of them, that goes most strongly with `check` here.

    A pair only where it is the suspect of others already: whether it explains several is decided when a cycle ends.
    """
    found = suspects_among(target_id, check, {pk: name for name, pk in ids.items()})
    pairs = _pairs_blamed(target_id, check, [suspect.name for suspect in found if suspect.is_pair])
    name = Accusation(suspect for suspect in found if not suspect.is_pair or suspect.name in pairs).of(ids)
    return ids[name] if name in ids else pairs[name]


def _pairs_blamed(target_id: int, check: str, names: Sequence[str]) -> dict[str, int]:
    """The rows of those pairs that are already a suspect."""
    if not names:
        return {}
    ids = known_ids({sha256_hex(name): name for name in names})
    suspected = Combination.objects.filter(
        ever_flagged=True, target=target_id, flagged_check=check, suspect__in=ids.values()
    )
    blamed = set(suspected.order_by().values_list("suspect", flat=True).distinct())
    return {name: pk for name, pk in ids.items() if pk in blamed}


def update_suspects(target: Target, checks: Iterable[str]) -> None:
    """Decides again about every open combination of these checks, newest first, by the current statistics."""
    has_changed = False
    for check in checks:
        rows = Combination.objects.filter(IN_QUEUE, target=target, flagged_check=check)
        known = dict(rows.order_by("-id").values_list("pk", "suspect")[:MOST_UPDATED])
        made_of = _ingredients_of(known)
        ids = {name: pk for found in made_of.values() for name, pk in found.items()}
        suspects = suspects_among(target.pk, check, {pk: name for name, pk in ids.items()})
        accusation = Accusation(widespread(suspects, made_of.values()))
        named = {combination: accusation.of(found) for combination, found in made_of.items()}
        ids |= ingredient_ids(set(named.values()) - ids.keys())  # the pairs
        changed: dict[int, list[int]] = defaultdict(list)
        for combination, name in named.items():
            if ids[name] != known[combination]:
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
