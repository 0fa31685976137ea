"""However a text is written, within its 4,000 characters, it is read and compared in bounded time."""

import random
from time import process_time

import pytest

from selftest.findings.core.beliefs import Belief, Profile
from selftest.findings.core.categories import Scope
from selftest.findings.core.profiles import verdict
from selftest.findings.core.statements import MOST_CLAUSE_TERMS, MOST_TERMS, clauses_of
from selftest.findings.saving import CONTENT_CHARACTERS

# Some 0.05 s on a quiet machine; without any bound one of these takes 20 s, the others 0.3 to 2.
MOST_S = 0.5
RULE = "feedback/from-agent/reports"


def words(count: int, seed: int, start: str = "") -> list[str]:
    rng = random.Random(seed)
    return [start + "".join(rng.choice("bdfklmnprst") + rng.choice("aeiou") for _ in range(3)) for _ in range(count)]


def shuffled(given: list[str]) -> list[str]:
    return random.Random(1).sample(given, len(given))


HOSTILE = {
    "few words again and again": ("a b c d e f g h i j " * 200, "j i h g f e d c b a " * 200),
    "many words without an end": (" ".join(words(550, 1)), "never " + " ".join(shuffled(words(550, 1)))),
    "many sentences of the same words": (
        ". ".join(" ".join(words(50, 2)) for _ in range(10)),
        ". ".join(" ".join(shuffled(words(50, 2))) for _ in range(10)),
    ),
    "German words that begin alike": (
        "das ist nicht der " + ". der ".join(" ".join(words(30, n, "grund")) for n in range(11)),
        "die und das ist ein " + ". der ".join(" ".join(words(30, n, "grund")) for n in range(11, 22)),
    ),
    "spaces": (f"it is{' ' * 3_900}slow", f"it is not{chr(9) * 3_900}slow"),
    "ellipses": ("…" * 4_000, "é" + "…" * 3_999),
    "commas": ("b, " * 1_300, "b, c " * 800),
    "letters that come to eighteen": ("\ufdfa" * 4_000, "\ufdfa " * 2_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_pair_takes_little_time(name: str) -> None:
    older, newer = (Belief(RULE, text[:CONTENT_CHARACTERS]) for text in HOSTILE[name])
    clauses_of.cache_clear()
    began = process_time()
    verdict(older, newer, Profile.V2)
    verdict(newer, older, Profile.V2)
    assert process_time() - began < MOST_S


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("scope", Scope)
def test_of_a_text_so_many_words_are_compared(name: str, scope: Scope) -> None:
    for text in HOSTILE[name]:
        counts = [len(clause.terms) for clause in clauses_of(text[:CONTENT_CHARACTERS], scope)]
        assert max(counts, default=0) <= MOST_CLAUSE_TERMS
        assert sum(counts[:-1]) < MOST_TERMS


def test_what_a_long_text_says_first_is_still_compared() -> None:
    rest = " ".join(words(500, 3))
    found = verdict(Belief(RULE, f"Always name the seed. {rest}"), Belief(RULE, "Never name the seed."), Profile.V2)
    assert found.why.is_contradiction
