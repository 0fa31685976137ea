"""Every grader on any text: no exception, always in its range, and the order of sentences makes no difference."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.evaluation.core.graders import default_graders
from selftest.evaluation.core.samples import Grader, Part, Sample, Term

GRADERS = default_graders([Term("tram", ("tramway", "trolley"))], ["nothing found"])
SOME_WORDS = str.split("""
    the a it they tram trolley door lamp bridge is was not never open closed on off 3 17 1,200 07:30 two Dunmere Greta
    near in and but because no results found I don't know which unlocked rises falls
    https://a.example `tram` **bold** ; , |
""")
LANGUAGES = st.sampled_from(["en", "de", "fr", "xx", ""])
each = pytest.mark.parametrize("grader", GRADERS, ids=lambda grader: grader.name)

anything = st.text(st.characters(exclude_categories=()), max_size=200)
sentences = st.lists(
    st.lists(st.sampled_from(SOME_WORDS), min_size=1, max_size=12).map(lambda words: f"{' '.join(words)}.")
)
texts = st.one_of(anything, sentences.map(" ".join), sentences.map("\n".join))
parts = st.lists(st.builds(Part, st.none() | st.sampled_from(["city", "home"]), texts), max_size=3).map(tuple)
samples = st.builds(
    Sample, texts, texts, parts, st.none() | parts, st.none() | texts, st.lists(texts, max_size=3).map(tuple), LANGUAGES
)


@each
@given(sample=samples)
def test_any_sample_has_a_value_in_range_or_none_with_its_reason(grader: Grader, sample: Sample) -> None:
    score = grader.grade(sample)
    assert score.value is None or grader.low <= score.value <= grader.high
    assert score.label
    assert score.reason
    assert grader.grade(sample) == score


@each
@given(sentences, sentences, sentences, st.randoms(use_true_random=False))
def test_the_order_of_sentences_makes_no_difference(
    grader: Grader, told: list[str], brought: list[str], needed: list[str], rng: random.Random
) -> None:
    def sample() -> Sample:
        shuffled = ["\n".join(rng.sample(lines, len(lines))) for lines in (told, brought, needed)]
        answer, context, reference = shuffled
        return Sample("a tram near Dunmere", answer, (), (Part("city", context),), reference, ("tram",))

    assert grader.grade(sample()).value == grader.grade(sample()).value
