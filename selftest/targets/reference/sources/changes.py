"""What changed in the house over a window that ends at the moment of asking. Compares moments; keeps no snapshots."""

import re
from datetime import datetime, timedelta
from itertools import pairwise

from selftest.targets.reference.phrases import holds
from selftest.targets.reference.sources.base import Item, Question
from selftest.targets.reference.sources.house import DEVICES, Device

STEP = timedelta(minutes=15)  # how finely a window is walked; doors left open for less go unseen
LONGEST = timedelta(days=7)  # 14 devices × 672 steps: some ten milliseconds
DAY = timedelta(days=1)
WINDOWS = (
    (("overnight", "last night"), timedelta(hours=12)),
    (("while i was away", "since i left", "at work"), timedelta(hours=9)),
    (("few hours",), timedelta(hours=4)),
    (("week",), LONGEST),
)
COUNTED = re.compile(r"\b(\d{1,3})\s+(hour|day)s?\b")


def changes(question: Question) -> tuple[Item, ...]:
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
    return next((window for phrases, window in WINDOWS if holds(text, phrases)), DAY)


def _change(device: Device, start: datetime, end: datetime) -> Item | None:
    before, after = device.state(start), device.state(end)
    since = f"since {start:%a %H:%M}"
    times = int(before != after) if device.measures else _times_changed(device, start, end)
    if not times:
        return None
    seen = f"{before} → {after}" if before != after else f"{after} again"
    often = "" if device.measures else ", changed once" if times == 1 else f", changed {times} times"
    return Item(f"{device.name}:{start}", f"- {device.name}: {seen}{often} {since}")


def _times_changed(device: Device, start: datetime, end: datetime) -> int:
    steps = (end - start) // STEP
    states = [device.state(start + STEP * step) for step in range(steps + 1)]
    return sum(one != following for one, following in pairwise([*states, device.state(end)]))
