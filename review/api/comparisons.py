"""/api/v1/comparisons: the same queries asked of two targets, and in what their answers differ."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router
from ninja.responses import Status

from review.api.auth import actor_of
from review.api.comparison_schemas import ComparisonIn, ComparisonOut, ComparisonsOut, ComparisonWithQueries
from review.api.pagination import DEFAULT_LIMIT, Cursor, Limit, Paging
from review.api.schemas import errors
from review.api.values import RowId
from selftest.evaluation import comparison_requests
from selftest.evaluation.comparison_requests import Wanted, comparison_document, comparison_numbered
from selftest.evaluation.models import Comparison
from selftest.evaluation.reading import set_named
from selftest.reading.targets import target_named

router = Router(tags=["Comparisons"])

Number = Annotated[RowId, Path()]


@router.get("", summary="Comparisons", response={200: ComparisonsOut, **errors()})
def comparisons(request: HttpRequest, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT) -> dict[str, Any]:
    """List comparisons, newest first, without their single queries."""
    page = Paging("comparisons", cursor, limit).newest_first(comparison_requests.comparisons())
    return {
        "comparisons": [comparison_document(row, with_queries=False) for row in page["items"]],
        "next": page["next"],
    }


@router.post("", summary="Compare two targets", response={201: ComparisonOut, **errors(400, 404, 409, 503)})
def compare(request: HttpRequest, asked: ComparisonIn) -> Status[dict[str, Any]]:
    """Request a comparison; the worker runs it. Read it again until `state` is `finished` or `stopped`."""
    wanted = Wanted(
        target_named(asked.target),
        None if asked.against is None else target_named(asked.against),
        Comparison.Queries(asked.queries),
        asked.at_most,
        asked.before_version,
        None if asked.set is None else set_named(asked.set),
    )
    return Status(201, comparison_document(comparison_requests.request(wanted, actor_of(request)), with_queries=False))


@router.get("/{int:comparison_id}", summary="One comparison", response={200: ComparisonWithQueries, **errors(404)})
def comparison(request: HttpRequest, comparison_id: Number) -> dict[str, Any]:
    """Get a comparison with the queries that differ."""
    return comparison_document(comparison_numbered(comparison_id))


@router.post("/{int:comparison_id}/stop", summary="Stop a comparison", response={200: ComparisonOut, **errors(404)})
def stop_comparison(request: HttpRequest, comparison_id: Number) -> dict[str, Any]:
    """Stop it where it is not over; what was compared until then is kept."""
    comparison_requests.stop(comparison_numbered(comparison_id))
    return comparison_document(comparison_numbered(comparison_id), with_queries=False)
