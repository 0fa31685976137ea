"""Recipes: how much of each was tried, how it fared; one with examples, its latencies and its flags."""

from collections.abc import Mapping
from datetime import timedelta

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from review.charts.days import FlagCount, daily_flags
from review.charts.histogram import histogram
from review.contexts.choices import PageLink, target_links
from review.contexts.recipes import SPANS_DAYS, ExampleQuery, Grid, PairsLine, RecipeLine, RecipePage, RecipesPage
from review.views.pages import Request, chosen_target, number, show, viewer
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import VocabularyError
from selftest.core.judging.findings import GROUPS
from selftest.guarantees import GUARANTEES
from selftest.models import Target
from selftest.reading.coverage import possible_combinations
from selftest.reading.judging_terms import latency_history_ms
from selftest.reading.pair_grid import UnknownSlotError, pairs_asked
from selftest.reading.recipes import examples_of_recipe, findings_by_day, recipe_figures
from selftest.reading.targets import target_names
from selftest.reading.tuning import settings_in_force

SAMPLES_SHOWN = 500
SLOTS = ("down", "across")  # of the grid of pairs
CHECK_NAMES = {str(check): guarantee.name for check, guarantee in GUARANTEES.items()}


@require_safe
@viewer
def recipes(request: Request) -> HttpResponse:
    """All recipes, and how much of each was asked."""
    target = chosen_target(request.GET.get("target", ""))
    if target is None:
        return show(request, "review/recipes.html", RecipesPage("", None, (), (), "", has_run=False))
    possible, trouble = _possible(target)
    figures = recipe_figures(target)
    min_samples = settings_in_force().latency_outlier_min_samples
    page = RecipesPage(
        target=target.name,
        target_pk=target.pk,
        targets=target_links(target_names(), target, lambda name: _of_target(reverse("recipes"), name)),
        recipes=tuple(
            RecipeLine.of(
                recipe,
                figures[recipe.name],
                possible.get(recipe.name),
                latency_history_ms(target, recipe.name),
                min_samples,
            )
            for recipe in RECIPES.values()
        ),
        trouble=trouble,
        has_run=any(of_recipe.runs or of_recipe.tried for of_recipe in figures.values()),
    )
    return show(request, "review/recipes.html", page)


@require_safe
@viewer
def recipe(request: Request, name: str) -> HttpResponse:
    """One recipe: examples, latencies, flags by day, and which pairs were asked."""
    found = RECIPES.get(name)
    target = chosen_target(request.GET.get("target", ""))
    if found is None or target is None:
        raise Http404("no such recipe" if found is None else "no target yet")
    days = number(request.GET.get("days", ""), "days") or SPANS_DAYS[0]
    if days not in SPANS_DAYS:
        raise BadRequest(f"days: one of {', '.join(map(str, SPANS_DAYS))}")
    seed = number(request.GET.get("seed", ""), "seed") or 1
    here = reverse("recipe", args=[name])

    def address(**changed: str | int) -> str:
        chosen: dict[str, str | int] = {"target": target.name, "days": days, "seed": seed, **changed}
        return f"{here}?{urlencode(chosen)}"

    possible, trouble = _possible(target)
    figures = recipe_figures(target, [name])[name]
    latencies_ms = latency_history_ms(target, name, SAMPLES_SHOWN)
    min_samples = settings_in_force().latency_outlier_min_samples
    today = timezone.now().date()
    counts = findings_by_day(target, name, today - timedelta(days=days - 1))
    try:
        asked = None if trouble else pairs_asked(target, name, *(request.GET.get(key, "") for key in SLOTS))
    except UnknownSlotError as unknown:
        raise BadRequest(f"down, across: {unknown}") from unknown
    of_this = urlencode({"recipe": name, "target": target.name})
    page = RecipePage(
        recipe=RecipeLine.of(found, figures, possible.get(name), latencies_ms, min_samples),
        target=target.name,
        targets=target_links(target_names(), target, lambda name: _of_target(here, name)),
        trouble=trouble,
        examples=() if trouble else tuple(map(ExampleQuery.of, examples_of_recipe(target, found, seed))),
        others=f"{address(seed=seed + 1)}#examples",
        latencies=histogram(latencies_ms, min_samples),
        flags=daily_flags([FlagCount(*count) for count in counts], CHECK_NAMES, today, days, GROUPS),
        days=days,
        spans=tuple(PageLink(f"{span} days", f"{address(days=span)}#flags", span == days) for span in SPANS_DAYS),
        queue=f"{reverse('queue')}?{of_this}",
        combinations=f"/combinations?{of_this}",
        pairs=PairsLine.of(asked) if asked else None,
        grid=Grid.of(asked, f"{reverse('queue')}?{urlencode({'tab': 'ever'})}&{of_this}") if asked else None,
        seed=seed,
    )
    return show(request, "review/recipe.html", page)


def _of_target(page: str, name: str) -> str:
    return f"{page}?{urlencode({'target': name})}"


def _possible(target: Target) -> tuple[Mapping[str, int], str]:
    """By recipe, how many combinations there are; and why that cannot be said."""
    try:
        found = possible_combinations(target)
    except VocabularyError as fault:
        return {}, f"Its vocabulary in force can no longer be read: {fault}"
    return found, "" if found else "It has no vocabulary yet."
