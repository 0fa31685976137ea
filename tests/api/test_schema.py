"""Calls made up from the OpenAPI document: whatever is sent, the answer is one that the document tells of."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import override_settings
from hypothesis import HealthCheck, Phase, given, settings
from pytest_django import DjangoDbBlocker
from schemathesis.config import SchemathesisConfig
from schemathesis.generation import GenerationMode

from review.wsgi import application
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Tuning
from tests.api.conftest import NOON, History

pytestmark = [pytest.mark.django_db, pytest.mark.slow("makes up API calls")]

SCHEMA_PATH = "/api/v1/openapi.json"
CALLS = [
    ("GET", "/health"),
    ("GET", "/metrics"),
    ("GET", "/adversarial/flagged"),
    ("POST", "/adversarial/trigger"),
    ("POST", "/adversarial/dismiss"),
    ("POST", "/adversarial/undismiss"),
    ("GET", "/api/v1/targets"),
    ("GET", "/api/v1/combinations"),
    ("GET", "/api/v1/combinations/{combination_id}"),
    ("POST", "/api/v1/combinations/{combination_id}/reduce"),
    ("GET", "/api/v1/combinations/{combination_id}/reductions"),
    ("GET", "/api/v1/causes"),
    ("GET", "/api/v1/causes/{cause_id}"),
    ("GET", "/api/v1/causes/{cause_id}/flags"),
    ("POST", "/api/v1/causes/{cause_id}/judge"),
    ("POST", "/api/v1/causes/{cause_id}/reopen"),
    ("POST", "/api/v1/causes/{cause_id}/assign"),
    ("GET", "/api/v1/targets/{target_id}/suggestions"),
    ("POST", "/api/v1/targets/{target_id}/suggestions/accept"),
    ("POST", "/api/v1/targets/{target_id}/suggestions/refuse"),
    ("GET", "/api/v1/comparisons"),
    ("POST", "/api/v1/comparisons"),
    ("GET", "/api/v1/comparisons/{comparison_id}"),
    ("POST", "/api/v1/comparisons/{comparison_id}/stop"),
    ("GET", "/api/v1/pairs"),
    ("POST", "/api/v1/pairs"),
    ("GET", "/api/v1/pairs/{pair_id}"),
    ("POST", "/api/v1/pairs/{pair_id}/edit"),
    ("POST", "/api/v1/pairs/{pair_id}/rebaseline"),
    ("POST", "/api/v1/pairs/{pair_id}/archive"),
    ("POST", "/api/v1/pairs/{pair_id}/restore"),
    ("GET", "/api/v1/reports"),
    ("GET", "/api/v1/reports/{report_id}"),
    ("GET", "/api/v1/drift"),
    ("GET", "/api/v1/drift/alerts"),
    ("GET", "/api/v1/drift/{series_id}"),
    ("GET", "/api/v1/findings"),
    ("POST", "/api/v1/findings"),
    ("GET", "/api/v1/findings/{finding_id}"),
    ("DELETE", "/api/v1/findings/{finding_id}"),
    ("POST", "/api/v1/findings/{finding_id}/example"),
    ("DELETE", "/api/v1/findings/{finding_id}/example"),
    ("POST", "/api/v1/findings/{finding_id}/undo"),
    ("GET", "/api/v1/proposals"),
    ("POST", "/api/v1/proposals/{proposal_id}/accept"),
    ("POST", "/api/v1/proposals/{proposal_id}/refuse"),
    ("GET", "/api/v1/runs"),
    ("GET", "/api/v1/runs/{run_id}"),
    ("GET", "/api/v1/explained"),
    ("GET", "/api/v1/flags"),
    ("GET", "/api/v1/cycles"),
    ("GET", "/api/v1/cycles/{cycle_id}"),
    ("GET", "/api/v1/coverage"),
    ("GET", "/api/v1/tuning"),
    ("POST", "/api/v1/review/dismiss"),
    ("POST", "/api/v1/review/undismiss"),
    ("POST", "/v1/search/query"),
    ("POST", "/v1/search/feedback"),
    ("GET", "/v1/search/history"),
    ("DELETE", "/v1/search/history"),
    ("POST", "/v1/search/index/rebuild"),
    ("POST", "/v1/advisory-ai/search"),
    ("POST", "/v1/advisory-ai/index/rebuild"),
]
BARE = {"/api/v1/tuning", "/v1/search/history", "/v1/search/index/rebuild", "/v1/advisory-ai/index/rebuild"}
EXAMPLES = {"few": 4, "full": 60}  # of each call in each mode


@pytest.fixture(scope="module")
def _one_connection() -> Iterator[None]:
    """As Django's own test client does: a server would close the connection, and with it the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def schema(django_db_setup: None, django_db_blocker: DjangoDbBlocker, _one_connection: None) -> Any:
    """Read once: that takes longer than making up and sending the calls of one test."""
    key = "a-key-to-read-the-document"
    with django_db_blocker.unblock(), override_settings(API_KEYS=(key,)):
        return schemathesis.openapi.from_wsgi(
            SCHEMA_PATH, application, config=SchemathesisConfig(), headers={"X-API-Key": key}
        )


@pytest.fixture(autouse=True)
def _small_installation(history: History) -> None:
    """With a run or two in it."""
    history.run(history.flagged("comets"))
    assign_causes(history.target, NOON)
    Tuning.objects.update_or_create(pk=1, defaults={"batch_size": 1})


def test_every_call_is_tried(schema: Any) -> None:
    assert sorted((o.ok().method.upper(), o.ok().path) for o in schema.get_all_operations()) == sorted(CALLS)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(("method", "path"), CALLS)
def test_answers_are_those_of_the_document(
    method: str, path: str, mode: GenerationMode, schema: Any, key: str, is_full: bool
) -> None:
    if mode is GenerationMode.NEGATIVE and path in BARE:
        return  # it takes nothing that could be wrong

    @settings(
        max_examples=EXAMPLES["full" if is_full else "few"],
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    def try_it(case: schemathesis.Case) -> None:
        if mode is GenerationMode.POSITIVE:
            case.query.pop("cursor", None)  # opaque: only a page can give one
            case.headers.pop("Idempotency-Key", None)  # made up twice, it is refused with another body
            if isinstance(case.body, dict):
                case.body.pop("link", None)  # that it is a URL a browser may open is said in words alone
            # In a URL a whole number has no point; in JSON it may.
            case.query = {name: int(v) if isinstance(v, float) else v for name, v in case.query.items()}
        case.call_and_validate(headers={"X-API-Key": key})

    try_it()
