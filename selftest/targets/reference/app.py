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
DRAINED_BYTES = (
    4 * MAX_BODY_BYTES
)  # read and thrown away, so that a client in the middle of sending still hears the refusal
METHODS = {"/search": "POST", "/health": "GET"}
SELFTEST_HEADER = "HTTP_X_SELFTEST"
API_KEY_HEADER = "HTTP_X_API_KEY"


@dataclass(frozen=True)
class Response:
    status: str
    body: Mapping[str, Any]
    headers: tuple[tuple[str, str], ...] = ()


class Refused(Exception):  # noqa: N818 - a response, not an error of ours
    def __init__(self, status: str, error: str, *headers: tuple[str, str]) -> None:
        super().__init__(error)
        self.response = Response(status, {"error": error}, headers)


@dataclass(frozen=True)
class SearchRequest:
    query: str
    source: str


def create_app(target: ReferenceTarget, api_key: str = "") -> WSGIApplication:
    """POST /search and GET /health for `target`. With an `api_key`, /search needs it in X-API-Key."""

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            response = _respond(environ, target, api_key)
        except Refused as refused:
            response = refused.response
        payload = json.dumps(response.body, ensure_ascii=False).encode()
        headers = [
            ("Content-Type", "application/json; charset=utf-8"),
            ("Content-Length", str(len(payload))),
            ("X-Version", VERSION),
            *response.headers,
        ]
        start_response(response.status, headers)
        return [payload]

    return app


def _respond(environ: WSGIEnvironment, target: ReferenceTarget, api_key: str) -> Response:
    path, method = environ.get("PATH_INFO", "/"), environ.get("REQUEST_METHOD", "GET")
    if path not in METHODS:
        raise Refused("404 Not Found", f"nothing at {path}; known: {', '.join(METHODS)}")
    if method != METHODS[path]:
        raise Refused("405 Method Not Allowed", f"{path} takes {METHODS[path]}, not {method}", ("Allow", METHODS[path]))
    if path == "/health":
        return Response("200 OK", {"status": "ok", "version": VERSION})
    given = environ.get(API_KEY_HEADER, "")
    if api_key and not hmac.compare_digest(given.encode(), api_key.encode()):
        raise Refused("401 Unauthorized", "X-API-Key: missing or wrong")
    return _search(_read(environ), target, synthetic=environ.get(SELFTEST_HEADER) == "1")


def _read(environ: WSGIEnvironment) -> SearchRequest:
    """Raises Refused for whatever is no search request."""
    stated = environ.get("CONTENT_LENGTH") or "0"
    if not (stated.isascii() and stated.isdigit()):
        raise Refused("400 Bad Request", f"Content-Length: a number is needed, not {stated!r}")
    length_bytes = int(stated)
    if length_bytes > MAX_BODY_BYTES:
        environ["wsgi.input"].read(min(length_bytes, DRAINED_BYTES))
        raise Refused("413 Content Too Large", f"body: {length_bytes} bytes; at most {MAX_BODY_BYTES}")
    try:
        body = json.loads(environ["wsgi.input"].read(length_bytes))
    except (ValueError, RecursionError) as fault:
        raise Refused("400 Bad Request", f"body: not JSON ({fault})") from fault
    if not isinstance(body, dict):
        raise Refused("400 Bad Request", "body: an object is needed")
    query, source = body.get("query"), body.get("source", AUTO)
    if not isinstance(query, str) or not query.strip():
        raise Refused("400 Bad Request", "query: text is needed")
    if not isinstance(source, str):
        raise Refused("400 Bad Request", "source: text is needed")
    return SearchRequest(query, source)


def _search(request: SearchRequest, target: ReferenceTarget, synthetic: bool) -> Response:
    try:
        target.check_source(request.source)
    except ValueError as unknown:
        raise Refused("400 Bad Request", f"source: {unknown}") from unknown
    answer: dict[str, Any] = {"query": request.query, "source_used": "", "result": "", "success": True, "cached": False}
    try:
        with suppressed_cache() if synthetic else nullcontext():
            routed = target.route(request.query, request.source)
    except Exception as crash:  # noqa: BLE001 - a crash is told in the body; the next request is answered all the same
        return Response("200 OK", {**answer, "success": False, "error": f"{type(crash).__name__}: {crash}"})
    found = {"source_used": routed.source_used, "result": routed.result, "cached": routed.cached, "error": None}
    return Response("200 OK", {**answer, **found})


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        """Nothing is printed: standard output belongs to whoever started the server."""


class ReferenceServer(ThreadingMixIn, WSGIServer):
    """A thread a request. Run it with `serve_forever`, stop it with `shutdown` and `server_close`."""

    daemon_threads = True
    request_queue_size = 64

    def server_bind(self) -> None:
        # WSGIServer would look up a name for the address here; a loopback service must not wait for DNS.
        TCPServer.server_bind(self)
        host, port = self.socket.getsockname()[:2]
        self.server_name, self.server_port = str(host), int(port)
        self.setup_environ()


def serve(target: ReferenceTarget, host: str = "127.0.0.1", port: int = 0, api_key: str = "") -> ReferenceServer:
    """A server for `target`, bound and not yet serving; port 0 takes a free one, `server_port` says which."""
    server = ReferenceServer((host, port), _QuietHandler)
    server.set_app(create_app(target, api_key))
    return server
