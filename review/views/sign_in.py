"""Signing in and out, and being kept out: after too many failures, or while too many passwords are looked at."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from review.contexts.sign_in import BusyPage, LockedPage
from review.login_throttling import address_locked_until, locked_until
from review.password_hashing import BUSY_RETRY_AFTER_S, HashingBusyError, refusing_when_busy

TOO_MANY_REQUESTS = 429
CODE = "too_many_requests"


class SignInForm(AuthenticationForm):
    """Speaks of the fields by the names that they have on the page; whether the account exists stays unsaid."""

    error_messages = {**AuthenticationForm.error_messages, "invalid_login": "Name and password do not match."}


sign_in = LoginView.as_view(
    template_name="review/sign_in.html", authentication_form=SignInForm, redirect_authenticated_user=True
)
sign_out = LogoutView.as_view()


def locked(request: HttpRequest, response: HttpResponse, credentials: dict[str, Any]) -> HttpResponse:
    """Instead of `response`, the form: to a name that failed too often from one address, whether it exists or not."""
    now = timezone.now()
    until = locked_until(request, credentials) or now
    is_address = address_locked_until(request) is not None
    return _refused(
        request, "review/locked.html", LockedPage.of(until, now, back=request.get_full_path(), is_address=is_address)
    )


class BusyMiddleware:
    """Refuses at once, instead of letting it wait, what needs a password hash while too many are being made."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with refusing_when_busy():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The refusal; None for any other exception."""
        if not isinstance(exception, HashingBusyError):
            return None
        return _refused(request, "review/busy.html", BusyPage(BUSY_RETRY_AFTER_S, back=request.get_full_path()))


def _refused(request: HttpRequest, template: str, page: LockedPage | BusyPage) -> HttpResponse:
    """A page, or to a script that wants JSON the API's shape of an error."""
    answer: HttpResponse
    if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
        error = {"code": CODE, "message": page.message, "field": None}
        answer = JsonResponse({"error": error}, status=TOO_MANY_REQUESTS)
    else:
        answer = render(request, template, {"page": page}, status=TOO_MANY_REQUESTS)
    answer["Retry-After"] = str(page.wait_s)
    add_never_cache_headers(answer)
    return answer
