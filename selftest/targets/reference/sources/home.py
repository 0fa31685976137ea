"""What the house is like at the moment of asking. Reads devices; changes none."""

from selftest.targets.reference.phrases import words
from selftest.targets.reference.sources.base import Item, Question
from selftest.targets.reference.sources.house import DEVICES


def home(question: Question) -> tuple[Item, ...]:
    """The devices that the question is about, all of them where it is about none."""
    asked = set(words(question.text))
    devices = [device for device in DEVICES if device.topics & asked] or DEVICES
    return tuple(
        Item(f"device:{device.name}", f"- {device.name}: {device.state(question.asked_at)}") for device in devices
    )
