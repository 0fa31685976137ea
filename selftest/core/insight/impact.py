"""On which answers a change of the vocabulary can bear: on all others both vocabularies judge alike. Pure.

Kept because it is needed: judging 10,000 runs by both vocabularies takes some 70 s of one core (150 runs a second), and
a page waits 20 s at most; with it the changes of tests/benchmarks/what_if.py take 2 to 6 s.

Errs on the safe side: what it bears on is judged by both. It follows what a judgement reads of a vocabulary, so a
change that makes one read more belongs here too.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary, phrases_pattern
from selftest.core.judging.context import COMPOUNDS, standalone_part
from selftest.core.judging.failure_phrases import mentions_any
from selftest.core.judging.invariants import UNFINISHED_CHARACTERS, header_shape

NEVER = re.compile(r"(?!)")
# What a vocabulary says of its target that bears on any answer.
HABITS_OF_ALL = (
    "lists_items_once",
    "ignores_signs",
    "nosplit_holds_query",
    "opens_with_text",
    "sections_by_part",
    "presence_only",
)


@dataclass(frozen=True)
class Impact:
    """before and after: the two vocabularies."""

    before: Vocabulary
    after: Vocabulary

    @cached_property
    def is_everywhere(self) -> bool:
        """Whether something changed that every judgement may read."""
        one, other = self.before, self.after
        return (
            (one.merged_source, one.encyclopedia) != (other.merged_source, other.encyclopedia)
            or one.conjunctions[: self._conjunctions] != other.conjunctions[: self._conjunctions]
            or header_shape(one) != header_shape(other)
            or one.encyclopedia in self._fallbacks
            or any(getattr(one, habit) != getattr(other, habit) for habit in HABITS_OF_ALL)
        )

    @property
    def is_of_conjunctions(self) -> bool:
        """Whether the conjunctions changed; those that come first are as they were."""
        return self.before.conjunctions != self.after.conjunctions

    @property
    def _conjunctions(self) -> int:
        """How many conjunctions each of the two has at least."""
        return min(len(self.before.conjunctions), len(self.after.conjunctions))

    @cached_property
    def _fallbacks(self) -> frozenset[str]:
        """The sources for which others stand in than did."""
        sources = {*self.before.fallbacks, *self.after.fallbacks}
        return frozenset(s for s in sources if self.before.stand_ins(s) != self.after.stand_ins(s))

    @cached_property
    def _companions(self) -> frozenset[str]:
        """The sources that another phrase stands beside than before."""
        one, other = self.before, self.after
        return frozenset(
            source
            for source in {*one.headers, *other.headers}
            for place in range(COMPOUNDS)
            if one.companions_of(source, place=place) != other.companions_of(source, place=place)
        )

    @cached_property
    def _keywords(self) -> re.Pattern[str]:
        """Phrases that point at a source in one of the two only."""
        one, other = ({(s, p) for s, phrases in v.sources.items() for p in phrases} for v in (self.before, self.after))
        changed = sorted(phrase for _, phrase in one ^ other)
        return re.compile(phrases_pattern(changed)) if changed else NEVER

    @cached_property
    def is_of_texts(self) -> bool:
        """Whether it matters what answers say."""
        return self._in_answers is not NEVER

    @cached_property
    def _in_answers(self) -> re.Pattern[str]:
        """How headers begin, and failure phrases, of one of the two only; how a section begins whose companion changed.

        A companion is asked for where something looks wrong in a section.
        """
        one, other = self.before, self.after
        headers = {header for _, header in {*one.headers.items()} ^ {*other.headers.items()}}
        headers |= {one.headers[source] for source in self._companions & one.headers.keys()}
        phrases = sorted({*one.empty_phrases} ^ {*other.empty_phrases})
        if one.keeps_empty_sections != other.keeps_empty_sections:
            phrases = sorted({*one.empty_phrases, *other.empty_phrases})
        patterns = [re.escape(header[:UNFINISHED_CHARACTERS].casefold()) for header in sorted(headers)]
        patterns += [mentions_any(tuple(phrases)).pattern] if phrases else []
        return re.compile("|".join(patterns)) if patterns else NEVER

    @cached_property
    def is_of_the_slow(self) -> bool:
        """Whether answers that took long may be held against other phrases than they were."""
        return (self.before.seeds, self.before.sources) != (self.after.seeds, self.after.sources)

    def bears_on_text(self, result: str) -> bool:
        """Of an answer, or of one to a probe."""
        return self._in_answers.search(result.casefold()) is not None

    def bears_on_query(self, query: Query, source_used: str) -> bool:
        """By what it asks for and by the source that answered, not by the answer's text."""
        if self._keywords.search(query.text.casefold()) or source_used in self._companions:
            return True
        if self.is_of_conjunctions and self._depends_on_conjunctions(query):
            return True
        if not self._fallbacks:
            return False
        pointed = {source_used, *query.intended_sources, *self.before.sources_named_in(query.text)}
        return bool(self._fallbacks & pointed)

    def _depends_on_conjunctions(self, query: Query) -> bool:
        """Whether what only one of the two has is in it, or a part may be joined to something else by that."""
        changed = {*self.before.conjunctions} ^ {*self.after.conjunctions}
        if any(conjunction.strip(" ,").casefold() in query.text.casefold() for conjunction in changed):
            return True
        both = self.before.conjunctions[: self._conjunctions]
        clauses = (clause.text.casefold() for clause in query.clauses)
        return any(all(conjunction.strip().casefold() in clause for conjunction in both) for clause in clauses)


class Texts:
    """The texts of probes, as far as an examination may want them."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._beginnings = {beginning for text in texts for beginning in _beginnings(text)}

    def may_be_asked_for(self, query: Query, vocabulary: Vocabulary) -> bool:
        """Whether one of them is a part of `query` alone, or with something else after it."""
        if not self._beginnings:
            return False
        parts = (standalone_part(clause, vocabulary) for clause in query.clauses)
        return any(text in self._beginnings for part in parts for text in part.texts)


def _beginnings(text: str) -> Iterable[str]:
    """The text, and what stands before each of its spaces."""
    yield text
    for space in re.finditer(r"\s", text):
        beginning = text[: space.start()]
        yield beginning
        yield beginning.rstrip(",;:–—")  # a conjunction may begin with a sign
