"""Closing what a page says was just done."""

from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from review import toasts
from review.views.pages import Request, back_url, signed_in


@require_POST
@signed_in
def close(request: Request) -> HttpResponseBase:
    """Takes a toast away."""
    toasts.drop(request, request.POST.get("name", ""))
    back = back_url(request, reverse("inbox"))
    if request.htmx:
        return render(request, "shared/toasts_alone.html", {"here": back})
    return redirect(back)
