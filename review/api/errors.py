"""One shape for every error of the API: {"error": {"code", "message", "field"}}, wherever it was raised."""

import json
import logging
from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, RawPostDataException
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError
from ninja.errors import ValidationError as NinjaValidationError

from selftest.operating.database_faults import RETRY_AFTER_S, database_fault
from selftest.refusals import (
    BrokerAwayError,
    OutdatedError,
    RefusedError,
    ReusedKeyError,
    UnderWayError,
    UnknownError,
)

logger = logging.getLogger(__name__)

API_ROOMS = frozenset({"adversarial", "api", "health", "v1"})  # the first path segments that answer only in JSON
MAX_MESSAGE_CHARACTERS = 500  # a message that quotes the request must not return all of it
MAX_FAULTS_NAMED = 5
JSON_TYPE = "application/json"
DATABASE_UNAVAILABLE = "database_unavailable"
UNDER_WAY = "under_way"
WAITS_S = {DATABASE_UNAVAILABLE: RETRY_AFTER_S, UNDER_WAY: 1}  # until it is worth trying again

CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    422: "invalid",
    500: "internal_error",
    503: DATABASE_UNAVAILABLE,
}
MESSAGES = {
    400: "the request could not be understood",
    403: "this call is not allowed",
    404: "there is nothing at this path",
    413: "the request is too large",
    500: "something failed here; the log says what",
    503: "the database cannot be used now; the log says why",
}
WHO_ARE_YOU = "send a key as X-API-Key, or sign in"


class ApiError(Exception):
    """An error response. key: of a message that is told in several languages."""

    def __init__(self, status: int, code: str, message: str, field: str | None = None, key: str | None = None) -> None:
        is_long = len(message) > MAX_MESSAGE_CHARACTERS
        super().__init__(message)
        self.status = status
        self.code = code
        self.body = {
            "code": code,
            "message": message[: MAX_MESSAGE_CHARACTERS - 1] + "…" if is_long else message,
            "field": field,
            **({"key": key} if key else {}),
        }


def _invalid(faults: Sequence[dict[str, Any]]) -> ApiError:
    """The faults found by validation: the field of the first, and what is wrong with each."""
    named = [(_field_of(fault["loc"]), _message_of(fault)) for fault in faults]
    messages = [f"{field}: {message}" if field else message for field, message in named[:MAX_FAULTS_NAMED]]
    if len(named) > MAX_FAULTS_NAMED:
        messages.append(f"and {len(named) - MAX_FAULTS_NAMED} more")
    return ApiError(422, CODES[422], "; ".join(messages), named[0][0] or None)


def _field_of(place: Sequence[str | int]) -> str:
    """`("query", "limit")` → limit; `("body", "asked", "items", 3, "seen_run")` → items.3.seen_run."""
    source, *names = place
    return ".".join(str(name) for name in (names[1:] if source == "body" else names))


def _message_of(fault: dict[str, Any]) -> str:
    """As pydantic says it, but for a text that a validator of ours has seen: its characters are no items."""
    message = str(fault["msg"]).removeprefix("Value error, ")
    if fault["type"] in ("too_long", "too_short") and fault.get("ctx", {}).get("field_type") == "Value":
        return message.replace("Value should", "should").replace(" items after validation", " characters")
    return "is missing" if fault["type"] == "missing" else message


def api_error(error: Exception) -> ApiError:
    """The HTTP error for an exception. Raises `error` itself where it is our fault."""
    match error:
        case ApiError():
            return error
        case UnknownError() | Http404():
            return ApiError(404, CODES[404], str(error) or MESSAGES[404])
        case OutdatedError():
            return ApiError(409, "outdated", str(error))
        case UnderWayError():
            return ApiError(409, UNDER_WAY, str(error))
        case ReusedKeyError():
            return ApiError(422, "key_reused", str(error))
        case BrokerAwayError():
            return ApiError(503, "broker_away", str(error))
        case RefusedError():
            return ApiError(409, "refused", str(error))
        case NinjaValidationError():
            return _invalid(error.errors)
        case AuthenticationError():
            return ApiError(401, CODES[401], WHO_ARE_YOU)
        case HttpError():
            return ApiError(error.status_code, CODES.get(error.status_code, "error"), error.message)
        case RawPostDataException():
            # The CSRF check has already read the body as a form, before it is known that JSON was expected.
            return ApiError(400, CODES[400], "the body must be JSON")
        case _ if (fault := database_fault(error)) is not None:
            logger.error("503 for a call of the API", exc_info=error)
            return ApiError(503, DATABASE_UNAVAILABLE, fault)
        case _:
            raise error  # Django logs it and answers 500, which the middleware below turns into JSON


def error_response(error: ApiError) -> HttpResponse:
    """`error` in the one shape."""
    response = JsonResponse({"error": error.body}, status=error.status)
    if error.status == 401:
        response["WWW-Authenticate"] = "X-API-Key"
    if error.code in WAITS_S:
        response["Retry-After"] = str(WAITS_S[error.code])
    return response


def add_handlers(api: NinjaAPI) -> None:
    """Answers every error of this API in the same shape."""

    def answer(request: HttpRequest, raised: Any) -> HttpResponse:
        return error_response(api_error(raised))

    for kind in (HttpError, Http404, NinjaValidationError, Exception):  # each replaces a handler of ninja's
        api.add_exception_handler(kind, answer)


class OneErrorShapeMiddleware:
    """Turns Django's own errors under the API's paths into the same shape: unknown paths, methods, faults."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code >= 400 and _is_api(request.path_info) and not _is_json(response):
            _reword(response, request.method or "")
        return response


def _is_api(path: str) -> bool:
    return path.lstrip("/").partition("/")[0] in API_ROOMS


def _is_json(response: HttpResponse) -> bool:
    return response.get("Content-Type", "").partition(";")[0] == JSON_TYPE


def _reword(response: HttpResponse, method: str) -> None:
    """In place, so that headers such as Allow stay; Content-Length is that of the old body."""
    status = response.status_code
    message = MESSAGES.get(status, response.reason_phrase)
    if status == 405:
        message = f"{method} is not allowed here; allowed: {response.get('Allow', '')}"
    response.content = json.dumps({"error": ApiError(status, CODES.get(status, "error"), message).body}).encode()
    response["Content-Type"] = JSON_TYPE
    del response["Content-Length"]
