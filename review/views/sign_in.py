"""Signing in and out."""

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView


class SignInForm(AuthenticationForm):
    """Speaks of the fields by the names that they have on the page; whether the account exists stays unsaid."""

    error_messages = {**AuthenticationForm.error_messages, "invalid_login": "Name and password do not match."}


sign_in = LoginView.as_view(
    template_name="review/sign_in.html", authentication_form=SignInForm, redirect_authenticated_user=True
)
sign_out = LogoutView.as_view()
