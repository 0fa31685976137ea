"""Signing in and out, and being kept out after too many failures."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from review.contexts.sign_in import LockedPage
from review.login_throttling import locked_until

TOO_MANY_REQUESTS = 429


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
    page = LockedPage.of(locked_until(request, credentials) or now, now, back=request.get_full_path())
    answer = render(request, "review/locked.html", {"page": page}, status=TOO_MANY_REQUESTS)
    answer["Retry-After"] = str(page.wait_s)
    add_never_cache_headers(answer)
    return answer
