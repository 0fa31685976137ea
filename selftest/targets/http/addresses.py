"""Which addresses a target may have, and connections to those alone. Must not know what is said over them.

An address is looked at where it is connected to, after its name was resolved: what a name pointed to earlier says
nothing about now.
"""

import socket
import time
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpcore

Address = IPv4Address | IPv6Address

# Where clouds tell a machine its own credentials; most are link-local too.
METADATA = frozenset(
    map(
        ip_address,
        (
            "169.254.169.254",  # AWS, Google, Azure, DigitalOcean, OpenStack
            "169.254.170.2",  # AWS, for containers
            "fd00:ec2::254",
            "fd00:ec2::23",  # AWS, for pods
            "fd20:ce::254",  # Google
            "100.100.100.200",  # Alibaba
            "168.63.129.16",  # Azure's agent
            "192.0.0.192",  # Oracle
            "fd00:c1::a9fe:a9fe",
            "fd00:42::42",  # Scaleway
        ),
    )
)
THIS_NETWORK = ip_network("0.0.0.0/8")  # Linux takes all of it for the machine itself
# Whose last 32 bits are an IPv4 address: NAT64, also of a network's own, and SIIT.
EMBEDDING = tuple(map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "::ffff:0:0:0/96")))
IN_USE = tuple(map(ip_network, ("2000::/3", "fc00::/7", "fec0::/10", "fe80::/10", "ff00::/8", "::/8")))
IPV4_COMPATIBLE = ip_network("::/96")  # of old, and still connected to by some systems


class RefusedAddressError(httpcore.ConnectError):
    """No address of this host may be connected to. The message says which, why, and the way out."""


def literal_address(host: str) -> Address | None:
    """The address that `host` is, as a resolver reads it: also 2130706433, 0x7f.1, 0177.0.0.1; None for a name."""
    host = host.rstrip(".")
    try:
        return ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def refusal(address: Address, allows_private: bool) -> str:
    """Why no target may be at `address`; "" where one may. An IPv4 address inside an IPv6 one counts as itself."""
    for form in _forms(address):
        if form in METADATA:
            return "the metadata service of a cloud"
        if form.is_link_local:
            return "a link-local address"
        if form.is_unspecified or (form.version == 4 and form in THIS_NETWORK):
            return "an unspecified address"
        if form.is_multicast:
            return "a multicast address"
        if form.is_reserved if form.version == 4 else not any(form in network for network in IN_USE):
            return "a reserved address"
        if not allows_private and (not form.is_global or (form.version == 6 and form.is_site_local)):
            return "loopback" if form.is_loopback else "a private address"
    return ""


def check_literal(host: str, allows_private: bool) -> None:
    """ValueError where `host` is an address, and not of a target. A name is looked at when it is connected to."""
    address = literal_address(host)
    if address is not None and (reason := refusal(address, allows_private)):
        raise ValueError(f"{_told(host, address, reason)}; {way_out(reason)}")


def way_out(reason: str) -> str:
    """What to do about a refusal."""
    if reason in ("loopback", "a private address"):
        return "TARGET_PRIVATE=false allows public addresses only"
    return "nothing may be sent there: give the address of the service itself"


class CheckedBackend(httpcore.SyncBackend):
    """httpcore's way to the network, to allowed addresses alone. TLS checks the certificate by the name, as always."""

    def __init__(self, allows_private: bool) -> None:
        self._allows_private = allows_private

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first allowed address of `host` that answers; timeout: in seconds, in all.

        Raises httpcore.ConnectTimeout or ConnectError, and RefusedAddressError where no address is allowed.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        failure: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in _allowed(host, port, self._allows_private):
            left = None if deadline is None else max(0.001, deadline - time.monotonic())
            try:
                # The address and not the name, which may lead elsewhere by now.
                return super().connect_tcp(address, port, left, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore.ConnectError(f"{host} has no address")


def _allowed(host: str, port: int, allows_private: bool) -> list[str]:
    """The addresses of `host` that may be connected to; a link-local one beside others is passed over."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpcore.ConnectError(str(error)) from error
    refused = ""
    allowed: list[str] = []
    for *_, (address, *_) in found:
        literal = ip_address(str(address).partition("%")[0])
        if reason := refusal(literal, allows_private):
            refused = refused or f"{_told(host, literal, reason)}; {way_out(reason)}"
        else:
            allowed.append(str(address))
    if refused and not allowed:
        raise RefusedAddressError(refused)
    return allowed


def _told(host: str, address: Address, reason: str) -> str:
    return f"{host} is {reason}" if str(address) == host.strip("[]") else f"{host} is {address}, {reason}"


def _forms(address: Address) -> Iterator[Address]:
    """What `address` leads to: itself, or an IPv4 address inside it."""
    if not isinstance(address, IPv6Address):
        yield address
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
        return
    yield address
    if any(address in network for network in EMBEDDING) or (
        address in IPV4_COMPATIBLE and int(address) > 1
    ):  # 0 is unspecified, 1 is loopback
        yield IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
