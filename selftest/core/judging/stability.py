"""Which sources answer the same from one request to the next, and how much they bring. Pure: counts, no rows."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from selftest.core.judging.boilerplate import Boilerplate
from selftest.core.judging.findings import Finding
from selftest.core.judging.probes import MOST_REPETITIONS

FEWEST_COMPARISONS = 2  # one difference may be a change at its time; after two it is a habit
VOLATILE_SHARE = 0.5
ENOUGH_COMPARISONS = 8  # to tell a source that answers otherwise now and then, as one does that is at times late
WAVERING_SHARE = 0.9
FEWEST_STEADY = 6  # agreements before no second answer is asked for
WHOLE_QUERY = ""  # no source: findings of a whole query, asked again
ENOUGH_REPETITIONS = 12  # that all agreed: four queries, each asked again three times
LATELY_ACCUSED = 100  # findings that are looked at for known causes
KNOWN_AFTER = 8  # of them with the same accusation
FEWEST_LOOKED_INTO = 4  # differences of one kind, before a source is told to have them as a matter of course
CONFIRMED_SHARE = 0.1  # of those; below it they are looked into now and then only
NEVER = 0, 0
REMEMBERED = 40  # comparisons; then those that are so, and those that are not, are halved: one of either is forgotten


@dataclass
class Stability:
    """counts: source → (pairs of answers to the same part that agreed, all that were compared).

    longest: source → the most items that a section of it had in a merged answer. A shorter one has room for more.
    boilerplate: what each says whatever it is asked. accusations: of the last findings, the newest last. confirmed:
    source and kind of difference → (those that were found to break a promise, all that were looked into).
    """

    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)
    boilerplate: Boilerplate = field(default_factory=Boilerplate)
    accusations: deque[tuple[str, ...]] = field(default_factory=lambda: deque(maxlen=LATELY_ACCUSED))
    confirmed: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def note(self, compared: Iterable[tuple[str, bool]]) -> None:
        """compared: source → whether two answers to the same part agreed."""
        for source, agreed in compared:
            self.counts[source] = _counted(self.counts.get(source, NEVER), agreed)

    def note_decided(self, decided: Iterable[tuple[str, str, bool]]) -> None:
        """decided: source and kind of a difference, and whether it was found to break a promise."""
        for source, kind, is_so in decided:
            self.confirmed[source, kind] = _counted(self.confirmed.get((source, kind), NEVER), is_so)

    def of_all(self) -> dict[str, tuple[int, int]]:
        """The counts of every source that anything is known of."""
        of_kinds = {source: counts for (source, _), counts in self.confirmed.items()}
        known = {**self.counts, **self.longest, **self.boilerplate.answers, **of_kinds}
        return {source: self.counts.get(source, (0, 0)) for source in known}

    def confirmed_of(self, source: str) -> dict[str, tuple[int, int]]:
        """The same counts of one source, by kind."""
        return {kind: counts for (of, kind), counts in self.confirmed.items() if of == source}

    def measure(self, lengths: Mapping[str, int]) -> None:
        """lengths: source → the items of its section in one more merged answer."""
        for source, items in lengths.items():
            self.longest[source] = max(items, self.longest.get(source, 0))

    def volatile(self) -> frozenset[str]:
        """The sources whose answers disagreed too often: they are compared by presence only."""
        return frozenset(
            source
            for source, (same, every) in self._compared()
            if same <= VOLATILE_SHARE * every or (every >= ENOUGH_COMPARISONS and same <= WAVERING_SHARE * every)
        )

    def steady(self) -> frozenset[str]:
        """The sources whose answers all agreed."""
        return frozenset(source for source, (same, every) in self._compared() if same == every >= FEWEST_STEADY)

    def repetitions(self) -> int:
        """How often a query with findings is asked again: once where that never said anything else."""
        return 1 if self.is_reproducible() else MOST_REPETITIONS

    def is_reproducible(self) -> bool:
        """Whether repetitions agreed so often that nearly every other probe says more."""
        same, every = self.counts.get(WHOLE_QUERY, (0, 0))
        return same == every >= ENOUGH_REPETITIONS

    def accuse(self, found: Iterable[Finding]) -> None:
        """Counts what was found, also in other places than the first."""
        self.accusations += [each.accusation for finding in found for each in (finding, *finding.also)]

    def known_causes(self) -> frozenset[tuple[str, ...]]:
        """Accusations that were made so often lately that one more tells nothing new."""
        return frozenset(accused for accused, times in Counter(self.accusations).items() if times >= KNOWN_AFTER)

    def seldom_confirmed(self) -> frozenset[tuple[str, str]]:
        """Source and kind of differences that nearly always turned out to be legal."""
        return frozenset(
            which
            for which, (confirmed, every) in self.confirmed.items()
            if every >= FEWEST_LOOKED_INTO and confirmed < CONFIRMED_SHARE * every
        )

    def _compared(self) -> Iterable[tuple[str, tuple[int, int]]]:
        for source, counts in self.counts.items():
            if counts[1] >= FEWEST_COMPARISONS and source != WHOLE_QUERY:
                yield source, counts


def _counted(counts: tuple[int, int], is_so: bool) -> tuple[int, int]:
    """One more that is so, or is not."""
    so, every = counts[0] + is_so, counts[1] + 1
    return (so // 2, so // 2 + (every - so) // 2) if every >= REMEMBERED else (so, every)
