"""Findings as pieces. Those that were superseded are not found."""

from collections.abc import Collection, Iterator

from django.urls import reverse

from selftest.findings.models import Finding
from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.core.words import language_of
from selftest.knowledge.live.wording import checks_in_words, identifiers_of, key_of, labelled, lines, titled


def chunks_of(numbers: Collection[int]) -> Iterator[Chunk]:
    """Of the findings with these numbers, in order."""
    for row in Finding.objects.filter(pk__in=numbers, superseded_by=None).order_by("pk"):
        tags = tuple(map(str, row.tags))
        yield Chunk(
            key_of(Kind.FINDING, row.pk),
            Kind.FINDING,
            titled(row.content),
            lines(
                row.content,
                labelled("Category", row.category),
                labelled("Tags", ", ".join(tags)),
                labelled("Source", row.source),
                labelled("Check", checks_in_words([row.check_name] if row.check_name else [])),
                "A correction by a person." if row.is_correction else "",
            ),
            language_of(row.content),
            path=f"findings/{row.pk}",
            section_path=(row.category,),
            tags=tags,
            identifiers=identifiers_of(row.pk, "finding"),
            target_id=row.target_id,
            url=reverse("finding", args=[row.pk]),
            details={"number": row.pk, "category": row.category, "is_correction": row.is_correction},
        )
