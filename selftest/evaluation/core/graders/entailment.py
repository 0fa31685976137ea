"""Support by a language model that tells whether one sentence follows from another. The model itself is an argument.

Such models were trained on pairs of sentences: of a paragraph they say "neutral" even to a claim that is in it word for
word. So a premise is always one sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from selftest.evaluation.core.graders.support import Support
from selftest.evaluation.core.graders.wording import statement_of

MOST_PREMISES = 12  # a claim: those that share most words with it
ENTAILED_AT = 0.5


@dataclass(frozen=True)
class Judgement:
    """How sure the model is, each from 0 to 1, that the claim follows from the sentence, or is ruled out by it."""

    entailment: float
    contradiction: float


class ModelFailedError(Exception):
    """The model could not judge these pairs. The message says why."""


class Entailing(Protocol):
    """A model of this machine, loaded and warm."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """One judgement for each pair of a premise and a claim, in order. Raises ModelFailedError."""
        ...


class Entailment:
    """The surest of a claim's judgements by the single sentences that share most words with it."""

    supported_at = ENTAILED_AT
    sees = "A language model of this machine says whether the claim follows from the sentence."
    cannot_see = "A claim that follows only from several sentences together."

    def __init__(self, model: Entailing) -> None:
        self._model = model

    def support(self, claims: Sequence[str], sentences: Sequence[str], language: str) -> list[Support]:
        """The best support of each claim. All pairs go to the model at once, which makes its own batches."""
        premises = [_nearest(claim, sentences, language) for claim in claims]
        return best_entailments(self._model, claims, premises)


def best_entailments(model: Entailing, claims: Sequence[str], premises: Sequence[Sequence[str]]) -> list[Support]:
    """For each claim the surest of its premises; the first wins among equal ones."""
    pairs = [(premise, claim) for claim, own in zip(claims, premises, strict=True) for premise in own]
    judged = iter(zip(pairs, model.judge(pairs) if pairs else [], strict=True))
    return [_surest([next(judged) for _ in own]) for own in premises]


def _surest(judged: list[tuple[tuple[str, str], Judgement]]) -> Support:
    if not judged:
        return Support(0.0, "", "there is no sentence to hold it against")
    (premise, _), best = max(judged, key=lambda one: one[1].entailment)
    if best.entailment >= ENTAILED_AT:
        return Support(best.entailment, premise, "")
    (against, _), worst = max(judged, key=lambda one: one[1].contradiction)
    if worst.contradiction >= ENTAILED_AT:
        return Support(best.entailment, against, "ruled out by the sentence")
    return Support(best.entailment, premise, "follows from no sentence")


def _nearest(claim: str, sentences: Sequence[str], language: str) -> list[str]:
    if len(sentences) <= MOST_PREMISES:
        return list(sentences)
    wanted = statement_of(claim, language)

    def shared(sentence: str) -> int:
        return len(wanted.tokens & statement_of(sentence, language).tokens)

    return sorted(sentences, key=shared, reverse=True)[:MOST_PREMISES]
