"""An application that says how many bytes it was sent, in a server that waits for slow clients a tenth as long."""

from collections.abc import Callable
from typing import Any

from review import web_server

web_server.RECEIVE_S = 1
web_server.Socket.left_s = 1.0
web_server.RECEIVE_BYTES = 100


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "3")])
    return [b"%3d" % len(body)]
