"""Failures of sources that reach the caller in one shape or another. Each knows how a source is consulted, alone."""

import traceback
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import is_afflicted, marked_phrase
from selftest.targets.reference.phrases import holds, straightened
from selftest.targets.reference.steps import AskSource, FoundItem, Steps

SLOW_S = 1.8  # above the one-second floor and far above one and a half times any honest answer


def exception_on_phrase(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Any query with one particular keyword in it ends in an exception."""
    honest = steps.consult
    phrase = marked_phrase("exception_on_phrase", vocabulary.sources)

    def consult(source: str, text: str, ask: AskSource) -> tuple[FoundItem, ...]:
        if holds(text, (phrase,)):
            raise IndexError("list index out of range")
        return honest(source, text, ask)

    return replace(steps, consult=consult)


def traceback_in_text(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """About one question in four brings a raw traceback in the text of its section."""
    honest = steps.consult

    def consult(source: str, text: str, ask: AskSource) -> tuple[FoundItem, ...]:
        found = honest(source, text, ask)
        return (
            (*found, FoundItem("traceback", _a_traceback()))
            if is_afflicted("traceback_in_text", straightened(text))
            else found
        )

    return replace(steps, consult=consult)


def _a_traceback() -> str:
    try:
        raise KeyError("temperature")
    except KeyError:
        return traceback.format_exc().rstrip()


def failure_phrase_as_content(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """About one question in four is answered with a failure phrase, as the whole answer or as a whole section."""
    honest = steps.consult
    phrase = next(iter(vocabulary.empty_phrases), "could not connect")

    def consult(source: str, text: str, ask: AskSource) -> tuple[FoundItem, ...]:
        if is_afflicted("failure_phrase_as_content", straightened(f"{source} {text}")):
            return (FoundItem(f"failure:{text}", f"{phrase.capitalize()}."),)
        return honest(source, text, ask)

    return replace(steps, consult=consult)


def slow_path(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Any query with one particular keyword in it takes more than a second and a half."""
    honest = steps.consult
    phrase = marked_phrase("slow_path", vocabulary.sources)

    def consult(source: str, text: str, ask: AskSource) -> tuple[FoundItem, ...]:
        if holds(text, (phrase,)):
            steps.sleep(SLOW_S)
        return honest(source, text, ask)

    return replace(steps, consult=consult)
