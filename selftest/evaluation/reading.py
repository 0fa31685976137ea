"""Reads of the golden set, of its reports and of scores. Nothing here changes a row."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Any

from django.db.models import Q, QuerySet

from selftest.evaluation.core import report_comparison
from selftest.evaluation.core.baseline import bearing, changes
from selftest.evaluation.core.pairs import Baseline, PairContent, content_of
from selftest.evaluation.core.report_comparison import Difference, PairOutcome
from selftest.evaluation.core.samples import REFUSAL
from selftest.evaluation.models import GoldenPair, GoldenSet, GraderScore, PairResult, PairVersion, Report
from selftest.models import Target, VocabularyVersion
from selftest.refusals import UnknownError
from selftest.storage.serialization import vocabulary_of
from selftest.storage.texts import storable

DEFAULT_SET = "golden"
HELD = PairResult.Outcome.HELD
MOST_LOOKED_AT = 2_000  # pairs whose ground is compared at once

PairChanges = tuple[str, ...]
"""What has changed under a pair that bears on it, a sentence each."""


class PairState(StrEnum):
    """Which pairs are listed."""

    ACTIVE = "active"
    REBASELINE = "rebaseline"
    ARCHIVED = "archived"


@dataclass(frozen=True)
class PairFilter:
    """What of the golden set is looked at. Empty values: any. text: words that each stand in name or query."""

    state: PairState = PairState.ACTIVE
    golden_set: str = ""
    kind: str = ""
    text: str = ""


def sets() -> QuerySet[GoldenSet]:
    """By name."""
    return GoldenSet.objects.order_by("name")


def set_named(name: str) -> GoldenSet:
    """Raises UnknownError."""
    found = GoldenSet.objects.filter(name=storable(name)).first()
    if found is None:
        known = ", ".join(sets().values_list("name", flat=True)) or "none"
        raise UnknownError(f"unknown set {name!r}; known are: {known}")
    return found


def pairs(filters: PairFilter) -> QuerySet[GoldenPair]:
    """The newest first, with what they say. Those to be rebaselined are among the active ones: see `moved_under`."""
    rows = GoldenPair.objects.select_related("golden_set", "current", "current__target")
    rows = rows.filter(current__is_archived=filters.state is PairState.ARCHIVED)
    if filters.golden_set:
        rows = rows.filter(golden_set__name=storable(filters.golden_set))
    if filters.kind:
        rows = rows.filter(current__kind=filters.kind)
    for word in storable(filters.text).split():
        rows = rows.filter(Q(name__icontains=word) | Q(current__query__icontains=word))
    if filters.state is PairState.REBASELINE:
        moved = moved_under(rows.order_by("-pk")[:MOST_LOOKED_AT])
        rows = rows.filter(pk__in=[pk for pk, found in moved.items() if found])
    return rows.order_by("-pk")


def is_anything_there() -> bool:
    """Whether there is any pair, archived or not."""
    return GoldenPair.objects.exists()


def pair_numbered(number: int) -> GoldenPair:
    """Archived or not. Raises UnknownError."""
    found = GoldenPair.objects.select_related("golden_set", "current", "current__target").filter(pk=number).first()
    if found is None:
        raise UnknownError(f"there is no pair {number}")
    return found


def pairs_to_ask(golden_set: GoldenSet) -> list[GoldenPair]:
    """By name: what a report asks."""
    rows = golden_set.pairs.filter(current__is_archived=False).select_related("current", "current__target")
    return sorted(rows, key=lambda pair: pair.name)  # alike on every database


def versions_of(pair: GoldenPair) -> QuerySet[PairVersion]:
    """The newest first."""
    return pair.versions.order_by("-number")


def content_of_version(version: PairVersion) -> PairContent:
    """What a version says."""
    columns = ("query", "kind", "expectations", "keyphrases", "reference")
    return content_of({name: getattr(version, name) for name in columns})


def moved_under(rows: Collection[GoldenPair] | QuerySet[GoldenPair]) -> Mapping[int, PairChanges]:
    """By pair: what has changed in the vocabulary of its target that bears on it."""
    found = list(rows)
    targets = {pair.current.target_id for pair in found if pair.current}
    versions = {
        version.target_id: version for version in VocabularyVersion.objects.filter(target__in=targets, in_force=True)
    }
    return {
        pair.pk: changes_since(pair.current, versions.get(pair.current.target_id or 0))
        for pair in found
        if pair.current
    }


def changes_since(version: PairVersion, vocabulary: VocabularyVersion | None) -> PairChanges:
    """What of this vocabulary bears on the pair and is not as it was when the pair was made."""
    made_on = Baseline.model_validate(version.made_on)
    if vocabulary is None or made_on.vocabulary == vocabulary.sha256:
        return ()
    return changes(made_on, bearing(content_of_version(version), vocabulary_of(vocabulary)))


def newest_structure(pair: GoldenPair) -> tuple[str, ...] | None:
    """The sections of its newest answer in a report; None where it was not asked yet."""
    found = PairResult.objects.filter(version__pair=pair, error="").order_by("-pk").first()
    return tuple(found.structure) if found else None


def grounds_of(versions: Collection[PairVersion], target: Target) -> Mapping[int, Baseline]:
    """By version, what it was made on. Where no answer was seen then, its first one in a report on `target` counts."""
    grounds = {version.pk: Baseline.model_validate(version.made_on) for version in versions}
    unseen = [pk for pk, made_on in grounds.items() if made_on.structure is None]
    answered = PairResult.objects.filter(version__in=unseen, report__target=target, error="").order_by("-pk")
    for pk, version, structure in answered.values_list("version", "report__target_version", "structure"):
        first = {"structure": tuple(structure), "target_version": version}  # the oldest comes last
        grounds[pk] = grounds[pk].model_copy(update=first)
    return grounds


# --- reports ---


def reports(golden_set: GoldenSet | None = None, target: Target | None = None) -> QuerySet[Report]:
    """The newest first."""
    rows = Report.objects.select_related("golden_set", "target", "vocabulary").defer(
        "vocabulary__content", "vocabulary__births"
    )
    if golden_set is not None:
        rows = rows.filter(golden_set=golden_set)
    if target is not None:
        rows = rows.filter(target=target)
    return rows.order_by("-pk")


def report_numbered(number: int) -> Report:
    """Raises UnknownError."""
    found = reports().filter(pk=number).first()
    if found is None:
        raise UnknownError(f"there is no report {number}")
    return found


def results_of(report: Report) -> list[PairResult]:
    """By name."""
    return sorted(report.results.select_related("version"), key=lambda result: result.name)


def results_that(report: Report, is_held: bool) -> QuerySet[PairResult]:
    """Those that hold, or those that do not, by name: they were written in this order."""
    rows = report.results.select_related("version", "report").order_by("pk")
    return rows.filter(outcome=HELD) if is_held else rows.exclude(outcome=HELD)


def result_numbered(report: Report, number: int) -> PairResult:
    """Raises UnknownError."""
    found = report.results.select_related("version", "report").filter(pk=number).first()
    if found is None:
        raise UnknownError(f"report {report.pk} has no result {number}")
    return found


def graded_results(report: Report) -> list[PairResult]:
    """By name, with what differs between reports alone: no answers."""
    return list(report.results.only("name", "outcome", "judged", "scores").order_by("pk"))


def days_kept(result: PairResult) -> int | None:
    """After how many days its answer was deleted, rounded down; None where it was not."""
    if result.answer_deleted_at is None or result.report.finished_at is None:
        return None
    return (result.answer_deleted_at - result.report.finished_at).days


def report_before(report: Report) -> Report | None:
    """The last one before it that asked the same set of the same target to its end."""
    same = reports(report.golden_set, report.target).filter(state=Report.State.FINISHED)
    return same.filter(pk__lt=report.pk).first()


def results_of_pair(pair: GoldenPair, limit: int) -> list[PairResult]:
    """The newest first."""
    rows = PairResult.objects.filter(version__pair=pair).select_related("report", "report__target")
    return list(rows.defer("result").order_by("-pk")[:limit])


def differences(before: Report, after: Report) -> tuple[Difference, ...]:
    """What differs between two reports, by pair."""
    both = ([_outcome(result) for result in graded_results(one)] for one in (before, after))
    return report_comparison.differences(*both)


def _outcome(result: PairResult) -> PairOutcome:
    broken = tuple(judged["kind"] for judged in result.judged if not judged["holds"])
    scores = {score["grader"]: score["value"] for score in result.scores if score["value"] is not None}
    return PairOutcome(result.name, result.outcome, broken, scores)


# --- documents ---


def line_document(pair: GoldenPair) -> dict[str, Any]:
    """A pair as a line of a file."""
    assert pair.current is not None  # noqa: S101 - a pair is made with its first version
    return {"name": pair.name, **content_of_version(pair.current).document(), "made_on": pair.current.made_on}


def export_lines(golden_set: GoldenSet) -> str:
    """All pairs that are in use, by name, as JSONL."""
    documents = map(line_document, pairs_to_ask(golden_set))
    return "".join(f"{json.dumps(document, ensure_ascii=False)}\n" for document in documents)


def version_document(version: PairVersion) -> dict[str, Any]:
    """A version as scripts get it."""
    return {
        "version": version.number,
        "act": version.act,
        "is_archived": version.is_archived,
        "target": version.target.name if version.target else None,
        **content_of_version(version).document(),
        "made_on": version.made_on,
        "combination": version.combination_id,
        "cause": version.cause_id,
        "why": version.why,
        "actor": version.actor,
        "at": version.at,
    }


def pair_document(pair: GoldenPair, moved: PairChanges) -> dict[str, Any]:
    """A pair as scripts get it. moved: what has changed under it."""
    assert pair.current is not None  # noqa: S101 - a pair is made with its first version
    return {
        "id": pair.pk,
        "name": pair.name,
        "set": pair.golden_set.name,
        "rebaseline": list(moved),
        **version_document(pair.current),
    }


def report_document(report: Report) -> dict[str, Any]:
    """A report as scripts get it, without its pairs."""
    return {
        "id": report.pk,
        "set": report.golden_set.name,
        "target": report.target.name,
        "target_version": report.target_version,
        "vocabulary": report.vocabulary.sha256 if report.vocabulary else None,
        "state": report.state,
        "note": report.note,
        "passes": report.passes,
        "pairs": report.pairs,
        "broken": report.broken,
        "rebaseline": report.to_rebaseline,
        "actor": report.actor,
        "started_at": report.started_at,
        "finished_at": report.finished_at,
    }


def result_document(result: PairResult) -> dict[str, Any]:
    """A pair of a report: its structure, then the time that it took."""
    return {
        "name": result.name,
        "kind": result.kind,
        "query": result.query,
        "outcome": result.outcome,
        "expectations": result.judged,
        "rebaseline": result.changes,
        "structure": result.structure,
        "latency_ms": result.latency_ms,
    }


def gate_document(report: Report, results: Sequence[PairResult]) -> dict[str, Any]:
    """What a gate decides by: structure alone. On an unchanged target all of it is the same again, times apart.

    broken: each expectation that does not hold. scores: empty, as they may differ each time, and `batch_document` has
    them.
    """
    whole = report_document(report)
    names = ("set", "target", "target_version", "vocabulary", "state", "note", "passes")
    return {
        **{name: whole[name] for name in (*names, "pairs")},
        "passed": sum(result.outcome == PairResult.Outcome.HELD for result in results),
        "broken": [
            _broken_document(result, judged) for result in results for judged in result.judged if not judged["holds"]
        ],
        "rebaseline": [{"pair": result.name, "changes": result.changes} for result in results if result.changes],
        "scores": {},
        **{name: whole[name] for name in ("started_at", "finished_at")},
        "results": [result_document(result) for result in results],
    }


def _broken_document(result: PairResult, judged: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "pair": result.name,
        "kind": judged["kind"],
        "expectation": f"{judged['kind']}: {judged['expected']}",
        "seen": judged["seen"],
    }


def batch_document(report: Report, results: Sequence[PairResult]) -> dict[str, Any]:
    """All of a report: what a gate decides by, the mean of each grader, and its scores of each pair."""
    document = gate_document(report, results)
    each = [{**result_document(result), "scores": scores_document(result.scores)} for result in results]
    return {**document, "report": report.pk, "scores": mean_scores(results), "results": each}


def scores_document(scores: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By grader what it said of one answer."""
    names = ("label", "reason", "threshold", "is_below")
    return {score["grader"]: {"score": score["value"], **{name: score[name] for name in names}} for score in scores}


