"""One HTTP request on a connection of its own, and what came back within a limit of time and size.

Decides whether the target was reached, and whether its response is whole. Must not know what an answer looks like;
never sends a request twice.
"""

import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import httpcore
import httpx

from selftest.targets.http import status_codes
from selftest.targets.http.addresses import CheckedBackend
from selftest.targets.http.deadline import Deadline
from selftest.targets.limits import no_answer_within, one_line

CONNECT_TIME_LIMIT_S = 5.0  # two lost SYNs are repeated within 3 s; a target that takes longer is not up
CLOSED_EARLY = "connection closed before the answer was whole"
# How h11 and httpcore tell that the other side hung up, as against speaking something that is not HTTP.
HANGING_UP_WORDS = ("disconnected", "closed connection")


@dataclass
class ReceivedResponse:
    """What came back, as far as it came.

    unreachable: why the target was not reached, "" where it was; nothing else counts then. incomplete: why the response
    ended before it was whole, "" where it is whole. is_cut: more bytes followed than were allowed. status: None where
    the response ended before its status line did.
    """

    status: int | None = None
    headers: httpx.Headers = field(default_factory=httpx.Headers)
    body: bytearray = field(default_factory=bytearray)
    is_cut: bool = False
    incomplete: str = ""
    unreachable: str = ""

    @property
    def encoding(self) -> str:
        """The Content-Encoding in lower case, "" where the bytes are the text themselves."""
        encoding = self.headers.get("content-encoding", "").strip().lower()
        return "" if encoding == "identity" else encoding


@cache  # reading the certificates takes some 80 ms, as long as many an answer
def _tls_context() -> ssl.SSLContext:
    """The authorities that are trusted for all targets: the public ones, or those in SSL_CERT_FILE where it is set."""
    return httpx.create_ssl_context()


class OneRequestTransport:
    """Sends requests, each on a connection of its own. Safe to share between threads.

    A connection kept alive may be closed by the target just when it is used again, and that would look like a crash.
    Speaks through httpx's transport alone: a client on top would keep cookies, prepare redirects and use proxies.
    """

    def __init__(self, headers: Mapping[str, str], allows_private: bool = True) -> None:
        """headers: sent with every request. allows_private: whether the target may be at a private address."""
        self._headers = dict(headers)
        self._under_way: set[Deadline] = set()
        self._lock = threading.Lock()
        self._is_closed = False
        self._transport = httpx.HTTPTransport(verify=_tls_context(), trust_env=False)
        # httpx takes no network of ours; its transport only translates between this pool and its own types.
        # No limit on connections here: a health call must not wait for slow answers.
        self._transport._pool = httpcore.ConnectionPool(
            ssl_context=_tls_context(),
            max_connections=None,
            max_keepalive_connections=0,
            network_backend=CheckedBackend(allows_private),
        )

    def exchange(
        self, method: str, url: httpx.URL, limit_s: float, max_bytes: int, json_content: bytes | None = None
    ) -> ReceivedResponse:
        """One request and what came back, within `limit_s` in all and `max_bytes` of body. Never raises for either."""
        received = ReceivedResponse()
        deadline = Deadline(limit_s)
        with self._lock:
            if self._is_closed:
                received.unreachable = f"{method} {url}: not sent, as this target was closed"
                return received
            self._under_way.add(deadline)
        connect_limit_s = min(CONNECT_TIME_LIMIT_S, limit_s)
        time_limits = httpx.Timeout(connect=connect_limit_s, read=limit_s, write=limit_s, pool=limit_s)
        try:
            with deadline:
                request = httpx.Request(
                    method,
                    url,
                    headers=self._headers_for(json_content),
                    content=json_content,
                    extensions={"timeout": time_limits.as_dict(), "trace": deadline.watch},
                )
                self._receive(request, received, max_bytes)
        except httpx.ConnectTimeout:
            received.unreachable = f"{method} {url}: no connection within {connect_limit_s:g} s"
        except (httpx.ConnectError, httpx.LocalProtocolError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            received.unreachable = f"{method} {url}: {error}"  # nothing was sent, so no query is to blame
        except httpx.TimeoutException:
            received.incomplete = no_answer_within(limit_s)
        except (httpx.HTTPError, httpx.StreamError) as error:
            received.incomplete = _reason(error)
        finally:
            with self._lock:
                self._under_way.discard(deadline)
        if received.unreachable:
            return received
        if self._is_closed:
            received.unreachable = f"{method} {url}: not waited for, as this target was closed"
        elif received.status in status_codes.AWAY:
            received.unreachable = f"{method} {url}: HTTP {received.status}"
        elif deadline.passed:
            received.incomplete = no_answer_within(limit_s)
        return received

    def close(self) -> None:
        """Ends the exchanges under way, too: they return as unreachable, and so does every later one."""
        with self._lock:
            self._is_closed = True
            under_way = list(self._under_way)
        for deadline in under_way:
            deadline.end()
        self._transport.close()

    def _headers_for(self, json_content: bytes | None) -> dict[str, str]:
        return self._headers if json_content is None else {**self._headers, "Content-Type": "application/json"}

    def _receive(self, request: httpx.Request, received: ReceivedResponse, max_bytes: int) -> None:
        response = self._transport.handle_request(request)
        try:
            received.status = response.status_code
            received.headers = response.headers
            if response.status_code in status_codes.AWAY:
                return  # its body is not waited for
            for piece in response.iter_raw():
                received.body += piece
                if len(received.body) > max_bytes:
                    del received.body[max_bytes:]
                    received.is_cut = True
                    return
        finally:
            response.close()


def _reason(error: Exception) -> str:
    if isinstance(error, httpx.NetworkError) or any(words in str(error) for words in HANGING_UP_WORDS):
        return CLOSED_EARLY
    return f"the answer is not valid HTTP: {one_line(str(error))}"
