from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.base import TargetClient
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.target import VERSION, ReferenceTarget

from .sections import sections_of

Open = Callable[..., ReferenceTarget]


def test_it_is_a_target_with_a_vocabulary_and_a_version() -> None:
    target: TargetClient = ReferenceTarget()
    assert target.reach().reachable
    assert target.reach().version == VERSION
    target.close()
    assert not target.reach().reachable
    target.close()


def test_it_tells_how_long_an_answer_took_and_that_it_was_not_cached(honest: ReferenceTarget) -> None:
    answer = honest.ask("weather plus rss")
    assert 0 < answer.latency_ms < 5000
    assert not answer.cached
    assert answer.http_status is None


def test_an_unknown_fault_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown fault 'gremlins'; known: .*pronoun_as_noun, pair_vetoes_splitting"):
        ReferenceTarget(faults=["gremlins"])


@pytest.mark.parametrize("rate", [-0.1, 1.1])
def test_a_rate_out_of_range_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="empty_rate"):
        ReferenceTarget(empty_rate=rate)


def test_it_reports_the_services_that_it_is_told_of(open_target: Open) -> None:
    target = open_target(services=[("door bell", "127.0.0.1", 1)])
    assert target.ask("is it up").result == "- door bell (port 1): down, connection refused"


def test_the_moment_of_asking_is_an_argument(open_target: Open) -> None:
    target = open_target(now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    assert target.ask("later today").result.startswith("Thursday 01 January: ")


def test_what_the_router_raises_is_a_crash_with_its_traceback(open_target: Open) -> None:
    target = open_target(faults=["exception_on_phrase"])
    phrases = [phrase for phrases in reference_vocabulary().sources.values() for phrase in phrases]
    (crash,) = [answer for phrase in phrases if (answer := target.ask(f"{phrase} plus molybdenum")).error]
    assert crash.error == "IndexError: list index out of range"
    assert crash.result.startswith("Traceback (most recent call last):")
    assert crash.source_used == ""


def test_a_stable_share_of_questions_is_empty(open_target: Open) -> None:
    queries = [f"{topic} number {n}" for topic in reference_vocabulary().seeds.open_topics for n in range(20)]
    seen = [open_target(empty_rate=0.3, seed=seed) for seed in (1, 1, 2)]
    one, again, other = ([t.ask(query, "kiwix").result == "No results found." for query in queries] for t in seen)
    assert one == again != other
    assert 0.2 < sum(one) / len(queries) < 0.4


def test_an_empty_encyclopedia_is_stood_in_for_by_the_documented_fallback(open_target: Open) -> None:
    target = open_target(empty_rate=0.5)
    topics = reference_vocabulary().seeds.open_topics
    used = {target.ask(topic).source_used for topic in topics if "No results" not in target.ask(topic).result}
    assert used == {"kiwix", "web"}


def test_an_empty_section_is_dropped_and_the_others_stay(open_target: Open, vocabulary: Vocabulary) -> None:
    target = open_target(vocabulary, empty_rate=0.5)
    chains = [f"{one} plus {other}" for one in vocabulary.sources["home"] for other in vocabulary.sources["uptime"]]
    counts = {len(sections_of(answer, vocabulary)) for q in chains if (answer := target.ask(q)).source_used == "fusion"}
    assert 1 in counts


def test_with_everything_empty_it_says_so(open_target: Open) -> None:
    answer = open_target(empty_rate=1.0).ask("weather plus headlines")
    assert (answer.result, answer.error) == ("No results found.", None)
