"""Small routers to be asked: an honest one that routes by tests.vocabularies, and one for each promise to be broken.

Written from the contract alone and independent of the bundled router. Each is a plain `route(query, source)`, so it can
stand behind a `python` target at its dotted path, and behind `serving` over HTTP.
"""

import json
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.vocabularies import example_document

Route = Callable[[str, str], tuple[str, str]]

WORDS = example_document()
MERGED = WORDS["merged_source"]
ENCYCLOPEDIA = WORDS["encyclopedia"]
SLOW_S = 0.3
AUTO = "auto"


def _holds(phrase: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(phrase)}\b", text.lower()) is not None


def _clauses(text: str) -> list[str]:
    """Parted at conjunctions and commas; a proper-noun pair stays whole."""
    for number, pair in enumerate(WORDS["seeds"]["proper_noun_pairs"]):
        text = text.replace(pair, f"<{number}>")
    joints = "|".join(re.escape(c) for c in sorted(WORDS["conjunctions"], key=len, reverse=True))
    return [c for c in re.split(rf"{joints}|, ", text) if c.strip()]


def sources_of(text: str) -> list[str]:
    """Whom the query points at, in the order in which it does; what no keyword points from is the encyclopedia's."""
    sources: list[str] = []
    for clause in _clauses(text):
        named = [s for s, phrases in WORDS["sources"].items() if any(_holds(p, clause) for p in phrases)]
        sources += named or [ENCYCLOPEDIA]
    if is_discourse(text):
        sources.append(ENCYCLOPEDIA)
    return list(dict.fromkeys(sources))


def is_conditional(text: str) -> bool:
    return any(text.startswith(condition) for condition in WORDS["seeds"]["conditions"])


def is_discourse(text: str) -> bool:
    return any(_holds(phrase, text) for phrase in WORDS["discourse_phrases"])


def content(source: str) -> str:
    return f"What {source} has to say, in a sentence or two.\nNobody could not connect the dots of {source}."


def merged(sources: list[str]) -> tuple[str, str]:
    sections = [f"{WORDS['headers'][source]}\n{content(source)}" for source in sources]
    return "\n\n---\n\n".join(sections), MERGED


def honest(query: str, source: str = AUTO) -> tuple[str, str]:
    if source != AUTO:
        return content(source), source
    sources = sources_of(query)
    if len(sources) > 1 or is_conditional(query):
        return merged(sources)
    return content(sources[0]), sources[0]


# --- one broken promise each ---


class RouterBrokeError(Exception):
    pass


def crashing(query: str, source: str = AUTO) -> tuple[str, str]:
    if len(sources_of(query)) > 2:
        raise RouterBrokeError("no worker left in the pool")
    return honest(query, source)


def showing_a_traceback(query: str, source: str = AUTO) -> tuple[str, str]:
    result, used = honest(query, source)
    if len(sources_of(query)) > 2:
        result += '\n\nTraceback (most recent call last):\n  File "merge.py", line 3, in merge\nKeyError: 2'
    return result, used


def naming_a_wrong_source(query: str, source: str = AUTO) -> tuple[str, str]:
    """Always the changes, also where nothing in the query points there."""
    result, used = honest(query, source)
    return (result, used) if used == MERGED else (result, "changes")


def collapsing(query: str, source: str = AUTO) -> tuple[str, str]:
    """The proper-noun veto of old: many intents, one answer."""
    sources = sources_of(query)
    if source != AUTO or len(sources) < 3 or is_conditional(query):
        return honest(query, source)
    return content(sources[0]), sources[0]


def dropping_the_encyclopedia(query: str, source: str = AUTO) -> tuple[str, str]:
    """A keyword matched, so discourse framing was never looked at."""
    keywords = [s for s in sources_of(query) if s != ENCYCLOPEDIA]
    if source != AUTO or not is_discourse(query) or not keywords:
        return honest(query, source)
    return f"{content(keywords[0])} There is no kiwix involved.", keywords[0]


def forgetting_headers_of_conditions(query: str, source: str = AUTO) -> tuple[str, str]:
    if source != AUTO or not is_conditional(query):
        return honest(query, source)
    return "\n\n".join(content(source) for source in sources_of(query)), MERGED


def failing_in_words(query: str, source: str = AUTO) -> tuple[str, str]:
    result, used = honest(query, source)
    return ("No results found.", used) if used == ENCYCLOPEDIA else (result, used)


def failing_in_one_section(query: str, source: str = AUTO) -> tuple[str, str]:
    result, used = honest(query, source)
    return result.replace(content("news"), "Could not connect to the feed reader."), used


slow_after = 12  # fast ones first: without a history nothing is slow
_asked = 0


def slowing_down(query: str, source: str = AUTO) -> tuple[str, str]:
    """Fast for `slow_after` queries, then slow for every one."""
    global _asked  # noqa: PLW0603 - a router with a memory, as real ones have
    _asked += 1
    if _asked > slow_after:
        time.sleep(SLOW_S)
    return honest(query, source)


def rest() -> None:
    global _asked  # noqa: PLW0603
    _asked = 0


# --- played by a test ---


def scripted(query: str, source: str = AUTO) -> tuple[str, str]:
    """Replaced by the test that uses it."""
    raise NotImplementedError


GATE = "GADFLY_TEST_GATE"  # in the environment: the port on loopback where `gated` asks for leave


def gated(query: str, source: str = AUTO) -> tuple[str, str]:
    """In another process than the test's: tells its query there, and answers when told to."""
    with socket.create_connection(("127.0.0.1", int(os.environ[GATE]))) as gate:
        gate.sendall(query.encode() + b"\n")
        gate.recv(1)
    return honest(query, source)


# --- over HTTP ---


@dataclass
class Served:
    """A router behind a socket. body_of: the whole body of the answer to a query, where it is no ordinary one."""

    route: Route = honest
    body_of: Callable[[str], bytes | None] = lambda query: None
    asked: list[str] = field(default_factory=list)
    url: str = ""
    version: str = "7.1"
    away_after: int | None = None  # queries; from then on there is only a proxy's 503

    @property
    def is_away(self) -> bool:
        return self.away_after is not None and len(self.asked) >= self.away_after


@contextmanager
def serving(served: Served) -> Iterator[Served]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(503 if served.is_away else 200, _json(status="ok", version=served.version))

        def do_POST(self) -> None:
            document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked, source = document["query"], document["source"]
            if served.is_away:
                return self._send(503, b"")
            served.asked.append(asked)
            return self._send(200, served.body_of(asked) or self._answer(asked, source))

        def _answer(self, asked: str, source: str) -> bytes:
            try:
                result, used = served.route(asked, source)
            except RouterBrokeError as broken:
                return _json(query=asked, source_used="", result="", success=False, cached=False, error=str(broken))
            return _json(query=asked, source_used=used, result=result, success=True, cached=False, error=None)

        def _send(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                self.wfile.write(body)
            except ConnectionError:  # the asker has heard enough
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _json(**document: Any) -> bytes:
    return json.dumps(document).encode()
