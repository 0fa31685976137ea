"""Which raw answers have been kept for long enough, and their deletion. Everything else of a run stays as it is.

Deleted are answers of clean runs and of their probes. Kept is what a person may have to look at: runs with a finding,
also an explained one, those that an event or a smallest query refers to, and of what was ever flagged the latest
clean run, which the flagged one is compared with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import NamedTuple

from django.db.models import Exists, OuterRef
from django.dispatch import Signal

from selftest.models import Combination, Cycle, Explanation, Flag, Probe, Reduction, ReviewEvent, Run

answers_deleted = Signal()  # `runs`: their numbers, in the transaction that deletes their answers
# `kept_since`, `now`: who keeps answers apart from runs deletes a batch of older ones and returns how many they were.
other_answers_outdated = Signal()

BATCH_RUNS = 200  # with their probes some hundred rows: their locks last for milliseconds

_OPEN = (Run.State.PLANNED, Run.State.ASKING)


class _Passed(NamedTuple):
    """What decides about a run without looking at its answer. cycle: its state."""

    pk: int
    combination: int
    state: str
    cycle: str
    finished_at: datetime | None


@dataclass(frozen=True)
class OldAnswers:
    """A stretch of runs. through: the last of them. runs: those of it, or earlier ones, whose answers can go."""

    through: int
    runs: Sequence[int]


def next_old_answers(after: int, kept_since: datetime, now: datetime) -> OldAnswers | None:
    """The next stretch after this run; None where the run that comes next is not over or is not that old.

    A run of a clock that was ahead is passed over and keeps its answer: when it was is not known.
    """
    rows = Run.objects.filter(pk__gt=after).order_by("pk")
    deciding = rows.values_list("pk", "combination_id", "state", "cycle__state", "finished_at")

    def is_passed(run: _Passed) -> bool:
        is_kept_still = run.finished_at is not None and kept_since <= run.finished_at <= now
        is_open = run.state in _OPEN and run.cycle in Cycle.OPEN_STATES
        return not is_open and not is_kept_still

    stretch = list(takewhile(is_passed, (_Passed(*row) for row in deciding[:BATCH_RUNS])))
    if not stretch:
        return None
    old = [run for run in stretch if run.state == Run.State.DONE and run.finished_at and run.finished_at < kept_since]
    return OldAnswers(stretch[-1].pk, _unneeded(old, stretch[-1].pk))


def _unneeded(old: Sequence[_Passed], through: int) -> list[int]:
    flagged = set(
        Combination.objects.filter(pk__in={run.combination for run in old}, ever_flagged=True)
        .order_by()
        .values_list("pk", flat=True)
    )
    candidates = [run.pk for run in old if run.combination not in flagged]
    return without_findings([*candidates, *_followed_by_a_clean_one(flagged, through)])


def _followed_by_a_clean_one(combinations: set[int], through: int) -> list[int]:
    """All clean runs of these up to `through` but the latest of each: also one that was the latest some time ago."""
    clean = Run.objects.filter(combination__in=combinations, state=Run.State.DONE, answer_deleted_at=None)
    rows = clean.filter(~Exists(Flag.objects.filter(run=OuterRef("pk")))).order_by("pk")
    found = list(rows.values_list("combination_id", "pk"))
    latest = dict(found)
    return [pk for combination, pk in found if pk != latest[combination] and pk <= through]


def without_findings(keys: Sequence[int]) -> list[int]:
    """Those of these runs that are clean and that nothing refers to."""
    referring = (Flag, Explanation, ReviewEvent, Reduction)
    unreferred = [~Exists(model._default_manager.filter(run=OuterRef("pk"))) for model in referring]
    rows = Run.objects.filter(*unreferred, pk__in=keys, reason=None, answer_deleted_at=None)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def delete_answers(runs: Sequence[int], now: datetime) -> int:
    """Deletes the answers of these runs and of their probes; returns how many there were. Empty ones stay empty."""
    of_runs = Run.objects.filter(pk__in=runs, answer_deleted_at=None).exclude(result="")
    of_probes = Probe.objects.filter(run__in=runs, answer_deleted_at=None).exclude(result="")
    deleted = sum(answers.update(result="", answer_deleted_at=now) for answers in (of_runs, of_probes))
    answers_deleted.send(sender=Run, runs=runs)
    return deleted
