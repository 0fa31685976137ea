"""One's own profile: the look of pages, the role, the password. For everyone signed in, with a role or without."""

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from review import looks
from review.contexts.profile import PasswordPage, ProfilePage
from review.models import Profile
from review.views.pages import Request, show, signed_in

require_form = require_http_methods(["GET", "HEAD", "POST"])


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # takes no type when it runs
    class Meta:
        model = Profile
        fields = ["theme", "keyboard"]
        widgets = {"theme": forms.RadioSelect}


@require_form
@signed_in
def profile(request: Request) -> HttpResponseBase:
    form = ProfileForm(request.POST if request.method == "POST" else None, instance=Profile.of(request.user))
    if form.is_bound and form.is_valid():
        values = {name: form.cleaned_data[name] for name in form.fields}
        saved, _ = Profile.objects.update_or_create(user=request.user, defaults=values)  # two tabs may save at once
        looks.keep(request, saved)
        messages.success(request, "Saved.")
        return redirect("profile")
    groups = request.user.groups.values_list("name", flat=True)
    return show(request, "review/profile.html", ProfilePage.of(request.user, groups, form))


@sensitive_post_parameters()
@require_form
@signed_in
def password(request: Request) -> HttpResponseBase:
    form = PasswordChangeForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        update_session_auth_hash(request, form.save())  # every other browser of theirs is signed out, this one stays
        messages.success(request, "Your password is changed. Your other browsers are signed out.")
        return redirect("profile")
    return show(request, "review/profile_password.html", PasswordPage(form))
