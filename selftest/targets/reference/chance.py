"""Chance that repeats itself: the same words give the same number on every machine and day. Pure.

Also decides what a fault strikes at that does not strike everywhere; must not know what the fault then does.
"""

import hashlib
from collections.abc import Collection, Mapping

AFFLICTED_SHARE = 0.25  # of questions: often enough to be met within a cycle or two, too rare to look like a rule


def fraction(*parts: object) -> float:
    """A number in [0, 1) that depends on `parts` alone; Python's own hash differs from process to process."""
    digest = hashlib.blake2b("\x1f".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


def marked(fault_name: str, words: Collection[str]) -> str:
    """The one of `words` that a fault strikes at: the same in every process, a different one for each fault.

    Raises ValueError where there are none.
    """
    return min(words, key=lambda word: fraction(fault_name, word))


def marked_phrase(fault_name: str, sources: Mapping[str, Collection[str]]) -> str:
    """The one keyword of a vocabulary's `sources` (source → its phrases) that a fault strikes at."""
    return marked(fault_name, [phrase for phrases in sources.values() for phrase in phrases])


def is_afflicted(fault_name: str, text: str) -> bool:
    """Whether a fault that strikes at AFFLICTED_SHARE of all questions strikes at this one, in any case of letters.

    text: straightened. The same at every run.
    """
    return fraction(fault_name, text.casefold()) < AFFLICTED_SHARE
