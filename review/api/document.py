"""The API as a whole: its OpenAPI document, docs page, errors and authentication."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import get_script_prefix
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI, Router, Swagger
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.types import DictStrAny

from review.api.auth import KEY_OR_SESSION, require_caller
from review.api.errors import ApiError, add_handlers, error_response
from review.api.idempotency import describe, once_for_each_key

DOCS_SETTINGS = {
    "validatorUrl": None,
    "persistAuthorization": False,
    "deepLinking": True,
}  # nothing is sent to another host


def _guarded(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For ninja's own pages, which are open to anyone and accept every method.

    405 before any CSRF token is looked for; then anyone who may read the API may read of it.
    """

    def guarded(request: HttpRequest, **path_params: Any) -> HttpResponse:
        try:
            require_caller(request)
        except ApiError as refusal:
            return error_response(refusal)
        return view(request, **path_params)

    return csrf_exempt(require_safe(guarded))


class _Api(NinjaAPI):
    def get_root_path(self, path_params: DictStrAny) -> str:
        return get_script_prefix()  # the paths below are complete

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: DictStrAny | None = None
    ) -> OpenAPISchema:
        document = super().get_openapi_schema(path_prefix=path_prefix, path_params=path_params)
        describe(document["paths"])
        return document

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__


def api_of(routers: Mapping[str, Router]) -> NinjaAPI:
    """One API made of these routers, each below its path."""
    api = _Api(
        title="Gadfly",
        version="1",
        description="The queries sent to a search router, the promises it broke, and how people reviewed them.",
        urls_namespace="api",
        openapi_url="/api/v1/openapi.json",
        docs_url="/api/v1/docs",
        docs=Swagger(settings=DOCS_SETTINGS),
        docs_decorator=_guarded,
        auth=KEY_OR_SESSION,
    )
    add_handlers(api)
    api.add_decorator(once_for_each_key, mode="view")
    for path, router in routers.items():
        api.add_router(path, router)
    return api


def patterns_of(api: NinjaAPI) -> tuple[list[Any], str, str]:
    """The URLs of an API."""
    patterns, app_name, namespace = api.urls
    # Ninja's own root would be at /, which is a page.
    return [pattern for pattern in patterns if getattr(pattern, "name", None) != "api-root"], app_name, namespace
