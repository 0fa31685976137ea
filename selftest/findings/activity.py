"""What people and scripts did to findings, as the activity reads it. What followed by itself is no entry of its own."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db.models import QuerySet

from selftest.findings.models import Act, Finding
from selftest.reading.activity import Position, Reader, Source, done_by

Kind = Act.Kind


def _saved(who: str, user: User | None, after: Position | None) -> QuerySet[Finding]:
    rows = Finding.objects.filter(done_by(who, user)).order_by("-id")
    return rows if after is None else rows.filter(pk__lt=after.pk)


def _acts(who: str, user: User | None, after: Position | None) -> QuerySet[Act]:
    """Without what a deletion sets free."""
    rows = Act.objects.filter(done_by(who, user)).exclude(kind=Kind.FREED).order_by("-id")
    rows = rows.select_related("finding", "other")
    return rows if after is None else rows.filter(pk__lt=after.pk)


# What a save superseded is the newer one of the two, also where both are of one moment.
READERS: Mapping[Source, Reader] = {Source.FINDING_ACT: _acts, Source.FINDING: _saved}
