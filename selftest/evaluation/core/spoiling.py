"""Answers spoiled on purpose, each in one known way, to see which grader notices. Pure: `rng` is an argument."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from selftest.evaluation.core.graders.sentences import claims_of, sentences_of
from selftest.evaluation.core.samples import Part, Sample


class Spoiling(StrEnum):
    """What is done to one sentence of a good answer."""

    NUMBER = "number"  # one of its numbers is changed
    DROPPED = "dropped"  # it is left out
    NEGATED = "negated"  # it says the opposite
    FOREIGN = "foreign"  # a sentence of another section stands in its place


SAYS = {
    Spoiling.NUMBER: "a number is changed",
    Spoiling.DROPPED: "a sentence is left out",
    Spoiling.NEGATED: "a sentence is negated",
    Spoiling.FOREIGN: "a sentence of another section stands in the place of one",
}
NUMBER = re.compile(r"(?<![\w.,:])\d+(?![\w:])")
MOST_CHANGE = 9  # what is added to a number
NOT = re.compile(r"\b(?:not|nicht) |n't\b|n’t\b")
AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|would|should|must|may|does|do|did"
    r"|ist|sind|war|waren|kann|wird|hat)\b(?!n)",
    re.I,
)
GERMAN = frozenset(("ist", "sind", "war", "waren", "kann", "wird", "hat"))
DENIALS = ("It is not true that {}", "It is not the case that {}")
GERMAN_DENIAL = "Es stimmt nicht, dass {}"


def spoil(sample: Sample, way: Spoiling, rng: random.Random, strangers: Sequence[str] = ()) -> Sample | None:
    """`sample` with one sentence of its answer spoiled; None where it has no sentence that can be.

    strangers: sentences about other things, for an answer of one section.
    """
    sections = sample.sections or (Part(None, sample.answer),)
    places = [
        (number, sentence)
        for number, section in enumerate(sections)
        for sentence in sentences_of(section.text, sample.language)
        if sentence in section.text and claims_of(sentence, sample.language)
    ]
    rng.shuffle(places)
    for number, sentence in places:
        others = [text for other, text in places if other != number] or list(strangers)
        spoiled = spoiled_sentence(sentence, way, rng, others, sample.language)
        if spoiled is not None:
            return _with(sample, sections, number, sentence, spoiled)
    return None


def spoiled_sentence(
    sentence: str, way: Spoiling, rng: random.Random, others: Sequence[str], language: str = "en"
) -> str | None:
    """`sentence` spoiled, None where that cannot be done. others: sentences that may stand in its place."""
    if way is Spoiling.DROPPED:
        return ""
    if way is Spoiling.NUMBER:
        return _with_another_number(sentence, rng)
    if way is Spoiling.NEGATED:
        return _negated(sentence, rng, language)
    candidates = [other for other in others if other != sentence]
    return rng.choice(candidates) if candidates else None


def _with_another_number(sentence: str, rng: random.Random) -> str | None:
    numbers = list(NUMBER.finditer(sentence))
    if not numbers:
        return None
    chosen = rng.choice(numbers)
    changed = int(chosen[0]) + rng.randint(1, MOST_CHANGE)
    return f"{sentence[: chosen.start()]}{changed}{sentence[chosen.end() :]}"


def _negated(sentence: str, rng: random.Random, language: str) -> str:
    if found := NOT.search(sentence):
        return sentence[: found.start()] + sentence[found.end() :]
    if found := AUXILIARY.search(sentence):
        denial = " nicht" if found[0].casefold() in GERMAN else rng.choice((" not", " never", " no longer"))
        return sentence[: found.end()] + denial + sentence[found.end() :]
    frame = GERMAN_DENIAL if language == "de" else rng.choice(DENIALS)
    return frame.format(sentence)


def _with(sample: Sample, sections: Sequence[Part], number: int, sentence: str, spoiled: str) -> Sample:
    old = sections[number]
    new = replace(old, text=old.text.replace(sentence, spoiled, 1))
    changed = (*sections[:number], new, *sections[number + 1 :])
    return replace(
        sample,
        answer=sample.answer.replace(old.text, new.text, 1),
        sections=changed if sample.sections else (),
    )
