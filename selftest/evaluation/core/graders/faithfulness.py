"""Whether the answer says only what its sources brought. Decides on claims; how two sentences agree, a backend does."""

from collections.abc import Collection, Iterator

from selftest.evaluation.core.graders.entailment import ModelFailedError
from selftest.evaluation.core.graders.figures import claim_shapes, shape_of
from selftest.evaluation.core.graders.refusals import is_refusal
from selftest.evaluation.core.graders.sentences import claims_of, sentences_of
from selftest.evaluation.core.graders.support import Backend, Lexical, Support
from selftest.evaluation.core.samples import NO_JUDGEMENT, REFUSAL, ChangingFigure, Part, Sample, Score

MOST_CLAIMS = 200  # of one answer: what a grader costs stays bounded
MOST_SENTENCES = 400  # of all its sources
NO_CONTEXT, NO_CLAIMS, GRADED = "no context", "no claims", "graded"


class Faithfulness:
    """The share of an answer's claims that a single sentence of the sources supports."""

    low, high = 0.0, 1.0

    def __init__(self, backend: Backend | None = None, refusals: Collection[str] = ()) -> None:
        """backend: None for the lexical one. refusals: what the target says where it has nothing."""
        self.backend = backend or Lexical()
        self.name = "faithfulness" if isinstance(self.backend, Lexical) else "faithfulness_nli"
        self.says = (
            "The share of the answer's claims that a single sentence of what the sources brought alone supports. "
            + self.backend.sees
            + " A figure that the source itself gives otherwise each time is no contradiction."
        )
        self.cannot_see = (
            "What the answer leaves out, whether the sources are right, and a wrong figure where the right one changes "
            "from one asking to the next. " + self.backend.cannot_see
        )
        self._refusals = frozenset(phrase.lower().strip(" .!…") for phrase in refusals)

    def grade(self, sample: Sample) -> Score:
        """supported claims / claims. A refusal is 1.0 whatever was brought, as it claims nothing."""
        language = sample.language
        claims, refused = self._claims(sample)
        if not claims:
            if refused:
                return Score(1.0, REFUSAL, "the answer says that it has none, and claims nothing")
            return Score(None, NO_CLAIMS, "the answer claims nothing")
        brought = [
            (part.source, sentence) for part in sample.context or () for sentence in sentences_of(part.text, language)
        ][:MOST_SENTENCES]
        if not brought:
            return Score(None, NO_CONTEXT, "what the sources bring alone is not known")
        try:
            supports = self._supports(claims, brought, sample)
        except ModelFailedError as fault:
            return Score(None, NO_JUDGEMENT, str(fault))
        supported = sum(support.value >= self.backend.supported_at for _, support in supports)
        return Score(
            supported / len(supports),
            GRADED,
            f"{supported} of {len(supports)} claims are supported",
            tuple(_line(claim, support, self.backend.supported_at) for claim, support in supports),
        )

    def _claims(self, sample: Sample) -> tuple[list[tuple[str | None, str]], bool]:
        """Source of the section and claim, for each; and whether the answer refuses anything."""
        claims: list[tuple[str | None, str]] = []
        refused = False
        for source, claim in _all_claims(sample):
            if is_refusal(claim, sample.query, sample.language, self._refusals):
                refused = True
            else:
                claims.append((source, claim))
                if len(claims) == MOST_CLAIMS:
                    break
        return claims, refused

    def _supports(
        self, claims: list[tuple[str | None, str]], brought: list[tuple[str | None, str]], sample: Sample
    ) -> list[tuple[str, Support]]:
        """Each claim with its support: not by what another section's source brought, if its own brought something."""
        groups: dict[str | None, list[str]] = {}
        for source, claim in claims:
            groups.setdefault(source, []).append(claim)
        known = {source for source, _ in brought}
        found: list[tuple[str, Support]] = []
        for source, texts in groups.items():
            others = groups.keys() - {source} if source in known else set()
            own = [(origin, sentence) for origin, sentence in brought if origin is None or origin not in others]
            moved = _moved(texts, own, sample)
            asked = [text for text in texts if text not in moved]
            said = self.backend.support(asked, [sentence for _, sentence in own], sample.language)
            supports = {**dict(zip(asked, said, strict=True)), **moved}
            found += ((text, supports[text]) for text in texts)
        return found


def _moved(claims: list[str], brought: list[tuple[str | None, str]], sample: Sample) -> dict[str, Support]:
    """By claim, the sentence that says the same but for figures that change from one asking to the next."""
    if not sample.changing:
        return {}
    said: dict[tuple[str, ...], list[tuple[str | None, tuple[str, ...], str]]] = {}
    for source, sentence in brought:
        for words, figures in claim_shapes(sentence, sample.language):
            said.setdefault(words, []).append((source, figures, sentence))
    found: dict[str, Support] = {}
    for claim in claims:
        words, figures = shape_of(claim, sample.language)
        for source, theirs, sentence in said.get(words, ()):
            other = {place for place, (ours, their) in enumerate(zip(figures, theirs, strict=True)) if ours != their}
            if all(ChangingFigure(source, words, place) in sample.changing for place in other):
                found[claim] = Support(1.0, sentence, "")
                break
    return found


def _all_claims(sample: Sample) -> Iterator[tuple[str | None, str]]:
    for section in sample.sections or (Part(None, sample.answer),):
        for sentence in sentences_of(section.text, sample.language):
            for claim in claims_of(sentence, sample.language):
                yield section.source, claim


def _line(claim: str, support: Support, supported_at: float) -> str:
    if support.value >= supported_at:
        return f"supported: {claim} ← {support.sentence}"
    nearest = f" ← {support.sentence}" if support.sentence else ""
    return f"not supported ({support.why}): {claim}{nearest}"
