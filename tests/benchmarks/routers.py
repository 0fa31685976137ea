"""Routers for benchmarks: one that answers at once, so that only our own work is timed, and one that takes its time."""

import random
import time
from typing import Any

from selftest.targets.reference.zoo.habits import random_subset
from selftest.targets.reference.zoo.target import ZooTarget, zoo_target
from tests.vocabularies import example_document

SECTIONS = "\n\n---\n\n".join(f"{header}\nSomething to read." for header in example_document()["headers"].values())


def instant(query: str, source: str = "auto") -> tuple[str, str]:
    return SECTIONS, "fusion"


class SlowRouter:
    """A router of the zoo with a fixed response time. It includes the router's own computing, which is not measured."""

    def __init__(self) -> None:
        self._target: ZooTarget | None = None
        self._latency_s = 0.0

    def becomes(self, number: int, latency_s: float) -> dict[str, Any]:
        """Another healthy one, with random habits; its vocabulary document."""
        self._target, self._latency_s = zoo_target(random_subset(random.Random(number)), seed=number), latency_s
        return self._target.document

    def __call__(self, query: str, source: str = "auto") -> tuple[str, str]:
        assert self._target is not None
        started = time.perf_counter()
        answer = self._target.ask(query, source)
        time.sleep(max(0.0, self._latency_s - (time.perf_counter() - started)))
        return answer.result, answer.source_used


SLOW = SlowRouter()


def slow(query: str, source: str = "auto") -> tuple[str, str]:
    return SLOW(query, source)
