from collections.abc import Callable
from threading import Thread

import pytest

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.cache import KEPT_S, MAX_ENTRIES, Cache, is_suppressed, suppressed_cache
from selftest.targets.reference.target import ReferenceTarget


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_an_answer_is_kept_for_a_while() -> None:
    clock = Clock()
    cache = Cache[str](clock)
    cache.put(("auto", "weather"), "sunny")
    clock.now_s = KEPT_S - 1
    assert cache.get(("auto", "weather")) == "sunny"
    clock.now_s = KEPT_S
    assert cache.get(("auto", "weather")) is None


def test_the_oldest_answer_goes_when_the_cache_is_full() -> None:
    cache = Cache[int]()
    for number in range(MAX_ENTRIES + 1):
        cache.put(("auto", str(number)), number)
    assert len(cache) == MAX_ENTRIES
    assert cache.get(("auto", "0")) is None


def test_suppression_ends_with_its_context_and_holds_in_its_thread_only() -> None:
    seen = []
    with suppressed_cache():
        other = Thread(target=lambda: seen.append(is_suppressed()))
        other.start()
        other.join()
        seen.append(is_suppressed())
    assert [*seen, is_suppressed()] == [False, True, False]


def test_suppression_ends_with_an_exception_too() -> None:
    with pytest.raises(KeyError), suppressed_cache():
        raise KeyError
    assert not is_suppressed()


def test_a_real_user_gets_the_cached_answer_the_second_time(honest: ReferenceTarget) -> None:
    assert [honest.route("weather").cached, honest.route("  WEATHER ").cached] == [False, True]


def test_an_answer_is_cached_for_its_source(honest: ReferenceTarget) -> None:
    honest.route("weather")
    assert not honest.route("weather", "kiwix").cached


def test_a_synthetic_question_neither_fills_nor_reads_the_cache(honest: ReferenceTarget) -> None:
    honest.ask("weather")
    assert not honest.route("weather").cached
    assert not honest.ask("weather").cached


def test_a_crash_is_not_cached(open_target: Callable[..., ReferenceTarget], vocabulary: Vocabulary) -> None:
    target = open_target(vocabulary, faults=["exception_on_phrase"])
    phrases = [phrase for phrases in vocabulary.sources.values() for phrase in phrases]
    (phrase,) = [phrase for phrase in phrases if target.ask(phrase).error]
    for _ in range(2):
        with pytest.raises(IndexError):
            target.route(phrase)
