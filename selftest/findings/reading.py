"""Reads of findings, their story and what awaits a decision. Nothing here changes a row."""

from typing import Any

from django.db.models import Q, QuerySet

from selftest.findings.core.beliefs import Belief
from selftest.findings.models import Act, Finding, Proposal
from selftest.refusals import UnknownError


def findings(words: str = "", category: str = "", include_superseded: bool = False) -> QuerySet[Finding]:
    """The newest first. words: each stands in the text, whatever its case; category: this one and all below it."""
    rows = Finding.objects.all() if include_superseded else Finding.objects.filter(superseded_by__isnull=True)
    for word in words.split():
        rows = rows.filter(content__icontains=word)
    if category:
        rows = rows.filter(Q(category=category) | Q(category__startswith=f"{category.rstrip('/')}/"))
    return rows.order_by("-id")


def finding_numbered(number: int) -> Finding:
    """Superseded or not. Raises UnknownError."""
    found = Finding.objects.select_related("superseded_by").filter(pk=number).first()
    if found is None:
        raise UnknownError(f"there is no finding {number}")
    return found


def story_of(number: int) -> QuerySet[Act]:
    """All that happened to a finding or through it, the newest first; also of one that is deleted."""
    return Act.objects.filter(Q(number=number) | Q(other_number=number)).order_by("-id")


def act_in_force(finding: Finding) -> Act | None:
    """That by which a finding is superseded now, with its why; None for an active one."""
    if finding.superseded_by_id is None:
        return None
    acts = Act.objects.filter(number=finding.pk, other_number=finding.superseded_by_id, kind=Act.Kind.SUPERSEDED)
    return acts.order_by("-id").first()


def open_proposals() -> QuerySet[Proposal]:
    """What awaits a person's decision, the newest first."""
    rows = Proposal.objects.filter(state=Proposal.State.OPEN).select_related("loser", "winner")
    return rows.order_by("-id")


def belief_of(finding: Finding) -> Belief:
    """A finding as the rules see it."""
    return Belief(finding.category, finding.content, tuple(finding.tags))


def told_apart(numbers: set[int]) -> set[frozenset[int]]:
    """Pairs of which a person said that both hold: no rule decides on them again."""
    undone = Act.objects.filter(kind=Act.Kind.UNDONE, number__in=numbers).values_list("number", "other_number")
    refused = Proposal.objects.filter(state=Proposal.State.REFUSED, loser__in=numbers)
    pairs = [*undone, *refused.values_list("loser", "winner")]
    return {frozenset((one, other)) for one, other in pairs if other is not None}


def finding_document(finding: Finding) -> dict[str, Any]:
    """A finding as scripts get it."""
    return {
        "id": finding.pk,
        "category": finding.category,
        "content": finding.content,
        "tags": finding.tags,
        "is_correction": finding.is_correction,
        "saved_by": finding.actor,
        "created_at": finding.created_at,
        "superseded_by": finding.superseded_by_id,
        "about": {
            "target": finding.target.name if finding.target else None,
            "source": finding.source or None,
            "check": finding.check_name or None,
            "cause": finding.cause_id,
            "fingerprint": finding.combination.fingerprint if finding.combination else None,
        },
    }


def act_document(act: Act) -> dict[str, Any]:
    """What happened to a finding, as scripts get it; `why` has the rule, the words and the overlap."""
    return {
        "act": act.pk,
        "kind": act.kind,
        "finding": act.number,
        "by": act.other_number,
        "actor": act.actor,
        "at": act.at,
        "profile": act.profile or None,
        "why": act.why,
    }


def finding_answer(finding: Finding, acts: list[Act] | None = None) -> dict[str, Any]:
    """A finding with what it superseded, what superseded it, and why. acts: those in force, where they are known."""
    if acts is None:
        own = act_in_force(finding)
        of_losers = [act for loser in finding.superseded.order_by("id") if (act := act_in_force(loser))]
        acts = [own, *of_losers] if own else of_losers
    return {
        "finding": finding_document(finding),
        "superseded": [act.number for act in acts if act.number != finding.pk],
        "superseded_by": finding.superseded_by_id,
        "why": [act_document(act) for act in acts],
    }
