"""The part of a text that shows why it was found, with the words that matched. Pure."""

import re
from collections.abc import Collection

from selftest.knowledge.core.answers import Marked
from selftest.knowledge.core.words import WORD, stem

LENGTH = 220  # characters: two lines of a result
PREVIEW_LENGTH = 1_200
_SPACES = re.compile(r"\s+")


def snippet(text: str, stems: Collection[str], language: str, length: int = LENGTH) -> Marked:
    """The window of `text` with most different `stems`, the earliest of equal ones; its words marked."""
    shown = _SPACES.sub(" ", text).strip()
    matches = [
        (found.start(), found.end(), stem(found.group().casefold(), language))
        for found in WORD.finditer(shown)
        if stem(found.group().casefold(), language) in stems
    ]
    start = _start(shown, matches, length)
    end = min(start + length, len(shown))
    if end < len(shown):
        end = shown.rfind(" ", start, end) if " " in shown[start:end] else end
    before, after = ("… " if start else ""), (" …" if end < len(shown) else "")
    shift = len(before) - start
    spans = tuple((left + shift, right + shift) for left, right, _ in matches if start <= left and right <= end)
    return Marked(before + shown[start:end] + after, spans)


def _start(shown: str, matches: list[tuple[int, int, str]], length: int) -> int:
    if len(shown) <= length or not matches:
        return 0
    best, place = 0, 0
    for number, (left, _, _) in enumerate(matches):
        different = {found for begin, end, found in matches[number : number + 40] if end <= left + length - 40}
        if len(different) > best:
            best, place = len(different), left
    before = shown.rfind(". ", max(0, place - 80), place)
    if before >= 0:
        return before + 2
    near = max(0, place - 30)
    return shown.find(" ", near, place) + 1 if near and " " in shown[near:place] else near
