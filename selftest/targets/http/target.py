"""A target behind HTTP: a query becomes one request, and what came back an answer, a crash of the target, or an outage.

Must not know of queries' meaning, of checks, or of rows; never asks twice for one answer.
"""

import hashlib
import json
import threading
from time import perf_counter

import httpcore

from selftest.core.judging.answers import Answer
from selftest.targets.base import AUTO, Reachability, TargetAway, TargetClient
from selftest.targets.http import status_codes
from selftest.targets.http.addresses import CheckedBackend
from selftest.targets.http.answer_parsing import parse_answer, parse_version
from selftest.targets.http.settings import KEY_HEADER, HttpSettings
from selftest.targets.http.transport import CONNECT_TIME_LIMIT_S, OneRequestTransport
from selftest.targets.limits import MAX_ANSWER_BYTES

HEALTH_TIME_LIMIT_S = 5.0  # a health call does no work, and a person may be waiting for it
MAX_HEALTH_BYTES = 64 * 1024  # only a version is read from it


class HttpTarget(TargetClient):
    """A target behind `POST {base_url}{path}`. Safe to share between threads.

    HTTP 401, 403, 404 and 405 to a query count as away too. The contract's list of outages does not mention them, but
    they are about our settings, not about a promise: as crashes, a wrong key would put every query into the queue.
    """

    def __init__(self, settings: HttpSettings) -> None:
        self.settings = settings
        self._ask_url = settings.ask_url
        self._health_url = settings.health_url
        self._slots = threading.BoundedSemaphore(settings.requests_at_once)
        self._transport = OneRequestTransport(_headers(settings), settings.allows_private)

    def ask(self, query: str, source: str = AUTO) -> Answer:
        """The answer to one request, timed without the wait for a free slot; a crash has `error`, and what came of it.

        A connection that breaks or an answer that does not come in time is a crash if the target is up, which its
        health call then decides. Raises TargetAway if it is not.
        """
        settings = self.settings
        # ASCII with escapes: a lone surrogate in a query has no UTF-8, but it has an escape.
        question = json.dumps({settings.query_field: query, settings.source_field: source}).encode("ascii")
        with self._slots:  # waiting for a free one is our time, not the target's
            started = perf_counter()
            received = self._transport.exchange(
                "POST", self._ask_url, settings.time_limit_s, MAX_ANSWER_BYTES, question
            )
            latency_ms = (perf_counter() - started) * 1000
        if received.unreachable:
            raise TargetAway(received.unreachable)
        if received.status in status_codes.MISCONFIGURED:
            raise TargetAway(f"POST {self._ask_url}: HTTP {received.status}: {self._what_to_set(received.status)}")
        if received.incomplete:
            self._raise_if_away(received.incomplete)
        parsed = parse_answer(received, settings)
        return Answer(
            result=parsed.result,
            source_used=parsed.source_used,
            latency_ms=latency_ms,
            http_status=received.status,
            cached=parsed.cached,
            error=parsed.error,
            length_bytes=len(received.body),
            sha256=hashlib.sha256(received.body).hexdigest(),
            unreadable=parsed.unreadable,
        )

    def reach(self) -> Reachability:
        """By the health call, where any status but 502, 503 and 504 means up; by connecting where health_path is ""."""
        if not self.settings.health_path:
            return self._reach_by_connecting()
        tried = f"GET {self._health_url}"
        received = self._transport.exchange("GET", self._health_url, HEALTH_TIME_LIMIT_S, MAX_HEALTH_BYTES)
        if received.unreachable:
            return Reachability(False, received.unreachable)
        if received.status is None:
            return Reachability(False, f"{tried}: {received.incomplete}")
        return Reachability(True, f"{tried}: HTTP {received.status}", parse_version(received))

    def close(self) -> None:
        """Ends the requests under way, too: a caller that waits for one gets TargetAway."""
        self._transport.close()

    def _raise_if_away(self, incomplete: str) -> None:
        health = self.reach()
        if not health.reachable:
            raise TargetAway(f"POST {self._ask_url}: {incomplete}; {health.detail}")

    def _what_to_set(self, status: int | None) -> str:
        match status:
            case 404:
                return "nothing at this path; set the target's path"
            case 405:
                return "this path takes no POST; set the target's path"
        problem = "the API key was refused" if self.settings.api_key else "an API key is needed and none is set"
        return f"{problem}; set it on the target in the admin, or TARGET_API_KEY"

    def _reach_by_connecting(self) -> Reachability:
        url = self._ask_url
        port = url.port or (443 if url.scheme == "https" else 80)
        tried = f"connecting to {url.host} port {port}"
        try:
            CheckedBackend(self.settings.allows_private).connect_tcp(url.host, port, CONNECT_TIME_LIMIT_S).close()
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            return Reachability(False, f"{tried}: {error}")
        return Reachability(True, f"{tried}: connected")


def _headers(settings: HttpSettings) -> dict[str, str]:
    """What every request of this target says of us."""
    headers = {
        "User-Agent": "gadfly",
        "Accept": "application/json",
        "Accept-Encoding": "identity",  # a few bytes of a compressed bomb would unfold to gigabytes
        "Connection": "close",
        "X-Selftest": "1",  # a synthetic query must not fill the target's caches
    }
    if settings.api_key:
        headers[KEY_HEADER] = settings.api_key
    own = {name.lower() for name, _ in settings.extra_headers}
    return {name: value for name, value in headers.items() if name.lower() not in own} | dict(settings.extra_headers)
