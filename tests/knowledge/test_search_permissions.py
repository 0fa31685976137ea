"""A search finds what its user may open, and nothing else: by page, box, API with a session or a key, and command."""

import io
import itertools
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client

from selftest.evaluation import saving as pairs
from selftest.knowledge.core.chunks import LIVE, Chunk, Kind
from selftest.knowledge.index import writing
from selftest.knowledge.live.wording import key_of
from selftest.models import Combination, Cycle, Target
from selftest.operating.keys import make_api_key
from tests.api.search_calls import QUERY, send
from tests.evaluation.pairs import CLEO, content, made_pair
from tests.findings.conftest import save
from tests.review import factory
from tests.roles import give

pytestmark = pytest.mark.django_db

WORD = "harbour"
_numbers = itertools.count()
Found = Mapping[str, str]  # ids of results, each with the address that it opens


def of_role(*roles: str) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(give(User.objects.create_user(" ".join(("who", *roles))), *roles))
    client.cookies["csrftoken"] = "a" * 32
    return client


def on_page(client: Client, q: str) -> Found:
    return _links(client.get("/search", {"q": q}))


def in_box(client: Client, q: str) -> Found:
    return _links(client.get("/search", {"q": q}, headers={"HX-Request": "true", "HX-Target": "search-box-results"}))


def _links(response: HttpResponse) -> Found:
    assert response.status_code == 200
    return {hit: url for url, hit in re.findall(r'<a href="([^"]*)" data-hit="([^"]*)"', response.content.decode())}


def by_session(client: Client, q: str) -> Found:
    return _of(send(client, QUERY, {"q": q, "k": 50}, **{"X-CSRFToken": "a" * 32}).json())


def by_key(_: Client, q: str) -> Found:
    script = Client(headers={"X-API-Key": make_api_key(f"script {next(_numbers)}")})
    return _of(send(script, QUERY, {"q": q, "k": 50}).json())


def by_command(_: Client, q: str) -> Found:
    out = io.StringIO()
    call_command("search", q, "--k", "50", "--json", stdout=out)
    return _of(json.loads(out.getvalue()))


def _of(document: Any) -> Found:
    return {each["id"]: next(act["url"] for act in each["actions"] if act["url"]) for each in document["results"]}


WAYS = (on_page, in_box, by_session, by_key, by_command)
Way = Callable[[Client, str], Found]


@pytest.fixture
def rows() -> dict[Kind, int]:
    """One row of each live kind, with the word in it."""
    target = factory.make_target(f"{WORD} router")
    target.kind, target.base_url = Target.Kind.HTTP, "https://vera:qwxplover@router.example/ask?key=zxyzzytop"
    target.api_key, target.secret_headers = "qfrobnitz", "X-Secret: jgrimbletok"
    target.save()
    return {
        Kind.CAUSE: factory.make_cause(sentence=f"a query about the {WORD}", checks=["part_lost"]).pk,
        Kind.FLAG: factory.flagged(f"weather in the {WORD}").pk,
        Kind.FINDING: save(f"Always name the {WORD} first.").finding.pk,
        Kind.GOLDEN_PAIR: made_pair(f"{WORD} pair", target, content(f"news of the {WORD}", sources=("news",))).pk,
        Kind.CYCLE: factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, f"the {WORD} refused").pk,
        Kind.TARGET: target.pk,
    }


@pytest.mark.parametrize("way", WAYS)
def test_a_viewer_can_open_all_that_is_found_of_each_live_kind(way: Way, rows: dict[Kind, int]) -> None:
    viewer = of_role("viewer")
    found = way(viewer, WORD)
    assert set(rows) == LIVE
    assert {key_of(kind, pk) for kind, pk in rows.items()} <= found.keys()
    for key, url in found.items():
        page = viewer.get(url)
        assert page.status_code == 200, (key, url)
        assert WORD in page.content.decode(), (key, url)
    target = viewer.get(f"/targets/{rows[Kind.TARGET]}").content.decode()
    assert "router.example" in target  # as its piece has it
    assert "qwxplover" not in target


@pytest.mark.parametrize("way", WAYS)
def test_what_a_row_hides_from_every_page_is_in_no_result(way: Way, rows: dict[Kind, int]) -> None:
    """Neither an answer of a router nor any secret is found by its words, nor shown with what is found by others."""
    viewer = of_role("viewer")
    answered = factory.flagged("weather on the pier", result="zephyrine is the answer")
    for said in ("zephyrine", "qwxplover", "zxyzzytop", "qfrobnitz", "jgrimbletok"):
        assert key_of(Kind.FLAG, answered.pk) not in way(viewer, said)
        assert key_of(Kind.TARGET, rows[Kind.TARGET]) not in way(viewer, said), said


@pytest.mark.parametrize("way", WAYS)
def test_what_is_gone_or_put_away_is_found_by_no_one(way: Way, rows: dict[Kind, int]) -> None:
    admin = of_role("admin")
    assert key_of(Kind.FINDING, rows[Kind.FINDING]) in way(admin, WORD)
    pair = pairs.GoldenPair.objects.get(pk=rows[Kind.GOLDEN_PAIR])
    pairs.archive(pair, CLEO, "too easy", 1)
    save(f"Never name the {WORD} first.")  # supersedes the one that says the opposite
    Combination.objects.all().delete()
    found = way(admin, WORD)
    for kind in (Kind.GOLDEN_PAIR, Kind.FINDING, Kind.FLAG):
        assert key_of(kind, rows[kind]) not in found, kind
    assert key_of(Kind.CAUSE, rows[Kind.CAUSE]) in found


@pytest.mark.parametrize("kind", list(Kind))
def test_of_any_kind_what_is_for_admins_is_found_by_admins_alone(kind: Kind) -> None:
    writing.put([Chunk(f"{kind}:secret", kind, "Zephyrine", "A zephyrine.", url="/status", for_admins=True)])
    for role, sees in (("viewer", False), ("reviewer", False), ("admin", True)):
        client = of_role(role)
        for way in (on_page, in_box, by_session):
            assert (f"{kind}:secret" in way(client, "zephyrine")) is sees, (role, way)
    assert f"{kind}:secret" not in by_key(client, "zephyrine")


def test_without_a_role_nothing_can_be_searched(rows: dict[Kind, int]) -> None:
    none = of_role()
    assert none.get("/search", {"q": WORD}).status_code == 403
    assert send(none, QUERY, {"q": WORD}, **{"X-CSRFToken": "a" * 32}).status_code == 403
    assert Client().get("/search", {"q": WORD}).status_code == 302
