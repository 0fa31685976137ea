"""The parts of charts that come in numbers, each as one piece of SVG: a template per mark would be slow."""

from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from review.charts.cycle_bars import CycleBars
from review.charts.days import Bar, DayLine, day_words
from review.charts.distributions import Course
from review.charts.latency import Dot
from review.charts.searches import DayCount
from review.charts.sparkline import Sparkline
from review.contexts.recipes import GridCell
from review.templatetags.queries import query
from review.templatetags.words import ago

register = template.Library()

# Around (0, 0). Everywhere a triangle is a flagged run; larger and in the accent is the combination in question.
_PATHS = {
    "run": "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "run-flagged": "M0-5 5 4H-5z",
    "marked": "M0-7 7 0 0 7-7 0z",
    "marked-flagged": "M0-8 8 6H-8z",
    "clean": "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "unchecked": "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "flagged": "M0-7 7 5H-7z",
    "unanswered": "M-4-4 4 4M4-4-4 4",
}
_MARKS = {
    kind: format_html(
        '<svg class="chart-mark chart-{}" width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">'
        '<path d="{}"/></svg>',
        kind,
        path,
    )
    for kind, path in _PATHS.items()
}


# A line fills the 96 pixels. A single mark stands in their middle: 44 further right it ends where the figures end.
_LINE_SEEN, _MARK_SEEN = "0 0 96 24", "-44 0 96 24"


@register.simple_tag
def sparkline(chart: Sparkline) -> SafeString:
    """96 × 24, said in words to who does not see it; a dash where no run was timed."""
    if not (chart.dots or chart.flags):
        return format_html('<span class="chart-spark" title="{}">–</span>', chart.words)
    return format_html(
        '<svg class="chart-spark" width="96" height="24" viewBox="{}" role="img" aria-label="{}"><path d="{}"/>'
        '<path class="chart-points" d="{}"/><path class="chart-flags" d="{}"/></svg>',
        _LINE_SEEN if chart.line else _MARK_SEEN,
        chart.words,
        chart.line,
        chart.dots,
        chart.flags,
    )


@register.simple_tag
def cycle_bars(chart: CycleBars) -> SafeString:
    """96 × 24, said in words to who does not see it."""
    return format_html(
        '<svg class="chart-spark" width="96" height="24" viewBox="0 0 96 24" role="img" aria-label="{}">'
        '<title>{}</title><path class="chart-points" d="{}"/><path class="chart-bars" d="{}"/></svg>',
        chart.words,
        chart.words,
        chart.clean,
        chart.flagged,
    )


@register.simple_tag
def drift_course(chart: Course) -> SafeString:
    """160 × 40, said in words to who does not see it."""
    return format_html(
        '<svg class="drift-course" width="{}" height="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<title>{}</title><path class="drift-course-reference" d="M0 {}h{}"/><path d="{}"/>'
        '<path class="drift-course-dots" d="{}"/><path class="drift-course-suspects" d="{}"/>'
        '<path class="drift-course-drifts" d="{}"/></svg>',
        chart.width,
        chart.height,
        chart.width,
        chart.height,
        chart.words,
        chart.words,
        chart.reference_y,
        chart.width,
        chart.line,
        chart.dots,
        chart.suspects,
        chart.drifts,
    )


@register.simple_tag
def mark(kind: str) -> SafeString:
    """A mark in a strip or a legend, hidden from screen readers: the words beside it say the same."""
    return _MARKS[kind]


@register.simple_tag
def latency_dots(dots: Sequence[Dot]) -> SafeString:
    """Each a link to its run, those of the combination in question on top.

    No stops for the Tab key: there may be 200, and the table has the same links.
    """
    before, after = _around_number("run")
    ordered = sorted(dots, key=lambda dot: dot.is_marked)
    return mark_safe("".join(_dot(dot, f"{before}{dot.sample.run}{after}") for dot in ordered))  # noqa: S308 - see _dot


