"""Which sources answer the same from one asking to the next. Pure: counts come in, no rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

FEWEST_COMPARISONS = 3  # one difference may be a change at its time; after three, one in two is a habit
STEADY_SHARE = 0.5


@dataclass
class Stability:
    """source → (askings of the same part that agreed, all that were compared)."""

    counts: dict[str, tuple[int, int]] = field(default_factory=dict)

    def note(self, compared: Iterable[tuple[str, bool]]) -> None:
        for source, agreed in compared:
            same, every = self.counts.get(source, (0, 0))
            self.counts[source] = (same + agreed, every + 1)

    def volatile(self) -> frozenset[str]:
        """The sources of which the askings disagreed too often: they are compared by presence only."""
        return _volatile(self.counts)


def _volatile(counts: Mapping[str, tuple[int, int]]) -> frozenset[str]:
    return frozenset(
        source
        for source, (same, every) in counts.items()
        if every >= FEWEST_COMPARISONS and same <= STEADY_SHARE * every
    )
