"""The two profiles: which rules decide, and who wins. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType

from selftest.findings.core import improved, specified
from selftest.findings.core.beliefs import Belief, Outcome, Profile, Verdict, Why
from selftest.findings.core.categories import is_correction

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
class Resolution:
    """What a finding does to others, by their numbers. loses_to: what supersedes it, or None.

    beaten: what it supersedes; one that is superseded supersedes nothing.
    """

    loses_to: tuple[int, Why] | None
    beaten: tuple[tuple[int, Why], ...]


def resolve(number: int, belief: Belief, others: Iterable[tuple[int, Belief]], profile: Profile) -> Resolution:
    """One finding against all others. Numbers tell which is newer; the first of `others` that wins is named."""
    beaten: list[tuple[int, Why]] = []
    for other_number, other in others:
        is_newer = number > other_number
        found = verdict(other, belief, profile) if is_newer else verdict(belief, other, profile)
        if found.outcome is Outcome.NONE:
            continue
        if is_newer != (found.outcome is Outcome.NEWER_WINS):
            return Resolution((other_number, found.why), ())
        beaten.append((other_number, found.why))
    return Resolution(None, tuple(beaten))
