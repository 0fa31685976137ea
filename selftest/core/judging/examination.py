"""From an answer to a verdict: which probes are worth it, and what is found once they are answered.

Pure: an examination is a generator that yields the probes that it wants and is sent their answers, so that its
driver decides where to send them, what to reuse of earlier answers and how much to spend.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from selftest.core.generation.queries import PartKind, Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.recipes.base import Relation
from selftest.core.judging.answers import Answer
from selftest.core.judging.check_table import CHECKS, EXPLAINABLE, Check, broken_invariants, specified_findings
from selftest.core.judging.context import CheckInput, Comparison, ExaminationContext, content_of
from selftest.core.judging.driving import drive
from selftest.core.judging.due import DueProbes
from selftest.core.judging.findings import GROUPS, OF_PARTS_ALONE, SPECIFIED, CheckName, Family, Finding, together
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.relations.conditions import chosen_for_condition, silent_condition
from selftest.core.judging.relations.order_and_wording import (
    agreements,
    asked_twice,
    in_other_order,
    in_plain_words,
    is_plain,
    joined_otherwise,
)
from selftest.core.judging.relations.part_alone import misread_alone
from selftest.core.judging.relations.part_content import Contents, contents, sharing_parts
from selftest.core.judging.relations.part_latency import no_slow_part
from selftest.core.judging.relations.part_presence import Presence, Unhidden, hidden_parts, presence, without_the_others
from selftest.core.judging.reproduction import reproduce
from selftest.core.judging.stability import WHOLE_QUERY
from selftest.core.judging.verdicts import Explained, ExplanationCause, Rules, Verdict

TURNS = 6  # one query in six is asked twice, two in another order, one joined otherwise; of all others the parts
WHOLE: tuple[tuple[Relation, Callable[[ExaminationContext], Comparison]], ...] = (
    (Relation.TWICE, asked_twice),
    (Relation.ORDER, in_other_order),
    (Relation.ORDER, in_other_order),
    (Relation.CONJUNCTION, joined_otherwise),
)
FINDS: Mapping[Callable[..., Any], frozenset[CheckName]] = MappingProxyType(  # what is asked for none of these is vain
    {
        asked_twice: frozenset({CheckName.ASKED_TWICE_DIFFERS, CheckName.SYNTHETIC_QUERY_CACHED}),
        in_other_order: frozenset({CheckName.ORDER_MATTERS}),
        joined_otherwise: frozenset({CheckName.CONJUNCTION_MATTERS}),
        in_plain_words: frozenset({CheckName.PART_DIFFERS}),
        misread_alone: frozenset({CheckName.PART_LOST, CheckName.PAIR_BROKEN}),
        contents: frozenset({CheckName.PART_DIFFERS, CheckName.PAIR_BROKEN}),
    }
)
MOST_PAIRS = 2  # of more, too much has to be asked before anything can be said
BY_PRESENCE = frozenset(EXPLAINABLE) - {CheckName.SOURCE_MISMATCH}  # explained where every missing source is
NOTHING_THERE = {ExplanationCause.EMPTY_ALONE, ExplanationCause.EMPTY_ON_SUBJECT}
PRIORITY = {check: place for place, check in enumerate(CHECKS)}


Examination = Generator[Probe, Answer | None, Verdict]


def examine(
    check_input: CheckInput, rules: Rules, reproduces: bool = True, only: CheckName | None = None
) -> Examination:
    """Examines one answer. To each probe that it yields it is sent the answer, or None where that is not to be had.

    reproduces: whether a query with findings is asked again, up to three times. only: the one check that is looked for,
    in every query instead of by turns, without probes for any other and without reproductions.
    """
    check_input = replace(check_input, boilerplate=rules.boilerplate)
    if only is not None:
        every = replace(rules, seldom_confirmed=frozenset())
        return (yield from _look_for(CHECKS[only], check_input, every))
    if not rules.explains:
        return Verdict(_wanted(specified_findings(check_input), rules, SPECIFIED))
    known: dict[Probe, Answer] = {}
    due = DueProbes()
    verdict = yield from due.watch(_once(check_input, rules, known))
    if not verdict.findings:
        return replace(verdict, is_unchecked=due.are_unmet)
    # What is wrong with a part alone was asked for twice; the whole query says nothing more of it.
    of_query = [found.check for found in verdict.findings if found.evidence.kind not in OF_PARTS_ALONE]
    if not of_query or not reproduces:
        return verdict
    check_input = replace(check_input, query=verdict.seen_in or check_input.query)
    content = content_of(check_input.answer, check_input.vocabulary)
    same: list[tuple[str, bool]] = []

    def compared(answer: Answer) -> set[CheckName]:
        other = content_of(answer, check_input.vocabulary)
        if verdict.seen_in is None:
            same.extend(check_input.agreements(content, other))
        return _reproduced(replace(check_input, answer=answer), check_input, rules, known)

    again = yield from reproduce(
        check_input.query.text,
        of_query,
        compared,
        rules.repetitions,
        Urgency.ROUTINE if rules.is_reproducible else Urgency.SUSPECT,
    )
    agreed = (*same, *((WHOLE_QUERY, is_so) for is_so in again.agreements))
    return replace(verdict, repeats=again.repeats, reproduced=again.reproduced, stability=(*verdict.stability, *agreed))


def _look_for(check: Check[Any], check_input: CheckInput, rules: Rules) -> Examination:
    found: Iterable[Finding]
    if not check.needs_probes or check_input.answer.error is not None:
        specified = _undocumented(check_input) if rules.explains else specified_findings(check_input)
        found = (*specified, *broken_invariants(check_input))
    elif check.name in GROUPS[Family.AGAINST_ITSELF]:
        context = _context(check_input, rules, {})
        if not context.is_held_together or check.function is asked_twice:
            found = yield from check.function(context)
        else:
            found = ()
    else:
        found = specified_findings(check_input)
        if rules.explains and any(finding.check is check.name for finding in found):
            context = _context(check_input, rules, {})
            found, _ = yield from _without_chosen(context, tuple(found), rules)
            if check.name in BY_PRESENCE:
                found, _ = _explained(context, found, (yield from presence(context, Urgency.EXPLAIN)))
    return Verdict(_wanted(found, replace(rules, off=frozenset()), [check.name]))


def _context(check_input: CheckInput, rules: Rules, known: dict[Probe, Answer]) -> ExaminationContext:
    return ExaminationContext(
        check_input,
        rules.volatile.union(check_input.vocabulary.presence_only),
        rules.steady,
        known,
        rules.longest,
        rules.known_causes,
        rules.off,
        rules.overdue,
        is_reproducible=rules.is_reproducible,
        seldom_confirmed=rules.seldom_confirmed,
    )


def _reproduced(again: CheckInput, before: CheckInput, rules: Rules, known: Mapping[Probe, Answer]) -> set[CheckName]:
    """What the same examination finds in another answer, by the probes that were answered already."""

    def reply(probe: Probe) -> Answer | None:
        return again.answer if probe.purpose is Purpose.AGAIN else _recalled(probe, known)

    found = {finding.check for finding in drive(_once(again, rules, {}), reply).findings}
    twice = ExaminationContext(before)
    repeated = drive(asked_twice(twice), lambda probe: again.answer)
    return found | {finding.check for finding in repeated}


def _recalled(probe: Probe, known: Mapping[Probe, Answer]) -> Answer | None:
    """The last answer to this text, however urgent it was then."""
    of_text = [answer for asked, answer in known.items() if (asked.text, asked.only) == (probe.text, probe.only)]
    return of_text[-1] if of_text else None


def _once(check_input: CheckInput, rules: Rules, known: dict[Probe, Answer]) -> Examination:
    found = _undocumented(check_input)
    if check_input.answer.error is not None:
        return Verdict(_wanted(found, rules, CheckName))
    context = _context(check_input, rules, known)
    if context.is_held_together:
        of_whole = yield from asked_twice(context)
        is_empty = bool(context.brought.empty_phrase)
        by_parts = BY_PRESENCE - (frozenset() if is_empty else {CheckName.UNEXPECTED_EMPTY})
        of_no_part = (finding for finding in found if finding.check not in by_parts)
        every = (*of_no_part, *broken_invariants(check_input), *of_whole)
        return Verdict(_wanted(every, rules, CheckName), stability=agreements(context), lengths=context.lengths)
    found, chosen = yield from _without_chosen(context, found, rules)
    urgency = Urgency.EXPLAIN if any(finding.check in BY_PRESENCE for finding in found) else Urgency.SUSPECT
    missing = yield from presence(context, urgency)
    flagged, explained = _explained(context, found, missing)
    explained = [*chosen, *explained]
    lost, explained_loss = missing.lost_finding(context), missing.explained_finding(context)
    related = [finding for finding in (lost, missing.uncalled_finding(context)) if finding is not None]
    if explained_loss is not None:
        explained = [
            *explained,
            Explained(explained_loss, missing.explained[0].cause, missing.explained[0].need.source),
        ]
    related += yield from no_slow_part(context)
    # Where a comparison has found something new, a person looks into that: probes are worth more elsewhere. What the
    # answer alone shows ends nothing, nor does a known cause, or one defect that always stands would hide every other.
    context.look_into(related)
    compared = yield from _routine(context)
    every = (*flagged, *related, *broken_invariants(check_input), *compared.findings)
    kept = tuple(item for item in explained if item.finding.check not in rules.off)
    return Verdict(
        _wanted(every, rules, CheckName),
        kept,
        stability=compared.stability,
        seen_in=compared.seen_in,
        lengths=context.lengths,
        observed=context.observed,
        decided=compared.decided,
    )


def _undocumented(check_input: CheckInput) -> tuple[Finding, ...]:
    """The specification's findings without what the vocabulary says: empty sections of a target that keeps those."""
    found = specified_findings(check_input)
    if not check_input.vocabulary.keeps_empty_sections:
        return found
    return tuple(one for one in found if one.check is not CheckName.UNEXPECTED_EMPTY or not one.evidence.sources)


