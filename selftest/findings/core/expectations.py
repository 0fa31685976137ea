"""What an example says should be seen in an answer, whether it is, and what is true instead. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

TRIES = 5  # a claim is doubted where none of so many answers holds to it
QUERY_CHARACTERS = 200  # of a query, in a sentence


class Expect(StrEnum):
    """What of an answer is looked at."""

    SOURCES = "sources"
    HEADER = "header"
    NO_HEADER = "no_header"
    PHRASE = "phrase"
    NO_PHRASE = "no_phrase"
    FLAGGED = "flagged"
    NOT_FLAGGED = "not_flagged"


OPPOSITES = {
    Expect.HEADER: Expect.NO_HEADER,
    Expect.PHRASE: Expect.NO_PHRASE,
    Expect.FLAGGED: Expect.NOT_FLAGGED,
}
OPPOSITES |= {other: one for one, other in OPPOSITES.items()}
OF_SOURCES = frozenset({Expect.SOURCES, Expect.HEADER, Expect.NO_HEADER})
OF_PHRASES = frozenset({Expect.PHRASE, Expect.NO_PHRASE})
OF_CHECKS = frozenset({Expect.FLAGGED, Expect.NOT_FLAGGED})

_SENTENCES = {
    Expect.SOURCES: "comes from {}",
    Expect.HEADER: "has the header of {}",
    Expect.NO_HEADER: "has no header of {}",
    Expect.PHRASE: "holds “{}”",
    Expect.NO_PHRASE: "does not hold “{}”",
    Expect.FLAGGED: "is flagged by {}",
    Expect.NOT_FLAGGED: "is not flagged by {}",
}


@dataclass(frozen=True)
class Expectation:
    """What should be seen. named: sources, of a header just one; a phrase; or the name of a check."""

    kind: Expect
    named: tuple[str, ...]

    def __str__(self) -> str:
        """What is said of the answer: `comes from forecast and news`."""
        return _SENTENCES[self.kind].format(_listed(self.named))


@dataclass(frozen=True)
class Seen:
    """What an answer shows. sources: those that answered. headers: those with a header. is_flagged: by the check."""

    sources: frozenset[str] = frozenset()
    headers: frozenset[str] = frozenset()
    text: str = ""
    is_flagged: bool = False


class CheckOutcome(StrEnum):
    """What asking an example came to."""

    HOLDS = "holds"
    BROKEN = "broken"
    UNSTEADY = "unsteady"
    UNANSWERED = "unanswered"


def holds(expected: Expectation, seen: Seen) -> bool:
    """Whether an answer is as expected."""
    match expected.kind:
        case Expect.SOURCES:
            found = seen.sources == set(expected.named)
        case Expect.HEADER | Expect.NO_HEADER:
            found = seen.headers >= set(expected.named)
        case Expect.PHRASE | Expect.NO_PHRASE:
            found = _folded(expected.named[0]) in _folded(seen.text)
        case Expect.FLAGGED | Expect.NOT_FLAGGED:
            found = seen.is_flagged
    return found is (expected.kind not in {Expect.NO_HEADER, Expect.NO_PHRASE, Expect.NOT_FLAGGED})


def outcome_of(held: Sequence[bool]) -> CheckOutcome:
    """Of usable answers, in the order in which they came: the first that holds is enough, else it takes TRIES."""
    if held[:1] == [True]:
        return CheckOutcome.HOLDS
    return CheckOutcome.UNSTEADY if any(held) or len(held) < TRIES else CheckOutcome.BROKEN


def seen_instead(expected: Expectation, seen: Sequence[Seen]) -> Expectation | None:
    """What all these answers show, none of which is as expected; None where they differ, or come from no source."""
    if expected.kind in OPPOSITES:
        return Expectation(OPPOSITES[expected.kind], expected.named)
    ways = {one.sources for one in seen}
    return Expectation(expected.kind, tuple(sorted(next(iter(ways))))) if len(ways) == 1 and all(ways) else None


def successor(query: str, expected: Expectation, instead: Expectation | None, version: str, held_in: str) -> str:
    """A claim that is true now, of what was seen. held_in: the version in which it held last; both "" for unknown."""
    asked = query if len(query) <= QUERY_CHARACTERS else f"{query[:QUERY_CHARACTERS]}…"
    said = str(instead) if instead else f"comes from other sources than {_listed(expected.named)}"
    since = "" if not version else f" {'since' if held_in and held_in != version else 'in'} {version}"
    return f"The answer to “{asked}” {said}{since}; {TRIES} of {TRIES}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
