"""Findings of a made-up history: what real saves and people would have left, in a share of its combinations."""

from datetime import timedelta

import pytest

from selftest.findings.core.beliefs import Outcome, Profile
from selftest.findings.core.profiles import verdict
from selftest.findings.listing import acts_in_force
from selftest.findings.models import Act, Finding, Proposal
from selftest.findings.reading import belief_of, findings, open_proposals
from selftest.findings.seeding import seed_findings
from selftest.findings.sweeping import sweep
from selftest.models import Target
from selftest.seeding.request import SeedRequest
from tests.engine.conftest import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _seeded(db: None) -> None:
    target = Target.objects.create(name="router", kind=Target.Kind.REFERENCE)
    seed_findings(SeedRequest(target, 10_000, 30_000, 3), NOW - timedelta(days=30), NOW)


def test_there_are_300_for_10_000_combinations_in_the_order_of_time() -> None:
    assert 300 <= Finding.objects.count() <= 301  # a pair may be one too many
    times = list(Finding.objects.order_by("id").values_list("created_at", flat=True))
    assert times == sorted(times)
    assert NOW - timedelta(days=30) <= times[0] <= times[-1] <= NOW
    acts = list(Act.objects.order_by("id").values_list("at", flat=True))
    assert acts == sorted(acts)
    assert set(Finding.objects.values_list("target__name", flat=True)) == {"router", None}


def test_what_is_superseded_lost_by_the_rules_or_by_a_decision_and_says_so() -> None:
    losers = list(Finding.objects.exclude(superseded_by=None).select_related("superseded_by"))
    assert len(losers) > 50
    acts = acts_in_force(losers)
    for loser in losers:
        assert loser.superseded_by is not None
        if acts[loser.pk].profile:
            found = verdict(belief_of(loser), belief_of(loser.superseded_by), Profile.V2)
            assert (found.outcome, found.why.document()) == (Outcome.NEWER_WINS, acts[loser.pk].why)
        else:
            assert Proposal.objects.get(loser=loser).state == "accepted"


def test_proposals_of_each_kind_are_left_and_a_sweep_finds_nothing_certain() -> None:
    assert set(Proposal.objects.values_list("state", flat=True)) == {"open", "accepted", "refused"}
    assert open_proposals().count() == Proposal.objects.filter(state="open").count() > 5
    before = findings().count()
    assert sweep().superseded == 0
    assert findings().count() == before