def mean_scores(results: Sequence[PairResult]) -> dict[str, dict[str, Any]]:
    """By grader the mean of its scores, None where it has none. Refusals claim nothing: `labels` counts them apart."""
    said: dict[str, list[Mapping[str, Any]]] = {}
    for result in results:
        for score in result.scores:
            said.setdefault(score["grader"], []).append(score)
    return {grader: _mean_document(scores) for grader, scores in sorted(said.items())}


def _mean_document(scores: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    labels = Counter(score["label"] for score in scores)
    values = [score["value"] for score in scores if score["value"] is not None and score["label"] != REFUSAL]
    others = ", ".join(f"{count} {label}" for label, count in sorted(labels.items()))
    return {
        "score": fmean(values) if values else None,
        "reason": f"the mean of {len(values)} of {len(scores)} answers: {others}",
        "labels": dict(sorted(labels.items())),
        "below": sum(score["is_below"] for score in scores),
    }


# --- scores of runs ---


def scores_of(runs: Collection[int]) -> Mapping[int, list[GraderScore]]:
    """By run, what graders said of it, by grader."""
    found: dict[int, list[GraderScore]] = {}
    for score in GraderScore.objects.filter(run__in=runs).order_by("run", "grader"):
        found.setdefault(score.run_id, []).append(score)
    return found
