"""Spoiled answers: each way changes one sentence, as it says, and nothing else."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.evaluation.core.samples import Part, Sample
from selftest.evaluation.core.spoiling import Spoiling, spoil

TRAM, BRIDGE, BREAD = (
    "The tram leaves from platform 4.",
    "The bridge was built in 1894.",
    "Sourdough needs flour and water.",
)
SECTIONS = (Part("city", f"{TRAM} {BRIDGE}"), Part("bakery", BREAD))
ANSWER = f"[CITY]\n{TRAM} {BRIDGE}\n\n---\n\n[BAKERY]\n{BREAD}"
SAMPLE = Sample("trams", ANSWER, SECTIONS, (Part("city", TRAM),), "a reference", ("tram",))
SEEDS = range(20)


def spoiled(way: Spoiling, seed: int, sample: Sample = SAMPLE) -> Sample:
    made = spoil(sample, way, random.Random(seed))
    assert made is not None
    return made


@pytest.mark.parametrize("way", Spoiling)
@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_answer_changes_and_its_sections_with_it(way: Spoiling, seed: int) -> None:
    made = spoiled(way, seed)
    assert made.answer != ANSWER
    assert sum(new != old for new, old in zip(made.sections, SECTIONS, strict=True)) == 1
    for section in made.sections:
        assert section.text in made.answer
    assert (made.query, made.context, made.reference) == (SAMPLE.query, SAMPLE.context, SAMPLE.reference)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_number_is_another_one(seed: int) -> None:
    before, after = (re.findall(r"\d+", answer) for answer in (ANSWER, spoiled(Spoiling.NUMBER, seed).answer))
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_one_sentence_is_gone(seed: int) -> None:
    answer = spoiled(Spoiling.DROPPED, seed).answer
    assert [sentence in answer for sentence in (TRAM, BRIDGE, BREAD)].count(False) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_one_sentence_says_the_opposite(seed: int) -> None:
    answer = spoiled(Spoiling.NEGATED, seed).answer
    assert re.search(r"\b(?:was (?:not|never|no longer) built|It is not (?:true|the case) that (?:The|Sour))", answer)


def test_what_was_negated_no_longer_is() -> None:
    sample = Sample("", "The lamp is not on.")
    assert spoiled(Spoiling.NEGATED, 1, sample).answer == "The lamp is on."


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sentence_of_the_other_section_stands_in_its_place(seed: int) -> None:
    made = spoiled(Spoiling.FOREIGN, seed)
    assert [sentence for sentence in (TRAM, BRIDGE, BREAD) if made.answer.count(sentence) == 2]


def test_an_answer_of_one_section_borrows_from_strangers() -> None:
    made = spoil(Sample("", TRAM), Spoiling.FOREIGN, random.Random(1), [BREAD])
    assert made is not None
    assert (made.answer, made.sections) == (BREAD, ())


def test_an_answer_that_cannot_be_spoiled_so_is_left_out() -> None:
    assert spoil(Sample("", BREAD), Spoiling.NUMBER, random.Random(1)) is None
    assert spoil(Sample("", TRAM), Spoiling.FOREIGN, random.Random(1)) is None
    assert spoil(Sample("", "---"), Spoiling.DROPPED, random.Random(1)) is None


@given(st.text(), st.sampled_from(Spoiling), st.integers(0, 100))
def test_any_text_is_spoiled_alike_by_the_same_seed(text: str, way: Spoiling, seed: int) -> None:
    once, twice = (spoil(Sample("", text), way, random.Random(seed), [BREAD]) for _ in range(2))
    assert once == twice
