"""Oneself: how the pages look, one's role, and the password. For anyone who has signed in, with a role or without."""

from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate, update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from review import appearance
from review.contexts.profile import PasswordPage, ProfilePage
from review.models import Profile
from review.views.pages import Request, show, signed_in
from selftest.knowledge import search_records

require_form = require_http_methods(["GET", "HEAD", "POST"])


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # takes no type when it runs
    """What a person may choose."""

    keep_searches = forms.BooleanField(required=False)

    class Meta:
        model = Profile
        fields = ["theme", "keyboard"]
        widgets = {"theme": forms.RadioSelect}


class PasswordForm(PasswordChangeForm):
    """A wrong current password counts as a failure to sign in, so that it is not guessed at in an open browser."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.user, request.POST if request.method == "POST" else None)
        self._request = request

    def clean_old_password(self) -> str:
        """Refused unseen where the name is locked out; the middleware then answers with that page."""
        old: str = self.cleaned_data["old_password"]
        if authenticate(self._request, username=self.user.get_username(), password=old) is None:
            raise forms.ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return old


@require_form
@signed_in
def profile(request: Request) -> HttpResponseBase:
    """How the pages look, and one's roles."""
    form = ProfileForm(
        request.POST if request.method == "POST" else None,
        instance=Profile.of(request.user),
        initial={"keep_searches": search_records.keeps_history(request.user)},
    )
    if form.is_bound and form.is_valid():
        values = {name: form.cleaned_data[name] for name in ProfileForm.Meta.fields}
        search_records.choose_history(request.user, form.cleaned_data["keep_searches"])
        saved, _ = Profile.objects.update_or_create(user=request.user, defaults=values)  # two tabs may save at once
        appearance.keep(request, saved)
        messages.success(request, "Saved.")
        return redirect("profile")
    groups = request.user.groups.values_list("name", flat=True)
    return show(request, "review/profile.html", ProfilePage.of(request.user, groups, form))


@sensitive_post_parameters()
@require_form
@signed_in
def password(request: Request) -> HttpResponseBase:
    """A new password; only this browser stays signed in."""
    form = PasswordForm(request)
    if form.is_bound and form.is_valid():
        update_session_auth_hash(request, form.save())  # every other browser of theirs is signed out, this one stays
        messages.success(request, "Your password is changed. Your other browsers are signed out.")
        return redirect("profile")
    return show(request, "review/profile_password.html", PasswordPage(form))
