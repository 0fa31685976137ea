"""Deliveries: each is sent once, tried again until it is, and held back beyond so many an hour."""

import json
import threading
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connections
from django.utils import timezone

from selftest.models import Channel, Cycle, Delivery, Notice, Tuning
from selftest.operating.notices import delivering, events, sending
from selftest.operating.notices.delivering import claim, deliver
from selftest.operating.notices.events import Event
from selftest.reading.notices import failing_channels
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.cycles.test_concurrency import together
from tests.engine.operating.notices.conftest import MakeChannel, Receiver, tell

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "without_probes")]

State = Delivery.State


def _states() -> dict[str, int]:
    return dict(Counter(Delivery.objects.values_list("state", flat=True)))


def _words(receiver: Receiver) -> list[str]:
    return [json.loads(body)["data"]["words"] for body in receiver.bodies]


def test_what_is_told_is_sent_once_to_each_channel_that_wants_it(make_channel: MakeChannel, receiver: Receiver) -> None:
    make_channel()
    make_channel("other")
    make_channel("without causes", new_causes=False)
    make_channel("switched off", enabled=False)
    tell()
    assert [deliver(), deliver()] == [2, 0]
    assert _words(receiver) == ["Event 0", "Event 0"]
    assert len({headers["webhook-id"] for headers in receiver.headers}) == 2


