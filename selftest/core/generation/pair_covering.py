"""The combination of a recipe that covers the most pairs not used yet, built value by value. Pure.

Greedy as in AETG: the value with the most pairs left comes first, then in each slot the one that covers the most with
those chosen before. What covers a new pair is itself new, so that needs no look-up.
Source: Cohen, Dalal, Fredman & Patton (1997), The AETG System.
"""

import random
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import chain, combinations
from typing import TypeVar

from selftest.core.generation.pair_coverage import PairCoverage
from selftest.core.generation.queries import Choose, Part, Picks, Space

CANDIDATES = 3  # built for each query, of which the best is used; more gain little and cost as much again
MOST_LOOKED_AT = 100  # values for one slot; of more, this many by chance, so that a rich vocabulary costs no more

T = TypeVar("T")


class _Factor:
    def __init__(self, choose: Choose, number: Callable[[Part], int]) -> None:
        self.k = choose.k
        self.groups = sorted(tuple(sorted(map(number, group))) for group in choose.groups if group)
        self.mask = _bits(chain.from_iterable(self.groups))


class Pairs:
    """All pairs of values that a recipe's space can use together. The values are numbered by name."""

    def __init__(self, space: Space) -> None:
        chosen = {id(choose): choose for product in space for choose in product}
        values = {part.ingredient: part for c in chosen.values() for group in c.groups for part in group}
        self.names = sorted(values)
        self.parts = [values[name] for name in self.names]
        numbers = {name: number for number, name in enumerate(self.names)}
        factors = {key: _Factor(choose, lambda part: numbers[part.ingredient]) for key, choose in chosen.items()}
        made = [tuple(factors[id(choose)] for choose in product) for product in space]
        self.of_style: dict[str, int] = {}  # the values that are written so, as bits
        for number, part in enumerate(self.parts):
            self.of_style[part.style] = self.of_style.get(part.style, 0) | 1 << number
        self.products = sorted(
            (p for p in made if all(len(f.groups) >= f.k for f in p)), key=lambda p: [(f.k, f.groups) for f in p]
        )
        self.possible = self._possible()

    def _possible(self) -> list[int]:
        """For each value those that it can be used together with, as bits."""
        partners = [0] * len(self.names)
        factors = {id(factor): factor for product in self.products for factor in product}
        for factor in factors.values():
            for group in factor.groups if factor.k > 1 else ():
                others = factor.mask & ~_bits(group)
                for value in group:
                    partners[value] |= others
        couples = {(id(a), id(b)): (a, b) for product in self.products for a, b in combinations(product, 2)}
        for one, other in couples.values():
            for value in chain.from_iterable(one.groups):
                partners[value] |= other.mask
            for value in chain.from_iterable(other.groups):
                partners[value] |= one.mask
        return [others & ~(1 << value) for value, others in enumerate(partners)]

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return sum(others.bit_count() for others in self.possible) // 2


