"""The buttons of a row in the inbox, as one piece of HTML: a template for each of a hundred would be slow."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from review.contexts.verdicts import VerdictAct
from review.templatetags.queries import short_query

register = template.Library()

BUTTON = (
    '<button name="verdict" value="{0}" data-key="{1}" data-moves-on title="{2}"><span class="cause-row-act">{2}'
    '<span class="unseen"> {3}</span></span><kbd aria-hidden="true">{1}</kbd></button>'
)


@register.simple_tag
def verdict_buttons(acts: Sequence[VerdictAct], checks: str, sentence: str) -> SafeString:
    """One for each verdict. checks, sentence: of the cause, which screen readers hear with each button."""
    cause = format_html("{}, {}", checks, short_query(sentence))
    return format_html_join("", BUTTON, ((act.value, act.key, act.name, cause) for act in acts))
