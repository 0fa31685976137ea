"""The header Idempotency-Key: a changing call of /api/v1 that is sent twice acts once, and is answered alike.

After the IETF's draft of that header. The key is told apart by who sends it, by method and by path.
"""

import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import Error as AnyDatabaseError
from django.http import HttpRequest, HttpResponse, RawPostDataException
from django.utils.crypto import salted_hmac

from review.api.auth import SAFE_METHODS, ApiKey, require_caller
from review.api.errors import CODES, JSON_TYPE, ApiError, api_error, error_response
from selftest.models import Actor, IdempotentCall
from selftest.operating import idempotency
from selftest.refusals import RefusedError
from selftest.storage.texts import sha256_hex

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
MAX_KEY_CHARACTERS = 255
KEY = re.compile(rf"[!-~]{{1,{MAX_KEY_CHARACTERS}}}")
ROOM = "/api/v1/"
CHANGING = ("post", "put", "patch", "delete")

View = Callable[..., HttpResponse]

PARAMETER = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "description": "Sent again with the same key within 24 hours, the same call does nothing and gets the first answer "
    "again. Take a new one for each act, such as a UUID. A refused call leaves its key free.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY_CHARACTERS, "pattern": "^[!-~]+$"},
}
REPLAYED_HEADER = {
    "description": "`true`: the answer to an earlier call with this key. Nothing was done now.",
    "schema": {"type": "string", "const": "true"},
}


def once_for_each_key(run: View) -> View:
    """For every operation of the API: those that change something act once for each idempotency key."""

    @wraps(run)
    def guarded(request: HttpRequest, **path_params: Any) -> HttpResponse:
        key = request.headers.get(HEADER)
        if key is None or request.method in SAFE_METHODS or not request.path_info.startswith(ROOM):
            return run(request, **path_params)
        try:
            return _answer_once(request, key, lambda: run(request, **path_params))
        except (ApiError, RefusedError, RawPostDataException, AnyDatabaseError) as error:
            return error_response(api_error(error))

    return guarded


def _answer_once(request: HttpRequest, key: str, answer: Callable[[], HttpResponse]) -> HttpResponse:
    actor = require_caller(request)
    if not KEY.fullmatch(key):
        wanted = f"must be 1 to {MAX_KEY_CHARACTERS} visible ASCII characters"
        raise ApiError(422, CODES[422], f"{HEADER}: {wanted}", HEADER)
    call = idempotency.claim(_identity(request, actor, key), _sha256_of(request))
    if call.status is not None:
        return _replayed(call)
    with idempotency.acting(call):
        response = answer()
        if response.status_code < 400:  # a refusal changed nothing, and may be mended and sent again
            idempotency.keep(call, response.status_code, response.content.decode())
    return response


def _identity(request: HttpRequest, actor: Actor, key: str) -> str:
    caller = f"user {actor.user.pk}" if actor.user else f"key {request.headers.get(ApiKey.param_name)}"
    named = json.dumps([caller, request.method, request.path_info, key])
    return salted_hmac("idempotency", named, algorithm="sha256").hexdigest()


def _sha256_of(request: HttpRequest) -> str:
    body = request.body.decode("latin-1")  # any bytes, each as one character
    return sha256_hex(json.dumps([request.META.get("QUERY_STRING", ""), body]))


def _replayed(call: IdempotentCall) -> HttpResponse:
    return HttpResponse(call.body, status=call.status, content_type=JSON_TYPE, headers={REPLAYED: "true"})


def describe(paths: dict[str, Any]) -> None:
    """Adds the header, and what may come of it, to the paths of an OpenAPI document."""
    for path, calls in paths.items():
        for method in CHANGING:
            if method in calls and path.startswith(ROOM):
                _describe(calls[method])


def _describe(call: dict[str, Any]) -> None:
    call["parameters"].append(PARAMETER)
    answers = call["responses"]
    answers.setdefault(409, {**answers[422], "description": "Conflict"})
    for status, answer in answers.items():
        if int(status) < 400:
            answer["headers"] = {REPLAYED: REPLAYED_HEADER}
