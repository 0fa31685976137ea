"""The bundled router as a target in process: steps, faults and sources put together.

Decides what one request of ours is: timed, with the cache suppressed, a crash kept whole. Must not know how a query is
routed.
"""

import time
import traceback
import weakref
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.targets.base import AUTO, Reachability
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.cache import suppressed_cache
from selftest.targets.reference.emptiness import Emptiness
from selftest.targets.reference.faults.registry import with_faults
from selftest.targets.reference.honest_steps import honest_steps
from selftest.targets.reference.loopback import OwnServices, Service
from selftest.targets.reference.router import Router
from selftest.targets.reference.sources.registry import open_sources
from selftest.targets.reference.steps import Routed

VERSION = "reference-1"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ReferenceTarget:
    """A real small router, honest unless told otherwise. Called from several threads at once.

    faults: names from FAULTS. empty_rate: the share, 0 to 1, of (source, question) pairs on which a source has
    nothing; seed says which. services: (name, host, port) for the uptime report; None means a few of its own on the
    loopback interface, opened at the first question about them. now: aware. sleep: seconds; only the slow fault
    calls it. Raises ValueError for an unknown fault or a rate out of range.
    """

    def __init__(
        self,
        vocabulary: Vocabulary | None = None,
        faults: Collection[str] = (),
        empty_rate: float = 0.0,
        seed: int = 0,
        services: Sequence[tuple[str, str, int]] | None = None,
        now: Callable[[], datetime] = _utc_now,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.vocabulary = vocabulary or reference_vocabulary()
        self.faults = tuple(faults)
        self._closed = False
        self._own_services = OwnServices()
        self._finalizer = weakref.finalize(self, self._own_services.close)  # for a target that was never closed
        given = None if services is None else tuple(Service(*service) for service in services)
        self._router = Router(
            self.vocabulary,
            open_sources(self.vocabulary, self._own_services if given is None else lambda: given),
            with_faults(honest_steps(self.vocabulary, sleep), self.faults, self.vocabulary),
            Emptiness(empty_rate, seed),
            now,
        )

    def check_source(self, source: str) -> None:
        """Raises ValueError, naming the known ones, for a source that does not exist."""
        known = self._router.source_names
        if source != AUTO and source not in known:
            raise ValueError(f"unknown source {source!r}; known: {', '.join([AUTO, *sorted(known)])}")

    def route(self, query: str, source: str = AUTO) -> Routed:
        """What a real user gets, cache and all. Raises what the router raises; ValueError for an unknown source."""
        self.check_source(source)
        return self._router.route(query, None if source == AUTO else source)

    def ask(self, query: str, source: str = AUTO) -> Answer:
        """The answer to one synthetic query, which neither reads nor fills the cache.

        An exception of the router is a crash: `error` tells it, `result` keeps its traceback. Raises ValueError for an
        unknown source, which is the caller's mistake and no crash.
        """
        self.check_source(source)
        start = time.perf_counter()
        error = None
        try:
            with suppressed_cache():
                routed = self.route(query, source)
        except Exception as crash:  # noqa: BLE001 - anything that the router raises is the answer's evidence
            routed = Routed(traceback.format_exc(), "")
            error = f"{type(crash).__name__}: {crash}"
        latency_ms = (time.perf_counter() - start) * 1000
        return Answer(routed.result, routed.source_used, latency_ms, cached=routed.cached, error=error)

    def reach(self) -> Reachability:
        """There until it is closed, in VERSION."""
        return Reachability(not self._closed, "closed" if self._closed else "in process", VERSION)

    def close(self) -> None:
        """Stops the router and the services of its own. Safe to call twice."""
        self._closed = True
        self._router.close()
        self._finalizer()
