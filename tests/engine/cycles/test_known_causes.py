"""What was learnt of a target is known to its next cycle: causes by its flags, sources by their own rows."""

import pytest

from selftest.core.judging.findings import CheckName, Evidence
from selftest.core.judging.stability import KNOWN_AFTER
from selftest.core.judging.verdicts import Verdict
from selftest.cycles.examination_runner import Examiner
from selftest.models import SourceStability, Tuning
from selftest.reading.judging_terms import stability_of
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from tests.review import factory

pytestmark = pytest.mark.django_db


def test_a_cause_is_known_by_the_flags_of_its_target() -> None:
    finding = factory.finding(CheckName.PART_LOST, evidence=Evidence(sources=("ferry",)))
    for _ in range(KNOWN_AFTER):
        run = factory.ask(factory.make_combination(), [finding])
    assert stability_of(run.target_id).known_causes() == {("part_lost", "", "ferry")}
    assert stability_of(run.target_id + 1).known_causes() == frozenset()


def test_what_was_looked_into_is_known_by_source_and_kind() -> None:
    target = factory.a_target()
    for is_so in (False, True):
        examiner = Examiner(target, reference_vocabulary(), Tuning.get_solo(), 8)
        examiner.learn(Verdict(decided=(("forecast", "items_missing", is_so), ("kiwix", "extra_items", False))))
        examiner.save_stability()
    known = stability_of(target.pk)
    assert known.confirmed == {("forecast", "items_missing"): (1, 2), ("kiwix", "extra_items"): (0, 2)}
    assert known.volatile() == known.steady() == frozenset()


def test_only_sources_that_the_vocabulary_knows_are_kept_whatever_a_target_calls_itself() -> None:
    target = factory.a_target()
    examiner = Examiner(target, reference_vocabulary(), Tuning.get_solo(), 8)
    lines = ("Rain at noon", "Wind from the west")
    examiner.learn(Verdict(observed=(("odd\ud800name", "weather", lines), ("forecast", "weather", lines))))
    examiner.save_stability()
    assert [row.source for row in SourceStability.objects.all()] == ["forecast"]
    assert stability_of(target.pk).boilerplate.answers == {
        "forecast": examiner.stability.boilerplate.answers["forecast"]
    }
