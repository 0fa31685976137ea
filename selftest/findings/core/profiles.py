"""The two profiles: which rules decide, and who wins. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Generic, TypeVar

from selftest.findings.core import improved, specified
from selftest.findings.core.beliefs import Belief, Outcome, Verdict, Why
from selftest.findings.core.categories import is_correction

K = TypeVar("K")


class Profile(StrEnum):
    """v1: the specification's own rules. v2: better ones."""

    V1 = "v1"
    V2 = "v2"


RULES: MappingProxyType[Profile, Callable[[Belief, Belief], Why]] = MappingProxyType(
    {Profile.V1: specified.compare, Profile.V2: improved.compare}
)


def verdict(older: Belief, newer: Belief, profile: Profile) -> Verdict:
    """What becomes of `older` when `newer` is saved."""
    why = RULES[profile](older, newer)
    return Verdict(outcome_of(older, newer, profile) if why.is_contradiction else Outcome.NONE, why)


def outcome_of(older: Belief, newer: Belief, profile: Profile) -> Outcome:
    """Who wins where two contradict each other: the newer one, unless the older one is a user's correction.

    In v2 a newer correction replaces an older one; the specification lets every correction stand.
    """
    is_protected = is_correction(older.category, older.tags)
    is_corrected = profile is Profile.V2 and is_correction(newer.category, newer.tags)
    return Outcome.OLDER_WINS if is_protected and not is_corrected else Outcome.NEWER_WINS


@dataclass(frozen=True)
class Resolution(Generic[K]):
    """What a newcomer does. loses_to: what it is superseded by, or None; then `beaten` are those that it supersedes."""

    loses_to: tuple[K, Why] | None
    beaten: tuple[tuple[K, Why], ...]


def resolve(newcomer: Belief, others: Iterable[tuple[K, Belief]], profile: Profile) -> Resolution[K]:
    """The newcomer against all others, the newest first. A correction among those that it contradicts decides."""
    beaten: list[tuple[K, Why]] = []
    for key, other in others:
        found = verdict(other, newcomer, profile)
        if found.outcome is Outcome.OLDER_WINS:
            return Resolution((key, found.why), ())
        if found.outcome is Outcome.NEWER_WINS:
            beaten.append((key, found.why))
    return Resolution(None, tuple(beaten))
