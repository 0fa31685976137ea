"""How far a share that was counted in a few cases may be from the true one. Pure; counts in."""

import math

Z_95 = 1.959964  # a normal value lies within so many standard deviations 95 times in a hundred


def wilson_interval(hits: int, cases: int) -> tuple[float, float]:
    """The shares, each in 0 … 1, between which the true one lies with 95 % confidence.

    hits: in how many of the cases it was so. Raises ValueError for no case, or for hits outside of them.
    Source: Wilson (1927), the score interval without continuity correction.
    """
    if not 0 <= hits <= cases or not cases:
        raise ValueError(f"{hits} of {cases} is no share")
    share, z2 = hits / cases, Z_95**2
    middle = share + z2 / (2 * cases)
    half = Z_95 * math.sqrt(share * (1 - share) / cases + z2 / (4 * cases**2))
    whole = 1 + z2 / cases
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)
