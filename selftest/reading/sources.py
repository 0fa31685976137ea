"""The sources that vocabularies in force name."""

from collections.abc import Sequence
from functools import lru_cache

from selftest.models import Target, VocabularyVersion
from selftest.storage.serialization import vocabulary_of


def sources_of(target: Target) -> Sequence[str]:
    """Those of its vocabulary in force, the encyclopedia among them, in the order of the alphabet."""
    in_force = VocabularyVersion.objects.filter(target=target, in_force=True).order_by()
    for version, sha256 in in_force.values_list("pk", "sha256"):
        own, _ = sources_in(version, sha256)
        return sorted(own)
    return ()


def answering_sources() -> list[str]:
    """Those of all vocabularies in force, merged answers among them, in the order of the alphabet."""
    found: set[str] = set()
    for version, sha256 in VocabularyVersion.objects.filter(in_force=True).order_by().values_list("pk", "sha256"):
        own, merged = sources_in(version, sha256)
        found |= {*own, merged}
    return sorted(found)


@lru_cache(maxsize=64)
def sources_in(version: int, sha256: str) -> tuple[frozenset[str], str]:
    """Of a version by its key: its sources with the encyclopedia, and what a merged answer names as its source.

    Read once, since a version never changes. sha256: of its content.
    """
    vocabulary = vocabulary_of(VocabularyVersion.objects.get(pk=version))
    return frozenset({*vocabulary.sources, vocabulary.encyclopedia}), vocabulary.merged_source
