"""What graders said of runs and of pairs, in words: advice, never a flag."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from selftest.evaluation import reading


@dataclass(frozen=True)
class ScoreLine:
    """What one grader said. words: the figure, or why it is missing."""

    grader: str
    words: str
    reason: str
    details: tuple[str, ...]
    is_below: bool
    has_figure: bool

    @classmethod
    def of(cls, score: Mapping[str, Any]) -> "ScoreLine":
        """score: as a report keeps it, or the columns of one of a run."""
        value, threshold = score["value"], score["threshold"]
        words = f"{value:.3f}" if value is not None else score["label"]
        if score["is_below"]:
            words = f"{words}, below {threshold:.3f}"
        name = str(score["grader"]).replace("_", " ")
        return cls(
            name.capitalize(), words, score["reason"], tuple(score["details"]), score["is_below"], value is not None
        )

    @classmethod
    def of_mean(cls, grader: str, mean: Mapping[str, Any]) -> "ScoreLine":
        """mean: over the pairs of a report."""
        below = f"{mean['reason']}; {mean['below']} below the threshold" if mean["below"] else mean["reason"]
        score = {"grader": grader, "value": mean["score"], "label": "", "reason": below, "details": ()}
        return cls.of({**score, "threshold": None, "is_below": False})


@dataclass(frozen=True)
class RunScores:
    """What graders said of one run. below: names of those whose score is below its threshold."""

    scores: tuple[ScoreLine, ...] = ()
    below: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """In one line: what has a figure."""
        return ", ".join(f"{line.grader.lower()} {line.words}" for line in self.scores if line.has_figure)


def scores_of_run(pk: int) -> RunScores:
    """Empty for a run that was not graded."""
    return scores_of_runs([pk]).get(pk, RunScores())


def scores_of_runs(runs: Sequence[int]) -> dict[int, RunScores]:
    """By run; those without scores are left out."""
    found = {}
    for pk, rows in reading.scores_of(runs).items():
        lines = tuple(ScoreLine.of(vars(row)) for row in rows)
        found[pk] = RunScores(lines, tuple(line.grader for line in lines if line.is_below))
    return found
