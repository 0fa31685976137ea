"""Which flags have one cause, and what that is: found by what flagged queries have in common and clean ones lack. Pure.

As in statistical debugging (Liblit, Naik, Zheng, Aiken & Jordan 2005), predicates are ranked by how much more often
queries are flagged where they hold, the flags of the best one are taken away, and the rest is looked at again. There
the rank is the harmonic mean of an increase and a count. Here a predicate may hold of single parts, and a finding tells
which parts it is about, so it is a likelihood: that exactly these parts of exactly these queries went wrong, less what
the predicate asks one to believe (Rissanen 1978).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from types import MappingProxyType

from selftest.core.generation.queries import PartKind
from selftest.core.insight.holding import PLACES_BITS, Bits, Holding, Told
from selftest.core.insight.predicates import ANY, ANY_OF, BOTH, FAMILIES, RANK, Places, Predicate
from selftest.core.insight.symptoms import EMPTY, OF_PARTS, ROUTING, SeenFlag, SeenRun, with_common_roots
from selftest.core.judging.findings import CheckName

EVIDENCE = 8.0  # nats that a predicate has to explain beyond its cost
STRONG_EVIDENCE = 11.0  # of one that explains few of the flags, or of those that others have left
FEW_SHARE = 0.25
MOST_JOINED = 3  # of the best predicates, joined with any other
JOINED_SHARE = 0.6  # of the best one's flags, at least, for another to be joined with it
JOINED_EVIDENCE = 0.5  # nats, beyond the cost, that a joined one explains better than a simple one
HIDING_EVIDENCE = 16.0  # nats, where what one explains may hide others
MIXED_SHARE = 0.6  # of the queries where a predicate holds: where no more are flagged, it may be of several causes
MOST_NARROWER = 6  # that are tried in its place
NARROWER_VALUE = -5.0  # nats, at least: alone, with others' flags about, each may explain little
TWO_EVIDENCE = 8.0  # nats that two predicates have to explain better
BROAD_SHARE = 0.65  # of the queries where a predicate holds: flagged in fewer, another may explain flags of one check
SHOWN_EVIDENCE = 10.0  # nats that explain those flags alone that show in one check
SHOWN_SHARE = 1 / 3  # of the queries where that holds, at least, are flagged
APART_RUNS = 5  # with flags that nothing explains of either way to show, and at least
APART_SHARE = 0.1  # of all of these: two mistakes rather than one that shows in two ways
SHOWN_ANYWHERE = Predicate("shown_as", (CheckName.PART_LOST,))  # any part may be lost; other checks look at some only
LOOKS_AT: Mapping[str, Predicate] = (
    MappingProxyType(  # checks that look at one kind of part alone: no other query could have shown such a flag
        {
            CheckName.PAIR_BROKEN: Predicate("of_kind", (PartKind.PAIR,)),
            CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX: Predicate("of_kind", (PartKind.DISCOURSE,)),
            CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS: Predicate("of_kind", (PartKind.CONDITION,)),
        }
    )
)
ALWAYS_CHANCE = 0.01  # that queries of any predicate are all flagged by chance
MOST_ALTERNATIVES = 6  # words of which one is enough
FEW_FLAGS = 3  # that nothing explains, or
REST_SHARE = 0.15  # of all: they join a cause that may well be theirs
OTHER_REST_SHARE = 0.3  # where fewer mistakes show in the same way
OWN_EVIDENCE = 20.0  # nats that tell a second cause from the first where how an answer is put together goes wrong
OF_CONTENT = frozenset({ROUTING, EMPTY})

Flags = dict[int, list[SeenFlag]]
"""Run, by its place → those of its flags that are looked at."""

Suspects = Mapping[int, Places]
"""Run, by its place → parts of its query."""


@dataclass(frozen=True)
class FoundCause:
    """flags: their keys. runs: queries of which the predicate holds; struck: those of them with such a flag.

    other_runs: those of which it does not hold; other_struck: those of them that show the same symptom, whatever the
    cause. evidence: how much better than chance the predicate explains the flags, in nats; 0 where no predicate does.
    """

    predicate: Predicate
    symptom: str
    flags: frozenset[int]
    runs: int
    struck: int
    other_runs: int
    other_struck: int
    evidence: float = 0.0


def find_causes(runs: Iterable[SeenRun]) -> list[FoundCause]:
    """The causes of all flags, those with most flags first. Each flag belongs to one.

    A flag whose suspects lie outside its query is about the whole query.
    """
    seen = [_within_query(run) for run in with_common_roots(runs)]
    by_symptom: dict[str, Flags] = {}
    for number, run in enumerate(seen):
        for flag in run.flags:
            by_symptom.setdefault(flag.symptom, {}).setdefault(number, []).append(flag)
    search = _Search(seen)
    explained = [one for symptom, flags in by_symptom.items() for one in search.explain(symptom, flags)]
    _join_what_is_put_together(explained)
    _join_rest(seen, explained)
    found = [search.result(one, by_symptom[one.symptom].keys()) for one in explained if one.flags]
    return sorted(found, key=lambda cause: (-len(cause.flags), cause.symptom, cause.predicate))


def _within_query(run: SeenRun) -> SeenRun:
    every = run.shape.every if run.flags else 0
    if all(flag.suspects and not flag.suspects & ~every for flag in run.flags):
        return run
    return replace(run, flags=tuple(replace(flag, suspects=flag.suspects & every or every) for flag in run.flags))


@dataclass
class _Explained:
    symptom: str
    predicate: Predicate
    evidence: float
    flags: Flags


@dataclass(frozen=True)
class _Suspected:
    """The parts that flags may be of, and the same as `bits` of all runs.

    settled: all parts of settled runs, as bits. at_random: log of the parts' share of a query.
    """

    places: Suspects
    bits: Bits
    settled: Bits
    at_random: Mapping[int, float]

    @cached_property
    def at_best(self) -> float:
        """How much better any predicate can tell which part went wrong."""
        return -sum(self.at_random.values())


class _Search:
    """Among some runs."""

    def __init__(self, runs: Sequence[SeenRun]) -> None:
        self._runs = runs
        self._holding = Holding([run.shape for run in runs])
        self._may_hide = False
        self._settle(())

    def explain(self, symptom: str, flags: Flags) -> Iterable[_Explained]:
        """One predicate after the other, until no flag is left.

        What was seen in another wording says little of where its parts stand: it goes to what explains the others.
        """
        left = {number: firm for number, those in flags.items() if (firm := [flag for flag in those if flag.is_firm])}
        self._settle(())
        found = list(self._explained(symptom, left))
        rest: Flags = {}
        for number, those in flags.items():
            for flag in those:
                if not flag.is_firm:
                    may = [one for one in found if self._may_explain(one, number, flag)]
                    akin = max(may, key=lambda one: len(one.flags)).flags if may else rest
                    akin.setdefault(number, []).append(flag)
        self._settle(flags.keys() - rest.keys())
        return [*found, *self._explained(symptom, rest)]

    def _explained(self, symptom: str, left: Flags) -> Iterable[_Explained]:
        while left:
            best, evidence = self._best(left)
            if evidence:
                best, evidence = self._narrower(left, best, evidence)
            if symptom == ROUTING:
                best, evidence = self._shown_anywhere(left, best, evidence)
                if not evidence and not self._settled:
                    best, evidence = self._best_where_others_hide(left)
                if not evidence:
                    best, evidence = self._one_of_two(left)
                if not evidence:
                    best, evidence = self._always_flagged(left)
            taken: Flags = {}
            for number, those in list(left.items()):
                places = best.places(self._runs[number].shape)
                mine = [flag for flag in those if places & flag.suspects and best.fits(flag.told)]
                if mine:
                    taken[number] = mine
                if len(mine) == len(those):
                    del left[number]
                elif mine:
                    left[number] = [flag for flag in those if flag not in mine]
            self._settle_too(taken.keys() - left.keys())
            ways = _ways_to_show(taken) if symptom == ROUTING and not evidence else (taken,)
            yield from (_Explained(symptom, best, evidence, those) for those in ways)

    def _may_explain(self, one: _Explained, number: int, flag: SeenFlag) -> bool:
        """Whether it holds of the query and of a suspect. Of two joined, each may hold of another part."""
        predicate = one.predicate.of_query
        simple = predicate.of if predicate.family == BOTH else (predicate,)
        places = [each.places(self._runs[number].shape) for each in simple]
        return all(places) and any(each & flag.suspects for each in places)

    def _settle(self, numbers: Iterable[int]) -> None:
        """Runs that say nothing of what is looked for, as something else went wrong there and may hide it."""
        self._settled = frozenset[int]()
        self._held_by_settled = Counter[int]()
        self._settle_too(numbers)

    def _settle_too(self, numbers: Iterable[int]) -> None:
        """The same of these and of those that are settled already."""
        more = frozenset(numbers) - self._settled
        self._settled |= more
        self._held_by_settled = self._held_by_settled.copy()
        for number in more:
            self._held_by_settled.update(self._holding.told(number).numbers)

    def result(self, one: _Explained, showing: Collection[int]) -> FoundCause:
        """As it is handed out. showing: the runs with its symptom."""
        keys = frozenset(flag.key for flags in one.flags.values() for flag in flags)
        predicate = one.predicate if one.evidence else self._looked_at(one.flags)
        held, held_bits = self._holding.count(predicate), self._holding.bits(predicate)
        struck, alike = (self._flagged_among(numbers, held_bits) for numbers in (one.flags, showing))
        others = len(self._runs) - held
        return FoundCause(predicate, one.symptom, keys, held, struck, others, len(showing) - alike, one.evidence)

    def _looked_at(self, flags: Flags) -> Predicate:
        """What a query has to hold that could have shown them at all; of checks that look at any query: nothing."""
        kinds = {LOOKS_AT.get(check, ANY) for those in flags.values() for flag in those for check in _checks_of(flag)}
        looked_at = kinds.pop() if len(kinds) == 1 else ANY
        return looked_at if all(looked_at.places(self._runs[number].shape) for number in flags) else ANY

    def _flagged_among(self, numbers: Iterable[int], bits: Bits) -> int:
        """How many of these runs have any part among `bits`."""
        return self._holding.count_bits(bits & self._holding.bits_of(dict.fromkeys(numbers, PLACES_BITS)))

    def _best(self, flags: Flags) -> tuple[Predicate, float]:
        """The predicate that explains most of `flags`, and how much in nats; ANY with 0 where none does clearly."""
        suspects = _suspects_of(flags)
        values, struck = self._values(suspects)
        ranked = _ranked(values)
        if not ranked:
            return ANY, 0.0
        best, value, flagged = ranked[0], values[ranked[0]], struck[ranked[0]]
        suspected = self._suspected(suspects)
        joinable = _joined(ranked, struck)
        if not self._may_hide:
            joinable = chain(joinable, _alternatives(ranked, values), self._flagged_most_often(struck))
        for joined in joinable:
            least_value = value + (0.0 if best.of else JOINED_EVIDENCE)
            its_value, its_flagged = self._value_of_joined(joined, suspected, least_value)
            if its_value > least_value:
                best, value, flagged = joined, its_value, its_flagged
        is_first = not self._settled  # of what others have left, something explains a few by chance
        needed = EVIDENCE if is_first and flagged >= FEW_SHARE * len(flags) else STRONG_EVIDENCE
        return (best, value) if value >= needed else (ANY, 0.0)

    def _suspected(self, suspects: Suspects) -> _Suspected:
        at_random = {n: _log_share(those, self._runs[n].shape.every) for n, those in suspects.items()}
        settled = self._holding.bits_of(dict.fromkeys(self._settled, PLACES_BITS))
        return _Suspected(suspects, self._holding.bits_of(suspects), settled, at_random)

    def _flagged_most_often(self, struck: Mapping[Predicate, int]) -> Iterable[Predicate]:
        """Alternatives of which each may explain little: where most are flagged, any one leaves most to the others."""
        for name, family in FAMILIES.items():
            if family.is_of_few_words:
                those = [one for one in struck if one.family == name and struck[one] >= FEW_FLAGS]
                yield from _first_ones(sorted(those, key=lambda one: (-struck[one] / self._unsettled(one), one)))

    def _best_where_others_hide(self, flags: Flags) -> tuple[Predicate, float]:
        """The same where several causes may be mixed: what one explains says nothing of how often the others strike.

        Without alternatives, as many words that are flagged often by chance would be one.
        """
        self._may_hide = True
        best, evidence = self._best(flags)
        self._may_hide = False
        return (best, evidence) if evidence >= HIDING_EVIDENCE else (ANY, 0.0)

    def _one_of_two(self, flags: Flags) -> tuple[Predicate, float]:
        """The first of two simple ones that together explain what neither does by itself; ANY with 0 without such."""
        suspects = _suspects_of(flags)
        values, suspected = self._values(suspects)[0], self._suspected(suspects)
        together, best = HIDING_EVIDENCE, ANY
        for one in _ranked(values)[:MOST_NARROWER]:
            second, its = self._next(flags, one)
            of_both = self._value_of_joined(_either(one, second), suspected, together)[0] if its else 0.0
            if of_both > together:
                together, best = of_both, one
        return (ANY, 0.0) if best == ANY else (best, max(values[best], EVIDENCE))

    def _always_flagged(self, flags: Flags) -> tuple[Predicate, float]:
        """The best one whose queries are all flagged, and not by chance; ANY with 0 without such.

        Which part went wrong is not asked: other flags of the same queries may be of other parts.
        """
        values, struck = self._values(_suspects_of(flags))
        share, by_chance = len(flags) / len(self._runs), ALWAYS_CHANCE / max(len(values), 1)
        always = (
            one
            for one in _ranked(values)
            if struck[one] == self._holding.count(one) and share ** struck[one] <= by_chance
        )
        best = next(always, ANY)
        return best, 0.0 if best == ANY else max(values[best], EVIDENCE)

    def _narrower(self, flags: Flags, best: Predicate, evidence: float) -> tuple[Predicate, float]:
        """Another one than `best`, which may be of several causes, where together with a second it explains more."""
        if best.family == ANY_OF:
            return self._with_fewer(flags, best, evidence)
        if self._flagged_share(best, flags) > MIXED_SHARE:
            return best, evidence
        values, _ = self._values(_suspects_of(flags))
        together = evidence + self._next(flags, best)[1] + TWO_EVIDENCE
        for one in (one for one in _ranked(values)[:MOST_NARROWER] if values[one] > NARROWER_VALUE):
            its = values[one] + self._next(flags, one)[1]
            if its > together:
                together, best, evidence = its, one, max(values[one], EVIDENCE)
        return best, evidence

    def _with_fewer(self, flags: Flags, best: Predicate, evidence: float) -> tuple[Predicate, float]:
        """The same of alternatives: without those whose flags a second one explains better."""
        suspects = _suspects_of(flags)
        values, suspected = self._values(suspects)[0], self._suspected(suspects)
        together = evidence + self._next(flags, best)[1] + TWO_EVIDENCE
        while best.family == ANY_OF:
            rated = []
            for one in _without_one(best):
                value = self._value_of_joined(one, suspected, -math.inf)[0] if one.of else values[one]
                second, its = self._next(flags, one)
                of_both = self._value_of_joined(_either(one, second), suspected, -math.inf)[0] if its else value
                rated.append((max(value + its, of_both), value, one))
            most, value, one = max(rated)
            if most <= together:
                break
            together, best, evidence = most, one, max(value, EVIDENCE)
        return best, evidence

    def _shown_anywhere(self, flags: Flags, best: Predicate, evidence: float) -> tuple[Predicate, float]:
        """What explains the flags of a check that looks at all parts, where `best` explains little of all flags.

        They are compared with the runs that such a flag could have come of (Context of Liblit et al.), which are all:
        that a check looks at pairs only would else explain its flags.
        """
        if evidence and self._flagged_share(best, flags) >= BROAD_SHARE:
            return best, evidence
        shown, others = _by_showing(flags)
        if not others or len(shown) < FEW_FLAGS:
            return best, evidence
        one, value = self._best(shown)
        value -= SHOWN_ANYWHERE.cost
        if one == best or value < max(SHOWN_EVIDENCE, evidence) or self._flagged_share(one, shown) < SHOWN_SHARE:
            return best, evidence
        return Predicate(BOTH, (), (one, SHOWN_ANYWHERE)), value

    def _flagged_share(self, predicate: Predicate, flags: Flags) -> float:
        """Of the queries where it holds, those with such a flag of a part that it holds of."""
        flagged = sum(
            bool(predicate.places(self._runs[number].shape) & _all_suspects(those)) for number, those in flags.items()
        )
        return flagged / self._holding.count(predicate)

    def _next(self, flags: Flags, predicate: Predicate) -> tuple[Predicate, float]:
        """The best simple one of the flags that this one does not explain, and its value; 0 where that is not clear."""
        suspects: dict[int, Places] = {}
        for number, those in flags.items():
            places = predicate.places(self._runs[number].shape)
            if left := _all_suspects(flag for flag in those if not places & flag.suspects):
                suspects[number] = left
        settled, held_by_settled = self._settled, self._held_by_settled
        self._settle_too(flags.keys() - suspects.keys())
        value, best = max(((value, one) for one, value, _ in self._rated(suspects)), default=(0.0, ANY))
        self._settled, self._held_by_settled = settled, held_by_settled
        return (best, value) if value >= EVIDENCE else (ANY, 0.0)

    def _values(self, suspects: Suspects) -> tuple[Mapping[Predicate, float], Mapping[Predicate, int]]:
        """Of each predicate: what it explains beyond its cost, and the runs where it holds of a suspected part."""
        rated = list(self._rated(suspects))
        return {one: value for one, value, _ in rated}, {one: runs for one, _, runs in rated}

    def _unsettled(self, predicate: Predicate) -> int:
        return self._holding.count(predicate) - self._held_by_settled[self._holding.number(predicate)]

    def _rated(self, suspects: Suspects) -> Iterable[tuple[Predicate, float, int]]:
        """The same of one predicate after the other; not of ANY, which explains nothing."""
        told = {number: self._holding.told(number) for number in suspects}
        struck, choice = self._struck(suspects, told)
        for number, (one, runs) in enumerate(zip(self._holding.predicates, struck, strict=True)):
            if runs and one != ANY:
                unsettled = self._holding.count(one) - self._held_by_settled[number]
                yield one, self._gain(runs, unsettled, choice[number], len(suspects)) - one.cost, runs

    def _struck(self, suspects: Suspects, told: Mapping[int, Told]) -> tuple[Sequence[int], Sequence[float]]:
        """By a predicate's number: the runs where it holds of a suspected part, and how much better it tells which."""
        struck = [0] * len(self._holding.predicates)
        choice = [0.0] * len(struck)
        for number, suspected in suspects.items():
            at_random = _log_share(suspected, self._runs[number].shape.every)
            for predicate, places in zip(*told[number], strict=True):
                if meant := places & suspected:
                    struck[predicate] += 1
                    its = _log_share(meant, places) if meant != places else 0.0
                    choice[predicate] = choice[predicate] + its - at_random
        return struck, choice

    def _value_of_joined(self, joined: Predicate, suspected: "_Suspected", least: float) -> tuple[float, int]:
        """What it explains beyond its cost, and in how many runs; not exactly where that is no more than `least`."""
        bits = self._holding.bits(joined)
        if any(bits == self._holding.bits(one) for one in joined.of):
            return least, 0  # it says no more than one of them
        meant = bits & suspected.bits
        held = self._holding.count_bits(bits & ~suspected.settled)
        struck = self._holding.count_bits(meant)
        flagged = len(suspected.places)
        if self._gain(struck, held, suspected.at_best, flagged) - joined.cost <= least:
            return least, struck
        choice = 0.0
        held_of, meant_of = self._holding.places_of(bits), self._holding.places_of(meant)
        for number, at_random in suspected.at_random.items():
            if meant_of[number]:
                choice += _log_share(meant_of[number], held_of[number]) - at_random
        return self._gain(struck, held, choice, flagged) - joined.cost, struck

    def _gain(self, struck: int, held: int, choice: float, flagged: int) -> float:
        """How much more likely the flags are than if any part of any query could have gone wrong, in nats.

        choice: how much better it tells which part went wrong.
        """
        every = len(self._runs) - len(self._settled)
        if not struck or (struck * every <= flagged * held and choice <= 0):
            return 0.0
        rest = flagged - struck
        could_show_rest = every - struck if self._may_hide else every
        return _likelihood(struck, held) + _likelihood(rest, could_show_rest) - _likelihood(flagged, every) + choice


