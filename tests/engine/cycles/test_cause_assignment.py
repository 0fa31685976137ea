"""After each cycle every flag is put down to a cause, and a cause stays the same one while flags come and go."""

import gc
from collections.abc import Callable, Sequence

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from selftest.core.insight.causes import FoundCause
from selftest.core.insight.predicates import QueryShape
from selftest.core.insight.symptoms import SeenRun
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.cycles import cause_assignment, runner
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Actor, Cause, CauseEvent, CauseTally, Combination, Cycle, Flag, Run, Target
from selftest.reviewing.causes import judge, merge, move_flags
from selftest.reviewing.dismissal import undismiss
from selftest.reviewing.judgement import Judgement
from selftest.storage.serialization import query_of
from selftest.storage.target_clients import bundled_vocabulary
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.review import factory

pytestmark = pytest.mark.django_db

Kind = CauseEvent.Kind


@pytest.fixture
def faulty(make_target: MakeTarget) -> Callable[..., Target]:
    """The bundled router with these faults on."""

    def make(*faults: str) -> Target:
        columns = {"kind": Target.Kind.REFERENCE, "dotted_path": "", "reference_faults": list(faults)}
        return make_target(document=bundled_vocabulary(), **columns)

    return make


def told(cause: Cause) -> list[str]:
    return list(cause.events.order_by("id").values_list("kind", flat=True))


def test_an_assignment_leaves_what_the_cluster_shares_to_all_its_processes(
    faulty: Callable[..., Target], cycle_on: RunCycle
) -> None:
    """What is frozen is written to by no collection, so a process gets no copy of its own of it."""
    target = faulty("clause_swallowed_after_third")
    cycle_on(target, 24, seed=0)
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        assign_causes(target, NOW)
        assert Cause.objects.exists()
        assert gc.get_freeze_count() > 0.9 * frozen
    finally:
        gc.unfreeze()


def test_one_fault_is_one_cause_that_says_what_triggers_it_and_keeps_its_row(
    faulty: Callable[..., Target], cycle_on: RunCycle
) -> None:
    target = faulty("clause_swallowed_after_third")
    for seed in range(5):
        cycle_on(target, 24, seed=seed)
    assert Flag.objects.exists()
    assert not Flag.objects.filter(cause=None).exists()
    largest = Cause.objects.order_by("-flags")[0]
    assert largest.sentence == "the fourth part or a later one"
    assert (largest.is_evident, largest.verdict, largest.merged_into) == (True, None, None)
    assert largest.flags == Flag.objects.filter(cause=largest).count() > 0.9 * Flag.objects.count()
    before = set(Flag.objects.filter(cause=largest).values_list("pk", flat=True))
    for seed in range(5, 8):
        cycle_on(target, 24, seed=seed)
    largest.refresh_from_db()
    assert before <= set(Flag.objects.filter(cause=largest).values_list("pk", flat=True))
    assert told(largest)[0] == Kind.FOUND


