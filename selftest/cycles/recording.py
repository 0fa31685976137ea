"""Claims a run before it is asked and records it once, even if that is tried twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.verdicts import Explained
from selftest.cycles.ingredients import ingredient_ids
from selftest.models import (
    ENGINE,
    Combination,
    Explanation,
    Flag,
    Installation,
    Probe,
    ReviewEvent,
    Run,
    ingredient_keys_of,
)
from selftest.storage import full_text
from selftest.storage.locks import locked
from selftest.storage.serialization import KEPT_ERROR_BYTES, answer_columns, evidence_document, query_of
from selftest.storage.texts import storable

LISTED_CHARACTERS = 500  # of a flagged answer, in the listing; the whole is kept with the run


def claim(run: Run, now: datetime) -> bool:
    """Whether this caller may ask `run`; exactly one may."""
    return Run.objects.filter(pk=run.pk, state=Run.State.PLANNED).update(state=Run.State.ASKING, asked_at=now) == 1


@dataclass(frozen=True)
class ExaminationDetails:
    """The results of an examination other than its findings; as in core.judging.examination.Verdict."""

    explained: Sequence[Explained] = ()
    repeats: int = 0
    reproduced: Mapping[CheckName, int] = field(default_factory=dict)
    probes: Sequence[Probe] = ()
    is_unchecked: bool = False


NO_DETAILS = ExaminationDetails()


def record(
    run: Run, answer: Answer, findings: Sequence[Finding], now: datetime, details: ExaminationDetails = NO_DETAILS
) -> bool:
    """Saves the result of `run`: the run, its flags, its combination and the event, in one transaction.

    Explanations and probes are saved with it. False, and nothing is saved, where it was recorded before or given up
    as a dead worker's.
    """
    reason = storable(findings[0].reason) if findings else None
    with transaction.atomic():
        done = Run.objects.filter(pk=run.pk, state=Run.State.ASKING).update(
            state=Run.State.DONE,
            finished_at=now,
            reason=reason,
            unchecked=details.is_unchecked,
            **answer_columns(answer),
        )
        if done == 0:
            return False
        Flag.objects.bulk_create(  # no statement for none
            Flag(
                run=run,
                combination_id=run.combination_id,
                check_name=finding.check,
                place=place,
                reason=storable(finding.reason),
                evidence=evidence_document(finding),
                asked_again=details.repeats if finding.check in details.reproduced else 0,
                seen_again=details.reproduced.get(finding.check, 0),
                created_at=now,
            )
            for place, finding in enumerate(findings)
        )
        _record_details(run, details, now)
        if reason is not None:
            _follow_flagged(run, answer, findings[0].check, reason, now)
        elif not _follow_clean(run, answer, now):
            return True
        Installation.queue_changed()
    return True


def _record_details(run: Run, details: ExaminationDetails, now: datetime) -> None:
    Probe.objects.bulk_create(details.probes)
    Explanation.objects.bulk_create(
        Explanation(
            run=run,
            target_id=run.target_id,
            combination_id=run.combination_id,
            check_name=item.finding.check,
            reason=storable(item.finding.reason),
            evidence=evidence_document(item.finding),
            cause=item.cause,
            source=storable(item.source)[:200],
            created_at=now,
        )
        for item in details.explained
    )


def _follow_clean(run: Run, answer: Answer, now: datetime) -> bool:
    """A clean run removes nothing from the queue; the combination is only not flagged now any more.

    Returns whether it was ever flagged, which lists show.
    """
    combinations = Combination.objects.filter(pk=run.combination_id)
    columns = _last_columns(run, answer, now) | {"last_flagged_reason": None}
    if combinations.filter(ever_flagged=False).update(**columns):
        return False
    if combinations.filter(currently_flagged=False).update(**columns) == 0:
        combinations.update(**columns, currently_flagged=False)
        _add_event(run, ReviewEvent.Kind.CAME_BACK_CLEAN, "", now)
    return True


def _follow_flagged(run: Run, answer: Answer, check: CheckName, reason: str, now: datetime) -> None:
    combinations = Combination.objects.filter(pk=run.combination_id)
    before = locked(combinations).get()
    columns = (
        _last_columns(run, answer, now)
        | {
            "last_flagged_reason": reason,
            "currently_flagged": True,
            "ever_flagged": True,  # sticky: no run ever resets it
            "last_flagged_run_id": run.pk,
            "last_flagged_result_excerpt": storable(answer.result or answer.error or "")[:LISTED_CHARACTERS],
            "review_status": None,  # a new flag brings a dismissed combination back
            "verdict": None,
            "flagged_check": check,
            "times_flagged": F("times_flagged") + 1,
            "cause_id": None,  # until flags are put down to causes again
        }
    )
    if before.last_flagged_run_id is not None:
        Flag.objects.filter(run=before.last_flagged_run_id).exclude(run=run).update(is_latest=False)
    if before.ingredient_keys is None:  # as of one that is flagged for the first time
        ingredients = ingredient_ids(query_of(before.query).ingredients)
        before.ingredients.add(*ingredients.values())
        columns["ingredient_keys"] = ingredient_keys_of(ingredients.values())
        full_text.note_ingredients(before, ingredients)
    if not before.ever_flagged:
        columns |= {"first_flagged_reason": reason, "first_flagged_timestamp": now}
        full_text.note_flagged([before])
    if before.review_status == Combination.ReviewStatus.DISMISSED:
        columns |= {"held_by": None, "held_at": None}  # the assignee was done with it
    combinations.update(**columns)
    if before.review_status == Combination.ReviewStatus.DISMISSED:
        _add_event(run, ReviewEvent.Kind.RESURFACED, reason, now)
    elif not before.currently_flagged:
        _add_event(run, ReviewEvent.Kind.FLAGGED, reason, now)


def _last_columns(run: Run, answer: Answer, now: datetime) -> dict[str, Any]:
    return {
        "times_generated": F("times_generated") + 1,
        "last_query_text": run.text,
        "last_source_used": storable(answer.source_used)[:200],
        "last_latency_ms": answer.latency_ms,
        "last_run_timestamp": now,
        "last_run_id": run.pk,
    }


def _add_event(run: Run, kind: ReviewEvent.Kind, note: str, now: datetime) -> None:
    """Adds to the combination's activity; that it stays flagged, or clean, is no event."""
    ReviewEvent.objects.create(combination_id=run.combination_id, kind=kind, actor=ENGINE, note=note, run=run, at=now)


def unclaim(run: Run) -> None:
    """Skips a claimed run that was not asked after all, because the target is away; no combination is touched."""
    Run.objects.filter(pk=run.pk, state=Run.State.ASKING).update(state=Run.State.SKIPPED)


def record_own_failure(run: Run, failure: BaseException, now: datetime) -> None:
    """A failure of Gadfly itself on this run: kept as ours, and no combination is touched."""
    own_error = storable(f"{type(failure).__name__}: {failure}", KEPT_ERROR_BYTES)
    Run.objects.filter(pk=run.pk, state=Run.State.ASKING).update(
        state=Run.State.INTERRUPTED, finished_at=now, own_error=own_error
    )
