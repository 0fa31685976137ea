"""Which pairs of a recipe's words were asked together, as a grid of one kind of words against another."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

from django.db.models import F

from selftest.core.generation.pair_coverage import MOST_VALUES
from selftest.core.generation.pair_covering import Pairs
from selftest.core.generation.queries import PartKind
from selftest.core.generation.recipes import RECIPES
from selftest.models import Combination, Coverage, Ingredient, Target, VocabularyVersion
from selftest.storage.serialization import coverage_of, vocabulary_of
from selftest.storage.texts import sha256_hex

KEPT_PAIRS = 64  # recipes over vocabularies whose pairs this process remembers: one costs some ten milliseconds
MOST_WORDS = 30  # down or across a grid: of more, a reader only sees that they are many
MOST_FLAGGED = 300  # newest flagged combinations that are looked through
# What is asked for first, the words between the others last: by these a grid is told least.
KINDS_IN_ORDER = (
    PartKind.PAIR,
    PartKind.LOOKALIKE,
    PartKind.INTENT,
    PartKind.TOPIC,
    PartKind.DISCOURSE,
    PartKind.CONDITION,
    PartKind.REQUEST,
    PartKind.NOSPLIT,
    PartKind.CONSEQUENCE,
    PartKind.CONJUNCTION,
)


class CellState(StrEnum):
    """What became of two words of a recipe."""

    FLAGGED = "flagged"  # asked together, and flagged at least once
    ASKED = "asked"
    OPEN = "open"  # not asked together yet
    NEVER = "never"  # the recipe does not say them together


@dataclass(frozen=True)
class Slot:
    """The words of one kind, those of intents by their source. name: as ingredients begin.

    Where they are too many for one grid, the `piece`-th of so many `pieces`; 1 of 1 for all.
    """

    name: str
    kind: PartKind
    source: str
    values: tuple[str, ...]  # ingredients
    texts: tuple[str, ...]
    piece: int = 1
    pieces: int = 1


@dataclass(frozen=True)
class Cell:
    """Two ingredients. flagged: combinations with both that were ever flagged."""

    pair: tuple[str, str]
    state: CellState
    flagged: int = 0


@dataclass(frozen=True)
class PairGrid:
    """cells: a row for each value of `down`. is_whole: whether all flagged combinations were looked through."""

    down: Slot
    across: Slot
    cells: tuple[tuple[Cell, ...], ...]
    is_whole: bool


@dataclass(frozen=True)
class PairsAsked:
    """Of what the vocabulary in force can say. slots: the kinds of words that a grid can be made of."""

    covered: int
    possible: int
    triples: int
    slots: tuple[Slot, ...]
    grid: PairGrid | None


class UnknownSlotError(ValueError):
    """No words of this name are in the recipe; the message lists those that are."""


def pairs_asked(target: Target, recipe_name: str, down: str = "", across: str = "") -> PairsAsked | None:
    """None without a vocabulary, or where it has too many words to keep account of.

    down and across: names of slots; the first two that go together for "". Raises VocabularyError, UnknownSlotError.
    """
    version = VocabularyVersion.objects.filter(target=target, in_force=True).values_list("pk", "sha256").first()
    words = None if version is None else _words(recipe_name, *version)
    if words is None:
        return None
    pairs = words.pairs
    row = Coverage.objects.filter(target=target, recipe_name=recipe_name).first()
    asked = coverage_of(row) if row else None
    together = asked.partners(pairs.names) if asked else [0] * len(pairs.names)
    covered = (
        sum((asked_with & possible).bit_count() for asked_with, possible in zip(together, pairs.possible, strict=True))
        // 2
    )
    chosen = _chosen(words, down, across)
    return PairsAsked(
        covered=covered,
        possible=pairs.count,
        triples=asked.triples_covered if asked else 0,
        slots=words.slots,
        grid=_grid(target, recipe_name, words, together, *chosen) if chosen else None,
    )


@dataclass(frozen=True)
class _Words:
    """What hangs on a vocabulary alone. numbers: of the values in `pairs`. couples: slots that go together."""

    pairs: Pairs
    numbers: Mapping[str, int]
    slots: tuple[Slot, ...]
    couples: tuple[tuple[Slot, Slot], ...]


@lru_cache(KEPT_PAIRS)
def _words(recipe_name: str, version: int, sha256: str) -> _Words | None:
    """None for too many. sha256: of the version's content, which is what they hang on."""
    space = RECIPES[recipe_name].space(vocabulary_of(VocabularyVersion.objects.get(pk=version)))
    if (
        len({part for product in space for choose in product for group in choose.groups for part in group})
        > MOST_VALUES
    ):
        return None
    pairs = Pairs(space)
    numbers = {name: number for number, name in enumerate(pairs.names)}
    slots = _slots(pairs)
    couples = [*combinations(slots, 2), *((slot, slot) for slot in slots)]

    def go_together(one: Slot, other: Slot) -> bool:
        mask = sum(1 << numbers[value] for value in other.values)
        return any(pairs.possible[numbers[value]] & mask for value in one.values)

    return _Words(pairs, numbers, slots, tuple(couple for couple in couples if go_together(*couple)))


