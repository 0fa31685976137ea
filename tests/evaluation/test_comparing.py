"""Two targets are asked the same, and what differs is kept, grouped and said."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from selftest.cycles.requests_in_turn import RequestsInTurn
from selftest.evaluation.comparing import _Comparing, run_planned
from selftest.evaluation.comparison_requests import Wanted, comparison_document, end_abandoned, is_worse, plan, stop
from selftest.evaluation.models import Comparison, GoldenPair, GoldenSet
from selftest.evaluation.reading import set_named
from selftest.evaluation.saving import BUNDLED_FILE, import_pairs
from selftest.models import Actor, Cycle, Run, Target
from selftest.refusals import RefusedError
from tests.evaluation.conftest import MakeRouter
from tests.evaluation.pairs import made_pair

VERA = Actor("vera")

pytestmark = pytest.mark.django_db


def compared(target: Target, against: Target | None = None, **wanted: Any) -> Comparison:
    row = plan(Wanted(target, against, **wanted), VERA)
    run_planned(row)
    return row


def test_a_target_against_itself_shows_nothing(make_router: MakeRouter) -> None:
    row = compared(make_router("honest", asked=30), make_router("other"))
    assert (row.state, row.compared, row.differing, row.groups, is_worse(row)) == ("finished", 30, 0, [], False)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("section_twice", "finding_came"),
        ("last_section_comes_and_goes", "unsteady"),
        ("cache_not_suppressed", "unsteady"),
        ("collapses_to_first_intent", "source"),
        ("last_item_cut_off", "content"),
    ],
)
def test_a_fault_is_a_group_of_its_own_kind(make_router: MakeRouter, fault: str, kind: str) -> None:
    row = compared(make_router("faulty", fault), make_router("honest", asked=40))
    assert row.groups[0]["kind"] == kind
    assert len(row.groups) <= 2


def test_a_group_has_its_smallest_query(make_router: MakeRouter) -> None:
    row = compared(make_router("faulty", "section_twice"), make_router("honest", asked=20))
    group = comparison_document(row)["groups"][0]
    shortest = comparison_document(row)["differences"][group["members"][0]]["query"]
    assert 0 < len(group["smallest"]) <= len(shortest)


def test_a_finding_that_came_is_worse_and_one_that_went_is_not(make_router: MakeRouter) -> None:
    honest, faulty = make_router("honest", asked=20), make_router("faulty", "section_twice")
    assert is_worse(compared(faulty, honest))
    assert not is_worse(compared(honest, faulty))


def test_an_error_that_went_is_not_worse(make_router: MakeRouter) -> None:
    honest, faulty = make_router("honest", asked=30), make_router("faulty", "exception_on_phrase", asked=30)
    assert is_worse(compared(faulty, honest))
    assert not is_worse(compared(honest, faulty))


def test_a_finding_that_does_not_lead_its_group_is_worse_all_the_same(make_router: MakeRouter) -> None:
    row = compared(make_router("faulty", "failure_phrase_as_content"), make_router("honest", asked=40))
    assert row.groups[0]["kind"] == "empty"
    assert is_worse(row)


def test_each_target_is_the_first_to_be_asked_as_often(
    make_router: MakeRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = _Comparing._ask

    def ask(self: _Comparing, side: RequestsInTurn, texts: Any) -> Any:
        asked.append(side.target.name)
        return real(self, side, texts)

    monkeypatch.setattr(_Comparing, "_ask", ask)
    compared(make_router("new"), make_router("old", asked=16))
    firsts = asked[::2]
    assert firsts.count("new") == firsts.count("old") > 0


def test_a_target_is_held_against_its_own_earlier_answers(make_router: MakeRouter) -> None:
    target = make_router("router", asked=20)
    Cycle.objects.update(target_version="1.0")
    assert compared(target, before_version="1.0").differing == 0
    Target.objects.update(reference_faults=["section_twice"])
    target.refresh_from_db()
    row = compared(target, before_version="1.0")
    assert (row.compared, row.groups[0]["subject"]) == (20, "section_repeated")


def test_a_comparison_keeps_the_name_of_a_set_that_was_deleted(make_router: MakeRouter, vera: Client) -> None:
    target, other = make_router("router"), make_router("other")
    made_pair("weather", target)
    row = compared(target, other, queries=Comparison.Queries.SET, golden_set=set_named("golden"))
    GoldenPair.objects.update(current=None)
    GoldenPair.objects.all().delete()
    GoldenSet.objects.all().delete()
    row.refresh_from_db()
    assert (row.golden_set, comparison_document(row)["set"]) == (None, "golden")
    assert "golden" in vera.get("/comparisons").content.decode()


def test_queries_with_open_flags_are_asked_alone(make_router: MakeRouter) -> None:
    faulty, honest = make_router("faulty", "section_twice", asked=10), make_router("honest", asked=10)
    flagged = len({run.text for run in Run.objects.filter(target=faulty, flags__isnull=False)})
    assert compared(faulty, honest, queries=Comparison.Queries.FLAGGED).compared == flagged


def test_the_queries_of_a_golden_set_are_asked(make_router: MakeRouter) -> None:
    faulty, honest = make_router("faulty", "keyword_sent_astray"), make_router("honest")
    lines = BUNDLED_FILE.read_text(encoding="utf-8").splitlines()[:10]
    import_pairs("golden", honest, "\n".join(lines), VERA, "the first ones")
    golden = set_named("golden")
    row = compared(faulty, honest, queries=Comparison.Queries.SET, golden_set=golden)
    assert (row.state, row.compared) == ("finished", 10)
    with pytest.raises(RefusedError, match="a golden set needs another target"):
        compared(faulty, queries=Comparison.Queries.SET, golden_set=golden)


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"at_most": 0}, "from 1 to 5000 queries can be compared, not 0"),
        ({"queries": Comparison.Queries.FLAGGED}, "no query has an open flag; compare the last queries"),
        ({"queries": Comparison.Queries.SET}, "name a golden set where its queries are to be asked, and only there"),
        ({}, "neither target was asked anything yet; run a cycle first"),
        ({"before_version": "1.0"}, "a version before is one of the target itself; leave out the other target"),
    ],
)
def test_what_cannot_be_compared_is_refused(make_router: MakeRouter, wanted: dict[str, Any], says: str) -> None:
    with pytest.raises(RefusedError, match=says):
        plan(Wanted(make_router("one"), make_router("other"), **wanted), VERA)


@pytest.mark.parametrize(
    "sent", [{"before": "1.0\x00"}, {"target": "\x00"}, {"queries": "set", "set": "\x00"}, {"at_most": "9" * 5000}]
)
def test_what_is_sent_that_no_database_can_hold_is_refused_on_the_page(
    make_router: MakeRouter, vera: Client, sent: dict[str, str]
) -> None:
    make_router("one", asked=2)
    response = vera.post("/comparisons", {"target": "one", **sent})
    assert response.status_code == 200
    assert not Comparison.objects.exists()


def test_a_second_one_on_the_same_target_is_refused(make_router: MakeRouter) -> None:
    one, other = make_router("one", asked=2), make_router("other")
    plan(Wanted(one, other), VERA)
    with pytest.raises(RefusedError, match="one is being compared already; wait for the result or stop it"):
        plan(Wanted(one, other), VERA)


def test_a_stopped_one_is_not_run(make_router: MakeRouter) -> None:
    row = plan(Wanted(make_router("one", asked=2), make_router("other")), VERA)
    assert stop(row)
    assert run_planned(row) == "stopped"
    assert (row.compared, row.note) == (0, "stopped before it began")


def test_one_whose_worker_is_gone_is_ended(make_router: MakeRouter) -> None:
    row = plan(Wanted(make_router("one", asked=2), make_router("other")), VERA)
    now = timezone.now()
    Comparison.objects.update(state="running", last_sign_at=now - timedelta(seconds=10))
    assert end_abandoned() == 0
    Comparison.objects.update(last_sign_at=now - timedelta(hours=1))
    assert end_abandoned() == 1
    row.refresh_from_db()
    assert (row.state, row.note) == ("stopped", "its worker stopped")


def test_a_target_that_is_away_stops_it_and_what_was_compared_is_kept(make_router: MakeRouter) -> None:
    one = make_router("one", asked=5)
    away = make_router("away")
    Target.objects.filter(pk=away.pk).update(kind=Target.Kind.HTTP, base_url="http://127.0.0.1:9")
    away.refresh_from_db()
    row = compared(one, away)
    assert (row.state, row.compared) == ("stopped", 0)
    assert row.note.startswith("away: the target is away: ")


def test_the_command_prints_json_and_its_gate_exits_with_1_for_new_findings(make_router: MakeRouter) -> None:
    make_router("honest", asked=10), make_router("faulty", "section_twice")
    printed = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("compare", target="faulty", against="honest", gate=True, json=True, stdout=printed)
    assert ended.value.code == 1
    document = json.loads(printed.getvalue())
    assert (document["target"], document["is_worse"]) == ("faulty", True)
    call_command("compare", target="honest", against="faulty", gate=True, stdout=printed)
    assert "a finding went: section_repeated" in printed.getvalue()


def test_the_command_refuses_an_unknown_target_with_2(make_router: MakeRouter) -> None:
    make_router("honest", asked=2)
    with pytest.raises(CommandError, match="unknown target 'nowhere'; known are: honest") as refused:
        call_command("compare", target="nowhere")
    assert refused.value.returncode == 2
