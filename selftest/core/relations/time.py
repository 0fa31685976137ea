"""A source takes about as long for one of its phrases as for another (ms). Pure: latencies come with the answers."""

from collections.abc import Generator

from selftest.core.answers import Answer
from selftest.core.checks import CheckName
from selftest.core.probes import Probe, Purpose, Urgency
from selftest.core.queries import PartKind
from selftest.core.relations.again import Found
from selftest.core.relations.case import Case, Part

CONTROLS = 3  # other phrases of the same source: fewer could all be odd, more say little new
SEED_OF_KIND = {PartKind.PAIR: "proper_noun_pairs", PartKind.TOPIC: "open_topics"}


def no_slow_part(case: Case) -> Found:
    """Where a query took long: whether one of its parts does alone, twice in a row, and its like do not."""
    answer, limits = case.asking.answer, case.asking.limits
    if answer.cached or answer.latency_ms <= limits.floor_ms:
        return ()
    for part in case.parts:
        controls = _controls(case, part)
        if not controls:
            continue
        alone_ms = yield from _slow_alone(case, part)
        if alone_ms is None:
            continue
        others_ms = []
        for text in controls:
            other = yield from case.ask(Probe(text, Purpose.CONTROL, Urgency.SUSPECT, part.source))
            if other is not None and other.error is None and not other.cached:
                others_ms.append(other.latency_ms)
        if len(others_ms) < CONTROLS:
            return ()
        threshold_ms = max(limits.floor_ms, limits.multiplier * max(others_ms))
        if alone_ms > threshold_ms:
            slow = case.finding(
                CheckName.PART_SLOW,
                f"{part.alone!r} takes {alone_ms:.0f} ms alone, its like {max(others_ms):.0f} ms at most",
                f"at most {threshold_ms:.0f} ms, as for other phrases of {part.source}",
                f"{alone_ms:.0f} ms, twice in a row",
                [part.alone, *controls],
            )
            return (slow,)
    return ()


def _slow_alone(case: Case, part: Part) -> Generator[Probe, Answer | None, float | None]:
    """How long it takes alone, the shorter of two times; None where that is not slow, or not to be had."""
    times_ms = []
    for fresh in (0, 1):
        answer = yield from case.ask(Probe(part.alone, Purpose.PART, Urgency.SUSPECT, part.source, fresh=fresh))
        if answer is None or answer.error is not None or answer.cached:
            return None
        if answer.latency_ms <= case.asking.limits.floor_ms:
            return None
        times_ms.append(answer.latency_ms)
    return min(times_ms)


def _controls(case: Case, part: Part) -> tuple[str, ...]:
    """Phrases of the same kind that point at the same source and are not in the query; those after it come first."""
    vocabulary = case.vocabulary
    main = next((p for p in part.clause.parts if p.kind is PartKind.INTENT or p.kind in SEED_OF_KIND), None)
    if main is None:
        return ()
    if main.kind is PartKind.INTENT:
        phrases = vocabulary.sources.get(main.source, ())
    else:
        phrases = getattr(vocabulary.seeds, SEED_OF_KIND[main.kind])
    start = phrases.index(main.text) + 1 if main.text in phrases else 0
    said = {p.text for p in case.query.parts}
    others = [text for text in (*phrases[start:], *phrases[:start]) if text not in said]
    return tuple(others[:CONTROLS]) if len(others) >= CONTROLS else ()
