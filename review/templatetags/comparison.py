"""The rows of two answers side by side, as one piece of HTML: a template for each of their words would be slow."""

from collections.abc import Sequence

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from review.contexts.comparison import ComparedLine, Side

register = template.Library()

# Of each kind: the sign, and the label of either side for screen readers.
SIDE_LABELS = {
    "changed": ("≠", "was", "is"),
    "removed": ("−", "only in the clean one", ""),
    "added": ("+", "", "only in the flagged one"),
    "kept": ("", "", ""),
}
NO_LINE = '<td role="cell" class="comparison-number"></td><td role="cell" class="comparison-text comparison-none"></td>'


@register.simple_tag
def comparison_rows(rows: Sequence[ComparedLine]) -> SafeString:
    """The lines of both answers as rows of a table."""
    return mark_safe("\n".join(map(_row, rows)))  # noqa: S308 - each text in it is escaped below


def _row(row: ComparedLine) -> str:
    if row.kind == "skipped":
        lines = f"{row.skipped:,} line{'s' * (row.skipped != 1)} the same"
        return f'<tr role="row" class="comparison-skipped"><td role="cell" colspan="4">{lines}</td></tr>'
    sign, before, after = SIDE_LABELS[row.kind]
    sides = _side(row.before, sign, before) + _side(row.after, sign, after)
    return f'<tr role="row" class="comparison-{row.kind}">{sides}</tr>'


def _side(side: Side | None, sign: str, label: str) -> str:
    if side is None:
        return NO_LINE
    told = (
        f'<span class="comparison-sign" aria-hidden="true">{sign}</span><span class="unseen">{label}: </span>'
        if label
        else ""
    )
    text = "".join(f"<mark>{escape(s.text)}</mark>" if s.is_changed else escape(s.text) for s in side.spans)
    number = f'<td role="cell" class="comparison-number">{side.number}</td>'
    return f'{number}<td role="cell" class="comparison-text">{told}{text}</td>'
