"""Nothing is lost: what answers alone has its source among the others too. Asks only where a source is missing.

Decides between a loss and an innocent cause: the source has nothing on that very part alone either, or its documented
fallback stood in for it.
"""

from collections.abc import Generator
from dataclasses import dataclass, field

from selftest.core.judging.answers import Answer
from selftest.core.judging.specified_checks import CheckName, DiscrepancyKind, Evidence, Finding, allowed_sources
from selftest.core.judging.content import SourceContent
from selftest.core.judging.probes import Probe, Urgency
from selftest.core.judging.context import Cause, ExaminationContext, Need, Part, named

PROMISED = "what is answered alone is answered among others too, by its source or by that source's documented fallback"


@dataclass(frozen=True)
class Loss:
    part: Part
    sources: frozenset[str]  # that it brings alone


@dataclass(frozen=True)
class Innocent:
    part: Part
    need: Need
    cause: Cause
    phrase: str = ""

    @property
    def said(self) -> str:
        if self.cause is Cause.EMPTY_ALONE:
            return f"{self.need.source} says {self.phrase!r} to {self.part.alone!r} alone too"
        return f"{self.need.source} leaves {self.part.alone!r} to its fallback alone too"


@dataclass
class Presence:
    """What became of the needs that no section meets. undecided: of how many nobody can tell.

    lost: the first loss; nothing more is asked after it. uncalled: a source with a section that no part brings alone.
    """

    lost: Loss | None = None
    innocent: list[Innocent] = field(default_factory=list)
    undecided: int = 0
    uncalled: str = ""

    def accuses(self, case: ExaminationContext) -> Finding | None:
        if self.lost is None:
            return None
        return case.finding(
            CheckName.PART_LOST,
            f"alone {self.lost.part.alone!r} is answered by {named(self.lost.sources)}; not among the others",
            PROMISED,
            case.seen(),
            [self.lost.part.alone],
            Evidence(sources=tuple(sorted(self.lost.sources)), parts=(self.lost.part.alone,)),
        )

    def wonders(self, case: ExaminationContext) -> Finding | None:
        """At a section that is there for nobody."""
        if not self.uncalled:
            return None
        return case.finding(
            CheckName.PART_DIFFERS,
            f"a section of {self.uncalled}, which nothing points at and no part brings alone",
            "sections of the sources that are asked for, or of their documented fallbacks",
            case.seen(),
            [part.alone for part in case.parts],
            Evidence(DiscrepancyKind.UNCALLED_SECTION, (self.uncalled,)),
        )

    def excuses(self, case: ExaminationContext) -> Finding | None:
        """The loss that it looked like, where every missing source has an innocent cause."""
        if self.lost is not None or self.undecided or not self.innocent:
            return None
        summary = "; ".join(innocent.said for innocent in self.innocent)
        about = [innocent.part.alone for innocent in self.innocent]
        evidence = Evidence(sources=tuple(innocent.need.source for innocent in self.innocent), parts=tuple(about))
        return case.finding(CheckName.PART_LOST, summary, PROMISED, case.seen(), about, evidence)


Decided = Loss | Innocent | None


def presence(case: ExaminationContext, urgency: Urgency) -> Generator[Probe, Answer | None, Presence]:
    found = Presence()
    lacking = [(part, need) for part in case.parts for need in case.lacks(part)]
    for part, need in sorted(lacking, key=lambda pair: not pair[1].is_firm):
        decided = yield from _decide(case, part, need, urgency)
        if isinstance(decided, Loss):
            found.lost = decided
            break
        if decided is None:
            found.undecided += 1
        else:
            found.innocent.append(decided)
    if found.lost is None:
        yield from _led_astray(case, urgency, found)
    return found


def _led_astray(case: ExaminationContext, urgency: Urgency, found: Presence) -> Generator[Probe, Answer | None, None]:
    """Where a source brings something that nothing in the query points at: the part that it was brought for, or none.

    That part's own source may well have a section, for another part.
    """
    unasked = case.brought.sources - allowed_sources(case.query, case.vocabulary)
    if not unasked or len(case.parts) == 1:
        return
    explained: set[str] = set()
    knows_all = True
    for part in case.parts:
        alone = yield from case.alone(part, urgency)
        if alone is None:
            knows_all = False
            continue
        explained |= alone.sources & unasked
        need = next((need for need in part.needs if need.is_firm), None)
        if need is None or not alone.sources & unasked or alone.sources & case.vocabulary.stand_ins(need.source):
            continue
        decided = yield from _decide_by_name(case, part, need, urgency, None)
        if isinstance(decided, Loss):
            found.lost = decided
            return
    if knows_all and unasked - explained:
        found.uncalled = min(unasked - explained)


def _decide(
    case: ExaminationContext, part: Part, need: Need, urgency: Urgency
) -> Generator[Probe, Answer | None, Decided]:
    """None: nobody can tell. An accusation rests on what was asked after the query, as sources change."""
    is_whole = part.alone == case.query.text
    if is_whole and case.brought.sources:
        alone: SourceContent | None = case.brought
    else:
        alone = yield from case.alone(part, urgency)
    if alone is not None and _looks_lost(case, need, alone) and not is_whole:
        alone = yield from case.alone(part, urgency, fresh=1)
    if alone is None:
        return None
    if not alone.sources:
        # Blank is no way of saying that there is nothing: the documented phrases are.
        return Innocent(part, need, Cause.EMPTY_ALONE, alone.empty_phrase) if alone.empty_phrase else None
    if _looks_lost(case, need, alone):
        return Loss(part, alone.sources)
    stood_in = alone.sources & case.vocabulary.stand_ins(need.source) & case.brought.sources - {need.source}
    excuse = Innocent(part, need, Cause.STOOD_IN) if stood_in else None
    if not need.is_firm:
        return excuse  # it brings alone what it brought among the others: words meant somebody else by chance
    return (yield from _decide_by_name(case, part, need, urgency, excuse))


def _looks_lost(case: ExaminationContext, need: Need, alone: SourceContent) -> bool:
    """Whether it brings something alone, and nothing of that is there."""
    owed = alone.sources & case.vocabulary.stand_ins(need.source) if need.is_firm else alone.sources
    return bool(owed) and (need.source in owed or not owed & case.brought.sources)


def _decide_by_name(
    case: ExaminationContext, part: Part, need: Need, urgency: Urgency, excuse: Innocent | None
) -> Generator[Probe, Answer | None, Decided]:
    """Alone it is answered by others only: whether its own source has anything on it tells whether it was left out.

    excuse: what holds unless it has.
    """
    by_name = yield from case.alone(part, urgency, only=need.source)
    if by_name is None:
        return excuse
    if by_name.sources == {need.source}:
        return Loss(part, by_name.sources)
    empty = Innocent(part, need, Cause.EMPTY_ALONE, by_name.empty_phrase) if by_name.empty_phrase else None
    return excuse or empty
