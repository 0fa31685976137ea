"""`/recipes` and `/recipes/<name>`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from review.charts import DailyFlags, Histogram
from selftest.core.latency import quantile_ms
from selftest.core.queries import PartKind, Query
from selftest.core.recipes import Recipe
from selftest.selectors import RecipeFigures

FULL_PERCENT = 100
LEAST_SHOWN_PERCENT = 0.1


@dataclass(frozen=True)
class Choice:
    """A way to look at a page: another target, more days."""

    words: str
    address: str
    is_chosen: bool


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
        return "not known without a vocabulary"
    if not possible:
        return "this vocabulary has none"
    if tried >= possible:
        return "all of them" if tried == possible else "all, and some of earlier words"
    percent = FULL_PERCENT * tried / possible
    if 0 < percent < LEAST_SHOWN_PERCENT:
        return f"under {LEAST_SHOWN_PERCENT} %"
    return f"{min(percent, FULL_PERCENT - LEAST_SHOWN_PERCENT):.1f} %"


@dataclass(frozen=True)
class RecipesPage:
    """`/recipes`. trouble: why nothing can be said of what is possible, "" where it can."""

    target: str
    target_pk: int | None
    targets: tuple[Choice, ...]
    recipes: tuple[RecipeLine, ...]
    trouble: str
    has_run: bool


@dataclass(frozen=True)
class ExamplePart:
    """A piece of a query. kind: "" for what is no ingredient."""

    kind: str
    text: str
    source: str


@dataclass(frozen=True)
class Example:
    """A query that the recipe could make now. shape: what it is made of, in words."""

    text: str
    shape: str
    parts: tuple[ExamplePart, ...]

    @classmethod
    def of(cls, query: Query) -> "Example":
        kinds = [part.kind for part in query.parts if part.kind is not PartKind.MARK]
        counts: Mapping[PartKind, int] = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
        shape = ", ".join(f"{count} {kind}{'s' * (count != 1)}" for kind, count in counts.items())
        parts = (
            ExamplePart("" if part.kind is PartKind.MARK else part.kind, part.text, part.source) for part in query.parts
        )
        return cls(query.text, shape, tuple(parts))


@dataclass(frozen=True)
class RecipePage:
    """`/recipes/<name>`. others: the address with other examples. days: of the flags."""

    recipe: RecipeLine
    target: str
    targets: tuple[Choice, ...]
    trouble: str
    examples: tuple[Example, ...]
    others: str
    latencies: Histogram
    flags: DailyFlags
    days: int
    spans: tuple[Choice, ...]
    queue: str
    combinations: str
