"""Whether the answer is about what was asked."""

from selftest.evaluation.core.graders.entailment import Entailing, ModelFailedError, best_entailments
from selftest.evaluation.core.graders.sentences import plain, sentences_of
from selftest.evaluation.core.graders.wording import statement_of
from selftest.evaluation.core.samples import NO_JUDGEMENT, Sample, Score

MOST_PREMISES = 64  # sentences of an answer that a model reads


class AnswerRelevance:
    """The share of the query's words that the answer, headers included, takes up."""

    name = "answer_relevance"
    low, high = 0.0, 1.0
    says = "The share of the query's words that the answer, with its headers, takes up in any form."
    cannot_see = "An answer in words that the query does not use, and one that repeats the query without answering it."

    def grade(self, sample: Sample) -> Score:
        """The query's words that are in the answer / all of them; None where the query has none that carry meaning."""
        asked = statement_of(plain(sample.query), sample.language)
        if not asked.weight:
            return Score(None, "no words", "the query has no word that carries meaning")
        if not sample.answer.strip():
            return Score(0.0, "graded", "the answer is blank")
        told = [statement_of(sentence, sample.language) for sentence in sentences_of(sample.answer, sample.language)]
        known = frozenset().union(*(statement.tokens for statement in told))
        words = asked.tokens
        missing = sorted(words - known)
        return Score(
            (len(words) - len(missing)) / len(words),
            "graded",
            f"{len(words) - len(missing)} of {len(words)} words of the query are in the answer",
            tuple(f"missing: {word}" for word in missing),
        )


class EntailedRelevance:
    """How sure a model is that a sentence of the answer is about the query."""

    name = "answer_relevance_nli"
    low, high = 0.0, 1.0
    says = "How sure a language model of this machine is that one of the answer's sentences is about the query."
    cannot_see = "Parts of the query that no sentence takes up, where another part is answered."

    def __init__(self, model: Entailing) -> None:
        self._model = model

    def grade(self, sample: Sample) -> Score:
        """The highest entailment of "This is about …" by a single sentence; None for a blank query."""
        query = plain(sample.query).strip()
        if not query:
            return Score(None, "no words", "the query is blank")
        sentences = sentences_of(sample.answer, sample.language)[:MOST_PREMISES]
        if not sentences:
            return Score(0.0, "graded", "the answer is blank")
        try:
            (best,) = best_entailments(self._model, [f"This is about {query}."], [sentences])
        except ModelFailedError as fault:
            return Score(None, NO_JUDGEMENT, str(fault))
        return Score(best.value, "graded", "the surest sentence", (best.sentence,))
