"""Chance that repeats itself: the same words give the same number on every machine and day. Pure."""

import hashlib


def fraction(*parts: object) -> float:
    """A number in [0, 1) that depends on `parts` alone; Python's own hash differs from process to process."""
    digest = hashlib.blake2b("\x1f".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
