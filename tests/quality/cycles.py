"""The bundled router asked as cycles ask, in memory, apart from the engine: what is found in each query."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from selftest.core.generation.generator import Generator, introductions
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput
from selftest.core.judging.driving import drive
from selftest.core.judging.examination import examine
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.probes import Probe
from selftest.core.judging.stability import Stability
from selftest.core.judging.verdicts import Rules
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.target import ReferenceTarget


def found_by_query(fault: str, queries: int, seed: int = 0) -> Iterator[frozenset[CheckName]]:
    """The checks that find something in each of the queries; as many probes as they want."""
    for _, _, findings in examined(fault, queries, seed):
        yield frozenset(finding.check for finding in findings)


def examined(fault: str, queries: int, seed: int = 0) -> Iterator[tuple[Query, Answer, tuple[Finding, ...]]]:
    """Each query with its answer and what is found in it."""
    vocabulary, slept_s = reference_vocabulary(), list[float]()
    generator = Generator(vocabulary, introductions(vocabulary, 1, {}), list(RECIPES.values()), {}, seed)
    histories_ms, stability = defaultdict[str, list[float]](list), Stability()
    target = ReferenceTarget(faults=[fault], sleep=slept_s.append)

    def ask(text: str, source: str) -> Answer:
        slept_s.clear()
        answer = target.ask(text, source)
        return replace(answer, latency_ms=answer.latency_ms + 1000 * sum(slept_s))

    def reply(probe: Probe) -> Answer:
        return ask(probe.text, probe.only or "auto")

    try:
        for _ in range(queries):
            (query,) = generator.next_queries(1)
            answer = ask(query.text, "auto")
            asking = CheckInput(query, answer, vocabulary, histories_ms[query.recipe])
            rules = Rules(volatile=stability.volatile(), steady=stability.steady())
            verdict = drive(examine(asking, rules), reply)
            stability.note(verdict.stability)
            histories_ms[query.recipe].append(answer.latency_ms)
            yield query, answer, verdict.findings
    finally:
        target.close()
