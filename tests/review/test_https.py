"""What is answered without TLS where the proxy in front has it: nothing that a browser would show."""

from typing import Any

import pytest
from django.test import Client

from selftest.models import Target


@pytest.mark.parametrize(("path", "status"), [("/health", 200), ("/metrics", 401), ("/", 301), ("/api/v1/runs", 301)])
def test_only_what_programs_on_the_machine_ask_for_is_not_sent_to_https(
    db: None, target: Target, settings: Any, path: str, status: int
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get(path).status_code == status
