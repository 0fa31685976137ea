"""What a client is made of, and what else it does: pages, its URL, and that it stands on its own."""

import asyncio
import re
import ssl
import subprocess
import sys

import httpx
import pytest
from pytest_django.live_server_helper import LiveServer

from review.client import operations as call
from review.client.clients import AsyncClient, Client
from review.client.errors import ConnectionFailedError
from review.client.models import JudgeIn
from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Cause
from tests.api.conftest import NOON, History, MakeTarget, finding
from tests.client.conftest import run
from tests.client.faulty_proxy import Answer, FaultyProxy
from tests.database import ROOT


@pytest.mark.django_db(transaction=True)
def test_each_walks_through_all_pages(proxy: FaultyProxy, key: str, make_target: MakeTarget) -> None:
    names = [make_target(f"target {number}").name for number in range(5)]
    proxy.faults = ["pass", Answer(503)]
    with Client(proxy.url, key) as client:
        assert [row.name for row in client.each(call.targets(limit=2))] == names

    async def awaited() -> list[str]:
        async with AsyncClient(proxy.url, key) as client:
            return [row.name async for row in client.each(call.targets(limit=2))]

    assert run(awaited()) == names
    assert len(proxy.seen) == 3 + 1 + 3


def raising(fault: BaseException) -> httpx.MockTransport:
    def refuse(_: httpx.Request) -> httpx.Response:
        raise fault

    return httpx.MockTransport(refuse)


def test_a_wrong_certificate_is_not_tried_again() -> None:
    fault = httpx.ConnectError("it is of another host")
    fault.__cause__ = ssl.SSLCertVerificationError()
    slept: list[float] = []
    client = Client("https://gadfly.example", "a key", transport=raising(fault), sleep=slept.append)
    with client, pytest.raises(ConnectionFailedError, match="it is of another host"):
        client.send(call.targets())
    assert slept == []


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), asyncio.CancelledError(), RuntimeError("a fault of ours")])
def test_what_ends_the_script_is_no_reason_to_try_again(fault: BaseException) -> None:
    slept: list[float] = []
    client = Client("https://gadfly.example", "a key", transport=raising(fault), sleep=slept.append)
    with client, pytest.raises(type(fault)):
        client.send(call.targets())
    assert slept == []


@pytest.mark.django_db(transaction=True)
def test_several_are_awaited_at_once(proxy: FaultyProxy, key: str) -> None:
    async def awaited() -> list[bool]:
        async with AsyncClient(proxy.url, key) as client:
            found = await asyncio.gather(*(client.send(call.tuning()) for _ in range(4)))
        return [one.enabled for one in found]

    assert run(awaited()) == [True] * 4


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "ftp://gadfly.example",
        "http://",
        "http://host:port",
        "//gadfly",
        "http://host/x?y=1",
        "http://host/#z",
    ],
)
def test_what_is_no_base_url_is_refused_when_the_client_is_made(url: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match="the base URL"):
            kind(url, "a key")


def test_only_what_was_given_is_sent() -> None:
    """Of `dismiss_all`, naming a verdict or not makes a difference."""
    operation = call.judge_cause(7, JudgeIn(verdict="accepted", reason=""))
    assert operation.body is not None
    assert operation.body.model_dump_json(exclude_unset=True) == '{"verdict":"accepted","reason":""}'


def test_each_change_has_a_key_of_its_own() -> None:
    asked = JudgeIn(verdict="accepted")
    assert call.judge_cause(7, asked).key != call.judge_cause(7, asked).key
    assert call.cause(7).key is None
    assert call.cause(7).may_repeat


@pytest.mark.django_db(transaction=True)
def test_the_example_of_the_readme_accepts_what_is_slow(
    live_server: LiveServer, key: str, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.flagged("comets")
    slow = history.combination("tin")
    history.run(slow, NOON, [finding(CheckName.LATENCY_OUTLIER)])
    assign_causes(history.target, NOON)
    [example] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert len(example.splitlines()) <= 11  # one of them is empty
    monkeypatch.setenv("KEY", key)
    exec(example.replace("http://127.0.0.1:8000", live_server.url), {})
    verdicts = {cause.checks[0]: cause.verdict for cause in Cause.objects.all()}
    assert verdicts == {"crash": None, "latency_outlier": "accepted"}


@pytest.mark.process
def test_it_needs_neither_django_nor_settings() -> None:
    script = (
        "import sys; import review.client.clients, review.client.operations;"
        "found = {'django', 'ninja', 'selftest', 'review.settings'} & set(sys.modules);"
        "sys.exit(str(found) if found else 0)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env={}, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
