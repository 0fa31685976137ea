"""Grades answers. Graders advise: what they say is kept beside an answer and decides nothing.

What is below its threshold is told in the log.
"""

import logging
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Exists, Max, OuterRef

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import split_sections
from selftest.core.judging.context import StandalonePart, standalone_part
from selftest.core.judging.probes import Purpose
from selftest.cycles.log_context import logging_of
from selftest.evaluation.core.graders.figures import changing_figures
from selftest.evaluation.core.samples import NOTHING_SET, ChangingFigure, Grader, Part, Sample, Score
from selftest.evaluation.graders_in_force import graders_of_runs
from selftest.evaluation.models import EvaluationSettings, GraderScore, thresholds
from selftest.models import Cycle, Probe, Run, Tuning
from selftest.models.run import AS_ASKED
from selftest.storage.serialization import query_of, vocabulary_of
from selftest.storage.texts import sha256_hex, storable

log = logging.getLogger(__name__)

EVAL_FAIL = "EVAL_FAIL"
FAILED = "failed"  # label of a score that a grader could not give, for a fault of its own
BUDGET_S = 0.005  # of processor time for each run of a cycle; what is left over then stays without scores
MOST_CHARACTERS = 20_000  # of an answer that is graded in a cycle: some ten times a long one
MOST_DETAILS = 50  # lines that are kept of one score
DETAIL_CHARACTERS = 20_000  # of them all: a rubric is whole, and so is nearly every claim
REASON_CHARACTERS = 10_000  # several times a judge's rationale
RUN_REASON_CHARACTERS = 500  # of a run's score, which no judge gives
BATCH_ROWS = 200
MOST_PARTS_COMPARED = 60  # of a target, with themselves asked another time: what a cycle costs stays bounded
MOST_PROBES_LOOKED_AT = 2_000  # the newest


@dataclass(frozen=True)
class Graded:
    """What a grader said of an answer. threshold None: none is set."""

    grader: str
    value: float | None
    label: str
    reason: str
    details: tuple[str, ...]
    threshold: float | None

    @property
    def is_below(self) -> bool:
        """Whether the score is below its threshold."""
        return self.value is not None and self.threshold is not None and self.value < self.threshold

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {**asdict(self), "details": list(self.details), "is_below": self.is_below}


def grade(sample: Sample, used: Sequence[Grader], limits: Mapping[str, float]) -> tuple[Graded, ...]:
    """What each grader says of `sample`; of one that fails no score, and the reason: the others advise all the same."""
    return tuple(_graded(grader.name, _try_to_score(grader, sample), limits.get(grader.name)) for grader in used)


def _try_to_score(grader: Grader, sample: Sample) -> Score:
    try:
        return grader.grade(sample)
    except Exception as fault:  # a fault of ours, whatever it is: advice stops neither a report nor its gate
        log.exception("%s could not grade an answer", grader.name)
        return Score(None, FAILED, f"the grader failed: {type(fault).__name__}: {fault}")


def _graded(name: str, score: Score, threshold: float | None) -> Graded:
    reason = _cut(storable(score.reason), REASON_CHARACTERS)
    return Graded(name, score.value, score.label, reason, _kept(score.details), threshold)


def _kept(details: Sequence[str]) -> tuple[str, ...]:
    """The first lines, within DETAIL_CHARACTERS; then how many are left out."""
    kept: list[str] = []
    left = DETAIL_CHARACTERS
    for line in map(storable, details[:MOST_DETAILS]):
        kept.append(_cut(line, left))
        left -= len(line)
        if left <= 0:
            break
    more = len(details) - len(kept)
    return (*kept, f"… {more:,} more") if more else tuple(kept)


def _cut(text: str, most: int) -> str:
    note = f"… (cut: it has {len(text):,} characters)"
    return text if len(text) <= most else f"{text[: max(0, most - len(note))]}{note}"


def try_to_grade(cycle: Cycle) -> None:
    """The cycle has ended by now and stays as it is, whatever fails here."""
    try:
        grade_cycle(cycle)
    except Exception:
        log.exception("The runs of %s could not be graded", cycle)


def grade_cycle(cycle: Cycle) -> int:
    """Grades the answered runs of a cycle that have no scores yet; how many. Once only, however often it is called."""
    if not EvaluationSettings.get_solo().grades_runs or cycle.vocabulary is None:
        return 0
    runs = Run.objects.filter(cycle=cycle, state=Run.State.DONE, error="", answer_deleted_at=None)
    ungraded = runs.filter(~Exists(GraderScore.objects.filter(run=OuterRef("pk")))).order_by("pk")
    numbers = list(ungraded.values_list("pk", flat=True))
    vocabulary, used, limits = vocabulary_of(cycle.vocabulary), graders_of_runs(cycle.target), thresholds()
    left_s = BUDGET_S * len(numbers)
    graded = 0
    began_s = time.thread_time()
    changing = _changing(cycle) if numbers else frozenset()
    left_s -= time.thread_time() - began_s
    for start in range(0, len(numbers), BATCH_ROWS):
        samples = _samples(cycle, numbers[start : start + BATCH_ROWS], vocabulary, changing)
        rows = {}
        for pk, sample in samples.items():
            if left_s <= 0:
                break
            began_s = time.thread_time()
            rows[pk] = _said(grade(sample, used, limits))
            left_s -= time.thread_time() - began_s
        _save(rows)
        graded += len(rows)
        for pk, scores in rows.items():
            with logging_of(cycle=cycle.pk, run=pk):
                warn_of_low(f"run {pk}", scores)
        if left_s <= 0:
            break
    if graded < len(numbers):
        log.warning("Runs of %s are left without scores, as grading took too long: %d", cycle, len(numbers) - graded)
    return graded


