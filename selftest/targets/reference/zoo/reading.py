"""From a query to its clauses: conjunctions, pairs, conditionals, framing. Must not know what sources hold."""

import re
from collections.abc import Callable, Iterable

from selftest.targets.reference.phrases import straightened
from selftest.targets.reference.splitting import ARTICLES, PRONOUNS
from selftest.targets.reference.zoo.lexicon import EDGE, OPENER, Lexicon, folded_lookalikes, normal_words, overlaps
from selftest.targets.reference.zoo.manner import Manner
from selftest.targets.reference.zoo.types import Clause, Reading, Span, Stages

StagesOf = Callable[[], Stages]  # the stages in force, faults and all
WORD_BEFORE, WORD_AFTER = re.compile(r"(\S+)\s*$"), re.compile(r"\s*(?:(?:the|an?)\s+)?(\S+)", re.IGNORECASE)


class Reader:
    """The healthy reading stages of one router."""

    def __init__(self, lexicon: Lexicon, manner: Manner, stages: StagesOf) -> None:
        self._lexicon = lexicon
        self._manner = manner
        self._stages = stages

    def straighten(self, query: str) -> str:
        """Single spaces, straight apostrophes, nothing invisible; look-alike letters as the manner says."""
        return straightened(folded_lookalikes(query) if self._manner.folds_lookalikes else query)

    def cuts(self, text: str) -> list[Span]:
        """The conjunctions at which `text` is cut, left to right."""
        stages, lexicon = self._stages(), self._lexicon
        protected = stages.protected(text)
        found = [match.span() for match in lexicon.conjunctions.finditer(text)]
        free = [span for span in found if not overlaps(span, protected)]
        keywords = lexicon.keyword_spans(text)
        kept = {span for span in self._held_by_nosplit(text, found, keywords) if span in free}
        if self._manner.guards_capitals:
            kept |= {span for span in free if self._joins_names(text, span, protected)}
        commas = self._list_commas(text, protected) if self._manner.comma_lists else []
        return sorted([span for span in free if span not in kept] + commas)

    def _held_by_nosplit(self, text: str, found: list[Span], keywords: Iterable[Span]) -> set[Span]:
        """The first conjunction after each nosplit phrase, unless an intent begins right after it."""
        held = set()
        starts = {start for start, _ in keywords}
        for match in self._lexicon.nosplit.finditer(text):
            first = next((span for span in found if span[0] >= match.end()), None)
            if first and first[1] + 1 not in starts and "," not in text[match.end() : first[0]]:
                held.add(first)
        return held

    def _joins_names(self, text: str, span: Span, protected: list[Span]) -> bool:
        """Two words with a capital, of which neither is a pronoun or belongs to a known phrase."""
        before, after = WORD_BEFORE.search(text[: span[0]]), WORD_AFTER.match(text[span[1] :])
        if not before or not after or before[1][-1] in ",;":
            return False
        beside = [before.span(1), (span[1], span[1] + after.end(1))]
        return all(_is_name(word) for word in (before[1], after[1])) and not any(overlaps(s, protected) for s in beside)

    def _list_commas(self, text: str, protected: list[Span]) -> list[Span]:
        """Commas with a keyword right behind them."""
        starts = {start for start, _ in self._lexicon.keyword_spans(text)}
        commas = [(found.start(), found.end()) for found in re.finditer(r", ", text)]
        return [comma for comma in commas if comma[1] in starts and not overlaps(comma, protected)]

    def read(self, query: str) -> Reading:
        """The clauses of a straightened query, a conditional's apart by role."""
        clauses = self._clauses(query)
        roles = {clause.role for clause in clauses}
        headed = "condition" in roles and bool(roles & {"remainder", "consequence"})
        return Reading(query, tuple(clauses) or (Clause(query),), headed)

    def _clauses(self, text: str) -> list[Clause]:
        conditional = self._conditional(text)
        if conditional is None:
            return self._split(text, "plain")
        before, condition, consequence, rest = conditional
        return [
            *(self._split(before, "plain") if before else []),
            Clause(condition, "condition"),
            *self._consequences(consequence),
            *self._remainder(rest),
        ]

    def _remainder(self, rest: str) -> list[Clause]:
        clauses = self._clauses(rest) if rest else []
        return [Clause(clause.text, "remainder") if clause.role == "plain" else clause for clause in clauses]

    def _consequences(self, text: str) -> list[Clause]:
        """Only what names a source: "let me know" asks nothing."""
        return [Clause(piece.strip(EDGE), "consequence") for piece in text.split(",") if self._lexicon.named(piece)]

    def _conditional(self, text: str) -> tuple[str, str, str, str] | None:
        """What is before it, the condition without its opener, the consequence, the rest; None without a condition."""
        for cut in [(0, 0), *self._stages().cuts(text)]:
            start = cut[1] + len(text[cut[1] :]) - len(text[cut[1] :].lstrip())
            opener = OPENER.match(text, start)
            known = self._lexicon.conditions.match(text, start)
            end = known.end() if known and text[known.end() :].startswith(",") else text.find(",", start)
            if (opener or known) and end > 0:
                condition = text[opener.end() if opener else start : end].strip(EDGE)
                consequence, rest = self._after_condition(text[end + 1 :].strip())
                return text[: cut[0]].strip(EDGE), condition, consequence, rest
        return None

    def _after_condition(self, text: str) -> tuple[str, str]:
        """The consequence, up to a comma or a conjunction, and the remainder without what joins it."""
        known = self._lexicon.consequences.match(text)
        cuts = [span for span in self._stages().cuts(text) if not known or span[0] >= known.end()]
        comma = text.find(",", known.end() if known else 0)
        ends = cuts[:1]
        if comma >= 0 and (not self._manner.remainder_needs_conjunction or self._joined(text[comma + 1 :])):
            ends.append((comma, comma + 1))
        if not ends:
            return text.strip(EDGE), ""
        end, start = min(ends)
        rest = text[start:].strip(EDGE)
        joint = self._joined(f" {rest}")
        return text[:end].strip(EDGE), rest[joint - 1 :].strip(EDGE) if joint else rest

    def _joined(self, text: str) -> int:
        """Where the conjunction that `text` begins with ends, 0 where it begins with none."""
        spaced = f" {text.lstrip()}"
        match = self._lexicon.conjunctions.match(spaced, 1)
        if not match or overlaps(match.span(), self._stages().protected(spaced)):
            return 0
        return match.end()

    def _split(self, text: str, role: str) -> list[Clause]:
        stages = self._stages()
        cuts = stages.cuts(text)
        starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
        pieces = [text[start:end].strip(EDGE) for start, end in zip(starts, ends, strict=True)]
        kept = [piece for piece in pieces if stages.is_clause(piece)]
        return [Clause(piece, role) for piece in kept or [text.strip(EDGE) or text]]


def _is_name(word: str) -> bool:
    base = normal_words(word)
    return bool(base) and any(c.isupper() for c in word) and base[0].split("'")[0] not in PRONOUNS | ARTICLES
