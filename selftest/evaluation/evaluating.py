"""Asks a golden set of a target and keeps a report. Decides by structure alone; graders look on.

No transaction is open meanwhile. Testing that is switched off is off here, too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from functools import cached_property

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.cycles.requests_in_turn import NoMoreRequestsError, Reason, RequestsInTurn
from selftest.evaluation.core.baseline import changed_structure
from selftest.evaluation.core.expectations import Judged, SeenAnswer, judge
from selftest.evaluation.core.graders.figures import changing_figures
from selftest.evaluation.core.pairs import LIMITS_S, Baseline, PairContent
from selftest.evaluation.core.samples import ChangingFigure, Part, Sample
from selftest.evaluation.graders_in_force import graders_of_batches
from selftest.evaluation.grading import grade, sample_of, warn_of_low
from selftest.evaluation.models import GoldenPair, GoldenSet, PairResult, PairVersion, Report, thresholds
from selftest.evaluation.reading import changes_since, content_of_version, grounds_of, pairs_to_ask
from selftest.models import Actor, Target, VocabularyVersion
from selftest.reading.targets import vocabulary_numbered
from selftest.reading.tuning import is_enabled
from selftest.refusals import RefusedError
from selftest.storage.serialization import answer_columns, vocabulary_of
from selftest.storage.target_clients import open_target
from selftest.storage.texts import storable

FIGURE = re.compile(r"\d")
LATENCY_TRIES = 3  # the best of these counts: a machine that is busy for a moment is no fault of the target
Outcome = PairResult.Outcome


class _StoppedError(Exception):
    """No more can be asked. state: that the report ends in."""

    def __init__(self, state: Report.State, note: str) -> None:
        super().__init__(note)
        self.state = state


@dataclass(frozen=True)
class _Asked:
    """A pair on its way into a report."""

    pair: GoldenPair
    version: PairVersion
    content: PairContent


def evaluate(golden_set: GoldenSet, target: Target, actor: Actor) -> Report:
    """Asks each pair of the set that is in use, once. Raises RefusedError where nothing can be asked at all."""
    version, asked = _to_ask(golden_set, target)
    _end_abandoned(golden_set, target)
    report = Report.objects.create(
        golden_set=golden_set, target=target, vocabulary=version, actor=actor.name, started_at=timezone.now()
    )
    vocabulary = vocabulary_of(version)
    try:
        answers = _ask(report, asked, vocabulary)
        _save(report, _results(report, asked, answers, vocabulary))
    except _StoppedError as stopped:
        _end(report, stopped.state, str(stopped))
    except BaseException as failure:  # a stop of the worker, a failure of ours: marked, then passed on
        _end(report, Report.State.INTERRUPTED, f"stopped: {type(failure).__name__}")
        raise
    report.refresh_from_db()
    return report


def good_samples(golden_set: GoldenSet, target: Target) -> list[Sample]:
    """The answers to the pairs that hold, as graders get them; no report is kept.

    Raises RefusedError, also where the target is away or no pair holds.
    """
    version, asked = _to_ask(golden_set, target)
    vocabulary = vocabulary_of(version)
    report = Report(golden_set=golden_set, target=target, vocabulary=version)  # never saved
    try:
        answers = _ask(report, asked, vocabulary)
    except _StoppedError as stopped:
        raise RefusedError(f"set {golden_set} could not be asked of {target}: {stopped}") from stopped
    results = _judged(report, asked, answers, vocabulary)
    held = [one for one, result in zip(asked, results, strict=True) if result.outcome == Outcome.HELD]
    if not held:
        raise RefusedError(f"no pair of set {golden_set} holds on {target}, so none of its answers is a good one")
    return [_sample(one, answers, vocabulary) for one in held]


def _to_ask(golden_set: GoldenSet, target: Target) -> tuple[VocabularyVersion, list[_Asked]]:
    """Raises RefusedError."""
    if not is_enabled(target):
        raise RefusedError(f"testing of {target} is switched off")
    version = vocabulary_numbered(target)
    if version is None:
        raise RefusedError(f"{target} has no vocabulary; import one with `manage.py vocabulary import FILE`")
    asked = [
        _Asked(pair, pair.current, content_of_version(pair.current))
        for pair in pairs_to_ask(golden_set)
        if pair.current is not None
    ]
    if not asked:
        raise RefusedError(
            f"set {golden_set} has no pairs; promote some, or import them with `manage.py golden import`"
        )
    return version, asked


def _end_abandoned(golden_set: GoldenSet, target: Target) -> None:
    """Reports that run for longer than one may belong to a worker that died."""
    oldest = timezone.now() - timedelta(seconds=2 * settings.CYCLE_BUDGET_S)
    same = Report.objects.filter(golden_set=golden_set, target=target, state=Report.State.RUNNING)
    same.filter(started_at__lt=oldest).update(state=Report.State.INTERRUPTED, note="its worker ended")


@dataclass(frozen=True)
class _Answers:
    """whole: by query. alone: by the text of a part. again: the same of those parts that brought a figure.

    The whole ones were asked in between: a figure that follows the clock is another one in one of the two.
    """

    whole: Mapping[str, Answer]
    alone: Mapping[str, Answer]
    again: Mapping[str, Answer]

    @cached_property
    def changing(self) -> frozenset[ChangingFigure]:
        """The figures that the sources gave otherwise the second time."""
        pairs = [(self.alone[text], answer) for text, answer in self.again.items()]
        return frozenset(
            figure
            for one, other in pairs
            if one.source_used == other.source_used
            for figure in changing_figures(one.source_used, one.result, other.result, Sample.language)
        )


def _ask(report: Report, asked: Sequence[_Asked], vocabulary: Vocabulary) -> _Answers:
    """Puts the target's version on the report. Raises _StoppedError."""
    away = Report.State.TARGET_UNAVAILABLE
    try:
        client = open_target(report.target, vocabulary)
    except ValueError as fault:
        raise _StoppedError(away, str(fault)) from fault
    with closing(client):
        reached = client.reach()
        if not reached.reachable:
            raise _StoppedError(away, reached.detail)
        report.target_version = storable(reached.version)[:200]
        requests = RequestsInTurn(report.target, client)
        try:
            alone = _asked_once(requests, [part.text for one in asked for part in one.content.expectations.parts])
            whole = _best_of(requests, asked, _asked_once(requests, [one.content.query for one in asked]))
            again = _asked_once(requests, [text for text, answer in alone.items() if FIGURE.search(answer.result)])
        except NoMoreRequestsError as fault:
            raise _StoppedError(
                away if fault.reason is Reason.AWAY else Report.State.INTERRUPTED, str(fault)
            ) from fault
    return _Answers(whole, alone, again)


