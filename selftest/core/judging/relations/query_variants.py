"""The same query reworded: in plain words, in another order, with other conjunctions, or a few of its clauses. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary


def plain(query: Query, alone: Iterable[str]) -> str:
    """Each clause as it is asked alone: in the vocabulary's own words, without framing."""
    _, between = _apart(query)
    return _together(alone, between)


def only(query: Query, places: Sequence[int]) -> Query:
    """The clauses at these places, each once and in this order."""
    _, between = _apart(query)
    parts = list(query.clauses[places[0]].parts)
    for before, place in pairwise(places):
        parts += [*between[join_index(between, before, place)], *query.clauses[place].parts]
    return replace(query, parts=tuple(parts))


def reordered(query: Query) -> str:
    """The clauses in reverse. What parts them stays where it was, unless a mark among it ends one of them."""
    clauses, between = _apart(query)
    if all(map(_splits, between)):
        return _together(reversed(clauses), between)
    return only(query, range(len(clauses))[::-1]).text


def join_index(between: Sequence[Sequence[Part]], before: int, place: int) -> int:
    """What joins the clause at `place` to the one at `before`, wherever the two stood: its own place in `between`.

    between: what stands between each two clauses of a query, one fewer than there are. A mark without a conjunction
    ends the clause before it, as the comma after a consequence does, so it stays with that one and joins no others.
    """
    follows = place == before + 1
    is_ended = before < len(between) and not _splits(between[before])
    if follows or is_ended:
        return before
    nearest = (place - 1, before, *range(len(between)))
    return next((n for n in nearest if 0 <= n < len(between) and _splits(between[n])), max(0, place - 1))


def _splits(parts: Iterable[Part]) -> bool:
    return any(part.kind is PartKind.CONJUNCTION for part in parts)


def rejoined(query: Query, vocabulary: Vocabulary) -> str:
    """Each conjunction another one, of those that no part holds itself; the next in the vocabulary's list."""
    spoken = " ".join(part.text for part in query.parts if part.kind is not PartKind.CONJUNCTION).casefold()
    free = [c for c in vocabulary.conjunctions if c.casefold().strip() not in spoken.split()]
    clauses, between = _apart(query)
    return _together(clauses, ["".join(_next_conjunction(part, free) for part in parts) for parts in between])


def _next_conjunction(part: Part, free: list[str]) -> str:
    if part.kind is not PartKind.CONJUNCTION or len(free) < 2:
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
    texts = list(clauses)
    between_texts = [parts if isinstance(parts, str) else "".join(part.text for part in parts) for parts in between]
    return texts[0] + "".join(f"{join}{clause}" for join, clause in zip(between_texts, texts[1:], strict=True))
