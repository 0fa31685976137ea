"""Gathers what the page of one combination shows. Never asks more of the database the longer a history is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.urls import reverse

from review.charts.latency import LatencyChart
from review.contexts.cause_names import CauseLink
from review.contexts.choices import SelectOption
from review.contexts.combination import (
    AfterAgain,
    AfterMinimising,
    Again,
    Alike,
    BrokenGuarantee,
    Facts,
    History,
    IngredientLink,
    ListPlace,
    StoryLine,
    latency_of,
    with_promises,
)
from review.contexts.findings import ExplainedFinding, is_about_time
from review.contexts.learnt import Known, known_here
from review.contexts.parts import Chip
from review.contexts.reproduction import Reproduction
from review.contexts.runs import AnswerView
from review.contexts.scores import scores_of_runs
from review.contexts.smallest_queries import Earlier, SmallestQueries, SmallestQuery, outcome
from review.contexts.verdicts import JudgingForm
from review.filters import as_query
from review.page_urls import combination_url, queue_url, with_query
from review.pytest_export.context import ExportContext
from review.pytest_export.pytest_file import pytest_file
from selftest.core.generation.queries import PartKind, Query
from selftest.findings.filters import MemoryFilter
from selftest.findings.listing import around_combination
from selftest.models import Combination, Cycle, Flag, Run
from selftest.reading import combination as of_one
from selftest.reading.combination import runs_of
from selftest.reading.cycles import runs_of_cycle
from selftest.reading.explained import explanations_of
from selftest.reading.queue import QueueFilter, findings_of
from selftest.reading.run import parts_of_answer, run_numbered
from selftest.reading.smallest_queries import newest_reductions
from selftest.reading.target_versions import version_of
from selftest.reviewing.smallest_query_request import REQUESTS_AT_MOST, is_given_up
from selftest.storage.serialization import query_of, vocabulary_of

SHOWN_RUNS = 15
STRIP_RUNS = 60
SHOWN_EVENTS = 100
SHOWN_ALIKE = 5
CHART_RUNS = 200
SHOWN_REDUCTIONS = 6


@dataclass(frozen=True)
class CombinationPage:
    """`/combinations/<id>`. seen_run: what a dismissal acts on.

    broken: of the last flagged run. clean_run: what that one's answer can be compared with. again: what is asked of it
    just now, or was because of this reader. latency: only where a flag is about time. alike_list: where all of `alike`
    are, "" while it has no cause. people: who it can be assigned to.
    """

    pk: int
    query: str
    facts: Facts
    place: ListPlace
    fingerprint: str
    source: str
    seen_run: int | None
    flagged_run: int | None
    clean_run: int | None
    is_clean_run_unchecked: bool
    broken: tuple[BrokenGuarantee, ...]
    explained: tuple[ExplainedFinding, ...]
    parts: tuple[IngredientLink, ...]
    smallest_queries: SmallestQueries
    answer: AnswerView | None
    history: History
    latency: LatencyChart | None
    story: tuple[StoryLine, ...]
    alike: tuple[Alike, ...]
    alike_list: str
    again: Again | None
    judging: JudgingForm
    known: Known
    reproduction: Reproduction
    people: tuple[SelectOption, ...] = ()


def page_of(
    found: Combination, filters: QueueFilter, before: int | None = None, again: int | None = None
) -> CombinationPage:
    """The whole page. before: its history begins before this run. again: the cycle that the URL names."""
    run = _shown_run(found)
    flags = flags_of(found)
    query = query_of(run.document if run else found.query)
    answer = AnswerView.of(run, parts_of_answer(run, flags), flags) if run else None
    place = place_in_list(found, filters)
    clean = of_one.latest_clean_run(found)
    export = _export_context(found, query, run, flags)
    return CombinationPage(
        pk=found.pk,
        query=query.text,
        facts=_facts(found, clean),
        place=place,
        fingerprint=found.fingerprint,
        source=found.last_source_used or "",
        seen_run=found.last_run_id,
        flagged_run=found.last_flagged_run_id,
        clean_run=clean.pk if clean else None,
        is_clean_run_unchecked=bool(clean and clean.unchecked),
        broken=_broken(found, flags, answer),
        explained=_explained(found),
        parts=tuple(_ingredients(query, _target_to_name(found))),
        smallest_queries=smallest_queries_of(found, place),
        answer=answer,
        history=history_of(found, place, before),
        latency=latency_beside(found, flags),
        story=story_of(found),
        alike=_alike(found, filters),
        alike_list=_alike_list(found),
        again=_again_on_page(found, place, again),
        judging=JudgingForm.of_one(version_of(found.target), of_flags=True),
        known=known_here(around_combination(found, flags), MemoryFilter(combination=found.pk)),
        reproduction=Reproduction.of(export, pytest_file(export)),
    )


def _shown_run(found: Combination) -> Run | None:
    """What a reviewer wants to see: the run that was flagged last, or else the last one."""
    pk = found.last_flagged_run_id or found.last_run_id
    return run_numbered(pk) if pk else None


def flags_of(found: Combination) -> Sequence[Flag]:
    """The findings of the run that was flagged last, each with its cause."""
    run = found.last_flagged_run_id
    return findings_of([run]).get(run, []) if run else []


def _broken(found: Combination, flags: Sequence[Flag], answer: AnswerView | None) -> tuple[BrokenGuarantee, ...]:
    broken = BrokenGuarantee.all_of(flags, found.last_flagged_reason or found.first_flagged_reason, answer)
    causes = [CauseLink.of(flag.cause) for flag in flags] or [None] * len(broken)
    caused = (replace(one, cause=cause) for one, cause in zip(broken, causes, strict=True))
    return with_promises(tuple(caused), found.target_id)


def _explained(found: Combination) -> tuple[ExplainedFinding, ...]:
    """Of the run that was flagged last, and of the last one."""
    runs = {run for run in (found.last_flagged_run_id, found.last_run_id) if run is not None}
    return tuple(ExplainedFinding.of(row, found.target.name) for row in explanations_of(runs))


def _export_context(found: Combination, query: Query, run: Run | None, flags: Sequence[Flag]) -> ExportContext:
    version = run.cycle.vocabulary if run else None
    vocabulary = vocabulary_of(version) if version else None
    return ExportContext(found.pk, found.fingerprint, query, found.target, run, flags, vocabulary)


# --- where it stands ---


def _facts(found: Combination, clean: Run | None) -> Facts:
    """clean: its newest clean run."""
    return Facts.of(found, bool(clean and clean.pk == found.last_run_id and clean.unchecked))


def place_in_list(found: Combination, filters: QueueFilter) -> ListPlace:
    """The links to the list of these filters, and to what comes before and after."""
    query = as_query(filters)
    return ListPlace(
        query=query,
        here=combination_url(found.pk, query),
        back=queue_url(query),
        before=combination_url(found.pk, query, "previous") if found.ever_flagged else "",
        after=combination_url(found.pk, query, "next") if found.ever_flagged else "",
    )


# --- what it is made of, and what else is like it ---


def _target_to_name(found: Combination) -> str:
    """Its target where lists leave that out unless they name it; else ""."""
    return "" if found.target.enabled else found.target.name


def _ingredients(query: Query, target: str) -> list[IngredientLink]:
    """target: as a filter names it."""
    parts = [part for part in query.parts if part.kind is not PartKind.MARK]
    return [
        IngredientLink(
            Chip.of((part.kind, part.text, part.source)),
            queue_url(as_query(QueueFilter(ingredient=part.ingredient, target=target))),
        )
        for part in parts
    ]


def _alike(found: Combination, filters: QueueFilter) -> tuple[Alike, ...]:
    query = as_query(filters)
    return tuple(
        Alike(row.last_query_text, combination_url(row.pk, query), row.last_run_timestamp, row.currently_flagged)
        for row in of_one.alike(found, SHOWN_ALIKE)
    )


def _alike_list(found: Combination) -> str:
    if found.cause_id is None:
        return ""
    return queue_url(as_query(QueueFilter(group=found.cause_id, target=_target_to_name(found))))


# --- what happened ---


def history_of(found: Combination, place: ListPlace, before: int | None = None) -> History:
    """before: the table begins with what came before this run; the strip is always of the newest."""
    newest = runs_of(found, STRIP_RUNS)
    listed = newest if before is None else runs_of(found, SHOWN_RUNS + 1, before)
    shown = listed[:SHOWN_RUNS]
    older = f"{with_query(place.here, {'before': shown[-1].pk})}#history" if len(listed) > SHOWN_RUNS else ""
    return History.of(newest, shown, older, scores_of_runs([run.pk for run in shown]))


def story_of(found: Combination) -> tuple[StoryLine, ...]:
    """What happened to it, the newest first."""
    is_dismissed = found.review_status == Combination.ReviewStatus.DISMISSED
    return StoryLine.all_of(list(of_one.story_of(found)[:SHOWN_EVENTS]), is_dismissed)


def latency_beside(found: Combination, flags: Sequence[Flag]) -> LatencyChart | None:
    """Its recipe's latencies where one of these flags is about time."""
    return latency_of(of_one.latency_history(found, CHART_RUNS), found.pk) if is_about_time(flags) else None


