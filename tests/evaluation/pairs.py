"""Builders for the tests of the golden set."""

from typing import Any

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.evaluation.core.expectations import SeenAnswer
from selftest.evaluation.core.pairs import Expectations, PairContent
from selftest.evaluation.models import GoldenPair
from selftest.evaluation.saving import default_set, ground_of, promote
from selftest.models import Actor, Target

CLEO = Actor("cleo")
FORECAST = "[FORECAST — WEATHER]"
NEWS = "[NEWS — HEADLINES — GENERAL]"
VOCABULARY = Vocabulary(
    name="small",
    sources={"forecast": ("weather",), "news": ("headlines", "rss")},
    conjunctions=(" and ",),
    headers={"forecast": FORECAST, "news": NEWS},
    encyclopedia="kiwix",
    merged_source="fusion",
    empty_phrases=("no results found",),
    fallbacks={"news": ("forecast",)},
)
MERGED = f"{FORECAST}\nMonday: 3 to 8 °C, cloudy\n\n---\n\n{NEWS}\n- Bridge opens (city, Mon 10:00)\n"


def seen(
    result: str = MERGED, source: str = "fusion", latency_ms: float = 12.0, error: str | None = None
) -> SeenAnswer:
    return SeenAnswer(Answer(result, source, latency_ms, error=error), VOCABULARY)


def content(query: str = "weather", keyphrases: tuple[str, ...] = (), **expectations: Any) -> PairContent:
    return PairContent(query=query, expectations=Expectations(**expectations), keyphrases=keyphrases)


def made_pair(name: str, target: Target, wanted: PairContent | None = None) -> GoldenPair:
    return promote(default_set(), name, wanted or content(sources=("forecast",)), ground_of(target), CLEO, "")
