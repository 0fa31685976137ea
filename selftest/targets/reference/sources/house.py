"""A house whose state is a function of time. No clock of its own, and nothing is stored: any moment can be asked."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from math import cos, pi

from selftest.targets.reference.chance import fraction

BATTERY_DAYS = 240  # from full to changed
DAILY_KWH = 9.6
HOURS_A_DAY = 24
LOCK = ("locked", "unlocked")
WINDOW = ("open", "closed")
SWITCH = ("on", "off")


@dataclass(frozen=True)
class Device:
    """topics: words of a question that this device answers. state: what it says at a moment.

    measures: its states are readings, of which nobody counts the changes.
    """

    name: str
    topics: frozenset[str]
    state: Callable[[datetime], str]
    measures: bool = False


def _hour(moment: datetime) -> float:
    return moment.hour + moment.minute / 60


def _between(start: float, end: float, name: str, yes: str, no: str) -> Callable[[datetime], str]:
    """`yes` from about `start` to about `end` o'clock, half an hour earlier or later by the day.

    The span may pass midnight.
    """

    def state(moment: datetime) -> str:
        stray = fraction(name, moment.date()) - 0.5
        since_start = (_hour(moment) - start - stray) % HOURS_A_DAY
        return yes if since_start < (end - start) % HOURS_A_DAY else no

    return state


def _battery(name: str) -> Callable[[datetime], str]:
    def state(moment: datetime) -> str:
        days = moment.timestamp() / 86_400 + fraction(name) * BATTERY_DAYS
        return f"{100 - int(days % BATTERY_DAYS / BATTERY_DAYS * 90)} %"

    return state


def _meter_kwh(moment: datetime) -> float:
    """A total that only rises: a steady load and a swell that is highest in the evening."""
    days = moment.timestamp() / 86_400
    return DAILY_KWH * (days % 10_000) - DAILY_KWH * 0.1 * cos(2 * pi * (days - 0.3))


def _indoor_c(moment: datetime) -> float:
    return 19.5 + 1.5 * cos(2 * pi * (_hour(moment) - 18) / HOURS_A_DAY)


def _topics(words: str) -> frozenset[str]:
    return frozenset(words.split())


DEVICES = (
    Device("Front door", _topics("door doors locked unlocked lock security"), _between(21, 7, "front", *LOCK)),
    Device("Back door", _topics("door doors locked unlocked lock back security"), _between(19, 9, "back", *LOCK)),
    Device("Garage", _topics("garage shut door security"), _between(8, 8.5, "garage", "open", "shut")),
    Device("Alarm", _topics("alarm security"), _between(23, 6, "alarm", "armed", "disarmed")),
    Device("Kitchen window", _topics("window windows open security"), _between(12, 13.5, "window", *WINDOW)),
    Device("Bedroom window", _topics("window windows open"), _between(7, 8, "bedroom", *WINDOW)),
    Device("Hall light", _topics("light lights on"), _between(17, 23, "hall", *SWITCH)),
    Device("Kitchen light", _topics("light lights on kitchen"), _between(18, 22, "kitchen", *SWITCH)),
    Device("Porch light", _topics("light lights on porch"), _between(19, 6, "porch", *SWITCH)),
    Device("Heating", _topics("heating temperature running energy"), _between(5, 9, "heating", "running", "resting")),
    Device("Living room", _topics("temperature indoor heating"), lambda at: f"{_indoor_c(at):.0f} °C", measures=True),
    Device("Door sensor battery", _topics("battery batteries levels"), _battery("door sensor"), measures=True),
    Device("Smoke detector battery", _topics("battery batteries levels"), _battery("smoke detector"), measures=True),
    Device(
        "Electricity meter",
        _topics("energy electricity usage power"),
        lambda at: f"{_meter_kwh(at):.2f} kWh",
        measures=True,
    ),
)
