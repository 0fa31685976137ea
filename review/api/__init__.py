"""JSON for automation: the calls of the specification and the wider API, of which one OpenAPI document tells."""

from collections.abc import Callable

from django.http import HttpResponse
from django.urls import get_script_prefix
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI, Swagger
from ninja.operation import Operation
from ninja.types import DictStrAny

from review.api import adversarial, health, v1
from review.api.auth import KEY_OR_SESSION
from review.api.errors import add_handlers

DOCS_SETTINGS = {"validatorUrl": None, "persistAuthorization": False}  # no outside host is told of anything


def _read_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For ninja's own pages, which would answer to every method: 405, before any CSRF token is looked for."""
    return csrf_exempt(require_safe(view))


class _Api(NinjaAPI):
    def get_root_path(self, path_params: DictStrAny) -> str:
        return get_script_prefix()  # the paths below are whole ones

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__


api = _Api(
    title="Gadfly",
    version="1",
    description="What was asked of a search router, which of its promises it broke, and what people made of it.",
    urls_namespace="api",
    openapi_url="/api/v1/openapi.json",
    docs_url="/api/v1/docs",
    docs=Swagger(settings=DOCS_SETTINGS),
    docs_decorator=_read_only,
    auth=KEY_OR_SESSION,
)
add_handlers(api)
api.add_router("/adversarial", adversarial.router)
api.add_router("", health.router)
api.add_router("/api/v1", v1.router)

_patterns, _app_name, _namespace = api.urls
# Ninja's own root would stand at /, which is a page.
urls = ([pattern for pattern in _patterns if getattr(pattern, "name", None) != "api-root"], _app_name, _namespace)
