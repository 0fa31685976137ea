"""What a word is, its stem in a language, and which words say little. Pure: values alone.

English, German, French, Spanish and Russian have stems and stop words; in any other language words are taken as they
stand. Source of the stemmers: Snowball.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import snowballstemmer

WORD = re.compile(r"[^\W_]+")
HUMP = re.compile(r"(?<=[a-zа-яß-ÿ])(?=[A-Z])")
LONGEST_WORD = 60  # characters; longer ones are no words, and indexes refuse very long keys
STEMMERS: Mapping[str, str] = {"en": "english", "de": "german", "fr": "french", "es": "spanish", "ru": "russian"}
LANGUAGES = tuple(STEMMERS)


def _stop_words() -> Mapping[str, frozenset[str]]:
    lines = Path(__file__).with_name("stop_words.txt").read_text(encoding="utf-8").splitlines()
    said = (line.partition(":") for line in lines if not line.startswith("#"))
    return {language: frozenset(words.split()) for language, _, words in said}


STOP_WORDS = _stop_words()
_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


def folded(text: str) -> str:
    """Lower case without marks, by which words are compared: `Über` → `uber`."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words_of(text: str) -> list[str]:
    """The words of a text in order, in lower case; what is longer than LONGEST_WORD is cut."""
    return [word[:LONGEST_WORD] for word in WORD.findall(unicodedata.normalize("NFC", text).casefold())]


def words_of_name(name: str) -> list[str]:
    """The words of an identifier: `listCauses` → list, causes; `source_mismatch` → source, mismatch."""
    return words_of(HUMP.sub(" ", name))


@lru_cache(maxsize=100_000)
def stem(word: str, language: str) -> str:
    """The stem of a word in lower case, without marks."""
    name = STEMMERS.get(language)
    return folded(str(_stemmer(name).stemWord(word)) if name else word)


@lru_cache
def _stemmer(name: str) -> "snowballstemmer.stemmer":
    return snowballstemmer.stemmer(name)


def language_of(text: str, default: str = "en") -> str:
    """The language that most stop words of a text belong to; `default` where none does, or several tie with it."""
    if _CYRILLIC.search(text):
        return "ru"
    words = words_of(text)
    counts = {language: sum(word in stops for word in words) for language, stops in STOP_WORDS.items()}
    best = max(counts.values())
    if best == 0 or counts.get(default) == best:
        return default
    return min((language for language in LANGUAGES if counts[language] == best), key=LANGUAGES.index)


def content_words(words: list[str], language: str) -> list[str]:
    """Those words that say what a text is about, each once; all of them where none does."""
    stops = STOP_WORDS.get(language, frozenset())
    return list(dict.fromkeys(word for word in words if word not in stops)) or list(dict.fromkeys(words))
