"""Putting a vocabulary document in force, as the next version of its target's vocabulary."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from selftest.core.generation.generator import introductions
from selftest.core.generation.vocabulary import parse_vocabulary
from selftest.models import Installation, Target, VocabularyVersion
from selftest.storage.locks import locked
from selftest.storage.serialization import content_sha256


def import_vocabulary(
    target: Target, document: object, now: datetime | None = None, user: Any = None
) -> tuple[VocabularyVersion, bool]:
    """Puts `document` in force for `target`; returns the version in force and whether that changed anything.

    Raises VocabularyError where the document is not valid; the version in force then stays.
    """
    vocabulary = parse_vocabulary(document)
    sha256 = content_sha256(document)
    with transaction.atomic():
        in_force = locked(target.vocabularies).filter(in_force=True).first()
        if in_force is not None and in_force.sha256 == sha256:
            return in_force, False
        last = target.vocabularies.order_by("-number").first()
        number = 1 if last is None else last.number + 1
        target.vocabularies.filter(in_force=True).update(in_force=False)
        introduced_in = introductions(vocabulary, number, in_force.births if in_force else {})
        version = VocabularyVersion.objects.create(
            target=target,
            number=number,
            content=document,
            sha256=sha256,
            births=introduced_in,
            in_force=True,
            created_at=now or timezone.now(),
            created_by=user,
        )
        Installation.queue_changed()  # what broke in a query is told by its words
    return version, True
