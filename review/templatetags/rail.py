"""What stands beside every page: the groups of links in the rail, and the types that the search box offers."""

from typing import Any

from django import template

from review.contexts import rail
from review.contexts.choices import SelectOption
from review.contexts.search import Asked, kind_options

register = template.Library()


@register.simple_tag(takes_context=True)
def rail_groups(context: dict[str, Any]) -> tuple[rail.RailGroup, ...]:
    """Of a page that no URL led to, such as "not found", no link is marked."""
    request = context["request"]
    return rail.rail_groups(request.resolver_match.url_name if request.resolver_match else "", request.GET)


@register.simple_tag
def search_kinds() -> tuple[SelectOption, ...]:
    """All of them, and that all are looked for."""
    return kind_options(Asked())
