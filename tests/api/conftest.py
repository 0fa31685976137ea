"""What the tests of the API share: targets, a key, callers, and rows as the engine itself records them."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any

import httpx
import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.http import HttpResponse
from django.test import Client

from review.client import operations as call
from review.client.clients import Client as Gadfly
from review.client.operations import Operation
from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName, Finding
from selftest.cycles.recording import record
from selftest.models import Combination, Cycle, Run, Target
from selftest.operating.keys import make_api_key
from selftest.operating.vocabularies import import_vocabulary
from selftest.storage.texts import sha256_hex
from tests.roles import give
from tests.vocabularies import example_document

NOON = datetime(2026, 6, 30, 12, 0, 0, 987_654, tzinfo=UTC)
ROUTERS = "tests.api.routers"

Error = dict[str, Any]


class _InProcess(httpx.BaseTransport):
    """What the product's client sends goes to Django's test client, with its key or session, and into no socket."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        headers = {name: value for name, value in request.headers.items() if name in ("idempotency-key", "accept")}
        path = request.url.raw_path.decode("ascii")
        kind = request.headers.get("content-type", "application/octet-stream")
        answer = self._client.generic(request.method, path, request.read(), kind, headers=headers)
        return httpx.Response(answer.status_code, headers=dict(answer.items()), content=answer.content)


def answer_to(client: Client, operation: Operation[Any]) -> Any:
    """What the product's own client makes of the answer, as JSON. Raises its CallError."""
    with Gadfly("http://testserver", "the test client has it", transport=_InProcess(client)) as gadfly:
        return gadfly.send(operation).model_dump(mode="json", by_alias=True)


def reading(path: str, **query: Any) -> Operation[Any]:
    """`flags` → the call for all flags; `runs/7` → the one for that run."""
    name, _, number = path.partition("/")
    return getattr(call, name.removesuffix("s"))(int(number), **query) if number else getattr(call, name)(**query)


def error_of(response: HttpResponse, status: int) -> Error:
    """The error of an answer in the one shape, and in no other."""
    assert response.status_code == status, response.content
    assert response["Content-Type"].partition(";")[0] == "application/json"
    document = json.loads(response.content)
    assert list(document) == ["error"]
    assert list(document["error"]) == ["code", "message", "field"]
    assert isinstance(document["error"]["message"], str)
    assert document["error"]["message"]
    return document["error"]


def minutes(count: int) -> timedelta:
    return timedelta(minutes=count)


@pytest.fixture
def key(db: None) -> str:
    return make_api_key("script")


@pytest.fixture
def caller(key: str) -> Client:
    """A script with a key. CSRF is enforced, as in real life: it needs no token."""
    return Client(enforce_csrf_checks=True, headers={"X-API-Key": key})


@pytest.fixture
def anyone() -> Client:
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def person(db: None) -> User:
    return give(User.objects.create_user("ada"), "reviewer")


@pytest.fixture
def signed_in(person: User) -> Client:
    """A browser with a session, whose every change needs the token."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    return client


@pytest.fixture
def csrf_token(signed_in: Client) -> dict[str, str]:
    """The header that makes a change by the session a wanted one."""
    token = "a" * 32
    signed_in.cookies["csrftoken"] = token
    return {"X-CSRFToken": token}


MakeTarget = Callable[..., Target]


@pytest.fixture
def make_target(db: None) -> MakeTarget:
    def make(name: str = "household", route: str = "answering", **columns: Any) -> Target:
        kind = {"kind": Target.Kind.PYTHON, "dotted_path": f"{ROUTERS}.{route}"}
        target = Target.objects.create(**{"name": name, **kind, **columns})
        import_vocabulary(target, example_document(), NOON)
        return target

    return make


@pytest.fixture
def target(make_target: MakeTarget) -> Target:
    """The default one."""
    return make_target(is_default=True)


def finding(check: CheckName = CheckName.CRASH, summary: str = "it broke") -> Finding:
    return Finding(check, summary, "an answer", "none", "the whole answer")


@dataclass
class History:
    """Writes what cycles would have, at the times that a test wants."""

    target: Target
    cycle: Cycle = field(init=False)
    asked: int = 0

    def __post_init__(self) -> None:
        self.cycle = Cycle.objects.create(
            target=self.target,
            trigger=Cycle.Trigger.SCHEDULE,
            state=Cycle.State.FINISHED,
            seed=7,
            queries_wanted=8,
            vocabulary=self.target.vocabularies.get(),
            target_version="1.2",
            created_at=NOON,
            started_at=NOON,
            finished_at=NOON,
        )

    def combination(self, topic: str, recipe: str = "no_intent_fallthrough") -> Combination:
        fingerprint = json.dumps([f"topic:{topic}"])
        return Combination.objects.create(
            target=self.target,
            fingerprint=fingerprint,
            fingerprint_sha256=sha256_hex(fingerprint),
            recipe_name=recipe,
            query={"recipe": recipe, "parts": [["topic", topic, ""]]},
            first_seen_timestamp=NOON,
            last_query_text=topic,
        )

    def run(
        self, combination: Combination, at: datetime = NOON, findings: Sequence[Finding] = (), result: str = "Found it."
    ) -> Run:
        """One asking, recorded by the engine."""
        run = Run.objects.create(
            cycle=self.cycle,
            target=self.target,
            combination=combination,
            recipe_name=combination.recipe_name,
            place=self.asked,
            query=combination.query,
            query_text=combination.last_query_text,
            state=Run.State.ASKING,
            asked_at=at,
        )
        self.asked += 1
        assert record(run, Answer(result, "kiwix", 12.5), findings, at)
        combination.refresh_from_db()
        return run

    def flagged(self, topic: str, at: datetime = NOON, **more: Any) -> Combination:
        combination = self.combination(topic)
        self.run(combination, at, [finding()], **more)
        return combination


@pytest.fixture
def history(target: Target) -> History:
    return History(target)


def at_once(*calls: Callable[[Client], Any]) -> list[int]:
    """The statuses, sorted, of calls that are sent at the same time, each by a script with a key."""
    key = make_api_key("script")
    barrier = Barrier(len(calls))

    def call(one: Callable[[Client], Any]) -> int:
        try:
            barrier.wait(60)
            status: int = one(Client(headers={"X-API-Key": key})).status_code
            return status
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return sorted(pool.map(call, calls))
