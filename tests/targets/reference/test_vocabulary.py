"""The bundled vocabulary: rich enough, and with no phrase that points where it should not."""

from collections.abc import Iterator

import pytest

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.content import rows
from selftest.targets.reference.phrases import content_words
from selftest.targets.reference.target import ReferenceTarget

BUNDLED = reference_vocabulary()
KEYWORDS = [(source, phrase) for source, phrases in BUNDLED.sources.items() for phrase in phrases]
SUBJECTS = [*BUNDLED.seeds.proper_noun_pairs, *BUNDLED.seeds.discourse_topics, *BUNDLED.seeds.open_topics]


def test_it_has_the_six_sources_the_encyclopedia_and_enough_of_everything() -> None:
    assert set(BUNDLED.sources) == {"forecast", "news", "web", "home", "changes", "uptime"}
    assert (BUNDLED.encyclopedia, BUNDLED.merged_source) == ("kiwix", "fusion")
    assert all(len(phrases) >= 8 for phrases in BUNDLED.sources.values())
    seeds = BUNDLED.seeds
    assert len(seeds.proper_noun_pairs) >= 8
    assert len(seeds.discourse_topics) >= 8
    assert len(seeds.open_topics) >= 10
    assert len(seeds.conditions) >= 6
    assert len(seeds.consequences) >= 4
    assert len(seeds.pronoun_requests) >= 5


@pytest.mark.parametrize(("source", "phrase"), KEYWORDS)
def test_a_keyword_points_at_its_own_source_alone(source: str, phrase: str) -> None:
    assert BUNDLED.sources_named_in(phrase) == {source}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_holds_no_keyword_and_the_encyclopedia_covers_it(subject: str, bundled: ReferenceTarget) -> None:
    assert BUNDLED.sources_named_in(subject) == frozenset()
    answer = bundled.ask(subject)
    assert answer.source_used == "kiwix"


def test_the_words_of_is_it_up_are_all_stop_words() -> None:
    assert content_words("is it up") == content_words("are they up") == []


@pytest.mark.parametrize(("source", "phrase"), KEYWORDS)
def test_every_keyword_brings_content(source: str, phrase: str, bundled: ReferenceTarget) -> None:
    answer = bundled.ask(phrase)
    assert answer.source_used == source
    assert failure_phrase(answer.result, BUNDLED.empty_phrases) is None
    assert answer.result.strip()


def test_no_local_text_looks_like_a_header_or_a_rule() -> None:
    texts = [str(value) for name in ("articles", "pages", "headlines") for row in rows(name) for value in row.values()]
    assert not [text for text in texts if text.startswith(("[", "---")) or "\n" in text]


def test_the_news_tells_of_somebody_who_could_not_connect(bundled: ReferenceTarget) -> None:
    answer = bundled.ask("ferry headlines")
    assert "could not connect" in answer.result
    assert failure_phrase(answer.result, BUNDLED.empty_phrases) is None


@pytest.fixture(scope="module")
def bundled() -> Iterator[ReferenceTarget]:
    target = ReferenceTarget()
    yield target
    target.close()


def test_a_vocabulary_is_a_value_and_the_bundled_one_is_the_same_for_all() -> None:
    assert isinstance(BUNDLED, Vocabulary)
    assert reference_vocabulary() is BUNDLED
