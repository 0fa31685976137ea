"""The two sources about the house: what it is like at the moment of asking, and what changed before that.

Its state is a function of time. No clock of its own, and nothing is stored: any moment can be asked about. Must not
know who asks; changes no device.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from math import cos, pi

from selftest.targets.reference.chance import fraction
from selftest.targets.reference.phrases import holds, words
from selftest.targets.reference.steps import FoundItem, Question

BATTERY_DAYS = 240  # from full to changed
DAILY_KWH = 9.6
HOURS_A_DAY = 24
LOCK_STATES = ("locked", "unlocked")
WINDOW_STATES = ("open", "closed")
SWITCH_STATES = ("on", "off")
STEP = timedelta(minutes=15)  # how finely a window is walked; doors left open for less go unseen
LONGEST = timedelta(days=7)  # 14 devices × 672 steps: some ten milliseconds
DAY = timedelta(days=1)
TIME_WINDOWS = (
    (("overnight", "last night"), timedelta(hours=12)),
    (("while i was away", "since i left", "at work"), timedelta(hours=9)),
    (("few hours",), timedelta(hours=4)),
    (("week",), LONGEST),
)
COUNTED = re.compile(r"\b(\d{1,3})\s+(hour|day)s?\b")


@dataclass(frozen=True)
class Device:
    """topics: words of a question that this device answers. state: what it says at a moment.

    measures: its states are readings, and how often they changed is not counted.
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
        shift = fraction(name, moment.date()) - 0.5
        since_start = (_hour(moment) - start - shift) % HOURS_A_DAY
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


def _topics(text: str) -> frozenset[str]:
    return frozenset(text.split())


DEVICES = (
    Device("Front door", _topics("door doors locked unlocked lock security"), _between(21, 7, "front", *LOCK_STATES)),
    Device(
        "Back door", _topics("door doors locked unlocked lock back security"), _between(19, 9, "back", *LOCK_STATES)
    ),
    Device("Garage", _topics("garage shut door security"), _between(8, 8.5, "garage", "open", "shut")),
    Device("Alarm", _topics("alarm security"), _between(23, 6, "alarm", "armed", "disarmed")),
    Device("Kitchen window", _topics("window windows open security"), _between(12, 13.5, "window", *WINDOW_STATES)),
    Device("Bedroom window", _topics("window windows open"), _between(7, 8, "bedroom", *WINDOW_STATES)),
    Device("Hall light", _topics("light lights on"), _between(17, 23, "hall", *SWITCH_STATES)),
    Device("Kitchen light", _topics("light lights on kitchen"), _between(18, 22, "kitchen", *SWITCH_STATES)),
    Device("Porch light", _topics("light lights on porch"), _between(19, 6, "porch", *SWITCH_STATES)),
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


# --- What the house is like ---


def home(question: Question) -> tuple[FoundItem, ...]:
    """The devices that the question is about, all of them where it is about none."""
    asked = set(words(question.text))
    devices = [device for device in DEVICES if device.topics & asked] or DEVICES
    return tuple(
        FoundItem(f"device:{device.name}", f"- {device.name}: {device.state(question.asked_at)}") for device in devices
    )


# --- What changed ---


def changes(question: Question) -> tuple[FoundItem, ...]:
    """Each device that changed, with how often and what it is now. The meter always has: a house is never quite off."""
    window = _window(question.text)
    start = question.asked_at - window
    found = (_change(device, start, question.asked_at) for device in DEVICES)
    return tuple(item for item in found if item is not None)


def _window(text: str) -> timedelta:
    counted = COUNTED.search(text.casefold())
    if counted:
        unit = DAY if counted[2] == "day" else timedelta(hours=1)
        return max(STEP, min(LONGEST, int(counted[1]) * unit))
    return next((window for phrases, window in TIME_WINDOWS if holds(text, phrases)), DAY)


def _change(device: Device, start: datetime, end: datetime) -> FoundItem | None:
    before, after = device.state(start), device.state(end)
    since = f"since {start:%a %H:%M}"
    times = int(before != after) if device.measures else _times_changed(device, start, end)
    if not times:
        return None
    seen = f"{before} → {after}" if before != after else f"{after} again"
    often = "" if device.measures else ", changed once" if times == 1 else f", changed {times} times"
    return FoundItem(f"{device.name}:{start}", f"- {device.name}: {seen}{often} {since}")


def _times_changed(device: Device, start: datetime, end: datetime) -> int:
    steps = (end - start) // STEP
    states = [device.state(start + STEP * step) for step in range(steps + 1)]
    return sum(one != following for one, following in pairwise([*states, device.state(end)]))
