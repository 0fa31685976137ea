"""The buttons of a row in a list, as one piece of HTML: a template for each of a hundred would be slow."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from review.contexts.verdicts import VerdictAct
from review.templatetags.queries import short_query
from review.templatetags.words import figure

register = template.Library()

BUTTON = (
    '<button name="verdict" value="{0}" data-key="{1}" data-moves-on title="{2}"><span class="cause-row-act">{2}'
    '<span class="unseen"> {3}</span></span><kbd aria-hidden="true">{1}</kbd></button>'
)
MAIN_ACT = (
    '<button name="verdict" value="{0}" data-key="{1}" data-moves-on{4}>'
    '{2}{3}<kbd aria-hidden="true">{1}</kbd></button>'
)
MINOR_ACT = (
    '<button name="verdict" value="{0}" data-key="{1}" data-moves-on class="queue-row-minor-act" '
    'aria-describedby="{3}">{2}<kbd aria-hidden="true">{1}</kbd></button>'
)


@register.simple_tag
def verdict_buttons(acts: Sequence[VerdictAct], checks: str, sentence: str) -> SafeString:
    """One for each verdict. checks, sentence: of the cause, which screen readers hear with each button."""
    cause = format_html("{}, {}", checks, short_query(sentence))
    return format_html_join("", BUTTON, ((act.value, act.key, act.name, cause) for act in acts))


@register.simple_tag
def main_act(
    acts: Sequence[VerdictAct], unseen: str = "", count: int | None = None, focuses: bool = False
) -> SafeString:
    """The first of `acts` as the button that stands out in a row of flags.

    unseen: the query, which screen readers hear with it. count: of how many flags it is.
    """
    act = acts[0]
    heard = format_html('<span class="unseen"> {}</span>', short_query(unseen)) if unseen else ""
    told = "" if count is None else f" {figure(count)}"
    return format_html(MAIN_ACT, act.value, act.key, act.name, told or heard, " autofocus" if focuses else "")


@register.simple_tag
def minor_acts(acts: Sequence[VerdictAct], kind: str, key: object) -> SafeString:
    """A button for each of `acts`, described by the element with the id `kind`-`key`."""
    described_by = f"{kind}-{key}"
    return format_html_join("", MINOR_ACT, ((act.value, act.key, act.name, described_by) for act in acts))
