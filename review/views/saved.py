"""Saved views of the queue: kept under a name, for oneself or for everyone."""

from django.contrib import messages
from django.http import HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from review.filters import as_query, queue_filter
from review.models import SavedView
from review.views.pages import Request, back_url, viewer


@require_POST
@viewer
def save(request: Request) -> HttpResponseBase:
    """Under a name that is one's own already, the view takes the place of the one before."""
    filters = queue_filter(QueryDict(request.POST.get("query", "")))
    back = back_url(request, reverse("queue"))
    name = request.POST.get("name", "").strip()
    longest = _longest("name")
    if not _can_be_seen(name) or len(name) > longest or "\x00" in name:
        messages.error(request, f"Nothing was saved: a view needs a name of 1 to {longest} characters.")
        return redirect(back)
    query = as_query(filters)
    if len(query) > _longest("query"):
        messages.error(request, "Nothing was saved: the filter is too long. Try a few words of it.")
        return redirect(back)
    values = {"query": query, "is_shared": "is_shared" in request.POST}
    _, is_new = SavedView.objects.update_or_create(owner=request.user, name=name, defaults=values)
    replaced = "" if is_new else ", replacing your view of that name"
    messages.success(request, f"Saved as “{name}”{', shared with everyone' if values['is_shared'] else ''}{replaced}.")
    return redirect(back)


@require_POST
@viewer
def delete(request: Request, pk: int) -> HttpResponseBase:
    """One's own only; the flags that it showed stay where they are."""
    gone, _ = SavedView.objects.filter(pk=pk, owner=request.user).delete()
    if not gone:
        messages.error(request, "That view was already deleted, or it belongs to someone else.")
    return redirect(back_url(request, reverse("queue")))


def _can_be_seen(name: str) -> bool:
    """There is something to click on: spaces and marks of direction alone show nothing."""
    return any(character.isprintable() and not character.isspace() for character in name)


def _longest(column: str) -> int:
    longest: int = SavedView._meta.get_field(column).max_length  # type: ignore[assignment, union-attr]  # both have one
    return longest
