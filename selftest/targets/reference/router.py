"""From a query to an answer: plan, fan out, merge. Decides by its vocabulary alone; the steps say how."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.base import AUTO
from selftest.targets.reference.cache import Cache
from selftest.targets.reference.emptiness import Emptiness
from selftest.targets.reference.fanout import FanOut
from selftest.targets.reference.framing import Clause, named_sources
from selftest.targets.reference.merging import Section, body
from selftest.targets.reference.phrases import straightened
from selftest.targets.reference.sources.base import Item, Question, Source
from selftest.targets.reference.steps import Ask, Routed, Steps

NOTHING_FOUND = "no results found"  # for a vocabulary that lists no empty phrase of its own


@dataclass(frozen=True)
class Plan:
    """Who is asked what. headed: the parts are told apart by headers even where one source answers them all."""

    questions: tuple[tuple[str, str], ...]  # (source, text), each once
    headed: bool

    @property
    def sources(self) -> frozenset[str]:
        return frozenset(source for source, _ in self.questions)


class Router:
    """Called from several threads at once."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        sources: Mapping[str, Source],
        steps: Steps,
        emptiness: Emptiness,
        now: Callable[[], datetime],
    ) -> None:
        self._vocabulary = vocabulary
        self._sources = sources
        self._steps = steps
        self._emptiness = emptiness
        self._now = now
        self._fan_out = FanOut()
        self._cache = Cache[Routed]()

    def close(self) -> None:
        self._fan_out.close()

    def check_source(self, source: str) -> None:
        """Raises ValueError, naming the known ones, for a source that does not exist."""
        if source != AUTO and source not in self._sources:
            raise ValueError(f"unknown source {source!r}; known: {', '.join([AUTO, *sorted(self._sources)])}")

    def route(self, query: str, source: str = AUTO) -> Routed:
        """The answer to `query`; from `source` alone where one is named. Raises ValueError for an unknown source."""
        self.check_source(source)
        suppressed = self._steps.cache_is_suppressed()
        key = (source, straightened(query).casefold())
        kept = None if suppressed else self._cache.get(key)
        if kept is not None:
            return replace(kept, cached=True)
        routed = self._steps.sign(self._answer(self._plan(query, source), alone=source != AUTO), query)
        if not suppressed:
            self._cache.put(key, routed)
        return routed

    def _plan(self, query: str, source: str) -> Plan:
        if source != AUTO:
            text = self._steps.search_text(Clause(query, query), source, self._vocabulary)
            return Plan(((source, text),), headed=False)
        conditional = self._steps.read_conditional(query, self._vocabulary)
        if conditional is None:
            return Plan(self._questions([query], query), headed=False)
        asks = named_sources(conditional.consequence, self._vocabulary)  # "let me know" asks nothing
        consequence = conditional.consequence if asks else ""
        parts = [conditional.before, conditional.condition, consequence, conditional.remainder]
        headed = bool(conditional.condition and conditional.remainder)
        return Plan(self._questions([part for part in parts if part], query), headed)

    def _questions(self, parts: list[str], query: str) -> tuple[tuple[str, str], ...]:
        steps, vocabulary = self._steps, self._vocabulary
        guards = (steps.guard_pairs, steps.guard_nosplit)
        found: dict[tuple[str, str], None] = {}
        for part in parts:
            for text in steps.decompose(part, vocabulary, steps.is_noun, guards, steps.keep_clause):
                clause = Clause(text, query)
                for source in steps.sources_of(clause, vocabulary):
                    found[source, steps.search_text(clause, source, vocabulary)] = None
        return tuple(found)

    def _answer(self, plan: Plan, alone: bool) -> Routed:
        ask = partial(self._ask, self._now())
        asked = [partial(self._consult, source, text, ask, alone) for source, text in plan.questions]
        found = self._fan_out(asked, late=Section("", ()))
        sections = self._steps.merge([section for section in found if section.items])
        if not sections:
            phrase = next(iter(self._vocabulary.empty_phrases), NOTHING_FOUND)
            return Routed(f"{phrase.capitalize()}.", plan.questions[0][0])
        if plan.headed or len(plan.sources) > 1 or len(sections) > 1:
            merged = self._steps.write_merged(sections, self._vocabulary, self._steps.header_of)
            return Routed(merged, self._vocabulary.merged_source)
        return Routed(body(sections[0]), sections[0].source)

    def _consult(self, source: str, text: str, ask: Ask, alone: bool) -> Section:
        """What `source` has on `text`; where that is nothing, what the first documented fallback has."""
        stand_ins = () if alone else self._vocabulary.fallbacks.get(source, ())
        for asked in (source, *stand_ins):
            items = self._steps.consult(asked, text, ask)
            if items:
                return Section(asked, items)
        return Section(source, ())

    def _ask(self, now: datetime, source: str, text: str) -> tuple[Item, ...]:
        if self._emptiness(source, text):
            return ()
        return self._sources[source](Question(text, now))
