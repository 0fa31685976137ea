"""The notifying of a worker, and its stand-in of the web server where no worker is left."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from unittest.mock import Mock

import pytest
import time_machine
from django.db import OperationalError

from selftest.models import Cause, Cycle, Delivery, Notice
from selftest.operating.notices import events, notifier
from selftest.operating.notices.notifier import Notifier, StandIn
from tests.engine.conftest import NOW
from tests.engine.operating.notices.conftest import MakeChannel, Receiver, tell
from tests.review import factory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


class Workers:
    """How many give signs of life; None: it cannot be told."""

    count: int | None = 1


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workers]:
    made = Workers()
    monkeypatch.setattr(notifier, "worker_clusters", lambda: made.count)
    return made


def told() -> list[str]:
    return list(Notice.objects.order_by("id").values_list("kind", flat=True))


def test_a_worker_tells_and_sends(make_channel: MakeChannel, receiver: Receiver, workers: Workers) -> None:
    make_channel()
    tell()
    Notifier().look(NOW)
    assert len(receiver.bodies) == 1


def test_what_was_told_is_sent_though_looking_for_more_fails(
    make_channel: MakeChannel, receiver: Receiver, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_channel()
    tell()
    monkeypatch.setattr(notifier.events, "look", Mock(side_effect=ValueError))
    with pytest.raises(ValueError):
        Notifier().look(NOW)
    assert len(receiver.bodies) == 1


def test_while_a_worker_runs_the_web_server_neither_tells_nor_sends(
    make_channel: MakeChannel, receiver: Receiver, workers: Workers
) -> None:
    make_channel()
    tell()
    stand_in = StandIn()
    for minute in range(10):
        stand_in.look(NOW + minute * MINUTE)
    assert receiver.bodies == []


def test_three_minutes_without_a_worker_the_web_server_tells_it_once_and_sends_it(
    make_channel: MakeChannel, receiver: Receiver, workers: Workers, clock: time_machine.Traveller
) -> None:
    make_channel()
    workers.count = 0
    processes = [StandIn(), StandIn()]
    sent = []
    for _ in range(6):
        for process in processes:
            process.look(NOW + len(sent) * MINUTE)
        sent.append(len(receiver.bodies))
        clock.shift(MINUTE)
    assert sent == [0, 0, 0, 1, 1, 1]
    workers.count = 1
    Notifier().look(NOW + 6 * MINUTE)
    assert told() == ["worker.missing", "worker.back"]
    assert len(receiver.bodies) == 2


def test_a_worker_that_is_seen_begins_the_three_minutes_again(workers: Workers) -> None:
    stand_in = StandIn()
    for minute, count in enumerate([0, 0, 0, 1, 0, None, 0, 1, None, None, None]):
        workers.count = count
        stand_in.look(NOW + minute * MINUTE)
    assert told() == []


def test_three_minutes_without_the_broker_that_is_told_as_no_worker_can_do_anything(
    make_channel: MakeChannel,
    receiver: Receiver,
    workers: Workers,
    clock: time_machine.Traveller,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(events, "worker_clusters", lambda: workers.count)
    make_channel()
    workers.count = None
    of_web, of_worker = StandIn(), Notifier()
    for minute in range(6):
        of_web.look(NOW + minute * MINUTE)
        of_worker.look(NOW + minute * MINUTE)
        clock.shift(MINUTE)
    workers.count = 1
    of_worker.look(NOW + 6 * MINUTE)
    assert list(Notice.objects.order_by("id").values_list("kind", "words")) == [
        ("worker.missing", "The broker cannot be reached, and so no worker"),
        ("worker.back", "A worker is running again"),
    ]
    assert len(receiver.bodies) == 2


def test_a_process_of_a_cluster_whose_heartbeat_is_gone_does_not_say_that_a_worker_is_back(workers: Workers) -> None:
    workers.count = 0
    notifying, stand_in = Notifier(), StandIn()
    for minute in range(10):
        stand_in.look(NOW + minute * MINUTE)
        notifying.look(NOW + minute * MINUTE)
    assert told() == ["worker.missing"]


def test_started_after_days_it_tells_of_a_schedule_that_is_stale_once_that_had_its_time(workers: Workers) -> None:
    factory.make_cycle(Cycle.State.FINISHED, now=NOW)
    start = NOW + timedelta(days=5)
    notifying = Notifier()
    notifying.look(start)
    notifying.look(start + 180 * MINUTE)
    assert told() == []
    notifying.look(start + 181 * MINUTE)
    assert told() == ["schedule.stale"]


def test_what_is_older_than_ninety_days_is_deleted_with_its_deliveries(
    make_channel: MakeChannel, workers: Workers, clock: time_machine.Traveller
) -> None:
    make_channel()
    tell(2)
    clock.shift(89 * DAY)
    tell()
    Notifier().look(NOW + 89 * DAY)
    assert Notice.objects.count() == 3
    Notifier().look(NOW + 91 * DAY)
    assert told() == ["cause.new"]
    assert Delivery.objects.count() == 1


def test_that_a_cause_is_due_is_kept_without_deliveries_until_it_is_judged(
    make_channel: MakeChannel, workers: Workers
) -> None:
    make_channel()
    cause = factory.make_cause(verdict=Cause.Verdict.LATER, until_date=NOW.date(), judged_at=NOW)
    for days in (0, 91, 92):
        Notifier().look(NOW + days * DAY)
    assert told() == ["cause.later_due"]
    assert not Delivery.objects.exists()
    Cause.objects.filter(pk=cause.pk).update(verdict=Cause.Verdict.ACCEPTED, judged_at=NOW + 92 * DAY)
    Notifier().look(NOW + 93 * DAY)
    assert told() == []


def test_a_target_and_a_schedule_that_are_back_after_ninety_days_are_told_to_be(workers: Workers) -> None:
    factory.make_cycle(now=NOW)
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, now=NOW + HOUR)
    for after in (HOUR, 5 * HOUR, 91 * DAY, 92 * DAY):
        events.look(NOW + after, has_worker=True)
        events.forget_old(NOW + after)
    assert told() == ["target.away", "schedule.stale"]
    factory.make_cycle(now=NOW + 92 * DAY)
    events.look(NOW + 92 * DAY, has_worker=True)
    assert told() == ["target.away", "schedule.stale", "target.back", "schedule.resumed"]


def test_a_database_that_is_away_ends_no_notifying(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    looked = []

    def look(*_: object) -> None:
        looked.append(1)
        if len(looked) == 3:
            stop.set()
        raise OperationalError("server closed the connection") if len(looked) == 1 else ZeroDivisionError

    monkeypatch.setattr(Notifier, "look", look)
    monkeypatch.setattr(notifier, "LOOK_S", 0.001)
    monkeypatch.setattr(notifier.connection, "close", lambda: None)
    notifier.run(stop)
    assert len(looked) == 3
