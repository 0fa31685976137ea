"""What is said of one event, in words and for programs. Knows no channel and no rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True)
class Message:
    """words: a title. detail: further lines, or "". link: the whole URL. facts: for programs. uid: of this delivery.

    is_late: `at` is not now, which a reader would take it for.
    """

    kind: str
    words: str
    detail: str
    link: str
    at: datetime
    uid: UUID
    facts: Mapping[str, Any] = field(default_factory=dict)
    is_late: bool = False

    @property
    def text(self) -> str:
        """What follows the title."""
        at = f"As of {self.at:%d %B %Y, %H:%M} UTC." if self.is_late else ""
        return "\n\n".join(part for part in (self.detail, at, self.link) if part)
