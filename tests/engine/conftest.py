"""What the tests of the engine share: targets with a vocabulary, and a router whose lines the test writes."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import CycleOutcome, run_cycle
from selftest.models import Cycle, Target
from selftest.operating.vocabularies import import_vocabulary
from tests.engine import routers
from tests.vocabularies import example_document

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
ROUTERS = "tests.engine.routers"

MakeTarget = Callable[..., Target]
Run = Callable[..., CycleOutcome]


@pytest.fixture
def make_target() -> MakeTarget:
    """A `python` target that asks `route` of tests.engine.routers; `document`: its vocabulary, None for none."""

    def make(route: str = "honest", document: Any = ..., **columns: Any) -> Target:
        name = f"target {Target.objects.count() + 1}"
        one_by_one = {"requests_at_once": 1}  # unless a test says otherwise, so that it may expect an order
        columns = {
            "name": name,
            "kind": Target.Kind.PYTHON,
            "dotted_path": f"{ROUTERS}.{route}",
            **one_by_one,
            **columns,
        }
        target = Target.objects.create(**columns)
        if document is not None:
            import_vocabulary(target, example_document() if document is ... else document, NOW)
        return target

    return make


@pytest.fixture
def cycle_on() -> Run:
    """One cycle in the foreground."""

    def run(target: Target, count: int = 8, seed: int | None = 1, **options: Any) -> CycleOutcome:
        wish = CycleRequest(target, Cycle.Trigger.COMMAND, count, seed, options.pop("recipes", ()))
        return run_cycle(wish, **options)

    return run


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[routers.Route], None]:
    """Puts a function in the place of `routers.scripted`, from the next cycle on."""

    def put(route: routers.Route) -> None:
        def scripted(query: str, source: str = routers.AUTO) -> tuple[str, str]:
            return route(query, source)

        scripted.__module__ = routers.__name__  # only a module's own functions are called
        monkeypatch.setattr(routers, "scripted", scripted)

    return put


@pytest.fixture
def knows_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every target counts as asked often enough to get no more probes than the settings say."""
    monkeypatch.setattr("selftest.core.judging.probe_budget.NEW_QUERIES", 0)
