"""The pair that a combination or a cause would make: read off its last good answer, for a person to correct."""

from dataclasses import dataclass

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import standalone_part
from selftest.evaluation.core.expectations import SeenAnswer
from selftest.evaluation.core.pairs import (
    LIMITS_S,
    MOST_LISTED,
    NAME_CHARACTERS,
    QUERY_CHARACTERS,
    Expectations,
    LatencyClass,
    PairContent,
    PartAsked,
)
from selftest.evaluation.saving import Ground, ground_of
from selftest.models import Cause, Combination, Run
from selftest.reading.causes import example_queries
from selftest.reading.combination import latest_clean_run
from selftest.refusals import RefusedError
from selftest.storage.serialization import query_of, vocabulary_of

ROOM = 2  # an answer may take so many times what it took


@dataclass(frozen=True)
class Draft:
    """A pair that is not made yet. run: the good answer that it is read off, None where there was none."""

    name: str
    content: PairContent
    ground: Ground
    run: int | None


def draft_of_cause(cause: Cause) -> Draft:
    """Of the query that shows it best. Raises RefusedError where no query of it is kept."""
    example = example_queries([cause]).get(cause.pk)
    if example is None:
        raise RefusedError("no query of this cause is kept; promote a combination of it")
    draft = draft_of_combination(Combination.objects.select_related("target").get(pk=example.flag.combination_id))
    ground = Ground(**{**vars(draft.ground), "cause": cause})
    return Draft(draft.name, draft.content, ground, draft.run)


def draft_of_combination(combination: Combination) -> Draft:
    """Without a good answer it expects what the query asks for. Raises RefusedError where nothing can be made of it."""
    run = latest_clean_run(combination)
    is_kept = run is not None and not run.error and run.answer_deleted_at is None and run.cycle.vocabulary is not None
    ground = _ground_of_run(run) if run and is_kept else ground_of(combination.target)
    vocabulary = vocabulary_of(ground.vocabulary)
    text = (run.text if run and is_kept else combination.last_query_text).strip()
    if not text or len(text) > QUERY_CHARACTERS:
        raise RefusedError(f"a pair's query has 1 to {QUERY_CHARACTERS:,} characters; this one has {len(text):,}")
    seen = _seen(run, vocabulary) if run and is_kept else None
    content = PairContent(query=text, expectations=_expectations(combination, vocabulary, seen))
    structure = seen.structure if seen else None
    ground = Ground(ground.target, ground.vocabulary, ground.target_version, structure, combination)
    return Draft(text[:NAME_CHARACTERS], content, ground, run.pk if run and is_kept else None)


def _ground_of_run(run: Run) -> Ground:
    assert run.cycle.vocabulary is not None  # noqa: S101 - looked at before
    return Ground(run.target, run.cycle.vocabulary, run.cycle.target_version or "")


def _seen(run: Run, vocabulary: Vocabulary) -> SeenAnswer:
    return SeenAnswer(Answer(run.result, run.source_used, run.latency_ms or 0.0, cached=run.cached), vocabulary)


def _expectations(combination: Combination, vocabulary: Vocabulary, seen: SeenAnswer | None) -> Expectations:
    asked = [
        PartAsked(text=part.alone, source=need.source)
        for part in (standalone_part(clause, vocabulary) for clause in query_of(combination.query).clauses)
        for need in part.needs
        if need.is_firm and part.alone.strip()
    ]
    if seen is None:
        sources = tuple(dict.fromkeys(part.source for part in asked))
        return Expectations(sources=sources, parts=tuple(asked[:MOST_LISTED]))
    known = {*vocabulary.headers, *vocabulary.sources}
    return Expectations(
        sources=tuple(source for source in seen.sources if source in known),
        headers=tuple(dict.fromkeys(seen.headed)),
        headers_ordered=bool(seen.headed),
        parts=tuple(part for part in asked if part.source in seen.sources)[:MOST_LISTED],
        latency=_latency_class(seen.answer.latency_ms),
    )


def _latency_class(latency_ms: float) -> LatencyClass | None:
    return next((name for name, limit_s in LIMITS_S.items() if ROOM * latency_ms <= limit_s * 1000), None)
