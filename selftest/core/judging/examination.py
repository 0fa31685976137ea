"""From an answer to a verdict: which extra askings are worth it, and what is found once they are answered.

Pure: an examination is a generator that yields the probes that it wants and is sent their answers, so that whoever
drives it decides whom to ask, from what to remember and how much to spend.
"""

import hashlib
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from selftest.core.generation.queries import PartKind, Query
from selftest.core.generation.recipes import RECIPES, Relation
from selftest.core.judging.answers import Answer
from selftest.core.judging.checks import SPECIFIED, CheckInput, CheckName, Finding, findings
from selftest.core.judging.invariants import broken_invariants
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.relations.again import (
    Found,
    agreements,
    asked_twice,
    in_other_order,
    in_plain_words,
    is_plain,
    joined_otherwise,
)
from selftest.core.judging.relations.case import Cause, ExaminationContext
from selftest.core.judging.relations.content import contents
from selftest.core.judging.relations.hidden import Unhidden, hidden, without_the_others
from selftest.core.judging.relations.presence import Presence, presence
from selftest.core.judging.relations.time import no_slow_part

Asked = TypeVar("Asked")
Reply = TypeVar("Reply")
Result = TypeVar("Result")

MOST_REPRODUCTIONS = 3
TURNS = 6  # one query in six is asked twice, two in another order, one joined otherwise; of all others the parts
WHOLE: tuple[tuple[Relation, Callable[[ExaminationContext], Found]], ...] = (
    (Relation.TWICE, asked_twice),
    (Relation.ORDER, in_other_order),
    (Relation.ORDER, in_other_order),
    (Relation.CONJUNCTION, joined_otherwise),
)
MOST_PAIRS = 2  # of more, too much has to be asked before anything can be said
EXPLAINABLE = frozenset(
    {
        CheckName.PART_COUNT_MISMATCH,
        CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX,
        CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS,
    }
)
PRIORITY = {check: place for place, check in enumerate(CheckName)}


@dataclass(frozen=True)
class Rules:
    """What is looked for. explains: False for the specification's seven checks and nothing else.

    off: checks whose findings are not wanted. volatile: sources that are compared by presence only, as their own
    answers differ from one asking to the next; steady: those that never did. longest: how many items a section of a
    source had at most.
    """

    explains: bool = True
    off: frozenset[CheckName] = frozenset()
    volatile: frozenset[str] = frozenset()
    steady: frozenset[str] = frozenset()
    longest: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Explained:
    """A finding with an innocent cause. source: the one that was missing, the first of several."""

    finding: Finding
    cause: Cause
    source: str


@dataclass(frozen=True)
class Verdict:
    """findings: to be flagged, the first in priority order first. explained: with an innocent cause, not to be flagged.

    asked_again: how often the query was asked again because of its findings; seen_again: in how many of those each
    check found the same. stability: sources of which a part was asked twice, and whether the two agreed. seen_in: what
    shows the findings, where that is not the query but some of its parts without the others. lengths: source → items
    of its section, of a merged answer.
    """

    findings: tuple[Finding, ...] = ()
    explained: tuple[Explained, ...] = ()
    asked_again: int = 0
    seen_again: Mapping[CheckName, int] = field(default_factory=dict)
    stability: tuple[tuple[str, bool], ...] = ()
    seen_in: Query | None = None
    lengths: Mapping[str, int] = field(default_factory=dict, compare=False)


Examination = Generator[Probe, Answer | None, Verdict]


def examine(asking: CheckInput, rules: Rules, reproduces: bool = True) -> Examination:
    """Examines one answer. To each probe that it yields it is sent the answer, or None where that is not to be had.

    reproduces: whether a query with findings is asked again, up to three times.
    """
    if not rules.explains:
        return Verdict(_wanted(findings(asking), rules, SPECIFIED))
    known: dict[Probe, Answer] = {}
    verdict = yield from _once(asking, rules, known)
    if not verdict.findings or not reproduces:
        return verdict
    asking = replace(asking, query=verdict.seen_in or asking.query)
    asked_again = 0
    seen_again = dict.fromkeys((found.check for found in verdict.findings), 0)
    for number in range(1, MOST_REPRODUCTIONS + 1):
        probe = Probe(asking.query.text, Purpose.AGAIN, Urgency.SUSPECT, fresh=number)
        again = yield probe
        if again is None:
            break
        asked_again += 1
        for check in _found_again(replace(asking, answer=again), asking, rules, known):
            if check in seen_again:
                seen_again[check] += 1
    return replace(verdict, asked_again=asked_again, seen_again=seen_again)


def _found_again(again: CheckInput, before: CheckInput, rules: Rules, known: Mapping[Probe, Answer]) -> set[CheckName]:
    """What the same examination finds in another answer, by the probes that were answered already."""

    def reply(probe: Probe) -> Answer | None:
        return again.answer if probe.purpose is Purpose.AGAIN else _recalled(probe, known)

    found = {finding.check for finding in drive(_once(again, rules, {}), reply).findings}
    twice = ExaminationContext(before)
    repeated = drive(asked_twice(twice), lambda probe: again.answer)
    return found | {finding.check for finding in repeated}


def _recalled(probe: Probe, known: Mapping[Probe, Answer]) -> Answer | None:
    """Whatever was answered to this text, however urgent it was then."""
    of_text = [answer for asked, answer in known.items() if (asked.text, asked.only) == (probe.text, probe.only)]
    return of_text[-1] if of_text else None


def drive(search: Generator[Asked, Reply, Result], reply: Callable[[Asked], Reply]) -> Result:
    """Runs a search to its end with the answers that `reply` gives."""
    try:
        asked = next(search)
        while True:
            asked = search.send(reply(asked))
    except StopIteration as over:
        result: Result = over.value
        return result


