"""The rows of ingredients, by their texts."""

from collections.abc import Iterable, Mapping

from selftest.models import Ingredient
from selftest.storage.chunks import chunks
from selftest.storage.texts import sha256_hex


def ingredient_ids(texts: Iterable[str]) -> dict[str, int]:
    """The rows of these ingredients, made where they are missing."""
    by_sha256 = {sha256_hex(text): text for text in texts}
    ids = known_ids(by_sha256)
    missing = {sha256: text for sha256, text in by_sha256.items() if text not in ids}
    if missing:
        rows = (Ingredient(text=text, sha256=sha256) for sha256, text in missing.items())
        Ingredient.objects.bulk_create(rows, ignore_conflicts=True)  # another target's cycle may make the same
        ids |= known_ids(missing)
    return ids


def known_ids(by_sha256: Mapping[str, str]) -> dict[str, int]:
    """The rows that there are. by_sha256: the texts of ingredients."""
    known: dict[str, int] = {}
    for chunk in chunks(by_sha256):
        rows = Ingredient.objects.filter(sha256__in=chunk).order_by()
        known |= {by_sha256[sha256]: pk for sha256, pk in rows.values_list("sha256", "pk")}
    return known
