"""/api/v1/drift: whether answers are what they were. Read only: what is normal, a person decides on the page."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router
from ninja.params.models import Query as QueryParam

from review.api.drift_schemas import DriftAlertOut, DriftSeriesOut, DriftSeriesRow, DriftWindowOut
from review.api.pagination import DEFAULT_LIMIT, Cursor, Limit, Paging
from review.api.schemas import Page, errors
from review.api.values import RowId, Text
from selftest.evaluation import drift_reading as reading
from selftest.reading.targets import target_named

router = Router(tags=["Drift"])

Number = Annotated[RowId, Path()]
OfTarget = Annotated[Text | None, QueryParam(None, description="Only this target. Default: all targets.")]


@router.get("", summary="Drift of each series", response={200: Page[DriftSeriesRow], **errors(404)})
def drift(
    request: HttpRequest,
    target: OfTarget = None,
    cached: bool | None = None,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List what is watched for drift, with the state of each. Drift is advice: it flags nothing."""
    found = None if target is None else target_named(target)
    page = Paging("drift", cursor, limit).rising(reading.series(found, cached))
    return {"items": [DriftSeriesRow.document(row) for row in page["items"]], "next": page["next"]}


@router.get("/alerts", summary="Alerts of drift", response={200: Page[DriftAlertOut], **errors(404)})
def alerts(
    request: HttpRequest,
    target: OfTarget = None,
    is_open: bool | None = None,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List alerts, newest first, each with both distributions. `is_open`: only those that last, or that have ended."""
    rows = reading.alerts(None if target is None else target_named(target), is_open)
    page = Paging("drift alerts", cursor, limit).newest_first(rows.select_related("series__target"))
    return {"items": [DriftAlertOut.document(row) for row in page["items"]], "next": page["next"]}


@router.get("/{int:series_id}", summary="One series with its windows", response={200: DriftSeriesOut, **errors(404)})
def series(
    request: HttpRequest, series_id: Number, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> dict[str, Any]:
    """Get a series with its windows of the last 90 days. `cursor` and `limit` apply to the windows."""
    row = reading.series_numbered(series_id)
    page = Paging(f"drift {row.pk}", cursor, limit).newest_first(reading.windows_of(row))
    windows = [DriftWindowOut.document(window) for window in page["items"]]
    return {**DriftSeriesRow.document(row), "windows": {"items": windows, "next": page["next"]}}
