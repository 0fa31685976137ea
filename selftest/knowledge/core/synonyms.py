"""Other words for the same thing, from `synonyms.txt`. Pure: packaged files are read once.

A line of the file is one group: words and phrases, parted by commas, in any language. Each stands for the others. A
word with irregular forms, from `forms.txt`, is a group of them, and brings them along into each group that has it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from selftest.knowledge.core.words import LANGUAGES, folded, stem, words_of

FILE = Path(__file__).with_name("synonyms.txt")
FORMS = Path(__file__).with_name("forms.txt")  # `lost` is a form of `lose`, and its stem another
LONGEST_PHRASE = 4  # words


Phrase = tuple[str, ...]


@lru_cache
def groups() -> tuple[tuple[Phrase, ...], ...]:
    """Every group as phrases, each a tuple of words in lower case."""
    forms = _lines(FORMS)
    of_word = {word: group for group in forms for word in group}
    return (*(_with_forms(group, of_word) for group in _lines(FILE)), *forms)


def _lines(file: Path) -> tuple[tuple[Phrase, ...], ...]:
    lines = file.read_text(encoding="utf-8").splitlines()
    said = [line for line in lines if line.strip() and not line.startswith("#")]
    return tuple(tuple(tuple(words_of(phrase)) for phrase in line.split(",")) for line in said)


def _with_forms(group: tuple[Phrase, ...], of_word: Mapping[Phrase, tuple[Phrase, ...]]) -> tuple[Phrase, ...]:
    return tuple(dict.fromkeys(form for phrase in group for form in (phrase, *of_word.get(phrase, ()))))


@lru_cache
def _groups_of_stems() -> Mapping[tuple[str, ...], tuple[int, ...]]:
    """Which groups hold a phrase, by its stems in any language."""
    found: dict[tuple[str, ...], list[int]] = {}
    for number, group in enumerate(groups()):
        for phrase in group:
            for stems in {tuple(stem(word, language) for word in phrase) for language in LANGUAGES}:
                numbers = found.setdefault(stems, [])
                if number not in numbers:
                    numbers.append(number)
    return {stems: tuple(numbers) for stems, numbers in found.items()}


@lru_cache
def _longest_by_first() -> Mapping[str, int]:
    """How many words the longest phrase has that begins with a stem."""
    found: dict[str, int] = {}
    for stems in _groups_of_stems():
        found[stems[0]] = max(len(stems), found.get(stems[0], 0))
    return found


def groups_of(words: Sequence[str], language: str) -> list[tuple[int, int, tuple[int, ...]]]:
    """The groups that words stand in, as (start, end, groups): longer phrases first, no word in two of them.

    words: in lower case, in order, stop words too (`sign in`).
    """
    known, begins = _groups_of_stems(), _longest_by_first()
    stems = [stem(word, language) for word in words]
    starts = [(start, begins[each]) for start, each in enumerate(stems) if each in begins]  # most words begin none
    found: list[tuple[int, int, tuple[int, ...]]] = []
    taken: set[int] = set()
    for length in range(min(LONGEST_PHRASE, len(words)), 0, -1):
        for start, longest in starts:
            if length > min(longest, len(stems) - start):
                continue
            numbers = known.get(tuple(stems[start : start + length]))
            if numbers and taken.isdisjoint(range(start, start + length)):
                found.append((start, start + length, numbers))
                taken.update(range(start, start + length))
    return sorted(found)


def alternatives(words: Sequence[str], numbers: Sequence[int]) -> list[tuple[str, ...]]:
    """The other phrases of these groups, in the order of the file."""
    own = tuple(folded(word) for word in words)
    every = [phrase for number in numbers for phrase in groups()[number]]
    return list(dict.fromkeys(phrase for phrase in every if tuple(map(folded, phrase)) != own))
