"""What every page shares: who may see it, and that htmx gets a page's partial at the page's own address."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from review.page_urls import shown_page_url, with_query
from review.roles import MAY_RESET_DRIFT, MAY_REVIEW, MAY_VIEW, reviewers
from selftest.models import Actor, Target
from selftest.reading.targets import target_named
from selftest.refusals import UnknownError

P = ParamSpec("P")
DIGITS = 18  # of a number that every database can look up
NO_ROLE = "You are signed in but have no role yet. Ask an admin to make you a viewer or a reviewer."
ADMINS_ONLY = "Only an admin can do this."
LOOK_ONLY = "You can view this but not change it. An admin can make you a reviewer."


class Request(HttpRequest):
    """A request of a signed-in user, after the middleware."""

    htmx: HtmxDetails
    user: User  # no page is shown to anyone else


View = Callable[Concatenate[Request, P], HttpResponseBase]


def signed_in(view: View[P]) -> Callable[..., HttpResponseBase]:
    """Sends anyone else to sign in and, where that can be, back. htmx is told the way and does not follow it."""

    @wraps(view)
    def guarded(request: Request, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.htmx:
            return HttpResponseClientRedirect(_sign_in_address(shown_page_url(request)))
        return redirect(_sign_in_address(request.get_full_path() if request.method in ("GET", "HEAD") else None))

    return guarded


def viewer(view: View[P]) -> Callable[..., HttpResponseBase]:
    """A page: for everyone who has a role. Its address holds only what is set."""
    return _permitted(_with_short_address(view), MAY_VIEW)


def reviewer(view: View[P]) -> Callable[..., HttpResponseBase]:
    """An act: for everyone who may review."""
    return _permitted(view, MAY_REVIEW)


def drift_admin(view: View[P]) -> Callable[..., HttpResponseBase]:
    """An act on references of drift: for everyone who may reset them."""
    return _permitted(view, MAY_RESET_DRIFT)


def _with_short_address(view: View[P]) -> View[P]:
    """Sends the empty fields of a form on to the address without them, so that what is shared and kept is short."""

    @wraps(view)
    def shortened(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        fields = [(name, value) for name, values in request.GET.lists() for value in values]
        filled = [(name, value) for name, value in fields if value.strip()]
        if len(filled) == len(fields) or request.htmx:
            return view(request, *args, **kwargs)
        return redirect(with_query(request.path, filled))

    return shortened


def _permitted(view: View[P], permission: str) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def guarded(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.has_perm(permission):
            return view(request, *args, **kwargs)
        refusal = LOOK_ONLY if request.user.has_perm(MAY_VIEW) else NO_ROLE
        if request.user.has_perm(MAY_REVIEW):
            refusal = ADMINS_ONLY
        if request.htmx:  # bare words: app.js shows them as they are, and no other 403 has the like
            return HttpResponse(refusal, status=403, content_type="text/plain; charset=utf-8")
        raise PermissionDenied(refusal)

    return signed_in(guarded)


def _sign_in_address(back: str | None) -> str:
    return with_query(reverse("sign-in"), {"next": back} if back else {})


def show(request: Request, template: str, page: Any, partial: str = "") -> HttpResponse:
    """`page` in its template; to htmx only the partial of this name, where there is one.

    Never from the browser's memory: going back to the queue shows what the queue is now.
    """
    whole = not partial or not request.htmx or request.htmx.history_restore_request
    name = template if whole else f"{template}#{partial}"
    response = render(request, name, {"page": page})
    patch_vary_headers(response, ["HX-Request"])
    patch_cache_control(response, no_store=True, private=True)
    return response


def sentence(refusal: Exception) -> str:
    """What was refused, for a reader."""
    text = str(refusal)
    return f"{text[:1].upper()}{text[1:]}."


def actor(request: Request) -> Actor:
    """The reader, as an actor of what they do."""
    return Actor.person(request.user)


def chosen_assignee(request: Request) -> User | None:
    """None for no one. Raises BadRequest for a name that is unknown, or that may not review."""
    name = request.POST.get("assignee", "")
    if not name:
        return None
    assignee = reviewers().filter(username=name).first()
    if assignee is None:
        raise BadRequest(f"assignee: {name!r} may not review, or is unknown")
    return assignee


def chosen_target(name: str) -> Target | None:
    """The one that is named, or the default one; None while there is no target. 404 for an unknown name."""
    try:
        return target_named(name or None)
    except UnknownError as unknown:
        if name:
            raise Http404("no such target") from unknown
        return None


def back_url(request: Request, otherwise: str) -> str:
    """The page that a form was on, if it says so and it is ours."""
    back = request.POST.get("back", "")
    is_ours = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return back if is_ours else otherwise


def number(text: str, name: str) -> int | None:
    """A row's number out of an address or a form; None where it is left out."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS):
        raise BadRequest(f"{name}: not a number")
    return int(text)
