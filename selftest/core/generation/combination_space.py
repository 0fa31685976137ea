"""Counts the combinations of a recipe exactly and finds any of them by its index. Pure arithmetic, without chance.

A recipe's space is a sum of products; each factor takes one value from each of k different groups. Every value has an
age (when its vocabulary first held it without a gap since), and a *layer* holds the combinations whose youngest value
has one age. The layers divide the space without overlap, so what is new in a vocabulary is a range of its own to walk.
"""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import accumulate, chain
from math import prod

from selftest.core.generation.queries import Choose, Part, Picks, Space

Age = Callable[[Part], int]


class _Ages(Enum):
    OLD = "only values older than the layer"
    ALL = "values of the layer's age and older"
    NEW = "as ALL, at least one of the layer's own age"


class _LayeredChoose:
    def __init__(self, choose: Choose, age: Age, layer: int) -> None:
        self.k = choose.k
        by_age = [sorted(group, key=lambda part: part.ingredient) for group in choose.groups]
        parted = [([p for p in g if age(p) < layer], [p for p in g if age(p) == layer]) for g in by_age]
        # Groups without a value for the layer are left out, so that a later vocabulary leaves it as it was.
        self.groups = sorted(
            (pair for pair in parted if any(pair)), key=lambda pair: [p.ingredient for p in chain(*pair)]
        )
        names = [self.k, *([[p.ingredient for p in part] for part in pair] for pair in self.groups)]
        self.identity = hashlib.sha256(json.dumps(names, ensure_ascii=True).encode()).hexdigest()
        self._old = self._ways([len(old) for old, _ in self.groups])
        self._all = self._ways([len(old) + len(new) for old, new in self.groups])

    def _ways(self, sizes: list[int]) -> list[list[int]]:
        """ways[g][k]: in how many ways k values come from the groups g, g+1, …"""
        ways = [[1] + [0] * self.k]
        for size in reversed(sizes):
            after = ways[0]
            ways.insert(0, [1] + [after[k] + size * after[k - 1] for k in range(1, self.k + 1)])
        return ways

    def _count(self, ages: _Ages, group: int, k: int) -> int:
        match ages:
            case _Ages.OLD:
                return self._old[group][k]
            case _Ages.ALL:
                return self._all[group][k]
            case _Ages.NEW:
                return self._all[group][k] - self._old[group][k]

    def size(self, ages: _Ages) -> int:
        return self._count(ages, 0, self.k)

    def at(self, ages: _Ages, index: int) -> tuple[Part, ...]:
        picks: list[Part] = []
        for number, (old, new) in enumerate(self.groups, start=1):
            left = self.k - len(picks)
            if left == 0:
                break
            skipping = self._count(ages, number, left)
            if index < skipping:
                continue
            index -= skipping
            values = old if ages is not _Ages.ALL else old + new
            ways = self._count(ages, number, left - 1)
            if ages is _Ages.NEW and index >= len(old) * ways:
                index -= len(old) * ways
                values, ages = new, _Ages.ALL  # a new one is chosen: those that follow may be of any age
                ways = self._count(ages, number, left - 1)
            picks.append(values[index // ways])
            index %= ways
        return tuple(picks)


class _LayeredProduct:
    def __init__(self, factors: list[_LayeredChoose]) -> None:
        self.factors = factors
        self.identity = " ".join(factor.identity for factor in factors)
        self._starts = [0, *accumulate(prod(sizes) for sizes in self._sizes_by_first_new())]
        self.size = self._starts[-1]

    def _ages_of(self, first_new: int) -> list[_Ages]:
        """The factors before the first with a new value hold old ones; those after it, any."""
        after = len(self.factors) - first_new - 1
        return [_Ages.OLD] * first_new + [_Ages.NEW] + [_Ages.ALL] * after

    def _sizes_by_first_new(self) -> list[list[int]]:
        every = range(len(self.factors))
        return [[f.size(t) for f, t in zip(self.factors, self._ages_of(i), strict=True)] for i in every]

    def at(self, index: int) -> Picks:
        first_new = bisect_right(self._starts, index) - 1
        index -= self._starts[first_new]
        picks = []
        for factor, ages in zip(self.factors, self._ages_of(first_new), strict=True):
            index, here = divmod(index, factor.size(ages))
            picks.append(factor.at(ages, here))
        return tuple(picks)


class Layer:
    """The combinations of a space whose youngest value has age `layer`.

    size: how many, exactly. identity: the same as long as the same values make it up, listed in any order.
    """

    def __init__(self, recipe: str, space: Space, age: Age, layer: int) -> None:
        factors: dict[int, _LayeredChoose] = {}  # by the factor's own id: products share large ones
        for choose in chain.from_iterable(space):
            if id(choose) not in factors:
                factors[id(choose)] = _LayeredChoose(choose, age, layer)
        products = [_LayeredProduct([factors[id(choose)] for choose in product]) for product in space]
        self._products: Sequence[_LayeredProduct] = sorted((p for p in products if p.size), key=lambda p: p.identity)
        self._starts = [0, *accumulate(product.size for product in self._products)]
        self.size = self._starts[-1]
        self.identity = hashlib.sha256("\n".join([recipe, *(p.identity for p in self._products)]).encode()).hexdigest()

    def at(self, index: int) -> Picks:
        """The combination with this index; 0 ≤ index < size."""
        product = bisect_right(self._starts, index) - 1
        return self._products[product].at(index - self._starts[product])


class Permutation:
    """A seeded shuffle of range(size) that never keeps it in memory: any position is computed by itself.

    A Feistel network over the next power of four, repeated until the result is below `size`.
    Source: Black & Rogaway (2002), Ciphers with Arbitrary Finite Domains.
    """

    ROUNDS = 4

    def __init__(self, size: int, key: int) -> None:
        self.size = size
        self._key = key.to_bytes(16, "big", signed=True)
        self._half_bits = max(1, ((size - 1).bit_length() + 1) // 2)
        self._mask = (1 << self._half_bits) - 1

    def at(self, position: int) -> int:
        """The index at `position`; both in range(size)."""
        if not 0 <= position < self.size:
            raise IndexError(f"position {position} of {self.size}")
        position = self._shuffled(position)
        while position >= self.size:
            position = self._shuffled(position)
        return position

    def _shuffled(self, position: int) -> int:
        left, right = position >> self._half_bits, position & self._mask
        for number in range(self.ROUNDS):
            word = b"%d:%x" % (number, right)
            digest = hashlib.blake2b(word, key=self._key, digest_size=16).digest()
            left, right = right, left ^ (int.from_bytes(digest, "big") & self._mask)
        return left << self._half_bits | right
