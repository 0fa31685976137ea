"""/v1/search/…: what is known, found by words; and the call that it replaces, /v1/advisory-ai/….

A POST here is asked like a GET elsewhere: by a key, or by a session of any role.
"""

import dataclasses
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import http_date
from ninja import Router

from review.api.auth import KEY_OR_ADMIN, KEY_OR_VIEWER, actor_of
from review.api.errors import CODES, ApiError, error_response
from review.api.schemas import errors
from review.api.search_schemas import (
    KEY,
    TYPES,
    FeedbackIn,
    FeedbackOut,
    ForgottenOut,
    HistoryOut,
    LegacyFilters,
    LegacySearchIn,
    LegacySearchOut,
    RebuildOut,
    SearchFilters,
    SearchIn,
    SearchOut,
    refusal,
    unknown_value,
)
from review.localisation import HEADER, LOCALES, label_of, locale_of, message_of, speaking
from review.roles import ADMIN, MAY_SET_SEARCH, role_of
from selftest.knowledge import search_records
from selftest.knowledge.core.answer_document import answer_document
from selftest.knowledge.core.answers import Filters, SearchAnswer, SearchRequest
from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.filter_values import UnknownFilterValueError, refuse_unknown
from selftest.knowledge.searching import search as find
from selftest.reading.targets import target_names
from selftest.refusals import RefusedError

router = Router(tags=["Search"], auth=KEY_OR_VIEWER)
legacy_router = Router(tags=["Search"], auth=KEY_OR_VIEWER)

View = Callable[..., HttpResponse]

DEPRECATED_AT = datetime(2026, 11, 1, tzinfo=UTC)  # when /v1/search/query took its place
SUNSET_AT = datetime(2027, 12, 31, tzinfo=UTC)  # until then it answers: a year after the last of those who call it
LOCALE_PARAMETER = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "description": f"Of messages and labels: {' or '.join(LOCALES.values())}. Default: that of `Accept-Language`.",
    "schema": {"type": "string"},
}
IN_A_LOCALE = {"parameters": [LOCALE_PARAMETER]}


def _localised(run: View) -> View:
    """Answers in the reader's language, refusals as well."""

    @wraps(run)
    def localised(request: HttpRequest, **path_params: Any) -> HttpResponse:
        locale = locale_of(request)
        with speaking(locale):
            response = run(request, **path_params)
            if response.status_code == 422:  # there was no body, so nothing of it was looked at
                response = error_response(refusal(KEY + "q_required", "q"))
            elif response.status_code == 400 and "key" not in json.loads(response.content)["error"]:  # it is no JSON
                response = error_response(refusal(KEY + "no_object", None))
        response["Content-Language"] = locale
        patch_vary_headers(response, [HEADER, "Accept-Language"])
        return response

    return localised


def _deprecated(run: View) -> View:
    """With what RFC 9745 and RFC 8594 say of a call that goes away."""

    @wraps(run)
    def deprecated(request: HttpRequest, **path_params: Any) -> HttpResponse:
        response = run(request, **path_params)
        response["Deprecation"] = f"@{int(DEPRECATED_AT.timestamp())}"
        response["Sunset"] = http_date(SUNSET_AT.timestamp())
        successor = reverse("api:rebuild_index" if request.path_info.endswith("/rebuild") else "api:search")
        response["Link"] = f'<{successor}>; rel="successor-version"'
        return response

    return deprecated


router.add_decorator(_localised, mode="view")
legacy_router.add_decorator(_localised, mode="view")
legacy_router.add_decorator(_deprecated, mode="view")


@router.post("/query", summary="Search", response={200: SearchOut, **errors(400)}, openapi_extra=IN_A_LOCALE)
def search(request: HttpRequest, asked: SearchIn) -> dict[str, Any]:
    """Search documents, operations, checks, guarantees, causes, flags, findings, pairs, targets and cycles.

    All of the query is text: quotes, `-`, `*`, `OR` and `:` are no operators. An unknown filter, or an unknown value of
    one, is refused.
    """
    return _found(request, asked, asked.filters or SearchFilters(), "api")


@legacy_router.post(
    "/search",
    summary="Search, as it was",
    response={200: LegacySearchOut, **errors(400)},
    deprecated=True,
    openapi_extra=IN_A_LOCALE,
)
def legacy_search(request: HttpRequest, asked: LegacySearchIn) -> dict[str, Any]:
    """Search documents, operations and checks of the doctor. `POST /v1/search/query` replaces it."""
    filters = SearchFilters(**(asked.filters or LegacyFilters()).model_dump(exclude_none=True))
    filters.entityTypes = list(TYPES)
    found = _found(request, asked, filters, "legacy")
    for result in found["results"]:
        result["type"] = result["kind"]
    return found


