"""Search over what is known: its page, which the box on every page shows a part of, and what readers say of results."""

from collections.abc import Mapping

from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from review.contexts.search import BOX, KIND_WORDS, PAGE, Asked, Rating, SearchPage, empty_page, results_page
from review.page_urls import page_url
from review.roles import ADMIN, MAY_REVIEW, MAY_SET_SEARCH, REVIEWER, VIEWER
from review.views.pages import Request, actor, back_url, number, show, viewer
from selftest.knowledge import search_records
from selftest.knowledge.core.answers import LONGEST_QUERY, MOST_RESULTS, Filters, SearchRequest
from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.core.queries import QueryRequiredError
from selftest.knowledge.searching import search as search_for
from selftest.reading.targets import targets_by_name

BOX_RESULTS = 12  # a screenful; the page has the others
BOX_ELEMENT = "search-box-results"  # where htmx puts what it asks for while a query is typed
KEY_CHARACTERS = 100  # of the id of a result


@require_safe
@viewer
def search(request: Request) -> HttpResponse:
    """What was found; before anything is asked, what could be. The box gets its part of it."""
    targets = targets_by_name()
    asked = _asked(request.GET, targets)
    place = BOX if request.htmx and request.htmx.target == BOX_ELEMENT else PAGE
    page = _found(request, place, asked, targets) if asked.q else None
    if page is None:
        page = empty_page(place, asked, targets.values(), search_records.recent(request.user))
    return show(request, "review/search.html", page, partial="results")


@require_POST
@viewer
def rate(request: Request) -> HttpResponseBase:
    """A thumb, up or down; a later one of the same reader takes its place. To htmx the thumbs as they are now."""
    q, rating = _text(request.POST, "q"), request.POST.get("rating", "")
    kind = _kind(request.POST)
    hit, title = _result_id(request.POST), request.POST.get("title", "")
    if not (q and kind and hit):
        raise BadRequest("id, kind, q: what was rated, and what was asked")
    if rating not in ("up", "down"):
        raise BadRequest("rating: up or down")
    search_records.rate(actor(request), q, hit, kind, rating)
    if not request.htmx:
        return redirect(back_url(request, page_url("search")))
    place = BOX if request.POST.get("place") == BOX else PAGE
    thumbs = Rating(hit, kind, title, q, place, number(request.POST.get("number", ""), "number") or 0, rating)
    return render(request, "review/search.html#thumbs", {"rating": thumbs})


@require_POST
@viewer
def note(request: Request) -> HttpResponse:
    """What a script tells: a result was opened, or the box was left with this query in it, whole.

    Searches while typing say nothing about what was found, so this one is made once more, to be counted.
    """
    asked = _asked(request.POST, targets := targets_by_name())
    if asked.q and request.POST.get("place") == BOX:
        _found(request, PAGE, asked, targets)
    if hit := _result_id(request.POST):
        search_records.note_click(hit)
    return HttpResponse(status=204)


def _found(request: Request, place: str, asked: Asked, targets: Mapping[int, str]) -> SearchPage | None:
    """None where nothing is asked after all, as in characters that are not seen."""
    k = BOX_RESULTS if place == BOX else MOST_RESULTS
    try:
        answer = search_for(_request(request, asked, k, targets))
    except QueryRequiredError:
        return None
    search_records.note_search(asked.q, answer, "typing" if place == BOX else "page", request.user)
    ratings = search_records.ratings(actor(request), asked.q) if answer.hits else {}
    return results_page(place, asked, answer, k, targets, ratings)


def _request(request: Request, asked: Asked, k: int, targets: Mapping[int, str]) -> SearchRequest:
    named = frozenset(key for key, name in targets.items() if name == asked.target)
    filters = Filters(kinds=frozenset({asked.kind} if asked.kind else ()), targets=named)
    is_admin = request.user.has_perm(MAY_SET_SEARCH)
    role = ADMIN if is_admin else REVIEWER if request.user.has_perm(MAY_REVIEW) else VIEWER
    is_whole = k == MOST_RESULTS and request.method != "POST"
    return SearchRequest(asked.q, k, filters, for_admin=is_admin, role=role, is_whole=is_whole)


# --- an address ---


def _asked(params: Mapping[str, str], targets: Mapping[int, str]) -> Asked:
    """Raises BadRequest naming what makes no sense: a search is never made wider by it."""
    target = params.get("target", "")
    if target and target not in targets.values():
        raise BadRequest(f"target: {target!r} is unknown; known are {', '.join(targets.values()) or 'none yet'}")
    return Asked(_text(params, "q"), _kind(params), target)


def _text(params: Mapping[str, str], name: str) -> str:
    text = params.get(name, "").strip()
    if len(text) > LONGEST_QUERY:
        raise BadRequest(f"{name}: longer than {LONGEST_QUERY} characters")
    return text


def _result_id(params: Mapping[str, str]) -> str:
    hit = params.get("id", "")
    if len(hit) > KEY_CHARACTERS or "\x00" in hit:  # which PostgreSQL cannot hold
        raise BadRequest(f"id: {hit[:KEY_CHARACTERS]!r} is no result's")
    return hit


def _kind(params: Mapping[str, str]) -> Kind | None:
    kind = params.get("kind", "")
    if kind and kind not in set(Kind):
        raise BadRequest(f"kind: {kind!r} is unknown; known are {', '.join(KIND_WORDS)}")
    return Kind(kind) if kind else None
