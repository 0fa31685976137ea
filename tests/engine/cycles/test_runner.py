"""One cycle: where it is off, when the target is away, what a failure costs, and how long it may take."""

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from selftest.core.judging.answers import Answer
from selftest.cycles import recording
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import CycleOutcome, Status, run_cycle
from selftest.models import Combination, Cycle, Flag, ReviewEvent, Run, Target, Tuning
from selftest.targets.base import TargetAway
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.routers import Route, Served, honest, serving
from tests.engine.texts import texts_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_probes")]

Play = Callable[[Route], None]


def states(outcome: CycleOutcome) -> list[str]:
    """Of its runs, in the order in which they were planned."""
    assert outcome.cycle is not None
    return list(outcome.cycle.runs.order_by("place").values_list("state", flat=True))


@pytest.fixture
def asked(play: Play) -> list[str]:
    """The queries that reached the scripted router, which answers honestly."""
    queries: list[str] = []

    def route(query: str, source: str) -> tuple[str, str]:
        queries.append(query)
        return honest(query, source)

    play(route)
    return queries


# --- off ---


@pytest.mark.parametrize("switch", ["environment", "settings", "target"])
def test_switched_off_nothing_is_asked_and_nothing_is_written(
    switch: str, make_target: MakeTarget, cycle_on: RunCycle, asked: list[str], settings: Any
) -> None:
    target = make_target("scripted")
    if switch == "environment":
        settings.ADVERSARIAL_TEST_ENABLED = False
    elif switch == "settings":
        Tuning.get_solo()
        Tuning.objects.update(enabled=False)
    else:
        Target.objects.update(enabled=False)  # the row that the caller holds still says enabled
    outcome = cycle_on(target)
    assert (outcome.status, outcome.cycle, outcome.queries_run) == (Status.DISABLED, None, 0)
    assert asked == []
    assert not Cycle.objects.exists()
    assert not Combination.objects.exists()


def test_the_environment_s_off_wins_over_the_admin_s_on(
    make_target: MakeTarget, cycle_on: RunCycle, asked: list[str], settings: Any
) -> None:
    assert Tuning.get_solo().enabled
    settings.ADVERSARIAL_TEST_ENABLED = False
    assert cycle_on(make_target("scripted")).status is Status.DISABLED
    assert asked == []


# --- an ordinary one ---


def test_a_cycle_tells_what_it_did(make_target: MakeTarget, cycle_on: RunCycle, asked: list[str]) -> None:
    target = make_target("scripted")
    outcome = cycle_on(target, 8, seed=7)
    assert (outcome.status, outcome.queries_run, outcome.flagged, outcome.note) == (Status.RAN, 8, 0, "")
    cycle = Cycle.objects.get()
    assert (cycle.state, cycle.seed, cycle.queries_wanted, cycle.queries_run) == ("finished", 7, 8, 8)
    assert (cycle.flagged, cycle.novel) == (0, 8)
    assert cycle.vocabulary == target.vocabularies.get()
    assert cycle.started_at is not None
    assert cycle.finished_at is not None
    assert cycle.created_at <= cycle.started_at <= cycle.finished_at
    assert states(outcome) == ["done"] * 8
    assert asked == texts_of(cycle.runs.all())


def test_without_a_count_the_batch_size_in_force_is_asked(make_target: MakeTarget, asked: list[str]) -> None:
    target = make_target("scripted")
    Tuning.get_solo()
    assert run_cycle(CycleRequest(target, Cycle.Trigger.API)).queries_run == 8  # the specification's default
    Tuning.objects.update(batch_size=3)
    assert run_cycle(CycleRequest(target, Cycle.Trigger.API)).queries_run == 3
    assert len(asked) == 11


