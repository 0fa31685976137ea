"""The same asked once more: as it was, in another order, joined by other words. The sources must be the same."""

from collections.abc import Collection, Generator, Iterable

from selftest.core.answers import Answer
from selftest.core.brought import Brought, brought_by
from selftest.core.checks import CheckName, Finding
from selftest.core.probes import Probe, Purpose, Urgency
from selftest.core.queries import Part, PartKind, Query
from selftest.core.relations.case import Case, named
from selftest.core.relations.content import differ
from selftest.core.vocabulary import Vocabulary

Found = Generator[Probe, Answer | None, tuple[Finding, ...]]


def asked_twice(case: Case) -> Found:
    """Asking twice gives the same structure, and a made-up query is in no cache."""
    answer = yield from case.ask(Probe(case.query.text, Purpose.AGAIN, Urgency.WORTHWHILE, fresh=1))
    if answer is None or answer.error is not None:
        return ()
    found = (_from_the_cache(case, answer), _otherwise(case, answer))
    return tuple(finding for finding in found if finding is not None)


def agreements(case: Case) -> tuple[tuple[str, bool], ...]:
    """Of a query that was asked twice: which sources said the same both times."""
    for probe, answer in case.asked.items():
        if probe.purpose is Purpose.AGAIN and not answer.cached:
            other = brought_by(answer, case.vocabulary)
            both = sorted(case.brought.sources & other.sources)
            return tuple((source, not differ(source, case.brought, other)) for source in both)
    return ()


def _from_the_cache(case: Case, again: Answer) -> Finding | None:
    if case.asking.answer.cached or not again.cached:
        return None
    return case.finding(
        CheckName.SYNTHETIC_QUERY_CACHED,
        "asked again, it comes from the cache, which a synthetic query must not fill",
        "a synthetic query leaves no trace in the router's cache",
        "not cached at first, cached when asked again",
        [case.query.text],
    )


def _otherwise(case: Case, again: Answer) -> Finding | None:
    other = brought_by(again, case.vocabulary)
    if other.sources == case.brought.sources:
        return None
    return case.finding(
        CheckName.ASKED_TWICE_DIFFERS,
        f"asked again, {_difference(case, case.brought, other)}",
        "the same sources for the same query",
        f"first {named(case.brought.sources)}, then {named(other.sources)}",
        [case.query.text],
    )


def in_other_order(case: Case) -> Found:
    """The order of independent parts does not matter."""
    return _said_otherwise(case, reordered(case.query), Purpose.ORDER, CheckName.ORDER_MATTERS, "in another order")


def joined_otherwise(case: Case) -> Found:
    """Which conjunction joins them does not matter."""
    text = rejoined(case.query, case.vocabulary)
    return _said_otherwise(case, text, Purpose.CONJUNCTION, CheckName.CONJUNCTION_MATTERS, "joined by other words")


def in_plain_words(case: Case) -> Found:
    """Framing, case, quotes and punctuation do not matter."""
    return _said_otherwise(case, plain(case), Purpose.PLAIN, CheckName.PART_DIFFERS, "in plain words")


def _said_otherwise(case: Case, text: str, purpose: Purpose, check: CheckName, how: str) -> Found:
    """What one more asking of the same, said otherwise, brings. A difference counts where each way stands by itself."""
    if text == case.query.text:
        return ()
    answer = yield from case.ask(Probe(text, purpose, Urgency.WORTHWHILE))
    if answer is None or answer.error is not None:
        return ()
    other = brought_by(answer, case.vocabulary)
    difference = _difference(case, case.brought, other)
    if not difference:
        return ()
    again = yield from case.ask(Probe(case.query.text, Purpose.AGAIN, Urgency.SUSPECT, fresh=1))
    once_more = yield from case.ask(Probe(text, purpose, Urgency.SUSPECT, fresh=1))
    if again is None or once_more is None:
        return ()
    as_asked, otherwise = brought_by(again, case.vocabulary), brought_by(once_more, case.vocabulary)
    if _difference(case, case.brought, as_asked) or _difference(case, as_asked, otherwise) != difference:
        return ()  # it is not the wording that makes the difference
    found = case.finding(
        check,
        f"{how}, {difference}",
        f"the same for the same parts {how}",
        f"as asked {named(case.brought.sources)}; {how} {named(other.sources)}",
        [text, case.query.text],
    )
    return (found,)


def _difference(case: Case, before: Brought, after: Brought) -> str:
    """In words; "" for none. Sources first; where they are the same, what those bring that are not volatile."""
    gone, come = before.sources - after.sources, after.sources - before.sources
    said = [f"{named(gone)} is gone"] if gone else []
    said += [f"{named(come)} is there"] if come else []
    if said:
        return " and ".join(said)
    others = sorted(s for s in before.sources - case.volatile if differ(s, before, after))
    return f"{named(others)} brings something else" if others else ""


def plain(case: Case) -> str:
    """Each part as it is asked alone: in the vocabulary's own words, without framing."""
    _, between = _apart(case.query)
    return _together([part.alone for part in case.parts], between)


def only(query: Query, places: Collection[int]) -> str:
    """The clauses at these places, in their order; what stood before each of them joins it, the first excepted."""
    clauses, between = _apart(query)
    kept = sorted(places)
    return _together([clauses[place] for place in kept], [between[place - 1] for place in kept[1:]])


def reordered(query: Query) -> str:
    """The clauses in reverse, with what parts them where it was."""
    clauses, between = _apart(query)
    return _together(reversed(clauses), between)


def rejoined(query: Query, vocabulary: Vocabulary) -> str:
    """Each joint another one, of those that no part holds itself; the next in the vocabulary's list."""
    spoken = " ".join(part.text for part in query.parts if part.kind is not PartKind.JOINT).casefold()
    free = [c for c in vocabulary.conjunctions if c.casefold().strip() not in spoken.split()]
    clauses, between = _apart(query)
    return _together(clauses, ["".join(_next_joint(part, free) for part in parts) for parts in between])


def _next_joint(part: Part, free: list[str]) -> str:
    if part.kind is not PartKind.JOINT or len(free) < 2:
        return part.text
    return free[(free.index(part.text) + 1) % len(free)] if part.text in free else free[0]


def _apart(query: Query) -> tuple[list[str], list[list[Part]]]:
    """The texts of the clauses, and the parts between each two of them."""
    between: list[list[Part]] = [[]]
    left = list(query.parts)
    for clause in query.clauses:
        while tuple(left[: len(clause.parts)]) != clause.parts:
            between[-1].append(left.pop(0))
        del left[: len(clause.parts)]
        between.append([])
    return [clause.text for clause in query.clauses], between[1:-1]


def _together(clauses: Iterable[str], between: Iterable[Iterable[Part] | str]) -> str:
    said = list(clauses)
    joints = [parts if isinstance(parts, str) else "".join(part.text for part in parts) for parts in between]
    return said[0] + "".join(f"{joint}{clause}" for joint, clause in zip(joints, said[1:], strict=True))
