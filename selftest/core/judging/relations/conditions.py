"""Where a condition is sent: a router may choose its source by what the condition means, not by a keyword in it.

Decides whether the source that answered a query is the one that the router chooses for its condition alone, each time,
and whether the condition brings anything at all.
"""

from collections.abc import Generator

from selftest.core.generation.queries import PartKind
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import ExaminationContext, StandalonePart
from selftest.core.judging.probes import Probe, Purpose, Urgency

TIMES = 2  # alone; once may be chance


def chosen_for_condition(
    context: ExaminationContext,
) -> Generator[Probe, Answer | None, StandalonePart | None]:
    """The condition that the target itself sends alone to the source that answered the query, each of TIMES times."""
    source = context.check_input.answer.source_used
    for part in context.parts:
        if PartKind.CONDITION in part.kinds and (yield from _is_always_sent_to(context, part, source)):
            return part
    return None


def silent_condition(
    context: ExaminationContext,
) -> Generator[Probe, Answer | None, tuple[StandalonePart, str] | None]:
    """The condition on which nothing is found alone either, and the source that says so: no section was dropped."""
    for part in context.parts:
        if PartKind.CONDITION in part.kinds:
            alone = yield from context.alone(part, Urgency.EXPLAIN)
            if alone is not None and alone.empty_phrase:
                return part, alone.said_by
    return None


def _is_always_sent_to(
    context: ExaminationContext, part: StandalonePart, source: str
) -> Generator[Probe, Answer | None, bool]:
    # Of a target that always shows the same, what it chose before holds.
    for fresh in (0,) if context.is_reproducible else range(1, TIMES + 1):
        probe = Probe(part.alone, Purpose.PART, Urgency.EXPLAIN, part.source, fresh=fresh)
        answer = yield from context.ask(probe)
        if answer is None or answer.error is not None or answer.source_used != source:
            return False
    return True
