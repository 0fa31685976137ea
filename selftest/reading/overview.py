"""What a wall screen shows beside the figures of health."""

from collections.abc import Sequence

from selftest.models import Combination


def flagged_now(left_out: Sequence[int] = ()) -> int:
    """How many combinations were flagged when they were last asked, without those of these targets."""
    return Combination.objects.filter(currently_flagged=True).exclude(target__in=left_out).count()
