"""What the README's first triage promises: its faults show in every cycle, and two cycles make a group."""

import re
from collections import Counter

import pytest
from django.conf import settings

from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.models import Combination, Cycle, Target
from selftest.operating.vocabularies import import_vocabulary
from selftest.storage.target_clients import bundled_faults, bundled_vocabulary

BATCH = 8

pytestmark = pytest.mark.django_db


def _faults() -> list[str]:
    readme = (settings.BASE_DIR / "README.md").read_text()
    triage = readme.partition("## First triage")[2].partition("\n## ")[0]
    return [name for name in re.findall(r"`(\w+)`", triage) if name in bundled_faults()]


@pytest.mark.parametrize("seed", range(3))  # 20 seeds were tried by hand
def test_the_faults_of_the_first_triage_fill_the_queue_and_make_a_group(seed: int) -> None:
    target = Target.objects.create(name="reference", kind="reference")
    import_vocabulary(target, bundled_vocabulary())
    run_cycle(CycleRequest(target, Cycle.Trigger.SCHEDULE, BATCH, seed))
    flagged = Combination.objects.filter(target=target, ever_flagged=True)
    assert not flagged.exists()
    target.reference_faults = _faults()
    assert target.reference_faults
    target.save()
    run_cycle(CycleRequest(target, Cycle.Trigger.PAGE, BATCH, seed + 100))
    assert flagged.exists()
    run_cycle(CycleRequest(target, Cycle.Trigger.PAGE, BATCH, seed + 200))
    assert flagged.count() >= 12
    assert max(Counter(flagged.exclude(cause=None).values_list("cause", flat=True)).values()) > 1