def _dot(dot: Dot, address: str) -> str:
    """Figures and our own words only, so that nothing needs escaping: 200 times that is a third of the page's time."""
    kind = _kind(dot)
    return (
        f'<a href="{address}" tabindex="-1"><title>{dot.words}</title>'
        f'<svg class="chart-at chart-{kind}" x="{dot.x}%" y="{dot.y}"><path d="{_PATHS[kind]}"/></svg></a>'
    )


@register.simple_tag
def latency_rows(dots: Sequence[Dot]) -> SafeString:
    """The rows of the table behind the dots."""
    run, combination = _around_number("run"), _around_number("combination")
    return mark_safe("\n".join(_row(dot, run, combination) for dot in dots))  # noqa: S308 - see _row


def _row(dot: Dot, run: tuple[str, str], combination: tuple[str, str]) -> str:
    """Figures and our own words, but for the query, which is escaped."""
    sample = dot.sample
    asked = (
        "this one"
        if dot.is_marked
        else f'<a class="query" href="{combination[0]}{sample.combination}{combination[1]}">{query(sample.query)}</a>'
    )
    return (
        f'<tr><td class="chart-number"><a href="{run[0]}{sample.run}{run[1]}">{sample.run}</a></td>'
        f"<td>{ago(sample.at)}</td>"
        f'<td class="chart-number">{sample.words}</td>'
        f"<td>{'flagged' if sample.is_flagged else '–'}</td><td>{asked}</td></tr>"
    )


@register.simple_tag
def day_bars(bars: Sequence[Bar]) -> SafeString:
    """The bars of a chart by day. Beside figures they have words, which are escaped."""
    rects = (
        f'<rect x="{bar.x}%" y="{bar.y}" width="{bar.width}%" height="{bar.height}">'
        f"<title>{escape(bar.words)}</title></rect>"
        for bar in bars
    )
    return mark_safe("".join(rects))  # noqa: S308 - see above


@register.simple_tag
def day_rows(lines: Sequence[DayLine], *, by_check: bool = True) -> SafeString:
    """The rows of the table behind the bars: a day, its flags by check where asked for, and all of them."""
    figures = ((*line.flags, line.total) if by_check else (line.total,) for line in lines)
    return format_html_join(
        "\n",
        '<tr><th scope="row">{}</th>{}</tr>',
        ((day_words(line.day), _cells(each)) for line, each in zip(lines, figures, strict=True)),
    )


@register.simple_tag
def grid_cells(cells: Sequence[GridCell]) -> SafeString:
    """Those of a row of a grid."""
    return format_html_join("", "{}", ((_grid_cell(cell),) for cell in cells))


@lru_cache(maxsize=1024)  # a grid has up to 900, most of them of three shapes
def _grid_cell(cell: GridCell) -> SafeString:
    told = format_html('<span aria-hidden="true">{}</span><span class="unseen">{}</span>', cell.sign, cell.words)
    if cell.address:
        told = format_html('<a href="{}">{} {}</a>', cell.address, told, cell.flagged)
    return format_html('<td class="grid-{}">{}</td>', cell.state, told)


@register.simple_tag
def search_rows(lines: Sequence[DayCount]) -> SafeString:
    """The rows of the table behind the bars of searches."""
    figures = ((day_words(line.day), _cells((line.searches, line.fruitless))) for line in lines)
    return format_html_join("\n", '<tr><th scope="row">{}</th>{}</tr>', figures)


def _cells(flags: Sequence[int]) -> SafeString:
    cells = "".join(
        f'<td class="chart-number">{count:,}</td>' if count else '<td class="chart-number">–</td>' for count in flags
    )
    return mark_safe(cells)  # noqa: S308 - figures only


def _kind(dot: Dot) -> str:
    kind = "marked" if dot.is_marked else "run"
    return f"{kind}-flagged" if dot.sample.is_flagged else kind


def _around_number(name: str) -> tuple[str, str]:
    """What stands before and after the number in the page's address: 200 addresses cost one look at the URLs."""
    before, _, after = reverse(name, args=[0]).rpartition("0")
    return before, after