def _slots(pairs: Pairs) -> tuple[Slot, ...]:
    by_slot: dict[tuple[PartKind, str], list[int]] = {}
    # One phrase's writings beside each other.
    in_order = sorted(enumerate(pairs.parts), key=lambda numbered: (numbered[1].plain or numbered[1].text, numbered[0]))
    for number, part in in_order:
        by_slot.setdefault((part.kind, part.source), []).append(number)
    slots = []
    for (kind, source), numbers in by_slot.items():
        name = f"{kind}:{source}" if source else kind.value
        pieces = -(-len(numbers) // MOST_WORDS)
        for piece in range(1, pieces + 1):
            of_piece = numbers[(piece - 1) * MOST_WORDS : piece * MOST_WORDS]
            slots.append(
                Slot(
                    name=name if piece == 1 else f"{name}:{piece}",
                    kind=kind,
                    source=source,
                    values=tuple(pairs.names[number] for number in of_piece),
                    texts=tuple(pairs.parts[number].text for number in of_piece),
                    piece=piece,
                    pieces=pieces,
                )
            )
    return tuple(sorted(slots, key=lambda slot: (KINDS_IN_ORDER.index(slot.kind), slot.source, slot.piece)))


def _chosen(words: _Words, down: str, across: str) -> tuple[Slot, Slot] | None:
    """None where no two slots go together."""
    by_name = {slot.name: slot for slot in words.slots}
    for name in filter(None, (down, across)):
        if name not in by_name:
            raise UnknownSlotError(f"unknown kind of words {name!r}; known are {', '.join(by_name)}")
    if down and across:
        return by_name[down], by_name[across]
    wanted = {down, across} - {""}
    fitting = [couple for couple in words.couples if wanted <= {slot.name for slot in couple}]
    if not fitting:
        alone = by_name.get(down or across)
        return (alone, alone) if alone else None
    first, second = fitting[0]
    return (second, first) if second.name == down or first.name == across else (first, second)


def _grid(
    target: Target, recipe_name: str, words: _Words, together: Sequence[int], down: Slot, across: Slot
) -> PairGrid:
    flagged, is_whole = _flagged_pairs(target, recipe_name, {*down.values, *across.values})

    def cell(value: str, other: str) -> Cell:
        row, column = words.numbers[value], words.numbers[other]
        pair = (min(value, other), max(value, other))
        if not words.pairs.possible[row] >> column & 1:
            return Cell(pair, CellState.NEVER)
        if times := flagged.get(pair, 0):
            return Cell(pair, CellState.FLAGGED, times)
        return Cell(pair, CellState.ASKED if together[row] >> column & 1 else CellState.OPEN)

    cells = tuple(tuple(cell(value, other) for other in across.values) for value in down.values)
    return PairGrid(down, across, cells, is_whole)


def _flagged_pairs(target: Target, recipe_name: str, shown: set[str]) -> tuple[Mapping[tuple[str, str], int], bool]:
    """How many of the newest combinations that were ever flagged hold two of `shown`; and whether that is all."""
    by_sha256 = {sha256_hex(name): name for name in shown}
    known = Ingredient.objects.filter(sha256__in=by_sha256).order_by().values_list("pk", "sha256")
    name_of = {str(pk): by_sha256[sha256] for pk, sha256 in known}
    rows = Combination.objects.filter(target=target, ever_flagged=True, recipe_name=recipe_name)
    newest = rows.order_by((F("pk") + 0).desc())  # sorted, as no index is to be walked for it
    found = list(newest.values_list("ingredient_keys", flat=True)[: MOST_FLAGGED + 1])
    counts: Counter[tuple[str, str]] = Counter()
    for keys in found[:MOST_FLAGGED]:
        names = sorted(name_of[key] for key in (keys or "").split(",") if key in name_of)
        counts.update(combinations(names, 2))
    return counts, len(found) <= MOST_FLAGGED