def _explained(
    context: ExaminationContext, found: tuple[Finding, ...], missing: Presence
) -> tuple[tuple[Finding, ...], list[Explained]]:
    """What stays a finding to be flagged, and what is explained: where every source that is missing is."""
    if missing.losses or missing.undecided or not missing.explained:
        return found, []
    first = missing.explained[0]
    flagged, explained = [], []
    for finding in found:
        if _is_explained(context, finding, missing):
            shown = replace(finding, asked=context.shown(need.part.alone for need in missing.explained))
            explained.append(Explained(shown, first.cause, first.need.source))
        else:
            flagged.append(finding)
    return tuple(flagged), explained


def _is_explained(context: ExaminationContext, finding: Finding, missing: Presence) -> bool:
    if finding.check is CheckName.UNEXPECTED_EMPTY:
        # A section that says nothing should have been dropped; a whole answer that says so is one of its parts each.
        is_whole = bool(context.brought.empty_phrase)
        return is_whole and all(need.cause in NOTHING_THERE for need in missing.explained)
    return finding.check in BY_PRESENCE


def _without_chosen(
    context: ExaminationContext, found: tuple[Finding, ...], rules: Rules
) -> Generator[Probe, Answer | None, tuple[tuple[Finding, ...], list[Explained]]]:
    """What stays, and what is explained by where the target sends the condition alone: the source of this answer.

    Then that is no mismatch; and where all else points at that source too, one source answers, without a header. So it
    does where nothing is found on the condition.
    """
    of_sections = {CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS} if _answers_all_else(context) else set()
    explainable = {CheckName.SOURCE_MISMATCH} | of_sections
    if not rules.explains_conditions or not any(finding.check in explainable for finding in found):
        return found, []
    cause, source = ExplanationCause.CHOSEN_ALONE, context.check_input.answer.source_used
    part = yield from chosen_for_condition(context)
    if part is None and any(finding.check in of_sections for finding in found):
        cause, explainable = ExplanationCause.EMPTY_ALONE, of_sections
        part, source = (yield from silent_condition(context)) or (None, "")
    if part is None:
        return found, []
    asked = context.shown([part.alone])
    explained = [Explained(replace(one, asked=asked), cause, source) for one in found if one.check in explainable]
    return tuple(one for one in found if one.check not in explainable), explained


