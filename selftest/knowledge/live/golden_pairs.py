"""Golden pairs as pieces, by their current version. Archived ones are not found."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.urls import reverse

from selftest.evaluation.core.pairs import KIND_NAMES, PairKind
from selftest.evaluation.models import GoldenPair
from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.core.words import language_of
from selftest.knowledge.live.wording import identifiers_of, key_of, labelled, lines, titled


def chunks_of(numbers: Collection[int]) -> Iterator[Chunk]:
    """Of the pairs with these numbers, in order."""
    rows = GoldenPair.objects.filter(pk__in=numbers, current__is_archived=False)
    for row in rows.select_related("current", "golden_set").order_by("pk"):
        version = row.current
        if version is None:
            continue
        kind = KIND_NAMES.get(PairKind(version.kind), version.kind) if version.kind in KIND_NAMES else version.kind
        yield Chunk(
            key_of(Kind.GOLDEN_PAIR, row.pk),
            Kind.GOLDEN_PAIR,
            titled(row.name),
            lines(
                labelled("Query", version.query),
                kind,
                *_expectations(version.expectations),
                labelled("Why", version.why),
                labelled("Set", row.golden_set.name),
            ),
            language_of(version.query),
            path=f"evaluation/pairs/{row.pk}",
            section_path=(row.golden_set.name,),
            tags=(row.golden_set.name, version.kind),
            identifiers=(*identifiers_of(row.pk, "pair", "golden pair"), row.name),
            target_id=version.target_id,
            url=reverse("pair", args=[row.pk]),
            details={"number": row.pk, "query": version.query, "kind": version.kind},
        )


def of_sets(sets: Collection[int]) -> set[int]:
    """The numbers of the pairs in these sets."""
    return set(GoldenPair.objects.filter(golden_set__in=sets).order_by().values_list("pk", flat=True))


def _expectations(wanted: Mapping[str, Any]) -> Iterator[str]:
    """A line each."""
    if wanted.get("refuses"):
        yield "Refused: it says that it has nothing."
    if sources := wanted.get("sources"):
        yield labelled("Content from", ", ".join(sources))
    if headers := wanted.get("headers"):
        order = " in this order" if wanted.get("headers_ordered") else ""
        yield labelled(f"Headers{order}", ", ".join(headers))
    for part in wanted.get("parts") or ():
        yield f"Part “{part['text']}” from {part['source']}"
    if absent := wanted.get("absent"):
        yield labelled("Without", ", ".join(f"“{phrase}”" for phrase in absent))
    if latency := wanted.get("latency"):
        yield labelled("Latency", str(latency))
