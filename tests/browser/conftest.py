"""What tests in a browser need beside the fixtures of every test."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _database_beside_playwright() -> Iterator[None]:
    """Playwright's event loop runs in this thread; Django takes that for asynchronous code and refuses the database.

    To the end of the session, because the loop runs that long: the tests in a browser come last.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield
