"""How a query is written on pages: a long one shortened, and what no eye can tell apart marked. Pure.

Marked are characters that show nothing (zero-width, no-break spaces), and letters that look like Latin ones.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

QUERY_CHARACTERS = 240  # of a query in a list or a heading: three lines of a row; its own page has all of it
WORD_CHARACTERS = 20  # a cut moves this far at most to leave a word whole; a longer word is cut
LEAST_LEFT_OUT = 60  # characters: to leave out fewer would save nothing, with the words that say so
HEAD_SHARE = 0.75  # of what is kept stands at the beginning: the parts that follow a filling stand at its end

# Scripts with letters that are drawn as Latin ones are. Of others no letter is taken for one.
LOOKALIKE_SCRIPTS = frozenset({"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LISU"})
# Letters of a whole word in another script that still reads as a Latin one: асе, РОСА.
DRAWN_AS_LATIN = frozenset("асеорхуіѕјһԁԛԝѵАВЕЅІЈКМНОРСТХУԌԚԜαονρυχικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
APOSTROPHES = frozenset("\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}")
JOINERS = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cn", "Zl", "Zp", "Zs"})


@dataclass(frozen=True)
class Piece:
    """A run of characters. code_points: of each one, where they are marked; () where they are what they seem."""

    text: str
    code_points: tuple[str, ...] = ()


def shortened(text: str, limit: int = QUERY_CHARACTERS) -> str:
    """Beginning and end, and how much is left out between them, where `text` is much longer than `limit`."""
    head, left_out, tail = cut(text, limit)
    return f"{head}… ({left_out:,} more characters) …{tail}" if left_out else text


def cut(text: str, limit: int = QUERY_CHARACTERS) -> tuple[str, int, str]:
    """The beginning, how many characters are left out, and the end; all of it and 0 where that would save little.

    Both end at a space where one is near, so that no word is cut in two.
    """
    if len(text) < limit + LEAST_LEFT_OUT:
        return text, 0, ""
    head = int(limit * HEAD_SHARE)
    tail = len(text) - (limit - head)
    if _is_in_word(text, head):
        near = range(head - 1, max(head - 1 - WORD_CHARACTERS, 0), -1)
        head = next((place for place in near if text[place].isspace()), head)
    if _is_in_word(text, tail):
        near = range(tail, min(tail + WORD_CHARACTERS, len(text)))
        tail = next((place + 1 for place in near if text[place].isspace()), tail)
    return text[:head], tail - head, text[tail:]


def _is_in_word(text: str, place: int) -> bool:
    return not (text[place - 1].isspace() or text[place].isspace())


def code_point(character: str) -> str:
    """`U+0430 CYRILLIC SMALL LETTER A`."""
    return f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"


@lru_cache(maxsize=4096)  # pages are full of the same ingredients
def pieces(text: str) -> tuple[Piece, ...]:
    """`text` in runs of characters that are marked and that are not."""
    if text.isascii() and text.isprintable():
        return (Piece(text),)
    marked = _marked(text)
    runs = groupby(enumerate(text), key=lambda place: place[0] in marked)
    return tuple(_piece("".join(character for _, character in run), is_marked) for is_marked, run in runs)


def _piece(text: str, is_marked: bool) -> Piece:
    return Piece(text, tuple(map(code_point, text)) if is_marked else ())


def _marked(text: str) -> set[int]:
    """The places of the characters that are not what they seem."""
    found = {place for place, character in enumerate(text) if _is_unseen(text, place) or _is_compatible(character)}
    found |= {place for place in range(1, len(text) - 1) if _is_apostrophe(text, place)}
    if any(character.isascii() and character.isalpha() for character in text):
        for word in _words(text):
            found |= {place for place in word if _is_foreign(text[place]) and _reads_as_latin(text, word)}
    return found


def _is_unseen(text: str, place: int) -> bool:
    character = text[place]
    if character == " " or unicodedata.category(character) not in UNSEEN_CATEGORIES:
        return False
    # Between emoji, and in scripts that are joined, they belong to what is seen.
    return character not in JOINERS or not (
        text[place - 1 : place].strip() and not text[place - 1].isascii() and not text[place + 1 : place + 2].isascii()
    )


def _is_compatible(character: str) -> bool:
    """A letter or figure that is an ASCII one in another form: full width, mathematical, a ligature."""
    if character.isascii() or not (character.isalpha() or character.isdecimal()):
        return False
    return unicodedata.normalize("NFKC", character).isascii()


def _is_apostrophe(text: str, place: int) -> bool:
    return text[place] in APOSTROPHES and text[place - 1].isalpha() and text[place + 1].isalpha()


def _words(text: str) -> Iterator[list[int]]:
    """The places of the letters of each word; what shows nothing does not part one."""
    seen = [place for place in range(len(text)) if not _is_unseen(text, place) or text[place].isspace()]
    for is_word, places in groupby(seen, key=lambda place: text[place].isalpha()):
        if is_word:
            yield list(places)


def _is_foreign(character: str) -> bool:
    return not character.isascii() and unicodedata.name(character, "").partition(" ")[0] in LOOKALIKE_SCRIPTS


def _reads_as_latin(text: str, word: list[int]) -> bool:
    """Mixed with Latin letters; or all of it drawn as they are, and nothing else in the text is of that script."""
    if any(text[place].isascii() for place in word):
        return True
    others = [character for character in text if _is_foreign(character) and character not in DRAWN_AS_LATIN]
    return not others and all(text[place] in DRAWN_AS_LATIN for place in word)
