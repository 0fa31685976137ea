"""Which pairs and triples of ingredients one recipe has used together. Pure arithmetic; knows no vocabulary.

Values are numbered in the order in which they were first used. A set of them has the number that the combinatorial
number system gives it: {i < j} is C(j, 2) + i and {i < j < k} is C(k, 3) + C(j, 2) + i. A later value changes no
earlier number, so the two sets of bits only ever grow. Both are bounded: a vocabulary of thousands of phrases would
otherwise need gigabytes for its triples.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from operator import itemgetter

from selftest.core.generation.queries import Query

MOST_VALUES = 1000  # 62 kB of pairs; what comes later is asked as well, but not counted
MOST_VALUES_IN_TRIPLES = 256  # 340 kB
FASTEST = 1  # of zlib's levels; the sets are mostly zeros, so more effort gains little


def pair_number(lower: int, upper: int) -> int:
    """Of the values `lower` < `upper`."""
    return upper * (upper - 1) // 2 + lower


def triple_number(lowest: int, middle: int, upper: int) -> int:
    """Of the values `lowest` < `middle` < `upper`."""
    return upper * (upper - 1) * (upper - 2) // 6 + pair_number(lowest, middle)


class PairCoverage:
    """Which pairs and triples one recipe has covered on one target.

    pairs and triples: packed, as `packed_pairs` and `packed_triples` give them. queries: how many were counted. turn:
    turns that the recipe has had, including those that it sat out.
    """

    def __init__(
        self, values: Iterable[str] = (), pairs: bytes = b"", triples: bytes = b"", queries: int = 0, turn: int = 0
    ) -> None:
        self.values = list(values)
        self.queries = queries
        self.turn = turn
        self._numbers = {value: number for number, value in enumerate(self.values)}
        self._below = list(_rows(_unpacked(pairs), len(self.values)))  # of each value, the lower ones used with it
        self._packed_triples = triples
        self._triples: bytearray | None = None  # unpacked when first needed: a page with pairs alone does without

    def add(self, query: Query) -> None:
        """Counts a query: all pairs and triples of different ingredients in it."""
        self.queries += 1
        numbers = sorted(n for n in {self._number(name) for name in query.ingredients} if n < MOST_VALUES)
        lower = 0
        for number in numbers:
            self._below[number] |= lower
            lower |= 1 << number
        bits = self._triple_bits()
        for lowest, middle, upper in combinations((n for n in numbers if n < MOST_VALUES_IN_TRIPLES), 3):
            at = triple_number(lowest, middle, upper)
            bits[at >> 3] |= 1 << (at & 7)

    def _number(self, value: str) -> int:
        number = self._numbers.get(value, len(self.values))
        if number == len(self.values) < MOST_VALUES:
            self._numbers[value] = number
            self.values.append(value)
            self._below.append(0)
        return number

    def _triple_bits(self) -> bytearray:
        if self._triples is None:
            self._triples = bytearray(_unpacked(self._packed_triples))
        enough = (triple_number(0, 1, min(len(self.values), MOST_VALUES_IN_TRIPLES)) + 7) // 8
        self._triples.extend(bytes(max(0, enough - len(self._triples))))
        return self._triples

    @property
    def pairs_covered(self) -> int:
        """How many pairs were used together."""
        return sum(row.bit_count() for row in self._below)

    @property
    def triples_covered(self) -> int:
        """How many triples were used together."""
        return int.from_bytes(self._triple_bits(), "little").bit_count()

    @property
    def packed_pairs(self) -> bytes:
        """The pairs as compressed bits, to be stored."""
        bits = sum(row << pair_number(0, number) for number, row in enumerate(self._below))
        return zlib.compress(bits.to_bytes((bits.bit_length() + 7) // 8, "little"), FASTEST)

    @property
    def packed_triples(self) -> bytes:
        """The triples as compressed bits, to be stored."""
        return zlib.compress(self._triple_bits(), FASTEST)

    def has_pair(self, value: str, other: str) -> bool:
        """Whether the two were ever used together."""
        lower, upper = sorted((self._numbers.get(value, -1), self._numbers.get(other, -1)))
        return lower >= 0 and bool(self._below[upper] >> lower & 1)

    def partners(self, names: Sequence[str]) -> list[int]:
        """For each of `names` those of them that were used together with it: bit n means names[n]."""
        size = len(self.values)
        if not size:
            return [0] * len(names)
        written = [format(row, f"0{size}b") for row in self._below]  # the highest value first
        above = ["".join(column) for column in zip(*reversed(written), strict=True)][::-1]
        unused = size  # the index of a zero
        indexes = [size - 1 - self._numbers[name] if name in self._numbers else unused for name in reversed(names)]
        reordered = itemgetter(*indexes, unused)  # one more, as a single item would not come as a tuple
        rows = [row | int(column, 2) for row, column in zip(self._below, above, strict=True)]
        of_name = (rows[self._numbers[name]] if name in self._numbers else 0 for name in names)
        return [int("".join(reordered(f"{row:0{size}b}0")), 2) >> 1 for row in of_name]


def _unpacked(packed: bytes) -> bytes:
    return zlib.decompress(packed) if packed else b""


def _rows(pairs: bytes, values: int) -> Iterator[int]:
    bits = int.from_bytes(pairs, "little")
    for number in range(values):
        yield bits & ((1 << number) - 1)
        bits >>= number
