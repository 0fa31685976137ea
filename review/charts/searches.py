"""Searches per day: a bar for each day, and in it the part that found nothing. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from review.charts.days import FILLED, LEAST_BAR_PX, WALL_BASE_PX, WALL_PX, WALL_TOP_PX, Bar, day_words, span_of_days
from review.charts.scale import Tick, count_ticks, counted


@dataclass(frozen=True)
class DayCount:
    """fruitless: those of the searches that found nothing."""

    day: date
    searches: int
    fruitless: int


@dataclass(frozen=True)
class SearchBars:
    """fruitless: lie over `bars`, from the same base. lines: the days with searches, newest first."""

    bars: tuple[Bar, ...]
    fruitless: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    lines: tuple[DayCount, ...]
    first: str
    last: str
    words: str
    height: int = WALL_PX
    base: int = WALL_BASE_PX


def search_bars(counts: Iterable[DayCount], until: date, days: int) -> SearchBars:
    """Of the `days` that end with `until`; what was counted before or after them is left out."""
    span = span_of_days(until, days)
    by_day = {count.day: count for count in counts if span[0] <= count.day <= until and count.searches}
    ticks = count_ticks(max((count.searches for count in by_day.values()), default=1))
    slot = 100 / days

    def bar(count: DayCount, height_of: int) -> Bar:
        height = max(round((WALL_BASE_PX - WALL_TOP_PX) * height_of / ticks[-1], 1), LEAST_BAR_PX)
        x = round((span.index(count.day) + (1 - FILLED) / 2) * slot, 2)
        words = f"{day_words(count.day)}: {_words(count.searches, count.fruitless)}"
        return Bar(words, x, round(slot * FILLED, 2), round(WALL_BASE_PX - height, 1), height)

    lines = sorted(by_day.values(), key=lambda count: count.day)
    searches, fruitless = sum(line.searches for line in lines), sum(line.fruitless for line in lines)
    tall = WALL_BASE_PX - WALL_TOP_PX
    return SearchBars(
        bars=tuple(bar(line, line.searches) for line in lines),
        fruitless=tuple(bar(line, line.fruitless) for line in lines if line.fruitless),
        ticks=tuple(Tick(f"{tick:,}", round(WALL_BASE_PX - tall * tick / ticks[-1], 1)) for tick in ticks),
        lines=tuple(reversed(lines)),
        first=day_words(span[0]),
        last=day_words(until),
        words=f"{_words(searches, fruitless)} in {counted(days, 'day')}" if lines else f"No searches in {days} days",
    )


def _words(searches: int, fruitless: int) -> str:
    return f"{searches:,} search{'es' * (searches != 1)}, {fruitless:,} without a result"