def _once(asking: CheckInput, rules: Rules, known: dict[Probe, Answer]) -> Examination:
    found = findings(asking)
    if asking.answer.error is not None:
        return Verdict(_wanted(found, rules, CheckName))
    case = ExaminationContext(asking, rules.volatile, rules.steady, known, rules.longest)
    urgency = Urgency.EXPLAIN if any(_may_be_explained(finding) for finding in found) else Urgency.SUSPECT
    at_hand = yield from presence(case, urgency)
    flagged, explained = _explained(case, found, at_hand)
    lost, excused = at_hand.accuses(case), at_hand.excuses(case)
    related = [finding for finding in (lost, at_hand.wonders(case)) if finding is not None]
    related += broken_invariants(asking)
    if excused is not None:
        explained = [*explained, Explained(excused, at_hand.innocent[0].cause, at_hand.innocent[0].need.source)]
    related += yield from no_slow_part(case)
    # What is flagged already is looked into by a person: the askings are worth more elsewhere.
    compared = _Compared() if flagged or related else (yield from _routine(case))
    every = (*flagged, *related, *compared.findings)
    kept = tuple(item for item in explained if item.finding.check not in rules.off)
    return Verdict(
        _wanted(every, rules, CheckName),
        kept,
        stability=compared.stability,
        seen_in=compared.seen_in,
        lengths=case.lengths,
    )


def _explained(
    case: ExaminationContext, found: tuple[Finding, ...], at_hand: Presence
) -> tuple[tuple[Finding, ...], list[Explained]]:
    """What stays an accusation, and what has an innocent cause: every source that is missing has one."""
    if at_hand.lost is not None or at_hand.undecided or not at_hand.innocent:
        return found, []
    first = at_hand.innocent[0]
    flagged, explained = [], []
    for finding in found:
        if _is_explained(case, finding, at_hand):
            shown = replace(finding, asked=case.shown(innocent.part.alone for innocent in at_hand.innocent))
            explained.append(Explained(shown, first.cause, first.need.source))
        else:
            flagged.append(finding)
    return tuple(flagged), explained


def _is_explained(case: ExaminationContext, finding: Finding, at_hand: Presence) -> bool:
    if finding.check is CheckName.UNEXPECTED_EMPTY:
        # A section that says nothing should have been dropped; a whole answer that says so is one of its parts each.
        is_whole = bool(case.brought.empty_phrase)
        return is_whole and all(innocent.cause is Cause.EMPTY_ALONE for innocent in at_hand.innocent)
    return finding.check in EXPLAINABLE


def _may_be_explained(finding: Finding) -> bool:
    return finding.check in EXPLAINABLE or finding.check is CheckName.UNEXPECTED_EMPTY


@dataclass(frozen=True)
class _Compared:
    findings: tuple[Finding, ...] = ()
    stability: tuple[tuple[str, bool], ...] = ()
    seen_in: Query | None = None


def _routine(case: ExaminationContext) -> Generator[Probe, Answer | None, _Compared]:
    """What is compared although nothing looks wrong: by turns, so that each query costs little."""
    holds = RECIPES[case.query.recipe].relations if case.query.recipe in RECIPES else frozenset()
    turn = _turn(case)
    pairs = [part for part in case.parts if PartKind.PAIR in part.kinds]
    is_whole = turn < len(WHOLE) and WHOLE[turn][0] in holds
    urgencies = dict.fromkeys(() if is_whole else case.parts, Urgency.ROUTINE)
    at_an_end = case.parts[:1] if turn % 2 else case.parts[-1:]  # where most goes wrong
    unhidden = Unhidden()
    if Relation.PARTS in holds and is_plain(case):
        unhidden = yield from without_the_others(case)
        if unhidden.finding is not None:
            return _Compared((unhidden.finding,), seen_in=unhidden.query)
    for part in (*(hidden(case)[-1:] or at_an_end), *pairs[-1:]):
        urgencies[part] = Urgency.WORTHWHILE
    urgencies |= dict.fromkeys(unhidden.doubtful, Urgency.SUSPECT)
    if Relation.PAIRS in holds and 1 < len(pairs) <= MOST_PAIRS:
        urgencies[pairs[-1]] = Urgency.SUSPECT  # what there is to compare is little, and it says much
    elif not unhidden.doubtful:
        for relation in _said_again(holds, turn):
            found = yield from relation(case)
            if found:
                return _Compared(found)
    stability = agreements(case)
    if Relation.PARTS not in holds:
        return _Compared((), stability)
    compared = yield from contents(case, urgencies)
    return _Compared(compared.findings, (*stability, *compared.stability))


def _said_again(holds: Collection[Relation], turn: int) -> Iterable[Callable[[ExaminationContext], Found]]:
    """What is asked once more as a whole."""
    if turn < len(WHOLE) and WHOLE[turn][0] in holds:
        yield WHOLE[turn][1]
    if Relation.PARTS in holds:
        yield in_plain_words


def _turn(case: ExaminationContext) -> int:
    """The same for the same query, whoever asks; no counter is needed."""
    return hashlib.blake2b(case.query.text.encode(errors="surrogatepass"), digest_size=1).digest()[0] % TURNS


def _wanted(found: Iterable[Finding], rules: Rules, of: Iterable[CheckName]) -> tuple[Finding, ...]:
    """One of each check that is on, in priority order."""
    known = frozenset(of) - rules.off
    first: dict[CheckName, Finding] = {}
    for finding in found:
        if finding.check in known:
            first.setdefault(finding.check, finding)
    return tuple(sorted(first.values(), key=lambda finding: PRIORITY[finding.check]))
