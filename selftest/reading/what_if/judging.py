"""Judges stored runs twice, the newest first, and counts what differs."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from time import perf_counter

from selftest.core.insight.impact import Impact
from selftest.core.insight.what_if import OF_LIMITS, AnsweredQuery, Judgements, Terms, judge_times_twice, judge_twice
from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName, Finding
from selftest.models import Explanation, Flag, Run, Target
from selftest.models.run import AS_ASKED, ASKED_COLUMNS
from selftest.reading.what_if.memory import NOTHING, Bearing, Histories, KeptProbes, StoredRun, answer_of
from selftest.reading.what_if.result import MOST_EXAMPLES, CheckCount, FlagChange, WhatIfResult
from selftest.storage.serialization import query_of
from selftest.storage.texts import KEPT_RESULT_BYTES

log = logging.getLogger(__name__)

MOST_S = 20.0  # a reader waits, and a web server gives up on a page after 30 s
CHUNK_RUNS = 250  # read at once
LONGEST_CHARACTER_BYTES = 4  # a text is cut between two characters

OURS = "failed for a reason of our own"
CUT = "had an answer too long to be kept whole"
NOT_KEPT = "had an answer that is no longer kept"
NO_VOCABULARY = "were asked by a vocabulary that no longer holds"
FAILED = "made judging fail, of which the log says why,"

ANSWER_COLUMNS = (
    *ASKED_COLUMNS,
    "source_used",
    "latency_ms",
    "http_status",
    "cached",
    "error",
    "result",
    "answer_deleted_at",
)

TermsOf = Callable[[StoredRun], tuple[Terms, Terms] | None]


@dataclass(frozen=True)
class _Case:
    """A run that can be judged, and by what."""

    row: StoredRun
    before: Terms
    after: Terms

    @property
    def may_be_slow(self) -> bool:
        floor_ms = min(self.before.limits.floor_ms, self.after.limits.floor_ms)
        return self.row.is_sample and (self.row.latency_ms or 0.0) > floor_ms


class WhatIfJudging:
    """Judges `rows`, oldest first, before and after a change. believed_hours: for how long a probe is believed."""

    def __init__(self, rows: Sequence[StoredRun], terms_of: TermsOf, believed_hours: float) -> None:
        self._began = perf_counter()
        self._rows = rows
        self._terms_of = terms_of
        self._believed_hours = believed_hours
        self._histories = Histories(rows)
        self._targets = {target.pk: target.name for target in Target.objects.filter(pk__in={r.target for r in rows})}
        self._judged: list[StoredRun] = []
        self._unjudged: Counter[str] = Counter()
        self._come = _FlagChanges()
        self._go = _FlagChanges()
        self._lacking = 0
        self._drifted = 0

    def result(self) -> WhatIfResult:
        """Judges as many runs as there is time for, and says what would differ."""
        is_short = not self._judge_all(list(self._cases()))
        return WhatIfResult(
            runs=len(self._judged),
            is_short=is_short,
            first_at=self._judged[-1].asked_at if self._judged else None,
            last_at=self._judged[0].asked_at if self._judged else None,
            counts=self._counts(),
            come=tuple(self._come.examples),
            go=tuple(self._go.examples),
            unjudged=tuple(sorted(self._unjudged.items())),
            lacking=self._lacking,
            drifted=self._drifted,
            took_s=perf_counter() - self._began,
        )

    def _counts(self) -> tuple[CheckCount, ...]:
        come, go = self._come.by_check, self._go.by_check
        return tuple(CheckCount(check, come[check], go[check]) for check in CheckName if come[check] or go[check])

    def _cases(self) -> Iterator[_Case]:
        for row in self._rows:
            terms = None if row.is_ours else self._terms_of(row)
            if terms is None:
                self._unjudged[OURS if row.is_ours else NO_VOCABULARY] += 1
            else:
                yield _Case(row, *terms)

    def _judge_all(self, cases: Sequence[_Case]) -> bool:
        """Whether there was time for all of them."""
        if not cases:
            return True
        probes = KeptProbes([case.row for case in cases], self._believed_hours)
        scope = _Scope.of(cases, probes)
        chunks: list[Sequence[_Case]] = [*_newest_first(cases), ()]
        probes.read_ahead([case.row for case in chunks[0]])
        for chunk, earlier in pairwise(chunks):
            probes.read_ahead([case.row for case in earlier])
            recorded = _recorded_checks(chunk, scope.checks)
            runs = scope.runs(chunk, recorded)
            for case in reversed(chunk):
                if perf_counter() - self._began > MOST_S:
                    return False
                self._judge(case, runs.get(case.row.pk), scope, recorded.get(case.row.pk, set()), probes)
            probes.forget_from(chunk[0].row)
        return True

    def _judge(self, case: _Case, run: Run | None, scope: "_Scope", recorded: set[str], probes: KeptProbes) -> None:
        """run: None for one of which the change can make nothing else."""
        why_not = None if run is None or scope.is_by_limits else _why_unreadable(run)
        if why_not is not None:
            self._unjudged[why_not] += 1
            return
        try:
            judgements = Judgements() if run is None else self._judgements(case, run, scope, probes)
        except Exception:  # as in a cycle: a failure of ours on one run does not end the others
            if not self._unjudged[FAILED]:
                log.exception("Failed to judge run %d again", case.row.pk)
            self._unjudged[FAILED] += 1
            return
        self._judged.append(case.row)
        self._lacking += judgements.lacks_more
        if run is not None:
            self._drifted += {found.check for found in judgements.before} & scope.checks != recorded
            self._count(self._come, judgements.come, case, run)
            self._count(self._go, judgements.go, case, run)

    def _judgements(self, case: _Case, run: Run, scope: "_Scope", probes: KeptProbes) -> Judgements:
        query, history_ms, kept = query_of(run.document), self._histories.of(case.row), partial(probes.answer, case.row)
        if scope.is_by_limits:
            answer = Answer("", "", case.row.latency_ms or 0.0)  # neither cached nor a crash: it is a sample
            return judge_times_twice(AnsweredQuery(query, answer, history_ms), case.before, case.after, kept)
        return judge_twice(AnsweredQuery(query, answer_of(run), history_ms), case.before, case.after, kept)

    def _count(self, changes: "_FlagChanges", findings: Sequence[Finding], case: _Case, run: Run) -> None:
        for found in findings:
            changes.by_check[found.check] += 1
            if len(changes.examples) < MOST_EXAMPLES:
                target, asked_at = self._targets[case.row.target], case.row.asked_at
                changes.examples.append(FlagChange(run.pk, target, run.text, found.check, found.reason, asked_at))


@dataclass(frozen=True)
class _Scope:
    """What a change can touch: flags of these checks.

    is_by_limits: no answer is read. is_of_recorded: only where a flag of them or an explained finding is recorded, or
    where limits may bring one. impact: only on what a change of the vocabulary bears, with the probes on which
    it does.
    """

    checks: frozenset[CheckName]
    is_by_limits: bool = False
    is_of_recorded: bool = False
    impact: Impact | None = None
    bearing: Bearing = NOTHING

    @classmethod
    def of(cls, cases: Sequence[_Case], probes: KeptProbes) -> "_Scope":
        case = cases[0]  # what differs is the same for all of them
        if case.before.differ_in_limits_alone(case.after):
            return cls(OF_LIMITS, is_by_limits=True)
        switched_off = case.before.checks_switched_off_by(case.after)
        if switched_off:
            has_limits = case.before.limits != case.after.limits
            return cls(switched_off | (OF_LIMITS if has_limits else frozenset()), is_of_recorded=True)
        if case.before.vocabulary is case.after.vocabulary:
            return cls(frozenset(CheckName))
        impact = Impact(case.before.vocabulary, case.after.vocabulary)
        if impact.is_everywhere or any(other.before.vocabulary is not impact.before for other in cases):
            return cls(frozenset(CheckName))
        return cls(frozenset(CheckName), impact=impact, bearing=probes.bearing(impact))

    def runs(self, cases: Sequence[_Case], recorded: Mapping[int, set[str]]) -> dict[int, Run]:
        """Those that have to be looked at, with what is needed of them."""
        if self.is_by_limits:
            wanted = [case.row.pk for case in cases if case.may_be_slow]
        elif self.is_of_recorded:
            known = recorded.keys() | _explained(cases)
            if self.checks >= OF_LIMITS:
                known |= {case.row.pk for case in cases if case.may_be_slow}
            wanted = [case.row.pk for case in cases if case.row.pk in known]
        elif self.impact is not None:
            wanted = list(self._borne_on(cases, self.impact))
        else:
            wanted = _keys(cases)
        columns = ASKED_COLUMNS if self.is_by_limits else ANSWER_COLUMNS
        return {run.pk: run for run in Run.objects.filter(pk__in=wanted).select_related("combination").only(*columns)}

    def _borne_on(self, cases: Sequence[_Case], impact: Impact) -> Iterator[int]:
        slow = {case.row.pk for case in cases if case.may_be_slow} if impact.is_of_the_slow else set()
        columns = ("pk", AS_ASKED, "source_used", *(("result", "answer_deleted_at") if impact.is_of_texts else ()))
        for pk, document, source_used, *answer in Run.objects.filter(pk__in=_keys(cases)).values_list(*columns):
            try:
                query = query_of(document)
            except (KeyError, TypeError, ValueError):
                yield pk  # judging it says what is wrong with it
                continue
            if (
                pk in slow
                or impact.bears_on_query(query, source_used)
                or (answer and _may_bear(impact, *answer))
                or pk in self.bearing.runs
                or self.bearing.texts.may_be_asked_for(query, impact.before)
            ):
                yield pk


class _FlagChanges:
    """Flags that come, or that go."""

    def __init__(self) -> None:
        self.by_check: Counter[CheckName] = Counter()
        self.examples: list[FlagChange] = []  # newest first


def _newest_first(cases: Sequence[_Case]) -> Iterator[Sequence[_Case]]:
    """Pieces of `cases`, the last one first; in each the order stays."""
    for end in range(len(cases), 0, -CHUNK_RUNS):
        yield cases[max(0, end - CHUNK_RUNS) : end]


def _recorded_checks(cases: Sequence[_Case], checks: frozenset[CheckName]) -> dict[int, set[str]]:
    recorded: dict[int, set[str]] = {}
    flags = Flag.objects.filter(run__in=_keys(cases))
    for run, check in flags.values_list("run_id", "check_name"):
        if check in checks:
            recorded.setdefault(run, set()).add(check)
    return recorded


def _explained(cases: Sequence[_Case]) -> set[int]:
    """Runs with a finding that had an innocent cause; without explanations it would be a flag."""
    return set(Explanation.objects.filter(run__in=_keys(cases)).values_list("run_id", flat=True))


def _keys(cases: Sequence[_Case]) -> list[int]:
    return [case.row.pk for case in cases]


def _may_bear(impact: Impact, result: str, deleted_at: datetime | None) -> bool:
    """Whether the change bears on this answer, or it cannot be told."""
    return deleted_at is not None or impact.bears_on_text(result) or _is_cut(result)


def _why_unreadable(run: Run) -> str | None:
    """Why its answer cannot be judged as it was then; None where it can."""
    if run.answer_deleted_at is not None:
        return NOT_KEPT
    return CUT if _is_cut(run.result) else None


def _is_cut(result: str) -> bool:
    """It fills all the room there is. What came with a shorter text was the response around it."""
    if len(result) * LONGEST_CHARACTER_BYTES < KEPT_RESULT_BYTES - LONGEST_CHARACTER_BYTES:
        return False
    return len(result.encode()) > KEPT_RESULT_BYTES - LONGEST_CHARACTER_BYTES
