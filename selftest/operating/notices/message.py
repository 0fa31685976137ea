"""What is said of one event, in words and for programs. Knows no channel and no rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True)
class Message:
    """words: a title. detail: further lines, or "". link: the whole URL. facts: for programs. uid: of this delivery."""

    kind: str
    words: str
    detail: str
    link: str
    at: datetime
    uid: UUID
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What follows the title."""
        return f"{self.detail}\n\n{self.link}" if self.detail else self.link
