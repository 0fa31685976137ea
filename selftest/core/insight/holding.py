"""Which parts of many queries a predicate holds of, told without a look at each query. Pure.

Many queries are alike in one aspect or another, or in a part: what holds is told once for all of them.
"""

import sys
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from selftest.core.insight.predicates import (
    BOTH,
    AspectShape,
    PartShape,
    Places,
    Predicate,
    QueryShape,
    bit,
)

PLACES = "H"  # of an array: the parts of one query
PLACES_BITS = (1 << 16) - 1  # parts beyond these are not told apart

Bits = int
"""Some parts of each query, all in one number."""


@dataclass
class _Wording:
    """Where a part stands: the queries, and beside them its places there. Numbers alone, which are cheap to keep."""

    part: PartShape
    numbers: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)


class Told(NamedTuple):
    """What holds of one query: the numbers of predicates, and beside each the parts that it holds of."""

    numbers: tuple[int, ...]
    places: tuple[Places, ...]


class Holding:
    """Of some queries, which are told apart by their place.

    predicates: those that were told of a query, in the order of their numbers.
    """

    def __init__(self, shapes: Sequence[QueryShape]) -> None:
        self.predicates: list[Predicate] = []
        self._shapes = shapes
        self._numbers: dict[Predicate, int] = {}
        self._told: dict[int, Told] = {}
        self._by_number: dict[int, Mapping[int, int]] = {}  # of what shapes share, by its id: they live as long
        self._counts: dict[Predicate, int] = {}
        self._bits: dict[Predicate, Bits] = {}
        self._first_bits = _in_one(array(PLACES, [1]) * len(shapes))
        # Of each predicate: where the queries are that are alike, and the parts that it holds of in all of them.
        self._alike: defaultdict[Predicate, list[tuple[list[int], Places]]] = defaultdict(list)
        # Of each predicate: the query and the place of each part with those words, and whether all parts are meant.
        self._worded: defaultdict[Predicate, list[tuple[_Wording, bool]]] = defaultdict(list)
        alike: dict[int, tuple[AspectShape, list[int]]] = {}
        worded: dict[int, _Wording] = {}
        for number, shape in enumerate(shapes):
            for aspect in shape.aspects:
                alike.setdefault(id(aspect), (aspect, []))[1].append(number)
            for place, part in enumerate(shape.parts):
                wording = worded.get(id(part)) or worded.setdefault(id(part), _Wording(part))
                wording.numbers.append(number)
                wording.places.append(place)
        for aspect, numbers in alike.values():
            for predicate, places in aspect.predicates.items():
                self._alike[predicate].append((numbers, places))
        for wording in worded.values():
            for predicate, is_of_whole in wording.part.predicates.items():
                self._worded[predicate].append((wording, is_of_whole))

    def told(self, number: int) -> Told:
        """All simple ones that hold of one query, which are asked for again and again."""
        if number not in self._told:
            shape = self._shapes[number]
            found: dict[int, Places] = {}
            for aspect in shape.aspects:
                found.update(self._numbered(aspect))
            for place, part in enumerate(shape.parts):
                for one, is_of_whole in self._numbered(part).items():
                    found[one] = shape.every if is_of_whole else found.get(one, 0) | bit(place)
            self._told[number] = Told(tuple(found), tuple(found.values()))
        return self._told[number]

    def _numbered(self, shared: AspectShape | PartShape) -> Mapping[int, int]:
        """Its predicates by number."""
        if id(shared) not in self._by_number:
            self._by_number[id(shared)] = {self.number(one): said for one, said in shared.predicates.items()}
        return self._by_number[id(shared)]

    def number(self, predicate: Predicate) -> int:
        """That it goes by here."""
        number = self._numbers.setdefault(predicate, len(self.predicates))
        if number == len(self.predicates):
            self.predicates.append(predicate)
        return number

    def count(self, predicate: Predicate) -> int:
        """Of how many queries it holds."""
        if predicate not in self._counts:
            self._counts[predicate] = self._count(predicate)
        return self._counts[predicate]

    def _count(self, predicate: Predicate) -> int:
        if predicate.of:
            return self.count_bits(self.bits(predicate))
        if predicate.is_of_finding:
            return len(self._shapes)
        if predicate in self._alike:
            return sum(len(numbers) for numbers, _ in self._alike[predicate])
        return len({number for wording, _ in self._worded[predicate] for number in wording.numbers})

    def bits(self, predicate: Predicate) -> Bits:
        """The parts that it holds of."""
        if predicate.of:
            first, *others = map(self.bits, predicate.of)
            for other in others:
                first = first & other if predicate.family == BOTH else first | other
            return first
        if predicate not in self._bits:
            self._bits[predicate] = _in_one(self._places(predicate))
        return self._bits[predicate]

    def _places(self, predicate: Predicate) -> "array[int]":
        if predicate.is_of_finding:
            return array(PLACES, [shape.every & PLACES_BITS for shape in self._shapes])
        every = self._nowhere()
        for numbers, places in self._alike.get(predicate, ()):
            told = places & PLACES_BITS
            for number in numbers:
                every[number] = told
        for wording, is_of_whole in self._worded.get(predicate, ()):
            for number, place in zip(wording.numbers, wording.places, strict=True):
                every[number] |= (self._shapes[number].every if is_of_whole else bit(place)) & PLACES_BITS
        return every

    def bits_of(self, places: Mapping[int, Places]) -> Bits:
        """These parts; none of the queries that are not among them."""
        every = self._nowhere()
        for number, those in places.items():
            every[number] = those & PLACES_BITS
        return _in_one(every)

    def places_of(self, bits: Bits) -> "array[int]":
        """The parts of each query."""
        every = array(PLACES)
        every.frombytes(bits.to_bytes(every.itemsize * len(self._shapes), sys.byteorder))
        return every

    def count_bits(self, bits: Bits) -> int:
        """Of how many queries any part is among `bits`."""
        shift = 8
        while shift:
            bits |= bits >> shift  # in the end the first bit of each query tells of all its bits
            shift //= 2
        return (bits & self._first_bits).bit_count()

    def _nowhere(self) -> "array[int]":
        return array(PLACES, [0]) * len(self._shapes)


def _in_one(every: "array[int]") -> Bits:
    return int.from_bytes(every.tobytes(), sys.byteorder)
