"""The exported test of each check, made from what a cycle finds: it fails on the faulty router alone."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from types import ModuleType

import pytest

from review.pytest_export.context import ExportContext
from review.pytest_export.pytest_file import pytest_file
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput
from selftest.core.judging.driving import drive
from selftest.core.judging.examination import examine
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.verdicts import Rules
from selftest.models import Flag, Run, Target
from selftest.storage.serialization import evidence_document
from selftest.targets.base import AUTO
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.target import ReferenceTarget
from tests.quality.cycles import examined
from tests.quality.test_detection import FAULT_OF, MOST_QUERIES

pytestmark = pytest.mark.slow("waits for faults that are slow")

VOCABULARY = reference_vocabulary()
NOT_OF_A_FUNCTION = (CheckName.SYNTHETIC_QUERY_CACHED,)  # a function does not say what it has in its cache


def first_found(check: CheckName) -> tuple[Query, Answer, Finding]:
    """By the router with the fault of `check`, of a query in which nothing is found with the healthy one."""
    with closing(ReferenceTarget()) as healthy:
        for query, answer, findings in examined(FAULT_OF[check], MOST_QUERIES):
            finding = next((finding for finding in findings if finding.check is check), None)
            if finding is not None and not is_flagged(healthy, query):
                return query, answer, finding
    raise AssertionError(f"{FAULT_OF[check]} never broke {check}")


def is_flagged(router: ReferenceTarget, query: Query) -> bool:
    check_input = CheckInput(query, router.ask(query.text), VOCABULARY)
    return bool(drive(examine(check_input, Rules()), lambda probe: router.ask(probe.text, probe.only or AUTO)).findings)


@pytest.fixture
def routed() -> Iterator[Callable[..., None]]:
    """Puts a router with these faults where the exported test finds it, as a function."""
    module, routers = ModuleType("exported_router"), list[ReferenceTarget]()
    sys.modules["exported_router"] = module

    def by(*faults: str) -> None:
        router = ReferenceTarget(faults=faults)
        routers.append(router)

        def route(text: str, source: str) -> tuple[str, str]:
            answer = router.ask(text, source)
            assert answer.error is None, answer.error
            return answer.result, answer.source_used

        module.route = route  # type: ignore[attr-defined]

    yield by
    del sys.modules["exported_router"]
    for router in routers:
        router.close()


@pytest.mark.parametrize("check", [check for check in CheckName if check not in NOT_OF_A_FUNCTION])
def test_it_fails_while_the_fault_is_there_and_passes_once_it_is_gone(
    check: CheckName, routed: Callable[..., None]
) -> None:
    query, answer, finding = first_found(check)
    flag = Flag(check_name=check.value, reason=finding.reason, evidence=evidence_document(finding))
    run = Run(pk=1, result=answer.result, source_used=answer.source_used, error=answer.error or "")
    target = Target(name="py", kind=Target.Kind.PYTHON, dotted_path="exported_router.route", time_limit_s=20)
    source = pytest_file(ExportContext(12, fingerprint_of(query), query, target, run, (flag,), VOCABULARY))
    assert "from selftest" not in source
    scope: dict[str, Callable[[], None]] = {}
    exec(compile(source, "exported", "exec"), scope)  # type: ignore[arg-type]
    test = scope[f"test_{check}_combination_12"]
    routed(FAULT_OF[check])
    with pytest.raises(AssertionError):
        test()
    routed()
    test()