def _said(scores: Iterable[Graded]) -> list[Graded]:
    """Without graders for which nothing is set: of each run they would say the same."""
    return [score for score in scores if score.label not in NOTHING_SET]


def _samples(
    cycle: Cycle, numbers: Sequence[int], vocabulary: Vocabulary, changing: frozenset[ChangingFigure]
) -> dict[int, Sample]:
    columns = Run.objects.filter(pk__in=numbers).values_list("pk", AS_ASKED, "query_text", "result")
    rows = [(pk, query_of(document), text, result) for pk, document, text, result in columns]
    asked = {pk: [{part.alone, part.as_written} for part in _parts(query, vocabulary)] for pk, query, _, _ in rows}
    alone = _answers_alone(cycle, {text for parts in asked.values() for texts in parts for text in texts})
    return {
        pk: sample_of(
            text or query.text,
            result[:MOST_CHARACTERS],
            vocabulary.headers,
            _context(asked[pk], alone),
            changing=changing,
        )
        for pk, query, text, result in rows
    }


def _changing(cycle: Cycle) -> frozenset[ChangingFigure]:
    """The figures that the target's sources gave otherwise when they were asked the same part another time."""
    of_parts = Probe.objects.filter(target=cycle.target_id, purpose=Purpose.PART, error="", answer_deleted_at=None)
    columns = ("text", "source_used", "pk", "result_sha256")
    newer: dict[tuple[str, str], tuple[int, str]] = {}
    pairs: list[tuple[str, int, int]] = []
    for text, source, pk, digest in of_parts.order_by("-pk").values_list(*columns)[:MOST_PROBES_LOOKED_AT]:
        asked = text.casefold(), source  # case makes no other question
        later, other_digest = newer.get(asked, (pk, digest))
        if digest != other_digest:
            pairs.append((source, pk, later))
        newer[asked] = pk, digest
    pairs = pairs[:MOST_PARTS_COMPARED]
    kept = Probe.objects.filter(pk__in={pk for _, *both in pairs for pk in both})
    results = {pk: result[:MOST_CHARACTERS] for pk, result in kept.values_list("pk", "result")}
    return frozenset(
        figure
        for source, one, other in pairs
        for figure in changing_figures(source, results[one], results[other], Sample.language)
    )


def _parts(query: Query, vocabulary: Vocabulary) -> Iterator[StandalonePart]:
    return (standalone_part(clause, vocabulary) for clause in query.clauses)


def _answers_alone(cycle: Cycle, texts: Collection[str]) -> dict[str, Part]:
    """What parts brought alone when they were asked last, by their text; as old as a check would still use it."""
    digests = {sha256_hex(text) for text in texts}
    since = (cycle.started_at or cycle.created_at) - timedelta(hours=Tuning.get_solo().probe_hours)
    of_parts = Probe.objects.filter(target=cycle.target_id, text_sha256__in=digests, purpose=Purpose.PART)
    probes = of_parts.filter(asked_at__gte=since)
    kept = probes.filter(error="", answer_deleted_at=None).order_by()
    newest = kept.values("text_sha256").annotate(newest=Max("pk")).values_list("newest", flat=True)
    columns = Probe.objects.filter(pk__in=list(newest)).values_list("text", "source_used", "result")
    return {text: Part(source, result[:MOST_CHARACTERS]) for text, source, result in columns}


def _context(parts: Sequence[Collection[str]], alone: Mapping[str, Part]) -> tuple[Part, ...] | None:
    """None unless each part is known: what one of them brought would look like an invention."""
    found = [next((alone[text] for text in sorted(texts) if text in alone), None) for texts in parts]
    known = tuple(part for part in found if part is not None)
    return known if known and len(known) == len(parts) else None


def sample_of(
    query: str,
    result: str,
    headers: Mapping[str, str],
    context: tuple[Part, ...] | None,
    reference: str | None = None,
    keyphrases: tuple[str, ...] = (),
    changing: frozenset[ChangingFigure] = frozenset(),
) -> Sample:
    """An answer as graders get it."""
    sections = tuple(Part(section.source, section.text) for section in split_sections(result, headers))
    return Sample(query, result, sections, context, reference, keyphrases, changing=changing)


def _save(rows: Mapping[int, Sequence[Graded]]) -> None:
    GraderScore.objects.bulk_create(
        (
            GraderScore(
                run_id=pk,
                grader=score.grader,
                value=score.value,
                label=score.label,
                reason=_cut(score.reason, RUN_REASON_CHARACTERS),
                details=list(score.details),
                threshold=score.threshold,
                is_below=score.is_below,
            )
            for pk, scores in rows.items()
            for score in scores
        ),
        ignore_conflicts=True,  # another worker graded it a moment ago
    )


def warn_of_low(what: str, scores: Iterable[Graded]) -> None:
    """One line of the log for all scores of `what` that are below their thresholds; none where none is."""
    below = [score for score in scores if score.is_below]
    if not below:
        return
    words = ", ".join(f"{score.grader} {score.value:.3f} is below {score.threshold:.3f}" for score in below)
    found = {score.grader: {"value": score.value, "threshold": score.threshold} for score in below}
    log.warning("%s %s: %s", EVAL_FAIL, what, words, extra={"event": EVAL_FAIL, "scores": found})
