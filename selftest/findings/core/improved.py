"""Profile v2: what a sentence says of what, under which condition, before it is held against another one. Pure.

Clauses are compared pairwise; the pair with most in common decides. Where both name things that the other does not,
they are about different things, whatever their directions.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from selftest.findings.core import lexicon
from selftest.findings.core.beliefs import Belief, Rule, Why
from selftest.findings.core.categories import Scope, subject_of
from selftest.findings.core.lexicon import AGENTS, LEAST_ALIKE
from selftest.findings.core.statements import Clause, Quantity, Term, clauses_of, stems_of_category

LEAST_OVERLAP = 0.4
LEAST_OVERLAP_OF_NUMBERS = 0.6  # nothing but the number may differ
LEAST_OVERLAP_OF_FURTHER = 0.5  # clauses other than the two that have most in common
LEAST_OVERLAP_OF_OTHERS = 0.75  # where both name something of their own, in different places
SAID_BY_THE_CATEGORY = 0.5  # what such a word counts: every finding there may have it
ABOVE, BELOW = ("at least", "more than"), ("at most", "less than")
MOST_ENDING = 3
LEAST_MISTYPED = 5  # letters; "from" and "form" are two words
LEAST_MISTYPED_IN_VOWEL = 7
EXCEPTING = frozenset(("only", "onli", "unless", "except", "nur", "not"))  # stems of conditions that keep a ban
VOWELS = frozenset("aeiou")


@dataclass(frozen=True)
class _Match:
    """Two clauses side by side. shared: pairs of terms; places: where each stands in either.

    older, newer: what only one of them names, without what their categories say.
    told: the stems of all that the text of either says.
    """

    one: Clause
    other: Clause
    shared: tuple[tuple[Term, Term], ...]
    places: tuple[tuple[int, int], ...]
    older: tuple[Term, ...]
    newer: tuple[Term, ...]
    told: tuple[frozenset[str], frozenset[str]]
    overlap: float

    @property
    def is_asserted(self) -> bool:
        """Whether neither is a question or a guess."""
        return self.one.is_asserted and self.other.is_asserted

    @property
    def is_opposite(self) -> bool:
        """Whether one denies what the other affirms, of the words in common."""
        sign = self.one.direction * self.other.direction
        groups = set()
        for one, other in self.shared:
            sign *= one.sign * other.sign
            groups |= {(side, term.group) for side, term in enumerate((one, other)) if term.group}
        return (sign < 0) != (len(groups) % 2 == 1)


def compare(older: Belief, newer: Belief) -> Why:
    """Whether these contradict each other."""
    one, other = subject_of(older.category), subject_of(newer.category)
    if one is None or other is None:
        return Why(Rule.OUT_OF_SCOPE)
    if one.key != other.key:
        return Why(Rule.OTHER_SUBJECT)
    if _name_their_places(older, newer):
        return Why(Rule.DIFFERENT_THINGS)
    return compare_texts(older, newer, one.scope)


def _name_their_places(older: Belief, newer: Belief) -> bool:
    """Whether each names what only its own category does: "team blue" and "team red" are two, whatever is said."""
    places = [stems_of_category(belief.category.partition("/")[2].partition("/")[2]) for belief in (older, newer)]
    texts = [stems_of_category(belief.content) for belief in (older, newer)]
    return bool((places[0] - places[1]) & texts[0] and (places[1] - places[0]) & texts[1])


def compare_texts(older: Belief, newer: Belief, scope: Scope) -> Why:
    """The same, whatever their subjects are."""
    matches = _matches(older, newer, scope)
    if not matches:
        return Why(Rule.TOO_LITTLE_IN_COMMON)
    whys = [_why(match, _rule(match, scope)) for match in matches]
    others = (why for why in whys[1:] if why.is_contradiction and why.overlap >= LEAST_OVERLAP_OF_FURTHER)
    return whys[0] if whys[0].is_contradiction else next(others, whys[0])


def opposite_in_other_words(older: Belief, newer: Belief, scope: Scope) -> Why | None:
    """Why these may contradict each other although each has words of its own; None where nothing speaks for it."""
    best = next(iter(_matches(older, newer, scope)), None)
    if best is None or _rule(best, scope) is not Rule.DIFFERENT_THINGS:
        return None
    is_close = best.is_opposite and len(best.shared) > 1 and best.one.conditions == best.other.conditions
    return _why(best, Rule.DIFFERENT_THINGS) if is_close else None


def _matches(older: Belief, newer: Belief, scope: Scope) -> list[_Match]:
    """The clauses that have most in common with each other, those that have most of all first."""
    known = stems_of_category(older.category) | stems_of_category(newer.category)
    texts = [clauses_of(belief.content, scope) for belief in (older, newer)]
    told = tuple(frozenset(term.stem for clause in clauses for term in clause.terms) for clauses in texts)
    matches = [
        _match(first, second, known, (told[0], told[1]))
        for first, second in product(*texts)
        if _may_match(first, second, known)
    ]
    found: list[_Match] = []
    for match in sorted(matches, key=lambda match: (not match.is_asserted, -match.overlap, -len(match.shared))):
        if not any(match.one is each.one or match.other is each.other for each in found):
            found.append(match)
    return found


def _why(match: _Match, rule: Rule) -> Why:
    return Why(
        rule,
        tuple(sorted({one.word for one, _ in match.shared})),
        match.one.markers or _said(match.older),
        match.other.markers or _said(match.newer),
        match.overlap,
    )


def _said(terms: Iterable[Term]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term.word for term in terms))


def _rule(match: _Match, scope: Scope) -> Rule:
    one, other = match.one, match.other
    if match.overlap < LEAST_OVERLAP:
        return Rule.TOO_LITTLE_IN_COMMON
    if not match.is_asserted:
        return Rule.NOT_ASSERTED
    if _are_different(match) or (scope is Scope.CLAIM and _are_opposite_kinds(match)):
        return Rule.DIFFERENT_THINGS
    is_broken = scope is Scope.FEEDBACK and _is_broken_ban(match)
    if not (is_broken or _are_under_same_conditions(one, other)) or (
        one.versions and other.versions and one.versions != other.versions
    ):
        return Rule.OTHER_CONDITION
    if scope is Scope.FEEDBACK and _is_other_order(match):
        return Rule.SAME_DIRECTION if match.is_opposite else Rule.OPPOSITE_DIRECTIVE
    if _are_swapped(match):
        return Rule.SWAPPED_ROLES
    if not match.is_opposite:
        if (
            match.overlap < LEAST_OVERLAP_OF_NUMBERS
            or match.older
            or match.newer
            or not (one.quantities and other.quantities)
        ):
            return Rule.SAME_DIRECTION
        return Rule.CHANGED_NUMBER if _disagree(one.quantities, other.quantities) else Rule.SAME_NUMBERS
    if scope is Scope.FEEDBACK and _are_other_acts(match):
        return Rule.DIFFERENT_THINGS
    if one.quantities and other.quantities and _are_other_cases(one.quantities, other.quantities):
        return Rule.DIFFERENT_THINGS  # "not after 5 s" and "after 30 s" both hold
    if _is_exception(match, scope):
        return Rule.EXCEPTION
    return Rule.OPPOSITE_CLAIM if scope is Scope.CLAIM else Rule.OPPOSITE_DIRECTIVE


def _is_broken_ban(match: _Match) -> bool:
    """Whether what must never be is to be under some condition: "never by hand", "by hand if it hangs"."""
    is_ban = match.one.direction < 0 and not match.one.conditions and not lexicon.NEVER.isdisjoint(match.one.markers)
    return is_ban and match.other.direction > 0 and match.other.conditions.isdisjoint(EXCEPTING)


def _are_under_same_conditions(one: Clause, other: Clause) -> bool:
    return (
        one.conditions == other.conditions
        or (not one.conditions and other.conditions == one.covered)
        or (not other.conditions and one.conditions == other.covered)
    )


def _may_match(one: Clause, other: Clause, known: frozenset[str]) -> bool:
    """Whether they may have enough in common: a look that takes little, as most pairs have not."""
    if not one.terms or not other.terms:
        return True
    if one.is_german or other.is_german:
        return not one.heads.isdisjoint(other.heads)
    common = len(one.stems & other.stems)
    own = min(len({term.stem for term in clause.terms} - known) for clause in (one, other))
    return common > 0 and common >= LEAST_OVERLAP * own


def _match(one: Clause, other: Clause, known: frozenset[str], told: tuple[frozenset[str], frozenset[str]]) -> _Match:
    pairs, places = _pairs(one, other)
    alone = [term for place, term in enumerate(one.terms) if place not in dict(places)]
    left = [term for place, term in enumerate(other.terms) if place not in {there for _, there in places}]
    shared_stems = {one.stem for one, _ in pairs}
    ignored = known | shared_stems
    older, newer = (
        tuple(term for term in terms if term.stem not in ignored and not term.is_minor) for terms in (alone, left)
    )
    stems = {one.stem for one, _ in pairs}
    common = sum(SAID_BY_THE_CATEGORY if stem in known else 1.0 for stem in stems)
    whole = common + len({term.stem for term in older}) + len({term.stem for term in newer})
    # With no word that matters: "It works" and "It is broken".
    overlap = common / whole if whole else float(one.is_light and other.is_light)
    return _Match(one, other, pairs, places, older, newer, told, overlap)


def _pairs(one: Clause, other: Clause) -> tuple[tuple[tuple[Term, Term], ...], tuple[tuple[int, int], ...]]:
    """The terms that both have, in the order of `one`, and where they stand; each is used once."""
    is_german = one.is_german or other.is_german
    free = dict(enumerate(other.terms))
    pairs, places = [], []
    for place, term in enumerate(one.terms):
        same = (
            there
            for there, each in free.items()
            if _is_same(term.stem, each.stem, is_german) or _is_typo(term.word, each.word)
        )
        opposite = (there for there, each in free.items() if each.stem in term.denied or term.stem in each.denied)
        there = next(same, None)
        if there is not None:
            pairs.append((term, free.pop(there)))
        elif (there := next(opposite, None)) is not None:
            denied = free.pop(there)
            pairs.append((term, replace(denied, sign=-denied.sign)))
        else:
            continue
        places.append((place, there))
    return tuple(pairs), tuple(places)


def _is_same(one: str, other: str, is_german: bool) -> bool:
    if one == other:
        return True
    if not is_german or one[:LEAST_ALIKE] != other[:LEAST_ALIKE] or min(len(one), len(other)) < LEAST_ALIKE:
        return False
    longer = max(len(one), len(other))
    if one[: longer - MOST_ENDING] != other[: longer - MOST_ENDING]:
        return False
    alike = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return alike / longer > SAID_BY_THE_CATEGORY


def _is_typo(one: str, other: str) -> bool:
    """Whether two neighbouring letters have changed places, one is doubled, or a long word has another vowel."""
    if one == other or min(len(one), len(other)) < LEAST_MISTYPED:
        return False
    if len(one) != len(other):
        if one[0] != other[0]:  # most words; to look closer takes ten times as long
            return False
        return re.sub(r"(.)\1", r"\1", one) == re.sub(r"(.)\1", r"\1", other)
    wrong = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if len(wrong) == 1:
        return len(one) >= LEAST_MISTYPED_IN_VOWEL and VOWELS.issuperset(wrong[0])
    return len(wrong) == 2 and wrong[0] == wrong[1][::-1] and "".join(wrong[0]) in one


def _are_different(match: _Match) -> bool:
    """Whether each names something of its own in the same place, or too much of its own anywhere."""
    if match.older and match.newer and match.overlap < LEAST_OVERLAP_OF_OTHERS:
        return True
    if any({one.preposition, other.preposition} in lexicon.OTHER_WAYS for one, other in match.shared):
        return True
    if _is_without(match.one, match.older) or _is_without(match.other, match.newer) or _is_part_of_it(match):
        return True
    # What the category says already is still another thing than a name in its place.
    return bool(match.older or match.newer) and not _slots(match, 0).isdisjoint(_slots(match, 1))


def _are_opposite_kinds(match: _Match) -> bool:
    """Whether they are about opposite kinds of one thing: "short answers", "long answers"."""
    return any(one.sign * other.sign < 0 and one.modifies and other.modifies for one, other in match.shared)


def _is_without(clause: Clause, alone: tuple[Term, ...]) -> bool:
    """Whether it is about being without a thing that the other does not name."""
    return any(term.group and clause.terms[term.group - 1] is term for term in alone)


def _is_part_of_it(match: _Match) -> bool:
    """Whether what one is about is only the place of it in the other: "see the menu", "see prices in the menu"."""
    for side, alone in enumerate((match.older, match.newer)):
        places = [pair[side].is_scope and not pair[1 - side].preposition for pair in match.shared]
        if any(places) and any(not term.preposition and not term.modifies for term in alone):
            return True
    return False


def _are_other_acts(match: _Match) -> bool:
    """Whether one says what to do with it, and the other to use it or to do it.

    "Never change the seed" and "use the seed"; "mark a guess" and "never guess".
    """
    if any(one.sign != other.sign for one, other in match.shared):
        return False
    for clause, alone, other in ((match.one, match.older, match.other), (match.other, match.newer, match.one)):
        first = next(iter(clause.terms), None)
        if first in alone and not first.modifies and other.is_light:
            return True
    return False


def _slots(match: _Match, side: int) -> set[tuple[str, int]]:
    """Where the words stand that only one of them has: behind or in front of which one in common, by its number."""
    clause = match.one if side == 0 else match.other
    shared = {stem for pair in match.shared for stem in (pair[0].stem, pair[1].stem)}
    numbers = {places[side]: number for number, places in enumerate(match.places)}
    slots = set()
    for place, term in enumerate(clause.terms):
        if place not in numbers and term.stem not in shared and not term.is_minor:
            before = max((there for there in numbers if there < place), default=None)
            behind = min((there for there in numbers if there > place), default=None)
            slots |= {
                (name, numbers[there]) for name, there in (("after", before), ("before", behind)) if there is not None
            }
    return slots


def _is_exception(match: _Match, scope: Scope) -> bool:
    """Whether both hold, as one is narrower: it says which, or where and for what.

    Of claims that is the one that denies: what can be done need not be possible everywhere. Of feedback it is the
    newer one, an exception of the rule.
    """
    denying, other = sorted((match.one, match.other), key=lambda clause: clause.direction)
    if denying.direction < 0:
        if denying.quantities and not other.quantities:
            return True
        if denying is match.other and any(term.stem not in match.told[0] for term in match.newer):
            return True
    is_scoped = any(one.is_scope and one.preposition == other.preposition for one, other in match.shared)
    is_narrower = [
        any(
            (term.modifies or (term.is_scope and not is_scoped)) and term.stem not in match.told[1 - side]
            for term in alone
        )
        or _says_more_behind(match, side)
        for side, alone in enumerate((match.older, match.newer))
    ]
    if scope is Scope.FEEDBACK or match.one.direction == match.other.direction:
        return is_narrower[1]
    return is_narrower[0 if match.one.direction < 0 else 1]


def _says_more_behind(match: _Match, side: int) -> bool:
    """Whether the last word is one of its own: "shows stops abroad", "the report summary"."""
    clause, alone = (match.one, match.older) if side == 0 else (match.other, match.newer)
    return len(clause.terms) > 1 and clause.terms[-1] in alone


def _are_swapped(match: _Match) -> bool:
    """Whether those on both sides of what is done have changed places, or exchanged their prepositions."""
    if _exchange_prepositions(match.shared):
        return True
    order = [place for _, place in sorted(match.places)]
    is_turned = match.one.is_passive != match.other.is_passive
    for agent, act, patient in combinations(range(len(order)), 3):
        if is_turned and order[agent] < order[act] < order[patient]:
            passive = match.shared[patient][0 if match.one.is_passive else 1]
            active = match.shared[patient][1 if match.one.is_passive else 0]
            if passive.preposition in AGENTS and active.preposition not in AGENTS:
                return True
        if not is_turned and order[agent] > order[act] > order[patient]:
            (one, other), (first, last) = match.shared[agent], match.shared[patient]
            has_same_case = any(one.article and one.article == other.article for one, other in match.shared)
            if not has_same_case and (one.preposition, first.preposition) == (last.preposition, other.preposition):
                return True
    return False


def _is_other_order(match: _Match) -> bool:
    """Whether what comes first and what comes next have changed places: "A before B", "B before A"."""
    one, other = _in_order(match.one), _in_order(match.other)
    if match.older or match.newer or one is None or other is None:
        return False
    (first, next_), (other_first, other_next) = one, other
    is_exchanged = next_ <= other_first and other_next <= first
    return is_exchanged and bool(next_ and other_next) and first - other_next == other_first - next_


def _in_order(clause: Clause) -> tuple[frozenset[str], frozenset[str]] | None:
    """The stems in front of and behind the first word that orders; None where there is no such word."""
    ordering = [place for place, term in enumerate(clause.terms) if term.word in lexicon.ORDERING]
    if not ordering:
        return None
    first, following = (
        frozenset(term.stem for term in terms if term.word not in lexicon.ORDERING)
        for terms in (clause.terms[: ordering[0]], clause.terms[ordering[0] + 1 :])
    )
    return first, following


def _exchange_prepositions(shared: Sequence[tuple[Term, Term]]) -> bool:
    before = [(one.preposition, other.preposition) for one, other in shared]
    return any(
        one != other and (other, one) in before and ((one and other) or {one, other} <= lexicon.ROLES)
        for one, other in before
    )


def _values(quantities: Iterable[Quantity]) -> set[tuple[float, str]]:
    return {(quantity.value, quantity.measure) for quantity in quantities}


def _are_other_cases(older: Sequence[Quantity], newer: Sequence[Quantity]) -> bool:
    """Whether both may hold in two directions: of other values, or below and above the same ones."""
    bounds = [{each.bound for each in quantities} for quantities in (older, newer)]
    return _values(older) != _values(newer) or any(
        (one in ABOVE and other in BELOW) or (one in BELOW and other in ABOVE)
        for one, other in product(bounds[0], bounds[1])
    )


def _disagree(older: Sequence[Quantity], newer: Sequence[Quantity]) -> bool:
    """Whether as many numbers of the same measures cannot all hold of the same thing."""
    is_same = _values(older) == _values(newer) and len({each.bound for each in (*older, *newer)}) == 1
    if is_same or [each.measure for each in older] != [each.measure for each in newer]:
        return False
    if _rate(older) is not None and _rate(older) == _rate(newer):
        return False
    return any(_cannot_both_hold(one, other) for one, other in zip(older, newer, strict=True))


def _rate(quantities: Sequence[Quantity]) -> float | None:
    """How many in how long: 5 in a second are 300 in a minute; None for all else."""
    if (
        len(quantities) != 2
        or [each.measure == "time" for each in quantities] != [False, True]
        or not quantities[1].value
    ):
        return None
    return quantities[0].value / quantities[1].value


def _cannot_both_hold(one: Quantity, other: Quantity) -> bool:
    if one.counted and other.counted and one.counted != other.counted:
        return False
    if one.bound == other.bound:
        return one.value != other.value
    bounded = sorted((each for each in (one, other) if each.bound), key=lambda each: each.bound in ABOVE)
    if len(bounded) == 1:
        bound, exact = bounded[0], other if one.bound else one
        return exact.value < bound.value if bound.bound in ABOVE else exact.value > bound.value
    most, least = bounded
    is_strict = "more than" in (one.bound, other.bound) or "less than" in (one.bound, other.bound)
    return least.value > most.value or (is_strict and least.value == most.value)
