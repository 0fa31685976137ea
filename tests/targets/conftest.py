"""What the tests of targets share: a scripted server, and a target that asks it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from selftest.targets.http.target import HttpSettings, HttpTarget
from tests.targets.raw_server import RawServer

TargetAt = Callable[..., HttpTarget]


@pytest.fixture
def server() -> Iterator[RawServer]:
    server = RawServer()
    yield server
    server.stop()


@pytest.fixture
def target_at() -> Iterator[TargetAt]:
    """An HTTP target at a URL, closed at the end of the test; its limit is ample unless the test is about it."""
    with ExitStack() as stack:

        def build(base_url: str, **settings: object) -> HttpTarget:
            settings = {"time_limit_s": 5.0, **settings}
            return stack.enter_context(closing(HttpTarget(HttpSettings(base_url, **settings))))  # type: ignore[arg-type]

        yield build
