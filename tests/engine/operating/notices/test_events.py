"""Events: each is found once in what rows say, and told to the channels that want it and are not younger."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
import time_machine

from selftest.cycles.putting_off import bring_back_due
from selftest.models import Actor, Cause, CauseEvent, Channel, Cycle, Delivery, Notice, ReviewEvent, Target, Tuning
from selftest.operating.notices import events
from selftest.operating.notices.events import look
from selftest.operating.targets import save_target
from selftest.operating.tuning import tune
from selftest.reviewing.causes import judge, reopen
from selftest.reviewing.dismissal import judge_combination
from selftest.reviewing.judgement import Judgement
from tests.engine.conftest import NOW
from tests.engine.cycles.test_concurrency import together
from tests.engine.operating.notices.conftest import MakeChannel
from tests.review import factory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

Kind = Notice.Kind
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def told() -> list[str]:
    """The kinds of all notices, the oldest first."""
    return list(Notice.objects.order_by("id").values_list("kind", flat=True))


def event_of(cause: Cause, kind: CauseEvent.Kind = CauseEvent.Kind.FOUND, at: datetime = NOW, note: str = "") -> None:
    CauseEvent.objects.create(cause=cause, kind=kind, actor="engine", at=at, note=note)


def cycle(at: datetime, is_away: bool = False, target: Target | None = None) -> Cycle:
    state = Cycle.State.TARGET_UNAVAILABLE if is_away else Cycle.State.FINISHED
    return factory.make_cycle(state, "GET /health: connection refused" if is_away else "", at, target)


# --- causes ---


def test_a_new_cause_is_told_once_with_its_checks_its_sentence_and_its_page(make_channel: MakeChannel) -> None:
    make_channel()
    cause = factory.make_cause(checks=["section_repeated", "part_lost"], sentence="the fourth part or a later one")
    event_of(cause)
    assert [look(NOW), look(NOW)] == [1, 0]
    notice = Notice.objects.get()
    assert notice.words == "New cause on bundled: section repeated, part lost"
    assert notice.detail == "the fourth part or a later one"
    assert notice.link == f"/causes/{cause.pk}"
    assert notice.facts == {"target": "bundled", "cause": cause.pk, "checks": ["section_repeated", "part_lost"]}
    assert Delivery.objects.get().notice == notice


def test_a_cause_that_was_split_off_another_is_new_too() -> None:
    event_of(factory.make_cause(checks=["pair_broken"]), CauseEvent.Kind.SPLIT, note="from “a pair”")
    look(NOW)
    notice = Notice.objects.get()
    assert (notice.kind, notice.words) == (Kind.CAUSE_NEW, "New cause on bundled: pair broken")
    assert notice.detail == "any query\nSplit from “a pair”"


def test_of_a_cause_that_was_merged_since_nothing_is_told() -> None:
    event_of(factory.make_cause(merged_into=factory.make_cause()))
    assert look(NOW) == 0


def test_only_channels_that_want_it_and_are_as_old_get_it(make_channel: MakeChannel) -> None:
    make_channel("wants it")
    make_channel("does not", new_causes=False)
    make_channel("is off", enabled=False)
    make_channel("is younger", created_at=NOW + MINUTE)
    event_of(factory.make_cause())
    look(NOW + HOUR)
    assert [delivery.channel.name for delivery in Delivery.objects.all()] == ["wants it"]


def test_a_channel_made_while_the_clock_was_ahead_hears_of_what_happens_now(make_channel: MakeChannel) -> None:
    make_channel(created_at=NOW + 30 * DAY, weekly_digest=True)
    event_of(factory.make_cause())
    look(NOW)
    assert told() == [Kind.CAUSE_NEW]
    assert Delivery.objects.count() == 1


def test_a_channel_made_later_gets_nothing_of_what_was_told(make_channel: MakeChannel) -> None:
    event_of(factory.make_cause())
    look(NOW)
    make_channel()
    look(NOW + MINUTE)
    assert not Delivery.objects.exists()


def test_what_is_older_than_a_day_is_no_news() -> None:
    event_of(factory.make_cause(), at=NOW - DAY - MINUTE)
    assert look(NOW) == 0


def test_of_a_target_that_is_switched_off_nothing_is_told_while_another_is_on() -> None:
    cause = factory.make_cause()
    event_of(cause)
    factory.make_target("other", is_default=False)
    Target.objects.filter(pk=cause.target_id).update(enabled=False)
    assert look(NOW) == 0


def test_a_cause_that_came_back_says_what_came() -> None:
    event_of(
        factory.make_cause(verdict=Cause.Verdict.ACCEPTED, checks=["crash"]),
        CauseEvent.Kind.CAME_BACK,
        note="3 since it was judged: Accepted",
    )
    look(NOW)
    notice = Notice.objects.get()
    assert (notice.kind, notice.words) == (Kind.CAUSE_CAME_BACK, "A cause came back on bundled: crash")
    assert notice.detail == "any query\nNew flags: 3 since it was judged: Accepted"


def test_one_that_was_put_off_is_told_when_it_is_due_and_not_before() -> None:
    judged = {"verdict": Cause.Verdict.LATER, "judged_by": "vera", "judged_at": NOW - 3 * DAY, "checks": ["crash"]}
    cause = factory.make_cause(until_date=date(2026, 7, 2), new_flags=2, **judged)
    event_of(cause, CauseEvent.Kind.CAME_BACK)
    assert look(NOW) == 0
    due = NOW + 2 * DAY
    assert [look(due), look(due + HOUR)] == [1, 0]
    notice = Notice.objects.get()
    assert (notice.kind, notice.words) == (Kind.CAUSE_LATER_DUE, "Due now on bundled: crash")
    assert notice.detail == "any query\nPut off by vera on 27 June 2026"


@pytest.fixture
def put_off(clock: time_machine.Traveller) -> Cause:
    """A cause with new flags since NOW, when it was put off; it is an hour later."""
    judged = {"verdict": Cause.Verdict.LATER, "judged_by": "vera", "judged_at": NOW - 3 * DAY}
    cause = factory.make_cause(until_date=date(2026, 7, 2), new_flags=2, **judged)
    event_of(cause, CauseEvent.Kind.CAME_BACK)
    clock.shift(HOUR)
    return cause


def test_one_that_was_put_off_and_is_accepted_later_did_not_come_back(put_off: Cause) -> None:
    judge(put_off, Judgement(Cause.Verdict.ACCEPTED), Actor("vera"))
    assert look(NOW + 2 * HOUR) == 0
    event_of(put_off, CauseEvent.Kind.CAME_BACK, NOW + 2 * HOUR)
    assert look(NOW + 2 * HOUR) == 1, "what comes after the verdict is news"


def test_one_that_was_put_off_and_is_reopened_did_not_come_back(put_off: Cause) -> None:
    reopen(put_off, Actor("vera"))
    assert look(NOW + 2 * HOUR) == 0


def test_put_off_again_it_is_told_again() -> None:
    cause = factory.make_cause(verdict=Cause.Verdict.LATER, until_date=date(2026, 6, 30), judged_at=NOW)
    look(NOW)
    Cause.objects.filter(pk=cause.pk).update(judged_at=NOW + HOUR, until_date=date(2026, 7, 1))
    look(NOW + 2 * HOUR)
    assert told() == [Kind.CAUSE_LATER_DUE]
    look(NOW + DAY)
    assert told() == [Kind.CAUSE_LATER_DUE] * 2


@pytest.mark.usefixtures("put_off")
def test_flags_that_come_back_together_are_told_as_one_once_all_are_there(
    make_channel: MakeChannel, clock: time_machine.Traveller
) -> None:
    made = [factory.flagged(f"put off {number}") for number in range(3)]
    later = Judgement(Cause.Verdict.LATER, until_date=date(2026, 7, 1))
    for row in made:
        assert judge_combination(row, later, Actor("vera"))
    make_channel()
    make_channel("without what is due", later_due=False)
    clock.shift(DAY)
    due = NOW + HOUR + DAY
    assert bring_back_due(due) == 3
    cycle(due)
    assert [look(due + MINUTE / 2), look(due + MINUTE), look(due + 2 * MINUTE)] == [0, 1, 0]
    notice = Notice.objects.get()
    assert (notice.kind, notice.words) == (Kind.FLAGS_LATER_DUE, "Due now on bundled: 3 flags")
    assert notice.detail == "put off until 1 Jul 2026"
    assert (notice.link, notice.facts) == ("/flags?target=bundled", {"target": "bundled", "flags": 3})
    assert Delivery.objects.get().channel.name == "team"
    judge_combination(made[0], replace(later, until_date=date(2026, 7, 2)), Actor("vera"))
    clock.shift(DAY)
    assert bring_back_due(due + DAY) == 1
    cycle(due + DAY)
    assert look(due + DAY + MINUTE) == 2, "and the cause that was put off until then too"
    alone = Notice.objects.filter(kind=Kind.FLAGS_LATER_DUE).latest("id")
    assert (alone.words, alone.link) == ("Due now on bundled: 1 flag", f"/combinations/{made[0].pk}")


@pytest.mark.parametrize("letter", ["я", "検", "🦋"])  # of 2, 3 and 4 bytes: an address has 6, 9 and 12 characters
def test_flags_of_a_target_of_any_name_are_told(letter: str) -> None:
    factory.make_target(letter * 100)
    for number in range(2):
        combination = factory.flagged(f"put off {number}")
        due = {"kind": ReviewEvent.Kind.DUE, "actor": "engine", "at": NOW, "note": "put off until 1 Jul 2026"}
        ReviewEvent.objects.create(combination=combination, **due)
    assert look(NOW + MINUTE) == 1
    assert Notice.objects.get().link == f"/flags?target={quote(letter * 100)}"


# --- targets ---


def test_a_target_that_is_away_is_told_once_and_so_is_its_return() -> None:
    cycle(NOW - HOUR)
    first = cycle(NOW, is_away=True)
    look(NOW)
    cycle(NOW + HOUR, is_away=True)
    look(NOW + HOUR)
    assert told() == [Kind.TARGET_AWAY]
    cycle(NOW + 2 * HOUR + 5 * MINUTE)
    assert [look(NOW + 3 * HOUR), look(NOW + 4 * HOUR)] == [1, 0]
    away, back = Notice.objects.order_by("id")
    assert (away.words, away.detail) == ("Target bundled is away", "GET /health: connection refused")
    assert (away.link, away.facts) == (f"/targets/{first.target_id}", {"target": "bundled", "cycle": first.pk})
    assert (back.words, back.detail) == (
        "Target bundled is back",
        "It was away for 2 hours, 5 minutes: 2 cycles found it so.",
    )
    assert back.created_at == NOW + 2 * HOUR + 5 * MINUTE


def test_the_next_outage_is_another_event() -> None:
    for hour, is_away in enumerate([True, False, True]):
        cycle(NOW + hour * HOUR, is_away)
        look(NOW + hour * HOUR)
    assert told() == [Kind.TARGET_AWAY, Kind.TARGET_BACK, Kind.TARGET_AWAY]


def test_back_and_away_again_between_two_looks_the_last_that_is_told_is_how_it_is() -> None:
    cycle(NOW, is_away=True)
    look(NOW)
    cycle(NOW + MINUTE)
    cycle(NOW + 2 * MINUTE, is_away=True)
    assert [look(NOW + 3 * MINUTE), look(NOW + 4 * MINUTE)] == [2, 0]
    assert told() == [Kind.TARGET_AWAY, Kind.TARGET_BACK, Kind.TARGET_AWAY]
    cycle(NOW + 5 * MINUTE)
    assert look(NOW + 6 * MINUTE) == 1
    assert told()[3:] == [Kind.TARGET_BACK]


def test_each_target_is_away_by_itself() -> None:
    cycle(NOW, is_away=True)
    cycle(NOW, is_away=True, target=factory.make_target("other", is_default=False))
    look(NOW)
    assert sorted(Notice.objects.values_list("words", flat=True)) == ["Target bundled is away", "Target other is away"]


# --- the worker and the schedule ---


def test_a_missing_worker_and_the_next_one_are_told_by_turns() -> None:
    for hour, has_worker in enumerate([True, False, False, None, True, True, False]):
        look(NOW + hour * HOUR, has_worker)
    assert told() == [Kind.WORKER_MISSING, Kind.WORKER_BACK, Kind.WORKER_MISSING]
    assert Notice.objects.get(kind=Kind.WORKER_BACK).detail.startswith("That there was none was told 3 hours ago.")


def test_a_schedule_that_is_stale_is_told_once_and_so_is_that_it_goes_again() -> None:
    cycle(NOW)
    late = NOW + 3 * HOUR + 2 * MINUTE  # three intervals of an hour are allowed
    assert [look(late - 5 * MINUTE), look(late), look(late + HOUR)] == [0, 1, 0]
    assert Notice.objects.get().words == "No cycle has finished for 3 hours, 2 minutes"
    cycle(late + 2 * HOUR)
    assert [look(late + 2 * HOUR), look(late + 2 * HOUR)] == [1, 0]
    assert told() == [Kind.SCHEDULE_STALE, Kind.SCHEDULE_RESUMED]


def test_that_no_cycle_has_ever_finished_is_told_once_the_first_had_its_time() -> None:
    assert look(NOW + DAY) == 0, "none was requested"
    factory.make_cycle(Cycle.State.INTERRUPTED, now=NOW)
    assert [look(NOW + 3 * HOUR), look(NOW + 3 * HOUR + MINUTE), look(NOW + 5 * HOUR)] == [0, 1, 0]
    assert Notice.objects.get().words == "No cycle has finished since the first was requested 3 hours, 1 minute ago"
    cycle(NOW + 6 * HOUR)
    assert look(NOW + 6 * HOUR) == 1
    assert told() == [Kind.SCHEDULE_STALE, Kind.SCHEDULE_RESUMED]


def tuned(**columns: Any) -> None:
    """As an admin changes the settings, at the time of the clock."""
    tuning = Tuning.get_solo()
    for name, value in columns.items():
        setattr(tuning, name, value)
    tune(tuning, Actor("vera"))


def test_switched_on_after_days_a_schedule_is_not_stale_before_it_had_its_time(clock: time_machine.Traveller) -> None:
    tuned(enabled=True)
    cycle(NOW)
    clock.shift(HOUR)
    tuned(enabled=False)
    clock.shift(5 * DAY)
    tuned(enabled=True)
    tuned(batch_size=7)
    on = NOW + 5 * DAY + HOUR
    assert [look(on + 15 * MINUTE), look(on + 3 * HOUR), look(on + 3 * HOUR + MINUTE)] == [0, 0, 1]
    assert Notice.objects.get().words == "No cycle has finished for 5 days, 4 hours"


def test_with_a_shorter_interval_a_schedule_is_not_stale_before_it_had_its_time(clock: time_machine.Traveller) -> None:
    tuned(interval_minutes=1440)
    cycle(NOW)
    clock.shift(12 * HOUR)
    tuned(interval_minutes=60)
    shortened = NOW + 12 * HOUR
    assert [look(shortened + MINUTE), look(shortened + 3 * HOUR + MINUTE)] == [0, 1]


def switch(target: Target, enabled: bool) -> None:
    """As an admin does, at the time of the clock."""
    target.enabled = enabled
    save_target(target, Actor("vera"))


def test_while_every_target_is_off_no_schedule_is_stale_and_then_it_has_its_time(clock: time_machine.Traveller) -> None:
    target = factory.make_target()
    cycle(NOW, target=target)
    switch(target, enabled=False)
    assert [look(NOW + 4 * HOUR), look(NOW + DAY)] == [0, 0]
    clock.shift(2 * DAY)
    switch(target, enabled=True)
    on = NOW + 2 * DAY
    assert [look(on + MINUTE), look(on + 3 * HOUR), look(on + 3 * HOUR + MINUTE)] == [0, 0, 1]


def test_a_target_made_while_all_others_are_off_has_its_time_too(clock: time_machine.Traveller) -> None:
    target = factory.make_target()
    cycle(NOW, target=target)
    switch(target, enabled=False)
    clock.shift(2 * DAY)
    factory.make_target("other", is_default=False)
    made = NOW + 2 * DAY
    assert [look(made + MINUTE), look(made + 3 * HOUR), look(made + 3 * HOUR + MINUTE)] == [0, 0, 1]


def test_a_clock_set_back_before_any_cycle_finished_keeps_no_notice_back() -> None:
    factory.make_cycle(Cycle.State.INTERRUPTED, now=NOW + 2 * DAY)
    event_of(factory.make_cause())
    assert look(NOW, running_since=NOW + 2 * DAY) == 1


def test_started_after_days_a_schedule_is_not_stale_before_it_had_its_time() -> None:
    cycle(NOW)
    start = NOW + 5 * DAY
    seen = (start, start + 15 * MINUTE, start + 3 * HOUR + MINUTE)
    assert [look(now, running_since=start) for now in seen] == [0, 0, 1]


def test_a_worker_that_runs_for_days_hides_no_schedule_that_is_stale() -> None:
    cycle(NOW)
    assert look(NOW + 3 * HOUR + MINUTE, running_since=NOW - 5 * DAY) == 1


def test_a_worker_that_is_started_again_and_again_hides_no_schedule_that_is_stale() -> None:
    cycle(NOW)
    for hour in (1, 2, 3):
        now = NOW + hour * HOUR + 10 * MINUTE
        assert look(now, running_since=now) == 0
        failed = factory.make_cycle(Cycle.State.INTERRUPTED, now=now)
        Cycle.objects.filter(pk=failed.pk).update(trigger=Cycle.Trigger.SCHEDULE)
    assert look(now + MINUTE, running_since=now) == 1


def test_a_cycle_that_seems_to_be_from_the_future_is_told_at_once() -> None:
    cycle(NOW + DAY)
    assert look(NOW, running_since=NOW) == 1
    assert Notice.objects.get().words == "The last cycle seems to have finished in the future: check the clock"


# --- the schedule of one target among several ---


@pytest.fixture
def two_targets() -> tuple[Target, Target]:
    """Cycles on both have just finished."""
    targets = factory.make_target(), factory.make_target("other", is_default=False)
    for target in targets:
        cycle(NOW, target=target)
    return targets


def test_one_target_whose_cycles_stop_finishing_is_told_once_by_its_name_and_so_is_that_they_finish_again(
    two_targets: tuple[Target, Target], make_channel: MakeChannel
) -> None:
    make_channel()
    bundled, other = two_targets
    for hours in range(1, 6):
        cycle(NOW + hours * HOUR, target=bundled)
        factory.make_cycle(Cycle.State.INTERRUPTED, now=NOW + hours * HOUR, target=other)
        look(NOW + hours * HOUR + MINUTE)
    cycle(NOW + 6 * HOUR, target=other)
    assert [look(NOW + 6 * HOUR), look(NOW + 6 * HOUR)] == [1, 0]
    stale, resumed = Notice.objects.order_by("id")
    assert (stale.kind, stale.words) == (Kind.SCHEDULE_STALE, "No cycle on other has finished for 3 hours, 1 minute")
    assert (resumed.kind, resumed.words) == (Kind.SCHEDULE_RESUMED, "Cycles on other finish again")
    assert stale.facts == resumed.facts == {"target": "other"}
    assert (stale.target, resumed.target) == (other, other)
    assert Delivery.objects.count() == 2


def test_one_target_whose_cycles_have_never_finished_is_told_by_its_name() -> None:
    bundled, other = factory.make_target(), factory.make_target("other", is_default=False)
    for hours in range(5):
        cycle(NOW + hours * HOUR, target=bundled)
        factory.make_cycle(Cycle.State.INTERRUPTED, now=NOW + hours * HOUR, target=other)
        look(NOW + hours * HOUR + MINUTE)
    stale = Notice.objects.get()
    assert (stale.kind, stale.words) == (Kind.SCHEDULE_STALE, "No cycle on other has finished for 3 hours, 1 minute")


@pytest.mark.usefixtures("two_targets")
def test_where_no_target_finishes_that_is_one_event() -> None:
    late = NOW + 3 * HOUR + MINUTE
    assert [look(late), look(late + HOUR)] == [1, 0]
    assert Notice.objects.get().target is None


def test_once_cycles_finish_again_each_other_target_has_its_time(two_targets: tuple[Target, Target]) -> None:
    bundled, _ = two_targets
    look(NOW + 4 * HOUR)
    again = NOW + 5 * HOUR
    cycle(again, target=bundled)
    assert [look(again), look(again)] == [1, 0]
    cycle(again + 3 * HOUR, target=bundled)
    assert [look(again + 3 * HOUR), look(again + 3 * HOUR + MINUTE)] == [0, 1]
    assert told() == [Kind.SCHEDULE_STALE, Kind.SCHEDULE_RESUMED, Kind.SCHEDULE_STALE]
    assert Notice.objects.latest("id").words == "No cycle on other has finished for 8 hours, 1 minute"


def test_a_target_that_is_switched_off_is_not_stale_and_switched_on_it_has_its_time(
    two_targets: tuple[Target, Target], clock: time_machine.Traveller
) -> None:
    bundled, other = two_targets
    other.enabled = False
    other.save()
    cycle(NOW + 5 * DAY, target=bundled)
    assert look(NOW + 5 * DAY) == 0
    clock.shift(5 * DAY)
    other.enabled = True
    other.save()
    on = NOW + 5 * DAY
    assert look(on + MINUTE) == 0
    cycle(on + 3 * HOUR, target=bundled)
    assert [look(on + 3 * HOUR), look(on + 3 * HOUR + MINUTE)] == [0, 1]


def test_what_an_earlier_version_has_told_of_the_only_target_is_not_told_again() -> None:
    cycle(NOW)
    late = NOW + 4 * HOUR
    Notice.objects.create(kind=Kind.SCHEDULE_STALE, key="schedule 0", words="a", link="/status", created_at=late)
    assert look(late + MINUTE) == 0
    cycle(late + HOUR)
    assert look(late + HOUR) == 1
    assert Notice.objects.latest("id").words == "Cycles finish again"


# --- the digest ---

SUNDAY = datetime(2026, 6, 28, 9, 0, tzinfo=UTC)


def _weekly(make_channel: MakeChannel) -> Channel:
    week_ago = SUNDAY - 10 * DAY
    return make_channel(weekly_digest=True, digest_weekday=6, digest_hour=9, created_at=week_ago, new_causes=False)


def test_a_digest_tells_the_week_once_on_its_day_and_hour(
    make_channel: MakeChannel, clock: time_machine.Traveller
) -> None:
    _weekly(make_channel)
    make_channel("without")
    cause = factory.make_cause()
    put_off = factory.make_cause(verdict=Cause.Verdict.LATER, until_new_flags=50)
    for days, kind in ((8, "found"), (5, "found"), (5, "split"), (4, "judged"), (3, "judged"), (2, "came_back")):
        event_of(cause, CauseEvent.Kind(kind), SUNDAY - days * DAY)
    event_of(put_off, CauseEvent.Kind.CAME_BACK, SUNDAY - DAY)  # not before its 50 flags
    cycle(SUNDAY - 8 * DAY)
    cycle(SUNDAY - 4 * DAY, is_away=True)
    Cycle.objects.filter(pk=cycle(SUNDAY - HOUR).pk).update(queries_run=8, flagged=2)
    assert look(SUNDAY - MINUTE) == 0
    assert [look(SUNDAY), look(SUNDAY + HOUR), look(SUNDAY + 20 * HOUR)] == [1, 0, 1]
    digest = Notice.objects.get(kind=Kind.DIGEST)
    assert digest.words == "Week to 28 June 2026: 2 new causes, 1 judged, 0 open"
    assert digest.detail == (
        "Causes: 2 found, 1 came back, 1 judged, 0 open now.\n"
        "1 cycle with 8 queries, 2 of them flagged.\n"
        "Target bundled was away in 1 cycle."
    )
    assert digest.facts == {
        "until": "2026-06-28T09:00:00Z",
        "causes_found": 2,
        "causes_came_back": 1,
        "causes_judged": 1,
        "causes_open": 0,
        "cycles": 1,
        "queries": 8,
        "flagged": 2,
        "outages": {"bundled": 1},
    }
    assert Delivery.objects.get(notice=digest).channel.name == "team"
    cycle(SUNDAY + 7 * DAY)
    look(SUNDAY + 7 * DAY)
    assert told().count(Kind.DIGEST) == 2


def test_a_digest_that_no_one_could_send_for_a_day_is_left_out(make_channel: MakeChannel) -> None:
    _weekly(make_channel)
    assert look(SUNDAY + DAY + MINUTE) == 0


def test_a_channel_made_after_its_hour_waits_for_the_next_week(make_channel: MakeChannel) -> None:
    _weekly(make_channel)
    Channel.objects.update(created_at=SUNDAY + MINUTE)
    assert look(SUNDAY + HOUR) == 0


@pytest.mark.parametrize(
    ("columns", "later"),
    [({"digest_hour": 10}, HOUR), ({"digest_hour": 8}, HOUR), ({"digest_weekday": 0}, DAY)],
)
def test_with_another_hour_or_weekday_the_digest_of_the_week_is_not_told_again(
    make_channel: MakeChannel, columns: dict[str, int], later: timedelta
) -> None:
    _weekly(make_channel)
    cycle(SUNDAY)
    look(SUNDAY)
    Channel.objects.update(**columns)
    cycle(SUNDAY + later)
    look(SUNDAY + later)
    assert told() == [Kind.DIGEST]
    cycle(SUNDAY + 7 * DAY + later)
    look(SUNDAY + 7 * DAY + later)
    assert told() == [Kind.DIGEST] * 2


def test_a_digest_that_came_a_day_late_delays_no_other(make_channel: MakeChannel) -> None:
    _weekly(make_channel)
    late = SUNDAY + DAY - MINUTE
    cycle(late)
    assert look(late) == 1
    cycle(SUNDAY + 7 * DAY)
    assert look(SUNDAY + 7 * DAY) == 1
    assert told() == [Kind.DIGEST] * 2


# --- all of them ---


def test_switched_off_nothing_is_told(settings: Any) -> None:
    event_of(factory.make_cause())
    cycle(NOW, is_away=True)
    settings.ADVERSARIAL_TEST_ENABLED = False
    assert look(NOW, has_worker=False) == 0
    settings.ADVERSARIAL_TEST_ENABLED = True
    Tuning.objects.update_or_create(pk=1, defaults={"enabled": False})
    assert look(NOW, has_worker=False) == 0


@pytest.mark.django_db(transaction=True)
def test_several_who_look_at_the_same_time_tell_each_event_once(make_channel: MakeChannel) -> None:
    make_channel()
    Tuning.get_solo()
    for _ in range(5):
        event_of(factory.make_cause())
    cycle(NOW, is_away=True)
    written = together(*[lambda: look(NOW, has_worker=False)] * 3)
    assert sum(written) == 7
    assert sorted(told()) == [*[Kind.CAUSE_NEW] * 5, Kind.TARGET_AWAY, Kind.WORKER_MISSING]
    assert Delivery.objects.count() == 7


def test_what_another_process_has_told_meanwhile_is_not_told(make_channel: MakeChannel) -> None:
    make_channel()
    event = events.Event(Kind.CAUSE_NEW, "cause event 7", "New cause", "/causes/7", NOW)
    assert [events.tell(event, NOW), events.tell(event, NOW)] == [True, False]
    assert Delivery.objects.count() == 1
