"""Asking over HTTP: what came back, and whether it is an answer, a crash of the target, or an outage.

Decides by TARGET.md alone. Must not know of queries' meaning, of checks, or of rows; never asks twice for one answer.
"""

import hashlib
import json
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter
from types import TracebackType
from typing import Any

import httpx

from selftest.core.judging.answers import Answer
from selftest.targets.base import AUTO, Reachability, Target, TargetAway
from selftest.targets.limits import (
    DEFAULT_TIME_LIMIT_S,
    MAX_ANSWER_BYTES,
    checked_time_limit_s,
    first_text,
    no_answer_within,
    one_line,
    over_the_limit,
)

CONNECT_TIME_LIMIT_S = 5.0  # two lost SYNs are repeated within 3 s; who has not picked up by then is not there
HEALTH_TIME_LIMIT_S = 5.0  # a health call does no work; it stands between a person and the answer "is it there?"
MAX_HEALTH_BYTES = 64 * 1024  # only a version is read from it
MAX_VERSION_CHARACTERS = 100  # a version, not an essay
MAX_WHOLE_NUMBER_DIGITS = 1000  # Python refuses to read more than 4300, and would call the whole answer unreadable
AWAY_STATUSES = frozenset({502, 503, 504})  # a proxy or the target itself says: nobody is there now
NOT_SO_STATUSES = frozenset({401, 403, 404, 405})  # of the search path: we ask wrongly, so no query is to blame
CLOSED_EARLY = "connection closed before the answer was whole"
# How h11 and httpcore tell that the other side hung up, as against speaking something that is not HTTP.
HANGING_UP_WORDS = ("disconnected", "closed connection")

_MISSING = object()


@dataclass(frozen=True)
class HttpSettings:
    """How to speak to one target. ValueError, naming the field, where that cannot be.

    The three fields of the request are plain names; those of the answer may be dotted paths into nested objects
    ("data.answer"). health_path "": a TCP connection is all that is tried.
    """

    base_url: str
    path: str = "/search"
    health_path: str = "/health"
    api_key: str = field(default="", repr=False)  # write-only: must not turn up in a log or on a page of ours
    time_limit_s: float = DEFAULT_TIME_LIMIT_S
    requests_at_once: int = 4
    query_field: str = "query"
    source_field: str = "source"
    result_field: str = "result"
    source_used_field: str = "source_used"
    success_field: str = "success"
    error_field: str = "error"
    cached_field: str = "cached"

    def __post_init__(self) -> None:
        _check_base_url(self.base_url)
        for name in ("path", "health_path"):
            _check_path(name, self.base_url, getattr(self, name))
        if not (self.api_key.isascii() and self.api_key.isprintable() and self.api_key == self.api_key.strip()):
            raise ValueError("api_key: must be printable ASCII without spaces around it, or it fits in no header")
        checked_time_limit_s(self.time_limit_s)
        if self.requests_at_once < 1:
            raise ValueError(f"requests_at_once: must be at least 1, not {self.requests_at_once}")
        for name in ("query_field", "source_field"):
            if not getattr(self, name):
                raise ValueError(f"{name}: must not be empty")
        for name in ("result_field", "source_used_field", "success_field", "error_field", "cached_field"):
            if not all(getattr(self, name).split(".")):
                raise ValueError(f"{name}: must be a name, or names joined by single dots, not {getattr(self, name)!r}")

    @property
    def ask_url(self) -> httpx.URL:
        return httpx.URL(self.base_url.rstrip("/") + self.path)

    @property
    def health_url(self) -> httpx.URL:
        return httpx.URL(self.base_url.rstrip("/") + self.health_path)


