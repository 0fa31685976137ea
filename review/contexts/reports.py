"""`/evaluation/reports`: golden sets asked, and one such report beside another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.choices import SelectOption
from review.contexts.evaluation import (
    EXPECTATION_NAMES,
    OUTCOME_SHAPES,
    kind_name,
    pair_url,
    report_url,
    shape_of_report,
)
from review.contexts.scores import ScoreLine
from review.page_urls import page_url, with_query
from selftest.evaluation import reading
from selftest.evaluation.core.report_comparison import Difference
from selftest.evaluation.models import PairResult, Report

PAGE_ROWS = 50
SHOWN_OTHERS = 50
ABSENT = "not asked"


@dataclass(frozen=True)
class ReportLine:
    """A report in a list. words: how it ended."""

    pk: int
    page: str
    golden_set: str
    target: str
    version: str
    shape: str
    words: str
    note: str
    pairs: int
    broken: int
    to_rebaseline: int
    by: str
    at: datetime

    @classmethod
    def of(cls, row: Report) -> "ReportLine":
        """As the row has it."""
        words = row.get_state_display()
        if row.state == Report.State.FINISHED:
            words = "Passes" if row.passes else "Does not pass"
        return cls(
            row.pk,
            report_url(row.pk),
            row.golden_set.name,
            row.target.name,
            row.target_version,
            shape_of_report(row),
            words,
            row.note,
            row.pairs,
            row.broken,
            row.to_rebaseline,
            row.actor,
            row.started_at,
        )


@dataclass(frozen=True)
class ReportsPage:
    """`/evaluation/reports`."""

    lines: tuple[ReportLine, ...]
    older: str
    is_continued: bool


def reports_page(before: int | None) -> ReportsPage:
    """before: the list begins before this number."""
    found = reading.reports()
    rows = list((found if before is None else found.filter(pk__lt=before))[: PAGE_ROWS + 1])
    shown = rows[:PAGE_ROWS]
    older = with_query(page_url("reports"), {"before": shown[-1].pk}) if len(rows) > PAGE_ROWS else ""
    return ReportsPage(tuple(map(ReportLine.of, shown)), older, before is not None)


@dataclass(frozen=True)
class JudgedLine:
    """One expectation in a report."""

    name: str
    expected: str
    seen: str
    holds: bool


@dataclass(frozen=True)
class ResultView:
    """A pair in a report. page: of the pair, "" where it is gone. days_kept: after so many its answer was deleted."""

    name: str
    anchor: str
    page: str
    kind: str
    query: str
    shape: str
    outcome: str
    is_held: bool
    judged: tuple[JudgedLine, ...]
    broken: tuple[JudgedLine, ...]
    changes: tuple[str, ...]
    structure: str
    latency_ms: float
    answer: str
    days_kept: int | None
    scores: tuple[ScoreLine, ...]

    @classmethod
    def of(cls, result: PairResult) -> "ResultView":
        """As the row has it."""
        outcome = PairResult.Outcome(result.outcome)
        judged = tuple(
            JudgedLine(EXPECTATION_NAMES.get(one["kind"], one["kind"]), one["expected"], one["seen"], one["holds"])
            for one in result.judged
        )
        return cls(
            name=result.name,
            anchor=f"pair-{result.pk}",
            page=pair_url(result.version.pair_id) if result.version else "",
            kind=kind_name(result.kind),
            query=result.query,
            shape=OUTCOME_SHAPES[outcome],
            outcome=outcome.label,
            is_held=outcome is PairResult.Outcome.HELD,
            judged=judged,
            broken=tuple(one for one in judged if not one.holds),
            changes=tuple(result.changes),
            structure=", ".join(filter(None, result.structure)) or "no source",
            latency_ms=result.latency_ms,
            answer=result.error or result.result,
            days_kept=reading.days_kept(result),
            scores=tuple(map(ScoreLine.of, result.scores)),
        )


@dataclass(frozen=True)
class DifferenceLine:
    """A pair that is not the same in two reports."""

    name: str
    before: str
    after: str
    details: tuple[str, ...]

    @classmethod
    def of(cls, one: Difference) -> "DifferenceLine":
        """In words."""
        details = [f"broken now: {EXPECTATION_NAMES.get(kind, kind)}" for kind in one.newly_broken]
        details += [f"holds again: {EXPECTATION_NAMES.get(kind, kind)}" for kind in one.holds_again]
        details += [f"{grader.replace('_', ' ')}: {was:.3f} → {now:.3f}" for grader, (was, now) in one.moved.items()]
        return cls(one.name, _outcome(one.before), _outcome(one.after), tuple(details))


def _outcome(value: str | None) -> str:
    return ABSENT if value is None else PairResult.Outcome(value).label


@dataclass(frozen=True)
class ReportPage:
    """`/evaluation/reports/<id>`. others: reports that it can be held against. against: the one that it is.

    first: results that do not hold; held: the others. means: of graders that have a figure.
    """

    line: ReportLine
    means: tuple[ScoreLine, ...]
    first: tuple[ResultView, ...]
    held: tuple[ResultView, ...]
    others: tuple[SelectOption, ...]
    against: ReportLine | None
    differences: tuple[DifferenceLine, ...]


def report_page(row: Report, against: Report | None, others: Sequence[Report]) -> ReportPage:
    """against: None where there is no other report."""
    rows = reading.results_of(row)
    results = tuple(map(ResultView.of, rows))
    differences = reading.differences(against, row) if against else ()
    return ReportPage(
        line=ReportLine.of(row),
        means=tuple(mean for one in reading.mean_scores(rows).items() if (mean := ScoreLine.of_mean(*one)).has_figure),
        first=tuple(result for result in results if not result.is_held),
        held=tuple(result for result in results if result.is_held),
        others=tuple(
            SelectOption(str(one.pk), f"Report {one.pk}, {one.golden_set} on {one.target}", one == against)
            for one in others
        ),
        against=ReportLine.of(against) if against else None,
        differences=tuple(map(DifferenceLine.of, differences)),
    )
