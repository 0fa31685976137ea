"""The notifying of a worker, and its stand-in of the web server where no worker is left."""

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.db import OperationalError

from selftest.models import Cycle, Delivery, Notice
from selftest.operating.notices import notifier
from selftest.operating.notices.notifier import Notifier, StandIn
from tests.engine.conftest import NOW
from tests.engine.operating.notices.conftest import MakeChannel, Receiver, tell
from tests.review import factory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

MINUTE = timedelta(minutes=1)


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


def test_a_worker_that_is_seen_or_cannot_be_told_of_begins_the_three_minutes_again(workers: Workers) -> None:
    stand_in = StandIn()
    for minute, count in enumerate([0, 0, 0, None, 0, 0, 0, 1, 0, 0, 0]):
        workers.count = count
        stand_in.look(NOW + minute * MINUTE)
    assert told() == []


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


def test_what_is_older_than_ninety_days_is_deleted_but_for_what_would_be_told_again(
    make_channel: MakeChannel, workers: Workers, clock: time_machine.Traveller
) -> None:
    make_channel()
    tell(2)
    tell(1, Notice.Kind.CAUSE_LATER_DUE)
    clock.shift(timedelta(days=89))
    tell()
    Notifier().look(NOW + timedelta(days=89))
    assert Notice.objects.count() == 4
    Notifier().look(NOW + timedelta(days=91))
    assert told() == ["cause.later_due", "cause.new"]
    assert Delivery.objects.count() == 2


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
