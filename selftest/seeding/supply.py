"""The queries of a history, part by part: a process of its own makes those of a part while the one before is written.

It reads no rows. What is known of the target goes to it once, and it keeps account of what it makes.
"""

from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.cycles.sampling import GeneratorState, WalkProgress, generator_from, saved_state, unknown_queries
from selftest.models import Combination, Target, VocabularyVersion
from selftest.seeding.queries import Queries
from selftest.seeding.request import SeedRequest
from selftest.seeding.supply_process import begin
from selftest.storage.texts import sha256_hex

SHORT_HEX = 15  # digits of a sha256 that tell fingerprints apart: of a million, two are alike once in two million times


@dataclass(frozen=True)
class PartQueries:
    """As many as requested, or all that are left. progress: to be saved with the part."""

    queries: Queries
    progress: WalkProgress


class QueryMaker:
    """Continues the walks of a target, part after part; reads rows only to begin with."""

    def __init__(self, target: Target, version: VocabularyVersion) -> None:
        self._target = target
        self._version = version
        self._state = saved_state(target, list(RECIPES.values()))
        known = Combination.objects.filter(target=target).order_by().values_list("fingerprint_sha256", flat=True)
        self._known = set(map(_short, known.iterator()))

    def make(self, count: int, seed: int) -> PartQueries:
        """The next ones."""
        generator = generator_from(self._state, self._version, list(RECIPES.values()), seed)
        queries = Queries(RECIPES)
        for query in unknown_queries(generator, count, self._left_out):
            queries.add(query)
            self._known.add(_short(sha256_hex(fingerprint_of(query))))
        moved = {walk.identity: walk.state for walk in generator.walked()}
        self._state = GeneratorState({**self._state.walks, **moved}, {**self._state.coverage, **generator.covered()})
        return PartQueries(queries, WalkProgress.of(self._target, generator))

    def _left_out(self, queries: Sequence[Query]) -> set[str]:
        fingerprints = map(fingerprint_of, queries)
        return {fingerprint for fingerprint in fingerprints if _short(sha256_hex(fingerprint)) in self._known}


def _short(sha256: str) -> int:
    return int(sha256[:SHORT_HEX], 16)


def queries_of_parts(maker: QueryMaker, parts: Sequence[SeedRequest]) -> Generator[PartQueries, None, None]:
    """Of one part after the other. A single part is not worth a process."""
    if len(parts) == 1:
        yield maker.make(parts[0].combinations, parts[0].seed)
        return
    with ProcessPoolExecutor(1, get_context("spawn"), begin) as pool:
        begun = pool.submit(_take, maker)
        coming = pool.submit(_make, parts[0].combinations, parts[0].seed)
        begun.result()
        for following in (*parts[1:], None):
            made = coming.result()
            if following is not None:
                coming = pool.submit(_make, following.combinations, following.seed)
            yield made


# --- in the process that makes them ---

_maker: list[QueryMaker] = []


def _take(maker: QueryMaker) -> None:
    _maker.append(maker)


def _make(count: int, seed: int) -> PartQueries:
    return _maker[0].make(count, seed)
