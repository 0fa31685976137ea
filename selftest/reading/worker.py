"""What is known of the worker from here: its heartbeat and what waits for it. None: it cannot be told."""

from django_q.brokers import get_broker
from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.status import Stat

from selftest.storage.broker_faults import BROKER_OR_DATABASE_AWAY


def worker_clusters() -> int | None:
    """How many clusters have a fresh heartbeat."""
    try:
        return heartbeats()
    except BROKER_OR_DATABASE_AWAY:
        return None


def heartbeats() -> int:
    """How many there are; raises one of BROKER_OR_DATABASE_AWAY where that cannot be read.

    In the database it is only read: the library's own reading writes too, and would wait for all other writers.
    """
    broker = get_broker()
    if not isinstance(broker, ORM):
        return len(Stat.get_all(broker))
    return len(broker.cache.get_many(broker.cache.get(Conf.Q_STAT) or []))


def any_worker() -> bool:
    """Whether any gives signs of life, also one whose SECRET_KEY is another. Raises as `heartbeats` does."""
    broker = get_broker()
    if isinstance(broker, ORM):
        return heartbeats() > 0
    return bool(broker.get_stats(f"{Conf.Q_STAT}:*"))


def waiting_tasks() -> int | None:
    """How many tasks no worker has taken yet."""
    try:
        return int(get_broker().queue_size())
    except BROKER_OR_DATABASE_AWAY:
        return None
