"""From a query to an answer: plan, fan out, merge. Decides by its vocabulary alone; the steps say how.

Must not know which faults are planted, or that a routed answer is asked for as "auto".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.cache import Cache
from selftest.targets.reference.fanout import FanOut
from selftest.targets.reference.phrases import named_sources, straightened
from selftest.targets.reference.steps import (
    AskSource,
    ClauseInQuery,
    FoundItem,
    FoundSection,
    Question,
    Routed,
    Source,
    Steps,
)

NOTHING_FOUND = "no results found"  # for a vocabulary that lists no empty phrase of its own


@dataclass(frozen=True)
class Plan:
    """Which source is asked what. headed: the answer has headers even where one source answers every part."""

    questions: tuple[tuple[str, str], ...]  # (source, text), each once
    headed: bool

    @property
    def sources(self) -> frozenset[str]:
        """Each source that is asked at least one question."""
        return frozenset(source for source, _ in self.questions)


class Router:
    """Answers queries from `sources`, one step after the other. Called from several threads at once.

    is_empty: (source, text) → whether that source has nothing on it today. now: aware.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        sources: Mapping[str, Source],
        steps: Steps,
        is_empty: Callable[[str, str], bool],
        now: Callable[[], datetime],
    ) -> None:
        self._vocabulary = vocabulary
        self._sources = sources
        self._steps = steps
        self._is_empty = is_empty
        self._now = now
        self._fan_out = FanOut()
        self._cache = Cache[Routed]()

    @property
    def source_names(self) -> frozenset[str]:
        """The sources that can be asked alone."""
        return frozenset(self._sources)

    def close(self) -> None:
        """Stops its threads. No other call follows."""
        self._fan_out.close()

    def route(self, query: str, source: str | None = None) -> Routed:
        """The answer to `query`; from `source` alone where one is named, which must be one of `source_names`."""
        suppressed = self._steps.cache_is_suppressed()
        key = (source or "", straightened(query).casefold())
        kept = None if suppressed else self._cache.get(key)
        if kept is not None:
            return replace(kept, cached=True)
        routed = self._steps.sign(self._answer(self._plan(query, source), alone=source is not None), query)
        if not suppressed:
            self._cache.put(key, routed)
        return routed

    def _plan(self, query: str, source: str | None) -> Plan:
        if source is not None:
            return Plan(((source, self._steps.search_text(ClauseInQuery(query, query), source)),), headed=False)
        conditional = self._steps.read_conditional(query)
        if conditional is None:
            return Plan(self._questions([query], query), headed=False)
        asks = named_sources(conditional.consequence, self._vocabulary.sources)  # "let me know" asks nothing
        consequence = conditional.consequence if asks else ""
        parts = [conditional.before, conditional.condition, consequence, conditional.remainder]
        headed = bool(conditional.condition and conditional.remainder)
        return Plan(self._questions([part for part in parts if part], query), headed)

    def _questions(self, parts: list[str], query: str) -> tuple[tuple[str, str], ...]:
        steps = self._steps
        guards = (steps.guard_pairs, steps.guard_nosplit)
        found: dict[tuple[str, str], None] = {}
        for part in parts:
            for text in steps.decompose(part, steps.is_noun, guards, steps.keep_clause):
                clause = ClauseInQuery(text, query)
                for source in steps.sources_of(clause):
                    found[source, steps.search_text(clause, source)] = None
        return tuple(found)

    def _answer(self, plan: Plan, alone: bool) -> Routed:
        ask = partial(self._ask, self._now())
        asked = [partial(self._consult, source, text, ask, alone) for source, text in plan.questions]
        found = self._fan_out(asked, late=FoundSection("", ()))
        sections = self._steps.merge([section for section in found if section.items])
        if not sections:
            phrase = next(iter(self._vocabulary.empty_phrases), NOTHING_FOUND)
            return Routed(f"{phrase.capitalize()}.", plan.questions[0][0])
        if plan.headed or len(plan.sources) > 1 or len(sections) > 1:
            merged = self._steps.write_merged(sections, self._steps.header_of)
            return Routed(merged, self._vocabulary.merged_source)
        return Routed(sections[0].text, sections[0].source)

    def _consult(self, source: str, text: str, ask: AskSource, alone: bool) -> FoundSection:
        """What `source` has on `text`; where that is nothing, what the first documented fallback has."""
        fallbacks = () if alone else self._vocabulary.fallbacks.get(source, ())
        for asked in (source, *fallbacks):
            items = self._steps.consult(asked, text, ask)
            if items:
                return FoundSection(asked, items)
        return FoundSection(source, ())

    def _ask(self, now: datetime, source: str, text: str) -> tuple[FoundItem, ...]:
        if self._is_empty(source, text):
            return ()
        return self._sources[source](Question(text, now))
