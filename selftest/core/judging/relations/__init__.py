"""The target against itself: what holds between one answer and another. Pure generators that want probes.

Each yields what it would have asked, is sent the answers, and decides over them; nothing here asks anybody.
"""

from selftest.core.judging.relations.again import (
    agreements,
    asked_twice,
    in_other_order,
    in_plain_words,
    is_plain,
    joined_otherwise,
)
from selftest.core.judging.relations.case import Case, Cause
from selftest.core.judging.relations.content import contents
from selftest.core.judging.relations.hidden import hidden, without_the_others
from selftest.core.judging.relations.presence import Presence, presence
from selftest.core.judging.relations.time import no_slow_part

__all__ = [
    "Case",
    "Cause",
    "Presence",
    "agreements",
    "asked_twice",
    "contents",
    "hidden",
    "in_other_order",
    "in_plain_words",
    "is_plain",
    "joined_otherwise",
    "no_slow_part",
    "presence",
    "without_the_others",
]
