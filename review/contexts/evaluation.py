"""`/evaluation`: the golden set as a list, and what the pages of a pair share with it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from review.contexts.choices import ListTab, SelectOption
from review.contexts.shapes import KEPT, STOPPED, WAITING
from review.page_urls import numbered_url, page_url, with_query
from selftest.evaluation import reading
from selftest.evaluation.core.pairs import KIND_NAMES, LIMITS_S, LatencyClass, PairKind
from selftest.evaluation.models import GoldenPair, PairResult, PairVersion, Report
from selftest.evaluation.reading import PairFilter, PairState

PAGE_ROWS = 50
STATE_NAMES = {PairState.ACTIVE: "In use", PairState.REBASELINE: "Rebaseline?", PairState.ARCHIVED: "Archived"}
EXPECTATION_NAMES = {
    "answered": "Answered",
    "refused": "Refused",
    "well_formed": "Laid out as promised",
    "sources": "Sources",
    "headers": "Headers",
    "parts": "Parts",
    "absent": "Phrases that must not stand in it",
    "latency": "Time",
}
OUTCOME_SHAPES = {
    PairResult.Outcome.HELD: KEPT,
    PairResult.Outcome.BROKEN: "flagged",
    PairResult.Outcome.REBASELINE: WAITING,
}


def pairs_url(filters: PairFilter, **more: str) -> str:
    """The list with these filters."""
    named = {"set": filters.golden_set, "kind": filters.kind, "text": filters.text}
    state = {} if filters.state is PairState.ACTIVE else {"state": filters.state.value}
    return with_query(page_url("evaluation"), state | {name: value for name, value in named.items() if value} | more)


def pair_url(pk: int) -> str:
    """The page of a pair."""
    return numbered_url("pair", pk)


def report_url(pk: int) -> str:
    """The page of a report."""
    return numbered_url("report", pk)


@dataclass(frozen=True)
class PairLine:
    """A pair in a list. moved: what has changed under it, a sentence each."""

    name: str
    page: str
    query: str
    kind: str
    golden_set: str
    expects: str
    moved: tuple[str, ...]
    is_archived: bool
    version: int
    at: datetime

    @classmethod
    def of(cls, row: GoldenPair, moved: Sequence[str]) -> "PairLine":
        """In words."""
        version = current_of(row)
        return cls(
            name=row.name,
            page=pair_url(row.pk),
            query=version.query,
            kind=kind_name(version.kind),
            golden_set=row.golden_set.name,
            expects=expects_in_words(version.expectations),
            moved=tuple(moved),
            is_archived=version.is_archived,
            version=version.number,
            at=version.at,
        )


def current_of(row: GoldenPair) -> PairVersion:
    """What the pair says now."""
    assert row.current is not None  # noqa: S101 - a pair is made with its first version
    return row.current


def kind_name(kind: str) -> str:
    """A kind of pairs in words."""
    return KIND_NAMES.get(PairKind(kind), kind) if kind in tuple(PairKind) else kind


def expects_in_words(expectations: dict[str, Any]) -> str:
    """In a line: where the answer comes from."""
    if expectations.get("refuses"):
        return "refused"
    return ", ".join(expectations.get("headers") or expectations.get("sources") or ()) or "an answer"


@dataclass(frozen=True)
class EvaluationPage:
    """`/evaluation`. older: the address of those before these, "" at the end. reports: where those are."""

    tabs: tuple[ListTab, ...]
    state: PairState
    lines: tuple[PairLine, ...]
    sets: tuple[SelectOption, ...]
    kinds: tuple[SelectOption, ...]
    text: str
    hidden: tuple[tuple[str, str], ...]
    clear: str
    older: str
    is_anything_there: bool
    may_review: bool


def _tabs_of(filters: PairFilter) -> tuple[ListTab, ...]:
    return tuple(
        ListTab(
            STATE_NAMES[state],
            reading.pairs(replace(filters, state=state)).count(),
            pairs_url(replace(filters, state=state)),
            state is filters.state,
        )
        for state in PairState
    )


def evaluation_page(filters: PairFilter, before: int | None, may_review: bool) -> EvaluationPage:
    """before: the list begins before this number."""
    found = reading.pairs(filters)
    rows = list((found if before is None else found.filter(pk__lt=before))[: PAGE_ROWS + 1])
    shown = rows[:PAGE_ROWS]
    moved = reading.moved_under(shown)
    state = {} if filters.state is PairState.ACTIVE else {"state": filters.state.value}
    return EvaluationPage(
        tabs=_tabs_of(filters),
        state=filters.state,
        lines=tuple(PairLine.of(row, moved.get(row.pk, ())) for row in shown),
        sets=tuple(SelectOption(one.name, one.name, one.name == filters.golden_set) for one in reading.sets()),
        kinds=tuple(SelectOption(kind, name, kind == filters.kind) for kind, name in KIND_NAMES.items()),
        text=filters.text,
        hidden=tuple(state.items()),
        clear=pairs_url(PairFilter(state=filters.state)) if filters != PairFilter(state=filters.state) else "",
        older=pairs_url(filters, before=str(shown[-1].pk)) if len(rows) > PAGE_ROWS else "",
        is_anything_there=reading.is_anything_there(),
        may_review=may_review,
    )


# --- one pair ---


@dataclass(frozen=True)
class VersionLine:
    """What happened to a pair. changed: which of its fields differ from the version before."""

    number: int
    act: str
    by: str
    at: datetime
    why: str
    changed: str


@dataclass(frozen=True)
class ResultLine:
    """A pair in one report."""

    report: int
    page: str
    target: str
    shape: str
    outcome: str
    latency_ms: float
    at: datetime


@dataclass(frozen=True)
class PairPage:
    """`/evaluation/pairs/<id>`. source_page: of the combination or cause that it was promoted from, "" for neither."""

    line: PairLine
    pk: int
    reference: str
    keyphrases: tuple[str, ...]
    expectations: tuple[tuple[str, str], ...]
    target: str
    target_version: str
    made_at: datetime
    source_page: str
    source_kind: str
    versions: tuple[VersionLine, ...]
    results: tuple[ResultLine, ...]
    trouble: str
    may_review: bool


SHOWN_VERSIONS = 100
SHOWN_RESULTS = 20
FIELD_NAMES = {
    "query": "query",
    "kind": "kind",
    "expectations": "expectations",
    "keyphrases": "keyphrases",
    "reference": "reference",
    "made_on": "what it is made on",
}


def pair_page(row: GoldenPair, may_review: bool, trouble: str = "") -> PairPage:
    """All that is kept of one pair."""
    version = current_of(row)
    versions = list(reading.versions_of(row)[: SHOWN_VERSIONS + 1])
    source_page, source_kind = "", ""
    if version.cause_id:
        source_page, source_kind = numbered_url("cause", version.cause_id), "cause"
    elif version.combination_id:
        source_page, source_kind = numbered_url("combination", version.combination_id), "combination"
    return PairPage(
        line=PairLine.of(row, reading.moved_under([row])[row.pk]),
        pk=row.pk,
        reference=version.reference,
        keyphrases=tuple(version.keyphrases),
        expectations=tuple(_expected(version.expectations)),
        target=version.target.name if version.target else "",
        target_version=version.made_on.get("target_version", ""),
        made_at=version.at,
        source_page=source_page,
        source_kind=source_kind,
        versions=tuple(
            _version_line(one, versions[place + 1] if place + 1 < len(versions) else None)
            for place, one in enumerate(versions[:SHOWN_VERSIONS])
        ),
        results=tuple(map(_result_line, reading.results_of_pair(row, SHOWN_RESULTS))),
        trouble=trouble,
        may_review=may_review,
    )


def _expected(wanted: dict[str, Any]) -> list[tuple[str, str]]:
    if wanted["refuses"]:
        found = [("Answer", "says that there is nothing")]
    else:
        found = [("Answer", "is there, and laid out as promised")]
    order = ", in this order" if wanted["headers_ordered"] else ", in any order"
    lists = {
        "Sources": ", ".join(wanted["sources"]),
        "Headers": ", ".join(wanted["headers"]) + order if wanted["headers"] else "",
        "Parts": "; ".join(f"{part['text']} ({part['source']})" for part in wanted["parts"]),
        "Must not hold": ", ".join(wanted["absent"]),
        "Time": time_in_words(wanted["latency"]) if wanted["latency"] else "",
    }
    return [*found, *((name, words) for name, words in lists.items() if words)]


def time_in_words(latency: str) -> str:
    """A class of times with its limit."""
    return f"{latency}: within {LIMITS_S[LatencyClass(latency)]:g} s"


def _version_line(version: PairVersion, before: PairVersion | None) -> VersionLine:
    changed = [
        name for field, name in FIELD_NAMES.items() if before and getattr(version, field) != getattr(before, field)
    ]
    return VersionLine(
        version.number, version.get_act_display(), version.actor, version.at, version.why, ", ".join(changed)
    )


def _result_line(result: PairResult) -> ResultLine:
    outcome = PairResult.Outcome(result.outcome)
    report = result.report
    shape, at = OUTCOME_SHAPES[outcome], report.started_at
    return ResultLine(report.pk, report_url(report.pk), report.target.name, shape, outcome.label, result.latency_ms, at)


STATE_SHAPES = {Report.State.RUNNING: WAITING, Report.State.FINISHED: KEPT}


def shape_of_report(report: Report) -> str:
    """The shape of its outcome."""
    if report.state == Report.State.FINISHED and not report.passes:
        return "flagged"
    return STATE_SHAPES.get(Report.State(report.state), STOPPED)
