"""A source takes about as long for one of its phrases as for another (ms). Pure: latencies come with the answers."""

from collections.abc import Generator
from statistics import median

from selftest.core.generation.queries import PartKind
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import Comparison, ExaminationContext, StandalonePart, content_of
from selftest.core.judging.findings import CheckName, Evidence
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.relations.query_variants import only

CONTROLS = 2  # other phrases of the same source: one could be odd itself, more cost more than they say
FACTOR = 2  # times the latency multiplier: so few say less of what is usual than a history does
ENOUGH_SLOW_HALVES = 2
LONG_CHARACTERS = 100  # what is longer may take longer, too
MOST_TIMES_LONGER = 3
SEED_OF_KIND = {PartKind.PAIR: "proper_noun_pairs", PartKind.TOPIC: "open_topics"}


def no_slow_part(context: ExaminationContext) -> Comparison:
    """Where a query took long: whether one of its parts does alone, and others of its kind do not."""
    answer, limits = context.check_input.answer, context.check_input.limits
    if answer.cached or not _is_slow(context, answer) or not _is_unusual(context):
        return ()
    part, quick_ms, slow_halves = yield from _slowest(context)
    controls = _controls(context, part) if part is not None else ()
    if part is None or not controls:
        return ()
    alone = yield from context.ask(Probe(part.alone, Purpose.PART, Urgency.EXPLAIN, part.source))
    if alone is None or not _is_slow(context, alone) or content_of(alone, context.vocabulary).sources != {part.source}:
        return ()  # what else was asked, as well or in its place, takes as long as it takes
    alone_ms = alone.latency_ms
    if slow_halves < ENOUGH_SLOW_HALVES:  # a router that has just woken up is slow once
        once_more = yield from context.ask(Probe(part.alone, Purpose.PART, Urgency.EXPLAIN, part.source, fresh=2))
        if once_more is None or not _is_slow(context, once_more):
            return ()
        alone_ms = min(alone_ms, once_more.latency_ms)
    others_ms = {other.alone: latency_ms for other, latency_ms in quick_ms.items() if other.source == part.source}
    for urgency in (Urgency.IF_KNOWN, Urgency.EXPLAIN):
        for text in controls:
            if len(others_ms) >= CONTROLS:
                break
            other = None if text in others_ms else (yield Probe(text, Purpose.CONTROL, urgency, part.source))
            if other is not None and other.error is None and not other.cached:
                others_ms[text] = other.latency_ms
    if len(others_ms) < CONTROLS:
        return ()
    slowest_ms = max(others_ms.values())
    threshold_ms = max(limits.floor_ms, FACTOR * limits.multiplier * slowest_ms)
    if alone_ms <= threshold_ms:
        return ()
    # What is known of the others may be of a quicker hour, in which this part was quick too.
    now = yield Probe(list(others_ms)[-1], Purpose.CONTROL, Urgency.EXPLAIN, part.source, fresh=1)
    if now is None or now.error is not None or now.cached or alone_ms <= FACTOR * limits.multiplier * now.latency_ms:
        return ()
    others = ", ".join(f"{text!r} {latency_ms:.0f} ms" for text, latency_ms in others_ms.items())
    slow = context.finding(
        CheckName.PART_SLOW,
        f"{part.alone!r} takes {alone_ms:.0f} ms alone, its like {slowest_ms:.0f} ms at most",
        f"at most {threshold_ms:.0f} ms, as long as other phrases of {part.source}",
        f"{alone_ms:.0f} ms alone; {others}",
        [part.alone],
        Evidence(sources=(part.source,), parts=(part.alone,), threshold_ms=threshold_ms),
    )
    return (slow,)


def _is_slow(context: ExaminationContext, answer: Answer) -> bool:
    return answer.error is None and not answer.cached and answer.latency_ms > context.check_input.limits.floor_ms


def _is_unusual(context: ExaminationContext) -> bool:
    """Not where the recipe has taken about as long before: what is always slow is no fault of a part."""
    earlier = context.check_input.history_ms
    return not earlier or context.check_input.answer.latency_ms > context.check_input.limits.multiplier * median(
        earlier
    )


def _slowest(
    context: ExaminationContext,
) -> Generator[Probe, Answer | None, tuple[StandalonePart | None, dict[StandalonePart, float], int]]:
    """The part that makes it slow, by halves: of those not known to be quick the first half, where that is slow, else

    the other. None where that is not to be had. Beside it the quick ones, with what they took at most, together; and
    how many of the halves with it were slow.
    """
    suspects: list[int] = []
    quick_ms: dict[StandalonePart, float] = {}
    slow_halves = 0
    for place, part in enumerate(context.parts):
        known = yield Probe(part.alone, Purpose.PART, Urgency.IF_KNOWN, part.source)
        if known is None or _is_slow(context, known):
            suspects.append(place)
        else:
            quick_ms[part] = known.latency_ms
    while len(suspects) > 1:
        half = suspects[: len(suspects) // 2]
        answer = yield Probe(only(context.query, half).text, Purpose.FEWER, Urgency.EXPLAIN)
        if answer is None:
            return None, quick_ms, slow_halves
        if _is_slow(context, answer):
            suspects = half
            slow_halves += 1
        else:
            suspects = suspects[len(half) :]
            quick_ms |= {context.parts[place]: answer.latency_ms for place in half}
    return context.parts[suspects[0]] if suspects else None, quick_ms, slow_halves


def _controls(context: ExaminationContext, part: StandalonePart) -> tuple[str, ...]:
    """Phrases of the same kind that point at the same source and are not in the query; those after it come first.

    For a long one none that is much shorter.
    """
    vocabulary = context.vocabulary
    main = next((p for p in part.clause.parts if p.kind is PartKind.INTENT or p.kind in SEED_OF_KIND), None)
    if main is None:
        return ()
    if main.kind is PartKind.INTENT:
        phrases = vocabulary.sources.get(main.source, ())
    else:
        phrases = getattr(vocabulary.seeds, SEED_OF_KIND[main.kind])
    start = phrases.index(main.text) + 1 if main.text in phrases else 0
    own_texts = {p.text for p in context.query.parts}
    least = len(part.alone) / MOST_TIMES_LONGER if len(part.alone) > LONG_CHARACTERS else 0
    others = [text for text in (*phrases[start:], *phrases[:start]) if text not in own_texts and len(text) >= least]
    return tuple(others) if len(others) >= CONTROLS else ()
