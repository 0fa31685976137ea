"""From a query with a finding to the smallest one that still shows it. Pure: it asks no one itself.

A search is a generator that yields smaller queries and is sent whether each shows the same: its driver decides whom to
ask and how much to spend.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise
from math import comb
from types import MappingProxyType

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.findings import CheckName
from selftest.core.judging.relations.query_variants import join_index

SUBSET_CLAUSES = 3  # most faults need no more clauses than that together
LONGEST_MARK = 20  # characters; what is longer than any punctuation with its words is there to fill up
SUBSET_SHARE = 0.75  # of all tries may go to subsets; the rest is for ddmin, which needs few where clauses are many

# What can be asked by itself. A consequence, a phrase that frames and one that compares need something beside them.
ASKABLE_KINDS = frozenset(
    {PartKind.INTENT, PartKind.PAIR, PartKind.TOPIC, PartKind.CONDITION, PartKind.REQUEST, PartKind.LOOKALIKE}
)

# Without a framing around both, "the news about tidal power" promises nothing but the news.
FRAMED_TOGETHER = frozenset({PartKind.INTENT, PartKind.TOPIC})

# Checks that go by the recipe's name: without these kinds they would hold against any query that bears it.
NEEDED_KINDS: Mapping[CheckName, frozenset[PartKind]] = MappingProxyType(
    {
        CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX: frozenset({PartKind.DISCOURSE, PartKind.INTENT}),
        CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS: frozenset({PartKind.CONDITION, PartKind.INTENT}),
    }
)


@dataclass(frozen=True)
class Minimised:
    """query: the smallest that shows it. kept: the places, from 0, of the original's parts that are left in it.

    is_minimal: nothing more can be left out or put more plainly; False where that was not to be had. tried: candidates
    that were judged.
    """

    query: Query
    kept: tuple[int, ...]
    is_minimal: bool
    tried: int


Minimising = Generator[Query, bool | None, Minimised]


def minimise(query: Query, check: CheckName, tries_at_most: int) -> Minimising:
    """Looks for the smallest query with the same finding as `query`, which has it.

    To each candidate that it yields it is sent whether that has it too, or None where that is unknown, which ends it.
    No text is yielded twice. All subsets of up to three clauses come first, the fewest first, as far as they fit into
    `tries_at_most`; then ddmin over the clauses; then what is left is made simpler.
    Source: Zeller & Hildebrandt (2002), Simplifying and Isolating Failure-Inducing Input.
    """
    return _Search(query, check, tries_at_most).run()


@dataclass(frozen=True)
class _Clause:
    """number: its place among those of the original, from 0. places: of its parts there."""

    number: int
    places: tuple[int, ...]


class _NoAnswerError(Exception):
    """A candidate that was not to be judged: the search ends with what it has."""


_Step = Generator[Query, bool | None, bool]


class _Search:
    def __init__(self, query: Query, check: CheckName, tries_at_most: int) -> None:
        self._original = query
        self._needed = NEEDED_KINDS.get(check, frozenset())
        self._tries_at_most = tries_at_most
        self._known = {query.text: True}
        self._tried = 0
        self._clauses, self._between = _apart(query)
        self._parts = query.parts  # as they are written in the smallest so far, also those that it has no more
        self._query = query
        self._kept = tuple(range(len(query.parts)))

    def run(self) -> Minimising:
        try:
            yield from self._fewest_clauses()
            while (yield from self._simpler()):
                pass
        except _NoAnswerError:
            return Minimised(self._query, self._kept, False, self._tried)
        return Minimised(self._query, self._kept, True, self._tried)

    # --- clauses ---

    def _fewest_clauses(self) -> _Step:
        everything = self._clauses
        subsets = 0
        for size in range(1, min(SUBSET_CLAUSES, len(everything) - 1) + 1):
            subsets += comb(len(everything), size)
            if subsets > self._tries_at_most * SUBSET_SHARE:
                break
            for chosen in combinations(everything, size):
                if (yield from self._holds(chosen)):
                    return True
        return (yield from self._ddmin())

    def _ddmin(self) -> _Step:
        chunks = 2
        while len(self._clauses) > 1:
            if (yield from self._any_chunk(chunks)):
                chunks = 2
            elif (yield from self._any_but_one_chunk(chunks)):
                chunks = max(chunks - 1, 2)
            elif chunks >= len(self._clauses):
                return False
            else:
                chunks = min(2 * chunks, len(self._clauses))
        return True

    def _any_chunk(self, chunks: int) -> _Step:
        for start, end in _bounds(len(self._clauses), chunks):
            if (yield from self._holds(self._clauses[start:end])):
                return True
        return False

    def _any_but_one_chunk(self, chunks: int) -> _Step:
        for start, end in _bounds(len(self._clauses), chunks):
            if (yield from self._holds(self._clauses[:start] + self._clauses[end:])):
                return True
        return False

    # --- inside of them ---

    def _simpler(self) -> _Step:
        """One thing less, or one put more plainly; whether there was any. After each, whole clauses are tried again."""
        for number, clause in enumerate(self._clauses):
            others = self._clauses[:number], self._clauses[number + 1 :]
            if (yield from self._holds((*others[0], *others[1]))):
                return True
            for fewer in self._smaller(clause):
                if (yield from self._holds((*others[0], fewer, *others[1]))):
                    return True
        for place in self._kept:
            plain = _plain(self._parts[place])
            reworded = (*self._parts[:place], plain, *self._parts[place + 1 :])
            if reworded != self._parts and (yield from self._holds(self._clauses, reworded)):
                return True
        return False

    def _smaller(self, clause: _Clause) -> list[_Clause]:
        """The clause without one of its ingredients and the marks that led to it; then without a mark at its edge."""
        spoken = [place for place in clause.places if not self._is_mark(place)]
        without = [self._without(clause, place, is_last=place == spoken[-1]) for place in spoken]
        edges = [place for place in clause.places if not spoken[0] <= place <= spoken[-1]]
        unmarked = [tuple(p for p in clause.places if p != edge) for edge in edges]
        return [replace(clause, places=places) for places in (*without, *unmarked) if places]

    def _without(self, clause: _Clause, place: int, is_last: bool) -> tuple[int, ...]:
        """The marks between it and its follower go too; of the last one, those between it and what stands before."""
        dropped = {place}
        step = -1 if is_last else 1
        neighbour = place + step
        while neighbour in clause.places and self._is_mark(neighbour):
            dropped.add(neighbour)
            neighbour += step
        return tuple(p for p in clause.places if p not in dropped)

    def _is_mark(self, place: int) -> bool:
        return self._original.parts[place].kind is PartKind.MARK

    # --- candidates ---

    def _holds(self, clauses: Sequence[_Clause], reworded: tuple[Part, ...] = ()) -> _Step:
        """Whether these clauses alone show it, or the parts as `reworded`; they are the smallest so far then."""
        if not clauses or not all(map(self._is_askable, clauses)):
            return False
        joined = ((*self._join(before, clause), *clause.places) for before, clause in pairwise(clauses))
        kept = (*clauses[0].places, *chain.from_iterable(joined))
        if not self._needed <= {self._original.parts[place].kind for place in kept}:
            return False
        parts = reworded or self._parts
        query = Query(self._original.recipe, tuple(parts[place] for place in kept))
        if query.text not in self._known:
            answer = yield query
            if answer is None:
                raise _NoAnswerError
            self._tried += 1
            self._known[query.text] = answer
        if not self._known[query.text]:
            return False
        is_smaller = kept != self._kept or parts != self._parts
        self._clauses, self._parts, self._query, self._kept = tuple(clauses), parts, query, kept
        return is_smaller

    def _join(self, before: _Clause, clause: _Clause) -> tuple[int, ...]:
        between = [[self._original.parts[place] for place in places] for places in self._between]
        return self._between[join_index(between, before.number, clause.number)]

    def _is_askable(self, clause: _Clause) -> bool:
        kinds = {self._original.parts[place].kind for place in clause.places}
        return bool(kinds & ASKABLE_KINDS) and not (kinds >= FRAMED_TOGETHER and PartKind.DISCOURSE not in kinds)


def _apart(query: Query) -> tuple[tuple[_Clause, ...], tuple[tuple[int, ...], ...]]:
    """The clauses of `query`, and the places of what stands between each two of them."""
    found: list[_Clause] = []
    between: list[tuple[int, ...]] = []
    since: list[int] = []
    place = 0
    for clause in query.clauses:
        places = []
        for part in clause.parts:
            while query.parts[place] != part:
                since.append(place)
                place += 1
            places.append(place)
            place += 1
        if any(part.kind is not PartKind.MARK for part in clause.parts):
            found.append(_Clause(len(found), tuple(places)))
            between.append(tuple(since))
            since = []
        else:  # nothing that could be asked: it goes with what follows
            since += places
    return tuple(found), tuple(between[1:])


def _bounds(length: int, chunks: int) -> list[tuple[int, int]]:
    edges = [length * number // chunks for number in range(chunks + 1)]
    return list(pairwise(edges))


def _plain(part: Part) -> Part:
    """As the vocabulary has it; of a long filling, a single space."""
    if part.kind is PartKind.MARK and len(part.text) > LONGEST_MARK:
        return replace(part, text=" ")
    if part.kind is not PartKind.LOOKALIKE and part.plain:  # other letters are what that kind is there for
        return replace(part, text=part.plain, plain="")
    return part
