"""Asks queries whose right answers are known, and counts: recall, rank, time, and whether the order stays the same."""

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from selftest.core.judging.latency import quantile_ms
from selftest.knowledge.core.answers import MOST_RESULTS, Filters, Hit, SearchRequest
from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.index import encoding, writing
from selftest.knowledge.measuring.queries import MeasuredQuery
from selftest.knowledge.models import Chunk as Row
from selftest.knowledge.searching import search

DEPTHS = (1, 5, 10)
PASSES = 3
TRIED_FOR_STABILITY = 60  # queries, spread over all
GOT = 5  # results that a miss names


@dataclass(frozen=True)
class Figures:
    """Of some queries. recall: the share with a right answer among the first so many. mrr: mean of 1 / its rank."""

    queries: int
    recall: Mapping[int, float]
    mrr: float


@dataclass(frozen=True)
class Miss:
    """A query without a right answer among the first five."""

    q: str
    category: str
    expect: tuple[str, ...]
    got: tuple[str, ...]


@dataclass(frozen=True)
class Measured:
    """What a measurement came to. stable: whether the order stayed the same; None where it was not tried."""

    every: Figures
    categories: Mapping[str, Figures]
    halves: Mapping[str, Figures]
    p50_ms: float
    p95_ms: float
    misses: tuple[Miss, ...]
    stable: bool | None = None
    unstable: tuple[str, ...] = field(default=())


def measure(
    queries: Sequence[MeasuredQuery],
    filters_of: Callable[[Mapping[str, object]], Filters],
    shuffled: Callable[[int], None] | None = None,
    watched: Callable[[Sequence[MeasuredQuery]], Iterable[MeasuredQuery]] = iter,
) -> Measured:
    """queries: one at least. filters_of: a query's filters as values. shuffled: puts the index together in another
    order, by a seed; then it is tried whether the order of results stays the same. watched: shows how far it is.
    """
    ranks: list[int | None] = []
    times: list[float] = []
    misses: list[Miss] = []
    for each in watched(queries):
        began = time.perf_counter()
        hits = search(SearchRequest(each.q, k=max(DEPTHS), filters=filters_of(each.filters))).hits
        times.append((time.perf_counter() - began) * 1000)
        rank = rank_of(each, hits)
        ranks.append(rank)
        if rank is None or rank > GOT:
            misses.append(Miss(each.q, each.category, each.expect, tuple(_name(hit) for hit in hits[:GOT])))
    unstable = _unstable(queries, filters_of, shuffled) if shuffled else ()
    return Measured(
        figures(ranks),
        _by(queries, ranks, lambda each: each.category),
        _by(queries, ranks, lambda each: each.half),
        round(quantile_ms(times, 0.5), 2),
        round(quantile_ms(times, 0.95), 2),
        tuple(misses),
        None if shuffled is None else not unstable,
        unstable,
    )


def figures(ranks: Sequence[int | None]) -> Figures:
    """ranks: of the first right answer of each query, from 1; None where there was no right answer."""
    recall = {depth: _share(rank is not None and rank <= depth for rank in ranks) for depth in DEPTHS}
    return Figures(len(ranks), recall, round(fmean(1 / rank if rank else 0.0 for rank in ranks), 4))


def rank_of(query: MeasuredQuery, hits: Sequence[Hit]) -> int | None:
    """The rank of the first right answer, from 1."""
    right = set(query.expect)
    return next((rank for rank, hit in enumerate(hits, start=1) if right & _names(hit)), None)


def rebuilt(pieces: Sequence[Chunk]) -> Callable[[int], None]:
    """Takes all of these pieces out and puts them in again, in an order by the seed, as after a restart."""

    def shuffle(seed: int) -> None:
        order = list(pieces)
        random.Random(seed).shuffle(order)
        writing.drop(Row.objects.values_list("key", flat=True))
        encoding.forget()
        writing.put(order)

    return shuffle


def _unstable(
    queries: Sequence[MeasuredQuery],
    filters_of: Callable[[Mapping[str, object]], Filters],
    shuffled: Callable[[int], None],
) -> tuple[str, ...]:
    """Queries whose results came in another order: asked again, or for fewer, or of an index made in another order."""
    tried = list(queries[:: max(1, len(queries) // TRIED_FOR_STABILITY)])

    def order(query: MeasuredQuery, k: int) -> list[str]:
        return [hit.id for hit in search(SearchRequest(query.q, k=k, filters=filters_of(query.filters))).hits]

    first = [order(query, MOST_RESULTS) for query in tried]
    wrong = {query.q for query, ids in zip(tried, first, strict=True) if order(query, GOT) != ids[:GOT]}
    for number in range(PASSES):
        if number:
            shuffled(number)
        wrong |= {query.q for query, ids in zip(tried, first, strict=True) if order(query, MOST_RESULTS) != ids}
    return tuple(sorted(wrong))


def _names(hit: Hit) -> set[str]:
    """What a right answer may be named by: its id, its place, and an operation's or a check's own name."""
    found = {hit.id, hit.path, f"{hit.path}#{hit.anchor}"}
    if hit.kind == Kind.DOCTOR:
        found.add(str(hit.details.get("checkCode", "")))
    if hit.kind == Kind.API:
        found.add(f"{hit.details.get('method', '')} {hit.details.get('path', '')}".upper())
        found.add(f"{hit.details.get('method', '')} {hit.details.get('path', '')}")
    return found - {""}


def _name(hit: Hit) -> str:
    return f"{hit.path}#{hit.anchor}" if hit.path else hit.id


def _by(
    queries: Sequence[MeasuredQuery], ranks: Sequence[int | None], of: Callable[[MeasuredQuery], str]
) -> dict[str, Figures]:
    grouped: dict[str, list[int | None]] = defaultdict(list)
    for query, rank in zip(queries, ranks, strict=True):
        if of(query):
            grouped[of(query)].append(rank)
    return {name: figures(some) for name, some in sorted(grouped.items())}


def _share(values: Iterable[bool]) -> float:
    return round(fmean(values), 4)
