"""The two clients: one blocks, one is awaited. Whatever is said and decided is the same, in `exchange` and `policy`."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any, TypeVar

import httpx
from tenacity import AsyncRetrying, Retrying

from review.client.exchange import Exchange
from review.client.models import Page, Record
from review.client.operations import Operation
from review.client.policy import Terms

AnswerT = TypeVar("AnswerT", bound=Record)
RowT = TypeVar("RowT")

STANDARD = Terms()


class _Settings:
    """Where the server is, who calls, and on which terms."""

    def __init__(self, url: str, key: str, terms: Terms, clock: Callable[[], float], rng: random.Random | None) -> None:
        try:
            self.url = httpx.URL(url)
        except httpx.InvalidURL as fault:
            raise ValueError(f"the base URL cannot be read: {fault}") from fault
        is_whole = self.url.scheme in ("http", "https") and self.url.host and not self.url.query
        if not is_whole or self.url.fragment:
            raise ValueError("the base URL looks like https://host, with a path if Gadfly is below one")
        self.headers = {"X-API-Key": key, "Accept": "application/json", "User-Agent": "gadfly-client"}
        self.terms = terms
        self.clock = clock
        self.rng = rng or random.Random()

    def exchange(self, operation: Operation[AnswerT]) -> Exchange[AnswerT]:
        return Exchange(operation, self.url, self.terms, self.clock, self.rng)


def _following(listing: Operation[AnswerT], page: Page[Any]) -> Operation[AnswerT] | None:
    return None if page.next is None else replace(listing, query={**listing.query, "cursor": page.next})


class Client:
    """Sends operations and waits for their answers. A context: its connections are closed at the end.

    url: of the server, without `/api/v1`. Of threads, each has a client of its own.
    """

    def __init__(
        self,
        url: str,
        key: str,
        terms: Terms = STANDARD,
        *,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self._settings = _Settings(url, key, terms, clock, rng)
        self._http = httpx.Client(headers=self._settings.headers, transport=transport)
        self._sleep = sleep

    def send(self, operation: Operation[AnswerT]) -> AnswerT:
        """The answer to `operation`, after as many attempts as its terms allow. Raises CallError.

        A read that is under way at the deadline ends by its own time-out, at most `timeout_s` later.
        """
        exchange = self._settings.exchange(operation)
        Retrying(retry=exchange.is_sent_again, wait=exchange.wait_s, sleep=self._sleep)(self._attempt, exchange)
        return exchange.answer()

    def _attempt(self, exchange: Exchange[AnswerT]) -> None:
        with exchange.attempt(), self._http.stream(**exchange.request()) as response:
            for piece in response.iter_bytes():
                exchange.take(piece)
            exchange.took(response)

    def each(self, listing: Operation[Page[RowT]]) -> Iterator[RowT]:
        """All rows of a listing, its pages fetched one after the other."""
        wanted: Operation[Page[RowT]] | None = listing
        while wanted is not None:
            page = self.send(wanted)
            yield from page.items
            wanted = _following(wanted, page)

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient:
    """The same, awaited: any number of operations at once."""

    def __init__(
        self,
        url: str,
        key: str,
        terms: Terms = STANDARD,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self._settings = _Settings(url, key, terms, clock, rng)
        self._http = httpx.AsyncClient(headers=self._settings.headers, transport=transport)
        self._sleep = sleep

    async def send(self, operation: Operation[AnswerT]) -> AnswerT:
        """The answer to `operation`, after as many attempts as its terms allow. Raises CallError."""
        exchange = self._settings.exchange(operation)
        await AsyncRetrying(retry=exchange.is_sent_again, wait=exchange.wait_s, sleep=self._sleep)(
            self._attempt, exchange
        )
        return exchange.answer()

    async def _attempt(self, exchange: Exchange[AnswerT]) -> None:
        with exchange.attempt():
            async with asyncio.timeout(exchange.left_s), self._http.stream(**exchange.request()) as response:
                async for piece in response.aiter_bytes():
                    exchange.take(piece)
                exchange.took(response)

    async def each(self, listing: Operation[Page[RowT]]) -> AsyncIterator[RowT]:
        """All rows of a listing, its pages fetched one after the other."""
        wanted: Operation[Page[RowT]] | None = listing
        while wanted is not None:
            page = await self.send(wanted)
            for row in page.items:
                yield row
            wanted = _following(wanted, page)

    async def close(self) -> None:
        """Closes its connections."""
        await self._http.aclose()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