# --- asked again ---


def _again_on_page(found: Combination, place: ListPlace, named: int | None) -> Again | None:
    """What is asked just now, or the cycle that the URL names because this reader had it asked."""
    cycle = of_one.asked_again(found)
    if cycle is None:
        return None
    again = again_of(found, cycle, place, found.last_run_id or 0)
    return again if again.is_open or cycle.pk == named else None


def again_of(found: Combination, cycle: Cycle, place: ListPlace, seen_run: int) -> Again:
    """How far this cycle is. seen_run: the newest run that the page knows."""
    address = reverse("asked-again", args=[found.pk, cycle.pk])
    address = with_query(with_query(address, place.query), {"since": seen_run})
    return Again.of(cycle, list(runs_of_cycle(cycle)), address, seen_run)


def after_again(found: Combination, cycle: Cycle, filters: QueueFilter, seen_run: int) -> AfterAgain:
    """The progress; once it is over also the head of the page, the history and the activity as they are by then."""
    place = place_in_list(found, filters)
    again = again_of(found, cycle, place, seen_run)
    if again.is_open:
        return AfterAgain(found.pk, again, place)
    return AfterAgain(
        found.pk, again, place, _facts(found, of_one.latest_clean_run(found)), history_of(found, place), story_of(found)
    )


# --- its smallest query ---


def smallest_queries_of(found: Combination, place: ListPlace) -> SmallestQueries:
    """The newest search for its smallest query, and those before."""
    rows = newest_reductions(found, SHOWN_REDUCTIONS)
    earlier = tuple(Earlier(row.pk, row.smallest_text, outcome(row), row.created_at) for row in rows[1:])
    if not rows:
        return SmallestQueries(None, earlier, REQUESTS_AT_MOST)
    address = reverse("smallest-query", args=[found.pk, rows[0].pk])
    address = with_query(address, place.query)
    newest = SmallestQuery.of(rows[0], is_given_up(rows[0]), address)
    return SmallestQueries(newest, earlier, REQUESTS_AT_MOST)


def after_minimising(found: Combination, filters: QueueFilter) -> AfterMinimising:
    """How far the newest search is; once it is over also the activity."""
    place = place_in_list(found, filters)
    searches = smallest_queries_of(found, place)
    return AfterMinimising(found.pk, searches, place, story_of(found) if searches.can_begin else ())
