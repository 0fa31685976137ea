"""/metrics: the figures for Prometheus, in its text format. For a key or a session; METRICS=false switches it off."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router
from ninja.security import HttpBearer
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from review.api.auth import KEY_OR_SESSION, ApiKey
from review.api.schemas import errors
from selftest.models import Actor
from selftest.reading.metrics import metrics_text

router = Router(tags=["Queue and cycle"])


class BearerKey(HttpBearer):
    """An API key as `Authorization: Bearer KEY`, as Prometheus sends it."""

    def authenticate(self, request: HttpRequest, token: str) -> Actor | None:
        """The owner of the key. Raises ApiError for an unknown one."""
        return ApiKey().authenticate(request, token)


@router.get(
    "",
    auth=[*KEY_OR_SESSION, BearerKey()],
    summary="Metrics",
    response={200: str, **errors(404)},
    openapi_extra={"responses": {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}},
)
def metrics(request: HttpRequest) -> HttpResponse:
    """Cycles, runs, flags and causes by check, latencies, probes, the oldest open flag, the worker and its tasks."""
    if not settings.METRICS:
        raise Http404("switched off by METRICS=false")
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)
