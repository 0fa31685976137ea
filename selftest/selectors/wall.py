"""What a wall screen shows beside the figures of health."""

from selftest.models import Combination, Target


def flagged_now() -> int:
    """How many combinations were flagged when they were last asked.

    The targets are named so that the narrow index that begins with them serves: without them, the wide rows are read.
    """
    every = Target.objects.order_by().values("pk")
    return Combination.objects.filter(target__in=every, ever_flagged=True, currently_flagged=True).count()
