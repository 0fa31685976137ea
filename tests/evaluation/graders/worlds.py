"""Pairs of a claim and what its sources brought, from routers of the zoo: good ones in other words, and spoiled ones.

One half of the worlds was looked at while the lexical grader was made; the other half, of other domains with kinds of
text of their own, is what is reported.
"""

import html
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from selftest.core.judging.answers import split_sections
from selftest.evaluation.core.graders.sentences import sentences_of
from selftest.evaluation.core.graders.support import Backend
from selftest.evaluation.core.spoiling import Spoiling, spoiled_sentence
from selftest.measuring.observation import generated_queries
from selftest.targets.reference.zoo.target import ZooTarget, zoo_target

LOOKED_AT: tuple[tuple[str, ...], ...] = ((), ("curly_quotes",), ("titles",))  # the household, its default world
HELD_OUT: tuple[tuple[str, ...], ...] = (
    ("office_domain",),
    ("city_domain",),
    ("office_domain", "entities"),
    ("city_domain", "titles"),
)
QUERIES = 40  # of each world
LEAST_WORDS = 5  # of a sentence: a title or a state is no claim to reword
WAYS = (Spoiling.NUMBER, Spoiling.NEGATED, Spoiling.FOREIGN)  # a sentence that is left out leaves no claim behind
SMALL = str.split("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
""")


@dataclass(frozen=True)
class Pair:
    claim: str
    sentences: tuple[str, ...]
    way: Spoiling | None


def pairs(worlds: tuple[tuple[str, ...], ...], seed: int, count: int) -> list[Pair]:
    """`count` pairs, half of them good, the others spoiled in turn in each way."""
    rng = random.Random(seed)
    found = [answer for habits in worlds for answer in _answers(zoo_target(habits, seed=seed))]
    everything = sorted({sentence for answer in found for sentence in answer})
    made: list[Pair] = []
    places = [(answer, sentence) for answer in found for sentence in dict.fromkeys(answer) if _is_long(sentence)]
    rng.shuffle(places)
    for answer, sentence in places:
        if len(made) >= count:
            break
        way = WAYS[len(made) // 2 % len(WAYS)]
        strangers = [other for other in everything if _is_long(other) and other not in answer]
        spoiled = spoiled_sentence(sentence, way, rng, strangers)
        if spoiled is not None:
            made += [Pair(reworded(sentence, rng), answer, None), Pair(spoiled, answer, way)]
    return made


def values(backend: Backend, of: list[Pair]) -> dict[Spoiling | None, list[float]]:
    found: dict[Spoiling | None, list[float]] = {None: [], **{way: [] for way in WAYS}}
    for pair in of:
        found[pair.way].append(backend.support([pair.claim], pair.sentences, "en")[0].value)
    return found


def reworded(sentence: str, rng: random.Random) -> str:
    """The same in one other way: framed, shortened, turned round, in other marks, or with numbers in words."""
    return rng.choice((str, _framed, _shortened, _turned, _marked, _in_words, _in_other_forms))(sentence)


def _answers(target: ZooTarget) -> Iterator[tuple[str, ...]]:
    for query in generated_queries(target.vocabulary, target.seed, QUERIES):
        for clause in query.clauses:
            answer = target.ask(clause.text)
            sections = split_sections(answer.result, target.vocabulary.headers)
            texts = [section.text for section in sections] or [answer.result]
            yield tuple(html.unescape(sentence) for text in texts for sentence in sentences_of(text, "en"))


def _is_long(sentence: str) -> bool:
    return len(sentence.split()) >= LEAST_WORDS and not sentence.endswith(":")


def _framed(sentence: str) -> str:
    return f"According to what was found, {sentence[:1].lower()}{sentence[1:]}"


def _shortened(sentence: str) -> str:
    """Without its last phrase."""
    cut = [found.start() for found in re.finditer(r",? (?:in|near|after|of|with|by|on|from|until|since) ", sentence)]
    fitting = [place for place in cut if len(sentence[:place].split()) >= LEAST_WORDS]
    return f"{sentence[: fitting[-1]]}." if fitting else sentence


def _turned(sentence: str) -> str:
    """With its last phrase first."""
    shorter = _shortened(sentence)
    if shorter == sentence:
        return sentence
    rest = sentence[len(shorter) - 1 :].strip(" ,.")
    return f"{rest[:1].upper()}{rest[1:]}, {shorter[:1].lower()}{shorter[1:]}"


def _marked(sentence: str) -> str:
    """As an item of a list, with a word in bold and typographic quotes."""
    words = sentence.replace("'", "’").split()
    longest = max(range(len(words)), key=lambda place: len(words[place]))
    words[longest] = f"**{words[longest]}**"
    return sentences_of(f"- {' '.join(words)}", "en")[0]


def _in_words(sentence: str) -> str:
    return re.sub(
        r"(?<![\w.,:])(\d{1,2})(?![\w:.])",
        lambda found: SMALL[int(found[1])] if 1 < int(found[1]) < len(SMALL) else found[1],
        sentence,
    )


def _in_other_forms(sentence: str) -> str:
    """Its last word that is a plain one in the plural, or in the singular."""
    return re.sub(
        r"\b([a-z]{4,}[a-rt-z])(s?)\b(?=[^a-z]*$)", lambda found: found[1] + ("" if found[2] else "s"), sentence
    )
