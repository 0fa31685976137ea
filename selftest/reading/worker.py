"""What is known of the worker from here: its heartbeat and what waits for it. None: it cannot be told."""

from collections.abc import Callable
from time import monotonic
from typing import Any

from django_q.brokers import get_broker
from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.status import Stat

from selftest.storage.broker_faults import BROKER_OR_DATABASE_AWAY

PATIENCE_S = 0.2  # for each answer of Redis, whose client waits 5 s by itself: /health and pages wait for it
SILENT_S = 3.0  # for which it is not asked again after that, or all who ask would wait, one after the other


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
        return _redis.answer(broker, lambda: len(Stat.get_all(broker)))
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
        broker = get_broker()
        if isinstance(broker, ORM):
            return int(broker.queue_size())
        return _redis.answer(broker, lambda: int(broker.queue_size()))
    except BROKER_OR_DATABASE_AWAY:
        return None


class _Redis:
    """Asked by a client that waits for PATIENCE_S alone."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def answer(self, broker: Any, ask: Callable[[], int]) -> int:
        """What `ask` has of the broker. Raises a RedisError."""
        import redis  # here, for what it takes
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        if monotonic() < self._silent_until:
            raise redis.TimeoutError("Redis did not answer in time a moment ago")
        once = Retry(NoBackoff(), 0)
        broker.connection = redis.Redis.from_url(
            Conf.REDIS, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S, retry=once
        )
        try:
            return ask()
        except redis.TimeoutError:
            self._silent_until = monotonic() + SILENT_S
            raise


_redis = _Redis()
