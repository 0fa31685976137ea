"""The calls of `/api/v1`, each as a value: what is sent, and what its answer is read as. Sends nothing.

Their names and parameters are those of the OpenAPI document. A listing takes `limit` rows a page; a client's `each()`
walks through all of its pages.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from uuid import uuid4

from review.client import models as m

AnswerT_co = TypeVar("AnswerT_co", bound=m.Record, covariant=True)


@dataclass(frozen=True)
class Operation(Generic[AnswerT_co]):
    """One call. key: makes a change one act, however often this value is sent; None: it is never sent again."""

    name: str
    method: str
    path: str
    answer: type[AnswerT_co]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: m.Body | None = None
    key: str | None = None

    @property
    def may_repeat(self) -> bool:
        """Whether sending it twice does no more than sending it once."""
        return self.method == "GET" or self.key is not None


def _read(name: str, path: str, answer: type[AnswerT_co], **query: Any) -> Operation[AnswerT_co]:
    return Operation(name, "GET", path, answer, {key: value for key, value in query.items() if value is not None})


def _change(
    name: str, path: str, answer: type[AnswerT_co], body: m.Body | None = None, method: str = "POST"
) -> Operation[AnswerT_co]:
    return Operation(name, method, path, answer, body=body, key=str(uuid4()))


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