def _ranked(values: Mapping[Predicate, float]) -> list[Predicate]:
    """The best first."""
    return sorted(values, key=lambda one: (-values[one], RANK[one.family], one))


def _joined(ranked: Sequence[Predicate], struck: Mapping[Predicate, int]) -> Iterable[Predicate]:
    """Two that may together explain more than each of them."""
    fewest = JOINED_SHARE * struck[ranked[0]]
    near = [one for one in ranked if struck[one] >= fewest]
    return (Predicate(BOTH, (), (one, other)) for one in ranked[:MOST_JOINED] for other in near if one != other)


def _alternatives(ranked: Sequence[Predicate], values: Mapping[Predicate, float]) -> Iterable[Predicate]:
    """Several words, each of which explains something, of which one is enough."""
    for name, family in FAMILIES.items():
        if family.is_of_words:
            yield from _first_ones([one for one in ranked if one.family == name and values[one] > 0])


def _first_ones(words: Sequence[Predicate]) -> Iterable[Predicate]:
    """One of the first two, of the first three …"""
    for number in range(2, min(len(words), MOST_ALTERNATIVES) + 1):
        yield Predicate(ANY_OF, (), tuple(sorted(words[:number])))


def _either(one: Predicate, other: Predicate) -> Predicate:
    """One of several words is enough, or `other`."""
    return Predicate(ANY_OF, (), (*(one.of or (one,)), other))