def test_a_failure_is_tried_again_after_a_minute_then_ever_later_up_to_an_hour_and_for_a_day(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    receiver.status = 500
    make_channel()
    tell()
    tried = []
    while due := Delivery.objects.filter(state=State.WAITING).first():
        clock.move_to(due.next_at, tick=False)
        assert deliver() == 0
        tried.append((due.next_at - NOW) / timedelta(minutes=1))
    assert len(receiver.bodies) == len(tried)
    assert tried == [0, 1, 3, 7, 15, 31, *range(63, 1384, 60)]
    assert _states() == {State.FAILED: 1}
    assert Delivery.objects.get().error == "HTTP 500"
    assert len({headers["webhook-id"] for headers in receiver.headers}) == 1


def test_a_channel_that_works_again_gets_what_waited_and_counts_as_failing_until_then(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    channel = make_channel()
    receiver.status = 503
    tell(3)
    assert deliver() == 0
    assert len(receiver.bodies) == 1, "one failure is enough to know, for this look"
    [failing] = failing_channels(timezone.now())
    assert (failing.pk, failing.name, failing.error, failing.waiting) == (channel.pk, "team", "HTTP 503", 3)
    receiver.status = 200
    clock.shift(timedelta(minutes=1))
    assert deliver() == 3
    assert failing_channels(timezone.now()) == []


def test_after_an_outage_of_a_channel_the_oldest_is_sent_first(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    make_channel()
    receiver.status = 500
    tell()
    for _ in range(4):  # tried at 0, 1, 3 and 7 minutes; the next time would be at 15
        assert deliver() == 0
        clock.move_to(Delivery.objects.get().next_at, tick=False)
    clock.move_to(NOW + timedelta(minutes=10), tick=False)
    receiver.status = 200
    tell()
    assert deliver() == 2
    assert _words(receiver)[-2:] == ["Event 0", "Event 1"]


def test_what_a_channel_always_refuses_keeps_no_other_back(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    make_channel()
    receiver.refused = b"Event 0"
    tell()
    assert deliver() == 0
    clock.shift(timedelta(minutes=10))
    tell(3)
    assert deliver() == 0, "the first once more, before the others"
    clock.shift(timedelta(seconds=15))
    assert deliver() == 3
    assert _words(receiver) == ["Event 0", "Event 0", "Event 1", "Event 2", "Event 3", "Event 0"]


def test_what_comes_late_says_when_it_was(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    make_channel(kind=Channel.Kind.APPRISE, url=f"json://127.0.0.1:{receiver.port}/", secret="")
    receiver.status = 500
    tell()
    deliver()
    receiver.status = 200
    clock.shift(timedelta(hours=2))
    tell()
    assert deliver() == 2
    late, fresh = (json.loads(body)["message"] for body in receiver.bodies[-2:])
    assert "As of 30 June 2026, 12:00 UTC." in late
    assert "As of" not in fresh


def test_a_test_that_is_sent_ends_the_failing_of_a_channel_until_a_delivery_fails_again(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    channel = make_channel()
    receiver.status = 404
    tell()
    deliver()
    sending.send_test(channel)
    assert [one.error for one in failing_channels(timezone.now())] == ["HTTP 404"], "the test failed too"
    receiver.status = 200
    clock.shift(timedelta(minutes=5))
    sending.send_test(channel)
    assert failing_channels(timezone.now()) == []
    receiver.status = 404
    clock.shift(timedelta(minutes=5))
    deliver()
    assert [one.error for one in failing_channels(timezone.now())] == ["HTTP 404"]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_the_same_time_send_each_once(make_channel: MakeChannel, receiver: Receiver) -> None:
    make_channel(hourly_limit=100)
    make_channel("other", hourly_limit=100)
    Tuning.get_solo()
    tell(8)
    sent = together(deliver, deliver, deliver)
    deliver()
    assert sum(sent) <= 16
    counted = Counter(headers["webhook-id"] for headers in receiver.headers)
    assert len(counted) == 16
    assert set(counted.values()) == {1}
    assert _states() == {State.SENT: 16}


@pytest.mark.django_db(transaction=True)
def test_two_workers_together_keep_to_the_hourly_limit(make_channel: MakeChannel, receiver: Receiver) -> None:
    make_channel(hourly_limit=3)
    Tuning.get_solo()
    tell(10)
    together(deliver, deliver)
    deliver()
    assert len(receiver.bodies) == 3
    assert _states() == {State.SENT: 3, State.HELD: 7}


def test_beyond_the_limit_one_summary_follows_when_the_hour_is_over(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    make_channel(hourly_limit=3)
    tell(3)
    deliver()
    tell(10)
    tell(2, Notice.Kind.TARGET_AWAY)
    clock.shift(timedelta(minutes=59))
    assert deliver() == 0
    clock.shift(timedelta(minutes=1))
    assert deliver() == 1
    assert _words(receiver)[3:] == ["12 more: 10 × new cause, 2 × target away"]
    told = json.loads(receiver.bodies[3])
    assert told["type"] == "summary"
    assert told["data"]["notices"] == 12
    assert told["data"]["detail"].startswith("• Event 3\n• Event 4\n")
    assert _states() == {State.SENT: 4, State.SUMMED_UP: 12}


def test_a_single_one_beyond_the_limit_is_sent_as_it_is(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    make_channel(hourly_limit=1)
    tell(2)
    deliver()
    clock.shift(timedelta(hours=1))
    deliver()
    assert _words(receiver) == ["Event 0", "Event 1"]


def test_a_summary_that_fails_is_tried_again_and_not_summed_up_itself(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    make_channel(hourly_limit=1)
    tell(3)
    deliver()
    clock.shift(timedelta(hours=1))
    receiver.status = 500
    deliver()
    receiver.status = 200
    clock.shift(timedelta(minutes=1))
    tell(2)
    deliver()
    assert _words(receiver) == ["Event 0", "2 more: 2 × new cause", "2 more: 2 × new cause"]
    assert _states() == {State.SENT: 2, State.SUMMED_UP: 2, State.HELD: 2}


def test_a_digest_beyond_the_limit_is_sent_whole_and_not_summed_up(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    channel = make_channel(hourly_limit=2)
    tell(4)
    facts = {"causes_found": 3}
    digest = Event(Notice.Kind.DIGEST, "digest", "Week to 30 June", "/", NOW, facts=facts, channel=channel)
    events.tell(digest, NOW)
    deliver()
    assert _states() == {State.SENT: 2, State.HELD: 2, State.WAITING: 1}
    clock.shift(timedelta(hours=1))
    deliver()
    assert _words(receiver)[2:] == ["Week to 30 June", "2 more: 2 × new cause"]
    assert json.loads(receiver.bodies[2])["data"]["causes_found"] == 3


def test_what_a_dead_worker_was_sending_is_sent_under_the_same_id(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    channel = make_channel()
    tell()
    claimed = claim(channel.pk, timezone.now())
    assert claimed is not None
    assert deliver() == 0, "it may still be on its way"
    clock.shift(timedelta(minutes=5))
    assert deliver() == 1
    assert receiver.headers[0]["webhook-id"] == f"msg_{claimed.uid.hex}"
    delivering.record(claimed, "HTTP 500", timezone.now())
    assert _states() == {State.SENT: 1}, "the one that was slow changes nothing any more"


def test_what_a_dead_worker_was_sending_is_no_news_after_a_day(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    channel = make_channel()
    tell()
    assert claim(channel.pk, timezone.now()) is not None
    clock.shift(timedelta(days=1, minutes=1))
    assert deliver() == 0
    assert _states() == {State.FAILED: 1}
    assert Delivery.objects.get().error == "not sent within a day"


def test_what_was_sent_by_a_clock_that_was_ahead_takes_no_room_now(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    make_channel(hourly_limit=2)
    clock.shift(timedelta(days=30))
    tell(2)
    assert deliver() == 2
    clock.shift(timedelta(days=-30))
    tell(2)
    assert deliver() == 2


def test_what_waits_for_another_try_is_not_put_off_by_a_clock_that_was_ahead(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    make_channel()
    clock.shift(timedelta(days=30))
    receiver.status = 500
    tell()
    assert deliver() == 0
    clock.shift(timedelta(days=-30))
    receiver.status = 200
    assert deliver() == 1
    assert _states() == {State.SENT: 1}


def test_a_failure_by_a_right_clock_is_not_hidden_by_a_success_of_one_that_was_ahead(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    make_channel()
    clock.shift(timedelta(days=30))
    tell()
    assert deliver() == 1
    clock.shift(timedelta(days=-30))
    receiver.status = 500
    tell()
    assert deliver() == 0
    assert [failing.error for failing in failing_channels(timezone.now())] == ["HTTP 500"]


def test_one_channel_that_fails_keeps_no_other_waiting(make_channel: MakeChannel, receiver: Receiver) -> None:
    make_channel("broken", url="http://127.0.0.1:9/")
    make_channel()
    tell(2)
    assert deliver() == 2
    assert _words(receiver) == ["Event 0", "Event 1"]


def test_a_channel_that_hangs_is_given_up_for_now_with_the_others_served_and_keeps_no_process_from_its_end(
    make_channel: MakeChannel, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "SEND_LIMIT_S", 0.5)
    make_channel("hangs")
    receiver.release.clear()
    other = type(receiver)()
    make_channel("other", url=other.url)
    tell(2)
    assert deliver() == 2
    assert len(other.bodies) == 2
    assert sorted(Delivery.objects.exclude(error="").values_list("error", flat=True)) == ["not sent within 0.5 s"]
    left = [thread for thread in threading.enumerate() if thread.name == "send"]
    assert all(thread.daemon for thread in left)
    assert left
    other.close()


@pytest.mark.django_db(transaction=True)
def test_a_cycle_runs_while_a_channel_hangs(
    make_channel: MakeChannel, receiver: Receiver, make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    make_channel()
    target = make_target()
    tell()
    receiver.release.clear()

    def work() -> None:
        deliver()
        connections.close_all()

    delivering_thread = threading.Thread(target=work)
    delivering_thread.start()
    try:
        assert cycle_on(target, 2).queries_run == 2
        assert Cycle.objects.get().state == Cycle.State.FINISHED
        assert delivering_thread.is_alive()
    finally:
        receiver.release.set()
        delivering_thread.join(30)
    assert _states() == {State.SENT: 1}


def test_switched_off_nothing_is_sent_and_what_waited_for_a_day_is_given_up(
    make_channel: MakeChannel, receiver: Receiver, clock: time_machine.Traveller, settings: Any
) -> None:
    make_channel()
    tell()
    settings.ADVERSARIAL_TEST_ENABLED = False
    assert deliver() == 0
    settings.ADVERSARIAL_TEST_ENABLED = True
    clock.shift(timedelta(hours=25))
    assert deliver() == 0
    assert receiver.bodies == []
    assert Delivery.objects.get().error == "not sent within a day"


def test_a_channel_that_is_switched_off_gets_nothing_more(make_channel: MakeChannel, receiver: Receiver) -> None:
    make_channel()
    tell()
    Channel.objects.update(enabled=False)
    assert deliver() == 0
    assert receiver.bodies == []
