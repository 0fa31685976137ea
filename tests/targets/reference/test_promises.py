"""An honest router breaks no promise: hundreds of queries of the seven shapes, checked apart from the engine."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.target import ReferenceTarget

from .sections import sections_of

pytestmark = pytest.mark.slow("asks hundreds of queries")

FEW_QUERIES = 300  # a vocabulary's worth of single phrases, within a second
QUERIES = 1500  # many times over
LONGEST_CHAIN = 6
SEED = 20261015


@dataclass(frozen=True)
class Asked:
    """needs: the sources that must take part. headed: whether there must be headers."""

    text: str
    needs: frozenset[str]
    headed: bool


class Composer:
    def __init__(self, vocabulary: Vocabulary, seed: int) -> None:
        self.vocabulary, self.seeds, self.rng = vocabulary, vocabulary.seeds, random.Random(seed)
        self.shapes = (
            self.pair_and_request,
            self.chain,
            self.conditional,
            self.compared,
            self.framed,
            self.two_pairs,
            self.open_topic,
        )

    def any(self) -> Asked:
        return self.rng.choice(self.shapes)()

    def conjunction(self) -> str:
        return self.rng.choice(self.vocabulary.conjunctions)

    def intent(self) -> tuple[str, str]:
        source = self.rng.choice(list(self.vocabulary.sources))
        return source, self.rng.choice(self.vocabulary.sources[source])

    def beside_encyclopedia(self, text: str, *sources: str) -> Asked:
        needs = frozenset((self.vocabulary.encyclopedia, *sources))
        return Asked(text, needs, headed=len(needs) > 1)

    def pair_and_request(self) -> Asked:
        request = self.rng.choice(self.seeds.pronoun_requests)
        named = self.vocabulary.sources_named_in(request)
        return self.beside_encyclopedia(
            f"{self.rng.choice(self.seeds.proper_noun_pairs)}{self.conjunction()}{request}", *named
        )

    def chain(self) -> Asked:
        sources = self.rng.sample(list(self.vocabulary.sources), self.rng.randint(3, LONGEST_CHAIN))
        text = self.rng.choice(self.vocabulary.sources[sources[0]])
        for source in sources[1:]:
            text += self.conjunction() + self.rng.choice(self.vocabulary.sources[source])
        return Asked(text, frozenset(sources), headed=True)

    def conditional(self) -> Asked:
        condition, consequence = self.rng.choice(self.seeds.conditions), self.rng.choice(self.seeds.consequences)
        source, phrase = self.intent()
        halves = self.vocabulary.sources_named_in(condition) or {self.vocabulary.encyclopedia}
        return Asked(f"{condition}, {consequence}, {phrase}", frozenset((source, *halves)), headed=True)

    def compared(self) -> Asked:
        source, phrase = self.intent()
        start = f"{self.rng.choice(self.vocabulary.nosplit_phrases)} {self.rng.choice(self.seeds.proper_noun_pairs)}"
        return self.beside_encyclopedia(f"{start}{self.conjunction()}{phrase}", source)

    def framed(self) -> Asked:
        source, phrase = self.intent()
        framing, topic = (
            self.rng.choice(self.vocabulary.discourse_phrases),
            self.rng.choice(self.seeds.discourse_topics),
        )
        return self.beside_encyclopedia(f"{framing} {topic}, and {phrase}", source)

    def two_pairs(self) -> Asked:
        one, other = self.rng.sample(self.seeds.proper_noun_pairs, 2)
        source, phrase = self.intent()
        return self.beside_encyclopedia(f"{one}{self.conjunction()}{other}{self.conjunction()}{phrase}", source)

    def open_topic(self) -> Asked:
        return self.beside_encyclopedia(self.rng.choice(self.seeds.open_topics))


def check_promises(asked: Asked, answer: Answer, vocabulary: Vocabulary) -> None:
    assert answer.error is None, asked.text
    assert "Traceback" not in answer.result, asked.text
    if answer.source_used != vocabulary.merged_source:
        assert not asked.headed, asked.text
        assert asked.needs == {answer.source_used}, asked.text
        sections = {answer.source_used: answer.result.split("\n")}
        assert not any(header in answer.result for header in vocabulary.headers.values()), asked.text
    else:
        sections = sections_of(answer, vocabulary)
        assert asked.needs <= set(sections), asked.text
        stand_ins = frozenset[str]().union(*(vocabulary.stand_ins(source) for source in asked.needs))
        assert set(sections) <= stand_ins, asked.text
    for lines in sections.values():
        assert lines, asked.text
        assert all(line.strip() for line in lines), asked.text
        assert len(lines) == len(set(lines)), asked.text
        text = "\n".join(lines).casefold()
        assert not any(text.lstrip("- ").startswith(phrase) for phrase in vocabulary.empty_phrases), asked.text


@pytest.mark.parametrize("bundled", [True, False], ids=["bundled vocabulary", "small vocabulary"])
def test_an_honest_router_keeps_every_promise(
    bundled: bool, vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget], is_full: bool
) -> None:
    used = reference_vocabulary() if bundled else vocabulary
    target = open_target(used)
    composer = Composer(used, SEED)
    for _ in range(QUERIES if is_full else FEW_QUERIES):
        asked = composer.any()
        check_promises(asked, target.ask(asked.text), used)


def test_it_keeps_them_for_several_callers_at_once(open_target: Callable[..., ReferenceTarget]) -> None:
    used = reference_vocabulary()
    target = open_target(used)
    composer = Composer(used, SEED + 1)
    batch = [composer.any() for _ in range(100)]
    with ThreadPoolExecutor(8) as callers:
        answers = list(callers.map(lambda asked: target.ask(asked.text), batch))
    for asked, answer in zip(batch, answers, strict=True):
        check_promises(asked, answer, used)


def test_a_chain_of_twelve_intents_gets_a_section_for_every_source(open_target: Callable[..., ReferenceTarget]) -> None:
    used = reference_vocabulary()
    phrases = [phrase for source in used.sources for phrase in used.sources[source][:2]]
    answer = open_target(used).ask(" plus ".join(phrases))
    assert set(sections_of(answer, used)) == set(used.sources)
