"""What a wall screen shows beside the figures of health."""

from selftest.models import Combination


def flagged_now() -> int:
    """How many combinations were flagged when they were last asked."""
    return Combination.objects.filter(currently_flagged=True).count()
