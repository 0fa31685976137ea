"""The calls of `/api/v1` and `/v1/search`, each as a value: what is sent, what its answer is read as. Sends nothing.

Names and parameters are those of the OpenAPI document. A listing takes `limit` rows a page; a client's `each()` walks
through all of its pages.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from uuid import uuid4

from review.client import models as m

AnswerT_co = TypeVar("AnswerT_co", bound=m.Record, covariant=True)


@dataclass(frozen=True)
class Operation(Generic[AnswerT_co]):
    """One call. key: makes a change one act, however often this value is sent; None: it is never sent again.

    room: where `path` begins. changes_once: whether it does nothing more when it is sent again, without a key.
    """

    name: str
    method: str
    path: str
    answer: type[AnswerT_co]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: m.Body | None = None
    key: str | None = None
    room: str = "api/v1/"
    changes_once: bool = False

    @property
    def may_repeat(self) -> bool:
        """Whether sending it twice does no more than sending it once."""
        return self.method == "GET" or self.key is not None or self.changes_once


def _read(name: str, path: str, answer: type[AnswerT_co], **query: Any) -> Operation[AnswerT_co]:
    return Operation(name, "GET", path, answer, {key: value for key, value in query.items() if value is not None})


def _change(
    name: str, path: str, answer: type[AnswerT_co], body: m.Body | None = None, method: str = "POST"
) -> Operation[AnswerT_co]:
    return Operation(name, method, path, answer, body=body, key=str(uuid4()))


def _search(
    name: str, method: str, path: str, answer: type[AnswerT_co], body: m.Body | None = None
) -> Operation[AnswerT_co]:
    """What is asked twice is answered twice, and changes nothing more."""
    return Operation(name, method, path, answer, body=body, room="v1/search/", changes_once=True)


# --- targets, cycles and settings ---


def targets(*, cursor: str | None = None, limit: int | None = None) -> Operation[m.Page[m.TargetOut]]:
    """The routers under test."""
    return _read("targets", "targets", m.Page[m.TargetOut], cursor=cursor, limit=limit)


def cycles(
    *,
    target: str | None = None,
    state: m.CycleState | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Operation[m.Page[m.CycleRow]]:
    """All cycles, newest first."""
    return _read("cycles", "cycles", m.Page[m.CycleRow], target=target, state=state, cursor=cursor, limit=limit)


def cycle(cycle_id: int, *, cursor: str | None = None, limit: int | None = None) -> Operation[m.CycleOut]:
    """One cycle with a page of its runs."""
    return _read("cycle", f"cycles/{cycle_id}", m.CycleOut, cursor=cursor, limit=limit)


def coverage(*, target: str | None = None) -> Operation[m.CoverageOut]:
    """How many of each recipe's combinations were tried."""
    return _read("coverage", "coverage", m.CoverageOut, target=target)


def tuning() -> Operation[m.TuningOut]:
    """The settings in force."""
    return _read("tuning", "tuning", m.TuningOut)


# --- combinations, runs and what was found ---


