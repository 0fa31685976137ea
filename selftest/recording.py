"""Claims a run before it is asked and records it once, however often that is tried."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F

from selftest.core.answers import Answer
from selftest.core.checks import Finding
from selftest.models import Combination, Cycle, Flag, ReviewEvent, Run
from selftest.store import KEPT_ERROR_BYTES, answer_columns, evidence_document, storable

EXCERPT_CHARACTERS = 500  # of a flagged answer, in the listing; the whole is kept with the run
ENGINE = "engine"


def claim(run: Run, now: datetime) -> bool:
    """Whether this caller may ask `run`; exactly one may."""
    return Run.objects.filter(pk=run.pk, state=Run.State.PLANNED).update(state=Run.State.ASKING, asked_at=now) == 1


def record(run: Run, answer: Answer, findings: Sequence[Finding], now: datetime) -> bool:
    """Writes what came of `run`: the run, its flags, its combination and its cycle's counts, together.

    False, and nothing is written, where it was recorded before or given up as a dead worker's.
    """
    reason = storable(findings[0].reason) if findings else None
    with transaction.atomic():
        done = Run.objects.filter(pk=run.pk, state=Run.State.ASKING).update(
            state=Run.State.DONE, finished_at=now, reason=reason, **answer_columns(answer)
        )
        if done == 0:
            return False
        Flag.objects.bulk_create(
            Flag(
                run=run,
                combination_id=run.combination_id,
                check_name=finding.check,
                place=place,
                reason=storable(finding.reason),
                evidence=evidence_document(finding),
                created_at=now,
            )
            for place, finding in enumerate(findings)
        )
        is_novel = _follow(run, answer, reason, now)
        Cycle.objects.filter(pk=run.cycle_id).update(
            queries_run=F("queries_run") + 1,
            flagged=F("flagged") + (1 if findings else 0),
            novel=F("novel") + (1 if is_novel else 0),
            heartbeat_at=now,
        )
    return True


def _follow(run: Run, answer: Answer, reason: str | None, now: datetime) -> bool:
    """Brings the combination up to date with its newest run. Whether it was its first."""
    before = Combination.objects.select_for_update().get(pk=run.combination_id)
    columns = {
        "times_generated": F("times_generated") + 1,
        "last_query_text": run.query_text,
        "last_source_used": storable(answer.source_used)[:200],
        "last_latency_ms": answer.latency_ms,
        "last_flagged_reason": reason,
        "last_run_timestamp": now,
        "last_run_id": run.pk,
        "currently_flagged": reason is not None,
    }
    if reason is not None:
        columns |= {
            "ever_flagged": True,  # sticky: no run ever takes it back
            "last_flagged_run_id": run.pk,
            "last_flagged_result_excerpt": storable(answer.result or answer.error or "")[:EXCERPT_CHARACTERS],
            "review_status": None,  # a new flag brings a dismissed combination back
        }
        if not before.ever_flagged:
            columns |= {"first_flagged_reason": reason, "first_flagged_timestamp": now}
    Combination.objects.filter(pk=before.pk).update(**columns)
    kind = _turn(before, reason)
    if kind is not None:
        ReviewEvent.objects.create(combination=before, kind=kind, actor=ENGINE, note=reason or "", run=run, at=now)
    return before.times_generated == 0


def _turn(before: Combination, reason: str | None) -> ReviewEvent.Kind | None:
    """The turn in the combination's story that this run makes, if any."""
    if reason is None:
        return ReviewEvent.Kind.CAME_BACK_CLEAN if before.currently_flagged else None
    if before.review_status == Combination.ReviewStatus.DISMISSED:
        return ReviewEvent.Kind.RESURFACED
    return None if before.currently_flagged else ReviewEvent.Kind.FLAGGED


def give_back(run: Run) -> None:
    """A claimed run that was not asked after all, because nobody was there: skipped, no combination is touched."""
    Run.objects.filter(pk=run.pk, state=Run.State.ASKING).update(state=Run.State.SKIPPED)


def record_own_failure(run: Run, failure: BaseException, now: datetime) -> None:
    """A failure of Gadfly itself on this run: kept as ours, and no combination is touched."""
    own_error = storable(f"{type(failure).__name__}: {failure}", KEPT_ERROR_BYTES)
    Run.objects.filter(pk=run.pk, state=Run.State.ASKING).update(
        state=Run.State.INTERRUPTED, finished_at=now, own_error=own_error
    )
