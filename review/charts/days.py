"""Flags per day: one thin row of bars for each check, and one tall row for a wall screen. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from review.charts.scale import Tick, count_ticks, counted

ROW_PX = 32
WALL_PX, WALL_TOP_PX, WALL_BASE_PX = 200, 12, 192
LEAST_BAR_PX = 3.0  # a single flag is seen beside hundreds
FILLED = 0.75  # of a day's width, the rest is the gap


@dataclass(frozen=True)
class FlagCount:
    """How many flags a check raised on a day, at least one."""

    day: date
    check: str
    flags: int


@dataclass(frozen=True)
class Bar:
    """x and width in percent, y and height in pixels."""

    words: str
    x: float
    width: float
    y: float
    height: float


@dataclass(frozen=True)
class CheckDays:
    """A check's row. shape: its symbol's name. bars: of the days on which it flagged."""

    shape: str
    name: str
    total: int
    words: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class CheckGroup:
    """Checks of one kind. rows: of those that flagged; quiet: the names of the others. name: "" where all are alike."""

    name: str
    rows: tuple[CheckDays, ...]
    quiet: tuple[str, ...]


@dataclass(frozen=True)
class DayLine:
    """A day in the table. flags: in the order of the checks."""

    day: date
    flags: tuple[int, ...]
    total: int


@dataclass(frozen=True)
class DailyFlags:
    """rows: a check each that flagged, all on one scale; groups: the same by kind. lines: the days with flags, newest

    first, with the flags of these rows.
    """

    rows: tuple[CheckDays, ...]
    groups: tuple[CheckGroup, ...]
    lines: tuple[DayLine, ...]
    first: str
    last: str
    words: str
    height: int = ROW_PX


@dataclass(frozen=True)
class Bars:
    """lines: the days with flags, newest first."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    lines: tuple[DayLine, ...]
    first: str
    last: str
    words: str
    height: int = WALL_PX
    base: int = WALL_BASE_PX


def daily_flags(
    counts: Iterable[FlagCount],
    checks: Mapping[str, str],
    until: date,
    days: int = 90,
    groups: Mapping[str, Sequence[str]] | None = None,
) -> DailyFlags:
    """Of the `days` that end with `until`; what was counted before or after them is left out.

    checks: the name of each check, in the order of the rows. One that is counted and not named gets a row all the same.
    groups: by name, checks of one kind; None: all are.
    """
    span = span_of_days(until, days)
    within = [count for count in counts if span[0] <= count.day <= until]
    names = {**checks, **{count.check: count.check for count in within if count.check not in checks}}
    per_check: dict[str, Counter[date]] = {check: Counter() for check in names}
    for count in within:
        per_check[count.check][count.day] += count.flags
    most = max((max(flags.values()) for flags in per_check.values() if flags), default=0)
    flagged = {check: flags for check, flags in per_check.items() if flags}
    rows = {
        check: CheckDays(
            shape=check if check in checks else "flagged",
            name=names[check],
            total=flags.total(),
            words=f"{names[check]}: {_words(flags, days)}",
            bars=_bars(span, flags, max(most, 1), top=1, base=ROW_PX),
        )
        for check, flags in flagged.items()
    }
    return DailyFlags(
        rows=tuple(rows.values()),
        groups=_groups(rows, names, groups),
        lines=_lines(list(flagged.values())),
        first=day_words(span[0]),
        last=day_words(until),
        words=f"{_words(sum(per_check.values(), Counter()), days)}. The tallest bar is {counted(most, 'flag')} a day."
        if most
        else f"No flags in {counted(days, 'day')}.",
    )


def _groups(
    rows: Mapping[str, CheckDays], names: Mapping[str, str], groups: Mapping[str, Sequence[str]] | None
) -> tuple[CheckGroup, ...]:
    """A check that is in no group stands with the last."""
    wanted = {name: [check for check in names if check in of] for name, of in (groups or {"": list(names)}).items()}
    known = {check for of in wanted.values() for check in of}
    last = next(reversed(wanted))
    wanted[last] = [*wanted[last], *(check for check in names if check not in known)]
    return tuple(
        CheckGroup(
            name,
            tuple(rows[check] for check in of if check in rows),
            tuple(names[check] for check in of if check not in rows),
        )
        for name, of in wanted.items()
    )


def bars(counts: Iterable[FlagCount], until: date, days: int = 30) -> Bars:
    """All checks together, of the `days` that end with `until`."""
    span = span_of_days(until, days)
    per_day: Counter[date] = Counter()
    for count in counts:
        if span[0] <= count.day <= until:
            per_day[count.day] += count.flags
    ticks = count_ticks(max(per_day.values(), default=1))
    tall = WALL_BASE_PX - WALL_TOP_PX
    return Bars(
        bars=_bars(span, per_day, ticks[-1], top=WALL_TOP_PX, base=WALL_BASE_PX),
        ticks=tuple(Tick(f"{tick:,}", round(WALL_BASE_PX - tall * tick / ticks[-1], 1)) for tick in ticks),
        lines=_lines([per_day]),
        first=day_words(span[0]),
        last=day_words(until),
        words=_words(per_day, days) if per_day else f"No flags in {counted(days, 'day')}",
    )


def span_of_days(until: date, days: int) -> tuple[date, ...]:
    """The days that end with `until`, the oldest first."""
    return tuple(until - timedelta(days=before) for before in range(days - 1, -1, -1))


def _bars(span: tuple[date, ...], flags: Mapping[date, int], most: int, *, top: int, base: int) -> tuple[Bar, ...]:
    slot = 100 / len(span)
    bars = []
    for place, day in enumerate(span):
        if count := flags.get(day, 0):
            height = max(round((base - top) * count / most, 1), LEAST_BAR_PX)
            x = round((place + (1 - FILLED) / 2) * slot, 2)
            words = f"{day_words(day)}: {counted(count, 'flag')}"
            bars.append(Bar(words, x, round(slot * FILLED, 2), round(base - height, 1), height))
    return tuple(bars)


def _lines(per_check: list[Counter[date]]) -> tuple[DayLine, ...]:
    days = sorted({day for flags in per_check for day, count in flags.items() if count}, reverse=True)
    lines = ((day, tuple(flags[day] for flags in per_check)) for day in days)
    return tuple(DayLine(day, flags, sum(flags)) for day, flags in lines)


def _words(flags: Counter[date], days: int) -> str:
    if not flags.total():
        return f"no flags in {counted(days, 'day')}"
    day, most = max(flags.items(), key=lambda item: (item[1], item[0]))
    on = sum(count > 0 for count in flags.values())
    return f"{counted(flags.total(), 'flag')} on {on} of {counted(days, 'day')}, most on {day_words(day)}: {most:,}"


def day_words(day: date) -> str:
    """`3 Jun 2026`."""
    return f"{day.day} {day:%b %Y}"
