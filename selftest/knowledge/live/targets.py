"""Targets as pieces: what they are called, how and where they are asked. No secret: of a URL, the host alone."""

from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from django.urls import reverse

from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.live.wording import identifiers_of, key_of, labelled, lines, titled
from selftest.models import Target
from selftest.reading.target_versions import version_of


def chunks_of(numbers: Collection[int]) -> Iterator[Chunk]:
    """Of the targets with these numbers, in order."""
    rows = Target.objects.filter(pk__in=numbers).order_by("pk")
    for row in rows.only("name", "kind", "enabled", "is_default", "base_url", "dotted_path"):
        version, host = version_of(row), _host(row.base_url)
        yield Chunk(
            key_of(Kind.TARGET, row.pk),
            Kind.TARGET,
            titled(row.name),
            lines(
                labelled("Target", row.name),
                row.get_kind_display(),
                labelled("Host", host),
                labelled("Function", row.dotted_path),
                labelled("Version", version),
                "The default target" if row.is_default else "",
                "" if row.enabled else "Switched off",
            ),
            path=f"targets/{row.pk}",
            tags=(row.kind,),
            identifiers=(*identifiers_of(row.pk, "target"), row.name),
            version=version,
            target_id=row.pk,
            url=reverse("target", args=[row.pk]),
            details={"number": row.pk, "host": host, "enabled": row.enabled},
        )


def _host(url: str) -> str:
    """Host and port, without user, password, path and query; "" for what is no URL."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    return f"{parts.hostname or ''}{port}"
