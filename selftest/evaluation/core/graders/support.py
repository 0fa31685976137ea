"""Whether a sentence of the sources says what a claim says. The lexical way; `entailment` has the other one."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

from selftest.evaluation.core.graders.wording import Statement, statement_of


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

    supported_at = 0.7
    sees = "Words are compared by their stems; a negation, a number, a name or an opposite that differs is no support."
    cannot_see = (
        "A claim in other words than its source counts as invented; one in the words of its source, but about another "
        "thing, as supported."
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
        if share <= best.value:
            break  # no later one has more of its words
        why = contradiction(claim, said[number])
        if not why:
            best = Support(share, sentences[number], "" if share >= 1 else "not all of its words")
        elif not nearest:
            nearest, told = sentences[number], why
    # What says the contrary in more of the claim's words tells more than what says a little of it.
    return Support(best.value, nearest, told) if nearest and best.value < Lexical.supported_at else best


def contradiction(claim: Statement, said: Statement) -> str:
    """Why `said` cannot support `claim`, "" where nothing stands against it."""
    if not claim.numbers <= said.numbers:
        return f"another number: {min(claim.numbers - said.numbers)}"
    if not claim.names <= said.words:
        return f"another name: {min(claim.names - said.words)}"
    ours = sum(not scope.isdisjoint(said.words) for scope in claim.negated)
    theirs = sum(not scope.isdisjoint(claim.words) for scope in said.negated)
    flipped = _flipped(claim, said) if claim.sides and said.sides else []
    if (ours + theirs + len(flipped)) % 2:
        return f"the opposite: {min(flipped)}" if flipped else "negated on one side alone"
    return ""


def _flipped(claim: Statement, said: Statement) -> list[str]:
    others = dict(said.sides)
    return [word for word, sides in claim.sides if sides.isdisjoint(others.get(word, sides))]