def _check_base_url(base_url: str) -> None:
    try:
        url = httpx.URL(base_url)
        url.raw_host.decode("ascii").encode("idna")  # what the resolver does; it raises for a label that is too long
    except (httpx.InvalidURL, ValueError) as error:
        raise ValueError(f"base_url: {error}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"base_url: must look like http://host:port or https://host, not {base_url!r}")
    if url.port is not None and not 0 < url.port < 65536:
        raise ValueError(f"base_url: there is no port {url.port}")
    if url.userinfo:  # it would stand in messages and pages for all to read
        raise ValueError("base_url: must hold no user name or password; the API key has a field of its own")
    if "?" in base_url or "#" in base_url:
        raise ValueError("base_url: must end before any ? or #; a query string belongs to the path")


def _check_path(name: str, base_url: str, path: str) -> None:
    if path and not path.startswith("/"):
        raise ValueError(f"{name}: must be empty or begin with a slash, not {path!r}")
    try:
        httpx.URL(base_url.rstrip("/") + path)
    except (httpx.InvalidURL, ValueError) as error:
        raise ValueError(f"{name}: {error}") from error


@cache  # reading the certificates takes some 80 ms, as long as many an answer
def _tls_context() -> ssl.SSLContext:
    """Whom to trust, for all targets: the public authorities, or those in SSL_CERT_FILE where a site has its own."""
    return httpx.create_ssl_context()


class _Deadline:
    """Ends a conversation at its limit whatever drips: shuts the connection down under whoever reads it.

    A read time-out starts anew with every byte, in the headers as in the body, so it bounds no total. `passed` tells
    afterwards; an answer without a length looks whole when its connection is shut down.
    """

    def __init__(self, limit_s: float) -> None:
        self.passed = False
        self._connection: socket.socket | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(limit_s, self.end)
        self._timer.daemon = True  # a worker that stops does not wait for it

    def __enter__(self) -> "_Deadline":
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """httpcore's `trace` extension: the one place that shows the connection before an answer has begun."""
        if event != "connection.connect_tcp.complete":
            return
        with self._lock:
            # A duplicate outlives the wrapping in TLS, and its number cannot pass to another's connection meanwhile.
            self._connection = info["return_value"].get_extra_info("socket").dup()
            self._shut_down_if_passed()

    def end(self) -> None:
        """Shuts the conversation down, now or as soon as it has a connection."""
        with self._lock:
            self.passed = True
            self._shut_down_if_passed()

    def _shut_down_if_passed(self) -> None:
        if self.passed and self._connection is not None:
            with suppress(OSError):  # the other side was quicker
                self._connection.shutdown(socket.SHUT_RDWR)


@dataclass
class _Received:
    """What came, as far as it came. fault: why it ended before it was whole, or None. cut: more followed."""

    status: int | None = None
    headers: httpx.Headers = field(default_factory=httpx.Headers)
    body: bytearray = field(default_factory=bytearray)
    cut: bool = False
    fault: str | None = None

    @property
    def encoding(self) -> str:
        """The Content-Encoding, "" where the bytes are the text themselves."""
        encoding = self.headers.get("content-encoding", "").strip().lower()
        return "" if encoding == "identity" else encoding


class _NoAnswerInIt(Exception):  # noqa: N818 - the reason why what came is a crash
    pass


@dataclass(frozen=True)
class _Reading:
    result: str
    source_used: str
    cached: bool
    error: str | None


class HttpTarget(Target):
    """A target behind `POST {base_url}{path}`. Safe to share between threads.

    HTTP 401, 403, 404 and 405 to a question count as away too. The contract's list of outages says nothing of them, but
    they tell of our settings, not of a promise: taken for crashes, a wrong key would put every query into the queue.

    Speaks through the transport alone: a client on top would keep cookies, prepare redirects and heed proxies. Every
    asking has a connection of its own, because one kept alive may be closed by the target just when it is used again,
    and that would look like a crash.
    """

    def __init__(self, settings: HttpSettings) -> None:
        self.settings = settings
        self._ask_url = settings.ask_url
        self._health_url = settings.health_url
        self._headers = {
            "User-Agent": "gadfly",
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # a few bytes of a compressed bomb would unfold to gigabytes
            "Connection": "close",
            "X-Selftest": "1",  # a synthetic query must not fill the target's caches
        }
        if settings.api_key:
            self._headers["X-API-Key"] = settings.api_key
        self._live: set[_Deadline] = set()
        self._live_lock = threading.Lock()
        self._is_closed = False
        self._slots = threading.BoundedSemaphore(settings.requests_at_once)
        # No limit on connections here: a health call must not wait for slow answers, and the slots bound the rest.
        no_keepalive = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        self._transport = httpx.HTTPTransport(verify=_tls_context(), limits=no_keepalive, trust_env=False)

    def ask(self, query: str, source: str = AUTO) -> Answer:
        settings = self.settings
        # ASCII with escapes: a lone surrogate in a query has no UTF-8, but it has an escape.
        question = json.dumps({settings.query_field: query, settings.source_field: source}).encode("ascii")
        with self._slots:  # waiting for a free one is our time, not the target's
            started = perf_counter()
            received = self._exchange("POST", self._ask_url, settings.time_limit_s, MAX_ANSWER_BYTES, question)
            latency_ms = (perf_counter() - started) * 1000
        if received.status in NOT_SO_STATUSES:
            raise TargetAway(f"POST {self._ask_url}: HTTP {received.status}: {self._what_to_set(received.status)}")
        if received.fault is not None:
            self._raise_if_away(received.fault)
        try:
            reading = self._read(received)
        except _NoAnswerInIt as reason:
            reading = _Reading(first_text(received.body), "", False, str(reason))
        return Answer(
            result=reading.result,
            source_used=reading.source_used,
            latency_ms=latency_ms,
            http_status=received.status,
            cached=reading.cached,
            error=reading.error,
            length_bytes=len(received.body),
            sha256=hashlib.sha256(received.body).hexdigest(),
        )

    def reach(self) -> Reachability:
        if not self.settings.health_path:
            return self._reach_by_connecting()
        tried = f"GET {self._health_url}"
        try:
            received = self._exchange("GET", self._health_url, HEALTH_TIME_LIMIT_S, MAX_HEALTH_BYTES)
        except TargetAway as away:
            return Reachability(False, str(away))
        if received.status is None:
            return Reachability(False, f"{tried}: {received.fault}")
        return Reachability(True, f"{tried}: HTTP {received.status}", _version(received))

    def close(self) -> None:
        """Ends the conversations that are still under way, too: who asks meanwhile is told TargetAway."""
        with self._live_lock:
            self._is_closed = True
            under_way = list(self._live)
        for deadline in under_way:
            deadline.end()
        self._transport.close()

    def _what_to_set(self, status: int | None) -> str:
        match status:
            case 404:
                return "nothing at this path; set the target's path"
            case 405:
                return "this path takes no POST; set the target's path"
        said = "the API key was refused" if self.settings.api_key else "an API key is wanted and none is set"
        return f"{said}; set it on the target in the admin, or TARGET_API_KEY"

    def _reach_by_connecting(self) -> Reachability:
        url = self._ask_url
        port = url.port or (443 if url.scheme == "https" else 80)
        tried = f"connecting to {url.host} port {port}"
        try:
            socket.create_connection((url.host, port), timeout=CONNECT_TIME_LIMIT_S).close()
        except OSError as error:
            return Reachability(False, f"{tried}: {error}")
        return Reachability(True, f"{tried}: connected")

    def _exchange(
        self, method: str, url: httpx.URL, limit_s: float, max_bytes: int, content: bytes | None = None
    ) -> _Received:
        """One request and what came back, within `limit_s` in all. Raises TargetAway where nobody took it."""
        deadline = _Deadline(limit_s)
        with self._live_lock:
            if self._is_closed:
                raise TargetAway(f"{method} {url}: not asked any more")
            self._live.add(deadline)
        connect_limit_s = min(CONNECT_TIME_LIMIT_S, limit_s)
        time_limits = httpx.Timeout(connect=connect_limit_s, read=limit_s, write=limit_s, pool=limit_s)
        request = httpx.Request(
            method,
            url,
            headers=self._headers if content is None else {**self._headers, "Content-Type": "application/json"},
            content=content,
            extensions={"timeout": time_limits.as_dict(), "trace": deadline.watch},
        )
        received = _Received()
        try:
            with deadline:
                self._receive(request, received, max_bytes)
        except httpx.ConnectTimeout as error:
            raise TargetAway(f"{method} {url}: no connection within {connect_limit_s:g} s") from error
        except (httpx.ConnectError, httpx.LocalProtocolError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            raise TargetAway(f"{method} {url}: {error}") from error  # nothing was sent, so no query is to blame
        except (httpx.HTTPError, httpx.StreamError) as error:
            received.fault = no_answer_within(limit_s) if isinstance(error, httpx.TimeoutException) else _fault(error)
        finally:
            with self._live_lock:
                self._live.discard(deadline)
        if self._is_closed:
            raise TargetAway(f"{method} {url}: not waited for any more")
        if deadline.passed:
            received.fault = no_answer_within(limit_s)
        if received.status in AWAY_STATUSES:
            raise TargetAway(f"{method} {url}: HTTP {received.status}")
        return received

    def _receive(self, request: httpx.Request, received: _Received, max_bytes: int) -> None:
        response = self._transport.handle_request(request)
        try:
            received.status = response.status_code
            received.headers = response.headers
            if response.status_code in AWAY_STATUSES:
                return
            for piece in response.iter_raw():
                received.body += piece
                if len(received.body) > max_bytes:
                    del received.body[max_bytes:]
                    received.cut = True
                    return
        finally:
            response.close()

    def _raise_if_away(self, fault: str) -> None:
        health = self.reach()
        if not health.reachable:
            raise TargetAway(f"POST {self._ask_url}: {fault}; {health.detail}")

    def _read(self, received: _Received) -> _Reading:
        """The answer in what came. Raises _NoAnswerInIt, its message the reason, where there is none."""
        if received.fault is not None:
            raise _NoAnswerInIt(received.fault)
        self._refuse_status(received)
        if received.encoding:
            asked_for = "although identity was asked for"
            raise _NoAnswerInIt(f"the answer is in Content-Encoding {one_line(received.encoding)}, {asked_for}")
        if received.cut:
            raise _NoAnswerInIt(over_the_limit("bytes"))
        document = _document(received.body)
        settings = self.settings
        cached = _field(document, settings.cached_field) is True
        success = _field(document, settings.success_field)
        if success is False:
            return self._read_failure(document, cached)
        if success not in (True, None, _MISSING):
            raise _NoAnswerInIt(f"field {settings.success_field!r} is {_kind(success)}, neither true nor false")
        result = _text_field(document, settings.result_field)
        return _Reading(result, _text_field(document, settings.source_used_field), cached, None)

    def _read_failure(self, document: Mapping[str, Any], cached: bool) -> _Reading:
        error = _field(document, self.settings.error_field)
        if error in (_MISSING, None, ""):
            error = f"field {self.settings.success_field!r} is false, and no reason is given"
        elif not isinstance(error, str):
            error = _json_text(error)
        result = _field(document, self.settings.result_field)
        source_used = _field(document, self.settings.source_used_field)
        return _Reading(
            result=result if isinstance(result, str) else "",
            source_used=source_used if isinstance(source_used, str) else "",
            cached=cached,
            error=error,
        )

    def _refuse_status(self, received: _Received) -> None:
        status = received.status or 0
        if 200 <= status < 300:
            return
        if 300 <= status < 400:
            where = one_line(received.headers.get("location", "nowhere"))
            raise _NoAnswerInIt(f"HTTP {status}: a redirect to {where}; redirects are not followed")
        said = f"HTTP {status}"
        if received.encoding:
            said += f", with a body in Content-Encoding {one_line(received.encoding)}"
        else:
            excerpt = one_line(first_text(received.body))
            said += f": {excerpt}" if excerpt else ", without a body"
        raise _NoAnswerInIt(said)


def _fault(error: Exception) -> str:
    if isinstance(error, httpx.NetworkError) or any(words in str(error) for words in HANGING_UP_WORDS):
        return CLOSED_EARLY
    return f"the answer is not valid HTTP: {one_line(str(error))}"


def _document(body: bytearray) -> dict[str, Any]:
    if not body.strip():
        raise _NoAnswerInIt("the answer is empty, not JSON")
    try:
        # NaN and Infinity are no JSON, but Python writes them; they stand in no field that is read here.
        document = json.loads(body.decode("utf-8"), parse_int=_whole_number)
    except UnicodeDecodeError as error:
        raise _NoAnswerInIt(f"the answer is not JSON: invalid UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise _NoAnswerInIt("the answer is JSON nested too deeply to be read") from error
    except ValueError as error:
        raise _NoAnswerInIt(f"the answer is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise _NoAnswerInIt(f"the answer is not a JSON object but {_kind(document)}")
    return document


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= MAX_WHOLE_NUMBER_DIGITS else float(digits)


def _field(document: Mapping[str, Any], dotted_path: str) -> Any:
    """The value at `dotted_path`, _MISSING where a step leads nowhere."""
    value: Any = document
    for step in dotted_path.split("."):
        if not isinstance(value, dict) or step not in value:
            return _MISSING
        value = value[step]
    return value


def _text_field(document: Mapping[str, Any], dotted_path: str) -> str:
    value = _field(document, dotted_path)
    if value is _MISSING:
        raise _NoAnswerInIt(f"field {dotted_path!r} is missing")
    if not isinstance(value, str):
        raise _NoAnswerInIt(f"field {dotted_path!r} is {_kind(value)}, not text")
    return value


def _kind(value: object) -> str:
    """What JSON calls the kind of `value`, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "text"
        case dict():
            return "an object"
        case list():
            return "a list"
        case _:
            return "a number"


def _json_text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return f"{_kind(value)} nested too deeply to be shown"


def _version(received: _Received) -> str:
    """The version that a health answer gives, "" where none; the header wins over the body."""
    in_header = received.headers.get("x-version", "").strip()
    if in_header:
        return one_line(in_header)[:MAX_VERSION_CHARACTERS]
    if received.fault is not None or received.encoding or received.cut:
        return ""
    try:
        version = _document(received.body).get("version", "")
    except _NoAnswerInIt:
        return ""
    if isinstance(version, bool) or not isinstance(version, str | int | float):
        return ""
    return one_line(str(version))[:MAX_VERSION_CHARACTERS]