def _without_one(alternatives: Predicate) -> Iterable[Predicate]:
    """The same without one of them, whichever."""
    for one in alternatives.of:
        first, *others = (other for other in alternatives.of if other != one)
        yield Predicate(ANY_OF, (), (first, *others)) if others else first


def _suspects_of(flags: Flags) -> Suspects:
    return {number: _all_suspects(those) for number, those in flags.items()}


def _all_suspects(flags: Iterable[SeenFlag]) -> Places:
    suspects = 0
    for flag in flags:
        suspects |= flag.suspects
    return suspects


@lru_cache(maxsize=65536)  # of few parts there are few
def _log_share(places: Places, of: Places) -> float:
    return math.log(places.bit_count() / of.bit_count())


def _likelihood(struck: int, of: int) -> float:
    """The logarithm, of so many in so many, where the chance of each is their share."""
    clean = of - struck
    return sum(count * math.log(count / of) for count in (struck, clean) if count)


def _checks_of(flag: SeenFlag) -> Iterable[str]:
    return (one.values[0] for one in flag.told if one.family == SHOWN_ANYWHERE.family)


def _is_shown_anywhere(flag: SeenFlag) -> bool:
    return SHOWN_ANYWHERE in flag.told


def _by_showing(flags: Flags) -> tuple[Flags, Flags]:
    """Those of the check that looks at any part, and the others."""
    shown: Flags = {}
    others: Flags = {}
    for number, those in flags.items():
        for flag in those:
            (shown if _is_shown_anywhere(flag) else others).setdefault(number, []).append(flag)
    return shown, others


