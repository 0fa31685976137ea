"""Flags that have their causes, to be reviewed."""

from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Actor, Combination
from tests.review import factory

ADA = Actor("ada")
TWICE, BLANK = CheckName.SECTION_REPEATED, CheckName.SECTION_BLANK


def flag(*checks: CheckName, times: int = 1) -> list[Combination]:
    """So many combinations, each flagged by all of these checks."""
    made = [factory.flagged("", *map(factory.finding, checks)) for _ in range(times)]
    assign_causes(factory.a_target(), timezone.now())
    return made
