"""What of the findings is looked at."""

from dataclasses import dataclass
from enum import StrEnum


class FindingTab(StrEnum):
    """Which findings are listed."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    PROPOSALS = "proposals"


@dataclass(frozen=True)
class MemoryFilter:
    """What of the memory is looked at. Empty values: any. category: this one and all below it.

    cause, combination: only what is known around it.
    """

    tab: FindingTab = FindingTab.ACTIVE
    text: str = ""
    category: str = ""
    cause: int | None = None
    combination: int | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves anything of its tab out."""
        return self != MemoryFilter(tab=self.tab)