class Covering:
    """The pairs of a recipe that are still to be used."""

    def __init__(self, pairs: Pairs, coverage: PairCoverage) -> None:
        self._pairs = pairs
        self._is_fresh = not coverage.queries
        self._exhausted: set[int] = set()  # layers without a pair left; that never changes again
        covered = coverage.partners(pairs.names)
        self._left = [possible & ~used for possible, used in zip(pairs.possible, covered, strict=True)]
        self._numbers = {name: number for number, name in enumerate(pairs.names)}

    def note(self, ingredients: Iterable[str]) -> None:
        """These were used together."""
        used = _bits(self._numbers[name] for name in ingredients)
        for name in ingredients:
            self._left[self._numbers[name]] &= ~used
        self._is_fresh = False

    def best(self, allowed: int, new: int, used: Collection[str], rng: random.Random) -> Picks | None:
        """A combination of values in `allowed`, one at least in `new`, that covers many new pairs.

        None where none is found. allowed and new: bits, as the names of the pairs are numbered. used: ingredients that
        any recipe has used; the others go first.
        """
        openings = [] if new in self._exhausted else [v for v in _numbers_in(new) if self._left[v] & allowed]
        if not openings:
            self._exhausted.add(new)
            return None
        unused = _bits(number for number, name in enumerate(self._pairs.names) if name not in used) & allowed
        styles = self._unused_styles(unused, allowed)
        made = (self._candidate(openings, allowed, unused, styles, rng) for _ in range(CANDIDATES))
        gains = [(self._gain(picks, unused, styles), picks) for picks in made if picks is not None]
        gain, best = max(gains, key=lambda found: found[0], default=((0, 0, 0), None))
        if best is None or not gain[-1]:
            return None
        return tuple(tuple(self._pairs.parts[value] for value in sorted(values)) for values in best)

    def _unused_styles(self, unused: int, allowed: int) -> list[int]:
        """For each way of writing of which no value was ever used, its values."""
        styles = (values & allowed for style, values in self._pairs.of_style.items() if style)
        return [values for values in styles if values and values & unused == values]

    def _gain(self, picks: Sequence[Sequence[int]], unused: int, styles: Sequence[int]) -> tuple[int, int, int]:
        chosen = _bits(chain.from_iterable(picks))
        new_pairs = sum((self._left[value] & chosen).bit_count() for value in chain.from_iterable(picks))
        return sum(1 for values in styles if values & chosen), (chosen & unused).bit_count(), new_pairs

    def _candidate(
        self, openings: Sequence[int], allowed: int, unused: int, styles: Sequence[int], rng: random.Random
    ) -> list[list[int]] | None:
        unwritten = _any_of(styles)
        first = _any_best(
            openings,
            lambda value: (unwritten >> value & 1, unused >> value & 1, (self._left[value] & allowed).bit_count()),
            rng,
        )
        product = None if first is None else self._product_for(first, allowed, self._is_fresh or bool(styles), rng)
        if first is None or product is None:
            return None
        picks: list[list[int]] = [[] for _ in product]
        free = [list(factor.groups) for factor in product]

        def choose(slot: int, value: int) -> None:
            picks[slot].append(value)
            free[slot] = [group for group in free[slot] if value not in group]

        holders = [slot for slot, factor in enumerate(product) if factor.mask >> first & 1]
        choose(rng.choice(holders), first)
        chosen = 1 << first
        slots = [slot for slot, factor in enumerate(product) for _ in range(factor.k - len(picks[slot]))]
        rng.shuffle(slots)
        for slot in slots:
            usable = [v for group in free[slot] for v in group if allowed >> v & 1 and not chosen >> v & 1]
            if len(usable) > MOST_LOOKED_AT:
                usable = rng.sample(usable, MOST_LOOKED_AT)
            unwritten = _any_of(values for values in styles if not values & chosen)
            value = _any_best(usable, partial(self._worth, chosen, unused, unwritten), rng)
            if value is None:
                return None
            choose(slot, value)
            chosen |= 1 << value
        return picks

    def _worth(self, chosen: int, unused: int, unwritten: int, value: int) -> tuple[int, int, int, int]:
        left = self._left[value]
        return unwritten >> value & 1, unused >> value & 1, (left & chosen).bit_count(), left.bit_count()

    def _product_for(
        self, value: int, allowed: int, is_longest: bool, rng: random.Random
    ) -> tuple[_Factor, ...] | None:
        """The product in which `value` has the most pairs left, and the longest of those where that is wanted."""

        def worth(product: tuple[_Factor, ...]) -> tuple[int, int]:
            mask = _bits_of(product) & allowed
            return (self._left[value] & mask).bit_count(), sum(f.k for f in product) if is_longest else 0

        return _any_best((p for p in self._pairs.products if _bits_of(p) >> value & 1), worth, rng)


def _any_best(among: Iterable[T], worth: Callable[[T], tuple[int, ...]], rng: random.Random) -> T | None:
    """One of those that are worth the most."""
    best: list[T] = []
    most: tuple[int, ...] = ()
    for item in among:
        worth_of_item = worth(item)
        if not best or worth_of_item > most:
            best, most = [item], worth_of_item
        elif worth_of_item == most:
            best.append(item)
    return rng.choice(best) if best else None


def _bits_of(product: tuple[_Factor, ...]) -> int:
    return _any_of(factor.mask for factor in product)


def _any_of(masks: Iterable[int]) -> int:
    """All bits of `masks`."""
    found = 0
    for mask in masks:
        found |= mask
    return found


def _bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def _numbers_in(bits: int) -> list[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]
