"""Which questions a source legitimately has nothing on: a stable share of them, the same ones every time. Pure."""

from dataclasses import dataclass

from selftest.targets.reference.chance import fraction
from selftest.targets.reference.phrases import words


@dataclass(frozen=True)
class Emptiness:
    """rate: the share of (source, question) pairs that are empty, 0 to 1. seed: which ones."""

    rate: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise ValueError(f"empty_rate is a share from 0 to 1, not {self.rate}")

    def __call__(self, source: str, question: str) -> bool:
        return self.rate > 0 and fraction(self.seed, source, " ".join(words(question))) < self.rate
