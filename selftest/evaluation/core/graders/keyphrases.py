"""Which of the phrases that an answer should name stand in it."""

import re
from dataclasses import dataclass

from selftest.evaluation.core.samples import Sample, Score


@dataclass(frozen=True)
class KeyphraseCoverage:
    """The share of keyphrases that the answer names."""

    name = "keyphrase_coverage"
    low = 0.0
    high = 1.0
    says = "The share of the given keyphrases that stand in the answer, as whole words in any case."
    cannot_see = "Whether what is said of them is true, and the same thing in other words."

    def grade(self, sample: Sample) -> Score:
        """Without keyphrases there is nothing to be measured."""
        if not sample.keyphrases:
            return Score(None, "no keyphrases", "no keyphrase is given")
        text = " ".join(sample.answer.casefold().split())
        found = [phrase for phrase in sample.keyphrases if _stands_in(phrase, text)]
        missing = tuple(f"missing: {phrase}" for phrase in sample.keyphrases if phrase not in found)
        share = len(found) / len(sample.keyphrases)
        return Score(share, "graded", f"{len(found)} of {len(sample.keyphrases)} named", missing)


def _stands_in(phrase: str, text: str) -> bool:
    words = " ".join(phrase.casefold().split())
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None
