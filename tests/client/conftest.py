"""What the tests of the client share: a real server behind a proxy that makes faults, and both clients as one."""

import asyncio
import random
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import pytest
from pytest_django.live_server_helper import LiveServer

from review.client.clients import AsyncClient, Client
from review.client.operations import Operation
from review.client.policy import Terms
from tests.api.conftest import caller, history, key, make_target, target  # noqa: F401 - fixtures
from tests.client.faulty_proxy import FaultyProxy, faulty_proxy

Result = TypeVar("Result")


@pytest.fixture
def proxy(live_server: LiveServer) -> Iterator[FaultyProxy]:
    with faulty_proxy(live_server.url.removeprefix("http://")) as proxy:
        yield proxy


def run(awaited: Coroutine[Any, Any, Result]) -> Result:
    """As asyncio.run, in a thread of its own: the loop of tests in a browser stays in the one they ran in."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, awaited).result()


@dataclass
class Waits:
    """A clock that is ahead of the real one by what was slept: no test waits, and everything adds up."""

    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def sleep_awaited(self, seconds: float) -> None:
        self.slept.append(seconds)

    def clock(self) -> float:
        return time.monotonic() + sum(self.slept)


class Send(Protocol):
    def __call__(self, operation: Operation[Any], terms: Terms = ..., url: str | None = None) -> Any: ...


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture(params=["blocking", "awaited"])
def send(request: pytest.FixtureRequest, proxy: FaultyProxy, key: str, waits: Waits) -> Send:  # noqa: F811
    """One operation through the proxy, by either client."""
    blocking: Callable[..., Any] = request.param == "blocking"

    def send(operation: Operation[Any], terms: Terms = Terms(), url: str | None = None) -> Any:  # noqa: B008
        arguments = {"url": url or proxy.url, "key": key, "terms": terms}
        chance = random.Random(7)
        if blocking:
            with Client(**arguments, clock=waits.clock, sleep=waits.sleep, rng=chance) as client:
                return client.send(operation)

        async def awaited() -> Any:
            async with AsyncClient(**arguments, clock=waits.clock, sleep=waits.sleep_awaited, rng=chance) as client:
                return await client.send(operation)

        return run(awaited())

    return send
