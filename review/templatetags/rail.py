"""The groups of links in the rail, for the page of the request."""

from typing import Any

from django import template

from review.contexts import rail

register = template.Library()


@register.simple_tag(takes_context=True)
def rail_groups(context: dict[str, Any]) -> tuple[rail.RailGroup, ...]:
    """Of a page that no URL led to, such as "not found", no link is marked."""
    request = context["request"]
    return rail.rail_groups(request.resolver_match.url_name if request.resolver_match else "", request.GET)
