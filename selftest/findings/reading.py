"""Reads of findings, their story and what awaits a decision. Nothing here changes a row."""

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import Q, QuerySet

from selftest.findings.core.beliefs import Belief
from selftest.findings.models import Act, Example, Finding, Proposal
from selftest.models import Cause, Target
from selftest.refusals import UnknownError
from selftest.storage.texts import sha256_hex


@dataclass(frozen=True)
class AboutFilter:
    """What a finding is about; all of it has to hold; empty: any. cause: or one that was merged into it.

    combination: its key; fingerprint: of a combination of any target.
    """

    target: Target | None = None
    source: str = ""
    check: str = ""
    cause: Cause | None = None
    combination: int | None = None
    fingerprint: str = ""


ANYTHING = AboutFilter()


def findings(
    words: str = "", category: str = "", include_superseded: bool = False, about: AboutFilter = ANYTHING
) -> QuerySet[Finding]:
    """The newest first. words: each stands in the text; category: this one and all below it; both in any case."""
    rows = Finding.objects.all() if include_superseded else Finding.objects.filter(superseded_by__isnull=True)
    for word in words.split():
        rows = rows.filter(_in_any_case("content__icontains", word))
    if category:
        below = _in_any_case("category__istartswith", f"{category.rstrip('/')}/")
        rows = rows.filter(_in_any_case("category__iexact", category) | below)
    return _about(rows, about).order_by("-id")


def _in_any_case(lookup: str, text: str) -> Q:
    """SQLite knows both cases of the letters of ASCII alone; others are looked for as they are mostly written."""
    found = Q()
    for written in {text} if text.isascii() else {text, text.lower(), text.upper(), text.title()}:
        found |= Q((lookup, written))
    return found


def _about(rows: QuerySet[Finding], about: AboutFilter) -> QuerySet[Finding]:
    columns = {
        "target": about.target,
        "source": about.source or None,
        "check_name": about.check or None,
        "combination": about.combination,
        "combination__fingerprint_sha256": sha256_hex(about.fingerprint) if about.fingerprint else None,
        "cause__in": with_merged(about.cause.pk) if about.cause else None,
    }
    return rows.filter(**{column: value for column, value in columns.items() if value is not None})


def with_merged(cause: int) -> set[int]:
    """Its key, and those of all causes that were merged into it."""
    found: set[int] = set()
    newest = {cause}
    while newest:
        found |= newest
        newest = set(Cause.objects.filter(merged_into__in=newest).values_list("pk", flat=True)) - found
    return found


def finding_numbered(number: int) -> Finding:
    """Superseded or not. Raises UnknownError."""
    found = Finding.objects.select_related("superseded_by", "example").filter(pk=number).first()
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


def acts_in_force(finding: Finding) -> list[Act]:
    """That by which a finding is superseded, then those by which it supersedes others, in the order of time."""
    own = act_in_force(finding)
    losers = finding.superseded.values("pk")
    acts = Act.objects.filter(number__in=losers, other_number=finding.pk, kind=Act.Kind.SUPERSEDED).order_by("id")
    newest = {act.number: act for act in acts}
    return [*([own] if own else []), *sorted(newest.values(), key=attrgetter("pk"))]


def open_proposals() -> QuerySet[Proposal]:
    """What awaits a person's decision, the newest first: both findings are active, or the winner is not saved yet."""
    return proposals(Proposal.State.OPEN).filter(loser__superseded_by=None, winner__superseded_by=None)


def proposals(state: Proposal.State | None = None) -> QuerySet[Proposal]:
    """The newest first; None: in any state."""
    rows = Proposal.objects.select_related("loser", "winner")
    return (rows if state is None else rows.filter(state=state)).order_by("-id")


def proposal_numbered(number: int) -> Proposal:
    """In whatever state. Raises UnknownError."""
    found = proposals().filter(pk=number).first()
    if found is None:
        raise UnknownError(f"there is no proposal {number}")
    return found


def belief_of(finding: Finding) -> Belief:
    """A finding as the rules see it."""
    return Belief(finding.category, finding.content, tuple(finding.tags))


def told_apart(numbers: set[int]) -> set[frozenset[int]]:
    """Pairs with one of these of which a person said that both hold: no rule decides on them again."""
    undone = Act.objects.filter(Q(number__in=numbers) | Q(other_number__in=numbers), kind=Act.Kind.UNDONE)
    refused = Proposal.objects.filter(Q(loser__in=numbers) | Q(winner__in=numbers), state=Proposal.State.REFUSED)
    pairs = [*undone.values_list("number", "other_number"), *refused.values_list("loser", "winner")]
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
        "example": _example_document(example_on(finding)),
        "about": {
            "target": finding.target.name if finding.target else None,
            "source": finding.source or None,
            "check": finding.check_name or None,
            "cause": finding.cause_id,
            "fingerprint": finding.combination.fingerprint if finding.combination else None,
        },
    }


def example_on(finding: Finding) -> Example | None:
    """The example of a claim; None for most findings."""
    return getattr(finding, "example", None)


def _example_document(example: Example | None) -> dict[str, Any] | None:
    if example is None:
        return None
    combination = example.combination
    return {
        "query": example.query_text,
        "cause": example.cause_id,
        "fingerprint": combination.fingerprint if combination else None,
        "expect": example.expect,
        "named": example.named,
        "outcome": example.outcome or None,
        "times_checked": example.times_checked,
        "checked_at": example.checked_at,
        "checked_version": example.checked_version or None,
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
        acts = acts_in_force(finding)
    return {
        "finding": finding_document(finding),
        "superseded": [act.number for act in acts if act.number != finding.pk],
        "superseded_by": finding.superseded_by_id,
        "why": [act_document(act) for act in acts],
    }


def proposal_document(proposal: Proposal) -> dict[str, Any]:
    """A proposal as scripts get it: `winner` instead of `loser`; of a successor that is not saved yet its `content`."""
    return {
        "id": proposal.pk,
        "loser": finding_document(proposal.loser),
        "winner": finding_document(proposal.winner) if proposal.winner else None,
        "content": proposal.content or None,
        "version": proposal.version or None,
        "origin": proposal.origin,
        "why": proposal.why,
        "state": proposal.state,
        "created_at": proposal.created_at,
        "decided_by": proposal.actor or None,
        "decided_at": proposal.decided_at,
    }
