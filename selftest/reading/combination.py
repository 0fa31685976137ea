"""One combination: its runs, its activity, its place in a list, and what else is known of its parts and its recipe."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from selftest.core.judging.latency import latency_verdict
from selftest.models import (
    Combination,
    Cycle,
    Flag,
    ReviewEvent,
    Run,
    Target,
)
from selftest.models.combination import IN_QUEUE
from selftest.models.run import AS_ASKED, text_of
from selftest.reading.judging_terms import latency_limits
from selftest.reading.queue import NEWEST_RUN_FIRST
from selftest.reading.tuning import settings_in_force
from selftest.refusals import UnknownError
from selftest.storage.texts import sha256_hex


def combination_numbered(pk: int) -> Combination | None:
    """With its target, its assignee and its cause."""
    return Combination.objects.select_related("target", "held_by", "cause").filter(pk=pk).first()


BEHIND_THE_ANSWER = (
    "result",
    "result_length_bytes",
    "result_sha256",
    "reason",
    "unchecked",
    "answer_deleted_at",
)  # a long one is read to reach them


def runs_of(combination: Combination, limit: int, before: int | None = None) -> list[Run]:
    """Its newest runs, or those before the one of this number; the newest first, without their answers."""
    runs = combination.runs.defer(*BEHIND_THE_ANSWER).order_by("-id")
    found = list((runs if before is None else runs.filter(pk__lt=before))[:limit])
    first_findings = Flag.objects.filter(run__in=[run.pk for run in found], place=0).order_by()
    reasons = dict(first_findings.values_list("run", "reason"))
    clean = [run for run in found if run.state == Run.State.DONE and run.pk not in reasons]
    # From an index, which holds these alone: the column itself stands behind the answer.
    of_all = combination.runs.filter(unchecked=True).order_by().values_list("pk", flat=True)
    unchecked = set(of_all) if clean else set()
    for run in found:
        run.reason = reasons.get(run.pk)
        run.unchecked = run.pk in unchecked
    return found


def latest_clean_run(combination: Combination) -> Run | None:
    """The newest one that kept its promises, without its answer until that is asked for."""
    found_nothing = ~Exists(Flag.objects.filter(run=OuterRef("pk")))
    clean = combination.runs.filter(found_nothing, state=Run.State.DONE)
    return clean.defer("result").order_by("-id").first()


def story_of(combination: Combination) -> QuerySet[ReviewEvent]:
    """What happened to it, the newest first."""
    return combination.events.order_by("-id")


def asked_again(combination: Combination) -> Cycle | None:
    """The newest cycle that asks it alone."""
    return Cycle.objects.filter(combination=combination).order_by("-id").first()


def alike(combination: Combination, limit: int) -> Sequence[Combination]:
    """Open ones of its target with the same cause, the newest run first; none while it has none."""
    if combination.cause_id is None:
        return []
    same = Combination.objects.filter(IN_QUEUE, target=combination.target_id, cause=combination.cause_id)
    # The keys first: an index holds all that they are found by, and the wide rows are read for a few only. Ordered so
    # that no other index has the order: SQLite would walk through all of the queue for a cause that is rare.
    newest = Coalesce("last_run_timestamp", "first_flagged_timestamp").desc()
    keys = list(same.exclude(pk=combination.pk).order_by(newest, "-pk").values_list("pk", flat=True)[:limit])
    rows = Combination.objects.filter(pk__in=keys).order_by(*NEWEST_RUN_FIRST)
    return list(rows.only("last_query_text", "last_run_timestamp", "currently_flagged"))


@dataclass(frozen=True)
class TimedRun:
    """A run that says something of its recipe's latency: answered, and not from a cache."""

    pk: int
    latency_ms: float
    at: datetime | None
    combination: int
    query: str
    is_flagged: bool


@dataclass(frozen=True)
class LatencyHistory:
    """runs: oldest first. p95_ms, threshold_ms: as the next run would be judged now; None below `min_samples`."""

    runs: tuple[TimedRun, ...]
    p95_ms: float | None
    threshold_ms: float | None
    min_samples: int


def latency_history(combination: Combination, limit: int) -> LatencyHistory:
    """The last `limit` runs of its recipe on its target that were timed, in two queries and the settings'."""
    timed = Run.objects.filter(
        target=combination.target_id,
        recipe_name=combination.recipe_name,
        state=Run.State.DONE,
        cached=False,
        error="",
        latency_ms__isnull=False,
    ).order_by("-id")
    columns = ("pk", "latency_ms", "finished_at", "combination_id", "query_text", AS_ASKED)
    newest = list(timed.values_list(*columns)[:limit])[::-1]
    # From the flags' index: the reason stands behind the answer in its row, which may be long.
    flagged = set(Flag.objects.filter(run__in=[row[0] for row in newest]).values_list("run_id", flat=True).order_by())
    runs = tuple(
        TimedRun(pk, ms or 0.0, at, of, text or text_of(document), pk in flagged)
        for pk, ms, at, of, text, document in newest
    )
    limits = latency_limits(settings_in_force())
    verdict = latency_verdict(math.inf, [run.latency_ms for run in runs], limits)
    return LatencyHistory(
        runs,
        verdict.p95_ms if verdict else None,
        verdict.threshold_ms if verdict else None,
        limits.min_samples,
    )


def combination_of(fingerprint: str, target: Target) -> Combination:
    """Raises UnknownError."""
    found = Combination.objects.filter(target=target, fingerprint_sha256=sha256_hex(fingerprint)).first()
    if found is None:
        raise UnknownError(f"unknown fingerprint {fingerprint!r}; give the exact string of a flagged row")
    return found
