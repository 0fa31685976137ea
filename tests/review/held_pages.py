"""An application whose pages wait until /health is asked to let them go; /health says how many have begun."""

from collections.abc import Callable
from threading import Event
from typing import Any

LIMIT_S = 30
_let_go = Event()
_begun: list[str] = []


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    if environ["PATH_INFO"] == "/health":
        if environ["QUERY_STRING"] == "let-go":
            _let_go.set()
    else:
        _begun.append(environ["PATH_INFO"])
        _let_go.wait(LIMIT_S)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(len(_begun)).encode()]
