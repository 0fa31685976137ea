"""The mistakes that can be switched on. Each plants itself in one step; the router never asks which are in."""

# Importing a module of faults registers what is in it.
from selftest.targets.reference.faults import answering, asking, failing, splitting, writing
from selftest.targets.reference.faults.registry import FAULTS, Fault, Setting, is_afflicted, marked_phrase, planted

__all__ = [
    "FAULTS",
    "Fault",
    "Setting",
    "answering",
    "asking",
    "failing",
    "is_afflicted",
    "marked_phrase",
    "planted",
    "splitting",
    "writing",
]
