"""How to speak to one HTTP target, checked as a whole. Decides what cannot work at all; asks nothing."""

from dataclasses import dataclass, field

import httpx

from selftest.targets.http.addresses import check_literal
from selftest.targets.http.headers import checked_headers
from selftest.targets.limits import (
    DEFAULT_REQUESTS_AT_ONCE,
    DEFAULT_TIME_LIMIT_S,
    checked_requests_at_once,
    checked_time_limit_s,
)

KEY_HEADER = "X-API-Key"


@dataclass(frozen=True)
class HttpSettings:
    """The settings of one HTTP target. ValueError, naming the field, for one that cannot work.

    The two fields of the request are plain names; those of the answer may be dotted paths into nested objects
    ("data.answer"). health_path "": a TCP connection is all that is tried. time_limit_s: of one answer, in seconds.
    headers, secret_headers: further ones of each request, as lines "Name: value". allows_private: whether the target
    may be at a loopback or private address; what addresses.py refuses is refused always.
    """

    base_url: str
    path: str = "/search"
    health_path: str = "/health"
    api_key: str = field(default="", repr=False)  # write-only: must not turn up in a log or on a page of ours
    time_limit_s: float = DEFAULT_TIME_LIMIT_S
    requests_at_once: int = DEFAULT_REQUESTS_AT_ONCE
    query_field: str = "query"
    source_field: str = "source"
    result_field: str = "result"
    source_used_field: str = "source_used"
    success_field: str = "success"
    error_field: str = "error"
    cached_field: str = "cached"
    headers: str = ""
    secret_headers: str = field(default="", repr=False)
    allows_private: bool = True

    def __post_init__(self) -> None:
        _check_base_url(self.base_url, self.allows_private)
        for name in ("path", "health_path"):
            _check_path(name, self.base_url, getattr(self, name))
        if not (self.api_key.isascii() and self.api_key.isprintable() and self.api_key == self.api_key.strip()):
            raise ValueError("api_key: must be printable ASCII without spaces around it, or it fits in no header")
        if twice := {n.lower() for n, _ in self._own} & {n.lower() for n, _ in self._secret}:
            raise ValueError(f"secret_headers: {min(twice)!r} is among the other headers too")
        checked_time_limit_s(self.time_limit_s)
        checked_requests_at_once(self.requests_at_once)
        for name in ("query_field", "source_field"):
            if not getattr(self, name):
                raise ValueError(f"{name}: must not be empty")
        for name in ("result_field", "source_used_field", "success_field", "error_field", "cached_field"):
            if not all(getattr(self, name).split(".")):
                raise ValueError(f"{name}: must be a name, or names joined by single dots, not {getattr(self, name)!r}")

    @property
    def extra_headers(self) -> tuple[tuple[str, str], ...]:
        """Names and values of what is sent beyond what every target gets."""
        return (*self._own, *self._secret)

    @property
    def secrets(self) -> tuple[tuple[str, str], ...]:
        """Header and value of all that must never be seen again."""
        key = [(KEY_HEADER, self.api_key)] if self.api_key else []
        return (*key, *self._secret)

    @property
    def _own(self) -> tuple[tuple[str, str], ...]:
        return checked_headers("headers", self.headers)

    @property
    def _secret(self) -> tuple[tuple[str, str], ...]:
        return checked_headers("secret_headers", self.secret_headers)

    @property
    def ask_url(self) -> httpx.URL:
        """Where queries are posted."""
        return httpx.URL(self.base_url.rstrip("/") + self.path)

    @property
    def health_url(self) -> httpx.URL:
        """Where the health call goes, unless health_path is empty."""
        return httpx.URL(self.base_url.rstrip("/") + self.health_path)


def _check_base_url(base_url: str, allows_private: bool) -> None:
    try:
        url = httpx.URL(base_url)
        url.raw_host.decode("ascii").encode("idna")  # what the resolver does; it raises for a label that is too long
    except (httpx.InvalidURL, ValueError) as error:
        raise ValueError(f"base_url: {error}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"base_url: must look like http://host:port or https://host, not {base_url!r}")
    if url.port is not None and not 0 < url.port < 65536:
        raise ValueError(f"base_url: there is no port {url.port}")
    if url.userinfo:  # it would be shown in messages and on pages
        raise ValueError("base_url: must hold no user name or password; the API key has a field of its own")
    if "?" in base_url or "#" in base_url:
        raise ValueError("base_url: must end before any ? or #; a query string belongs to the path")
    try:
        check_literal(url.raw_host.decode("ascii"), allows_private)
    except ValueError as error:
        raise ValueError(f"base_url: {error}") from error


def _check_path(name: str, base_url: str, path: str) -> None:
    if path and not path.startswith("/"):
        raise ValueError(f"{name}: must be empty or begin with a slash, not {path!r}")
    try:
        httpx.URL(base_url.rstrip("/") + path)
    except (httpx.InvalidURL, ValueError) as error:
        raise ValueError(f"{name}: {error}") from error
