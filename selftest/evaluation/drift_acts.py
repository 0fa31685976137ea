"""What changes the references of drift: a person's reset, and decisions on proposals. All of an act is one transaction.

A change first writes the row of the target's watch, so that it and the hourly check follow one another.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from selftest.evaluation.models import DriftAlert, DriftEvent, DriftProposal, DriftSeries, DriftWatch
from selftest.models import Actor
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.judgement import checked_reason


def lock(target: int) -> None:
    """Until the transaction ends, no other change of drift is made on the target."""
    DriftWatch.objects.filter(target=target).update(changes=F("changes") + 1)


def reset(series: DriftSeries, reason: str, actor: Actor) -> None:
    """Drops the reference: the next values make another one. Raises RefusedError without a reason or a reference."""
    reason = _needed(reason)
    now = timezone.now()
    with transaction.atomic():
        lock(series.target_id)
        found = DriftSeries.objects.get(pk=series.pk)
        if not found.reference:
            raise OutdatedError("it has no reference: the next values make one")
        _clear([found], now)
        _tell(DriftEvent.Kind.RESET, found.target_id, reason, actor, now, found)


def accept(proposal: DriftProposal, reason: str, actor: Actor) -> int:
    """Drops all references of the target; how many. Raises OutdatedError where it is decided."""
    reason = checked_reason(reason)
    now = timezone.now()
    with transaction.atomic():
        lock(proposal.target_id)
        _decide(proposal, DriftProposal.State.ACCEPTED)
        of_target = list(DriftSeries.objects.filter(target=proposal.target_id))
        dropped = sum(bool(series.reference) for series in of_target)
        _clear(of_target, now)
        DriftWatch.objects.filter(target=proposal.target_id).update(
            version=proposal.version, vocabulary=proposal.vocabulary_id
        )
        _tell(DriftEvent.Kind.ACCEPTED, proposal.target_id, _with_reason(proposal, reason), actor, now)
    return dropped


def refuse(proposal: DriftProposal, reason: str, actor: Actor) -> None:
    """Keeps the references; for this version it is not proposed again. Raises as `accept` does."""
    reason = checked_reason(reason)
    with transaction.atomic():
        lock(proposal.target_id)
        _decide(proposal, DriftProposal.State.REFUSED)
        note = _with_reason(proposal, reason)
        _tell(DriftEvent.Kind.REFUSED, proposal.target_id, note, actor, timezone.now())


def _needed(reason: str) -> str:
    reason = checked_reason(reason)
    if not reason:
        raise RefusedError("say why: what was normal until now is forgotten")
    return reason


def _with_reason(proposal: DriftProposal, reason: str) -> str:
    return f"{proposal.what}: {reason}" if reason else proposal.what


def _decide(proposal: DriftProposal, state: DriftProposal.State) -> None:
    still_open = DriftProposal.objects.filter(pk=proposal.pk, state=DriftProposal.State.OPEN)
    if not still_open.update(state=state):
        raise OutdatedError("this proposal is decided or overtaken already")


def _clear(rows: Iterable[DriftSeries], now: datetime) -> None:
    """Without reference and windows; each reference is kept in an event where it was reset alone."""
    pks = [row.pk for row in rows]
    DriftSeries.objects.filter(pk__in=pks).update(
        pending=[], reference=[], reference_at=None, last_p=None, last_values=[], last_verdict="", calm_windows=0
    )
    open_alerts = DriftAlert.objects.filter(series__in=pks, ended_at=None)
    open_alerts.update(ended_at=now, end=DriftAlert.End.RESET)


def _tell(
    kind: DriftEvent.Kind, target: int, note: str, actor: Actor, now: datetime, series: DriftSeries | None = None
) -> None:
    DriftEvent.objects.create(
        kind=kind,
        target_id=target,
        series=series,
        note=note,
        before=series.reference if series else None,
        user=actor.user,
        actor=actor.name,
        at=now,
    )
