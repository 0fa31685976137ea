"""A query cut into clauses at its conjunctions; which joints hold and which clauses count. Knows no source at work."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.phrases import Span, content_words, holds, spans, straightened, words

PRONOUNS = frozenset(words("i you he she it we they me him her us them my your his our their this that these those"))
ARTICLES = frozenset(("the", "a", "an"))
SHORTEST_CLAUSE_CHARACTERS = 4  # a scrap such as "ok" or "pls" asks nothing, unless it is a keyword such as rss
EDGE = " \t,;.!?"

IsNoun = Callable[[str], bool]
Joint = Span  # where one conjunction stands in the text
KeepClause = Callable[[str, Vocabulary], bool]


@dataclass(frozen=True)
class Text:
    """A text with what the guards need to know of it."""

    text: str
    joints: tuple[Joint, ...]
    vocabulary: Vocabulary
    is_noun: IsNoun
    intent_starts: frozenset[int]
    intent_ends: frozenset[int]


Guard = Callable[[Text], frozenset[Joint]]


@lru_cache(maxsize=64)
def _joint_pattern(conjunctions: tuple[str, ...]) -> re.Pattern[str] | None:
    if not conjunctions:
        return None
    longest_first = sorted(conjunctions, key=len, reverse=True)
    # The space before a conjunction is looked at, not eaten: in "rss and also google" both words are joints.
    alternatives = (
        (r"(?<=\s)" if conjunction[0].isspace() else "") + r"\s+".join(map(re.escape, conjunction.split()))
        for conjunction in longest_first
    )
    return re.compile(rf"(?:{'|'.join(alternatives)})(?=\s)", re.IGNORECASE)


def keywords(vocabulary: Vocabulary) -> tuple[str, ...]:
    return tuple(phrase for phrases in vocabulary.sources.values() for phrase in phrases)


def find_joints(text: str, vocabulary: Vocabulary) -> tuple[Joint, ...]:
    """Every conjunction in `text` that is no part of a longer phrase with a meaning of its own."""
    pattern = _joint_pattern(vocabulary.conjunctions)
    if pattern is None:
        return ()
    whole = spans(text, (*keywords(vocabulary), *vocabulary.discourse_phrases))
    found = (match.span() for match in pattern.finditer(text))
    return tuple(joint for joint in found if not any(start < joint[1] and joint[0] < end for start, end in whole))


def is_noun(word: str) -> bool:
    """Whether `word` looks like a proper noun: it holds a capital and is no pronoun. "I" and "I'm" are none."""
    base = word.split("'")[0].casefold()
    return any(letter.isupper() for letter in word) and base not in PRONOUNS


def guard_pairs(text: Text) -> frozenset[Joint]:
    """The joints that hold a pair of proper nouns together, each judged at its own place."""
    known = spans(text.text, text.vocabulary.seeds.proper_noun_pairs)
    return frozenset(joint for joint in text.joints if _inside(joint, known) or _joins_names(joint, text, known))


def _inside(joint: Joint, known: Sequence[Span]) -> bool:
    return any(start <= joint[0] and joint[1] <= end for start, end in known)


def _joins_names(joint: Joint, text: Text, known: Sequence[Span]) -> bool:
    left, right = _word_before(text.text, joint[0]), _word_after(text.text, joint[1])
    if text.text[left[1] - 1 : left[1]] in {",", ";"}:  # a comma has closed the clause already
        return False
    if right[0] in {start for start, _ in known}:  # what follows is a pair of its own
        return False
    if right[0] in text.intent_starts or left[1] in text.intent_ends:  # an intent is no half of a pair
        return False
    if text.text[slice(*right)].casefold() in ARTICLES:
        right = _word_after(text.text, right[1])
    return all(text.is_noun(text.text[start:end].strip(EDGE)) for start, end in (left, right))


def _word_before(text: str, end: int) -> Span:
    while end and text[end - 1].isspace():
        end -= 1
    return text.rfind(" ", 0, end) + 1, end


def _word_after(text: str, start: int) -> Span:
    while start < len(text) and text[start].isspace():
        start += 1
    end = text.find(" ", start)
    return start, end if end >= 0 else len(text)


def guard_nosplit(text: Text) -> frozenset[Joint]:
    """The joints that "compare X and Y" holds: the first one after each nosplit phrase, in its own clause only.

    An intent that begins right after the joint is a clause of its own, so "rock vs pop and headlines" still splits.
    """
    held = set()
    for _, end in spans(text.text, text.vocabulary.nosplit_phrases):
        first = next((joint for joint in text.joints if joint[0] >= end), None)
        if first is not None and _word_after(text.text, first[1])[0] not in text.intent_starts:
            held.add(first)
    return frozenset(held)


def keep_clause(clause: str, vocabulary: Vocabulary) -> bool:
    """Whether `clause` asks something.

    A keyword always does, although each of its words is a stop word ("is it up") and however short it is ("rss"):
    so the keywords are looked at before anything else.
    """
    if holds(clause, keywords(vocabulary)):
        return True
    if holds(clause, (*vocabulary.discourse_phrases, *vocabulary.seeds.proper_noun_pairs)):
        return True
    return len(clause) >= SHORTEST_CLAUSE_CHARACTERS and bool(content_words(clause))


def decompose(
    query: str, vocabulary: Vocabulary, names: IsNoun, guards: Sequence[Guard], keep: KeepClause
) -> list[str]:
    """The clauses of `query`, in order; the whole query where fewer than two remain."""
    query = straightened(query)
    text = _read(query, vocabulary, names)
    held = frozenset[Joint]().union(*(guard(text) for guard in guards))
    clauses = [clause for clause in _cut(query, [j for j in text.joints if j not in held]) if keep(clause, vocabulary)]
    return clauses if len(clauses) > 1 else [query]


def _read(query: str, vocabulary: Vocabulary, names: IsNoun) -> Text:
    intents = spans(query, keywords(vocabulary))
    starts, ends = frozenset(start for start, _ in intents), frozenset(end for _, end in intents)
    return Text(query, find_joints(query, vocabulary), vocabulary, names, starts, ends)


def _cut(query: str, joints: Sequence[Joint]) -> list[str]:
    starts = [0, *(end for _, end in joints)]
    ends = [*(start for start, _ in joints), len(query)]
    return [query[start:end].strip(EDGE) for start, end in zip(starts, ends, strict=True)]
