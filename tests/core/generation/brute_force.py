"""Every combination of every recipe, listed the plain way from the vocabulary document itself.

Written from the specification's table of recipes and free of the code under test: slow, and easy to see through.
"""

import json
import re
from itertools import combinations, cycle, islice, product

from tests.vocabularies import Document

Fingerprints = list[str]


def fingerprint(*ingredients: str) -> str:
    return json.dumps(sorted(ingredients), ensure_ascii=False)


def names(document: Document, source: str, text: str) -> bool:
    """A keyword of `source` stands in `text` as whole words. The phrases in these documents hold no special signs."""
    return any(re.search(rf"\b{phrase}\b", text, re.IGNORECASE) for phrase in document["sources"][source])


def intents(document: Document) -> list[tuple[str, str]]:
    return [(source, phrase) for source, phrases in document["sources"].items() for phrase in phrases]


def conjunctions_beside(document: Document, pairs: list[str]) -> list[str]:
    """The conjunctions that stand in none of `pairs`, or all where that leaves none."""
    different = [c for c in document["conjunctions"] if not any(c in pair for pair in pairs)]
    return different or document["conjunctions"]


def some_conjunctions(conjunctions: list[str], count: int) -> list[tuple[str, ...]]:
    """Different ones where there are enough, otherwise all, the first ones again; no way at all without any."""
    if len(conjunctions) >= count:
        return list(combinations(conjunctions, count))
    return [tuple(islice(cycle(sorted(conjunctions)), count))] if conjunctions else []


def proper_noun_plus_pronoun_intent(d: Document) -> Fingerprints:
    return [
        fingerprint(f"pair:{p}", f"joint:{c}", f"request:{r}")
        for p, c, r in product(d["seeds"]["proper_noun_pairs"], d["conjunctions"], d["seeds"]["pronoun_requests"])
    ]


def multi_intent_chain(d: Document) -> Fingerprints:
    sources = list(d["sources"])
    lengths = [n for n in (3, 4, 5) if n <= len(sources)] or ([2] if len(sources) == 2 else [])
    return [
        fingerprint(*(f"intent:{s}:{p}" for s, p in zip(chosen, phrases, strict=True)), *(f"joint:{j}" for j in joined))
        for n in lengths
        for chosen in combinations(sources, n)
        for phrases in product(*(d["sources"][s] for s in chosen))
        for joined in some_conjunctions(d["conjunctions"], n - 1)
    ]


def conditional_with_remainder(d: Document) -> Fingerprints:
    def unrelated(condition: str, source: str, phrase: str) -> bool:
        akin = any(
            len(said) >= 4 and said[:4] == asked[:4]
            for said, asked in product(condition.lower().split(), phrase.lower().split())
        )
        return not akin and not names(d, source, condition)

    return [
        fingerprint(
            f"condition:{condition}", f"consequence:{consequence}", f"joint:{joint}", f"intent:{source}:{phrase}"
        )
        for condition, consequence in product(d["seeds"]["conditions"], d["seeds"]["consequences"])
        for joint in conjunctions_beside(d, [condition])
        for source, phrase in intents(d)
        if unrelated(condition, source, phrase)
    ]


def nosplit_adjacent_to_real_conjunction(d: Document) -> Fingerprints:
    return [
        fingerprint(f"nosplit:{n}", f"pair:{pair}", f"joint:{conjunction}", f"intent:{source}:{phrase}")
        for n, pair in product(d["nosplit_phrases"], d["seeds"]["proper_noun_pairs"])
        for conjunction in conjunctions_beside(d, [pair])
        for source, phrase in intents(d)
    ]


def discourse_framing_plus_real_keyword(d: Document) -> Fingerprints:
    return [
        fingerprint(f"discourse:{framing}", f"topic:{topic}", f"intent:{source}:{phrase}")
        for framing, topic in product(d["discourse_phrases"], d["seeds"]["discourse_topics"])
        if not any(names(d, source, topic) for source in d["sources"])
        for source, phrase in intents(d)
        if source != d["encyclopedia"]
    ]


def nested_proper_noun_pairs(d: Document) -> Fingerprints:
    pairs = d["seeds"]["proper_noun_pairs"]
    return [
        fingerprint(f"pair:{a}", f"pair:{b}", *(f"joint:{j}" for j in joined), f"intent:{source}:{phrase}")
        for a, b in combinations(pairs, 2)
        for joined in some_conjunctions(conjunctions_beside(d, pairs), 2)
        for source, phrase in intents(d)
    ]


def no_intent_fallthrough(d: Document) -> Fingerprints:
    return [
        fingerprint(f"topic:{topic}")
        for topic in d["seeds"]["open_topics"]
        if not any(names(d, source, topic) for source in d["sources"])
    ]


ALL = {
    every.__name__: every
    for every in (
        proper_noun_plus_pronoun_intent,
        multi_intent_chain,
        conditional_with_remainder,
        nosplit_adjacent_to_real_conjunction,
        discourse_framing_plus_real_keyword,
        nested_proper_noun_pairs,
        no_intent_fallthrough,
    )
}
