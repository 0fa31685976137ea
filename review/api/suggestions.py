"""/api/v1/targets/<id>/suggestions: what the vocabulary of a target may grow by."""

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Path, Router

from review.api.auth import actor_of
from review.api.pagination import DEFAULT_LIMIT, Cursor, Limit, Paging
from review.api.schemas import errors
from review.api.suggestion_schemas import AcceptIn, DecisionOut, RefuseIn, SuggestionsOut
from review.api.values import RowId, SuggestionState
from selftest.evaluation import suggestion_acts
from selftest.evaluation.models import Suggestion
from selftest.evaluation.suggestion_reading import decision_document, suggestion_document, texts_of
from selftest.evaluation.suggestion_reading import suggestions as suggestions_of
from selftest.models import Target
from selftest.reading.targets import target_numbered

router = Router(tags=["Suggestions"])

Number = Annotated[RowId, Path()]


@router.get("/{int:target_id}/suggestions", summary="Suggestions", response={200: SuggestionsOut, **errors(404)})
def suggestions(
    request: HttpRequest,
    target_id: Number,
    state: SuggestionState = Suggestion.State.OPEN,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List what the vocabulary of a target may grow by, newest first."""
    rows = suggestions_of(_target(target_id), Suggestion.State(state))
    page = Paging(f"suggestions {target_id} {state}", cursor, limit).newest_first(rows)
    return {"suggestions": [suggestion_document(row) for row in page["items"]], "next": page["next"]}


@router.post(
    "/{int:target_id}/suggestions/accept",
    summary="Accept suggestions",
    response={200: DecisionOut, **errors(400, 404, 409)},
)
def accept_suggestions(request: HttpRequest, target_id: Number, asked: AcceptIn) -> dict[str, Any]:
    """Put suggestions into the next version of the vocabulary, all or none."""
    target = _target(target_id)
    stored = texts_of(target, [one.id for one in asked.suggestions])
    texts = {one.id: stored.get(one.id, "") if one.text is None else one.text for one in asked.suggestions}
    return decision_document(suggestion_acts.accept(target, texts, asked.reason, actor_of(request)))


@router.post(
    "/{int:target_id}/suggestions/refuse",
    summary="Refuse suggestions",
    response={200: DecisionOut, **errors(400, 404, 409)},
)
def refuse_suggestions(request: HttpRequest, target_id: Number, asked: RefuseIn) -> dict[str, Any]:
    """Refuse suggestions; they are not proposed again."""
    decision = suggestion_acts.refuse(_target(target_id), asked.suggestions, asked.reason, actor_of(request))
    return decision_document(decision)


def _target(number: int) -> Target:
    found = target_numbered(number)
    if found is None:
        raise Http404(f"there is no target {number}")
    return found
