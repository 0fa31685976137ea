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
ANSWER_CHARACTERS = 2_000  # of each answer in a list: one may be as long as 256 KiB
MOST_DIFFERENCES = 100  # at first
HELD, FAILING, ALL = "held", "failing", "all"  # values in addresses
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
    """A pair in a report. page: of the pair, "" where it is gone. days_kept: after so many its answer was deleted.

    whole: where all of its answer is shown, "" where it is shown here.
    """

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
    whole: str
    days_kept: int | None
    scores: tuple[ScoreLine, ...]
    is_open: bool

    @classmethod
    def of(cls, result: PairResult, is_alone: bool = False) -> "ResultView":
        """As the row has it. is_alone: with its whole answer, else with the first ANSWER_CHARACTERS of it."""
        answer = result.error or result.result
        is_cut = not is_alone and len(answer) > ANSWER_CHARACTERS
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
            answer=answer[:ANSWER_CHARACTERS] if is_cut else answer,
            whole=with_query(report_url(result.report_id), {"result": result.pk}) if is_cut else "",
            days_kept=reading.days_kept(result),
            scores=tuple(map(ScoreLine.of, result.scores)),
            is_open=is_alone or outcome is not PairResult.Outcome.HELD,
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
class ResultsPage:
    """Results of a report: those that hold, or those that do not. count: of all of them.

    more: the address of those after these, "" at the end.
    """

    results: tuple[ResultView, ...] = ()
    more: str = ""
    count: int = 0


def results_page(row: Report, is_held: bool, after: int | None) -> ResultsPage:
    """From the one after the number `after`."""
    found = reading.results_that(row, is_held)
    rows = list((found if after is None else found.filter(pk__gt=after))[: PAGE_ROWS + 1])
    shown = rows[:PAGE_ROWS]
    show = HELD if is_held else FAILING
    is_more = len(rows) > PAGE_ROWS
    more = with_query(report_url(row.pk), {"show": show, "after": shown[-1].pk}) if is_more else ""
    return ResultsPage(tuple(map(ResultView.of, shown)), more, found.count())


@dataclass(frozen=True)
class ReportView:
    """What of a report is looked at. is_held None: what does not hold, then what does; else one of the two.

    after: only what comes after this result. result: this one alone. lists_all: every difference, not the first ones.
    """

    is_held: bool | None = None
    after: int | None = None
    result: PairResult | None = None
    lists_all: bool = False

    def shows(self, is_held: bool) -> bool:
        """Whether those results are listed."""
        return self.result is None and self.is_held in (None, is_held)


@dataclass(frozen=True)
class ReportPage:
    """`/evaluation/reports/<id>`. others: reports that it can be held against. against: the one that it is.

    means: of graders that have a figure. alone: the one result that is shown, with its whole answer. first: results
    that do not hold; held: the others. left_out: how many differences are not among `differences`; all_differences:
    where they are.
    """

    line: ReportLine
    means: tuple[ScoreLine, ...]
    alone: ResultView | None
    first: ResultsPage
    held: ResultsPage
    others: tuple[SelectOption, ...]
    against: ReportLine | None
    differences: tuple[DifferenceLine, ...]
    left_out: int
    all_differences: str


def report_page(row: Report, view: ReportView, against: Report | None, others: Sequence[Report]) -> ReportPage:
    """against: None where there is no other report."""
    means = reading.mean_scores(reading.graded_results(row))
    differences = reading.differences(against, row) if against else ()
    shown = differences if view.lists_all else differences[:MOST_DIFFERENCES]
    first, held = (
        results_page(row, is_held, view.after) if view.shows(is_held) else ResultsPage() for is_held in (False, True)
    )
    query: dict[str, str | int] = {"against": against.pk, "differences": ALL} if against else {}
    return ReportPage(
        line=ReportLine.of(row),
        means=tuple(mean for one in means.items() if (mean := ScoreLine.of_mean(*one)).has_figure),
        alone=ResultView.of(view.result, is_alone=True) if view.result else None,
        first=first,
        held=held,
        others=tuple(
            SelectOption(str(one.pk), f"Report {one.pk}, {one.golden_set} on {one.target}", one == against)
            for one in others
        ),
        against=ReportLine.of(against) if against else None,
        differences=tuple(map(DifferenceLine.of, shown)),
        left_out=len(differences) - len(shown),
        all_differences=with_query(report_url(row.pk), query) + "#comparison",
    )