@router.post(
    "/index/rebuild", summary="Rebuild the index", response={200: RebuildOut, **errors(409)}, auth=KEY_OR_ADMIN
)
def rebuild_index(request: HttpRequest) -> dict[str, Any]:
    """Read every source once more, and put what differs into the index at once. Searches go on meanwhile.

    By a key, or an admin's session.
    """
    return _rebuilt()


@legacy_router.post(
    "/index/rebuild",
    summary="Rebuild the index, as it was",
    response={200: RebuildOut, **errors(409)},
    auth=KEY_OR_ADMIN,
    deprecated=True,
)
def legacy_rebuild_index(request: HttpRequest) -> dict[str, Any]:
    """Rebuild the index. `POST /v1/search/index/rebuild` replaces it."""
    return _rebuilt()


@router.post("/feedback", summary="Rate a result", response={200: FeedbackOut, **errors(400, 404)})
def rate_result(request: HttpRequest, asked: FeedbackIn) -> dict[str, Any]:
    """Say whether a result helped. The query is kept as its SHA-256 alone."""
    actor = actor_of(request)
    kind = search_records.kind_of_result(asked.id, _is_admin(actor.user))
    search_records.rate(actor, asked.q, asked.id, kind, asked.rating, asked.comment)
    return {"status": "recorded", "id": asked.id, "rating": asked.rating}


@router.get("/history", summary="One's own searches", response={200: HistoryOut, **errors()})
def search_history(request: HttpRequest) -> dict[str, Any]:
    """List the last searches of the person who asks, the newest first. They are kept only where that was chosen."""
    person = _person(request)
    entries = [{"q": row.query, "results": row.results, "at": row.at} for row in search_records.history(person)]
    return {"kept": search_records.keeps_history(person), "entries": entries}


@router.delete("/history", summary="Delete one's own searches", response={200: ForgottenOut, **errors()})
def delete_search_history(request: HttpRequest) -> dict[str, Any]:
    """Delete all searches that were kept of the person who asks."""
    return {"deleted": search_records.forget(_person(request))}


def _rebuilt() -> dict[str, Any]:
    # With readers of Markdown and YAML, which no other call needs.
    from selftest.knowledge.core.documents import DocumentRefusedError
    from selftest.knowledge.rebuilding import rebuild

    try:
        return dataclasses.asdict(rebuild())
    except DocumentRefusedError as fault:
        raise RefusedError(str(fault)) from fault


def _found(request: HttpRequest, asked: LegacySearchIn, filters: SearchFilters, source: str) -> dict[str, Any]:
    names = dict(target_names())
    person = actor_of(request).user
    kinds = _kinds(filters)
    wanted = Filters(
        frozenset(filters.domains or ()),
        kinds or frozenset(),
        filters.product or "",
        filters.version or "",
        filters.service or "",
        frozenset(filters.tags or ()),
        _target_ids(filters.target or (), {name: pk for pk, name in names.items()}),
    )
    is_admin = _is_admin(person)
    role = ADMIN if is_admin else role_of(person) if person else ""
    wish = SearchRequest(asked.q, asked.k, wanted, locale_of(request), is_admin, role, asked.includeDebug)
    try:
        answer = _nothing(wish) if kinds == frozenset() else find(wish)
    except UnknownFilterValueError as fault:
        raise unknown_value(f"filters.{fault.name}", fault.value, fault.known) from fault
    search_records.note_search(asked.q, answer, source, person)
    document = answer_document(answer, names, "legacy" if source == "legacy" else "unified")
    _label(document["results"])
    return document


def _nothing(wish: SearchRequest) -> SearchAnswer:
    """Where no result can be of all the kinds that are asked for."""
    refuse_unknown(wish.filters, wish.for_admin)
    return SearchAnswer(())


def _kinds(filters: SearchFilters) -> frozenset[Kind] | None:
    """Those that both filters of kinds let through, none perhaps; None: neither was given."""
    given = [frozenset(Kind(kind) for kind in kinds) for kinds in (filters.entityTypes, filters.type) if kinds]
    return frozenset.intersection(*given) if given else None


def _target_ids(names: Iterable[str], known: dict[str, int]) -> frozenset[int]:
    for name in names:
        if name not in known:
            raise unknown_value("filters.target", name, sorted(known))
    return frozenset(known[name] for name in names)


def _label(results: list[dict[str, Any]]) -> None:
    """The labels of actions in the reader's language."""
    for result in results:
        for action in (result["action"], *result["actions"]):
            if action is not None:
                action["label"] = label_of(action["kind"], action["label"])


def _is_admin(person: User | None) -> bool:
    """A key is no admin: what admins alone may open is not found by it."""
    return person is not None and person.has_perm(MAY_SET_SEARCH)


def _person(request: HttpRequest) -> User:
    person = actor_of(request).user
    if person is None:
        key = "knowledge.history.no_person"
        raise ApiError(403, CODES[403], message_of(key), key=key)
    return person
