"""What all default graders cost together: at most 5 ms of CPU for a run with a typical answer, 2 to 4 kB."""

import time
from collections.abc import Sequence
from statistics import median

import pytest

from selftest.core.judging.answers import split_sections
from selftest.evaluation.core.graders import default_graders
from selftest.evaluation.core.samples import Grader, Part, Sample, Term
from selftest.measuring.observation import generated_queries
from selftest.targets.reference.zoo.target import zoo_target

MOST_MS = 5.0
QUERIES = 120
ROUNDS = 5


def test_all_default_graders_together_stay_within_their_time() -> None:
    target = zoo_target(seed=3)
    graders = default_graders([Term(f"term {number}", (f"rival {number}",)) for number in range(50)])
    samples = []
    for query in generated_queries(target.vocabulary, 1, QUERIES):
        text = target.ask(query.text).result
        if not 2_000 <= len(text) <= 4_000:
            continue
        sections = tuple(Part(part.source, part.text) for part in split_sections(text, target.vocabulary.headers))
        samples.append(Sample(query.text, text, sections, tuple(reversed(sections)), keyphrases=("printing press",)))
    assert len(samples) >= 20
    # The quickest round: what else runs on the machine slows the others.
    assert min(median(_spent_ms(graders, sample) for sample in samples) for _ in range(ROUNDS)) <= MOST_MS


def _spent_ms(graders: Sequence[Grader], sample: Sample) -> float:
    began_s = time.process_time()
    for grader in graders:
        grader.grade(sample)
    return 1000 * (time.process_time() - began_s)


@pytest.mark.parametrize(
    "piece",
    [
        "a;b; ",
        "but ",
        "sorry but that dass ",
        "_a",
        "a.a-",
        "<code>",
        "``a`",
        "not ",
        "@",
        "a/",
        "/+",
        "\\a.",
        "    a\n\n",
    ],
)
def test_an_answer_of_any_length_and_any_habit_takes_no_more_than_a_moment(piece: str) -> None:
    text = (piece * 20_000)[:20_000]
    sample = Sample(text[:500], text, context=(Part(None, text),))
    began_s = time.process_time()
    for grader in default_graders([Term("term", ("rival",))]):
        grader.grade(sample)
    assert time.process_time() - began_s < 1.5
