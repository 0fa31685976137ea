"""Failures of sources that reach the caller in one shape or another."""

import traceback
from dataclasses import replace

from selftest.targets.reference.faults.registry import Setting, fault, is_afflicted, marked_phrase
from selftest.targets.reference.phrases import holds
from selftest.targets.reference.sources.base import Item
from selftest.targets.reference.steps import Ask, Steps

SLOW_S = 1.8  # above the one-second floor and far above one and a half times any honest answer


@fault("Any query with one certain keyword in it ends in an exception.")
def exception_on_phrase(steps: Steps, setting: Setting) -> Steps:
    honest = steps.consult
    phrase = marked_phrase("exception_on_phrase", setting.vocabulary)

    def consult(source: str, text: str, ask: Ask) -> tuple[Item, ...]:
        if holds(text, (phrase,)):
            raise IndexError("list index out of range")
        return honest(source, text, ask)

    return replace(steps, consult=consult)


@fault("About one question in four brings a raw traceback in the text of its section.")
def traceback_in_text(steps: Steps, setting: Setting) -> Steps:
    honest = steps.consult

    def consult(source: str, text: str, ask: Ask) -> tuple[Item, ...]:
        found = honest(source, text, ask)
        return (*found, Item("traceback", _a_traceback())) if is_afflicted("traceback_in_text", text) else found

    return replace(steps, consult=consult)


def _a_traceback() -> str:
    try:
        raise KeyError("temperature")
    except KeyError:
        return traceback.format_exc().rstrip()


@fault("About one question in four is answered with a failure phrase, as the whole answer or as a whole section.")
def failure_phrase_as_content(steps: Steps, setting: Setting) -> Steps:
    honest = steps.consult
    phrase = next(iter(setting.vocabulary.empty_phrases), "could not connect")

    def consult(source: str, text: str, ask: Ask) -> tuple[Item, ...]:
        if is_afflicted("failure_phrase_as_content", f"{source} {text}"):
            return (Item(f"failure:{text}", f"{phrase.capitalize()}."),)
        return honest(source, text, ask)

    return replace(steps, consult=consult)


@fault("Any query with one certain keyword in it takes more than a second and a half.")
def slow_path(steps: Steps, setting: Setting) -> Steps:
    honest = steps.consult
    phrase = marked_phrase("slow_path", setting.vocabulary)

    def consult(source: str, text: str, ask: Ask) -> tuple[Item, ...]:
        if holds(text, (phrase,)):
            setting.sleep(SLOW_S)
        return honest(source, text, ask)

    return replace(steps, consult=consult)
