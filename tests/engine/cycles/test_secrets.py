"""A target that sends everything back that it was sent: none of its secrets is stored, logged or shown."""

import base64
import json
import logging
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.apps import apps
from django.db import connection
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from selftest.cycles.runner import Status
from selftest.models import Combination, Cycle, Flag, Probe, Run, Target
from selftest.operating.connection_test import check_now
from selftest.targets.redaction import HIDDEN
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle

KEY = "sesame/opens+4711"
TOKEN = "tok_51Hxy-9876543210"
COOKIE = "0123456789abcdef"

pytestmark = pytest.mark.django_db


def _echo(request: Request) -> str:
    """The headers as a debugging router shows them, and each secret in other spellings."""
    key = request.headers["X-Api-Key"]
    login = base64.b64encode(f"gadfly:{key}".encode()).decode()
    return f"{dict(request.headers)} {quote(key, safe='')} Basic {login} {json.dumps(key)} {key.encode().hex()}"


@pytest.fixture
def echoing(httpserver: HTTPServer, make_target: MakeTarget) -> Iterator[Target]:
    def answer(request: Request) -> Response:
        echo = _echo(request)
        match sum(map(ord, request.json["query"])) % 4:
            case 0:
                document = {"success": False, "error": echo, "result": echo, "source_used": echo[:150]}
                return Response(json.dumps(document))
            case 1:
                return Response(echo, 500)
            case 2:
                return Response(json.dumps({"result": echo, "source_used": f"by {request.headers['X-Api-Key']}"}))
        return Response(echo + "x" * 3000)

    httpserver.expect_request("/search", "POST").respond_with_handler(answer)
    httpserver.expect_request("/health").respond_with_handler(
        lambda request: Response("{}", headers={"X-Version": f"7 for {request.headers['X-Api-Key']}"})
    )
    return make_target(
        kind=Target.Kind.HTTP,
        dotted_path="",
        base_url=httpserver.url_for("").rstrip("/"),
        api_key=KEY,
        headers="X-Team: search quality",
        secret_headers=f"Authorization: Bearer {TOKEN}\nCookie: session={COOKIE}; theme=dark",
    )


def _everything_stored() -> str:
    """All rows of all tables, as the database holds them."""
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')
            found += [str(row) for row in cursor.fetchall()]
    return "\n".join(found)


def _assert_nothing_of_it(text: str) -> None:
    for secret in (KEY, TOKEN, COOKIE, quote(KEY, safe=""), KEY.encode().hex(), json.dumps(KEY)):
        assert secret not in text
    for before in ("", "x", "xx"):
        encoded = base64.b64encode(f"{before}{KEY}".encode()).decode()
        assert encoded[4:-4] not in text


def test_no_secret_is_stored_or_logged_by_a_cycle(
    echoing: Target, cycle_on: RunCycle, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    outcome = cycle_on(echoing, 24)
    assert (outcome.status, outcome.queries_run) == (Status.RAN, 24)
    assert Flag.objects.exists()
    assert Probe.objects.exists()
    assert Run.objects.filter(result__contains=HIDDEN).exists()
    assert Run.objects.filter(error__contains=HIDDEN).exists()
    assert Run.objects.filter(source_used=f"by {HIDDEN}").exists()
    assert Combination.objects.filter(last_flagged_result_excerpt__contains=HIDDEN).exists()
    assert Cycle.objects.get().target_version == f"7 for {HIDDEN}"
    assert "search quality" in Run.objects.filter(result__contains="X-Team").values_list("result", flat=True)[0]
    _assert_nothing_of_it(_everything_stored())
    _assert_nothing_of_it(caplog.text)


def test_no_secret_is_shown_by_the_connection_test(echoing: Target) -> None:
    trial = check_now(echoing)
    assert HIDDEN in trial.lines + trial.error
    _assert_nothing_of_it(repr(trial))


def test_a_saved_target_and_its_history_hold_no_secret(echoing: Target) -> None:
    Target.objects.get().save()
    assert Target.history.count() == 2
    _assert_nothing_of_it(_everything_stored())
    read = Target.objects.get()
    assert (read.api_key, read.secret_headers.splitlines()[0]) == (KEY, f"Authorization: Bearer {TOKEN}")