def test_two_faults_at_once_are_two_causes(faulty: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = faulty("section_twice", "empty_section_kept")
    for seed in range(5):
        cycle_on(target, 24, seed=seed)
    two = Cause.objects.filter(merged_into=None).order_by("-flags")[:2]
    assert {cause.checks[0] for cause in two} == {"section_repeated", "section_blank"}
    assert sum(cause.flags for cause in two) >= 0.95 * Flag.objects.count()


def test_the_figures_of_each_cycle_say_how_many_queries_could_have_shown_it(
    faulty: Callable[..., Target], cycle_on: RunCycle
) -> None:
    target = faulty("clause_swallowed_after_third")
    cycles = [cycle_on(target, 24, seed=seed).cycle for seed in range(4)]
    largest = Cause.objects.order_by("-flags")[0]
    for cycle in cycles:
        long_ones = [run.pk for run in Run.objects.filter(cycle=cycle) if len(query_of(run.document).clauses) >= 4]
        flagged = Flag.objects.filter(cause=largest, run__cycle=cycle).values("run").distinct().count()
        tally = CauseTally.objects.filter(cause=largest, cycle=cycle).first()
        assert (tally.runs, tally.flagged) == (len(long_ones), flagged) if tally else not long_ones
    assert largest.tallies.exists()


def test_what_has_not_changed_is_not_written_again(faulty: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = faulty("section_twice")
    cycle_on(target, 24, seed=1)
    before = list(Cause.objects.values()), list(CauseTally.objects.order_by("id").values())
    assert all(before)
    with CaptureQueriesContext(connection) as asked:
        assign_causes(target, NOW)
    written = [query["sql"] for query in asked if "selftest_cause" in query["sql"] and "SELECT" not in query["sql"]]
    assert written == []
    assert (list(Cause.objects.values()), list(CauseTally.objects.order_by("id").values())) == before


def test_figures_that_no_longer_hold_are_replaced(faulty: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = faulty("section_twice")
    cycle_on(target, 24, seed=1)
    figures = set(CauseTally.objects.values_list("cause", "cycle", "runs", "flagged"))
    cause, cycle = Cause.objects.order_by("id")[0], Cycle.objects.get()
    other = Cycle.objects.create(target=target, trigger="command", seed=1, queries_wanted=1, created_at=NOW)
    CauseTally.objects.filter(cause=cause).update(runs=7000)
    CauseTally.objects.create(cause=cause, cycle=other, runs=5, flagged=5)
    assign_causes(target, NOW)
    assert set(CauseTally.objects.values_list("cause", "cycle", "runs", "flagged")) == figures
    assert {of for _, of, _, _ in figures} == {cycle.pk}


def test_a_judged_cause_counts_what_came_since_and_says_so_once(
    faulty: Callable[..., Target], cycle_on: RunCycle
) -> None:
    target = faulty("section_twice")
    cycle_on(target, 24, seed=1)
    cause = Cause.objects.get()
    newest = Flag.objects.order_by("-id")[0].pk
    judge(cause, Judgement(Cause.Verdict.ACCEPTED), Actor("ada"))
    for seed in (2, 3):
        cycle_on(target, 24, seed=seed)
    cause.refresh_from_db()
    assert cause.new_flags == Flag.objects.filter(pk__gt=newest, cause=cause).count() > 0
    assert told(cause).count(Kind.CAME_BACK) == 1
    assert cause.verdict == Cause.Verdict.ACCEPTED


def test_a_cause_that_was_quiet_says_once_in_which_cycle_it_is_back() -> None:
    for number in range(8):
        factory.flagged(f"subject {number}", factory.finding(CheckName.SECTION_REPEATED))
    for number in range(3):
        factory.ask(factory.make_combination(f"clean {number}"), [])
    assign_causes(factory.a_target(), NOW)
    assert told(Cause.objects.get()) == [Kind.FOUND]
    factory.flagged("back", factory.finding(CheckName.SECTION_REPEATED))
    assign_causes(factory.a_target(), NOW)
    assign_causes(factory.a_target(), NOW)
    cause = Cause.objects.get()
    assert told(cause) == [Kind.FOUND, Kind.SEEN_AGAIN]
    cycle = Flag.objects.order_by("-id")[0].run.cycle_id
    assert cause.events.get(kind=Kind.SEEN_AGAIN).note == (
        f"in cycle {cycle}, after 3 queries that could have shown it and did not"
    )


def test_queries_without_what_a_cause_says_are_counted_beside_those_with_it(
    faulty: Callable[..., Target], cycle_on: RunCycle
) -> None:
    target = faulty("clause_swallowed_after_third")
    for seed in range(4):
        cycle_on(target, 24, seed=seed)
    largest = Cause.objects.order_by("-flags")[0]
    assert largest.sentence == "the fourth part or a later one"
    short = [run.pk for run in Run.objects.all() if len(query_of(run.document).clauses) < 4]
    assert largest.other_runs == len(short) == Run.objects.count() - largest.runs
    assert largest.other_struck <= Flag.objects.filter(run__in=short).values("run").distinct().count()
    assert largest.struck > largest.runs / 2


def test_what_a_person_placed_is_left_where_it_is(faulty: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = faulty("section_twice")
    cycle_on(target, 24, seed=1)
    mine = Cause.objects.create(
        target=target, symptom="by hand", predicate={"family": "any", "values": []}, sentence="mine", is_evident=False,
        first_seen=NOW, last_seen=NOW, flags=1,
    )  # fmt: skip
    Cause.objects.exclude(pk=mine.pk).update(flags=F("flags") - 1)
    placed = Flag.objects.order_by("id")[0]
    Flag.objects.filter(pk=placed.pk).update(cause=mine, is_placed_by_hand=True)
    cycle_on(target, 24, seed=2)
    placed.refresh_from_db()
    mine.refresh_from_db()
    assert (placed.cause_id, mine.flags, mine.merged_into) == (mine.pk, 1, None)
    assert Cause.objects.exclude(pk=mine.pk).get().flags == Flag.objects.count() - 1


def test_what_is_like_a_cause_that_was_merged_by_hand_goes_where_that_went(
    faulty: Callable[..., Target], cycle_on: RunCycle
) -> None:
    target = faulty("section_twice", "empty_section_kept")
    for seed in range(4):
        cycle_on(target, 24, seed=seed)
    heir, merged, *_ = Cause.objects.order_by("-flags")
    Flag.objects.filter(cause=merged).update(cause=heir, is_placed_by_hand=True)
    Cause.objects.filter(pk=merged.pk).update(merged_into=heir, is_merged_by_hand=True)
    for seed in range(4, 6):
        cycle_on(target, 24, seed=seed)
    assert not Flag.objects.filter(cause=merged).exists()
    others = Cause.objects.filter(merged_into=None).exclude(pk=heir.pk)
    alike = Flag.objects.filter(check_name=merged.checks[0]).exclude(cause__in=others)
    assert set(alike.values_list("cause", flat=True)) == {heir.pk}
    assert alike.count() > 0.9 * Flag.objects.filter(check_name=merged.checks[0]).count()


def test_a_cause_whose_flags_all_went_elsewhere_is_merged_and_its_story_says_into_what() -> None:
    for number in range(6):
        factory.flagged(f"subject {number}", factory.finding(CheckName.SECTION_REPEATED))
    target = factory.a_target()
    assign_causes(target, NOW)
    one = Cause.objects.get()
    other = Cause.objects.create(
        target=target, symptom=one.symptom, predicate=one.predicate, sentence="the other", is_evident=False,
        first_seen=NOW, last_seen=NOW, flags=1,
    )  # fmt: skip
    first = Flag.objects.order_by("id")[0]
    Flag.objects.filter(pk=first.pk).update(cause=other)
    assign_causes(target, NOW)
    other.refresh_from_db()
    assert other.merged_into == one
    assert told(one) == [Kind.FOUND, Kind.MERGED]
    assert one.events.order_by("-id")[0].other == other


def test_an_open_flag_that_comes_to_a_judged_cause_brings_that_back() -> None:
    """Its verdict was not about that flag, and no other cause would keep it before a person."""
    flagged = [factory.flagged(f"subject {n}", factory.finding(CheckName.SECTION_REPEATED)) for n in range(6)]
    target = factory.a_target()
    assign_causes(target, NOW)
    one = Cause.objects.get()
    other = Cause.objects.create(
        target=target, symptom=one.symptom, predicate=one.predicate, sentence="the other", is_evident=False,
        first_seen=NOW, last_seen=NOW, flags=1,
    )  # fmt: skip
    Flag.objects.filter(combination=flagged[0]).update(cause=other)
    judge(one, Judgement(Cause.Verdict.ACCEPTED), Actor("ada"))
    assert Combination.objects.filter(review_status=None).get() == flagged[0]
    assign_causes(target, NOW)
    one.refresh_from_db()
    other.refresh_from_db()
    assert (other.merged_into, one.new_flags) == (one, 1)
    assert Combination.objects.filter(review_status=None).get() == flagged[0]
    judge(one, Judgement(Cause.Verdict.ACCEPTED), Actor("ada"))
    assign_causes(target, NOW)
    one.refresh_from_db()
    assert one.new_flags == 0
    assert not Combination.objects.filter(review_status=None).exists()


def test_a_flag_that_a_person_restored_waits_with_its_judged_cause() -> None:
    flagged = [factory.flagged(f"subject {n}", factory.finding(CheckName.SECTION_REPEATED)) for n in range(3)]
    assign_causes(factory.a_target(), NOW)
    one = Cause.objects.get()
    judge(one, Judgement(Cause.Verdict.ACCEPTED), Actor("ada"))
    undismiss(flagged[1], Actor("ada"))
    assign_causes(factory.a_target(), NOW)
    one.refresh_from_db()
    assert one.new_flags == 1


def test_flags_beyond_the_window_keep_their_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        factory.flagged(f"subject {number}", factory.finding(CheckName.SECTION_REPEATED))
    assign_causes(factory.a_target(), NOW)
    cause = Cause.objects.get()
    monkeypatch.setattr(cause_assignment, "WINDOW_RUNS", 2)
    factory.flagged("one more", factory.finding(CheckName.SECTION_REPEATED))
    assign_causes(factory.a_target(), NOW)
    cause.refresh_from_db()
    assert cause.flags == 7
    assert set(Flag.objects.values_list("cause", flat=True)) == {cause.pk}


def test_a_check_of_another_version_is_passed_over() -> None:
    factory.flagged("one", factory.finding(CheckName.SECTION_REPEATED))
    old = Flag.objects.get()
    Flag.objects.update(check_name="gone_since")
    assign_causes(factory.a_target(), NOW)
    old.refresh_from_db()
    assert old.cause is None
    assert not Cause.objects.exists()


def test_a_failure_leaves_the_cycle_as_it_ended_and_the_next_one_does_it_all(
    faulty: Callable[..., Target], cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = faulty("section_twice")

    def fail(*_: object) -> None:
        raise ValueError("no such family")

    monkeypatch.setattr(runner, "assign_causes", fail)
    outcome = cycle_on(target, 24, seed=1)
    assert outcome.cycle is not None
    assert outcome.cycle.state == Cycle.State.FINISHED
    assert not Cause.objects.exists()
    monkeypatch.undo()
    cycle_on(target, 24, seed=2)
    assert not Flag.objects.filter(cause=None).exists()


def test_two_causes_of_one_check_are_told_apart_by_its_kind() -> None:
    """A crash is compared by its error: two errors are two causes."""
    for number in range(5):
        evidence = Evidence(DiscrepancyKind.NO_ANSWER)
        for error in ("KeyError: 'a'", "TimeoutError after 3 s"):
            said = factory.finding(CheckName.CRASH, seen=error, evidence=evidence)
            factory.flagged(f"{error} {number}", said)
    assign_causes(factory.a_target(), NOW)
    assert sorted(Cause.objects.values_list("symptom", "flags")) == [
        ("crash: KeyError: 'a'", 5),
        ("crash: TimeoutError after  s", 5),
    ]


def test_a_combination_has_the_cause_of_the_first_flag_of_its_last_flagged_run() -> None:
    for number in range(5):
        factory.flagged(f"subject {number}", factory.finding(CheckName.SECTION_REPEATED))
        factory.flagged(f"matter {number}", factory.finding(CheckName.SECTION_BLANK))
    both = factory.flagged(
        "subject and matter", factory.finding(CheckName.SECTION_BLANK), factory.finding(CheckName.SECTION_REPEATED)
    )
    clean = factory.make_combination("never flagged")
    assign_causes(factory.a_target(), NOW)
    causes = {cause.checks[0]: cause for cause in Cause.objects.all()}
    assert len(causes) == 2
    both.refresh_from_db()
    assert both.cause == causes[CheckName.SECTION_BLANK], "its second flag is of the other one"
    clean.refresh_from_db()
    assert clean.cause is None
    assert Combination.objects.filter(cause=causes[CheckName.SECTION_REPEATED]).count() == 5


def test_a_newly_flagged_combination_has_no_cause_until_flags_are_assigned_again_and_a_clean_run_changes_nothing() -> (
    None
):
    flagged = factory.flagged("one", factory.finding(CheckName.SECTION_REPEATED))
    assign_causes(factory.a_target(), NOW)
    cause = Cause.objects.get()
    factory.ask(flagged)
    assert flagged.cause == cause, "factory.ask reads the row again"
    factory.ask(flagged, [factory.finding(CheckName.SECTION_REPEATED)])
    assert flagged.cause is None
    assign_causes(factory.a_target(), NOW)
    flagged.refresh_from_db()
    assert flagged.cause == cause


def test_a_first_flag_of_a_check_that_is_gone_leaves_the_combination_to_the_next_flag() -> None:
    flagged = factory.flagged(
        "one", factory.finding(CheckName.SECTION_BLANK), factory.finding(CheckName.SECTION_REPEATED)
    )
    Flag.objects.filter(check_name=CheckName.SECTION_BLANK).update(check_name="gone_since")
    assign_causes(factory.a_target(), NOW)
    flagged.refresh_from_db()
    assert flagged.cause == Flag.objects.get(check_name=CheckName.SECTION_REPEATED).cause
    assert flagged.cause is not None


def test_a_run_is_told_again_only_where_its_flags_have_changed_or_too_many_came_since(
    faulty: Callable[..., Target], cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = faulty("section_twice")
    cycle_on(target, 8, seed=0)
    findings_told: list[int] = []
    tell = cause_assignment.seen_run

    def counted(shape: QueryShape, findings: Sequence[tuple[int, Finding]]) -> SeenRun:
        findings_told.append(len(findings))
        return tell(shape, findings)

    monkeypatch.setattr(cause_assignment, "seen_run", counted)
    monkeypatch.setattr(cause_assignment, "SEEN_RUNS", cause_assignment._SeenRuns())
    assign_causes(target, NOW)
    assert len(findings_told) == 8
    assert sum(findings_told) == Flag.objects.count() > 0
    assign_causes(target, NOW)
    assert len(findings_told) == 8
    changed = Flag.objects.order_by("id")[0]
    Flag.objects.filter(pk=changed.pk).update(check_name=CheckName.ITEM_REPEATED)
    assign_causes(target, NOW)
    assert len(findings_told) == 9
    assert Flag.objects.get(pk=changed.pk).cause is not None
    monkeypatch.setattr(cause_assignment, "KEPT_RUNS", 4)
    monkeypatch.setattr(cause_assignment, "SEEN_RUNS", cause_assignment._SeenRuns())
    assign_causes(target, NOW)
    assign_causes(target, NOW)
    assert len(findings_told) == 9 + 8 + 8


def test_of_a_target_the_runs_of_its_last_window_are_kept_and_no_older_ones(
    faulty: Callable[..., Target], cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cause_assignment, "WINDOW_RUNS", 8)
    monkeypatch.setattr(cause_assignment, "KEPT_RUNS", 16)
    monkeypatch.setattr(cause_assignment, "SEEN_RUNS", cause_assignment._SeenRuns())
    target = faulty("section_twice")
    kept = []
    for seed in range(3):
        cycle_on(target, 8, seed=seed)
        assign_causes(target, NOW)
        kept.append(set(cause_assignment.SEEN_RUNS.of(target.pk)))
    assert [len(digests) for digests in kept] == [8, 8, 8]
    assert kept[0].isdisjoint(kept[2])


def test_a_query_that_was_asked_twice_and_was_clean_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[QueryShape] = []
    tell = cause_assignment.seen_run

    def counted(shape: QueryShape, findings: Sequence[tuple[int, Finding]]) -> SeenRun:
        told.append(shape)
        return tell(shape, findings)

    monkeypatch.setattr(cause_assignment, "seen_run", counted)
    monkeypatch.setattr(cause_assignment, "SEEN_RUNS", cause_assignment._SeenRuns())
    flagged = factory.flagged("now and then")
    for _ in range(2):
        factory.ask(flagged)
    assign_causes(factory.a_target(), NOW)
    assert len(told) == 2, "once with its flag, and once for both without"


def flag_each(check: CheckName, times: int) -> Cause:
    for _ in range(times):
        factory.flagged("", factory.finding(check))
    assign_causes(factory.a_target(), NOW)
    found = Flag.objects.filter(check_name=check)[0].cause
    assert found is not None
    return found


def test_a_merged_cause_keeps_its_row_though_more_flags_of_what_was_merged_into_it_come_than_it_had() -> None:
    twice = flag_each(CheckName.SECTION_REPEATED, 2)
    blank = flag_each(CheckName.SECTION_BLANK, 2)
    merge(twice, blank, Actor("ada"))
    judge(Cause.objects.get(pk=blank.pk), Judgement(Cause.Verdict.ACCEPTED), Actor("ada"))
    flag_each(CheckName.SECTION_REPEATED, 5)
    flag_each(CheckName.SECTION_REPEATED, 1)
    only = Cause.objects.get(merged_into=None)
    assert (only.pk, only.symptom, only.flags, only.new_flags) == (blank.pk, CheckName.SECTION_BLANK, 10, 6)
    assert only.checks == [CheckName.SECTION_REPEATED, CheckName.SECTION_BLANK]


def test_what_a_person_merged_while_causes_were_looked_for_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = flag_each(CheckName.SECTION_REPEATED, 3)
    blank = flag_each(CheckName.SECTION_BLANK, 3)
    find_causes = cause_assignment.find_causes

    def meanwhile(runs: Sequence[SeenRun]) -> Sequence[FoundCause]:
        merge(twice, blank, Actor("ada"))
        return find_causes(runs)

    monkeypatch.setattr(cause_assignment, "find_causes", meanwhile)
    assign_causes(factory.a_target(), NOW)
    assert Cause.objects.get(pk=blank.pk).flags == Flag.objects.filter(cause=blank).count() == 6


def test_a_cause_says_nothing_of_queries_whose_flags_a_person_moved_away() -> None:
    cause = flag_each(CheckName.SECTION_REPEATED, 4)
    moved = list(Flag.objects.order_by("id").values_list("pk", flat=True)[:2])
    own = move_flags(moved, None, Actor("ada"))
    assign_causes(factory.a_target(), NOW)
    cause.refresh_from_db()
    own.refresh_from_db()
    assert (cause.flags, cause.struck, cause.runs) == (2, 2, 4)
    assert (own.flags, own.struck, own.runs) == (2, 0, 0)