def _ways_to_show(flags: Flags) -> Iterable[Flags]:
    """Flags that nothing explains: lost parts apart from changed ones where both are many."""
    shown, others = _by_showing(flags)
    fewest = max(APART_RUNS, APART_SHARE * len(flags))
    return (shown, others) if min(len(shown), len(others)) >= fewest else (flags,)


def _join_what_is_put_together(explained: Sequence[_Explained]) -> None:
    """Makes those one that show alike where sections are put together: little tells one mistake there from another."""
    by_symptom: defaultdict[str, list[_Explained]] = defaultdict(list)
    for one in explained:
        if one.symptom not in OF_PARTS:
            by_symptom[one.symptom].append(one)
    for those in by_symptom.values():
        main = max(those, key=lambda one: len(one.flags))
        every = sum(len(one.flags) for one in those)
        for one in those:
            if one is not main and one.evidence < OWN_EVIDENCE and len(one.flags) <= OTHER_REST_SHARE * every:
                for number, flags in one.flags.items():
                    main.flags.setdefault(number, []).extend(flags)
                one.flags = {}


def _join_rest(runs: Sequence[SeenRun], explained: Sequence[_Explained]) -> None:
    """Gives the few flags that nothing explains to a cause whose predicate holds of their query all the same.

    Which part went wrong is not always told right.
    """
    for rest in explained:
        akin = [one for one in explained if one.evidence and _are_akin(one.symptom, rest.symptom)]
        every = sum(len(one.flags) for one in akin) + len(rest.flags)
        share = REST_SHARE if rest.symptom in OF_CONTENT else OTHER_REST_SHARE
        if rest.evidence or len(rest.flags) > max(FEW_FLAGS, share * every):
            continue
        for number, flags in list(rest.flags.items()):
            holding = [one for one in akin if one.predicate.places(runs[number].shape)]
            if rest.symptom not in OF_CONTENT:
                holding = holding or akin
            if holding:
                strongest = max(holding, key=lambda one: len(one.flags))
                strongest.flags.setdefault(number, []).extend(flags)
                del rest.flags[number]


def _are_akin(one: str, other: str) -> bool:
    return one == other or {one, other} <= OF_CONTENT
