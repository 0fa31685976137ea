"""Brings back what was put off for later once its date or its version has come. Causes tell that by themselves."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from selftest.models import ENGINE, Cause, Combination, Installation, ReviewEvent, Target
from selftest.reading.target_versions import version_of
from selftest.reading.verdicts import PutOff
from selftest.storage.chunks import CHUNK_ROWS, chunks
from selftest.storage.locks import locked

IS_PUT_OFF = Q(verdict=Cause.Verdict.LATER) & (Q(until_date__isnull=False) | Q(until_version__isnull=False))
COLUMNS = ("until_date", "until_version", "judged_version", "last_run")


def bring_back_due(now: datetime) -> int:
    """Returns all that is due to the queue, with an event each; how many they were. Cheap where nothing is put off."""
    put_off = Combination.objects.filter(IS_PUT_OFF).order_by()
    back = 0
    for target in Target.objects.filter(pk__in=put_off.values("target")):
        version = version_of(target)
        rows = put_off.filter(target=target).only(*COLUMNS).iterator(CHUNK_ROWS)
        due = [row.pk for row in rows if _is_due(row, version, now)]
        back += sum(_bring_back(keys, version, now) for keys in chunks(due))
    return back


def _is_due(row: Combination, version: str, now: datetime) -> bool:
    return PutOff(row.until_date, row.until_version or "", row.judged_version or "").is_due(now.date(), version)


def _bring_back(keys: Sequence[int], version: str, now: datetime) -> int:
    with transaction.atomic():
        # Locked and judged once more: a person may have restored some meanwhile, or put them off again.
        again = locked(Combination.objects).filter(IS_PUT_OFF, pk__in=keys).order_by("id").only(*COLUMNS)
        due = [row for row in again if _is_due(row, version, now)]
        Combination.objects.filter(pk__in=[row.pk for row in due]).update(review_status=None, verdict=None)
        ReviewEvent.objects.bulk_create(
            ReviewEvent(
                combination=row,
                kind=ReviewEvent.Kind.DUE,
                actor=ENGINE,
                run_id=row.last_run_id,
                note=_why(row, now),
                at=now,
            )
            for row in due
        )
        if due:
            Installation.queue_changed()
    return len(due)


def _why(row: Combination, now: datetime) -> str:
    if row.until_date is not None and now.date() >= row.until_date:
        return f"put off until {row.until_date.day} {row.until_date:%b %Y}"
    if row.until_version == row.judged_version:
        return f"the target answers with another version than {row.until_version}"
    return f"the target answers with version {row.until_version}"
