"""Whether a sentence of the sources says what a claim says. The lexical way; `entailment` has the other one."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

from selftest.evaluation.core.graders.wording import Statement, statement_of

LEAST_OWN = 0.5  # of a claim's words in the sentence itself; the rest may be what its pronoun names
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Support:
    """How far a claim is supported, 0 to 1, by which sentence, "" for none of them, and why no further."""

    value: float
    sentence: str
    why: str


class Backend(Hashable, Protocol):
    """A way to hold claims against single sentences.

    supported_at: from this value on, a claim is supported. sees, cannot_see: sentences about it.
    """

    supported_at: float
    sees: str
    cannot_see: str

    def support(self, claims: Sequence[str], sentences: Sequence[str], language: str) -> list[Support]:
        """The best support of each claim by any one of `sentences`."""
        ...


class Lexical:
    """Negations, numbers, names and opposites first: one that differs is no support. Then the share of the words."""

    supported_at = 0.8  # one word of five may be another one: of fewer, it is likely the one that matters
    sees = "Words are compared by their stems; a negation, a number, a name or an opposite that differs is no support."
    cannot_see = (
        "A claim in other words than its source counts as invented; one in its words, but with its parts exchanged, as "
        "supported."
    )

    def support(self, claims: Sequence[str], sentences: Sequence[str], language: str) -> list[Support]:
        """The best support of each claim. The first sentence wins among equal ones."""
        said = [statement_of(sentence, language) for sentence in sentences]
        saying: defaultdict[str, list[int]] = defaultdict(list)
        for number, statement in enumerate(said):
            for token in statement.tokens:
                saying[token].append(number)
        return [_best(statement_of(claim, language), said, sentences, saying) for claim in claims]


def _best(
    claim: Statement, said: Sequence[Statement], sentences: Sequence[str], saying: dict[str, list[int]]
) -> Support:
    shared: dict[int, int] = {}
    for token in claim.tokens:
        for number in saying.get(token, ()):
            shared[number] = shared.get(number, 0) + 1
    best, nearest = Support(0.0, "", "no sentence of the sources has its words"), ""
    for number in sorted(shared, key=lambda number: (-shared[number], number)):
        share = shared[number] / claim.weight
        if share <= best.value and share < LEAST_OWN:
            break  # no later one has more of its words
        missing = claim.words - said[number].words
        meant = _meant(missing, said, saying) if said[number].refers and share >= LEAST_OWN else NOTHING
        share += len(missing & meant) / claim.weight
        if share <= best.value:
            continue
        why = contradiction(claim, said[number], meant)
        if not why:
            best = Support(min(1.0, share), sentences[number], "" if share >= 1 else "not all of its words")
        elif not nearest:
            nearest, told = sentences[number], why
    # What says the contrary in more of the claim's words tells more than what says a little of it.
    return Support(best.value, nearest, told) if nearest and best.value < Lexical.supported_at else best


def _meant(missing: frozenset[str], said: Sequence[Statement], saying: dict[str, list[int]]) -> frozenset[str]:
    """What a pronoun may name: the missing words of the sentence with most of them, wherever it stands."""
    found = {missing & said[number].words for word in missing for number in saying.get(word, ())}
    return min(found, key=lambda words: (-len(words), sorted(words)), default=NOTHING)


def contradiction(claim: Statement, said: Statement, meant: frozenset[str] = NOTHING) -> str:
    """Why `said` cannot support `claim`, "" where nothing stands against it. meant: what its pronoun may name."""
    if not claim.numbers <= said.numbers:
        return f"another number: {min(claim.numbers - said.numbers)}"
    if strange := claim.names - said.words - meant:
        return f"another name: {min(strange)}"
    ours = sum(not scope.isdisjoint(said.words) for scope in claim.negated)
    theirs = sum(not scope.isdisjoint(claim.words) for scope in said.negated)
    flipped = _flipped(claim, said) if claim.sides and said.sides else []
    if (ours + theirs + len(flipped)) % 2:
        return f"the opposite: {min(flipped)}" if flipped else "negated on one side alone"
    return ""


def _flipped(claim: Statement, said: Statement) -> list[str]:
    others = dict(said.sides)
    return [word for word, sides in claim.sides if not sides <= others.get(word, sides)]
