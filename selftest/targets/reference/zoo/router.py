"""One zoo router: its stages put together for a vocabulary, a manner and a seed, and run. Knows no fault by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import fraction
from selftest.targets.reference.zoo.domains import DOMAINS
from selftest.targets.reference.zoo.gathering import Gathering
from selftest.targets.reference.zoo.latency import latency_ms
from selftest.targets.reference.zoo.lexicon import Lexicon, normal_words
from selftest.targets.reference.zoo.manner import Manner
from selftest.targets.reference.zoo.reading import Reader
from selftest.targets.reference.zoo.routing import Routing
from selftest.targets.reference.zoo.types import Asking, Clause, Job, Outcome, Reading, Stages
from selftest.targets.reference.zoo.writing import Writing


@dataclass(frozen=True)
class World:
    """What a fault may know of the router that it is planted in."""

    vocabulary: Vocabulary
    lexicon: Lexicon
    manner: Manner
    seed: int

    def strikes(self, name: str, text: str, share: float) -> bool:
        """Whether the fault `name` strikes at `text`: at a `share` of all texts, whatever their case and signs."""
        return fraction(name, self.seed, " ".join(normal_words(text))) < share

    def pick(self, name: str, values: Sequence[str]) -> str:
        """The one of `values`, at least one, that the fault `name` is about; another for each fault and seed."""
        return min(values, key=lambda value: fraction(name, self.seed, value))


Plant = Callable[[Stages, World], Stages]


class ZooRouter:
    """Answers queries by its vocabulary. Deterministic for its arguments, unless a fault keeps a state of its own.

    plants: planted in this order, each around the stages as those before have left them.
    """

    def __init__(
        self, vocabulary: Vocabulary, manner: Manner, plants: Sequence[Plant] = (), seed: int = 0, empty_rate: float = 0
    ) -> None:
        self.vocabulary = vocabulary
        self.world = World(vocabulary, Lexicon(vocabulary), manner, seed)
        self._stages = self._healthy(empty_rate)
        for plant in plants:
            self._stages = plant(self._stages, self.world)

    def _healthy(self, empty_rate: float) -> Stages:
        world = self.world
        manner, seed, lexicon = world.manner, world.seed, world.lexicon
        reader = Reader(lexicon, manner, self._in_force)
        domain = DOMAINS[manner.domain]
        routing = Routing(world.vocabulary, domain, lexicon, manner, seed, empty_rate, self._in_force)
        self._gathering = Gathering(world.vocabulary, manner, seed)
        writing = Writing(world.vocabulary, manner, seed, self._in_force)
        return Stages(
            straighten=reader.straighten,
            protected=lexicon.protected,
            cuts=reader.cuts,
            is_clause=lexicon.is_clause,
            read=reader.read,
            sources_of=routing.sources_of,
            words_for=routing.words_for,
            plan=routing.plan,
            search=routing.search,
            stand_ins=routing.stand_ins,
            consult=routing.consult,
            gather=self._gathering.gather,
            header_of=world.vocabulary.headers.__getitem__,
            write_items=writing.write_items,
            write_section=writing.write_section,
            join=writing.join,
            compose=writing.compose,
            finish=self._finish,
        )

    def _in_force(self) -> Stages:
        return self._stages

    def answer(self, query: str, source: str = "", tick: int = 0) -> Outcome:
        """The answer to `query`, from `source` alone where one is named, at its asking number `tick`.

        Raises what a fault raises; `source` is one of the vocabulary's.
        """
        stages = self._stages
        straightened = stages.straighten(query)
        if source:
            clause = Clause(straightened)
            reading = Reading(straightened, (clause,))
            jobs: tuple[Job, ...] = (Job(source, stages.words_for(clause, source, reading), clause),)
        else:
            reading = stages.read(straightened)
            jobs = stages.plan(reading)
        asking = Asking(straightened, source, tick, reading)
        blocks = [stages.consult(job, asking) for job in jobs]
        sections = stages.gather(blocks, asking)
        if any(section.items for section in sections):
            outcome = stages.compose(sections, jobs, asking)
        else:
            text = self._gathering.empty_text(jobs[0])
            outcome = Outcome(text, jobs[0].source, 0.0, asked=jobs)
        return stages.finish(outcome, asking)

    def _finish(self, outcome: Outcome, asking: Asking) -> Outcome:
        """The answer with its time, and with the line ends of the manner."""
        manner, seed = self.world.manner, self.world.seed
        spent_ms = latency_ms(outcome.asked, manner.latency, seed, asking.query, asking.tick)
        result = outcome.result.replace("\n", "\r\n") if manner.crlf else outcome.result
        return replace(outcome, result=result, latency_ms=outcome.latency_ms + spent_ms)
