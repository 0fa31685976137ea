"""Parts of which nobody would miss the section, as another before them has the same source: asked without the others.

What they bring by themselves they bring among the others too, and none of them is lost where nothing hides it.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace

from selftest.core.generation.queries import Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.specified_checks import CheckName, Evidence, Finding
from selftest.core.judging.content import unmatched_items
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.context import ExaminationContext, Part, named
from selftest.core.judging.relations.part_presence import PROMISED, presence
from selftest.core.judging.relations.rewording import only

MANY = 4  # of fewer, the last one alone tells about as much


@dataclass(frozen=True)
class Unhidden:
    """finding: that one of them is lost in `query`, which is what was asked of them.

    doubtful: parts that bring something there that is not among the others.
    """

    query: Query | None = None
    finding: Finding | None = None
    doubtful: tuple[Part, ...] = ()


def hidden(case: ExaminationContext) -> list[Part]:
    """In order; of each source all parts but the first."""
    needed: set[str] = set()
    parts = []
    for part in case.parts:
        sources = {need.source for need in part.needs if need.is_firm} - case.volatile
        if sources & needed:
            parts.append(part)
        needed |= sources
    return parts


def without_the_others(case: ExaminationContext) -> Generator[Probe, Answer | None, Unhidden]:
    """One asking of all that are hidden, where those are many.

    The last is said first, so that what goes wrong at one end goes wrong for another part.
    """
    parts = hidden(case)
    if len(parts) < MANY:
        return Unhidden()
    query = only(case.query, [place for place, part in enumerate(case.parts) if part in parts][::-1])
    answer = yield from case.ask(Probe(query.text, Purpose.FEWER, Urgency.WORTHWHILE))
    if answer is None or answer.error is not None:
        return Unhidden()
    apart = replace(case, asking=replace(case.asking, query=query, answer=answer))
    lost = (yield from presence(apart, Urgency.SUSPECT)).lost
    if lost is not None:
        summary = f"alone {lost.part.alone!r} is answered by {named(lost.sources)}; not in {query.text!r}"
        about = [query.text, lost.part.alone]
        evidence = Evidence(sources=tuple(sorted(lost.sources)), parts=(lost.part.alone,))
        return Unhidden(query, case.finding(CheckName.PART_LOST, summary, PROMISED, apart.seen(), about, evidence))
    missing = {
        source
        for source, items in apart.brought.by_source.items()
        if source not in case.volatile and unmatched_items(items, case.brought.by_source.get(source, ()))
    }
    doubtful = tuple(part for part in parts if any(need.source in missing for need in part.needs))
    return Unhidden(query, doubtful=doubtful)