def _results(report: Report, asked: Sequence[_Asked], answers: _Answers, vocabulary: Vocabulary) -> list[PairResult]:
    used, limits = graders_of_batches(report.target), thresholds()
    results = _judged(report, asked, answers, vocabulary)
    for one, result in zip(asked, results, strict=True):
        what = f"pair {one.pair.name!r} of report {report.pk}"
        scores = grade(_sample(one, answers, vocabulary), used, limits)
        warn_of_low(what, scores)
        result.scores = [graded.document() for graded in scores]
    return results


def _judged(report: Report, asked: Sequence[_Asked], answers: _Answers, vocabulary: Vocabulary) -> list[PairResult]:
    """Without scores: what graders say comes later and changes nothing of it."""
    grounds = grounds_of([one.version for one in asked], report.target)
    return [
        _result(report, one, answers.whole[one.content.query], vocabulary, grounds[one.version.pk]) for one in asked
    ]


def _sample(one: _Asked, answers: _Answers, vocabulary: Vocabulary) -> Sample:
    content, context = one.content, _context(one.content, answers)
    result, reference = answers.whole[content.query].result, content.reference or None
    return sample_of(
        content.query, result, vocabulary.headers, context, reference, content.keyphrases, answers.changing
    )


def _asked_once(requests: RequestsInTurn, texts: Iterable[str]) -> dict[str, Answer]:
    """Each different text once. Raises NoMoreRequestsError."""
    different = list(dict.fromkeys(texts))
    return dict(zip(different, requests.ask_each(different), strict=True))


def _best_of(requests: RequestsInTurn, asked: Sequence[_Asked], answers: Mapping[str, Answer]) -> Mapping[str, Answer]:
    """Asks again what came too late, and keeps the least time; the answer itself stays the first one."""
    best = dict(answers)
    limits_s = {
        one.content.query: LIMITS_S[one.content.expectations.latency]
        for one in asked
        if one.content.expectations.latency is not None
    }
    for _ in range(LATENCY_TRIES - 1):
        late = [text for text, limit_s in limits_s.items() if best[text].latency_ms > limit_s * 1000]
        for text, answer in _asked_once(requests, late).items():
            if answer.error is None:  # a crash may come soon
                best[text] = replace(best[text], latency_ms=min(best[text].latency_ms, answer.latency_ms))
    return best


def _result(report: Report, one: _Asked, answer: Answer, vocabulary: Vocabulary, made_on: Baseline) -> PairResult:
    seen = SeenAnswer(answer, vocabulary)
    judged = judge(one.content.expectations, seen)
    moved = changes_since(one.version, report.vocabulary)
    if answer.error is None:
        moved += changed_structure(made_on, report.target_version, seen.structure)
    return PairResult(
        report=report,
        version=one.version,
        name=one.pair.name,
        kind=one.version.kind,
        query=one.version.query,
        outcome=_outcome(judged, moved),
        judged=[_storable(asdict(each)) for each in judged],
        changes=list(map(storable, moved)),
        structure=list(map(storable, seen.structure)),
        **answer_columns(answer),
    )


def _outcome(judged: Sequence[Judged], moved: Sequence[str]) -> PairResult.Outcome:
    if not all(each.holds for each in judged):
        return Outcome.BROKEN
    return Outcome.REBASELINE if moved else Outcome.HELD


def _storable(document: dict[str, object]) -> dict[str, object]:
    return {key: storable(value) if isinstance(value, str) else value for key, value in document.items()}


def _context(content: PairContent, answers: _Answers) -> tuple[Part, ...] | None:
    """What the parts brought alone, and the second time, where that is something else; None without parts."""
    texts = [part.text for part in content.expectations.parts]
    asked = [answers.alone[text] for text in texts] + [answers.again[text] for text in texts if text in answers.again]
    usable = [Part(answer.source_used, answer.result) for answer in asked if answer.error is None]
    return tuple(dict.fromkeys(usable)) or None


def _save(report: Report, results: Sequence[PairResult]) -> None:
    with transaction.atomic():
        PairResult.objects.bulk_create(results)
        report.pairs = len(results)
        report.broken = sum(result.outcome == Outcome.BROKEN for result in results)
        report.to_rebaseline = sum(bool(result.changes) for result in results)
        _end(report, Report.State.FINISHED, "")


def _end(report: Report, state: Report.State, note: str) -> None:
    report.state, report.note, report.finished_at = state, storable(note), timezone.now()
    report.save()
