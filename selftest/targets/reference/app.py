"""The reference target over HTTP: a plain WSGI application. Decides statuses and shapes; routes nothing itself."""

import hmac
import json
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from socketserver import TCPServer, ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from selftest.targets.base import AUTO
from selftest.targets.reference.cache import suppressed_cache
from selftest.targets.reference.target import VERSION, ReferenceTarget

MAX_BODY_BYTES = 64 * 1024  # a query is a sentence or a few
# Read and thrown away, so that a client in the middle of sending still receives the refusal.
DRAINED_BYTES = 4 * MAX_BODY_BYTES
METHODS = {"/search": "POST", "/health": "GET"}
SELFTEST_HEADER = "HTTP_X_SELFTEST"
API_KEY_HEADER = "HTTP_X_API_KEY"


@dataclass(frozen=True)
class JsonReply:
    """status: code and phrase, as WSGI takes it. body: becomes JSON. headers: in addition to those of every reply."""

    status: str
    body: Mapping[str, Any]
    headers: tuple[tuple[str, str], ...] = ()


class RequestRefused(Exception):  # noqa: N818 - a reply, not an error of ours
    """What came is not a request that can be answered; `reply` tells the caller why."""

    def __init__(self, status: str, error: str, *headers: tuple[str, str]) -> None:
        super().__init__(error)
        self.reply = JsonReply(status, {"error": error}, headers)


@dataclass(frozen=True)
class SearchRequest:
    """query: not blank. source: a name, known or not, or AUTO."""

    query: str
    source: str


def create_app(target: ReferenceTarget, api_key: str = "") -> WSGIApplication:
    """POST /search and GET /health for `target`. With an `api_key`, /search needs it in X-API-Key."""

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            reply = _reply(environ, target, api_key)
        except RequestRefused as refused:
            reply = refused.reply
        payload = json.dumps(reply.body, ensure_ascii=False).encode()
        headers = [
            ("Content-Type", "application/json; charset=utf-8"),
            ("Content-Length", str(len(payload))),
            ("X-Version", VERSION),
            *reply.headers,
        ]
        start_response(reply.status, headers)
        return [payload]

    return app


def _reply(environ: WSGIEnvironment, target: ReferenceTarget, api_key: str) -> JsonReply:
    path, method = environ.get("PATH_INFO", "/"), environ.get("REQUEST_METHOD", "GET")
    if path not in METHODS:
        raise RequestRefused("404 Not Found", f"nothing at {path}; known: {', '.join(METHODS)}")
    if method != METHODS[path]:
        raise RequestRefused(
            "405 Method Not Allowed", f"{path} takes {METHODS[path]}, not {method}", ("Allow", METHODS[path])
        )
    if path == "/health":
        return JsonReply("200 OK", {"status": "ok", "version": VERSION})
    given = environ.get(API_KEY_HEADER, "")
    if api_key and not hmac.compare_digest(given.encode(), api_key.encode()):
        raise RequestRefused("401 Unauthorized", "X-API-Key: missing or wrong")
    return _search(_read(environ), target, synthetic=environ.get(SELFTEST_HEADER) == "1")


def _read(environ: WSGIEnvironment) -> SearchRequest:
    """Raises RequestRefused for anything that is not a search request."""
    stated = environ.get("CONTENT_LENGTH") or "0"
    if not (stated.isascii() and stated.isdigit()):
        raise RequestRefused("400 Bad Request", f"Content-Length: a number is needed, not {stated!r}")
    length_bytes = int(stated)
    if length_bytes > MAX_BODY_BYTES:
        environ["wsgi.input"].read(min(length_bytes, DRAINED_BYTES))
        raise RequestRefused("413 Content Too Large", f"body: {length_bytes} bytes; at most {MAX_BODY_BYTES}")
    try:
        body = json.loads(environ["wsgi.input"].read(length_bytes))
    except (ValueError, RecursionError) as fault:
        raise RequestRefused("400 Bad Request", f"body: not JSON ({fault})") from fault
    if not isinstance(body, dict):
        raise RequestRefused("400 Bad Request", "body: an object is needed")
    query, source = body.get("query"), body.get("source", AUTO)
    if not isinstance(query, str) or not query.strip():
        raise RequestRefused("400 Bad Request", "query: text is needed")
    if not isinstance(source, str):
        raise RequestRefused("400 Bad Request", "source: text is needed")
    return SearchRequest(query, source)


def _search(request: SearchRequest, target: ReferenceTarget, synthetic: bool) -> JsonReply:
    try:
        target.check_source(request.source)
    except ValueError as unknown:
        raise RequestRefused("400 Bad Request", f"source: {unknown}") from unknown
    answer: dict[str, Any] = {"query": request.query, "source_used": "", "result": "", "success": True, "cached": False}
    try:
        with suppressed_cache() if synthetic else nullcontext():
            routed = target.route(request.query, request.source)
    except Exception as crash:  # noqa: BLE001 - a crash is told in the body; the next request is answered all the same
        return JsonReply("200 OK", {**answer, "success": False, "error": f"{type(crash).__name__}: {crash}"})
    found = {"source_used": routed.source_used, "result": routed.result, "cached": routed.cached, "error": None}
    return JsonReply("200 OK", {**answer, **found})


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        """Nothing is printed: standard output belongs to the program that started the server."""


class ReferenceServer(ThreadingMixIn, WSGIServer):
    """A thread a request. Run it with `serve_forever`, stop it with `shutdown` and `server_close`."""

    daemon_threads = True
    request_queue_size = 64

    def server_bind(self) -> None:
        """Binds without looking up a host name."""
        # WSGIServer would look up a name for the address here; a loopback service must not wait for DNS.
        TCPServer.server_bind(self)
        host, port = self.socket.getsockname()[:2]
        self.server_name, self.server_port = str(host), int(port)
        self.setup_environ()


def serve(target: ReferenceTarget, host: str = "127.0.0.1", port: int = 0, api_key: str = "") -> ReferenceServer:
    """A server for `target`, bound and not yet serving; port 0: a free one, and `server_port` says which."""
    server = ReferenceServer((host, port), _QuietHandler)
    server.set_app(create_app(target, api_key))
    return server
