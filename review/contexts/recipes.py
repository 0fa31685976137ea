"""`/recipes` and `/recipes/<name>`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.http import urlencode

from review.charts.days import DailyFlags
from review.charts.histogram import Histogram
from review.contexts.choices import PageLink
from review.contexts.parts import KINDS
from selftest.core.generation.ingredient_pairs import pair_name
from selftest.core.generation.queries import PartKind, Query
from selftest.core.generation.recipes.base import Recipe
from selftest.core.judging.latency import quantile_ms
from selftest.reading.pair_grid import Cell, CellState, PairsAsked, Slot
from selftest.reading.recipes import RecipeFigures

SPANS_DAYS = (30, 90)  # of the chart of flags by check, to choose from
FULL_PERCENT = 100
LEAST_SHOWN_PERCENT = 0.1


@dataclass(frozen=True)
class RecipeLine:
    """A recipe and its figures. covered: how much of it was tried, in words. p95_ms: None below `min_samples`.

    bar, bar_full: the values of its coverage bar. possible: None where the vocabulary in force cannot be read.
    """

    name: str
    stresses: str
    possible: int | None
    tried: int
    covered: str
    bar: int
    bar_full: int
    runs: int
    flagged: int
    flagged_per_1000: str
    samples: int
    p95_ms: float | None

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        figures: RecipeFigures,
        possible: int | None,
        latencies_ms: Sequence[float],
        min_samples: int,
    ) -> "RecipeLine":
        """latencies_ms: of its last timed runs."""
        is_timed = len(latencies_ms) >= max(1, min_samples)
        return cls(
            name=recipe.name,
            stresses=recipe.stresses,
            possible=possible,
            tried=figures.tried,
            covered=_covered(figures.tried, possible),
            bar=min(figures.tried, possible or 0),
            bar_full=max(possible or 0, 1),
            runs=figures.runs,
            flagged=figures.flagged,
            flagged_per_1000=f"{1000 * figures.flagged / figures.runs:.1f}" if figures.runs else "–",
            samples=len(latencies_ms),
            p95_ms=quantile_ms(latencies_ms, 0.95) if is_timed else None,
        )


def _covered(tried: int, possible: int | None) -> str:
    if possible is None:
        return "unknown without a vocabulary"
    if not possible:
        return "this vocabulary has none"
    if tried >= possible:
        return "all of them" if tried == possible else "all, and some of earlier vocabularies"
    percent = FULL_PERCENT * tried / possible
    if 0 < percent < LEAST_SHOWN_PERCENT:
        return f"under {LEAST_SHOWN_PERCENT} %"
    return f"{min(percent, FULL_PERCENT - LEAST_SHOWN_PERCENT):.1f} %"


@dataclass(frozen=True)
class RecipesPage:
    """`/recipes`. trouble: why it is unknown what is possible, "" where it can."""

    target: str
    target_pk: int | None
    targets: tuple[PageLink, ...]
    recipes: tuple[RecipeLine, ...]
    trouble: str
    has_run: bool


@dataclass(frozen=True)
class ExamplePart:
    """A piece of a query. kind: what it is there for, in words; "" for what is no ingredient."""

    kind: str
    text: str
    source: str


@dataclass(frozen=True)
class ExampleQuery:
    """A query that the recipe could make now. shape: what it is made of, in words."""

    text: str
    shape: str
    parts: tuple[ExamplePart, ...]

    @classmethod
    def of(cls, query: Query) -> "ExampleQuery":
        """With its shape in words."""
        kinds = [part.kind for part in query.parts if part.kind is not PartKind.MARK]
        counts: Mapping[PartKind, int] = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
        shape = ", ".join(f"{count} {kind}{'s' * (count != 1)}" for kind, count in counts.items())
        parts = (
            ExamplePart("" if part.kind is PartKind.MARK else KINDS[part.kind], part.text, part.source)
            for part in query.parts
        )
        return cls(query.text, shape, tuple(parts))


@dataclass(frozen=True)
class PairsLine:
    """How many pairs of words were asked together, of those that can be."""

    covered: int
    possible: int
    percent: str
    triples: int

    @classmethod
    def of(cls, asked: PairsAsked) -> "PairsLine":
        """Its share in words."""
        return cls(asked.covered, asked.possible, _covered(asked.covered, asked.possible), asked.triples)


@dataclass(frozen=True)
class SlotChoice:
    """Words that a side of the grid can have."""

    value: str
    words: str
    is_down: bool
    is_across: bool


@dataclass(frozen=True)
class GridCell:
    """One of four shapes. words: what it says. address: of its flags, "" without any."""

    state: str
    sign: str
    words: str
    flagged: int = 0
    address: str = ""


@dataclass(frozen=True)
class GridRow:
    """A value of the left side against every value of the top."""

    text: str
    cells: tuple[GridCell, ...]


@dataclass(frozen=True)
class Grid:
    """One kind of words against another. slots: all kinds that the recipe has. down, across: what is shown, in words.

    is_whole: False where only the newest flags were looked through.
    """

    slots: tuple[SlotChoice, ...]
    down: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    is_whole: bool

    @classmethod
    def of(cls, asked: PairsAsked, queue: str) -> "Grid | None":
        """None where the recipe says no two words together. queue: the address of all its flags."""
        grid = asked.grid
        if grid is None:
            return None
        rows = zip(grid.down.texts, grid.cells, strict=True)
        return cls(
            slots=tuple(
                SlotChoice(slot.name, _slot_words(slot), slot == grid.down, slot == grid.across) for slot in asked.slots
            ),
            down=_slot_words(grid.down),
            across=_slot_words(grid.across),
            columns=grid.across.texts,
            rows=tuple(GridRow(text, tuple(_grid_cell(cell, queue) for cell in cells)) for text, cells in rows),
            is_whole=grid.is_whole,
        )


SIGNS = {
    CellState.FLAGGED: ("▲", "flagged"),
    CellState.ASKED: ("●", "asked"),
    CellState.OPEN: ("○", "not asked"),
    CellState.NEVER: ("–", "never combined"),
}


def _grid_cell(cell: Cell, queue: str) -> GridCell:
    sign, words = SIGNS[cell.state]
    if not cell.flagged:
        return GridCell(cell.state, sign, words)
    both = urlencode({"ingredient": pair_name(cell.pair)})
    return GridCell(cell.state, sign, words, cell.flagged, f"{queue}&{both}")


def _slot_words(slot: Slot) -> str:
    words = KINDS.get(slot.kind, slot.kind)
    piece = f", {slot.piece} of {slot.pieces}" if slot.pieces > 1 else ""
    return f"{words} → {slot.source}{piece}" if slot.source else f"{words}{piece}"


@dataclass(frozen=True)
class RecipePage:
    """`/recipes/<name>`. others: the address with other examples. days: of the flags.

    pairs and grid: None where they are unknown.
    """

    recipe: RecipeLine
    target: str
    targets: tuple[PageLink, ...]
    trouble: str
    examples: tuple[ExampleQuery, ...]
    others: str
    latencies: Histogram
    flags: DailyFlags
    days: int
    spans: tuple[PageLink, ...]
    queue: str
    combinations: str
    pairs: PairsLine | None
    grid: Grid | None
    seed: int
