"""A small vocabulary of the documented shape, and targets at a fixed moment."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.targets.reference.target import ReferenceTarget

THURSDAY_NOON = datetime(2026, 10, 15, 12, 0, tzinfo=UTC)


@pytest.fixture
def document() -> dict[str, Any]:
    return {
        "name": "small household",
        "sources": {
            "forecast": ["weather", "later today", "this weekend"],
            "news": ["headlines", "rss", "my feeds"],
            "web": ["google", "who won"],
            "home": ["lights on", "door locked"],
            "changes": ["what changed", "since last time"],
            "uptime": ["is it up", "are they up", "server status"],
        },
        "conjunctions": [" and ", " also ", " plus ", " as well as ", " in addition "],
        "nosplit_phrases": ["compare", "difference between", "versus", "vs"],
        "discourse_phrases": ["everyone keeps talking about", "everyone is obsessed with"],
        "headers": {
            "kiwix": "[KIWIX — ENCYCLOPEDIC KNOWLEDGE — UNRELATED TO OTHER SECTIONS BELOW]",
            "forecast": "[FORECAST — WEATHER AT HOME]",
            "news": "[NEWS — RECENT HEADLINES — GENERAL]",
            "web": "[WEB — SEARCH RESULTS]",
            "home": "[HOME — STATES OF THE HOUSE]",
            "changes": "[CHANGES — SINCE THE LAST SNAPSHOT]",
            "uptime": "[UPTIME — STATUS OF THE SERVICES]",
        },
        "empty_phrases": ["no results found", "could not connect"],
        "encyclopedia": "kiwix",
        "merged_source": "fusion",
        "fallbacks": {"kiwix": ["web"], "news": ["web"]},
        "seeds": {
            "proper_noun_pairs": ["Mercury and Venus", "Texas and Arizona", "the Beatles and the Rolling Stones"],
            "conditions": ["if any services are down", "if it is raining, or nearly so"],
            "consequences": ["let me know", "remind me to bring an umbrella"],
            "pronoun_requests": ["I keep getting a weird import error", "I forgot to ask about the weather"],
            "discourse_topics": ["black holes", "sunspots"],
            "open_topics": ["molybdenum", "photosynthesis"],
        },
    }


@pytest.fixture
def vocabulary(document: dict[str, Any]) -> Vocabulary:
    return parse_vocabulary(document)


@pytest.fixture
def open_target() -> Iterator[Callable[..., ReferenceTarget]]:
    """Opens targets at Thursday noon that never sleep, and closes them."""
    opened: list[ReferenceTarget] = []

    def open_one(*args: Any, **kwargs: Any) -> ReferenceTarget:
        target = ReferenceTarget(*args, **{"now": lambda: THURSDAY_NOON, "sleep": lambda seconds: None, **kwargs})
        opened.append(target)
        return target

    yield open_one
    for target in opened:
        target.close()


@pytest.fixture
def honest(open_target: Callable[..., ReferenceTarget], vocabulary: Vocabulary) -> ReferenceTarget:
    return open_target(vocabulary)
