"""How well a profile tells contradictions from all else, on pairs that were worked out by hand."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from selftest.findings.core.beliefs import Belief, Outcome, Profile
from selftest.findings.core.profiles import verdict

OWN_PAIRS = Path(__file__).with_name("pairs")


class PairError(ValueError):
    """A line is no pair. The message names the file and the line."""


@dataclass(frozen=True)
class Pair:
    """Two findings, what becomes of them, and what the pair is about."""

    older: Belief
    newer: Belief
    expected: Outcome
    about: str


@dataclass
class Figures:
    """found: contradictions that are one, with the right winner; alarms: others; missed: those that were not found.

    One with the wrong winner is both an alarm and missed.
    """

    pairs: int = 0
    found: int = 0
    alarms: int = 0
    missed: int = 0
    mistakes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def precision(self) -> float | None:
        """Of what was found, the share that is one; None where nothing was."""
        return self.found / (self.found + self.alarms) if self.found + self.alarms else None

    @property
    def recall(self) -> float | None:
        """Of what is one, the share that was found; None where there is nothing to find."""
        return self.found / (self.found + self.missed) if self.found + self.missed else None

    def document(self) -> dict[str, Any]:
        """As the command prints it."""
        return {
            "pairs": self.pairs,
            "precision": self.precision,
            "recall": self.recall,
            "mistakes": self.mistakes,
        }


def own_files() -> list[Path]:
    """The pairs that come with the product."""
    return sorted(OWN_PAIRS.glob("*.jsonl"))


def read_pairs(files: Iterable[Path]) -> list[Pair]:
    """Raises PairError for a line that is no pair, and OSError for a file that cannot be read."""
    pairs = []
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                pairs.append(_pair(line, f"{file}, line {number}"))
    return pairs


def measure(pairs: Iterable[Pair], profile: Profile) -> Figures:
    """Each pair by itself."""
    figures = Figures()
    for pair in pairs:
        figures.pairs += 1
        found = verdict(pair.older, pair.newer, profile)
        is_right = found.outcome is pair.expected
        if is_right and found.outcome is not Outcome.NONE:
            figures.found += 1
        if not is_right:
            figures.alarms += found.outcome is not Outcome.NONE
            figures.missed += pair.expected is not Outcome.NONE
            figures.mistakes.append(
                {
                    "about": pair.about,
                    "older": pair.older.content,
                    "newer": pair.newer.content,
                    "expected": str(pair.expected),
                    "found": str(found.outcome),
                    "why": found.why.document(),
                }
            )
    return figures


def _pair(line: str, where: str) -> Pair:
    try:
        document = json.loads(line)
        older, newer = (_belief(document[side]) for side in ("older", "newer"))
        return Pair(older, newer, Outcome(document["expect"]), str(document.get("about", "")))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        raise PairError(f"{where} is no pair: {fault!r}") from fault


def _belief(document: dict[str, Any]) -> Belief:
    category, content, tags = document["category"], document["content"], document.get("tags") or []
    if not (isinstance(category, str) and isinstance(content, str) and all(isinstance(tag, str) for tag in tags)):
        raise TypeError("category, content and tags are text")
    return Belief(category, content, tuple(tags))
