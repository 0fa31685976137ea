"""No target is at a link-local, metadata, unspecified or multicast address, however that is written or resolved."""

import json
import socket
import ssl
from ipaddress import ip_address

import httpx
import pytest

from selftest.targets.base import TargetAway
from selftest.targets.http.addresses import literal_address, refusal
from selftest.targets.http.settings import HttpSettings
from selftest.targets.http.target import HttpTarget
from tests.targets.http.scripts import GOOD, says

METADATA = "169.254.169.254"
SAME_ADDRESS = [
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "169.254.169.254.",
    "169.254.43518",
    "169.16689662",
    "0xa9.254.0251.254",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::169.254.169.254]",
    "[64:ff9b::169.254.169.254]",
    "[2002:a9fe:a9fe::1]",
    "169。254。169。254",
]
REFUSED = [
    *("169.254.1.1", "[fe80::1]", "[fd00:ec2::254]", "[fd20:ce::254]", "100.100.100.200", "168.63.129.16"),
    *("192.0.0.192", "0.0.0.0", "0.1.2.3", "0", "[::]", "224.0.0.1", "[ff02::1]", "255.255.255.255", "240.0.0.1"),
]
PRIVATE = ["127.0.0.1", "127.1", "[::1]", "10.0.0.1", "172.16.3.4", "192.168.1.1", "[fd12:3456::1]", "100.64.0.1"]
PUBLIC = ["1.1.1.1", "8.8.8.8", "[2606:4700::1111]", "[::ffff:8.8.8.8]"]


@pytest.mark.parametrize("host", [*SAME_ADDRESS, *REFUSED])
def test_such_an_address_is_refused_in_every_spelling(host: str) -> None:
    with pytest.raises(ValueError, match=r"^base_url: .* is .*; nothing may be sent there"):
        HttpSettings(f"http://{host}:8000")


@pytest.mark.parametrize("host", ["0251.0376.0251.0376", "①⑥⑨.254.169.254"])
def test_a_spelling_that_no_url_may_have_is_refused_too(host: str) -> None:
    with pytest.raises(ValueError, match=r"^base_url: "):
        HttpSettings(f"http://{host}")


@pytest.mark.parametrize("host", [*PRIVATE, *PUBLIC, "localhost", "search.example", "169.254.example"])
def test_private_and_public_addresses_and_names_are_allowed(host: str) -> None:
    assert HttpSettings(f"http://{host}").base_url == f"http://{host}"


@pytest.mark.parametrize("host", [*PRIVATE, "2130706433", "0x7f.1", "[::ffff:10.0.0.1]", "[64:ff9b::10.0.0.1]"])
def test_without_private_targets_loopback_and_private_addresses_are_refused(host: str) -> None:
    with pytest.raises(ValueError, match="TARGET_PRIVATE=false allows public addresses only"):
        HttpSettings(f"http://{host}", allows_private=False)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("fd00:ec2::23", "the metadata service of a cloud"),
        ("fd00:c1::a9fe:a9fe", "the metadata service of a cloud"),
        ("fd00:42::42", "the metadata service of a cloud"),
        ("64:ff9b:1::a9fe:a9fe", "the metadata service of a cloud"),
        ("::ffff:0:a9fe:a9fe", "the metadata service of a cloud"),
        ("4000::1", "a reserved address"),
        ("fec0::1", "a private address"),
        ("64:ff9b:1::a00:1", "a private address"),
    ],
)
def test_rarer_ranges_of_ipv6_are_known(address: str, reason: str) -> None:
    assert refusal(ip_address(address), allows_private=False) == reason


@pytest.mark.parametrize("host", PUBLIC)
def test_without_private_targets_public_addresses_are_allowed(host: str) -> None:
    assert HttpSettings(f"http://{host}", allows_private=False).base_url == f"http://{host}"


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0x7f000001"])
def test_an_address_is_read_as_the_resolver_reads_it(host: str) -> None:
    assert str(literal_address(host)) == "127.0.0.1"


@pytest.mark.parametrize("host", ["localhost", "router.test", "1.2.3.4.example", ""])
def test_a_name_is_no_address(host: str) -> None:
    assert literal_address(host) is None


def test_a_reason_names_the_kind_of_address() -> None:
    assert refusal(ip_address(METADATA), True) == "the metadata service of a cloud"
    assert refusal(ip_address("fe80::1%eth0"), True) == "a link-local address"
    assert refusal(ip_address("127.0.0.1"), False) == "loopback"
    assert refusal(ip_address("127.0.0.1"), True) == ""


