"""What every source is: a question in, items out. Sources know nothing of routing, merging or each other."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class Question:
    """text: what is asked of this source. asked_at: aware; what "now" means for this answer."""

    text: str
    asked_at: datetime


@dataclass(frozen=True)
class Item:
    """One thing found. key: what makes it the same thing when two clauses find it. text: one line, no header."""

    key: str
    text: str


class Source(Protocol):
    """Called from several threads at once."""

    def __call__(self, question: Question) -> tuple[Item, ...]:
        """What it found, best first; () where it found nothing.

        A backend that fails is something found, or (); it is never raised.
        """
