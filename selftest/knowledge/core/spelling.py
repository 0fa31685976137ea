"""Which known words may be meant by one that is not known. Pure."""

from collections.abc import Collection, Iterable

from rapidfuzz.distance import OSA

SIMILAR = 0.3  # by shared trigrams, as PostgreSQL counts them
MOST_MEANT = 3  # words for one


def trigrams(word: str) -> frozenset[str]:
    """As pg_trgm makes them: two spaces before, one behind."""
    padded = f"  {word} "
    return frozenset(padded[start : start + 3] for start in range(len(padded) - 2))


def similarity(word: str, other: str) -> float:
    """The share of trigrams that two words have in common, in [0, 1]."""
    first, second = trigrams(word), trigrams(other)
    return len(first & second) / len(first | second)


def slips(length: int) -> int:
    """How many letters of a word of this length may be wrong."""
    return 1 if length < 8 else 2


def meant(word: str, known: Iterable[tuple[str, int]], similar: float = SIMILAR) -> list[str]:
    """The likeliest first: fewest slips, then the same first letter, most used, most alike.

    known: words with how many pieces have each. similar: what a word must share at least; one of a single slip in a
    word of up to seven letters need not, as these share too few trigrams to tell by.
    """
    found = []
    for other, pieces in known:
        away = OSA.distance(word, other, score_cutoff=slips(max(len(word), len(other))))
        if away > slips(max(len(word), len(other))) or other == word:
            continue
        alike = similarity(word, other)
        if alike >= similar or (away == 1 and min(len(word), len(other)) >= 3):
            found.append((away, word[:1] != other[:1], -pieces, -alike, other))
    return [each[-1] for each in sorted(found)[:MOST_MEANT]]


def holds_letters(word: str) -> bool:
    """Whether a word can be misspelt: numbers and very short words cannot."""
    return len(word) >= 3 and not any(letter.isdigit() for letter in word)


def unknown(words: Iterable[str], known: Collection[str]) -> list[str]:
    """Those that can be misspelt and are not known."""
    return [word for word in words if word not in known and holds_letters(word)]