# --- after DNS, where it is connected to ---


@pytest.fixture
def resolving(monkeypatch: pytest.MonkeyPatch):
    """What names resolve to, from one look-up to the next; what is connected to is noted."""
    usual = socket.getaddrinfo

    def resolve(**answers: list[list[str]]) -> None:
        left = {f"{name}.test": list(addresses) for name, addresses in answers.items()}

        def getaddrinfo(host, port, *args, **kwargs):
            if host not in left:
                return usual(host, port, *args, **kwargs)
            now = left[host].pop(0) if len(left[host]) > 1 else left[host][0]
            return [found for address in now for found in usual(address, port, type=socket.SOCK_STREAM)]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)

    return resolve


@pytest.mark.parametrize("address", [METADATA, "::ffff:169.254.169.254", "fe80::1", "0.0.0.0", "fd00:ec2::254"])
def test_a_name_that_resolves_there_is_not_connected_to(resolving, target_at, address: str) -> None:
    resolving(router=[[address]])
    with pytest.raises(TargetAway, match=r"router\.test is .*; nothing may be sent there"):
        target_at("http://router.test").ask("hello")
    reached = target_at("http://router.test", health_path="").reach()
    assert (reached.reachable, "nothing may be sent there" in reached.detail) == (False, True)


def test_without_private_targets_a_name_of_this_machine_is_not_connected_to(target_at, server) -> None:
    server.scripts["/search"] = says(GOOD)
    with pytest.raises(TargetAway, match="TARGET_PRIVATE=false"):
        target_at(server.url.replace("127.0.0.1", "localhost"), allows_private=False).ask("hello")
    assert server.requests == []


def test_a_name_that_changes_between_two_look_ups_is_looked_at_each_time(resolving, target_at, server) -> None:
    server.scripts["/search"] = says(GOOD)
    resolving(router=[["127.0.0.1"], [METADATA]])
    target = target_at(server.url.replace("127.0.0.1", "router.test"))
    assert target.ask("hello").error is None
    with pytest.raises(TargetAway, match="the metadata service of a cloud"):
        target.ask("hello")


def test_the_allowed_one_of_several_addresses_is_used_and_the_name_is_sent(resolving, target_at, server) -> None:
    server.scripts["/search"] = says(GOOD)
    resolving(router=[["fe80::1", METADATA, "127.0.0.1"]])
    url = httpx.URL(server.url.replace("127.0.0.1", "router.test"))
    assert target_at(str(url)).ask("hello").result == GOOD["result"]
    assert server.asked("/search")[0].headers["host"] == f"router.test:{url.port}"


def test_the_next_address_is_tried_where_the_first_does_not_answer(resolving, target_at, server) -> None:
    server.scripts["/search"] = says(GOOD)
    resolving(router=[["127.0.0.2", "127.0.0.1"]])  # the server listens at the second alone
    assert target_at(server.url.replace("127.0.0.1", "router.test")).ask("hello").error is None


def test_a_redirect_to_such_an_address_is_not_followed(ask, server) -> None:
    redirect = f"HTTP/1.1 302 Found\r\nLocation: http://{METADATA}/\r\nContent-Length: 0\r\n\r\n".encode()

    def script(conversation) -> None:
        conversation.send(redirect)

    answer = ask(script)
    assert answer.error == f"HTTP 302: a redirect to http://{METADATA}/; redirects are not followed"


def test_a_tls_server_is_asked_by_its_name(resolving, dripping_tls, monkeypatch) -> None:
    url, _ = dripping_tls
    names = []
    resolving(router=[["127.0.0.1"]])
    usual = ssl.SSLContext.wrap_socket

    def wrap_socket(self, sock, *args, server_hostname=None, **kwargs):
        names.append(server_hostname)
        return usual(self, sock, *args, server_hostname=server_hostname, **kwargs)

    monkeypatch.setattr(ssl.SSLContext, "wrap_socket", wrap_socket)
    target = HttpTarget(HttpSettings(url.replace("127.0.0.1", "router.test"), time_limit_s=5.0))
    with pytest.raises(TargetAway, match=r"(?i)certificate"):
        target.ask(json.dumps("hello"))
    target.close()
    assert "router.test" in names
