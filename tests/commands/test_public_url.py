"""What links in notices begin with: what the environment says, else where `start` listens, else its first host."""

from dataclasses import replace
from typing import Any

import pytest

from selftest.management.commands.start import _linked_url, _public_url


@pytest.mark.parametrize(
    ("variables", "linked", "said"),
    [
        ({}, "http://127.0.0.1:9000", "http://127.0.0.1:9000/"),
        (
            {"https": True, "allowed_hosts": ("gadfly.example",)},
            "https://gadfly.example",
            "https://gadfly.example/ once a proxy hands it on to http://127.0.0.1:9000/",
        ),
        (
            {"public_url": "https://gadfly.example/team"},
            "https://gadfly.example/team",
            "https://gadfly.example/team/ once a proxy hands it on to http://127.0.0.1:9000/",
        ),
    ],
)
def test_links_begin_with_what_is_said_or_where_it_listens(
    settings: Any, variables: dict[str, Any], linked: str, said: str
) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, **variables)
    assert _linked_url("0.0.0.0", 9000) == linked
    assert _public_url("0.0.0.0", 9000) == said
