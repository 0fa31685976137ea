"""Keeps a test run to itself: off the developer's environment, off the checkout's ./data, off the network.

A pytest plugin, loaded with `-p tests.isolation`: a conftest.py would come too late, since pytest-django reads the
settings first. As a command it gives any other program the same clean environment:

    python -m tests.isolation COMMAND...
"""

import atexit
import ipaddress
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator, MutableMapping
from typing import Any

import pytest

from tests.servers import TEST_DATABASE_URL

PRODUCT_NAMES = {
    "ALLOWED_HOSTS",
    "API_KEYS",
    "CSRF_TRUSTED_ORIGINS",
    "DATABASE_URL",
    "DATA_DIR",
    "DEBUG",
    "HTTPS",
    "PUBLIC_URL",
    "PYTHON_TARGETS",
    "REDIS_URL",
    "SECRET_KEY",
    "SECRET_KEY_FALLBACKS",
}
PRODUCT_PREFIXES = ("ADVERSARIAL_", "DJANGO_", "SNAPSHOT_", "TARGET_")
PROXY_NAMES = {"ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY"}  # a proxy would be asked for loopback addresses too


def clean(environment: MutableMapping[str, str]) -> None:
    """Takes the product's own variables away, and the proxies; the routers of the tests may be called."""
    for name in list(environment):
        if name in PRODUCT_NAMES or name.startswith(PRODUCT_PREFIXES) or name.upper() in PROXY_NAMES:
            del environment[name]
    environment["PYTHON_TARGETS"] = "tests"


def _isolate() -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell's background job: what a test starts would be deaf to the Ctrl-C that the test ends it with.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if "review.settings" in sys.modules:
        raise RuntimeError("the settings were read before tests.isolation could act: load it with -p tests.isolation")
    clean(os.environ)
    folder = tempfile.mkdtemp(prefix="gadfly-tests-")
    atexit.register(_remove, folder, os.getpid())
    os.environ["DATA_DIR"] = folder
    if os.environ.get(TEST_DATABASE_URL):
        os.environ["DATABASE_URL"] = os.environ[TEST_DATABASE_URL]


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # a forked child runs exit handlers too
        shutil.rmtree(folder, ignore_errors=True)


_isolate()

# --- the network: loopback addresses and unix sockets only ---

_strayed: list[str] = []


def _watch_sockets(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: it sees what every library does, in every thread, however it got hold of its socket."""
    if not event.startswith("socket."):
        return
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        connection, address = arguments
        if address is None or connection.family not in (socket.AF_INET, socket.AF_INET6):
            return
        name, what = _text(address[0]), f"connect to {address[0]} port {address[1]}"
    elif event == "socket.getaddrinfo":
        name, what = _text(arguments[0]), f"look up {arguments[0]}"
        if _address(name):
            return  # nothing is asked of anyone; to connect to it is another matter
    else:
        return
    if _is_local(name):
        return
    if name.endswith(".invalid"):  # the name that never exists (RFC 6761): no resolver needs to be asked
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    _strayed.append(what)
    raise PermissionError(f"a test may not {what}: loopback addresses and unix sockets only")


def _text(host: str | bytes | None) -> str:
    name = host.decode(errors="replace") if isinstance(host, bytes) else host or ""
    return name.rstrip(".").lower()


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_local(name: str) -> bool:
    """Nothing at all and the unspecified address are this machine too."""
    if address := _address(name):
        return address.is_loopback or address.is_unspecified
    return name in ("", "localhost") or name.endswith(".localhost")


def pytest_configure() -> None:
    sys.addaudithook(_watch_sockets)


def _fail_if_strayed() -> None:
    """The error alone is not enough: the product treats a refused connection as an answer and carries on."""
    strayed = sorted(set(_strayed))
    _strayed.clear()
    if strayed:
        pytest.fail(
            f"tried to {'; tried to '.join(strayed)}. Tests may reach loopback addresses and unix sockets only.",
            pytrace=False,
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, Any, Any]:
    try:
        return (yield)
    finally:
        _fail_if_strayed()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    try:
        return (yield)
    finally:
        _fail_if_strayed()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, Any, Any]:
    try:
        return (yield)
    finally:
        _fail_if_strayed()


if __name__ == "__main__":
    sys.exit(subprocess.call(sys.argv[1:]))
