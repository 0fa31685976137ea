"""The connection test: it says in plain words what it found, whatever a target is or does."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_httpserver import HTTPServer

from selftest.models import Run, Target
from selftest.operating import connection_test
from selftest.operating.vocabularies import import_vocabulary
from tests.admin.conftest import page_of, text_of
from tests.vocabularies import example_document

pytestmark = pytest.mark.django_db


def _try(client: Client, target: Target) -> str:
    response = client.post(reverse("admin:selftest_target_connection", args=[target.pk]))
    assert response.status_code == 200
    return " ".join(text_of(response).split())


def _python(route: str) -> Target:
    return Target.objects.create(name=route, kind="python", dotted_path=f"tests.admin.routers.{route}")


def _http(httpserver: HTTPServer, **columns: Any) -> Target:
    return Target.objects.create(name="over http", kind="http", base_url=httpserver.url_for("").rstrip("/"), **columns)


def test_a_target_that_answers_is_shown_with_its_version_latency_and_first_lines(
    admin_client: Client, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/health").respond_with_json({"version": "4.2"}, headers={"X-Version": "4.2"})
    answer = {"source_used": "forecast", "result": "Rain <later>.\nThen sun.", "success": True}
    httpserver.expect_request("/search", method="POST", headers={"X-Selftest": "1"}).respond_with_json(answer)
    page = _try(admin_client, _http(httpserver))
    assert "Reachable and answering." in page
    assert "<dd>4.2</dd>" in page
    assert "<dt>Latency</dt>" in page
    assert "Rain &lt;later&gt;. Then sun." in page
    assert "<dt>HTTP status</dt><dd>200</dd>" in page


def test_one_plain_query_of_the_vocabulary_is_asked(admin_client: Client, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/health").respond_with_json({})
    answer = {"source_used": "x", "result": "y"}
    sources = example_document()["sources"]
    question = {"query": sources[min(sources)][0], "source": "auto"}
    httpserver.expect_oneshot_request("/search", method="POST", json=question).respond_with_json(answer)
    target = _http(httpserver)
    import_vocabulary(target, example_document())
    assert "Reachable and answering." in _try(admin_client, target)
    httpserver.check()
    assert len(httpserver.log) == 2


def test_a_health_page_that_answers_anything_counts_and_the_page_says_so(
    admin_client: Client, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/health").respond_with_data("", status=501)
    httpserver.expect_request("/search").respond_with_json({"source_used": "x", "result": "y"})
    page = _try(admin_client, _http(httpserver))
    assert "Reachable and answering." in page
    assert "HTTP 501 (any HTTP answer except 502, 503 and 504 counts)" in page


def test_a_target_that_is_away_is_said_to_be_away(admin_client: Client, http_target: Target) -> None:
    page = _try(admin_client, http_target)
    assert "Not reachable." in page
    assert "GET http://127.0.0.1:9/health" in page
    assert "<dt>Query</dt>" not in page


def test_a_proxy_that_finds_nobody_is_an_outage(admin_client: Client, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/health").respond_with_json({})
    httpserver.expect_request("/search").respond_with_data("", status=503)
    page = _try(admin_client, _http(httpserver))
    assert "Reachable, but it cannot be asked." in page
    assert "<dt>Refused</dt>" in page
    assert "HTTP 503" in page


def test_a_crash_is_told_from_an_outage(admin_client: Client, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/health").respond_with_json({})
    httpserver.expect_request("/search").respond_with_data("Internal error in <merge>", status=500)
    page = _try(admin_client, _http(httpserver))
    assert "Reachable, but its answer is a crash." in page
    assert "<dt>Crash</dt>" in page
    assert "500" in page
    assert "&lt;merge&gt;" in page


def test_a_target_that_echoes_the_key_does_not_put_it_on_the_page(admin_client: Client, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/health").respond_with_json({})
    answer = {"source_used": "echo", "result": "you sent sesame-opens-4711"}
    httpserver.expect_request("/search").respond_with_json(answer)
    page = _try(admin_client, _http(httpserver, api_key="sesame-opens-4711"))
    assert "you sent ••••" in page
    assert "sesame" not in page


def test_an_answer_with_other_fields_shows_which_it_has(admin_client: Client, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/health").respond_with_json({})
    httpserver.expect_request("/search").respond_with_json({"answer": "sun", "meta": {"origin": "forecast"}})
    page = _try(admin_client, _http(httpserver))
    assert "is missing; the answer has: answer, meta, meta.origin" in page


def test_a_python_function_that_is_not_allowed_is_not_called(admin_client: Client, settings: Any) -> None:
    settings.PYTHON_TARGETS = ("mypackage.routers",)
    page = _try(admin_client, _python("answers"))
    assert "PYTHON_TARGETS" in page
    assert "only mypackage.routers now" in page
    assert "is heard" not in page


def test_a_python_function_is_asked(admin_client: Client) -> None:
    page = _try(admin_client, _python("answers"))
    assert "Reachable and answering." in page
    assert "<dd>router-7</dd>" in page
    assert "&lt;b&gt;hello&lt;/b&gt; is heard" in page


def test_a_python_function_that_raises_is_a_crash_with_its_words(admin_client: Client) -> None:
    page = _try(admin_client, _python("crashes"))
    assert "Reachable, but its answer is a crash." in page
    assert "LookupError: no worker left in the pool" in page


def test_only_the_first_lines_of_a_long_answer_are_shown(admin_client: Client) -> None:
    page = _try(admin_client, _python("talks_long"))
    assert "line 12 …" in page
    assert "line 13" not in page


def test_a_function_that_has_gone_since_is_said_to_be_gone(admin_client: Client) -> None:
    page = _try(admin_client, _python("gone"))
    assert "Not reachable." in page
    assert "&#x27;tests.admin.routers&#x27; has no &#x27;gone&#x27;" in page


def test_a_failure_of_our_own_is_not_blamed_on_the_target(
    admin_client: Client, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(connection_test, "open_target", fail)
    page = _try(admin_client, target)
    assert "Gadfly itself failed (ZeroDivisionError)" in page


def test_the_action_of_the_list_tries_each_chosen_target(
    admin_client: Client, target: Target, http_target: Target
) -> None:
    listing = reverse("admin:selftest_target_changelist")
    chosen = {"action": "test_the_connection", "_selected_action": [target.pk, http_target.pk]}
    page = text_of(admin_client.post(listing, chosen))
    assert page.count("Reachable and answering.") == 1
    assert page.count("Not reachable.") == 1


def test_a_trial_is_asked_for_and_leaves_nothing_behind(admin_client: Client, target: Target) -> None:
    by_its_address = admin_client.get(reverse("admin:selftest_target_connection", args=[target.pk]))
    assert by_its_address["Location"] == page_of(target)
    _try(admin_client, target)
    assert not Run.objects.exists()


def test_a_target_that_does_not_exist_is_not_found(admin_client: Client) -> None:
    assert admin_client.post(reverse("admin:selftest_target_connection", args=[404])).status_code == 404
