"""What the tests of evaluation share."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.models import Cycle, Target
from selftest.operating.vocabularies import import_vocabulary
from selftest.targets.reference.bundled_vocabulary import reference_document

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)

MakeRouter = Callable[..., Target]


@pytest.fixture
def make_router(db: None) -> MakeRouter:
    """A bundled router of this name with these faults; `asked`: queries of a cycle on it."""

    def make(name: str, *faults: str, asked: int = 0) -> Target:
        target = Target.objects.create(name=name, kind=Target.Kind.REFERENCE, reference_faults=list(faults))
        import_vocabulary(target, reference_document(), NOW)
        if asked:
            run_cycle(CycleRequest(target, Cycle.Trigger.COMMAND, asked, 1, ()))
        return target

    return make
