"""One document posted to a receiver of notices. Decides where a receiver may be and what counts as received.

It is held to the same addresses as a target. Must not know what is posted.
"""

from collections.abc import Mapping

import httpx

from selftest.targets.http.addresses import check_literal
from selftest.targets.http.transport import OneRequestTransport

POST_LIMIT_S = 10.0  # a receiver that does more than take it in does so later
MAX_REPLY_BYTES = 1024  # nothing is read from it


def check_url(url: str, allows_private: bool) -> None:
    """ValueError where no receiver can be at `url`; the message does not repeat it, as it may hold a secret."""
    try:
        parsed = httpx.URL(url)
        host = parsed.raw_host.decode("ascii")
        host.encode("idna")
    except (httpx.InvalidURL, ValueError) as error:
        raise ValueError("is not a URL") from error
    if parsed.scheme not in ("http", "https") or not host:
        raise ValueError("must look like https://host/path")
    if parsed.userinfo:
        raise ValueError("must hold no user name or password; the signature tells who sends")
    check_literal(host, allows_private)


def post_json(url: str, headers: Mapping[str, str], body: bytes, allows_private: bool) -> str:
    """Posts `body` once; "" where it was received (HTTP 2xx), else why not, without the URL. Follows no redirect."""
    check_url(url, allows_private)
    parsed = httpx.URL(url)
    own = {"User-Agent": "gadfly", "Accept-Encoding": "identity", "Connection": "close"}
    transport = OneRequestTransport({**own, **headers}, allows_private)
    try:
        received = transport.exchange("POST", parsed, POST_LIMIT_S, MAX_REPLY_BYTES, body)
    finally:
        transport.close()
    if received.status is not None:
        return "" if 200 <= received.status < 300 else f"HTTP {received.status}"
    return received.unreachable.removeprefix(f"POST {parsed}: ") or received.incomplete
