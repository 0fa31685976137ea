"""Authentication: an API key, a session with the right role and a CSRF token, or anyone where reading is open.

On success `request.auth` is the Actor who is named in the activity of what the call changes.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import Error as AnyDatabaseError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from ninja.security import APIKeyHeader
from ninja.security.base import AuthBase

from review.api.errors import CODES, WHO_ARE_YOU, ApiError
from review.roles import MAY_REVIEW, MAY_SET_SEARCH, MAY_VIEW
from selftest.models import Actor, Target, Tuning
from selftest.operating.keys import owner_of_key
from selftest.reading.targets import target_or_none
from selftest.reading.tuning import settings_in_force
from selftest.refusals import UnknownError

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
ANYONE = Actor("anyone")
NO_ROLE = "this account has no role: an admin gives one"
NO_REVIEWER = "this account may not change anything: an admin can make it a reviewer"
NO_ADMIN = "only an admin may do this"


class ApiKey(APIKeyHeader):
    """The header X-API-Key. A wrong key is refused even with a valid session, so that the mistake is noticed."""

    param_name = "X-API-Key"
    openapi_description = "A key created in the admin or by `manage.py start`, or listed in `API_KEYS`."

    def authenticate(self, request: HttpRequest, key: str | None) -> Actor | None:
        """The owner of the key; None without one. Raises ApiError for an unknown key."""
        if key is None:
            return None
        owner = owner_of_key(key)
        if owner is None:
            raise ApiError(401, "unauthorized", "this X-API-Key is unknown or was revoked")
        return owner


class _Csrf(CsrfViewMiddleware):
    """Django's own check, returning the reason instead of a page."""

    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


class Session(AuthBase):
    """A signed-in session with a role that allows the call: any role to read, the reviewer role to change anything.

    Changes also need the CSRF token, since browsers send the cookie by themselves.
    to_post: the permission that what is no reading method needs. otherwise: what is said without it.
    """

    openapi_type = "apiKey"
    openapi_in = "cookie"
    openapi_name = settings.SESSION_COOKIE_NAME
    csrf = True  # the docs page then sends the token

    def __init__(self, to_post: str = MAY_REVIEW, otherwise: str = NO_REVIEWER) -> None:
        super().__init__()
        self._to_post = to_post
        self._otherwise = otherwise

    def __call__(self, request: HttpRequest) -> Actor | None:
        if not request.user.is_authenticated:
            return None
        if request.method in SAFE_METHODS:
            _require(request.user, MAY_VIEW, NO_ROLE)
        else:
            _require_csrf_token(request)
            _require(request.user, self._to_post, self._otherwise)
        return Actor.person(request.user)


def _require(user: User, permission: str, otherwise: str) -> None:
    if not user.has_perm(permission):
        raise ApiError(403, "forbidden", otherwise)


def _require_csrf_token(request: HttpRequest) -> None:
    check = _Csrf(lambda _: HttpResponse())
    request.csrf_processing_done = False  # type: ignore[attr-defined]  # ninja's views are exempt; these calls are not
    check.process_request(request)
    reason: Any = check.process_view(request, _view, (), {})
    if reason is not None:
        raise ApiError(403, "csrf_failed", f"{reason} Send the token as X-CSRFToken, or use an X-API-Key.")


def _view(request: HttpRequest) -> HttpResponse:
    """Placeholder for the view about to be called; the check only looks whether it is exempt."""
    return HttpResponse()


class OpenReading:
    """Anyone, while the settings allow open reading."""

    def __call__(self, request: HttpRequest) -> Actor | None:
        return ANYONE if settings_of(request).open_reads else None


class OpenHealth(OpenReading):
    """Also while the database is unavailable: no key can be looked up then, and the response holds no secrets."""

    def __call__(self, request: HttpRequest) -> Actor | None:
        try:
            return super().__call__(request)
        except AnyDatabaseError:
            return ANYONE


KEY_OR_SESSION = [ApiKey(), Session()]
KEY_OR_VIEWER = [ApiKey(), Session(MAY_VIEW, NO_ROLE)]  # what is asked by POST, or changes only what is one's own
KEY_OR_ADMIN = [ApiKey(), Session(MAY_SET_SEARCH, NO_ADMIN)]
OPEN_IN_SCHEMA: dict[str, Any] = {"security": [{}]}  # no key or session needed


def settings_of(request: HttpRequest) -> Tuning:
    """The settings in force, read once for a request."""
    if not hasattr(request, "settings_in_force"):
        request.settings_in_force = settings_in_force()  # type: ignore[attr-defined]  # ours
    found: Tuning = request.settings_in_force  # type: ignore[attr-defined]
    return found


def require_caller(request: HttpRequest) -> Actor:
    """For what ninja does not guard. Raises ApiError without a key or a session that allows the call."""
    for way in KEY_OR_SESSION:
        actor: Actor | None = way(request)
        if actor is not None:
            return actor
    raise ApiError(401, CODES[401], WHO_ARE_YOU)


def is_recognised(request: HttpRequest) -> bool:
    """Whether the call has a valid key or a session with a role, even where reading is open to anyone."""
    if actor_of(request) is not ANYONE:
        return True
    key = request.headers.get(ApiKey.param_name)
    return (key is not None and owner_of_key(key) is not None) or request.user.has_perm(MAY_VIEW)


def target_asked_for(request: HttpRequest, name: str | None) -> Target | None:
    """The target of this name, or the default one; None where there is none. 404 for an unknown name.

    Where reading is open to anyone, only a key or a session is told which names there are.
    """
    try:
        return target_or_none(name)
    except UnknownError:
        if is_recognised(request):
            raise
        raise ApiError(404, CODES[404], f"unknown target {name!r}") from None


def actor_of(request: HttpRequest) -> Actor:
    """The caller, from its key or session."""
    actor: Actor = request.auth  # type: ignore[attr-defined]  # set by ninja from what the classes above return
    return actor
