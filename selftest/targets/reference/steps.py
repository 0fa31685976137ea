"""The steps that the router is put together from: the honest ones, each replaceable by a fault. Runs none of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference import cache, conditional, decomposition, framing, merging
from selftest.targets.reference.conditional import Conditional
from selftest.targets.reference.decomposition import Guard, IsNoun, KeepClause
from selftest.targets.reference.framing import Clause
from selftest.targets.reference.merging import HeaderOf, Section
from selftest.targets.reference.sources.base import Item


@dataclass(frozen=True)
class Routed:
    """result: the whole answer. source_used: one source, or the vocabulary's merged source."""

    result: str
    source_used: str
    cached: bool = False


Ask = Callable[[str, str], tuple[Item, ...]]  # (source, text) → what it found
Decompose = Callable[[str, Vocabulary, IsNoun, Sequence[Guard], KeepClause], list[str]]


def consult(source: str, text: str, ask: Ask) -> tuple[Item, ...]:
    """Asks `source` for `text`, and nothing else."""
    return ask(source, text)


def sign(routed: Routed, query: str) -> Routed:
    """The answer as it goes out."""
    return routed


@dataclass(frozen=True)
class Steps:
    """In the order in which a query meets them. A fault is another value in one of these fields."""

    read_conditional: Callable[[str, Vocabulary], Conditional | None] = conditional.read_conditional
    is_noun: IsNoun = decomposition.is_noun
    guard_pairs: Guard = decomposition.guard_pairs
    guard_nosplit: Guard = decomposition.guard_nosplit
    keep_clause: KeepClause = decomposition.keep_clause
    decompose: Decompose = decomposition.decompose
    sources_of: Callable[[Clause, Vocabulary], tuple[str, ...]] = framing.sources_of
    search_text: Callable[[Clause, str, Vocabulary], str] = framing.search_text
    consult: Callable[[str, str, Ask], tuple[Item, ...]] = consult
    merge: Callable[[Sequence[Section]], tuple[Section, ...]] = merging.merge
    header_of: HeaderOf = merging.header_of
    write_merged: Callable[[Sequence[Section], Vocabulary, HeaderOf], str] = merging.write_merged
    sign: Callable[[Routed, str], Routed] = sign
    cache_is_suppressed: Callable[[], bool] = cache.is_suppressed


HONEST = Steps()
