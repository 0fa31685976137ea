"""One document fetched from a host that an admin has named. Decides which addresses are followed, and how far.

It is held to the same addresses as a target. Must not know what is in the document.
"""

from collections.abc import Collection
from dataclasses import dataclass

import httpx

from selftest.targets.http.posting import check_url
from selftest.targets.http.transport import OneRequestTransport

FETCH_LIMIT_S = 20.0  # of each request
MOST_BYTES = 5 * 1024 * 1024
MOST_REDIRECTS = 3
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class NotFetchedError(ValueError):
    """The document could not be fetched. The message is one line that says why."""


@dataclass(frozen=True)
class Fetched:
    """url: where it came from in the end. media_type: in lower case, without parameters; "" where none was named."""

    url: str
    media_type: str
    content: bytes


def fetch_document(url: str, hosts: Collection[str], allows_private: bool) -> Fetched:
    """The document at `url`. hosts: whose documents may be fetched, each `host` or `host:port`; redirects are held to
    them as well. Raises NotFetchedError.
    """
    transport = OneRequestTransport(
        {"User-Agent": "gadfly", "Accept-Encoding": "identity", "Connection": "close"}, allows_private
    )
    try:
        for _ in range(MOST_REDIRECTS + 1):
            parsed = _checked(url, hosts, allows_private)
            received = transport.exchange("GET", parsed, FETCH_LIMIT_S, MOST_BYTES)
            if received.unreachable or received.incomplete:
                raise NotFetchedError(received.unreachable.removeprefix(f"GET {parsed}: ") or received.incomplete)
            if received.status not in REDIRECTS:
                break
            url = str(parsed.join(received.headers.get("location", "")))
        else:
            raise NotFetchedError(f"more than {MOST_REDIRECTS} redirects")
    except (httpx.InvalidURL, UnicodeError) as error:
        raise NotFetchedError("a redirect to what is not a URL") from error
    finally:
        transport.close()
    if received.status != 200:
        raise NotFetchedError(f"HTTP {received.status}")
    if received.is_cut:
        raise NotFetchedError(f"more than {MOST_BYTES:,} bytes")
    if received.encoding:
        raise NotFetchedError(f"it is sent as {received.encoding}, which was not asked for")
    media_type = received.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Fetched(url, media_type, bytes(received.body))


def _checked(url: str, hosts: Collection[str], allows_private: bool) -> httpx.URL:
    try:
        check_url(url, allows_private)
    except ValueError as fault:
        raise NotFetchedError(f"the address {fault}") from fault
    parsed = httpx.URL(url)
    host = parsed.raw_host.decode("ascii").lower()
    port = parsed.port or (443 if parsed.scheme == "https" else 80)
    if not {host, f"{host}:{port}"} & {one.strip().lower() for one in hosts}:
        raise NotFetchedError(f"the host {host} is not on the list of hosts of documentation")
    return parsed
