"""A query split into clauses at its conjunctions: which conjunctions are kept whole, and which clauses count.

Must not know which sources there are, or what they hold.
"""

from collections.abc import Sequence

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.phrases import (
    Span,
    content_words,
    find_conjunctions,
    holds,
    keywords,
    spans,
    straightened,
    words,
)
from selftest.targets.reference.steps import Conjunction, Guard, GuardedText, IsNoun, KeepClause

PRONOUNS = frozenset(words("i you he she it we they me him her us them my your his our their this that these those"))
ARTICLES = frozenset(("the", "a", "an"))
SHORTEST_CLAUSE_CHARACTERS = 4  # a scrap such as "ok" or "pls" asks nothing, unless it is a keyword such as rss
EDGE = " \t,;.!?"


def is_noun(word: str) -> bool:
    """Whether `word` looks like a proper noun: it holds a capital and is no pronoun, as "I" and "I'm" are."""
    base = word.split("'")[0].casefold()
    return any(letter.isupper() for letter in word) and base not in PRONOUNS


def guard_pairs(text: GuardedText, vocabulary: Vocabulary) -> frozenset[Conjunction]:
    """The conjunctions that hold a pair of proper nouns together, each judged by the words beside it."""
    known = spans(text.text, vocabulary.seeds.proper_noun_pairs)
    return frozenset(
        conjunction
        for conjunction in text.conjunctions
        if _inside(conjunction, known) or _joins_names(conjunction, text, known)
    )


def _inside(conjunction: Conjunction, known: Sequence[Span]) -> bool:
    return any(start <= conjunction[0] and conjunction[1] <= end for start, end in known)


def _joins_names(conjunction: Conjunction, text: GuardedText, known: Sequence[Span]) -> bool:
    left, right = _word_before(text.text, conjunction[0]), _word_after(text.text, conjunction[1])
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


def guard_nosplit(text: GuardedText, vocabulary: Vocabulary) -> frozenset[Conjunction]:
    """The conjunctions inside "compare X and Y": the first one after each nosplit phrase, in its own clause only.

    An intent that begins right after the conjunction is a clause of its own: "rock vs pop and headlines" still splits.
    """
    guarded = set()
    for _, end in spans(text.text, vocabulary.nosplit_phrases):
        first = next((conjunction for conjunction in text.conjunctions if conjunction[0] >= end), None)
        if first is not None and _word_after(text.text, first[1])[0] not in text.intent_starts:
            guarded.add(first)
    return frozenset(guarded)


def keep_clause(clause: str, vocabulary: Vocabulary) -> bool:
    """Whether `clause` asks something.

    A keyword always does, although each of its words is a stop word ("is it up") and however short it is ("rss"):
    so the keywords are looked at before anything else.
    """
    if holds(clause, keywords(vocabulary.sources)):
        return True
    if holds(clause, (*vocabulary.discourse_phrases, *vocabulary.seeds.proper_noun_pairs)):
        return True
    return len(clause) >= SHORTEST_CLAUSE_CHARACTERS and bool(content_words(clause))


def decompose(
    query: str, is_noun: IsNoun, guards: Sequence[Guard], keep: KeepClause, vocabulary: Vocabulary
) -> list[str]:
    """The clauses of `query`, in order, straightened; the whole query where fewer than two remain."""
    query = straightened(query)
    text = _read(query, is_noun, vocabulary)
    guarded = frozenset[Conjunction]().union(*(guard(text) for guard in guards))
    cuts = [conjunction for conjunction in text.conjunctions if conjunction not in guarded]
    clauses = [clause for clause in _cut(query, cuts) if keep(clause)]
    return clauses if len(clauses) > 1 else [query]


def _read(query: str, is_noun: IsNoun, vocabulary: Vocabulary) -> GuardedText:
    known = keywords(vocabulary.sources)
    conjunctions = find_conjunctions(query, vocabulary.conjunctions, (*known, *vocabulary.discourse_phrases))
    intents = spans(query, known)
    starts, ends = frozenset(start for start, _ in intents), frozenset(end for _, end in intents)
    return GuardedText(query, conjunctions, starts, ends, is_noun)


def _cut(query: str, conjunctions: Sequence[Conjunction]) -> list[str]:
    starts = [0, *(end for _, end in conjunctions)]
    ends = [*(start for start, _ in conjunctions), len(query)]
    return [query[start:end].strip(EDGE) for start, end in zip(starts, ends, strict=True)]
