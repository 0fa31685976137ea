"""What a language model answered to a sweep: the pairs in it that may be proposed, and what was ignored, counted. Pure.

Nothing in an answer is trusted: it names findings that it was shown, each at most once as a loser, and no correction
loses to anything but a correction.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_ANSWER_CHARACTERS = 200_000
MOST_PAIRS = 200
MOST_REASON_CHARACTERS = 500


@dataclass(frozen=True)
class ProposedPair:
    """`winner` instead of `loser`, by their numbers; reason: the model's own words."""

    loser: int
    winner: int
    reason: str


@dataclass
class ReadAnswer:
    """What can be used, and how often what else was there, by its name."""

    pairs: list[ProposedPair] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)


def read_answer(text: str, corrections: Mapping[int, bool]) -> ReadAnswer:
    """corrections: each finding that was shown, and whether it is a correction."""
    answer = ReadAnswer()
    document = _document(text, answer)
    proposed = document.get("contradictions") if isinstance(document, dict) else document
    if not isinstance(proposed, list):
        if document is not None:
            answer.ignored["not a list of pairs"] += 1
        return answer
    if len(proposed) > MOST_PAIRS:
        answer.ignored["too many pairs"] += len(proposed) - MOST_PAIRS
    losers: dict[int, ProposedPair] = {}
    for entry in proposed[:MOST_PAIRS]:
        fault, pair = _pair(entry, corrections)
        if pair is not None and pair.loser in losers:
            fault, pair = "a second winner", None
        if pair is None:
            answer.ignored[fault] += 1
        else:
            losers[pair.loser] = pair
    for pair in losers.values():
        if _is_in_cycle(pair, losers):
            answer.ignored["in a cycle"] += 1
        else:
            answer.pairs.append(pair)
    return answer


def _document(text: str, answer: ReadAnswer) -> Any:
    if len(text) > MOST_ANSWER_CHARACTERS:
        answer.ignored["too long"] += 1
        return None
    body = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        answer.ignored["not JSON"] += 1
        return None


def _pair(entry: object, corrections: Mapping[int, bool]) -> tuple[str, ProposedPair | None]:
    """What is wrong with it, or the pair."""
    if not isinstance(entry, dict):
        return "not a pair", None
    loser, winner, reason = (entry.get(name) for name in ("loser", "winner", "reason"))
    if loser is None or winner is None:
        return "a missing number", None
    if type(loser) is not int or type(winner) is not int:  # true is no number
        return "not a number", None
    if loser not in corrections or winner not in corrections:
        return "an unknown number", None
    if loser == winner:
        return "twice the same number", None
    if corrections[loser] and not corrections[winner]:
        return "a correction that would lose", None
    return "", ProposedPair(loser, winner, reason[:MOST_REASON_CHARACTERS] if isinstance(reason, str) else "")


def _is_in_cycle(pair: ProposedPair, losers: Mapping[int, ProposedPair]) -> bool:
    """Whether to follow the winners leads back to it."""
    seen: set[int] = set()
    place = pair.winner
    while place in losers and place not in seen:
        if losers[place].winner == pair.loser:
            return True
        seen.add(place)
        place = losers[place].winner
    return False
