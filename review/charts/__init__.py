"""What the charts draw: numbers in, places in a drawing and words out. Pure: no Django, no database, no clock.

Widths are percentages and heights pixels, so that a chart follows the page's width while its text and marks keep
their size: a scaled viewBox would shrink both on a phone. Only the sparkline, which never grows, has a viewBox.
"""

from review.charts.days import (
    Bar,
    Bars,
    CheckDays,
    CheckGroup,
    DailyFlags,
    DayLine,
    FlagCount,
    bars,
    daily_flags,
    day_words,
)
from review.charts.histogram import Bin, Histogram, Quantile, histogram
from review.charts.latency import Dot, LatencyChart, Rule, Sample, latency_chart
from review.charts.scale import LogAxis, Tick, latency_words, log_axis
from review.charts.sparkline import Sparkline, sparkline
from review.charts.strip import Mark, Outcome, Strip, strip

__all__ = [
    "Bar",
    "Bars",
    "Bin",
    "CheckDays",
    "CheckGroup",
    "DailyFlags",
    "DayLine",
    "Dot",
    "FlagCount",
    "Histogram",
    "LatencyChart",
    "LogAxis",
    "Mark",
    "Outcome",
    "Quantile",
    "Rule",
    "Sample",
    "Sparkline",
    "Strip",
    "Tick",
    "bars",
    "daily_flags",
    "day_words",
    "histogram",
    "latency_chart",
    "latency_words",
    "log_axis",
    "sparkline",
    "strip",
]
