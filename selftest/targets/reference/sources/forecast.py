"""A forecast computed from the date and a climate table. The same day is forecast alike however often it is asked."""

from datetime import date, timedelta

from selftest.targets.reference.chance import fraction
from selftest.targets.reference.content import rows
from selftest.targets.reference.phrases import holds
from selftest.targets.reference.steps import FoundItem, Question

SATURDAY = 5
SWING_C = 8.0  # how far, in all, a day may be from its month's mean
DEFAULT_DAYS = 3  # today and the two days people plan for
SNOW_BELOW_C = 1


def forecast(question: Question) -> tuple[FoundItem, ...]:
    """One line a day that the question asks for, and one for the night where it asks for that."""
    today = question.asked_at.date()
    items = [_day(day) for day in _days_asked(question.text, today)]
    if holds(question.text, ("tonight", "later today")):
        items.append(_night(today))
    return tuple(items)


def _days_asked(text: str, today: date) -> list[date]:
    if holds(text, ("weekend", "saturday")):
        saturday = today + timedelta(days=(SATURDAY - today.weekday()) % 7)
        return [saturday, saturday + timedelta(days=1)]
    if holds(text, ("tomorrow",)):
        return [today + timedelta(days=1)]
    if holds(text, ("today", "tonight")):
        return [today]
    return [today + timedelta(days=days) for days in range(DEFAULT_DAYS)]


def _temperatures_c(day: date) -> tuple[int, int]:
    """(low, high), interpolated between the middles of the months and moved by the day's own chance."""
    middle = 15
    month = next(row for row in rows("climate") if row["month"] == day.month)
    step = 1 if day.day >= middle else -1
    neighbour = next(row for row in rows("climate") if row["month"] == (day.month - 1 + step) % 12 + 1)
    share = abs(day.day - middle) / 30
    shift = (fraction("temperature", day) - 0.5) * SWING_C
    low, high = (month[key] * (1 - share) + neighbour[key] * share + shift for key in ("low_c", "high_c"))
    return round(low), round(high)


def _sky(day: date, low_c: int) -> str:
    month = next(row for row in rows("climate") if row["month"] == day.month)
    wetness = fraction("rain", day) * 100
    if wetness < month["rain_percent"]:
        return (
            "snow"
            if low_c < SNOW_BELOW_C
            else "rain at times"
            if wetness > month["rain_percent"] / 3
            else "steady rain"
        )
    return "cloudy" if wetness < month["rain_percent"] + 25 else "mostly clear"


def _day(day: date) -> FoundItem:
    low, high = _temperatures_c(day)
    return FoundItem(f"day:{day}", f"{day:%A %d %B}: {low} to {high} °C, {_sky(day, low)}")


def _night(day: date) -> FoundItem:
    low = _temperatures_c(day + timedelta(days=1))[0]
    wind = 2 + round(fraction("wind", day) * 12)
    return FoundItem(f"night:{day}", f"Night after {day:%A}: down to {low} °C, wind {wind} m/s")