def _answers_all_else(context: ExaminationContext) -> bool:
    """Whether all parts but a condition have their source in the answer."""
    return not any(context.lacks(part) for part in context.parts if PartKind.CONDITION not in part.kinds)


@dataclass(frozen=True)
class _Compared:
    findings: tuple[Finding, ...] = ()
    stability: tuple[tuple[str, bool], ...] = ()
    seen_in: Query | None = None
    decided: tuple[tuple[str, str, bool], ...] = ()


def _routine(context: ExaminationContext) -> Generator[Probe, Answer | None, _Compared]:
    """What is compared although nothing looks wrong: by turns, so that each query costs little."""
    holds = RECIPES[context.query.recipe].relations if context.query.recipe in RECIPES else frozenset()
    turn = context.turn % TURNS
    pairs = [part for part in context.parts if PartKind.PAIR in part.kinds]
    is_whole = turn < len(WHOLE) and WHOLE[turn][0] in holds
    urgencies = dict.fromkeys(() if is_whole else context.parts, Urgency.ROUTINE)
    at_an_end = context.parts[:1] if turn % 2 else context.parts[-1:]  # where most goes wrong
    unhidden = Unhidden()
    if Relation.PARTS in holds and is_plain(context):
        unhidden = yield from without_the_others(context)
        if unhidden.finding is not None and context.is_news(unhidden.finding):
            return _Compared((unhidden.finding,), seen_in=unhidden.query)
    for part in (*(hidden_parts(context)[-1:] or at_an_end), *pairs[-1:]):
        urgencies[part] = Urgency.WORTHWHILE
    urgencies |= dict.fromkeys((*unhidden.doubtful, *sharing_parts(context)), Urgency.SUSPECT)
    relations = [*_said_again(holds, turn), misread_alone]
    if Relation.PAIRS in holds and 1 < len(pairs) <= MOST_PAIRS:
        urgencies[pairs[-1]] = Urgency.SUSPECT  # what there is to compare is little, and it says much
    if urgencies and Urgency.SUSPECT in urgencies.values():
        relations = [misread_alone]
    urgencies |= dict.fromkeys((part for part in context.parts if part.as_written in context.overdue), Urgency.SUSPECT)
    found: list[Finding] = []
    for relation in (relation for relation in relations if not FINDS[relation] <= context.off):
        found += yield from relation(context)
        context.look_into(found)
    stability = agreements(context)
    compared = Contents((), (), ())
    if Relation.PARTS in holds and not FINDS[contents] <= context.off:
        compared = yield from contents(context, urgencies)
    every = (*found, *compared.findings)
    seen_in = None
    hidden = unhidden.finding
    if hidden is not None and hidden.check not in context.off and not every:  # of a known cause: it hides nothing else
        every, seen_in = (hidden,), unhidden.query
    return _Compared(every, (*stability, *compared.stability), seen_in, compared.decided)


def _said_again(holds: Collection[Relation], turn: int) -> Iterable[Callable[[ExaminationContext], Comparison]]:
    """What is asked once more as a whole: first what only some queries are written for."""
    if Relation.PARTS in holds:
        yield in_plain_words
    if turn < len(WHOLE) and WHOLE[turn][0] in holds:
        yield WHOLE[turn][1]


def _wanted(found: Iterable[Finding], rules: Rules, of: Iterable[CheckName]) -> tuple[Finding, ...]:
    """One of each check that is on, in priority order, each with what it has found in other places."""
    known = frozenset(of) - rules.off
    by_check: dict[CheckName, list[Finding]] = {}
    for finding in found:
        if finding.check in known:
            by_check.setdefault(finding.check, []).append(finding)
    # What has no known cause comes first: of others only a line is kept.
    first = (together(sorted(each, key=lambda one: one.accusation in rules.known_causes)) for each in by_check.values())
    return tuple(sorted(filter(None, first), key=lambda finding: PRIORITY[finding.check]))