def test_progress_is_told_after_every_answer(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    told: list[tuple[int, int]] = []
    cycle_on(make_target(), 3, progress=lambda over, planned: told.append((over, planned)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_runs_are_planned_before_the_first_is_asked(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    seen: list[list[str]] = []

    def look(over: int, planned: int) -> None:
        seen.append(list(Run.objects.order_by("place").values_list("state", flat=True)))

    cycle_on(make_target(), 3, progress=look)
    assert seen == [["done", "planned", "planned"], ["done", "done", "planned"], ["done", "done", "done"]]


# --- the target is away ---


@pytest.mark.parametrize("route", ["no_such_function", "honest.no_such_thing"])
def test_a_python_target_that_is_not_there_ends_the_cycle(
    route: str, make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    outcome = cycle_on(make_target(route))
    assert outcome.status is Status.TARGET_UNAVAILABLE
    assert "dotted_path" in outcome.note
    assert not Run.objects.exists()
    assert not Combination.objects.exists()


def test_an_http_target_that_is_away_ends_the_cycle_and_touches_no_combination(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    with serving(Served()) as served:
        pass  # and its port is closed again
    outcome = cycle_on(make_target(kind=Target.Kind.HTTP, base_url=served.url))
    assert outcome.status is Status.TARGET_UNAVAILABLE
    assert served.url in outcome.note
    assert not Run.objects.exists()
    assert not Combination.objects.exists()


def test_a_target_that_goes_away_in_the_middle_ends_the_cycle_and_flags_nothing(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    with serving(Served(away_after=3)) as served:
        target = make_target(kind=Target.Kind.HTTP, base_url=served.url)
        outcome = cycle_on(target, 8)
        assert outcome.status is Status.TARGET_UNAVAILABLE
        assert "HTTP 503" in outcome.note
        assert states(outcome) == ["done"] * 3 + ["skipped"] * 5
        assert (outcome.queries_run, outcome.flagged) == (3, 0)
        assert not Flag.objects.exists()
        assert Combination.objects.filter(times_generated=0).count() == 5
        left_over = texts_of(Run.objects.filter(state="skipped"))

        served.away_after = None
        after = cycle_on(target, 8, seed=2)
    assert after.status is Status.RAN
    assert served.asked[3:8] == left_over, "what was not asked comes first in the next cycle"
    assert after.cycle is not None
    assert after.cycle.novel == 8


def test_a_target_without_a_vocabulary_is_not_asked(
    make_target: MakeTarget, cycle_on: RunCycle, asked: list[str]
) -> None:
    outcome = cycle_on(make_target("scripted", document=None))
    assert outcome.status is Status.INTERRUPTED
    assert "manage.py vocabulary import" in outcome.note
    assert asked == []


# --- failures ---


def test_a_crash_of_the_target_is_a_flag_on_its_query_and_the_batch_goes_on(
    make_target: MakeTarget, cycle_on: RunCycle, play: Play
) -> None:
    numbers = count()

    def crash_once(query: str, source: str) -> tuple[str, str]:
        if next(numbers) == 2:
            raise KeyError("no such shelf")
        return honest(query, source)

    play(crash_once)
    outcome = cycle_on(make_target("scripted"), 6)
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.RAN, 6, 1)
    crashed = Run.objects.get(reason__isnull=False)
    assert crashed.place == 2
    assert crashed.reason == "crash: KeyError: 'no such shelf'"
    assert "in crash_once" in crashed.result, "the traceback is kept as evidence"
    assert (crashed.own_error, crashed.state) == ("", "done")


def test_no_answer_within_the_time_limit_is_a_crash_in_the_contract_s_words(
    make_target: MakeTarget, cycle_on: RunCycle, play: Play
) -> None:
    over = threading.Event()

    def never(query: str, source: str) -> tuple[str, str]:
        over.wait(30)
        return honest(query, source)

    play(never)
    outcome = cycle_on(make_target("scripted", time_limit_s=0.1), 1)
    over.set()
    assert (outcome.status, outcome.flagged) == (Status.RAN, 1)
    assert Run.objects.get().reason == "crash: no answer within 0.1 s"


@pytest.mark.parametrize("broken", ["findings", "record"])
def test_a_failure_of_ours_does_not_end_the_batch_and_flags_nothing(
    broken: str, make_target: MakeTarget, cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    from selftest.core.judging import examination

    numbers = count()
    place, name = (examination, "specified_findings") if broken == "findings" else (recording, "record")
    whole = getattr(place, name)

    def fail_once(*arguments: Any) -> Any:
        if next(numbers) == 1:
            raise ZeroDivisionError("ours")
        return whole(*arguments)

    monkeypatch.setattr(place, name, fail_once)
    outcome = cycle_on(make_target(), 4)
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.RAN, 3, 0)
    assert states(outcome) == ["done", "interrupted", "done", "done"]
    failed = Run.objects.get(place=1)
    assert (failed.own_error, failed.error, failed.reason) == ("ZeroDivisionError: ours", "", None)
    assert failed.combination.times_generated == 0
    assert not Flag.objects.exists()


def test_a_value_that_the_database_refuses_does_not_end_the_batch(
    make_target: MakeTarget, cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = count()
    whole = recording.answer_columns

    def spoilt(answer: Answer) -> dict[str, Any]:
        columns = whole(answer)
        return columns | {"result": None} if next(numbers) == 1 else columns  # the column is not null

    monkeypatch.setattr(recording, "answer_columns", spoilt)
    outcome = cycle_on(make_target(), 3)
    assert (outcome.status, states(outcome)) == (Status.RAN, ["done", "interrupted", "done"])
    assert "IntegrityError" in Run.objects.get(place=1).own_error


@pytest.mark.django_db(transaction=True)
def test_ctrl_c_marks_the_cycle_and_passes_on(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    def interrupt(over: int, planned: int) -> None:
        if over == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cycle_on(make_target(), 4, progress=interrupt)
    cycle = Cycle.objects.get()
    assert (cycle.state, cycle.note, cycle.queries_run) == ("interrupted", "stopped: KeyboardInterrupt", 2)
    assert list(cycle.runs.order_by("place").values_list("state", flat=True)) == ["done", "done", "skipped", "skipped"]


def test_answers_that_are_no_answers_are_recorded_with_evidence(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    bodies = [
        (b"<html>502</html>", "the answer is not JSON"),
        (b'{"result": "x"}', "field 'source_used' is missing"),
        (b'{"result": 5, "source_used": "web"}', "field 'result' is a number, not text"),
        (b'{"result": "a\\u0000b \\ud800", "source_used": "kiwix", "success": true}', None),
        (b'{"result": "' + b"x" * 30_000_000 + b'", "source_used": "kiwix"}', "over the limit of 4194304 bytes"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\xff\xfe\x00", "invalid UTF-8 at byte 0"),
    ]
    numbers = iter(range(len(bodies)))
    with serving(Served(body_of=lambda query: bodies[next(numbers)][0])) as served:
        outcome = cycle_on(make_target(kind=Target.Kind.HTTP, base_url=served.url, time_limit_s=10), len(bodies))
    assert (outcome.status, outcome.queries_run) == (Status.RAN, len(bodies))
    for (body, reason), run in zip(bodies, Run.objects.order_by("place"), strict=True):
        assert run.own_error == ""
        assert len(run.result) <= 256 * 1024
        if reason is None:
            assert run.result == "a␀b �"
        else:
            assert (run.reason or "").startswith("crash: ")
            assert reason in (run.reason or "")
            assert run.result == body[:2000].decode(errors="replace").replace("\x00", "␀"), "its first bytes are kept"


# --- time ---


def test_when_the_budget_is_used_up_the_rest_comes_first_in_the_next_cycle(
    make_target: MakeTarget, cycle_on: RunCycle, settings: Any
) -> None:
    target = make_target()
    settings.CYCLE_BUDGET_S = 1200.0

    def use_up(over: int, planned: int) -> None:
        monkeypatch.setattr("selftest.cycles.run_and_probe_queue.time.monotonic", lambda: 1e12)

    with pytest.MonkeyPatch.context() as monkeypatch:
        outcome = cycle_on(target, 5, progress=use_up)
    assert outcome.status is Status.RAN
    assert states(outcome) == ["done"] + ["skipped"] * 4
    assert outcome.note == "stopped asking after 1200 s; the rest comes first in the next cycle"
    skipped = texts_of(Run.objects.filter(state="skipped"))
    after = cycle_on(target, 5)
    assert after.cycle is not None
    assert texts_of(after.cycle.runs.all())[:4] == skipped


def test_cached_and_failed_answers_are_no_latency_samples(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    from selftest.reading.judging_terms import latency_history_ms

    with serving(Served(body_of=lambda q: b'{"result": "x", "source_used": "kiwix", "cached": true}')) as served:
        target = make_target(kind=Target.Kind.HTTP, base_url=served.url)
        cycle_on(target, 2, recipes=["no_intent_fallthrough"])
        served.body_of = lambda q: b'{"success": false, "error": "broken"}'
        cycle_on(target, 1, recipes=["no_intent_fallthrough"])
        served.body_of = lambda q: None
        cycle_on(target, 2, recipes=["no_intent_fallthrough"])
    assert len(latency_history_ms(target, "no_intent_fallthrough", 50)) == 2


# --- several at once ---


def test_as_many_are_asked_at_once_as_the_target_allows(
    make_target: MakeTarget, cycle_on: RunCycle, play: Play
) -> None:
    """Each waits until three are inside: with fewer at once this would never end, with more the barrier would break."""
    together = threading.Barrier(3, timeout=20)
    inside, most = [], []

    def meet(query: str, source: str) -> tuple[str, str]:
        inside.append(query)
        together.wait()
        most.append(len(inside))
        together.wait()
        inside.remove(query)
        together.wait()
        return honest(query, source)

    play(meet)
    outcome = cycle_on(make_target("scripted", requests_at_once=3), 9)
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.RAN, 9, 0)
    assert set(most) == {3}
    assert Combination.objects.filter(times_generated=1).count() == 9


def test_an_outage_among_several_at_once_gives_back_what_was_not_answered(
    make_target: MakeTarget, cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    from selftest.targets.python import PythonTarget

    numbers = count()
    whole = PythonTarget.ask

    def away_later(self: PythonTarget, query: str, source: str = "auto") -> Answer:
        if next(numbers) >= 4:
            raise TargetAway("nobody at home")
        return whole(self, query, source)

    monkeypatch.setattr(PythonTarget, "ask", away_later)
    outcome = cycle_on(make_target(requests_at_once=4), 12)
    assert (outcome.status, outcome.note, outcome.queries_run) == (Status.TARGET_UNAVAILABLE, "nobody at home", 4)
    assert sorted(states(outcome)) == ["done"] * 4 + ["skipped"] * 8
    assert not ReviewEvent.objects.exists()
