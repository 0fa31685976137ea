"""All combinations, clean ones too: the newest first, by text, fingerprint, recipe, state and target."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from review.contexts.choices import SelectOption
from review.contexts.combinations import STATES, CombinationLine, CombinationsPage
from review.page_urls import with_query
from review.views.pages import DIGITS, Request, number, show, viewer
from selftest.core.generation.recipes import RECIPES
from selftest.models import Combination
from selftest.reading.combination import combination_numbered
from selftest.reading.combination_search import (
    CombinationSearch,
    SearchPage,
    SearchState,
    any_combination,
    combinations_with,
    newest_combinations,
)
from selftest.reading.targets import targets_by_name
from selftest.storage import full_text

PAGE_COMBINATIONS = 50
TEXT_CHARACTERS = 2_000  # of a search
FINGERPRINT_CHARACTERS = 20_000  # in an address, which has no room for more


@dataclass(frozen=True)
class Search:
    """What an address asks for. target: its name. numbered: the combination meant by `#12`."""

    target: str = ""
    recipe: str = ""
    state: SearchState | None = None
    text: str = ""
    fingerprint: str = ""
    numbered: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether it names one combination."""
        return bool(self.fingerprint) or self.numbered is not None


@require_safe
@viewer
def combinations(request: Request) -> HttpResponseBase:
    """The list, or straight to the one that is meant."""
    names = targets_by_name()
    search_for = _search(request.GET, tuple(names.values()))
    before = number(request.GET.get("before", ""), "before")
    if search_for.is_exact:
        return _exact(request, search_for, names)
    found = newest_combinations(_search_of_keys(search_for, names), before, PAGE_COMBINATIONS)
    return _list(request, search_for, names, found, is_continuation=before is not None)


def _exact(request: Request, search_for: Search, names: Mapping[int, str]) -> HttpResponseBase:
    """Straight to the one that is meant; a list where several targets were asked the same."""
    rows = _meant(search_for, names)
    if len(rows) == 1:
        return redirect("combination", pk=rows[0].pk)
    return _list(request, search_for, names, SearchPage(rows))


def _meant(search_for: Search, names: Mapping[int, str]) -> tuple[Combination, ...]:
    if search_for.numbered is not None:
        found = combination_numbered(search_for.numbered)
        return (found,) if found else ()
    return combinations_with(search_for.fingerprint, _key(names, search_for.target))


def _list(
    request: Request, search_for: Search, names: Mapping[int, str], found: SearchPage, is_continuation: bool = False
) -> HttpResponse:
    page = CombinationsPage(
        lines=tuple(CombinationLine.of(row, names) for row in found.rows),
        text=search_for.text or search_for.fingerprint,
        stages=tuple(SelectOption(state, words, state is search_for.state) for state, words in STATES.items()),
        recipes=tuple(SelectOption(name, name, name == search_for.recipe) for name in RECIPES),
        targets=tuple(SelectOption(name, name, name == search_for.target) for name in names.values()),
        filters=_in_words(search_for),
        older=_address(search_for, before=str(found.below)) if found.below is not None else "",
        newest=_address(search_for),
        searched_to=found.searched_to,
        wider=_address(Search(text=search_for.text) if _is_text_and_more(search_for) else Search()),
        wider_words="Search all combinations for it" if _is_text_and_more(search_for) else "All combinations",
        nothing=_why_nothing(search_for),
        has_any=bool(found.rows) or is_continuation or any_combination(),
        names_targets=len(names) > 1,
        is_continuation=is_continuation,
    )
    return show(request, "review/combinations.html", page, partial="rows")


# --- an address, both ways ---


def _search(params: Mapping[str, str], targets: tuple[str, ...]) -> Search:
    """Raises BadRequest naming the parameter that makes no sense."""
    text = _text(params, "text", FINGERPRINT_CHARACTERS)
    known = Search(
        target=_known(params, "target", targets),
        recipe=_known(params, "recipe", tuple(RECIPES)),
        state=SearchState(state) if (state := _known(params, "state", tuple(SearchState))) else None,
        fingerprint=_text(params, "fingerprint", FINGERPRINT_CHARACTERS),
    )
    if known.fingerprint or text.startswith("["):
        return replace(known, fingerprint=known.fingerprint or text)
    if len(text) > TEXT_CHARACTERS:
        raise BadRequest(f"text: longer than {TEXT_CHARACTERS} characters")
    key = text.removeprefix("#")
    if key != text and key.isascii() and key.isdigit() and len(key) <= DIGITS:
        return replace(known, text=text, numbered=int(key))
    return replace(known, text=text)


def _text(params: Mapping[str, str], name: str, limit: int) -> str:
    value = params.get(name, "").strip()
    if len(value) > limit:
        raise BadRequest(f"{name}: longer than {limit} characters")
    return value


def _known(params: Mapping[str, str], name: str, values: tuple[str, ...]) -> str:
    value = params.get(name, "")
    if value and value not in values:
        raise BadRequest(f"{name}: {value!r} is unknown; known are {', '.join(values) or 'none yet'}")
    return value


def _address(search_for: Search, **more: str) -> str:
    values = {
        "text": search_for.text,
        "fingerprint": search_for.fingerprint,
        "state": search_for.state or "",
        "recipe": search_for.recipe,
        "target": search_for.target,
        **more,
    }
    query = urlencode({name: value for name, value in values.items() if value})
    return with_query(reverse("combinations"), query)


def _search_of_keys(search_for: Search, names: Mapping[int, str]) -> CombinationSearch:
    target = _key(names, search_for.target) if len(names) > 1 else None  # all are the only one's
    return CombinationSearch(target, search_for.recipe, search_for.state, search_for.text)


def _key(names: Mapping[int, str], name: str) -> int | None:
    return next((key for key, known in names.items() if known == name), None)


# --- in words ---


def _in_words(search_for: Search) -> tuple[str, ...]:
    words = {
        "with the words": f"“{search_for.text}”" if search_for.text else "",
        "with the fingerprint": search_for.fingerprint,
        "in the state": STATES[search_for.state] if search_for.state else "",
        "of the recipe": search_for.recipe,
        "of the target": search_for.target,
    }
    return tuple(f"{name} {value}" for name, value in words.items() if value)


def _why_nothing(search_for: Search) -> str:
    """Where it is not just that nothing fits."""
    if search_for.numbered is not None:
        return f"There is no combination {search_for.numbered}"
    if search_for.fingerprint:
        return "No combination has exactly this fingerprint"
    if search_for.text and not full_text.words_of(search_for.text):
        return "This search holds no word"
    return ""


def _is_text_and_more(search_for: Search) -> bool:
    return bool(search_for.text) and not search_for.is_exact and search_for != Search(text=search_for.text)
