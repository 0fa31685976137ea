"""/api/v1/proposals: what only looks like a contradiction, for a person to decide."""

from enum import StrEnum
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router

from review.api.auth import actor_of
from review.api.finding_schemas import ProposalAnswer, ProposalsOut
from review.api.pagination import DEFAULT_LIMIT, Cursor, Limit, Paging
from review.api.schemas import errors
from review.api.values import RowId
from selftest.findings import reading, saving
from selftest.findings.models import Proposal

router = Router(tags=["Findings"])

Number = Annotated[RowId, Path()]


class ProposalFilter(StrEnum):
    """Which proposals are listed."""

    OPEN = "open"  # not decided, and both findings are active
    ACCEPTED = "accepted"
    REFUSED = "refused"
    OUTDATED = "outdated"  # the claim holds again
    ALL = "all"


_DECIDED = {
    ProposalFilter.ACCEPTED: Proposal.State.ACCEPTED,
    ProposalFilter.REFUSED: Proposal.State.REFUSED,
    ProposalFilter.OUTDATED: Proposal.State.OUTDATED,
    ProposalFilter.ALL: None,
}


@router.get("", summary="Proposals", response={200: ProposalsOut, **errors()})
def proposals(
    request: HttpRequest,
    state: ProposalFilter = ProposalFilter.OPEN,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List proposals, newest first: that `winner` supersedes `loser`, or `content` does, which is not saved yet.

    `open`: those that wait for a person, because they are not decided and both findings are active.
    """
    is_open = state is ProposalFilter.OPEN
    rows = reading.open_proposals() if is_open else reading.proposals(_DECIDED[state])
    about = [f"{side}__{name}" for side in ("loser", "winner") for name in ("target", "combination", "example")]
    page = Paging(f"proposals {state}", cursor, limit).newest_first(rows.select_related(*about))
    return {"proposals": [reading.proposal_document(row) for row in page["items"]], "next": page["next"]}


@router.post(
    "/{int:proposal_id}/accept", summary="Accept a proposal", response={200: ProposalAnswer, **errors(404, 409)}
)
def accept_proposal(request: HttpRequest, proposal_id: Number) -> dict[str, Any]:
    """Supersede the loser by the winner, or by `content`, which is saved now.

    Refused where it is decided, or either is superseded or deleted meanwhile.
    """
    saving.accept(reading.proposal_numbered(proposal_id), actor_of(request))
    return _answer(proposal_id)


@router.post(
    "/{int:proposal_id}/refuse", summary="Refuse a proposal", response={200: ProposalAnswer, **errors(404, 409)}
)
def refuse_proposal(request: HttpRequest, proposal_id: Number) -> dict[str, Any]:
    """Say that both hold: no rule decides on the two again."""
    saving.refuse(reading.proposal_numbered(proposal_id), actor_of(request))
    return _answer(proposal_id)


def _answer(number: int) -> dict[str, Any]:
    proposal = reading.proposal_numbered(number)
    shown = proposal.winner or proposal.loser
    return {**reading.finding_answer(shown), "proposal": reading.proposal_document(proposal)}
