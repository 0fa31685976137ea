"""Which rows each live kind is made of, and how a noted change leads to pieces."""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from django.db import Error as AnyDatabaseError
from django.db.models import QuerySet

from selftest.evaluation.models import GoldenPair
from selftest.findings.models import Finding
from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.live import causes, cycles, findings, golden_pairs, targets
from selftest.knowledge.live.watches import Via
from selftest.models import Cause, Cycle, Target

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Adapter:
    """rows: all that may be pieces. chunks_of: the pieces of rows by number; none for what is not found."""

    rows: Callable[[], QuerySet[Finding] | QuerySet[Cause] | QuerySet[GoldenPair] | QuerySet[Target] | QuerySet[Cycle]]
    chunks_of: Callable[[Collection[int]], Iterator[Chunk]]


ADAPTERS: Mapping[Kind, Adapter] = {
    Kind.CAUSE: Adapter(Cause.objects.all, causes.chunks_of),
    Kind.CYCLE: Adapter(lambda: Cycle.objects.filter(state__in=cycles.BADLY), cycles.chunks_of),
    Kind.FINDING: Adapter(Finding.objects.all, findings.chunks_of),
    Kind.GOLDEN_PAIR: Adapter(GoldenPair.objects.all, golden_pairs.chunks_of),
    Kind.TARGET: Adapter(Target.objects.all, targets.chunks_of),
}

LEADS_TO: Mapping[str, Kind] = {Via.RUN: Kind.CAUSE, Via.GOLDEN_SET: Kind.GOLDEN_PAIR}


def chunks_of(kind: Kind, numbers: Collection[int]) -> list[Chunk]:
    """The pieces of rows by number. A row that no piece can be made of is left out, and said in the log.

    One row that an older version wrote otherwise would else stop every search.
    """
    try:
        return list(ADAPTERS[kind].chunks_of(numbers))
    except AnyDatabaseError:
        raise  # of the database: the transaction that this is in is over
    except Exception:
        if len(numbers) > 1:
            return [piece for number in sorted(numbers) for piece in chunks_of(kind, [number])]
        log.exception("%s %s cannot be read, and is not found by a search", kind, *numbers)
        return []


def pieces_of(changes: Mapping[str, set[int]]) -> dict[Kind, set[int]]:
    """The numbers of the rows whose pieces may say something else. changes: numbers by what was noted."""
    found = {kind: set(changes.get(kind, ())) for kind in ADAPTERS}
    found[Kind.CAUSE] |= causes.of_runs(changes.get(Via.RUN, ()))
    found[Kind.GOLDEN_PAIR] |= golden_pairs.of_sets(changes.get(Via.GOLDEN_SET, ()))
    found[Kind.CYCLE] = cycles.with_neighbours(found[Kind.CYCLE])
    return {kind: numbers for kind, numbers in found.items() if numbers}