def combinations(
    *,
    target: str | None = None,
    recipe: str | None = None,
    check: str | None = None,
    state: m.CombinationState | None = None,
    text: str | None = None,
    fingerprint: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Operation[m.Page[m.CombinationRow]]:
    """Combinations, newest first."""
    filters = {"target": target, "recipe": recipe, "check": check, "state": state, "text": text}
    rows = m.Page[m.CombinationRow]
    return _read("combinations", "combinations", rows, **filters, fingerprint=fingerprint, cursor=cursor, limit=limit)


def combination(
    combination_id: int, *, cursor: str | None = None, limit: int | None = None
) -> Operation[m.CombinationOut]:
    """One combination with a page of its activity."""
    return _read("combination", f"combinations/{combination_id}", m.CombinationOut, cursor=cursor, limit=limit)


def reduce(combination_id: int) -> Operation[m.ReductionQueuedOut]:
    """Queue a search for the smallest query that still shows the last flag."""
    return _change("reduce", f"combinations/{combination_id}/reduce", m.ReductionQueuedOut)


def reductions(
    combination_id: int, *, cursor: str | None = None, limit: int | None = None
) -> Operation[m.Page[m.ReductionOut]]:
    """The searches for the smallest query of a combination, newest first."""
    path = f"combinations/{combination_id}/reductions"
    return _read("reductions", path, m.Page[m.ReductionOut], cursor=cursor, limit=limit)


def runs(
    *,
    target: str | None = None,
    cycle: int | None = None,
    combination: int | None = None,
    state: m.RunState | None = None,
    flagged: bool | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Operation[m.Page[m.RunRow]]:
    """All runs, newest first, without their answers."""
    filters = {"target": target, "cycle": cycle, "combination": combination, "state": state, "flagged": flagged}
    return _read("runs", "runs", m.Page[m.RunRow], **filters, cursor=cursor, limit=limit)


def run(run_id: int) -> Operation[m.RunOut]:
    """One run with its answer and findings."""
    return _read("run", f"runs/{run_id}", m.RunOut)


def flags(
    *,
    target: str | None = None,
    check: str | None = None,
    combination: int | None = None,
    run: int | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Operation[m.Page[m.FlagRow]]:
    """All broken promises, newest first, with their evidence."""
    filters = {"target": target, "check": check, "combination": combination, "run": run}
    return _read("flags", "flags", m.Page[m.FlagRow], **filters, cursor=cursor, limit=limit)


def explained(
    *,
    target: str | None = None,
    source: str | None = None,
    check: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Operation[m.Page[m.ExplainedOut]]:
    """All findings with a harmless explanation, newest first."""
    filters = {"target": target, "source": source, "check": check}
    return _read("explained", "explained", m.Page[m.ExplainedOut], **filters, cursor=cursor, limit=limit)


def dismiss_all(asked: m.DismissIn) -> Operation[m.ReviewOut]:
    """Dismiss combinations of one target, with a result for each."""
    return _change("dismiss_all", "review/dismiss", m.ReviewOut, asked)


def undismiss_all(asked: m.UndismissIn) -> Operation[m.ReviewOut]:
    """Return combinations of one target to the queue, with a result for each."""
    return _change("undismiss_all", "review/undismiss", m.ReviewOut, asked)


# --- causes ---


def causes(
    *,
    target: str | None = None,
    state: m.CauseState | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Operation[m.CausesOut]:
    """Causes, most open flags first; by default those that wait for a person."""
    return _read("causes", "causes", m.CausesOut, target=target, state=state, cursor=cursor, limit=limit)


def cause(cause_id: int, *, cursor: str | None = None, limit: int | None = None) -> Operation[m.CauseOut]:
    """One cause with a page of its story, or the cause that it was merged into."""
    return _read("cause", f"causes/{cause_id}", m.CauseOut, cursor=cursor, limit=limit)


def flags_of_cause(
    cause_id: int, *, cursor: str | None = None, limit: int | None = None
) -> Operation[m.Page[m.CombinationRow]]:
    """The combinations whose last flag has this cause, newest first."""
    path = f"causes/{cause_id}/flags"
    return _read("flags_of_cause", path, m.Page[m.CombinationRow], cursor=cursor, limit=limit)


def judge_cause(cause_id: int, asked: m.JudgeIn) -> Operation[m.CauseOut]:
    """Give a cause a verdict, or another one."""
    return _change("judge_cause", f"causes/{cause_id}/judge", m.CauseOut, asked)


def reopen_cause(cause_id: int, asked: m.ReopenIn) -> Operation[m.CauseOut]:
    """Take a verdict back, or only its last change."""
    return _change("reopen_cause", f"causes/{cause_id}/reopen", m.CauseOut, asked)


def assign_cause(cause_id: int, asked: m.AssignIn) -> Operation[m.CauseOut]:
    """Assign a cause to a user who may review, or to no one."""
    return _change("assign_cause", f"causes/{cause_id}/assign", m.CauseOut, asked)


# --- what was learnt ---


def findings(
    *,
    q: str | None = None,
    category: str | None = None,
    target: str | None = None,
    source: str | None = None,
    check: str | None = None,
    cause: int | None = None,
    combination: int | None = None,
    fingerprint: str | None = None,
    include_superseded: bool | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Operation[m.FindingsOut]:
    """Findings, newest first; superseded ones only where they are included."""
    filters = {"q": q, "category": category, "include_superseded": include_superseded, "cursor": cursor, "limit": limit}
    about = {"target": target, "source": source, "check": check, "cause": cause}
    return _read(
        "findings", "findings", m.FindingsOut, **filters, **about, combination=combination, fingerprint=fingerprint
    )


def finding(finding_id: int, *, cursor: str | None = None, limit: int | None = None) -> Operation[m.FindingWithStory]:
    """One finding with a page of its story."""
    return _read("finding", f"findings/{finding_id}", m.FindingWithStory, cursor=cursor, limit=limit)


def save_finding(asked: m.FindingIn) -> Operation[m.FindingAnswer]:
    """Save what was learnt, and supersede what it contradicts."""
    return _change("save_finding", "findings", m.FindingAnswer, asked)


def delete_finding(finding_id: int) -> Operation[m.DeletedOut]:
    """Delete a finding for good."""
    return _change("delete_finding", f"findings/{finding_id}", m.DeletedOut, method="DELETE")


def put_example(finding_id: int, asked: m.ExampleIn) -> Operation[m.FindingAnswer]:
    """Give a claim an example, in place of the one that it has."""
    return _change("put_example", f"findings/{finding_id}/example", m.FindingAnswer, asked)


def delete_example(finding_id: int) -> Operation[m.FindingAnswer]:
    """Take the example off a claim."""
    return _change("delete_example", f"findings/{finding_id}/example", m.FindingAnswer, method="DELETE")


def undo_finding(finding_id: int, asked: m.UndoIn | None = None) -> Operation[m.FindingAnswer]:
    """Make a finding active again, or all that it superseded, or undo exactly some acts."""
    return _change("undo_finding", f"findings/{finding_id}/undo", m.FindingAnswer, asked)


def proposals(
    *, state: m.ProposalFilter | None = None, cursor: str | None = None, limit: int | None = None
) -> Operation[m.ProposalsOut]:
    """Proposals that one finding supersedes another, newest first; by default those that wait for a decision."""
    return _read("proposals", "proposals", m.ProposalsOut, state=state, cursor=cursor, limit=limit)


def accept_proposal(proposal_id: int) -> Operation[m.ProposalAnswer]:
    """Supersede the loser by the winner."""
    return _change("accept_proposal", f"proposals/{proposal_id}/accept", m.ProposalAnswer)


def refuse_proposal(proposal_id: int) -> Operation[m.ProposalAnswer]:
    """Say that both hold."""
    return _change("refuse_proposal", f"proposals/{proposal_id}/refuse", m.ProposalAnswer)


# --- comparisons of targets ---


def comparisons(*, cursor: str | None = None, limit: int | None = None) -> Operation[m.ComparisonsOut]:
    """Comparisons, newest first, without their single queries."""
    return _read("comparisons", "comparisons", m.ComparisonsOut, cursor=cursor, limit=limit)


def compare(asked: m.ComparisonIn) -> Operation[m.ComparisonOut]:
    """Request a comparison; the worker runs it."""
    return _change("compare", "comparisons", m.ComparisonOut, asked)


def comparison(comparison_id: int) -> Operation[m.ComparisonWithQueries]:
    """One comparison with the queries that differ."""
    return _read("comparison", f"comparisons/{comparison_id}", m.ComparisonWithQueries)


def stop_comparison(comparison_id: int) -> Operation[m.ComparisonOut]:
    """Stop a comparison; what was compared until then is kept."""
    return _change("stop_comparison", f"comparisons/{comparison_id}/stop", m.ComparisonOut)


# --- the golden set and its reports ---


def pairs(
    *,
    set: str | None = None,  # noqa: A002 - the parameter's name
    kind: m.PairKind | None = None,
    state: m.PairState | None = None,
    q: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Operation[m.PairsOut]:
    """Pairs of the golden set, newest first."""
    return _read("pairs", "pairs", m.PairsOut, set=set, kind=kind, state=state, q=q, cursor=cursor, limit=limit)


def promote_pair(asked: m.PairIn) -> Operation[m.PairOut]:
    """Make a pair, read off an answer or as it is given."""
    return _change("promote_pair", "pairs", m.PairOut, asked)


def pair(pair_id: int) -> Operation[m.PairWithVersions]:
    """One pair with all its versions."""
    return _read("pair", f"pairs/{pair_id}", m.PairWithVersions)


def edit_pair(pair_id: int, asked: m.EditIn) -> Operation[m.PairOut]:
    """Say what a pair expects from now on."""
    return _change("edit_pair", f"pairs/{pair_id}/edit", m.PairOut, asked)


def rebaseline_pair(pair_id: int, asked: m.SeenIn) -> Operation[m.PairOut]:
    """Say that a pair holds for its target as it is now."""
    return _change("rebaseline_pair", f"pairs/{pair_id}/rebaseline", m.PairOut, asked)


def archive_pair(pair_id: int, asked: m.SeenIn) -> Operation[m.PairOut]:
    """Ask a pair no more; it is kept."""
    return _change("archive_pair", f"pairs/{pair_id}/archive", m.PairOut, asked)


def restore_pair(pair_id: int, asked: m.SeenIn) -> Operation[m.PairOut]:
    """Ask an archived pair again."""
    return _change("restore_pair", f"pairs/{pair_id}/restore", m.PairOut, asked)


def reports(
    *,
    set: str | None = None,  # noqa: A002
    target: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Operation[m.ReportsOut]:
    """Reports of golden sets, newest first."""
    return _read("reports", "reports", m.ReportsOut, set=set, target=target, cursor=cursor, limit=limit)


def report(report_id: int) -> Operation[m.ReportWithResults]:
    """One report with all its pairs."""
    return _read("report", f"reports/{report_id}", m.ReportWithResults)


# --- drift ---


def drift(
    *, target: str | None = None, cached: bool | None = None, cursor: str | None = None, limit: int | None = None
) -> Operation[m.Page[m.DriftSeriesRow]]:
    """What is watched, with the state of each."""
    return _read("drift", "drift", m.Page[m.DriftSeriesRow], target=target, cached=cached, cursor=cursor, limit=limit)


def alerts(
    *, target: str | None = None, is_open: bool | None = None, cursor: str | None = None, limit: int | None = None
) -> Operation[m.Page[m.DriftAlertOut]]:
    """When answers drifted, newest first."""
    return _read(
        "alerts", "drift/alerts", m.Page[m.DriftAlertOut], target=target, is_open=is_open, cursor=cursor, limit=limit
    )


def series(series_id: int, *, cursor: str | None = None, limit: int | None = None) -> Operation[m.DriftSeriesOut]:
    """One series with its windows."""
    return _read("series", f"drift/{series_id}", m.DriftSeriesOut, cursor=cursor, limit=limit)


# --- suggestions for a vocabulary ---


def suggestions(
    target_id: int, *, state: m.SuggestionState | None = None, cursor: str | None = None, limit: int | None = None
) -> Operation[m.SuggestionsOut]:
    """What the vocabulary of a target may grow by, newest first."""
    return _read(
        "suggestions", f"targets/{target_id}/suggestions", m.SuggestionsOut, state=state, cursor=cursor, limit=limit
    )


def accept_suggestions(target_id: int, asked: m.AcceptIn) -> Operation[m.DecisionOut]:
    """Put suggestions into the next version of the vocabulary, all or none."""
    return _change("accept_suggestions", f"targets/{target_id}/suggestions/accept", m.DecisionOut, asked)


def refuse_suggestions(target_id: int, asked: m.RefuseIn) -> Operation[m.DecisionOut]:
    """Refuse suggestions; they are not proposed again."""
    return _change("refuse_suggestions", f"targets/{target_id}/suggestions/refuse", m.DecisionOut, asked)


# --- search ---


def search(asked: m.SearchIn) -> Operation[m.SearchOut]:
    """Search all that is known."""
    return _search("search", "POST", "query", m.SearchOut, asked)


def rebuild_index() -> Operation[m.RebuildOut]:
    """Read every source of search once more."""
    return _search("rebuild_index", "POST", "index/rebuild", m.RebuildOut)


def rate_result(asked: m.FeedbackIn) -> Operation[m.FeedbackOut]:
    """Say whether a result helped; a later word takes the place of the first."""
    return _search("rate_result", "POST", "feedback", m.FeedbackOut, asked)


def search_history() -> Operation[m.HistoryOut]:
    """One's own searches, where they are kept. Of a person's session; a key has none."""
    return _search("search_history", "GET", "history", m.HistoryOut)


def delete_search_history() -> Operation[m.ForgottenOut]:
    """Delete one's own searches."""
    return _search("delete_search_history", "DELETE", "history", m.ForgottenOut)
