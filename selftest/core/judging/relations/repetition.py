"""The same asked once more: as it was, in another order, joined by other words. The sources must be the same."""

from collections.abc import Generator
from dataclasses import dataclass

from selftest.core.generation.queries import PartKind
from selftest.core.judging.answers import Answer
from selftest.core.judging.specified_checks import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.core.judging.content import SourceContent, content_of, differ
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.context import ExaminationContext, named
from selftest.core.judging.relations.rewording import plain, rejoined, reordered

Found = Generator[Probe, Answer | None, tuple[Finding, ...]]


def asked_twice(case: ExaminationContext) -> Found:
    """Asking twice gives the same structure, and a made-up query is in no cache."""
    answer = yield from case.ask(Probe(case.query.text, Purpose.AGAIN, Urgency.WORTHWHILE, fresh=1))
    if answer is None or answer.error is not None:
        return ()
    found = (_from_the_cache(case, answer), _otherwise(case, answer))
    return tuple(finding for finding in found if finding is not None)


def agreements(case: ExaminationContext) -> tuple[tuple[str, bool], ...]:
    """Of a query that was asked twice: which sources said the same both times."""
    for probe, answer in case.asked.items():
        if probe.purpose is Purpose.AGAIN and not answer.cached:
            other = content_of(answer, case.vocabulary)
            both = sorted(case.brought.sources & other.sources)
            return tuple((source, not differ(source, case.brought, other)) for source in both)
    return ()


def _from_the_cache(case: ExaminationContext, again: Answer) -> Finding | None:
    if case.asking.answer.cached or not again.cached:
        return None
    return case.finding(
        CheckName.SYNTHETIC_QUERY_CACHED,
        "asked again, it comes from the cache, which a synthetic query must not fill",
        "a synthetic query leaves no trace in the router's cache",
        "not cached at first, cached when asked again",
        [case.query.text],
    )


def _otherwise(case: ExaminationContext, again: Answer) -> Finding | None:
    other = content_of(again, case.vocabulary)
    if other.sources == case.brought.sources:
        return None
    difference = _difference(case, case.brought, other)
    return case.finding(
        CheckName.ASKED_TWICE_DIFFERS,
        f"asked again, {difference.sentence}",
        "the same sources for the same query",
        f"first {named(case.brought.sources)}, then {named(other.sources)}",
        [case.query.text],
        difference.evidence,
    )


def in_other_order(case: ExaminationContext) -> Found:
    """The order of independent parts does not matter."""
    return _said_otherwise(case, reordered(case.query), Purpose.ORDER, CheckName.ORDER_MATTERS, "in another order")


def joined_otherwise(case: ExaminationContext) -> Found:
    """Which conjunction joins them does not matter."""
    text = rejoined(case.query, case.vocabulary)
    return _said_otherwise(case, text, Purpose.CONJUNCTION, CheckName.CONJUNCTION_MATTERS, "joined by other words")


def in_plain_words(case: ExaminationContext) -> Found:
    """Framing, case, quotes and punctuation do not matter.

    Unless what stands after the framing joins clauses for nobody else: then it goes with the framing.
    """
    joints = {conjunction.strip(" ,").casefold() for conjunction in case.vocabulary.conjunctions}
    marks = {part.text.strip(" ,").casefold() for part in case.query.parts if part.kind is PartKind.MARK}
    if any(mark.isalpha() and mark not in joints for mark in marks):
        return ()
    return (yield from _in_plain_words(case))


def _in_plain_words(case: ExaminationContext) -> Found:
    return _said_otherwise(case, _plain(case), Purpose.PLAIN, CheckName.PART_DIFFERS, "in plain words")


def is_plain(case: ExaminationContext) -> bool:
    """Whether it was said in plain words already."""
    return _plain(case) == case.query.text


def _plain(case: ExaminationContext) -> str:
    return plain(case.query, (part.alone for part in case.parts))


def _said_otherwise(case: ExaminationContext, text: str, purpose: Purpose, check: CheckName, how: str) -> Found:
    """What one more asking of the same, said otherwise, brings. A difference counts where each way stands by itself."""
    if text == case.query.text:
        return ()
    answer = yield from case.ask(Probe(text, purpose, Urgency.WORTHWHILE))
    if answer is None or answer.error is not None:
        return ()
    other = content_of(answer, case.vocabulary)
    difference = _difference(case, case.brought, other)
    if not difference:
        return ()
    again = yield from case.ask(Probe(case.query.text, Purpose.AGAIN, Urgency.SUSPECT, fresh=1))
    once_more = yield from case.ask(Probe(text, purpose, Urgency.SUSPECT, fresh=1))
    if again is None or once_more is None:
        return ()
    as_asked, otherwise = content_of(again, case.vocabulary), content_of(once_more, case.vocabulary)
    if _difference(case, case.brought, as_asked) or _difference(case, as_asked, otherwise) != difference:
        return ()  # it is not the wording that makes the difference
    found = case.finding(
        check,
        f"{how}, {difference.sentence}",
        f"the same for the same parts {how}",
        f"as asked {named(case.brought.sources)}; {how} {named(other.sources)}",
        [text, case.query.text],
        difference.evidence,
    )
    return (found,)


@dataclass(frozen=True)
class _Difference:
    """Between two answers. gone, come: sources. others: sources that are in both and bring other items."""

    gone: frozenset[str] = frozenset()
    come: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.gone or self.come or self.others)

    @property
    def sentence(self) -> str:
        words = {"is gone": self.gone, "is there": self.come, "brings something else": self.others}
        return " and ".join(f"{named(sources)} {verb}" for verb, sources in words.items() if sources)

    @property
    def evidence(self) -> Evidence:
        kind = DiscrepancyKind.ITEMS_DIFFER if self.others else DiscrepancyKind.SOURCES_DIFFER
        return Evidence(kind, tuple(sorted(self.gone | self.come | self.others)))


def _difference(case: ExaminationContext, before: SourceContent, after: SourceContent) -> _Difference:
    """Sources first; where they are the same, what those bring that are not volatile."""
    gone, come = before.sources - after.sources, after.sources - before.sources
    if gone or come:
        return _Difference(gone, come)
    others = frozenset(
        s for s in before.sources - case.volatile if differ(s, before, after) and not _are_at_a_limit(case, s, after)
    )
    return _Difference(others=others)


def _are_at_a_limit(case: ExaminationContext, source: str, other: SourceContent) -> bool:
    """Whether both sections may be as long as a limit lets them be: then which items are there says nothing."""
    return case.may_be_cut(source) and len(other.by_source[source]) == len(case.brought.by_source.get(source, ()))
