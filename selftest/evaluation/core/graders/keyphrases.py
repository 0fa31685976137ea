"""Whether the answer names what it should name."""

import re

from selftest.evaluation.core.graders.sentences import plain
from selftest.evaluation.core.graders.wording import stem_of
from selftest.evaluation.core.samples import NO_KEYPHRASES, Sample, Score

WORDS = re.compile(r"[^\W_]+")


class KeyphraseCoverage:
    """The share of the keyphrases that the answer holds."""

    name = "keyphrase_coverage"
    low, high = 0.0, 1.0
    says = "The share of the keyphrases that are in the answer: the same words in the same order, in any form."
    cannot_see = "The same thing in other words, and what is said of it."

    def grade(self, sample: Sample) -> Score:
        """keyphrases found / keyphrases; None without any."""
        language = sample.language
        phrases = {phrase: _joined(phrase, language) for phrase in dict.fromkeys(map(plain, sample.keyphrases))}
        phrases = {phrase: joined for phrase, joined in phrases.items() if joined.strip()}
        if not phrases:
            return Score(None, NO_KEYPHRASES, "no keyphrases are set for this query")
        answer = _joined(sample.answer, language)
        missing = [phrase for phrase, joined in phrases.items() if joined not in answer]
        return Score(
            (len(phrases) - len(missing)) / len(phrases),
            "graded",
            f"{len(phrases) - len(missing)} of {len(phrases)} keyphrases are in the answer",
            tuple(f"missing: {phrase}" for phrase in missing),
        )


def _joined(text: str, language: str) -> str:
    """The stems of all words, a blank around each: a phrase is in a text when the one is in the other."""
    return f" {' '.join(stem_of(word, language) for word in WORDS.findall(plain(text).casefold()))} "
